/* tacit spo: predict-then-optimize. One file per part; this one finds it. */
#include "spo.h"

#include <stdio.h>
#include <string.h>

tacit_status read_region_policy(const char *path, const char *instead, tacit_policy **policy,
                                tacit_error *error) {
  tacit_status status = tacit_policy_read(path, policy, error);
  if (status != TACIT_OK || tacit_policy_region(*policy)) return status;
  tacit_policy_free(*policy);
  *policy = NULL;
  snprintf(error->text, sizeof error->text, "this policy orders quantities and has no region: use tacit %s",
           instead);
  return TACIT_BAD_INPUT;
}

int run_spo(int argc, char **argv) {
  static const command parts[] = {
      {"fit", "learn a private rule for decisions over a region", run_spo_fit},
      {"decide", "decide with it, row by row", run_spo_decide},
      {"evaluate", "what its decisions cost on rows whose costs are known", run_spo_evaluate},
  };
  enum { PARTS = sizeof parts / sizeof *parts };
  for (size_t i = 0; argc > 1 && i < PARTS; i++)
    if (!strcmp(argv[1], parts[i].name)) return parts[i].run(argc - 1, argv + 1);
  bool help = argc > 1 && !strcmp(argv[1], "--help");
  fprintf(help ? stdout : stderr, "usage: tacit spo fit|decide|evaluate ...\n\n");
  for (size_t i = 0; i < PARTS; i++)
    fprintf(help ? stdout : stderr, "  %-10s %s\n", parts[i].name, parts[i].summary);
  return help ? flushed(0) : TACIT_USAGE;
}
