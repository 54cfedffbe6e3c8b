/* The ledger that pays for a release: where it is, and the payment that a learner makes from it. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Puts the name of a folder on the disk, in the folder that it is in. One that was there before in a folder
   that may not be read, such as /home, is somebody else's to see to; so is one on a disk that is not written,
   or that knows no such thing. */
static bool sync_name(char *path, bool made) {
  char *last = strrchr(path, '/');
  *last = 0;
  int parent = open(*path ? path : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), why = errno;
  *last = '/';
  if (parent < 0) {
    errno = why;
    return !made && why == EACCES;
  }
  bool done = fsync(parent) == 0 || errno == EINVAL || (!made && errno == EROFS);
  why = errno;
  close(parent);
  errno = why;
  return done;
}

/* Makes the folders of a path that are missing, for the owner alone, and puts the names of all on the disk:
   whoever made one may not have come to that. */
static bool make_folders(char *path) {
  bool good = true;
  for (char *slash = strchr(path + 1, '/'); slash && good; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool made = mkdir(path, 0700) == 0;
    good = (made || errno == EEXIST) && sync_name(path, made);
    *slash = '/';
  }
  return good;
}

const char *rows_kind(const tacit_unit *unit) {
  return unit->result_rows  ? " of a query's result"
         : unit->change > 0 ? " (their targets alone, by a limited change)"
         : unit->targets    ? " (their targets alone)"
                            : "";
}

char *own_ledger(bool make) {
  /* the XDG base directory specification: relative paths are to be ignored */
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  bool given = state && state[0] == '/';
  if (!given && (!home || home[0] != '/')) {
    usage_error("there is no home folder for your own ledger; give --ledger L.db, or --no-ledger to keep no "
                "record");
    return NULL;
  }
  const char *base = given ? state : home,
             *rest = given ? "/tacit/ledger.db" : "/.local/state/tacit/ledger.db";
  size_t size = strlen(base) + strlen(rest) + 1;
  char *path = malloc(size);
  if (!path) {
    fputs("tacit: not enough memory\n", stderr);
    return NULL;
  }
  snprintf(path, size, "%s%s", base, rest);
  if (make && !make_folders(path)) {
    fprintf(stderr,
            "tacit: cannot make the folder of your own ledger %s: %s; give --ledger L.db, or --no-ledger to "
            "keep no record\n",
            path, strerror(errno));
    free(path);
    return NULL;
  }
  return path;
}

int wait_ms(size_t seconds) {
  return seconds > INT_MAX / 1000 ? INT_MAX : (int)seconds * 1000;
}

void date_now(char text[32]) {
  time_t now = time(NULL);
  struct tm utc;
  text[0] = 0;
  if (gmtime_r(&now, &utc)) strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* A path in its real folder, also of a file that is not there yet; to be freed. NULL where that cannot be
   told. */
static char *real_path(const char *path) {
  char *real = realpath(path, NULL);
  if (real) return real;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  char *parent = folder ? realpath(folder, NULL) : NULL;
  size_t size = parent ? strlen(parent) + strlen(name) + 2 : 0;
  real = parent ? malloc(size) : NULL;
  if (real) snprintf(real, size, "%s/%s", strcmp(parent, "/") ? parent : "", name);
  free(parent);
  free(folder);
  return real;
}

/* Whether a file that is about to be written is the ledger, or belongs to it, however both are spelled. */
static bool is_ledger(const char *out, const char *ledger) {
  static const char *const ENDS[] = {"", "-journal", "-wal", "-shm"};
  struct stat one, other;
  if (stat(out, &one) == 0 && stat(ledger, &other) == 0 && one.st_dev == other.st_dev &&
      one.st_ino == other.st_ino)
    return true;
  char *file = real_path(out), *own = real_path(ledger);
  size_t length = own ? strlen(own) : 0;
  bool is = false;
  for (size_t i = 0; file && own && i < sizeof ENDS / sizeof *ENDS; i++)
    is = is || (!strncmp(file, own, length) && !strcmp(file + length, ENDS[i]));
  free(own);
  free(file);
  return is;
}

int wallet_open(wallet *w, double mu, const char *method, const tacit_schema *schema,
                tacit_adjacency adjacency) {
  tacit_error error;
  char *own = w->path ? NULL : own_ledger(true);
  if (!w->path && !own) return TACIT_REFUSED;
  if (w->out && is_ledger(w->out, own ? own : w->path)) {
    free(own);
    return usage_error("--out names the ledger, or a file that belongs to it; choose another name");
  }
  date_now(w->date);
  w->payment.spending = (tacit_spending){.label = w->label ? w->label : WALLET_LABEL,
                                         .mu = mu,
                                         .method = method,
                                         .schema_hash = tacit_schema_hash(schema),
                                         .date = w->date,
                                         .period = w->period,
                                         .unit = tacit_unit_of(schema, adjacency, w->result_rows)};
  /* a mistyped name must not begin a ledger in which nothing was ever spent */
  tacit_status status = tacit_ledger_open(own ? own : w->path, own ? TACIT_LEDGER_CREATE : TACIT_LEDGER_WRITE,
                                          wait_ms(w->wait), &w->payment.ledger, &error);
  /* asked again when it is spent; this answer spares reading a long table for nothing */
  if (status == TACIT_OK && mu > 0)
    status = tacit_ledger_afford(w->payment.ledger, &w->payment.spending, &error);
  free(own);
  if (status == TACIT_OK) return -1;
  int code = fail(status, &error);
  if (w->path && access(w->path, F_OK) != 0)
    fprintf(
        stderr,
        "tacit: to begin it: tacit ledger open %s --label %s --mu M, with the most that all releases of the "
        "label may cost together as M\n",
        w->path, w->payment.spending.label);
  return code;
}

void wallet_close(wallet *w) {
  tacit_ledger_close(w->payment.ledger);
  w->payment.ledger = NULL;
}

/* False when nothing was paid. */
static bool paid(const wallet *w, tacit_ledger_total *total) {
  const tacit_receipt *receipt = &w->payment.receipt;
  if (!receipt->sequence) return false;
  return (w->period && tacit_ledger_total_in(w->payment.ledger, receipt->label, w->period, total)) ||
         tacit_ledger_total_of(w->payment.ledger, receipt->label, total);
}

void wallet_print(const wallet *w) {
  tacit_ledger_total total;
  char text[ROUNDED_SIZE], delta[ROUNDED_SIZE], budget[ROUNDED_SIZE];
  if (!paid(w, &total)) return;
  printf("ledger: label \"%s\", entry %llu; spent so far%s%s: ", total.label,
         (unsigned long long)w->payment.receipt.sequence, *total.period ? " in " : "", total.period);
  if (total.renyi)
    printf("epsilon = %s at delta = %s", rounded_up(text, 6, total.spent_epsilon),
           rounded_up(delta, 3, total.delta));
  else
    printf("mu = %s", rounded_up(text, 4, total.spent_mu));
  printf(" in %llu release%s", (unsigned long long)total.releases, total.releases == 1 ? "" : "s");
  if (total.limited && total.renyi)
    printf("; of %s\n", rounded_up(budget, 6, total.budget_epsilon));
  else if (total.limited)
    printf("; left: %s of %s (what is spent adds up in squares)\n", rounded_down(text, 4, total.left_mu),
           in_full(budget, total.budget_mu));
  else
    printf("; no budget was set (tacit ledger open sets one)\n");
}

json_t *wallet_json(const wallet *w) {
  tacit_ledger_total total;
  const tacit_receipt *receipt = &w->payment.receipt;
  if (!paid(w, &total)) return json_null();
  return json_pack("{s:s, s:I, s:s, s:s, s:o, s:o}", "label", receipt->label, "sequence",
                   (json_int_t)receipt->sequence, "head", receipt->head, "commitment", receipt->commitment,
                   "spent_mu", total.renyi ? json_null() : json_real(total.spent_mu), "left_mu",
                   total.limited ? json_real(total.left_mu) : json_null());
}

void wallet_regret(const wallet *w) {
  const tacit_receipt *receipt = &w->payment.receipt;
  if (receipt->sequence)
    fprintf(stderr, "tacit: the budget of label \"%s\" was spent before that (entry %llu of the ledger)\n",
            receipt->label, (unsigned long long)receipt->sequence);
}
