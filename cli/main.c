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
        "usage: tacit COMMAND ...\n\n",
        to);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    fprintf(to, "  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
  fputs("\nEach command has --help and --json, which prints one machine-readable object.\n"
        "Exit codes: 0 done, 1 check failed, 2 usage, 3 bad input, 4 refused, 5 internal.\n",
        to);
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
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
    print_commands(stdout);
    return flushed(0);
  }
  if (!strcmp(argv[1], "--version")) {
    printf("tacit %s\n", tacit_version());
    return flushed(0);
  }
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (!strcmp(argv[1], COMMANDS[i].name)) {
      /* any other command would do its work, and spend its budget, several times */
      if (COMMANDS[i].run != run_fit && ranks_started() > 1)
        return usage_error("only fit runs under mpirun; start tacit %s once", argv[1]);
      int code = find_solvers(COMMANDS[i].run);
      return code >= 0 ? code : COMMANDS[i].run(argc - 1, argv + 1);
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
