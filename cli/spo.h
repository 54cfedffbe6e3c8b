/* What the parts of `tacit spo` share. */
#ifndef TACIT_CLI_SPO_H
#define TACIT_CLI_SPO_H

#include "cli.h"

int run_spo_fit(int argc, char **argv);
int run_spo_decide(int argc, char **argv);
int run_spo_evaluate(int argc, char **argv);

/* Reads a policy that decides over a region; another kind is refused with the command for it. */
tacit_status read_region_policy(const char *path, const char *instead, tacit_policy **policy,
                                tacit_error *error) TACIT_CHECKED;

#endif
