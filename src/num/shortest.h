/* A number as text: the fewest digits that read back as it. */
#ifndef TACIT_SRC_SHORTEST_H
#define TACIT_SRC_SHORTEST_H

#include <stddef.h>

enum { TACIT_SHORTEST = 48 };
/* Of a whole number below 2^128 all digits; of another the shortest decimal, with a point whatever the
   locale. Returns its length. */
size_t tacit_shortest(double number, char text[TACIT_SHORTEST]);

#endif
