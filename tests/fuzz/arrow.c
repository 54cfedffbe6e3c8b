/* Any bytes as an Arrow array of views, decimals or times: what comes out lies within them. */
#include "fuzz/target.h"
#include "source/arrow_values.h"

#include <string.h>

static void views(const uint8_t *data, size_t size) {
  enum { VIEW = 16 };
  size_t count = size / 2 / VIEW, rest = size - count * VIEW;
  const char *text = (const char *)data + count * VIEW;
  const int64_t sizes[] = {(int64_t)rest};
  const void *buffers[] = {NULL, data, text, sizes};
  const struct ArrowArray array = {.length = (int64_t)count, .n_buffers = 4, .buffers = buffers};
  for (size_t i = 0; i < count; i++) {
    tacit_cell cell;
    if (!tacit_arrow_view(&array, (int64_t)i, &cell)) continue;
    const char *begin = (const char *)data;
    MUST(cell.text >= begin && cell.length <= size && cell.text + cell.length <= begin + size);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const FORMATS[] = {
      "d:9,2,32", "d:18,-70,64", "d:38,38", "d:76,76,256", "d:76,-76,256", "tdD",
      "tdm",      "tss:",        "tsm:UTC", "tsu:",        "tsn:x"};
  tacit_arrow_decimal decimal;
  tacit_arrow_time time;
  int64_t entry[4] = {0};
  char text[TACIT_ARROW_TEXT];
  char format[24] = "";
  views(data, size);
  memcpy(entry, data, size < sizeof entry ? size : sizeof entry);
  for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
    size_t length = 0;
    if (tacit_arrow_decimal_of(FORMATS[i], &decimal))
      length = tacit_arrow_decimal_text(&decimal, entry, 0, text);
    else if (tacit_arrow_time_of(FORMATS[i], &time))
      length = tacit_arrow_time_text(&time, entry, 0, text);
    MUST(length < TACIT_ARROW_TEXT);
  }
  memcpy(format, data, size < sizeof format - 1 ? size : sizeof format - 1);
  if (tacit_arrow_decimal_of(format, &decimal)) MUST(decimal.bytes <= sizeof entry);
  return 0;
}
