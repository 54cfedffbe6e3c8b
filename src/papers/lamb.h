/* The restaurant data of Zhao, Zhou and Wang's section 6.2: lamb with the paper's features, read from the two
 * public files. */
#ifndef TACIT_SRC_PAPERS_LAMB_H
#define TACIT_SRC_PAPERS_LAMB_H

#include "data/sample.h"

enum {
  TACIT_LAMB_FEATURES = 5,                      /* holiday, demand 7 and 14 days before, rain, temperature */
  TACIT_LAMB_COLUMNS = TACIT_LAMB_FEATURES + 1, /* with the target as a column, or with the intercept */
  TACIT_LAMB_DROPPED = 14                       /* days without a demand 14 days before */
};

typedef struct tacit_lamb {
  size_t rows;
  double *column[TACIT_LAMB_COLUMNS]; /* the features and the demand, in their own units */
  tacit_schema *schema;               /* the paper's columns as plain bounded ones */
  tacit_sample *encoded;              /* the rows as that schema encodes them */
} tacit_lamb;

extern const char *const tacit_lamb_names[TACIT_LAMB_COLUMNS];

/* folder holds yaz_data.csv and yaz_target.csv, or a folder `restaurant` that does. TACIT_BAD_INPUT, with
   what to do, when it does not. Give it back with tacit_lamb_free, also after an error. */
tacit_status tacit_lamb_read(const char *folder, tacit_lamb *lamb, tacit_error *error) TACIT_CHECKED;
void tacit_lamb_free(tacit_lamb *lamb);

/* One column of one of the files; *values is the caller's, also after an error. levels, ended by NULL, are
   the texts of a column of categories, of which it gets the places; NULL for a column of numbers. */
tacit_status tacit_lamb_column(const char *folder, const char *file, const char *name,
                               const char *const *levels, double **values, size_t *rows,
                               tacit_error *error) TACIT_CHECKED;

#endif
