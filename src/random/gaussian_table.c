/* Holds the generated table in one place. */
#include "random/gaussian_table.h"

#include "gaussian_table.inc"
