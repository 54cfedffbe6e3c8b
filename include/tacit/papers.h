/* The papers: their methods exactly as published, their tables and figures beside what comes out here, and
   attacks on those methods. In a library of its own, libtacit-papers, beside libtacit. Nothing here is
   private but what the default learner makes. */
#ifndef TACIT_PAPERS_H
#define TACIT_PAPERS_H

#include <tacit/study.h>

TACIT_BEGIN

/* One cell of a published table. Numbers that a row does not have are NaN. */
enum { TACIT_STEP_SIZES = 4 }; /* Algorithm 1 is shown at the fixed steps 1, 2, 3 and 4 */
typedef struct tacit_study_row {
  char label[48]; /* the error distribution, or the cost b */
  double quantile;
  double mu; /* 0: without privacy */
  size_t rows, repetitions;
  double paper, paper_sd;
  double published, published_se; /* the published method at its best fixed step */
  double best_step;
  double by_step[TACIT_STEP_SIZES], by_step_se[TACIT_STEP_SIZES];
  double line_search, line_search_se; /* as published, reading the private loss: without a guarantee */
  double tacit, tacit_se;             /* tacit's default learner */
} tacit_study_row;

typedef struct tacit_study_options {
  size_t repetitions; /* 0: the paper's */
  uint64_t seed;
  const char *data; /* folder with the restaurant data, for zhao-table2 and default-restaurant */
  const char *out;  /* folder for figures' CSV and PNG files, for zhao-figures */
} tacit_study_options;

/* The reproductions, by name: zhao-table1, zhao-table2, zhao-figures, and what the default learner is held
   to: default-zhao, default-restaurant, default-chen, default-stress. NULL after the last. In the latter
   `paper` is the bar, the figure to stay below. */
TACIT_API const char *tacit_study_name(size_t index);
TACIT_API const char *tacit_study_about(size_t index);
TACIT_API void tacit_study_options_init(tacit_study_options *options);
/* *rows is the caller's, to be given to tacit_free. notes (2048 bytes) gets the assumptions behind the figures.
 */
TACIT_API tacit_status tacit_reproduce(const char *name, const tacit_study_options *options,
                                       const tacit_context *context, tacit_study_row **rows, size_t *count,
                                       char *notes, tacit_error *error) TACIT_CHECKED;

typedef struct tacit_report_options {
  size_t repetitions; /* 0: the study's own number */
  uint64_t seed;
  const char *out;        /* folder for the table as CSV and its figures; NULL: none */
  size_t columns;         /* d of C's problems: 3 or 51; 0: the study's own */
  bool endogenous;        /* errors that depend on the features */
  const double *epsilons; /* NULL: the study's own */
  size_t epsilon_count;
  const size_t *rows; /* the numbers of rows; NULL: the study's own */
  size_t row_count;
  double delta;                  /* 0: C's 0.01 */
  double (*seconds)(void *user); /* a clock, which the library has not; chen-time needs it */
  void *user;                    /* the clock's */
} tacit_report_options;
TACIT_API void tacit_report_options_init(tacit_report_options *options);

/* The studies of Chen and Chua's two papers, by name: chen-risk, chen-error, chen-time, chen-noise,
   chen-smoothing, chen-products, chen-batch, chen-output, chen-discrete; and of predict-then-optimize:
   spo-shortest-path, wang-table1, wang-figure3, wang-spo-vs-spoplus. NULL after the last. Methods as
   published are run without a certificate, and the notes say so. */
TACIT_API const char *tacit_report_name(size_t index);
TACIT_API const char *tacit_report_about(size_t index);
/* *report is the caller's, to be given to tacit_report_free. TACIT_USAGE for an unknown name or an option out
   of its range. */
TACIT_API tacit_status tacit_report_make(const char *name, const tacit_report_options *options,
                                         const tacit_context *context, tacit_report **report,
                                         tacit_error *error) TACIT_CHECKED;

/* tacit_impact beside objective perturbation as Chen and Chua's companion publishes it, simulated and as its
   Props 2 to 4 expand it; the notes say which condition of theirs fails. */
TACIT_API tacit_status tacit_impact_published(const tacit_impact_options *options,
                                              const tacit_context *context, tacit_report **report,
                                              tacit_error *error) TACIT_CHECKED;

/* The attacks of tacit_audit_learner on methods as published whose promise is broken; options->plant names
   one of these, and options->method is not looked at. */
TACIT_API const char *tacit_audit_published_name(size_t index);
TACIT_API const char *tacit_audit_published_about(size_t index);
TACIT_API tacit_status tacit_audit_published(const tacit_audit_options *options, const tacit_context *context,
                                             tacit_audit_result *result, tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
