/* Linear programs over {w >= 0 : Aw <= b}, through CLP. Each call makes a model of its own, so several
   threads may ask at once. */
#ifndef TACIT_SRC_POLYTOPE_H
#define TACIT_SRC_POLYTOPE_H

#include "base/base.h"
#include "num/solvers.h"

typedef struct tacit_polytope {
  size_t d, m;
  double *a;           /* m x d by rows, each row scaled so that its largest entry is 1 in size */
  double *b;           /* m, scaled likewise */
  double *most;        /* d: upper bounds on w_j; from tacit_polytope_measure */
  CoinBigIndex *start; /* CLP's columns */
  int *index;
  double *value;
} tacit_polytope;

/* Bounds that hold for every point, whatever CLP's tolerances are (proofs/regions.md). Refuses a polytope
   that is empty, unbounded or without interior. */
tacit_status tacit_polytope_measure(tacit_polytope *polytope, double *diameter, double *reach,
                                    tacit_error *error) TACIT_CHECKED;

/* A model with cost 0; NULL without memory. The caller's, to be given to Clp_deleteModel. */
Clp_Simplex *tacit_polytope_model(const tacit_polytope *polytope);
/* Runs the primal simplex, then the dual if that gives up; CLP's status: 0 optimal, 1 infeasible, 2
 * unbounded.
 */
int tacit_polytope_run(Clp_Simplex *model);

#endif
