/* Releases as texts: mu=0.5 | epsilon=1,delta=1e-6 | response=0.1,times=100 |
   sigma=1.2,rate=0.01,times=1000,sampling=poisson; chance=0.3 with any; alternatives behind a slash. */
#include "releases.h"

#include <stdio.h>
#include <string.h>

void releases_help(void) {
  printf(
      "\nA release is one of\n"
      "  mu=M                                   a Gaussian one\n"
      "  epsilon=E,delta=D                      anything that is (E, D)-private; delta is 0 if left out\n"
      "  response=E                             a randomised response\n"
      "  sigma=S,rate=Q,sampling=poisson|fixed  a step on a sample of the rows, S in clip norms\n"
      "each with ,times=N if it is made N times. chance=C: it is made with this public chance alone; a "
      "mixture\nputs alternatives behind slashes: mu=1,chance=0.3/epsilon=2,chance=0.7,times=5. What may be "
      "released must be\ndecided before the first release; how each is asked for may depend on earlier "
      "answers.\n");
}

const char *mu_warning(double mu) {
  return mu > 6 ? "a mu above 6 promises almost nothing: a test at level 0.05 may find the truth in 99.999 % "
                  "of cases"
                : "";
}

/* One field of a release; what has been said decides its kind. */
typedef struct fields {
  bool mu, pair, sampled, sampling;
} fields;

static int set_field(tacit_bundled *p, fields *f, const char *name, const char *value) {
  double number = 0;
  if (!strcmp(name, "sampling")) {
    f->sampling = true;
    p->sampling = !strcmp(value, "fixed") ? TACIT_SAMPLING_FIXED : TACIT_SAMPLING_POISSON;
    if (!strcmp(value, "fixed") || !strcmp(value, "poisson")) return -1;
    return usage_error("sampling is poisson or fixed");
  }
  if (!parse_number(value, &number)) return usage_error("%s of a release needs a number", name);
  const struct {
    const char *name;
    double *to;
    bool *said;
  } known[] = {{"mu", &p->mu, &f->mu},
               {"epsilon", &p->epsilon, &f->pair},
               {"delta", &p->delta, &f->pair},
               {"response", &p->epsilon, &f->pair},
               {"sigma", &p->sigma, &f->sampled},
               {"rate", &p->rate, &f->sampled},
               {"chance", &p->chance, NULL}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(name, known[i].name) != 0) continue;
    *known[i].to = number;
    if (known[i].said) *known[i].said = true;
    return -1;
  }
  if (strcmp(name, "times") != 0) return usage_error("no field \"%s\" of a release; see --help", name);
  if (!(number >= 1 && number <= 1e8 && number == (double)(uint64_t)number))
    return usage_error("times must be a whole number from 1 to 100000000");
  p->times = (uint64_t)number;
  return -1;
}

static int set_kind(tacit_bundled *p, const fields *f) {
  if (f->mu + f->pair + f->sampled != 1)
    return usage_error("a release says one of mu, epsilon (with delta), response, and sigma with rate");
  if (f->sampled && !f->sampling)
    return usage_error("say sampling=poisson or sampling=fixed: they do not cost the same");
  p->kind = f->mu ? TACIT_BUNDLED_GAUSSIAN : f->pair ? TACIT_BUNDLED_PAIR : TACIT_BUNDLED_SAMPLED;
  return -1;
}

static int full(void) {
  return usage_error("at most %d releases can be listed: use times for those alike", (int)RELEASES_MAX);
}

/* One alternative, in a text of its own, which is cut up. */
static int add_one(releases *to, char *text, bool alternative) {
  if (to->count == RELEASES_MAX) return full();
  tacit_bundled *p = &to->list[to->count];
  fields f = {false};
  tacit_bundled_init(p, TACIT_BUNDLED_GAUSSIAN);
  p->alternative = alternative;
  char *rest = NULL;
  for (char *field = strtok_r(text, ",", &rest); field; field = strtok_r(NULL, ",", &rest)) {
    char *equals = strchr(field, '=');
    if (!equals) return usage_error("a release is name=value,...: \"%s\" has no =", field);
    *equals = 0;
    int code = set_field(p, &f, field, equals + 1);
    if (code >= 0) return code;
  }
  int code = set_kind(p, &f);
  if (code >= 0) return code;
  to->count++;
  return -1;
}

int releases_add(releases *to, const char *text) {
  enum { LONGEST = 1000 };
  char copy[LONGEST];
  if (strlen(text) >= LONGEST) return usage_error("a release's text is too long");
  snprintf(copy, sizeof copy, "%s", text);
  size_t first = to->count;
  char *at = copy;
  while (at) {
    char *slash = strchr(at, '/');
    if (slash) *slash = 0;
    int code = add_one(to, at, to->count > first);
    if (code >= 0) return code;
    at = slash ? slash + 1 : NULL;
  }
  /* a mixture is made as often as any of its parts says */
  for (size_t i = to->count - 1; i > first; i--)
    if (to->list[i - 1].times < to->list[i].times) to->list[i - 1].times = to->list[i].times;
  return -1;
}

int releases_add_gaussian(releases *to, double mu) {
  if (to->count == RELEASES_MAX) return full();
  tacit_bundled_init(&to->list[to->count], TACIT_BUNDLED_GAUSSIAN);
  to->list[to->count++].mu = mu;
  return -1;
}

int releases_from(releases *to, const pairs *texts) {
  for (size_t i = 0; i < texts->count; i++) {
    int code = releases_add(to, texts->text[i]);
    if (code >= 0) return code;
  }
  return -1;
}

bool releases_gaussian(const releases *r) {
  for (size_t i = 0; i < r->count; i++)
    if (r->list[i].kind != TACIT_BUNDLED_GAUSSIAN || r->list[i].chance < 1) return false;
  return true;
}
