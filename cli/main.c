/* tacit: the command line. One file per command; this one finds it. */
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static const command COMMANDS[] = {
    {"schema", "draft the public facts about a table, and check them", run_schema},
    {"plan", "what privacy will cost, before any row is read", run_plan},
    {"fit", "learn a private policy from a table", run_fit},
    {"order", "decide with a policy, row by row", run_order},
    {"evaluate", "what a policy costs on rows whose demand is known", run_evaluate},
    {"verify", "recompute a policy's guarantee from the file alone", run_verify},
    {"account", "privacy arithmetic: convert, compose, calibrate", run_account},
    {"ledger", "what each population of records has spent: open, show, export", run_ledger},
    {"keys", "a pair of keys, to sign policies and to check them", run_keys},
    {"audit", "attack a learner's promise, and bound it from below", run_audit},
    {"simulate", "the papers' data and a restaurant, as CSV", run_simulate},
    {"spo", "predict-then-optimize: fit, decide, evaluate", run_spo},
    {"reproduce", "a published table beside ours", run_reproduce},
    {"split", "a table in two: one part to learn from, one to evaluate on", run_split},
    {"pack", "a table as a file that fit reads without parsing", run_pack},
    {"bounds", "what the papers' theorems promise, with every constant", run_bounds},
    {"impact", "what private ordering does to a supply chain", run_impact},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

static void print_commands(FILE *to) {
  fputs("tacit learns decisions from sensitive records and gives away only the decision rule.\n\n"
        "usage: tacit COMMAND ...\n\n"
        "From a table to orders:\n"
        "  tacit schema draft T.csv --out s.json    then fill in what it asks, from what is public\n"
        "  tacit schema check s.json T.csv          what the schema makes of the table\n"
        "  tacit ledger open --label L --mu 1       a budget for the people in it\n"
        "  tacit fit T.csv --schema s.json --underage 3 --overage 1 --mu 0.5 --label L --out p.json\n"
        "  tacit evaluate p.json LATER.csv          what its orders would have cost\n"
        "  tacit order p.json TOMORROW.csv          what to order\n\n",
        to);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    fprintf(to, "  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
  fputs("\nEach command has --help and --json, which prints one machine-readable object.\n"
        "Exit codes: 0 done, 1 check failed, 2 usage, 3 bad input, 4 refused, 5 internal.\n",
        to);
}

static const command *find_command(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (!strcmp(name, COMMANDS[i].name)) return &COMMANDS[i];
  return NULL;
}

/* tacit help, or tacit help COMMAND ..., which is the command's own --help. */
static int print_help(int argc, char **argv) {
  const command *asked = argc > 2 ? find_command(argv[2]) : NULL;
  if (argc > 2 && !asked) return usage_error("no command \"%s\"; see tacit --help", argv[2]);
  if (!asked) {
    print_commands(stdout);
    return flushed(0);
  }
  char help[] = "--help", *words[] = {argv[2], argc > 3 ? argv[3] : help, help, NULL};
  return asked->run(argc > 3 ? 3 : 2, words);
}

/* Rows, keys and noise must not end up in a core dump. A limit of 1 byte, unlike 0, also stops dumps that the
   system hands to a program. */
static void leave_no_core(void) {
  const struct rlimit none = {1, 1}, zero = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) (void)setrlimit(RLIMIT_CORE, &zero);
}

/* What the papers reproduce needs linear programs, and better knows before hours of work. The others ask for
   them where they do; most never need them. */
static int find_solvers(int (*run)(int, char **)) {
  tacit_error error;
  if (run != run_reproduce) return -1;
  tacit_status status = tacit_load_solvers(&error);
  return status == TACIT_OK ? -1 : fail(status, &error);
}

int main(int argc, char **argv) {
  leave_no_core();
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, not a silent death, */
  signal(SIGXFSZ, SIG_IGN); /* and so is a limit on the size of files */
  if (argc < 2) {
    print_commands(stderr);
    return TACIT_USAGE;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) return print_help(argc, argv);
  if (!strcmp(argv[1], "--version")) {
    printf("tacit %s\n", tacit_version());
    return flushed(0);
  }
  const command *asked = find_command(argv[1]);
  if (asked) {
    /* any other command would do its work, and spend its budget, several times */
    if (asked->run != run_fit && ranks_started() > 1)
      return usage_error("only fit runs under mpirun; start tacit %s once", argv[1]);
    int code = find_solvers(asked->run);
    return code >= 0 ? code : asked->run(argc - 1, argv + 1);
  }
  const char *near = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    size_t distance = tacit_spelling_distance(argv[1], COMMANDS[i].name);
    if (distance < least) least = distance, near = COMMANDS[i].name;
  }
  if (near) return usage_error("no command \"%s\"; did you mean %s? See tacit --help", argv[1], near);
  return usage_error("no command \"%s\"; see tacit --help", argv[1]);
}
