/* The papers: their methods exactly as published, their tables and figures beside what comes out here, and
   attacks on those methods. In a library of its own, libtacit-papers, beside libtacit. Nothing here is
   private but what the default learner makes. */
#ifndef TACIT_PAPERS_H
#define TACIT_PAPERS_H

#include <tacit/study.h>

TACIT_BEGIN

/* What a reproduction may be told; not every one listens to all of it. tacit_reproduce_options_init sets
   every default. */
typedef struct tacit_reproduce_options {
  size_t repetitions; /* 0: the paper's, or the study's own number */
  uint64_t seed;      /* the same seed gives the same figures; 1 */
  const char *data;   /* folder with the restaurant data, for zhao-table2 and default-restaurant */
  /* for chen-*, wang-* and spo-shortest-path: */
  size_t columns;         /* d of Chen and Chua's problems: 3 or 51; 0: the study's own */
  bool endogenous;        /* errors that depend on the features */
  const double *epsilons; /* NULL: the study's own */
  size_t epsilon_count;
  const size_t *rows; /* the numbers of rows; NULL: the study's own */
  size_t row_count;
  double delta;                  /* 0: Chen and Chua's 0.01 */
  double (*seconds)(void *user); /* a clock, which the library has not; chen-time needs it */
  void *user;                    /* the clock's */
} tacit_reproduce_options;
TACIT_API void tacit_reproduce_options_init(tacit_reproduce_options *options);

/* The reproductions by name, and what each is about; NULL after the last. zhao-*, chen-*, wang-* and
   spo-shortest-path are of the papers, default-* what the default learner is held to. Methods as published
   are run without a certificate, and the notes say so. */
TACIT_API const char *tacit_reproduction_name(size_t index);
TACIT_API const char *tacit_reproduction_about(size_t index);
/* *report is the caller's, to be given to tacit_report_free; behind it are tables with the points of the
   study's figures. TACIT_USAGE for an unknown name or an option out
   of its range, TACIT_BAD_INPUT without the data that the study needs. docs/formats/report.md says what the
   columns are. */
TACIT_API tacit_status tacit_reproduce(const char *name, const tacit_reproduce_options *options,
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
