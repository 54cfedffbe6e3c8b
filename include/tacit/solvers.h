/* The solvers: OpenBLAS, LAPACKE and Clp. */
#ifndef TACIT_SOLVERS_H
#define TACIT_SOLVERS_H

#include <tacit/base.h>

TACIT_BEGIN

/* Finds OpenBLAS, LAPACKE and Clp, which learning needs, where the program was linked without them; learning
   does it by itself, but cannot say so when they are missing. */
TACIT_API tacit_status tacit_load_solvers(tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
