/* Status and error text, checked allocation, wiping, and the caller's progress and cancel functions. */
#include "base/base.h"

#include <omp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *tacit_version(void) {
  return TACIT_VERSION;
}

void tacit_context_init(tacit_context *context) {
  *context = (tacit_context){.threads = 0};
}

tacit_status(tacit_fail)(tacit_error *error, tacit_status status, const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return status;
}

void *tacit_alloc(size_t count, size_t size) {
  return calloc(count ? count : 1, size ? size : 1);
}

void tacit_undump(void *memory, size_t bytes) {
  /* each mark may split a mapping, of which a process has some ten thousands; a mark outlives free() */
  enum { PAGE = 4096, MARKS_MAX = 8192 };
  static atomic_int marks;
  uintptr_t from = ((uintptr_t)memory + PAGE - 1) / PAGE * PAGE,
            to = ((uintptr_t)memory + bytes) / PAGE * PAGE;
  if (to > from && atomic_fetch_add(&marks, 1) < MARKS_MAX)
    (void)madvise((char *)memory + (from - (uintptr_t)memory), to - from, MADV_DONTDUMP);
}

void *tacit_alloc_aligned(size_t count, size_t size) {
  enum { LINE = 64, PAGE = 4096 };
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - PAGE) return NULL;
  size_t unit = bytes >= PAGE ? PAGE : LINE;
  bytes = bytes ? (bytes + unit - 1) / unit * unit : unit;
  void *memory = aligned_alloc(unit, bytes);
  if (!memory) return NULL;
  if (unit == PAGE) tacit_undump(memory, bytes);
  memset(memory, 0, bytes);
  return memory;
}

/* A large page holds many small ones, and needs memory on its own boundary: room for that is asked for and
   what lies outside is given back. */
enum { LARGE_PAGE = 1 << 21, SMALL_PAGE = 4096 };

static size_t round_up(size_t bytes) {
  size_t page = bytes < LARGE_PAGE ? SMALL_PAGE : LARGE_PAGE;
  return (bytes + page - 1) / page * page;
}

void *tacit_alloc_rows(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes == 0 || bytes > SIZE_MAX / 2) return NULL;
  bytes = round_up(bytes);
  size_t spare = bytes < LARGE_PAGE ? 0 : LARGE_PAGE;
  char *memory = mmap(NULL, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  if (spare) {
    size_t before = (LARGE_PAGE - (uintptr_t)memory % LARGE_PAGE) % LARGE_PAGE;
    if (before) (void)munmap(memory, before);
    if (spare > before) (void)munmap(memory + before + bytes, spare - before);
    memory += before;
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
  }
  (void)madvise(memory, bytes, MADV_DONTDUMP);
  return memory;
}

void tacit_free_rows(void *memory, size_t bytes) {
  if (memory) (void)munmap(memory, round_up(bytes));
}

void *tacit_grow(void *items, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity && items) return items;
  size_t larger = *capacity < 16 ? 16 : *capacity * 2;
  if (larger < needed) larger = needed;
  size_t bytes;
  if (__builtin_mul_overflow(larger, size, &bytes)) return NULL;
  void *memory = realloc(items, bytes);
  if (memory) *capacity = larger;
  return memory;
}

char *tacit_copy_text(const char *text, size_t length) {
  char *copy = tacit_alloc(length + 1, 1);
  if (copy && length) memcpy(copy, text, length);
  return copy;
}

/* One character of UTF-8 at p, and its length; a byte that begins none is taken as it is. */
static unsigned character_at(const char *p, size_t left, size_t *length) {
  const unsigned char *b = (const unsigned char *)p;
  size_t more = b[0] >= 0xf0 ? 3 : b[0] >= 0xe0 ? 2 : b[0] >= 0xc0 ? 1 : 0;
  unsigned c = more == 3 ? b[0] & 7u : more == 2 ? b[0] & 15u : more ? b[0] & 31u : b[0];
  *length = 1;
  if (more >= left) return b[0];
  for (size_t i = 1; i <= more; i++) c = c << 6 | (b[i] & 63u);
  *length = more + 1;
  return c;
}

bool tacit_has_control(const char *text, size_t length) {
  static const unsigned RANGES[][2] = {{0x00, 0x1f},      {0x7f, 0x9f},     {0xad, 0xad},
                                       {0x200b, 0x200b},  {0x200e, 0x200f}, {0x2028, 0x202e},
                                       {0x2060, 0x206f},  {0xfeff, 0xfeff}, {0xfff9, 0xfffb},
                                       {0xe0000, 0xe007f}}; /* controls, zero widths, directions, tags */
  for (size_t i = 0, step; i < length; i += step) {
    unsigned c = character_at(text + i, length - i, &step);
    for (size_t k = 0; k < sizeof RANGES / sizeof *RANGES; k++)
      if (c >= RANGES[k][0] && c <= RANGES[k][1]) return true;
  }
  return false;
}

void tacit_wipe(void *memory, size_t bytes) {
  if (memory && bytes) explicit_bzero(memory, bytes);
}

void tacit_free_wiped(void *memory, size_t bytes) {
  tacit_wipe(memory, bytes);
  free(memory);
}

void *tacit_grow_wiped(void *memory, size_t from, size_t to, size_t size) {
  void *made = tacit_alloc(to, size);
  if (!made) return NULL;
  if (from) memcpy(made, memory, from * size);
  tacit_free_wiped(memory, from * size);
  return made;
}

tacit_status tacit_progress(const tacit_context *context, const char *what, double fraction,
                            tacit_error *error) {
  if (!context) return TACIT_OK;
  if (context->cancelled && context->cancelled(context->user))
    return tacit_fail(error, TACIT_CANCELLED, "stopped on request; nothing was released");
  if (context->progress) context->progress(context->user, what, fraction);
  return TACIT_OK;
}

void tacit_free(void *memory) {
  free(memory);
}

/* A forked child has none of its parent's threads, and OpenMP would wait for them for ever. */
static bool is_forked(void) {
  static _Atomic pid_t first; /* the process that asked first */
  pid_t none = 0, own = getpid();
  return !atomic_compare_exchange_strong(&first, &none, own) && none != own;
}

int tacit_threads(const tacit_context *context) {
  if (is_forked()) return 1;
  return context && context->threads > 0 ? context->threads : omp_get_max_threads();
}

int tacit_threads_for(const tacit_context *context, size_t cells) {
  enum { SMALL = 1 << 19 }; /* a tenth of a millisecond */
  return !(context && context->threads > 0) && cells < SMALL ? 1 : tacit_threads(context);
}

int tacit_thread(void) {
  return omp_get_thread_num();
}
