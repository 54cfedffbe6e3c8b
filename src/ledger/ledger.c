/* The ledger open in memory: what each label has, and the record entry by entry. */
#include "ledger/ledger.h"
#include "base/temporary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static tacit_status open_at(tacit_ledger *ledger, tacit_ledger_mode mode, int wait_ms, tacit_error *error) {
  ledger->writable = mode != TACIT_LEDGER_READ;
  if (mode == TACIT_LEDGER_CREATE && access(ledger->path, F_OK) != 0 && errno == ENOENT)
    TACIT_TRY(tacit_ledger_create(ledger->path, error));
  bool move = mode == TACIT_LEDGER_MOVE;
  TACIT_TRY(tacit_ledger_store_open(ledger, move, wait_ms, error));
  tacit_ledger_forget(ledger);
  TACIT_TRY(tacit_ledger_read(ledger, NULL, NULL, error));
  if (move && ledger->version < 3)
    return tacit_fail(
        error, TACIT_REFUSED,
        "the ledger %s is of format version %d, which remembers no place: nothing was changed. It "
        "is spent from wherever it is; see yourself that there is no other copy. Its next entry "
        "makes it one of version %d, which does remember",
        ledger->path, (int)ledger->version, TACIT_LEDGER_VERSION);
  if (ledger->at_home || !ledger->writable) return TACIT_OK;
  return move ? tacit_ledger_home_move(ledger, error) : tacit_ledger_home_away(ledger, error);
}

tacit_status tacit_ledger_open(const char *path, tacit_ledger_mode mode, int wait_ms, tacit_ledger **ledger,
                               tacit_error *error) {
  *ledger = NULL;
  if (!*path) return tacit_fail(error, TACIT_USAGE, "the ledger needs a file name");
  tacit_ledger *made = tacit_alloc(1, sizeof *made);
  if (made) made->path = tacit_copy_text(path, strlen(path));
  if (made) made->folder = -1;
  tacit_status status = made && made->path ? open_at(made, mode, wait_ms, error) : tacit_no_memory(error);
  if (status == TACIT_OK)
    *ledger = made;
  else
    tacit_ledger_close(made);
  return status;
}

void tacit_ledger_close(tacit_ledger *ledger) {
  if (!ledger) return;
  tacit_ledger_forget(ledger);
  sqlite3_close(ledger->db);
  if (ledger->folder >= 0) close(ledger->folder);
  tacit_place_free(&ledger->place);
  free(ledger->path);
  free(ledger);
}

tacit_status tacit_ledger_refresh(tacit_ledger *ledger, tacit_error *error) {
  return tacit_ledger_read(ledger, NULL, NULL, error);
}

size_t tacit_ledger_labels(const tacit_ledger *ledger) {
  return ledger->label_count;
}

static tacit_ledger_total total(const tacit_label *label) {
  tacit_ledger_total t = {.label = label->name,
                          .per = label->per,
                          .period = label->period,
                          .limited = label->budget[0] != 0,
                          .renyi = label->renyi,
                          .spent_mu = label->renyi ? INFINITY : tacit_amount_root_up(label->spent),
                          .releases = label->releases};
  if (label->unit[0]) (void)tacit_unit_parse(label->unit, &t.unit);
  if (t.renyi) {
    t.delta = label->delta;
    t.spent_epsilon = tacit_renyi_spent(label);
    t.budget_epsilon = tacit_renyi_budget(label);
  }
  if (!t.limited) return t;
  mpz_t left;
  mpz_init(left);
  mpz_sub(left, label->allowed, label->spent);
  t.budget_mu = tacit_amount_value(label->budget);
  t.left_mu = t.renyi ? tacit_renyi_left(label) : tacit_amount_root_down(left);
  if (t.left_mu < TACIT_LEDGER_MU_MIN) t.left_mu = 0; /* cannot be spent */
  mpz_clear(left);
  return t;
}

tacit_ledger_total tacit_ledger_total_at(const tacit_ledger *ledger, size_t index) {
  return total(&ledger->labels[index]);
}

bool tacit_ledger_total_of(const tacit_ledger *ledger, const char *label, tacit_ledger_total *found) {
  const tacit_label *known = tacit_ledger_find(ledger, label);
  *found = known ? total(known) : (tacit_ledger_total){.label = "", .per = "", .period = ""};
  return known != NULL;
}

bool tacit_ledger_total_in(const tacit_ledger *ledger, const char *label, const char *period,
                           tacit_ledger_total *found) {
  const tacit_label *known = tacit_ledger_find_in(ledger, label, period);
  *found = known ? total(known) : (tacit_ledger_total){.label = "", .per = "", .period = ""};
  return known != NULL;
}

tacit_status tacit_ledger_each(tacit_ledger *ledger,
                               void (*visit)(void *user, const tacit_ledger_entry *entry), void *user,
                               tacit_error *error) {
  tacit_ledger_forget(ledger);
  return tacit_ledger_read(ledger, visit, user, error);
}

bool tacit_ledger_at(const char *path) {
  return tacit_is_ledger_file(path);
}

const char *tacit_ledger_id(const tacit_ledger *ledger) {
  return ledger->id;
}

uint64_t tacit_ledger_sequence(const tacit_ledger *ledger) {
  return ledger->sequence;
}

const char *tacit_ledger_head(const tacit_ledger *ledger) {
  return ledger->head;
}
