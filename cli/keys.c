/* tacit keys: a pair of keys, to sign policies with and to check them by. */
#include "cli.h"

#include <stdio.h>

int run_keys(int argc, char **argv) {
  const char *out = NULL;
  bool json = false;
  const option options[] = {
      {"out", OPTION_TEXT, &out, "NAME", "writes NAME.secret and NAME.public (needed)", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){.usage = "keys --out NAME",
                      .about =
                          "Makes a pair of keys: fit --sign NAME.secret signs a policy, verify --public-key\n"
                          "NAME.public tells whether it was. Keep the secret one to yourself.",
                      .options = options,
                      .option_count = 2},
      argc, argv);
  if (code >= 0) return code;
  if (!out || !*out) return usage_error("--out is needed: the name of the two files");
  tacit_error error;
  char secret[4096], public[4096], key[TACIT_KEY_TEXT];
  if (snprintf(secret, sizeof secret, "%s.secret", out) >= (int)sizeof secret)
    return usage_error("--out is too long");
  snprintf(public, sizeof public, "%s.public", out);
  tacit_status status = tacit_keys_make(secret, public, key, &error);
  if (status != TACIT_OK) return fail(status, &error);
  if (json)
    return print_json(json_pack("{s:s, s:s, s:s}", "secret", secret, "public", public, "public_key", key));
  printf("written: %s (keep it to yourself), %s\npublic key: %s\n", secret, public, key);
  return flushed(0);
}
