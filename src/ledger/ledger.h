/* The ledger as this room's files share it: the open file, what was read from it, and how they divide the
   work. */
#ifndef TACIT_SRC_LEDGER_H
#define TACIT_SRC_LEDGER_H

#include "base/base.h"
#include "ledger/amount.h"
#include "ledger/place.h"

#include <tacit/ledger.h>

#include <sqlite3.h>

enum {
  /* 1 did not say whose data an entry protects, 2 not which release it paid for */
  TACIT_LEDGER_VERSION = 3,
  TACIT_LEDGER_APPLICATION = 0x74636c67, /* "tclg", SQLite's application_id */
  TACIT_LEDGER_HASH_SIZE = 65,           /* SHA-256 as hexadecimal digits */
  TACIT_LEDGER_NONCE_SIZE = 33,          /* 16 random bytes likewise */
  TACIT_LEDGER_COLUMN_MAX = 400,         /* bytes of a unit column's name */
  TACIT_PER_SIZE = 9,                    /* "quarter" and a NUL */
  /* "gdp per quarter in 2024-Q1 add-remove 18446744073709551615 result column " and a name */
  TACIT_LEDGER_MEASURE_SIZE = 500,
  TACIT_LEDGER_AMOUNT_SIZE = (TACIT_RDP_ORDERS + 2) * TACIT_AMOUNT_SIZE
};
#define TACIT_LEDGER_DELTA 1e-6 /* of a budget that names none */

/* Below this doubles thin out and a decimal may be far from its double; no release is that small. */
#define TACIT_LEDGER_MU_MIN 1e-300

/* What one label has, from the entries read so far. */
typedef struct tacit_label {
  char name[TACIT_LABEL_MAX + 1];
  char per[TACIT_PER_SIZE];          /* "": one budget for all time; else each period has it, */
  char period[TACIT_PERIOD_MAX + 1]; /* and what was spent is counted here in a label of that name for each */
  char budget[TACIT_AMOUNT_SIZE];    /* the one in force; "" for none */
  mpz_t allowed, spent;              /* squares, in units of 10^-680 */
  uint64_t releases;
  char unit[TACIT_LEDGER_MEASURE_SIZE]; /* whose data: "replace-one 1 rows"; "" while it is not said */
  bool unsaid;                          /* some release did not say it: version 1 */
  bool renyi;                           /* some release is not Gaussian */
  double delta;                         /* the budget's */
  mpz_t other[TACIT_RDP_ORDERS];        /* Renyi divergences of those, in units of 10^-680 */
  bool lost[TACIT_RDP_ORDERS];          /* one of them has no bound at this order */
} tacit_label;

struct tacit_ledger {
  sqlite3 *db;
  char *path; /* as given, for texts */
  bool writable;
  tacit_place place;
  bool at_home;     /* `place` is the one that the file remembers; before version 3 it remembers none */
  uint32_t changes; /* the largest count of SQLite's that was seen; less now: something was undone */
  int folder;       /* the one that the file is in, to be synced; -1 when nothing is written */
  int wait_ms;
  int64_t version; /* of the file */
  char id[TACIT_LEDGER_NONCE_SIZE];
  uint64_t sequence;                  /* entries up to this one were read, checked and counted */
  char head[TACIT_LEDGER_HASH_SIZE];  /* its hash */
  char start[TACIT_LEDGER_HASH_SIZE]; /* what stands for the hash before the first entry */
  tacit_label *labels;
  size_t label_count, label_capacity;
  bool limited; /* some label has a budget */
};

/* Opens the file with durable settings and checks that it is a ledger of a version we know; store.c. One that
   is not at home is opened for reading, unless it is to be moved, and only if there is no journal. */
tacit_status tacit_ledger_store_open(tacit_ledger *ledger, bool move, int wait_ms,
                                     tacit_error *error) TACIT_CHECKED;
/* Where the file is, to be freed also after a failure; home.c. */
tacit_status tacit_ledger_home_find(const tacit_ledger *ledger, const char *path, tacit_place *place,
                                    tacit_error *error) TACIT_CHECKED;
/* Before SQLite looks at the file again: it still has one name, is at home, and no journal beside it would
   undo what is paid. */
tacit_status tacit_ledger_home_still(tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* TACIT_REFUSED, with the way out, for a ledger that is not at home. */
tacit_status tacit_ledger_home_away(const tacit_ledger *ledger, tacit_error *error);
/* Finds the file's place, and compares it with the mark that the file has, around SQLite: nothing is rolled
   back. Sets ledger->at_home. */
tacit_status tacit_ledger_home_look(tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* Before SQLite looks again at one that is not at home: no journal came beside it. */
tacit_status tacit_ledger_home_alone(const tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* Every look of SQLite's at the file is a transaction that begins here, for reading or for writing, and ends
   with a commit or with tacit_ledger_home_end. Under one lock SQLite plays back at most one journal, which
   was looked at before, and a change takes the place of the one that was undone. After a failure there is no
   transaction. */
tacit_status tacit_ledger_home_begin(tacit_ledger *ledger, bool write, tacit_error *error) TACIT_CHECKED;
void tacit_ledger_home_end(const tacit_ledger *ledger); /* undoes what was not committed */
/* After an entry was committed, before anything is released for it: from here on no journal that was ever
   beside the ledger is taken for one that is needed and undoes the entry. */
tacit_status tacit_ledger_home_settle(tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* COMMIT, and the folder's names on the disk, also where SQLite could not see to them. */
tacit_status tacit_ledger_commit(const tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* Refuses names that belong to another ledger's journals or to temporary files: SQLite and tacit take such
   files away. `plain` has a slash; create.c. */
tacit_status tacit_ledger_name_check(const char *path, const char *plain, tacit_error *error) TACIT_CHECKED;
/* Makes this place the ledger's home, in a transaction of its own. */
tacit_status tacit_ledger_home_move(tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* The mark in the header of a file that need not be a ledger; 0 for none. False: it cannot be read. */
bool tacit_ledger_mark_of(const char *path, uint32_t *mark) TACIT_CHECKED;
/* Writes mark and path, within a transaction. */
tacit_status tacit_ledger_home_write(const tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* The folder may have been renamed, which does not matter but for where to look after a move. */
tacit_status tacit_ledger_home_keep(const tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* Reads the version again, and whether the ledger is at home: another program may have upgraded or moved the
   file while it was open here. */
tacit_status tacit_ledger_store_version(tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* Makes an older file one of this version, in the transaction that writes the first entry of that version. */
tacit_status tacit_ledger_store_upgrade(tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* SQLite's own check of the file's structure. */
tacit_status tacit_ledger_store_check(tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* Makes a ledger without entries at path unless a file is there; create.c. */
tacit_status tacit_ledger_create(const char *path, tacit_error *error) TACIT_CHECKED;
/* The statements that make a ledger's tables: what is in the file must be exactly these. Before version 3
   there was no commitment, and no home, the last of them. */
enum { TACIT_LEDGER_TABLES = 5, TACIT_LEDGER_OLD_TABLES = 4 };
extern const char *const tacit_ledger_tables[TACIT_LEDGER_TABLES];
extern const char tacit_ledger_old_entries[], tacit_ledger_add_commitment[];
/* The path as SQLite should see it, never a special name; to be freed. */
char *tacit_ledger_plain_path(const char *path);

/* Runs one statement without results; a status with a text for what SQLite answers; trouble.c. */
tacit_status tacit_ledger_run(const tacit_ledger *ledger, const char *sql, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_ledger_trouble(const tacit_ledger *ledger, int code, tacit_error *error);
tacit_status tacit_ledger_damaged(const tacit_ledger *ledger, const char *what, tacit_error *error);

/* The hash that chains an entry to `previous`, over every other field; chain.c. */
void tacit_ledger_hash(const tacit_ledger_entry *entry, char hash[TACIT_LEDGER_HASH_SIZE]);
void tacit_ledger_start_hash(const char *id, char hash[TACIT_LEDGER_HASH_SIZE]);
/* 16 bytes of the operating system's entropy. */
tacit_status tacit_ledger_nonce(char nonce[TACIT_LEDGER_NONCE_SIZE], tacit_error *error) TACIT_CHECKED;

/* What an entry's texts say, taken apart; terms.c. */
typedef struct tacit_terms {
  bool budget, renyi;
  const char *unit;                              /* in the measure; "" when it is not said */
  char mu[TACIT_AMOUNT_SIZE];                    /* "" for renyi */
  char delta[TACIT_AMOUNT_SIZE];                 /* a budget's; "" for none */
  char rdp[TACIT_RDP_ORDERS][TACIT_AMOUNT_SIZE]; /* "inf" for no bound */
  double epsilon;                                /* what an rdp release promises; delta is beside it */
  char per[TACIT_PER_SIZE], period[TACIT_PERIOD_MAX + 1]; /* "" for none */
} tacit_terms;
bool tacit_terms_parse(const char *kind, const char *measure, const char *amount, tacit_terms *terms);
/* The texts of an entry. unit with rows_per_unit 0 is not said. */
void tacit_terms_measure(bool renyi, const tacit_unit *unit, char measure[TACIT_LEDGER_MEASURE_SIZE]);
void tacit_terms_amount(const tacit_cost *cost, char amount[TACIT_LEDGER_AMOUNT_SIZE]);
/* The unit's part of a measure, and back. column points into text. */
const char *tacit_terms_unit(const char *measure);
bool tacit_unit_parse(const char *text, tacit_unit *unit);
/* Whether the label may count for this unit: TACIT_REFUSED with the way out. */
tacit_status tacit_terms_allow(const tacit_label *label, const char *unit, tacit_error *error) TACIT_CHECKED;

/* Budgets for each period; period.c. Whether it is a kind of period, and how one is named. */
bool tacit_per_known(const char *per);
const char *tacit_per_example(const char *per);
bool tacit_period_of(const char *per, const char *period);
/* "per month in 2024-03", or without a period, to its place in a measure; and from the beginning of what
   stands behind a measure's first word: the unit that follows, NULL where it is none that tacit writes. */
void tacit_period_put(const char *per, const char *period, char measure[TACIT_LEDGER_MEASURE_SIZE]);
const char *tacit_period_take(const char *unit, char per[TACIT_PER_SIZE], char period[TACIT_PERIOD_MAX + 1]);
/* Where a label's spending in a period is counted; NULL: nothing was spent in it. */
tacit_label *tacit_ledger_find_in(const tacit_ledger *ledger, const char *label, const char *period);
/* Whether a release about this period may be counted, and a budget for each `per` ("": not said) set:
   TACIT_REFUSED with the way out. */
tacit_status tacit_period_allow(const tacit_label *label, const char *period,
                                tacit_error *error) TACIT_CHECKED;
tacit_status tacit_period_settle(const tacit_label *label, const char *per, tacit_error *error) TACIT_CHECKED;

/* Whether an entry is one that tacit writes, its texts and its numbers: what is read may be anybody's;
 * text.c.
 */
bool tacit_entry_sound(const tacit_ledger_entry *entry, const tacit_terms *terms);
/* Lower-case hexadecimal digits, so many. */
bool tacit_is_hex(const char *text, size_t digits);
/* UTF-8 of so many bytes without control or invisible characters; text.c. */
bool tacit_plain_text(const char *text, size_t least, size_t most);

/* The exact part of an entry. */
typedef struct tacit_entry_texts {
  char measure[TACIT_LEDGER_MEASURE_SIZE], amount[TACIT_LEDGER_AMOUNT_SIZE];
} tacit_entry_texts;
/* Whether a release may go ahead: TACIT_REFUSED with what is left and the way out; filter.c. */
tacit_status tacit_ledger_allow(const tacit_ledger *ledger, const tacit_spending *spending,
                                const tacit_entry_texts *texts, tacit_error *error) TACIT_CHECKED;
/* A number with as many digits as tell it from its neighbours. */
const char *tacit_ledger_shown(double x, char text[32]);

/* Releases that are not Gaussian (proofs/ledger.md, Claim 4); renyi.c. The label's releases and one more,
   whose square or divergences (either NULL) are given: within its budget; and the smallest epsilon. */
bool tacit_renyi_within(const tacit_label *label, const mpz_t square, const tacit_terms *more);
double tacit_renyi_spent(const tacit_label *label);  /* at the label's delta; +inf when no order is left */
double tacit_renyi_budget(const tacit_label *label); /* epsilon */
double tacit_renyi_left(const tacit_label *label);   /* mu that a Gaussian release may still spend */
bool tacit_renyi_possible(const tacit_label *label, const tacit_terms *more); /* an order is left */

/* Reads the entries behind ledger->sequence, checks their chain and counts them; read.c. Visits each if there
   is a visitor. */
tacit_status tacit_ledger_read(tacit_ledger *ledger, void (*visit)(void *, const tacit_ledger_entry *),
                               void *user, tacit_error *error) TACIT_CHECKED;
/* Counts one entry into its label's totals. */
tacit_status tacit_ledger_count(tacit_ledger *ledger, const tacit_ledger_entry *entry,
                                tacit_error *error) TACIT_CHECKED;
tacit_label *tacit_ledger_find(const tacit_ledger *ledger, const char *label); /* NULL when unknown */
/* Forgets what was read, to begin anew. */
void tacit_ledger_forget(tacit_ledger *ledger);

#endif
