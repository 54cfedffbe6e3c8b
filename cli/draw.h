/* Pictures of reports and plans. Where an int is returned it is -1 to go on, or the exit code after a
 * message.
 */
#ifndef TACIT_CLI_DRAW_H
#define TACIT_CLI_DRAW_H

#include "cli.h"
#include "plot.h"

/* The pictures by the name of the table that they show; up to one without a name. */
extern const picture zhao_pictures[], chen_pictures[], other_pictures[];

/* What a report has left in its folder. */
typedef struct drawn {
  json_t *files;  /* their names, an array; NULL: none were written */
  bool to_draw;   /* there are pictures of it */
  bool all_drawn; /* false where gnuplot is missing or failed: its scripts are there all the same */
} drawn;
/* NAME.csv of each of the report's tables and, where there is a picture of it, NAME.gp and NAME.png. The
   folder is there; what->files is the caller's. */
int draw_report(const tacit_report *report, const char *folder, drawn *what);

/* FILE.png or FILE.svg of a plan: percent against mu, one line for each number of rows. The check, before a
   plan is made, refuses a name that cannot be written; *all_drawn as above. */
int draw_plan_check(const char *path);
int draw_plan(const char *path, const tacit_plan_result *result, bool *all_drawn);

#endif
