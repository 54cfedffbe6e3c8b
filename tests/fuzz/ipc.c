/* Any bytes as an Arrow file or stream: what comes out lies in memory, and nothing but an error comes of bad
   ones. */
#include "source/ipc.h"
#include "fuzz/target.h"

#include <stdlib.h>

/* All bytes of a text are looked at, so that a sanitizer sees where they lie. */
static unsigned look_at(const tacit_cell *cell) {
  unsigned sum = 0;
  for (size_t i = 0; cell->text && i < cell->length; i++) sum += (unsigned char)cell->text[i];
  return sum;
}

static void read_all(const char *data, size_t size, bool one_column) {
  enum { MOST = 4096 }; /* records, and bytes of text in a record: views may name one text very often */
  tacit_bytes *bytes;
  tacit_source *source = NULL;
  tacit_error error = {""};
  static volatile unsigned seen;
  MUST(tacit_bytes_text(data, size, &bytes, &error) == TACIT_OK);
  if (tacit_source_ipc(bytes, &source, &error) != TACIT_OK) {
    MUST(!source && error.text[0]);
    return;
  }
  MUST(source->columns > 0);
  size_t place;
  if (one_column)
    MUST(tacit_source_find(source, source->names[size % source->columns], &place, NULL) == TACIT_OK);
  tacit_cell *cells = calloc(source->columns, sizeof *cells);
  bool more = cells != NULL;
  for (int i = 0; more && i < MOST; i++) {
    if (i % 3 == 0 && source->batch.bring(source, &error) != TACIT_OK) MUST(error.text[0]);
    if (source->next(source, cells, &more, &error) != TACIT_OK) MUST(error.text[0] && !more);
    for (size_t j = 0; more && j < source->columns; j++) seen += look_at(&cells[j]);
  }
  free(cells);
  tacit_source_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_all((const char *)data, size, false);
  read_all((const char *)data, size, true);
  return 0;
}
