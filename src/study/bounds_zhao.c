/* Zhao, Zhou and Wang: Theorems 4 and 5, the radius in which noisy gradient descent ends, how many steps it
   takes there and how many rows. The radii delta_0 and delta_1 of the good events are known up to constants;
   they are taken with constants 1, as everywhere in eq. (8), and so the probability of the events is not part
   of it. */
#include "study/bounds.h"

typedef struct descent {
  double steps;                             /* of the last part, from within 1 of the best coefficients */
  double first;                             /* T_0, until there; 0 where the start is */
  double all, step, bandwidth, clip, sigma; /* noise is for all steps together */
  double p, n, z;
  double delta_0, delta_1, bias; /* b* */
  double phi, gap, rate;         /* phi_1, Delta, epsilon of Theorem 4 */
} descent;

static descent set(const tacit_bounds_facts *f) {
  const tacit_bounds_options *o = &f->o;
  double p = o->columns, n = o->rows, logs = log(n), f_l = o->density_low;
  descent d = {.p = p, .n = n, .z = o->confidence, .clip = o->clip_norm};
  d.bandwidth = o->bandwidth > 0 ? o->bandwidth : pow((p + logs) / n, 0.25);
  d.step = o->step_size > 0 ? o->step_size : fmin(1, 1 / fmax(2 * o->density_high, f_l + f->tau_bar));
  d.delta_0 = sqrt((p + logs) / n);
  d.delta_1 = sqrt(p * logs / n);
  d.bias = o->density_slope * f->kernel->kappa2 * d.bandwidth * d.bandwidth / 2;
  d.phi = (f_l - o->density_slope * f->kernel->kappa1 * d.bandwidth) / 2;
  d.gap = d.phi - d.delta_0 - d.bias;
  d.rate = d.step * d.phi;
  double needed = 2 * logs / -log1p(-fmin(d.rate, 0.5)), R = o->distance;
  d.steps = d.rate > 0 ? ceil(needed) : ceil(logs);
  d.first = R > 1 && d.gap > 0 ? ceil(R * R / (d.step * d.gap)) : 0;
  d.all = o->steps > 0 ? o->steps : d.first + d.steps;
  d.sigma = 2 * f->tau_bar * d.clip * sqrt(d.all) / f->mu;
  return d;
}

/* (19) and (22): rows that noise in any of the steps leaves room for. */
static double width_of(const descent *d, double steps) {
  return sqrt(d->p) + sqrt(2 * (log(steps) + d->z));
}

static bool asked(tacit_bounds *b, const char *text, bool holds) {
  tacit_bounds_ask(b, text, holds);
  return holds;
}

/* Where a condition fails the theorem says nothing. */
static void theorem_4(const tacit_bounds_facts *f, const descent *d, tacit_bounds *b) {
  double r0 = (d->delta_0 + d->bias) / d->phi, r1 = (d->delta_0 + d->delta_1) / d->phi, e = d->rate;
  double noise = d->step * d->sigma / d->n, r = fmax(r0, r1);
  double square = 1 / (d->n * d->n) + (1 + 1 / e) * ((2 * d->p / e + 3 * d->z) * noise * noise + r * r);
  double rows = d->sigma * width_of(d, d->steps) / d->gap;
  bool sound = asked(b, "bandwidth <= f_l / (2 l_0 kappa_1)",
                     d->bandwidth <= f->o.density_low / (2 * f->o.density_slope * f->kernel->kappa1));
  sound &= asked(b, "step size <= 1 / max(2 f_u, f_l + max(tau, 1 - tau))",
                 d->step <= 1 / fmax(2 * f->o.density_high, f->o.density_low + f->tau_bar) * (1 + 1e-12));
  sound &= asked(b, "r_0 = (delta_0 + b*) / phi_1 < 1", d->phi > 0 && r0 < 1);
  sound &= asked(b, "r_1 = (delta_0 + delta_1) / phi_1 <= 1", d->phi > 0 && r1 <= 1);
  sound &= asked(b, "Delta = phi_1 - delta_0 - b* > 0", d->gap > 0);
  sound &= asked(b, "step size times phi_1 < 1/2", e < 0.5);
  double least = sound ? rows : NAN;
  sound &= asked(b, "n at least the rows of (19)", sound && d->n >= rows);
  sound &= asked(b, "steps >= T_0 + 2 ln n / ln(1 / (1 - eta phi_1))",
                 sound && d->all >= d->first + 2 * log(d->n) / -log1p(-e) * (1 - 1e-12));
  tacit_bounds_add(b, "distance from the best coefficients", "Theorem 4, (20)", sound ? sqrt(square) : NAN,
                   sound ? sqrt(square) : NAN);
  tacit_bounds_add(b, "the same without privacy", "Theorem 4, r_0", sound ? r0 : NAN, sound ? r0 : NAN);
  tacit_bounds_add(b, "steps", "Theorem 4, T", sound ? 2 * log(d->n) / -log1p(-e) : NAN, NAN);
  tacit_bounds_add(b, "rows", "Theorem 4, (19)", least, least);
}

/* The start lies farther than 1 from the best coefficients: what brings it there comes before Theorem 4. */
static void theorem_5(const tacit_bounds_facts *f, const descent *d, tacit_bounds *b) {
  const double euler = 2.718281828459045;
  double R = f->o.distance, reach = f->tau_bar * d->clip + 0.25, steps = d->first;
  bool sound = asked(b, "step size <= min(1, 1 / (2 f_u))",
                     d->step <= fmin(1, 1 / (2 * f->o.density_high)) * (1 + 1e-12));
  sound &= d->gap > 0;
  double most =
      fmax((2 * R + reach * (steps + 1) * d->step) / d->gap, (euler - 1) / (4 - euler) * reach * steps);
  double rows = sound ? 2 * width_of(d, steps) * d->sigma * most : NAN;
  tacit_bounds_add(b, "steps until within 1", "Theorem 5, T_0", sound ? steps : NAN, sound ? steps : NAN);
  tacit_bounds_add(b, "rows for that", "Theorem 5, (22)", rows, rows);
  tacit_bounds_ask(b, "n at least the rows of (22)", sound && d->n >= rows);
}

tacit_status tacit_bounds_noisy_gd(const tacit_bounds_facts *f, tacit_bounds *b, tacit_error *error) {
  const tacit_bounds_options *o = &f->o;
  if (!(o->density_low > 0 && o->density_high > 0 && o->density_slope > 0))
    return tacit_fail(
        error, TACIT_USAGE,
        "Theorems 4 and 5 need the density of the residual: give a spread, or the three numbers");
  const descent d = set(f);
  double rate = (d.p + log(d.n)) / (f->mu * d.n);
  theorem_4(f, &d, b);
  if (o->distance > 1) theorem_5(f, &d, b);
  tacit_bounds_add(b, "noise of a step", "sigma", d.sigma, d.sigma);
  tacit_bounds_add(b, "step size", "eta_0", d.step, d.step);
  tacit_bounds_add(b, "bandwidth", "varpi", d.bandwidth, d.bandwidth);
  tacit_bounds_add(b, "rows, constant 1", "(8)", NAN,
                   sqrt(d.all) * (d.p + log(d.n)) / (f->mu * o->density_low));
  tacit_bounds_add(b, "excess cost, constant 1", "Theorem 3", NAN,
                   log(d.n) * (rate * rate / o->density_high +
                               o->density_high / (o->density_low * o->density_low) * d.p / d.n));
  return TACIT_OK;
}
