/* Status and error text, checked allocation, wiping, and the caller's progress and cancel functions. */
#ifndef TACIT_SRC_BASE_H
#define TACIT_SRC_BASE_H

#include <tacit/base.h>

/* Writes the text (error may be NULL) and returns status, so that a refusal is one line. */
tacit_status tacit_fail(tacit_error *error, tacit_status status, const char *format, ...) TACIT_PRINTF(3, 4);
#ifdef __clang_analyzer__ /* which looks at one file and would otherwise think that a refusal may be         \
                             TACIT_OK */
#define tacit_fail(error, status, ...) ((void)tacit_fail(error, status, __VA_ARGS__), (status))
#endif

/* Zeroed memory for count items, NULL when there is none or count * size overflows. Free with free(). */
void *tacit_alloc(size_t count, size_t size);
/* The same, on a 64-byte boundary, rounded up to whole cache lines; from a page on, in whole pages that stay
   out of core dumps: for rows. */
void *tacit_alloc_aligned(size_t count, size_t size);
/* Zeroed memory for a great many rows, out of core dumps, in large pages where the system has them. It goes
   back to the system, which hands it to nobody before it is zeroed. */
void *tacit_alloc_rows(size_t count, size_t size);
void tacit_free_rows(void *memory, size_t bytes);
/* Keeps the whole pages of a block out of core dumps, where the system knows how; never fails. */
void tacit_undump(void *memory, size_t bytes);
/* items grown to hold at least needed of them; *capacity is updated. NULL leaves the old block as it was. */
void *tacit_grow(void *items, size_t *capacity, size_t needed, size_t size);
char *tacit_copy_text(const char *text, size_t length);
/* Whether a text in UTF-8 has a character that is not seen, or changes how others are: names and labels are
   for people, and must neither draw on a terminal nor hide anything. The joiners of some scripts are fine. */
bool tacit_has_control(const char *text, size_t length);
bool tacit_is_utf8(const char *text, size_t length);
/* TACIT_INTERNAL with a text, for a NULL from the functions above. */
static inline tacit_status tacit_no_memory(tacit_error *error) {
  (void)tacit_fail(error, TACIT_INTERNAL, "not enough memory; use fewer rows or a larger machine");
  return TACIT_INTERNAL;
}
/* Overwrites memory in a way the compiler may not remove; then frees it. NULL is fine. */
void tacit_wipe(void *memory, size_t bytes);
void tacit_free_wiped(void *memory, size_t bytes);
/* `to` things of this size that begin with the `from` of memory, which is then wiped and freed: realloc would
   leave them behind. The rest is 0. NULL without memory, and nothing has changed then. */
void *tacit_grow_wiped(void *memory, size_t from, size_t to, size_t size);

/* Tells the caller how far the work is; TACIT_CANCELLED when the caller wants it to end. context may be NULL.
 */
tacit_status tacit_progress(const tacit_context *context, const char *what, double fraction,
                            tacit_error *error) TACIT_CHECKED;
int tacit_threads(const tacit_context *context);
/* The same for passes over so many cells: one, unless the caller asks for more, where waking others would
   take longer than the work. */
int tacit_threads_for(const tacit_context *context, size_t cells);
/* The calling thread's number, from 0, inside a parallel region. */
int tacit_thread(void);

/* Return early with whatever status a call gave. */
#define TACIT_TRY(call)                                                                                      \
  do {                                                                                                       \
    tacit_status try_status = (call);                                                                        \
    if (try_status != TACIT_OK) return try_status;                                                           \
  } while (0)

/* A file's text, to be freed, not NUL-terminated; read_file.c. Reading stops soon after `most` bytes: a
   length above it says that there is more. TACIT_BAD_INPUT for a file that cannot be read. */
tacit_status tacit_read_file(const char *path, size_t most, char **text, size_t *length,
                             tacit_error *error) TACIT_CHECKED;

#endif
