/* What the commands share: options, errors, progress, and output for people and machines. */
#ifndef TACIT_CLI_H
#define TACIT_CLI_H

#include <jansson.h>
#include <tacit/tacit.h>

/* An option of a command. Values go where `to` points. */
typedef enum option_kind {
  OPTION_FLAG,    /* bool */
  OPTION_TEXT,    /* const char * */
  OPTION_NUMBER,  /* double */
  OPTION_COUNT,   /* size_t */
  OPTION_SEED,    /* uint64_t */
  OPTION_NUMBERS, /* struct numbers: may be repeated */
  OPTION_PAIRS    /* struct pairs: kept as they come, for whoever knows what they mean */
} option_kind;

enum { NUMBERS_MAX = 1024 };
typedef struct numbers {
  double value[NUMBERS_MAX];
  size_t count;
} numbers;

enum { PAIRS_MAX = 32 };
typedef struct pairs {
  const char *name[PAIRS_MAX], *text[PAIRS_MAX]; /* "" for a flag */
  size_t count;
} pairs;

typedef struct option {
  const char *name; /* without the two dashes */
  option_kind kind;
  void *to;
  const char *value; /* what --help calls its value; NULL for a flag */
  const char *help;
  bool *given; /* set to true when the option is there; may be NULL */
} option;

typedef struct command {
  const char *name, *summary;
  int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
} command;

/* What a command understands: its options, and from `least` to `most` other arguments. */
typedef struct command_line {
  const char *usage; /* behind "usage: tacit " */
  const char *about;
  const option *options;
  size_t option_count;
  void (*more)(void); /* prints what --help says after the options; may be NULL */
  const char **arguments;
  size_t least, most;
  size_t *found; /* how many arguments there are; may be NULL */
} command_line;
/* Fills the options and collects the other arguments, in any order. Returns -1 to go on, or the exit code: 0
   after --help, 2 after a mistake, which is explained. */
int parse_options(const command_line *line, int argc, char **argv);
bool parse_number(const char *text, double *value);
void print_option(const char *name, const char *value, const char *help);

/* What is ordered for: costs or quantiles are given once for all targets, once for each in their order, or,
   where there is one target, as many as are wanted. Both return -1 to go on, or the exit code. */
typedef struct goal_list {
  tacit_goal goals[NUMBERS_MAX];
  size_t count;
} goal_list;
int set_goals(const numbers *underage, const numbers *overage, const numbers *quantile, size_t targets,
              goal_list *list);
/* Where the schema has costs in tiers it says what is ordered for, and nothing else may (given); the list
   stays empty where it has none. */
int schema_goals(const tacit_schema *schema, bool given, goal_list *list);
int set_adjacency(const char *name, tacit_adjacency *adjacency); /* NULL: replace-one */

/* Whether two paths are one file, however they are spelled; "-" is standard input, NULL none. */
bool is_input(const char *out, const char *in);
/* The width for %-*s at which a text takes `width` places: a letter may have several bytes. */
int padded(int width, const char *text);
/* Whether a query names the file: any text in quotes may be a table. */
bool is_queried(const char *out, const char *sql);

/* -1, or the exit code where a policy must not be written over what is there: a private one cost some of a
   budget, and what is no policy is not ours to replace. What a seed or no noise made can be made again. */
int check_kept(const char *out);
bool is_kept(const char *out, bool *is_policy); /* the same, without a word */
bool is_forced(void); /* whether the environment says --force, for scripts that are meant to */

/* Prints the error on standard error and gives the exit code. */
int fail(tacit_status status, const tacit_error *error);
/* The flags that a text of the library speaks of, to be put behind it; "" where it speaks of none. */
const char *flags_for(const char *text);
int usage_error(const char *format, ...) TACIT_PRINTF(1, 2);

/* A context with progress on a terminal after the first second, and Ctrl-C as cancel. */
void cli_context(tacit_context *context, size_t threads);
void progress_done(void);

/* What an attacker could come to believe from a private policy; nothing for another. */
void print_beliefs(const tacit_policy *policy);
json_t *beliefs_json(const tacit_policy *policy); /* as in the policy file; null without a guarantee */
/* Text for people, broken at spaces into lines that fit a page. */
void print_wrapped(const char *text);
/* One JSON object on standard output; takes the reference. Returns the exit code. */
int print_json(json_t *json);
/* Fails with 5 when what was printed did not reach its file (a full disk, a closed pipe). */
int flushed(int exit_code);

/* The ledger that pays for a release: one per user, made when it is missing, unless the command names one,
   which must be there. */
typedef struct wallet {
  const char *path;   /* --ledger; NULL for the user's own */
  const char *label;  /* --label; NULL for "default" */
  const char *period; /* --period; NULL: not said */
  size_t wait;        /* --wait, seconds */
  const char *out;    /* what will be written, which must not be the ledger; may be NULL */
  bool result_rows;   /* --result-rows */
  tacit_payment payment;
  char date[32]; /* now, as UTC */
} wallet;
/* Opens the ledger and asks whether it covers mu (0: not known yet); spends nothing. Returns -1, or the exit
   code. */
int wallet_open(wallet *w, double mu, const char *method, const tacit_schema *schema,
                tacit_adjacency adjacency);
void wallet_close(wallet *w);
/* What the ledger says once it has paid, as a line and as JSON; nothing and null when it has not. */
void wallet_print(const wallet *w);
json_t *wallet_json(const wallet *w);
/* Says on standard error that the budget is gone although nothing was released. */
void wallet_regret(const wallet *w);
/* What kind of rows a unit's are, to be put behind their number. */
const char *rows_kind(const tacit_unit *unit);
/* Where the user's own ledger is; its folders are made if `make` is set. To be freed; NULL after a message.
 */
char *own_ledger(bool make);
#define WALLET_LABEL "default" /* of who gives no --label */
/* Seconds to wait for a ledger in use, when a command is not told. */
enum { WAIT_DEFAULT = 30 };
int wait_ms(size_t seconds);
/* Numbers as texts of so many digits, what was spent or promised upwards and what is left downwards; a
   budget, which is both, and what an entry says in full; rounding.c. */
enum { ROUNDED_SIZE = 32 };
const char *rounded_up(char text[ROUNDED_SIZE], int digits, double value);
const char *rounded_down(char text[ROUNDED_SIZE], int digits, double value);
const char *in_full(char text[ROUNDED_SIZE], double value);
void date_now(char text[32]);

/* The processes that mpirun has started together; one, without MPI, when it has not. ranks_open returns -1,
   or the exit code. ranks_close gives its argument, the exit code, back, and ends ranks that wait for this
   one if it is not 0. */
long ranks_started(void); /* how many a launcher says it has started; 1 without one */
int ranks_open(tacit_ranks *ranks);
int ranks_close(int code);
/* The path with %r replaced by the rank's number where there are several; *own says whether there was one. To
   be freed; NULL without memory. */
char *ranks_path(const tacit_ranks *ranks, const char *path, bool *own);
/* A study's table with its notes, for people or as JSON; its files go to the folder, which is there, or
   nowhere if it is NULL. Returns the exit code. */
int print_report(const tacit_report *report, const char *folder, bool json);
double seconds_now(void *user); /* of the processor, spent by this program */

/* A number that is enclosed, as a line; account_sgd.c. */
void print_range(const char *name, tacit_interval x);
/* On standard error, where a target is called sales or the like; sales.c. */
void warn_of_sales(const tacit_schema *schema);
/* On standard error, where a plan is made for a target of which days sold out. */
void say_plan_is_of_demand(const tacit_schema *schema);

int run_fit(int argc, char **argv);
int run_order(int argc, char **argv);
int run_audit(int argc, char **argv);
int run_evaluate(int argc, char **argv);
int run_verify(int argc, char **argv);
int run_plan(int argc, char **argv);
int run_account(int argc, char **argv);
int run_account_objective(int argc, char **argv);
int run_calibrate_objective(int argc, char **argv);
int run_account_published(int argc, char **argv);
int run_account_sgd(int argc, char **argv);
int run_account_compose(int argc, char **argv);
int run_account_tradeoff(int argc, char **argv); /* parts of account and of account calibrate */
int run_calibrate_sgd(int argc, char **argv);
int run_ledger(int argc, char **argv);
int run_keys(int argc, char **argv);
int run_simulate(int argc, char **argv);
int run_reproduce(int argc, char **argv);
int run_pack(int argc, char **argv);
int run_split(int argc, char **argv);
int run_spo(int argc, char **argv);
int run_impact(int argc, char **argv);
int run_bounds(int argc, char **argv);
int run_schema(int argc, char **argv);

#endif
