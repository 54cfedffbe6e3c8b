/* Any bytes as a compressed file, and then as a table in each form: nothing but an error comes of bad ones.
 */
#include "source/unpack.h"
#include "fuzz/target.h"
#include "source/csv.h"

#include <stdlib.h>

static void read_all(const char *data, size_t size, const tacit_csv_form *form) {
  enum { MOST = 1 << 16 }; /* records: a few bytes unpack to as many as one likes */
  tacit_bytes *bytes;
  tacit_source *source = NULL;
  tacit_error error = {""};
  MUST(tacit_bytes_text(data, size, &bytes, &error) == TACIT_OK);
  if (tacit_bytes_unpack(&bytes, &error) != TACIT_OK) {
    MUST(!bytes && error.text[0]);
    return;
  }
  if (tacit_csv_over_as(bytes, 1 + size % 61, form, &source, &error) != TACIT_OK) {
    MUST(!source && error.text[0]);
    return;
  }
  tacit_cell *cells = calloc(source->columns, sizeof *cells);
  bool more = cells != NULL;
  for (int i = 0; more && i < MOST; i++) {
    if (source->next(source, cells, &more, &error) != TACIT_OK) MUST(error.text[0] && !more);
    for (size_t j = 0; more && j < source->columns; j++) {
      double number = 0;
      if (tacit_source_read_number(source, &cells[j], &number) == TACIT_NUMBER) MUST(number - number == 0);
    }
  }
  free(cells);
  tacit_source_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const tacit_csv_form FORMS[] = {{',', '.'}, {';', ','}, {'\t', '.'}, {'|', ','}, {',', ','}};
  for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) read_all((const char *)data, size, &FORMS[i]);
  return 0;
}
