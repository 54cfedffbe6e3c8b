/* What the parts of `tacit ledger` share. */
#ifndef TACIT_CLI_LEDGER_H
#define TACIT_CLI_LEDGER_H

#include "cli.h"

/* The named ledger or the user's own; to be freed. NULL after a message. */
char *ledger_path(const char *given, bool make);
/* A label's figures for machines, and as a line of a table for people. */
json_t *ledger_total_json(const tacit_ledger_total *total);
void ledger_print_heading(void);
void ledger_print_total(const tacit_ledger_total *total);

int run_ledger_show(int argc, char **argv);
int run_ledger_export(int argc, char **argv);
int run_ledger_move(int argc, char **argv);

#endif
