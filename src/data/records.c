/* Keeps records as bytes: a cell is its length and its text, or a number. They are about as long as the table
   itself, and wiped in the end. */
#include "data/records.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1 << 12, BLOCK = 1 << 20, LONGEST = 10 }; /* bytes of a block, and of a length */
static const size_t NUMBER = 0, NOTHING = 1, TEXT = 2;         /* a text of n bytes is TEXT + n */

typedef struct tacit_records_block {
  struct tacit_records_block *next;
  size_t length, capacity;
  unsigned char bytes[];
} block;

static size_t room_for(const tacit_source *source, const tacit_cell *cells) {
  size_t bytes = 2 * LONGEST + (source->text.raw ? source->text.raw_length : 0);
  for (size_t j = 0; j < source->columns; j++)
    bytes += LONGEST + (cells[j].text ? cells[j].length : sizeof cells[j].number);
  return bytes;
}

static block *add_block(tacit_records *records, size_t needed) {
  size_t capacity = records->last ? 2 * records->last->capacity : FIRST_BLOCK;
  if (capacity > BLOCK) capacity = BLOCK;
  if (capacity < needed) capacity = needed;
  block *made = tacit_alloc(1, sizeof *made + capacity);
  if (!made) return NULL;
  tacit_undump(made, sizeof *made + capacity);
  made->capacity = capacity;
  if (records->last)
    records->last->next = made;
  else
    records->first = made;
  records->last = made;
  return made;
}

/* Seven bits a byte, the last one below 128. */
static void put_length(block *b, size_t n) {
  for (; n >= 128; n >>= 7) b->bytes[b->length++] = (unsigned char)(n | 128);
  b->bytes[b->length++] = (unsigned char)n;
}

static void put_bytes(block *b, const void *from, size_t length) {
  if (length) memcpy(b->bytes + b->length, from, length);
  b->length += length;
}

static void put_text(block *b, const char *text, size_t length) {
  put_length(b, text ? TEXT + length : NOTHING);
  if (text) put_bytes(b, text, length);
}

tacit_status tacit_records_keep(tacit_records *records, const tacit_source *source, const tacit_cell *cells,
                                tacit_error *error) {
  size_t needed = room_for(source, cells);
  block *b = records->last;
  if (!b || b->capacity - b->length < needed) b = add_block(records, needed);
  if (!b) return tacit_no_memory(error);
  records->columns = source->columns;
  put_length(b, source->record); /* a condition may have left some out */
  put_text(b, records->texts ? source->text.raw : NULL, source->text.raw_length);
  for (size_t j = 0; j < source->columns; j++) {
    if (cells[j].text) {
      put_text(b, cells[j].text, cells[j].length);
    } else {
      put_length(b, NUMBER);
      put_bytes(b, &cells[j].number, sizeof cells[j].number);
    }
  }
  return TACIT_OK;
}

static size_t get_length(tacit_records *records) {
  const unsigned char *bytes = records->reading->bytes;
  size_t n = 0;
  for (int shift = 0;; shift += 7) {
    unsigned char byte = bytes[records->at++];
    n |= (size_t)(byte & 127) << shift;
    if (byte < 128) return n;
  }
}

static tacit_cell get_cell(tacit_records *records) {
  tacit_cell cell = {0};
  size_t n = get_length(records);
  const unsigned char *at = records->reading->bytes + records->at;
  if (n == NUMBER) memcpy(&cell.number, at, sizeof cell.number);
  if (n >= TEXT) cell = (tacit_cell){.text = (const char *)at, .length = n - TEXT};
  records->at += n == NUMBER ? sizeof cell.number : cell.length;
  return cell;
}

bool tacit_records_next(tacit_records *records, tacit_source *source, tacit_cell *cells) {
  if (!records->reading) records->reading = records->first;
  if (records->reading && records->at == records->reading->length && records->reading->next) {
    records->reading = records->reading->next;
    records->at = 0;
  }
  source->text.raw = NULL;
  source->text.raw_length = 0;
  if (!records->reading || records->at == records->reading->length) return false;
  source->record = get_length(records);
  const tacit_cell raw = get_cell(records);
  for (size_t j = 0; j < records->columns; j++) cells[j] = get_cell(records);
  source->text.raw = raw.text;
  source->text.raw_length = raw.length;
  return true;
}

void tacit_records_close(tacit_records *records) {
  for (block *b = records->first, *next; b; b = next) {
    next = b->next;
    tacit_free_wiped(b, sizeof *b + b->capacity);
  }
  *records = (tacit_records){0};
}
