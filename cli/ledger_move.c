/* tacit ledger move: the user's word that a ledger that was moved, copied or restored is the one to go on
   with. */
#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>

static int report(const tacit_ledger *ledger, const char *path, bool json) {
  if (json)
    return print_json(json_pack("{s:s, s:s, s:I, s:s}", "ledger", path, "id", tacit_ledger_id(ledger),
                                "sequence", (json_int_t)tacit_ledger_sequence(ledger), "head",
                                tacit_ledger_head(ledger)));
  printf("The ledger %s is at home where it is now.\n", path);
  ledger_print_heading();
  for (size_t i = 0; i < tacit_ledger_labels(ledger); i++) {
    tacit_ledger_total total = tacit_ledger_total_at(ledger, i);
    ledger_print_total(&total);
  }
  printf("Whether something that was spent is missing, its policies tell: tacit ledger show --check POLICY "
         "...\n");
  return flushed(0);
}

int run_ledger_move(int argc, char **argv) {
  bool json = false;
  size_t wait = WAIT_DEFAULT;
  const char *given = NULL;
  const option options[] = {
      {"wait", OPTION_COUNT, &wait, "S", "seconds to wait for a ledger in use (default 30)", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "ledger move [L.db]",
          .about = "Goes on with a ledger that was moved, copied, restored or mounted elsewhere: it is\n"
                   "spent from where it is now. There must be no other copy of it that is spent from, and\n"
                   "nothing that was spent may be missing. Without L.db: your own ledger.",
          .options = options,
          .option_count = 2,
          .arguments = &given,
          .most = 1},
      argc, argv);
  if (code >= 0) return code;
  char *path = ledger_path(given, false);
  if (!path) return TACIT_REFUSED;
  tacit_error error;
  tacit_ledger *ledger = NULL;
  tacit_status status = tacit_ledger_open(path, TACIT_LEDGER_MOVE, wait_ms(wait), &ledger, &error);
  code = status == TACIT_OK ? report(ledger, path, json) : fail(status, &error);
  tacit_ledger_close(ledger);
  free(path);
  return code;
}
