/* The types of Arrow's Schema.fbs by their numbers there. */
#include "source/ipc_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Fields of a Field. */
enum { TYPE_KIND = 2, TYPE = 3 };
/* The union Type. */
enum {
  T_NULL = 1,
  T_INT,
  T_FLOAT,
  T_BINARY,
  T_UTF8,
  T_BOOL,
  T_DECIMAL,
  T_DATE,
  T_TIME,
  T_TIMESTAMP,
  T_INTERVAL,
  T_LIST,
  T_STRUCT,
  T_UNION,
  T_FIXED_BINARY,
  T_FIXED_LIST,
  T_MAP,
  T_DURATION,
  T_LARGE_BINARY,
  T_LARGE_UTF8,
  T_LARGE_LIST,
  T_RUNS,
  T_BINARY_VIEW,
  T_UTF8_VIEW,
  T_LIST_VIEW,
  T_LARGE_LIST_VIEW
};

static const char *integer(tacit_flat_table type) {
  bool is_signed = tacit_flat_number(type, 1, 1, 0) != 0;
  switch (tacit_flat_number(type, 0, 4, 0)) {
  case 8:
    return is_signed ? "c" : "C";
  case 16:
    return is_signed ? "s" : "S";
  case 32:
    return is_signed ? "i" : "I";
  case 64:
    return is_signed ? "l" : "L";
  default:
    return "";
  }
}

static const char *one_of(const char *const *names, size_t count, int64_t which) {
  return which >= 0 && which < (int64_t)count ? names[which] : "";
}

static void decimal(tacit_flat_table type, char *format) {
  int64_t bits = tacit_flat_number(type, 2, 4, 128);
  snprintf(format, TACIT_IPC_FORMAT, "d:%" PRId64 ",%" PRId64 ",%" PRId64, tacit_flat_number(type, 0, 4, 0),
           tacit_flat_number(type, 1, 4, 0), bits);
}

static void timestamp(tacit_flat_table type, char *format) {
  static const char *const UNITS[] = {"tss:", "tsm:", "tsu:", "tsn:"};
  const char *unit = one_of(UNITS, 4, tacit_flat_number(type, 0, 2, 0));
  size_t length;
  const char *zone = tacit_flat_text(type, 1, &length);
  /* that there is a zone is all that is asked of it */
  snprintf(format, TACIT_IPC_FORMAT, "%s%s", unit, *unit && zone && length ? "zone" : "");
}

void tacit_ipc_index_format(tacit_flat_table encoding, char format[TACIT_IPC_FORMAT]) {
  tacit_flat_table type = tacit_flat_child(encoding, 1);
  snprintf(format, TACIT_IPC_FORMAT, "%s", type.flat ? integer(type) : "i");
}

void tacit_ipc_format(tacit_flat_table field, char format[TACIT_IPC_FORMAT]) {
  static const char *const FLOATS[] = {"e", "f", "g"}, *const DATES[] = {"tdD", "tdm"};
  tacit_flat_table type = tacit_flat_child(field, TYPE);
  const char *plain = "";
  *format = 0;
  switch (tacit_flat_number(field, TYPE_KIND, 1, 0)) {
  case T_NULL:
    plain = "n";
    break;
  case T_INT:
    plain = integer(type);
    break;
  case T_FLOAT:
    plain = one_of(FLOATS, 3, tacit_flat_number(type, 0, 2, 0));
    break;
  case T_BOOL:
    plain = "b";
    break;
  case T_UTF8:
    plain = "u";
    break;
  case T_LARGE_UTF8:
    plain = "U";
    break;
  case T_UTF8_VIEW:
    plain = "vu";
    break;
  case T_DATE:
    plain = one_of(DATES, 2, tacit_flat_number(type, 0, 2, 1));
    break;
  case T_DECIMAL:
    decimal(type, format);
    return;
  case T_TIMESTAMP:
    timestamp(type, format);
    return;
  default: /* times of day, lists, structures, bytes */
    return;
  }
  snprintf(format, TACIT_IPC_FORMAT, "%s", plain);
}

int tacit_ipc_buffers(tacit_flat_table field, bool old_unions, bool *views) {
  int64_t kind = tacit_flat_number(field, TYPE_KIND, 1, 0);
  *views = kind == T_BINARY_VIEW || kind == T_UTF8_VIEW;
  switch (kind) {
  case T_NULL:
  case T_RUNS:
    return 0;
  case T_STRUCT:
  case T_FIXED_LIST:
    return 1;
  case T_UNION: /* sparse or dense */
    return 1 + (tacit_flat_number(tacit_flat_child(field, TYPE), 0, 2, 0) == 1) + old_unions;
  case T_BINARY:
  case T_UTF8:
  case T_LARGE_BINARY:
  case T_LARGE_UTF8:
  case T_LIST_VIEW:
  case T_LARGE_LIST_VIEW:
    return 3;
  default:
    return kind > T_NULL && kind <= T_LARGE_LIST_VIEW ? 2 : -1;
  }
}
