/* What the commands share: errors, progress on a terminal, Ctrl-C, and JSON. */
#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;
static struct timespec started;
static bool shown;

static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

static bool was_interrupted(void *user) {
  (void)user;
  return interrupted != 0;
}

static void show_progress(void *user, const char *what, double fraction) {
  (void)user;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (difftime(now.tv_sec, started.tv_sec) < 2) return;
  fprintf(stderr, "\r%s %3.0f %% ", what, 100 * fraction);
  shown = true;
}

void progress_done(void) {
  if (shown) fputs("\r\033[K", stderr);
  shown = false;
}

void cli_context(tacit_context *context, size_t threads) {
  tacit_context_init(context);
  context->threads = threads > 1024 ? 1024 : (int)threads;
  context->cancelled = was_interrupted;
  if (isatty(STDERR_FILENO)) context->progress = show_progress;
  clock_gettime(CLOCK_MONOTONIC, &started);
  struct sigaction action = {.sa_handler = on_interrupt};
  sigaction(SIGINT, &action, NULL);
}

/* The library speaks of options; here they are flags. */
const char *flags_for(const char *text) {
  static const struct {
    const char *said, *flags;
  } ALL[] = {
      {"looks separated by semicolons",
       ": add --separator ';' (and --decimal ',' if numbers are written 3,5)"},
      {"looks separated by tabs", ": add --separator tab (and --decimal ',' if numbers are written 3,5)"},
      {"looks separated by bars", ": add --separator '|' (and --decimal ',' if numbers are written 3,5)"},
      {"looks separated by commas", ": add --separator , or, where you gave another, leave that out"},
      {"looks like a decimal comma", ": add --decimal ','"},
      {"other dates need the format that they have",
       ": --format %d.%m.%Y, or --schema S.json where it is said"},
  };
  for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
    if (strstr(text, ALL[i].said)) return ALL[i].flags;
  return "";
}

int fail(tacit_status status, const tacit_error *error) {
  progress_done();
  fprintf(stderr, "tacit: %s%s\n", error->text, flags_for(error->text));
  return status == TACIT_CANCELLED ? 130 : (int)status; /* 130: ended by Ctrl-C, as shells say it */
}

int usage_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("tacit: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return TACIT_USAGE;
}

int flushed(int exit_code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return exit_code;
  /* a reader that has seen enough, such as head, is no news */
  if (errno != EPIPE) fputs("tacit: the output could not be written\n", stderr);
  return TACIT_INTERNAL;
}

void print_wrapped(const char *text) {
  enum { WIDTH = 100 };
  while (*text) {
    size_t length = strlen(text), line = length;
    if (length > WIDTH)
      for (line = WIDTH; line > 0 && text[line] != ' '; line--) {
      }
    if (line == 0) line = strcspn(text, " ");
    printf("%.*s\n", (int)line, text);
    text += line;
    text += strspn(text, " ");
  }
}

int print_json(json_t *json) {
  if (!json) {
    fputs("tacit: not enough memory\n", stderr);
    return TACIT_INTERNAL;
  }
  json_dumpf(json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  putchar('\n');
  json_decref(json);
  return flushed(0);
}

int padded(int width, const char *text) {
  for (; *text; text++) width += (*text & 0xC0) == 0x80; /* it goes on from the byte before */
  return width;
}
