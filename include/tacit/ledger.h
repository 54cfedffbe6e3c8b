/* The ledger: a durable, append-only record of what each population of records has spent
   (docs/formats/ledger.md). It is kept in one SQLite file; entries are chained by hashes, so that an edit is
   found, and each policy carries a receipt, so that a ledger that was cut or rolled back is found too.

   Threads may have a ledger open each for itself. The operating system drops all locks of a process on a file
   when any of its threads closes any descriptor of that file: while one spends, nobody in the process may
   open and close the ledger's file but through this header, not to copy it, nor with another SQLite, nor by a
   query with result_rows (tacit_source_sql). All other functions of this library refuse a ledger as a file to
   read or write; the first time each ledger is refused, one descriptor of it stays open. What DuckDB reads is
   opened by its real path once more after that: no ledger may get the name of such a file meanwhile. */
#ifndef TACIT_LEDGER_H
#define TACIT_LEDGER_H

#include <tacit/base.h>
#include <tacit/privacy.h>

TACIT_BEGIN

typedef struct tacit_ledger tacit_ledger;

typedef enum tacit_ledger_mode {
  TACIT_LEDGER_READ,   /* changes nothing but what a crash left undone; works on a read-only file or a copy */
  TACIT_LEDGER_WRITE,  /* the file must be there */
  TACIT_LEDGER_CREATE, /* made when it is not there: whole, or not at all */
  TACIT_LEDGER_MOVE    /* like write, for a file that was moved, copied or restored: here it is at home now */
} tacit_ledger_mode;

/* Opens a ledger and checks all of it. Another process may hold it for a moment: wait_ms says how long to
   wait for that, here and in later calls. *ledger is the caller's. TACIT_BAD_INPUT for a file that is
   missing, damaged, cut, of a newer version or no ledger; TACIT_REFUSED for one that is locked, that is
   to be written but cannot be, that has several hard links, or that is to be written elsewhere than where it
   is at home (docs/formats/ledger.md); TACIT_INTERNAL for a full disk or a failed read. Nothing is spent
   then. To move it is the caller's word that no other copy of the ledger is in use. */
TACIT_API tacit_status tacit_ledger_open(const char *path, tacit_ledger_mode mode, int wait_ms,
                                         tacit_ledger **ledger, tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_ledger_close(tacit_ledger *ledger); /* NULL is fine */
/* Whether a file is a ledger or belongs to one, as its journal does: nothing else should be written there. */
TACIT_API bool tacit_ledger_at(const char *path);

/* Whose data a release protects: the adjacency, how many records one unit may own, and the column that names
   the unit (NULL: the records are counted by assertion). rows_per_unit 0: not said. With lags a record
   reaches several rows: rows_per_unit is then the schema's divided by 1 + lags
   (tacit_schema_records_per_unit). */
typedef struct tacit_unit {
  tacit_adjacency adjacency;
  size_t rows_per_unit;
  const char *column;
  bool result_rows; /* rows are those of a query's result, not records (tacit_source_sql) */
  bool targets;     /* only their targets are private (tacit_schema_features_public), */
  double change;    /* and change by this at most (tacit_schema_change); 0: by anything */
} tacit_unit;
/* What a schema says of it. The column is the schema's. */
TACIT_API tacit_unit tacit_unit_of(const tacit_schema *schema, tacit_adjacency adjacency, bool result_rows);

/* Sets the budget of a label: all its releases together, earlier ones too, stay within mu-GDP. The budget
   belongs to the label alone. A label is 1 to 100 bytes of UTF-8 without control characters. Setting the same
   budget again does nothing; another one is TACIT_REFUSED unless `change` is true, and is then appended: what
   is promised is the largest budget that was ever in force. date is a text such as 2027-01-31, or NULL. */
TACIT_API tacit_status tacit_ledger_budget(tacit_ledger *ledger, const char *label, double mu, bool change,
                                           const char *date, tacit_error *error) TACIT_CHECKED;

/* The same with all its terms. unit pins whose data the label counts for: amounts for different units or
   adjacencies are different promises and do not add up, so that later releases with another are refused.
   Where it is not said, the label's first release pins it. delta is the one at which the budget is kept once
   the label has a release that is not Gaussian (0: 1e-6): all releases are then (epsilon, delta)-private with
   delta(epsilon) of mu-GDP at most delta / 2 (proofs/ledger.md, Claim 4). */
typedef struct tacit_ledger_terms {
  const char *label;
  double mu, delta;
  tacit_unit unit;
  bool change;
  const char *date;
  /* "day", "week", "month", "quarter" or "year": the budget is for each of them by itself. It is the caller's
     word that no unit has records in two of them. NULL: for all time together, or as it was set before. */
  const char *per;
} tacit_ledger_terms;
TACIT_API tacit_status tacit_ledger_set(tacit_ledger *ledger, const tacit_ledger_terms *terms,
                                        tacit_error *error) TACIT_CHECKED;

/* One release about to be made. method, schema_hash and date are for the reader and may be NULL. The release
   must be (1 - 2^-50) mu-GDP: amounts are the decimals that people write, and every learner keeps more room
   than that (proofs/ledger.md). */
typedef struct tacit_spending {
  const char *label;
  double mu;
  const char *method;
  const char *schema_hash;
  const char *date;
  tacit_unit unit;        /* needed */
  const tacit_cost *cost; /* of a release that is not Gaussian; NULL: mu says it all */
  const char *commitment; /* which release it is (tacit_cost): 64 hexadecimal digits; NULL or "": not said */
  const char *period;     /* which the records are of, for a label with a budget for each; NULL: not said */
} tacit_spending;

/* Makes a spending durable: once it returns TACIT_OK the entry survives a crash, and noise may be drawn.
   Concurrent spenders never exceed a budget together. TACIT_REFUSED, naming what is asked and what is left,
   when the budget does not cover it, when the label counts for another unit or adjacency, and when the label
   has no budget although others in this ledger do (a mistyped label is no fresh budget). In a ledger without
   any budget spending is recorded without limit. A failure whose text does not say that nothing was spent may
   leave an entry that counts, for a release that must not be made. */
TACIT_API tacit_status tacit_ledger_spend(tacit_ledger *ledger, const tacit_spending *spending,
                                          tacit_receipt *receipt, tacit_error *error) TACIT_CHECKED;
/* The same refusals, and nothing spent: for an early answer. */
TACIT_API tacit_status tacit_ledger_afford(tacit_ledger *ledger, const tacit_spending *spending,
                                           tacit_error *error) TACIT_CHECKED;

/* For tacit_learn_options: spend = tacit_ledger_pay, spend_user = a payment, whose receipt then goes to
   tacit_policy_set_receipt. */
typedef struct tacit_payment {
  tacit_ledger *ledger;
  tacit_spending spending; /* its mu, cost and commitment are set by the learner */
  tacit_receipt receipt;   /* sequence 0 until paid */
} tacit_payment;
TACIT_API tacit_status tacit_ledger_pay(void *payment, const tacit_cost *cost,
                                        tacit_error *error) TACIT_CHECKED;

/* What a label has, as mu: spent rounded up, left rounded down, so that exactly what is left can be spent by
   a Gaussian release. With a release that is not Gaussian in it there is no spent_mu (+inf); what was spent
   is then spent_epsilon at delta, of budget_epsilon. */
typedef struct tacit_ledger_total {
  const char *label; /* owned by the ledger */
  bool limited;      /* false: no budget was set; budget and left are then 0 */
  double budget_mu, spent_mu, left_mu;
  uint64_t releases;
  bool renyi;                                  /* some release is not Gaussian */
  double budget_epsilon, spent_epsilon, delta; /* set when renyi is */
  tacit_unit unit; /* rows_per_unit 0: not said yet; the column is owned by the ledger */
  /* "" for a budget for all time. Else the label itself has spent nothing, and each period in which something
     was spent stands in the list, too, under the same label. Owned by the ledger. */
  const char *per, *period;
} tacit_ledger_total;

/* Reads what is new in the file. The number of labels, in the order of their first entries, then counts
   these. */
TACIT_API tacit_status tacit_ledger_refresh(tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
TACIT_API size_t tacit_ledger_labels(const tacit_ledger *ledger);
TACIT_API tacit_ledger_total tacit_ledger_total_at(const tacit_ledger *ledger, size_t index);
/* False when the label has no entries; the total is then that of an unlimited label with no releases. */
TACIT_API bool tacit_ledger_total_of(const tacit_ledger *ledger, const char *label,
                                     tacit_ledger_total *total);

/* The same for a period; false when nothing was spent in it. */
TACIT_API bool tacit_ledger_total_in(const tacit_ledger *ledger, const char *label, const char *period,
                                     tacit_ledger_total *total);

/* One line of the record; texts are valid until the visitor returns. */
typedef struct tacit_ledger_entry {
  uint64_t sequence; /* 1, 2, 3, ... */
  const char *kind;  /* "budget" or "spend" */
  const char *label;
  const char *measure; /* "gdp" or "rdp", then whose data: "gdp replace-one 1 rows" */
  const char *amount;  /* exact, such as 25e-2; docs/formats/ledger.md */
  double mu;           /* the amount as a double; 0 for "rdp" */
  const char *method, *schema_hash, *date;
  const char *nonce; /* random: no two entries are alike, whatever was rolled back */
  const char *previous, *hash;
  double epsilon, delta;  /* what an "rdp" release promises by itself; a budget's delta */
  const char *commitment; /* which release it paid for; "" in budgets and before version 3 */
} tacit_ledger_entry;
TACIT_API tacit_status tacit_ledger_each(tacit_ledger *ledger,
                                         void (*visit)(void *user, const tacit_ledger_entry *entry),
                                         void *user, tacit_error *error) TACIT_CHECKED;

/* Who the ledger is (32 hexadecimal digits, drawn when it was made) and where its chain ends. */
TACIT_API const char *tacit_ledger_id(const tacit_ledger *ledger);
TACIT_API uint64_t tacit_ledger_sequence(const tacit_ledger *ledger);
TACIT_API const char *tacit_ledger_head(const tacit_ledger *ledger);

/* Recomputes everything from the first entry on: the file's structure and the hash chain. TACIT_BAD_INPUT
   with what is wrong. */
TACIT_API tacit_status tacit_ledger_check(tacit_ledger *ledger, tacit_error *error) TACIT_CHECKED;
/* Whether a policy's receipt is in the chain, was given for its schema (schema_hash; NULL: any) and covers
   mu, the guarantee that was recomputed from the policy. The receipt's commitment is compared with the
   entry's; whether it is the policy's own, tacit_policy_verify tells. TACIT_CHECK_FAILED with the reason: the
   ledger was cut, rolled back or is another one, or the receipt is another policy's. */
TACIT_API tacit_status tacit_ledger_check_receipt(tacit_ledger *ledger, const tacit_receipt *receipt,
                                                  const char *schema_hash, double mu,
                                                  tacit_error *error) TACIT_CHECKED;
/* The same for any cost, as tacit_policy_cost recomputes it: an entry in mu covers a release in mu, an entry
   in Renyi divergences one that has them, epsilon, delta and order by order; and the entry's commitment is
   the cost's, both "" for entries before version 3. The entry names the policy's method (NULL: any), so that
   an evaluation's payment is no policy's, and counts for the policy's unit (NULL, or an entry of version 1
   whose label still does not say it: any). */
TACIT_API tacit_status tacit_ledger_check_payment(tacit_ledger *ledger, const tacit_receipt *receipt,
                                                  const char *schema_hash, const char *method,
                                                  const tacit_unit *unit, const tacit_cost *cost,
                                                  tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
