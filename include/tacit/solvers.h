/* The solvers: OpenBLAS, LAPACKE and Clp. */
#ifndef TACIT_SOLVERS_H
#define TACIT_SOLVERS_H

#include <tacit/base.h>

TACIT_BEGIN

/* Finds OpenBLAS, LAPACKE and Clp where the program was linked without them. Learning does it by itself where
   it needs them; this is for those who would know beforehand. Fails without Clp, which polytopes need, and
   exact quantile regression where the interior point alone finds no proof. Without OpenBLAS and LAPACKE the
   library computes for itself, and learning without privacy from hundreds of columns takes longer. */
TACIT_API tacit_status tacit_load_solvers(tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
