/* Any bytes as an Arrow array of views, decimals or times: what comes out lies within them. */
#include "fuzz/target.h"
#include "source/arrow_column.h"

#include <string.h>

static void views(const uint8_t *data, size_t size) {
  enum { VIEW = 16 };
  size_t count = size / 2 / VIEW, rest = size - count * VIEW;
  const char *text = (const char *)data + count * VIEW;
  const int64_t sizes[] = {(int64_t)rest};
  const void *buffers[] = {NULL, data, text, sizes};
  const struct ArrowArray array = {.length = (int64_t)count, .n_buffers = 4, .buffers = buffers};
  const struct ArrowSchema of_views = {.format = "vu"};
  tacit_arrow_column column = tacit_arrow_column_of(&of_views, 0);
  for (size_t i = 0; i < count; i++) {
    tacit_cell cell;
    if (!tacit_arrow_cell(&column, &array, (int64_t)i, &cell)) continue;
    const char *begin = (const char *)data;
    MUST(cell.text >= begin && cell.length <= size && cell.text + cell.length <= begin + size);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const FORMATS[] = {
      "d:9,2,32", "d:18,-70,64", "d:38,38", "d:76,76,256", "d:76,-76,256", "tdD",
      "tdm",      "tss:",        "tsm:UTC", "tsu:",        "tsn:x"};
  int64_t entry[4] = {0};
  char text[TACIT_ARROW_SIZE];
  char format[24] = "";
  views(data, size);
  memcpy(entry, data, size < sizeof entry ? size : sizeof entry);
  for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
    const tacit_arrow_spelling spelling = tacit_arrow_spelling_of(FORMATS[i]);
    if (spelling.kind == TACIT_SPELL_NOT) continue;
    MUST(tacit_arrow_spell(&spelling, entry, 0, text).length < TACIT_ARROW_SIZE);
  }
  memcpy(format, data, size < sizeof format - 1 ? size : sizeof format - 1);
  const tacit_arrow_spelling any = tacit_arrow_spelling_of(format);
  MUST(any.kind == TACIT_SPELL_NOT || any.width <= (int)sizeof entry);
  return 0;
}
