/* Releases of unlike kinds as texts of the command line. */
#ifndef TACIT_CLI_RELEASES_H
#define TACIT_CLI_RELEASES_H

#include "cli.h"

enum { RELEASES_MAX = 64 };
typedef struct releases {
  tacit_bundled list[RELEASES_MAX];
  size_t count;
} releases;

/* What --help says of a release's text. */
void releases_help(void);
/* Adds what one text says: fields joined by commas, alternatives by slashes. Returns -1, or the exit code. */
int releases_add(releases *to, const char *text);
int releases_add_gaussian(releases *to, double mu);
/* All of them, from --release. */
int releases_from(releases *to, const pairs *texts);
/* All Gaussian, each made for certain. */
bool releases_gaussian(const releases *r);
/* A word of warning where a promise of mu says next to nothing; "" elsewhere. */
const char *mu_warning(double mu);

#endif
