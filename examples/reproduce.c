/* How a researcher asks for a published table beside what comes out here: link with -ltacit-papers -ltacit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/papers.h>

/* The place of a column of numbers. */
static size_t column(const tacit_report *report, const char *name) {
  size_t k = 0;
  while (k < report->numbers && strcmp(report->columns[report->texts + k], name) != 0) k++;
  return k;
}

int main(void) {
  tacit_reproduce_options options;
  tacit_reproduce_options_init(&options);
  options.repetitions = 3; /* the paper has 300 */

  tacit_error error;
  tacit_report *report;
  if (tacit_reproduce("zhao-table1", &options, NULL, &report, &error) != TACIT_OK) {
    fprintf(stderr, "%s\n", error.text);
    return EXIT_FAILURE;
  }
  size_t mu = column(report, "mu"), paper = column(report, "paper"), theirs = column(report, "as_published"),
         tacit = column(report, "tacit");
  bool good = report->rows == 36;
  for (size_t i = 0; i < report->rows; i++) {
    const double *row = report->number + i * report->numbers;
    if (isnan(row[mu])) continue; /* without privacy */
    printf("%-22s mu %.1f: paper %.3f, as published %.4f, tacit %.4f\n", report->text[i], row[mu], row[paper],
           row[theirs], row[tacit]);
    good = good && row[tacit] > 0 && row[theirs] > 0;
  }
  tacit_report_free(report);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
