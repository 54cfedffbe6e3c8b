/* Finds the messages of an Arrow file or stream. A message is four bytes of ones, its length, its table and
   its body; a file has a list of them at its end, between two of its marks. */
#include "source/ipc_message.h"

#include "base/base.h"
#include "source/ipc_schema.h"

#include <string.h>

static const char MARK[] = "ARROW1";
static const char ONES[] = "\xFF\xFF\xFF\xFF";

enum { PREFIX = 8, NUMBER = 4, MARK_SIZE = 6, BEGIN = 8, BLOCK = 24 };
enum { VERSION, KIND, HEADER, BODY };       /* of a Message */
enum { F_VERSION, SCHEMA, WORDS, BATCHES }; /* of a Footer */

bool tacit_ipc_is_file(const char *head, size_t length) {
  return length >= MARK_SIZE && !memcmp(head, MARK, MARK_SIZE);
}

bool tacit_ipc_is_stream(const char *head, size_t length) {
  return length >= NUMBER && !memcmp(head, ONES, NUMBER);
}

static tacit_status not_finished(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the Arrow file or stream has no end mark: it was cut off, or the program that writes it "
                    "has not closed it yet");
}

tacit_status tacit_ipc_message_at(const unsigned char *bytes, size_t size, size_t at, tacit_ipc_message *m,
                                  tacit_error *error) {
  *m = (tacit_ipc_message){0};
  if (at > size || size - at < PREFIX) return not_finished(error);
  if (memcmp(bytes + at, ONES, NUMBER) != 0) return tacit_ipc_damaged(error);
  int64_t length = tacit_flat_load(bytes + at + NUMBER, NUMBER);
  at += PREFIX;
  if (length == 0) {
    m->kind = TACIT_IPC_END;
    return TACIT_OK;
  }
  if (length < 0 || (uint64_t)length > size - at) return tacit_ipc_damaged(error);
  m->flat = (tacit_flat){.bytes = bytes + at, .size = (size_t)length};
  at += (size_t)length;
  tacit_flat_table root = tacit_flat_root(&m->flat);
  m->version = tacit_flat_number(root, VERSION, 2, 0);
  m->kind = tacit_flat_number(root, KIND, 1, 0);
  m->header = tacit_flat_child(root, HEADER);
  int64_t body = tacit_flat_number(root, BODY, 8, 0);
  if (m->flat.broken || !m->header.flat || body < 0 || (uint64_t)body > size - at)
    return tacit_ipc_damaged(error);
  if (m->kind != TACIT_IPC_SCHEMA && m->kind != TACIT_IPC_WORDS && m->kind != TACIT_IPC_BATCH)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the Arrow file holds a tensor, or something else that is no table; write a table");
  m->body = bytes + at;
  m->body_size = (size_t)body;
  m->end = at + (size_t)body;
  return TACIT_OK;
}

tacit_status tacit_ipc_footer_of(const unsigned char *bytes, size_t size, tacit_ipc_footer *footer,
                                 tacit_error *error) {
  *footer = (tacit_ipc_footer){0};
  if (size < BEGIN + NUMBER + MARK_SIZE || memcmp(bytes + size - MARK_SIZE, MARK, MARK_SIZE) != 0)
    return not_finished(error);
  size_t end = size - MARK_SIZE - NUMBER;
  int64_t length = tacit_flat_load(bytes + end, NUMBER);
  if (length <= 0 || (uint64_t)length > end - BEGIN) return tacit_ipc_damaged(error);
  footer->flat = (tacit_flat){.bytes = bytes + end - length, .size = (size_t)length};
  tacit_flat_table root = tacit_flat_root(&footer->flat);
  footer->version = tacit_flat_number(root, F_VERSION, 2, 0);
  footer->schema = tacit_flat_child(root, SCHEMA);
  footer->words = tacit_flat_list(root, WORDS, BLOCK);
  footer->batches = tacit_flat_list(root, BATCHES, BLOCK);
  return footer->flat.broken ? tacit_ipc_damaged(error) : TACIT_OK;
}

tacit_status tacit_ipc_block_at(const unsigned char *bytes, size_t size, tacit_flat_vector blocks, size_t i,
                                tacit_ipc_message *m, tacit_error *error) {
  int64_t at = tacit_flat_part(blocks, i, 0);
  if (at < 0 || (uint64_t)at > size) return tacit_ipc_damaged(error);
  tacit_status status = tacit_ipc_message_at(bytes, size, (size_t)at, m, error);
  return status == TACIT_OK && m->kind == TACIT_IPC_END ? tacit_ipc_damaged(error) : status;
}
