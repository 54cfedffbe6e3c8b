/* What the learners share: the fit they fill, the public facts they start from, and their entry points. */
#ifndef TACIT_SRC_LEARN_H
#define TACIT_SRC_LEARN_H

#include "data/encode.h"
#include "learn/release.h"
#include "loss/kernel.h"
#include "privacy/certificate.h"
#include "random/random.h"

#include <tacit/learn.h>

struct tacit_fit {
  size_t columns, targets;
  double *coefficients; /* targets x columns, of the encoded columns */
  tacit_certificate *certificate;
  tacit_read_counts counts;
  char note[240];                   /* from public facts alone */
  const tacit_release_probe *probe; /* NULL but for the audit and tests */
};

/* tacit_learn for the audit and tests: the probe sees every release, and the certificate says that the fit is
   not private. */
tacit_status tacit_learn_probed(const tacit_schema *schema, tacit_source *source,
                                const tacit_learn_options *options, const tacit_context *context,
                                const tacit_release_probe *probe, tacit_fit **fit,
                                tacit_error *error) TACIT_CHECKED;

/* tacit_estimate_cost with a probe at the gate; estimate_cost.c. */
tacit_status tacit_estimate_cost_probed(const tacit_schema *schema, tacit_source *source,
                                        const tacit_estimate_options *options, const tacit_context *context,
                                        const tacit_release_probe *probe, tacit_estimate *estimates,
                                        tacit_error *error) TACIT_CHECKED;

/* Noisy smoothed gradient descent (Z Algorithm 1); noisy_gd.c. */
tacit_status tacit_learn_noisy_gd(const tacit_schema *schema, tacit_source *source,
                                  const tacit_learn_options *options, const tacit_context *context,
                                  tacit_fit *fit, tacit_error *error) TACIT_CHECKED;
/* Gradient perturbation (E Theorems 3 and 4); noisy_gd.c. */
tacit_status tacit_learn_gradient(const tacit_schema *schema, tacit_source *source,
                                  const tacit_learn_options *options, const tacit_context *context,
                                  tacit_fit *fit, tacit_error *error) TACIT_CHECKED;
/* The default learner; median_newton.c. */
tacit_status tacit_learn_median_newton(const tacit_schema *schema, tacit_source *source,
                                       const tacit_learn_options *options, const tacit_context *context,
                                       tacit_fit *fit, tacit_error *error) TACIT_CHECKED;
/* Objective perturbation (C Algorithm 2); objective.c. */
tacit_status tacit_learn_objective(const tacit_schema *schema, tacit_source *source,
                                   const tacit_learn_options *options, const tacit_context *context,
                                   tacit_fit *fit, tacit_error *error) TACIT_CHECKED;
/* Stochastic gradient perturbation (C Algorithm 1); sgd.c. */
tacit_status tacit_learn_sgd(const tacit_schema *schema, tacit_source *source,
                             const tacit_learn_options *options, const tacit_context *context, tacit_fit *fit,
                             tacit_error *error) TACIT_CHECKED;
/* erm, erm-exact, saa; baseline.c. */
tacit_status tacit_learn_baseline(const tacit_schema *schema, tacit_source *source,
                                  const tacit_learn_options *options, const tacit_context *context,
                                  tacit_fit *fit, tacit_error *error) TACIT_CHECKED;

/* The noise that the options ask for: the operating system's, or from a seed. */
void tacit_learn_noise(const tacit_learn_options *options, tacit_noise_source *noise);
/* The public number of rows: nominal under add-remove; else the number of records, less those before the
   lags' reach. How many a unit's limit leaves out is not public (proofs/units.md). TACIT_BAD_INPUT for fewer
   rows than columns. */
tacit_status tacit_learn_rows(const tacit_schema *schema, const tacit_learn_options *options,
                              const tacit_read_counts *counts, double *rows,
                              tacit_error *error) TACIT_CHECKED;
/* What every private learner's certificate says: whose data, which noise, the asked guarantee. */
tacit_status tacit_learn_promise(const tacit_schema *schema, const tacit_learn_options *options, double rows,
                                 tacit_certificate *certificate, tacit_error *error) TACIT_CHECKED;

/* Tells the caller's ledger, before the first noise bit, what is about to be spent and on which release. The
   certificate has its head and all its inputs; `planned` has every release as it will be made, for a method
   that knows them all beforehand (privacy/commitment.h). */
tacit_status tacit_learn_spend(const tacit_schema *schema, const tacit_learn_options *options,
                               const tacit_certificate *certificate, const tacit_certificate *planned,
                               tacit_error *error) TACIT_CHECKED;
/* Whether the planned releases keep the asked (epsilon, delta): TACIT_INTERNAL where they would not. */
tacit_status tacit_learn_check_pair(const tacit_learn_options *options, const tacit_certificate *planned,
                                    tacit_error *error) TACIT_CHECKED;

/* The kernel an option names, Gaussian when it names none. */
tacit_status tacit_learn_kernel(const char *name, tacit_kernel *kernel, tacit_error *error) TACIT_CHECKED;
/* The bandwidth in encoded units of a target: the option's, or Z's rule for n rows. */
double tacit_learn_bandwidth(const tacit_schema *schema, size_t target, const tacit_learn_options *options,
                             double rows);

#endif
