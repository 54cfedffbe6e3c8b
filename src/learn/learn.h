/* What the learners share: the fit they fill, the public facts they start from, and their entry points. */
#ifndef TACIT_SRC_LEARN_H
#define TACIT_SRC_LEARN_H

#include "data/encode.h"
#include "loss/kernel.h"
#include "privacy/certificate.h"

#include <tacit/learn.h>

struct tacit_fit {
  size_t columns, targets;
  double *coefficients; /* targets x columns, of the encoded columns */
  tacit_certificate *certificate;
  tacit_read_counts counts;
};

/* Noisy smoothed gradient descent (Z Algorithm 1); noisy_gd.c. */
tacit_status tacit_learn_noisy_gd(const tacit_schema *schema, tacit_source *source,
                                  const tacit_learn_options *options, const tacit_context *context,
                                  tacit_fit *fit, tacit_error *error) TACIT_CHECKED;
/* erm, erm-exact, saa; baseline.c. */
tacit_status tacit_learn_baseline(const tacit_schema *schema, tacit_source *source,
                                  const tacit_learn_options *options, const tacit_context *context,
                                  tacit_fit *fit, tacit_error *error) TACIT_CHECKED;

/* The kernel an option names, Gaussian when it names none. */
tacit_status tacit_learn_kernel(const char *name, tacit_kernel *kernel, tacit_error *error) TACIT_CHECKED;
/* The bandwidth in encoded units of a target: the option's, or Z's rule for n rows. */
double tacit_learn_bandwidth(const tacit_schema *schema, size_t target, const tacit_learn_options *options,
                             double rows);

#endif
