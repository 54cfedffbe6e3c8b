/* OpenBLAS, LAPACKE and Clp: their functions by their own names, through a table that is filled on first use.
   Where they are linked in, as in the shared library and the tests, the table holds those; the program is not
   linked with them and loads them when a command needs one, since loading them takes longer than an
   accountant's answer. Without OpenBLAS and LAPACKE there is num/dense.h; nothing takes Clp's place. */
#ifndef TACIT_SRC_SOLVERS_H
#define TACIT_SRC_SOLVERS_H

#include <cblas.h>
#include <coin/Clp_C_Interface.h>
#include <lapacke.h>
#include <stdbool.h>

#define TACIT_ALGEBRA_FUNCTIONS(use)                                                                         \
  use(cblas_ddot) use(cblas_dnrm2) use(cblas_dscal) use(cblas_dsyrk) use(cblas_dtrsm) use(cblas_dtrsv)       \
      use(LAPACKE_dgelsd) use(LAPACKE_dgeqp3) use(LAPACKE_dgeqrf) use(LAPACKE_dgesv) use(LAPACKE_dormqr)     \
          use(LAPACKE_dposv) use(LAPACKE_dpotrf) use(LAPACKE_dpotrs)

#define TACIT_CLP_FUNCTIONS(use)                                                                             \
  use(Clp_columnUpper) use(Clp_deleteModel) use(Clp_dual) use(Clp_getColSolution) use(Clp_getColumnStatus)   \
      use(Clp_getReducedCost) use(Clp_getRowPrice) use(Clp_loadProblem) use(Clp_newModel) use(Clp_objective) \
          use(Clp_primal) use(Clp_rowLower) use(Clp_setDualTolerance) use(Clp_setLogLevel)                   \
              use(Clp_setMaximumIterations) use(Clp_setPrimalTolerance) use(Clp_status)

typedef struct tacit_solvers {
#define TACIT_SOLVER_FIELD(name) __typeof__(&(name)) name##_at;
  TACIT_ALGEBRA_FUNCTIONS(TACIT_SOLVER_FIELD)
  TACIT_CLP_FUNCTIONS(TACIT_SOLVER_FIELD)
#undef TACIT_SOLVER_FIELD
} tacit_solvers;

/* Whether the functions of OpenBLAS and LAPACKE are there, all of them, and those of Clp; looks for them on
   the first call. */
bool tacit_have_algebra(void);
bool tacit_have_clp(void);

/* The table, for those who have asked whether what they want is there; of what is not, the functions are
 * null.
 */
const tacit_solvers *tacit_solvers_table(void);

#ifndef TACIT_SOLVERS_THEMSELVES
#define cblas_ddot (tacit_solvers_table()->cblas_ddot_at)
#define cblas_dnrm2 (tacit_solvers_table()->cblas_dnrm2_at)
#define cblas_dscal (tacit_solvers_table()->cblas_dscal_at)
#define cblas_dsyrk (tacit_solvers_table()->cblas_dsyrk_at)
#define cblas_dtrsm (tacit_solvers_table()->cblas_dtrsm_at)
#define cblas_dtrsv (tacit_solvers_table()->cblas_dtrsv_at)
#define LAPACKE_dgelsd (tacit_solvers_table()->LAPACKE_dgelsd_at)
#define LAPACKE_dgeqp3 (tacit_solvers_table()->LAPACKE_dgeqp3_at)
#define LAPACKE_dgeqrf (tacit_solvers_table()->LAPACKE_dgeqrf_at)
#define LAPACKE_dgesv (tacit_solvers_table()->LAPACKE_dgesv_at)
#define LAPACKE_dormqr (tacit_solvers_table()->LAPACKE_dormqr_at)
#define LAPACKE_dposv (tacit_solvers_table()->LAPACKE_dposv_at)
#define LAPACKE_dpotrf (tacit_solvers_table()->LAPACKE_dpotrf_at)
#define LAPACKE_dpotrs (tacit_solvers_table()->LAPACKE_dpotrs_at)
#define Clp_columnUpper (tacit_solvers_table()->Clp_columnUpper_at)
#define Clp_deleteModel (tacit_solvers_table()->Clp_deleteModel_at)
#define Clp_dual (tacit_solvers_table()->Clp_dual_at)
#define Clp_getColSolution (tacit_solvers_table()->Clp_getColSolution_at)
#define Clp_getColumnStatus (tacit_solvers_table()->Clp_getColumnStatus_at)
#define Clp_getReducedCost (tacit_solvers_table()->Clp_getReducedCost_at)
#define Clp_getRowPrice (tacit_solvers_table()->Clp_getRowPrice_at)
#define Clp_loadProblem (tacit_solvers_table()->Clp_loadProblem_at)
#define Clp_newModel (tacit_solvers_table()->Clp_newModel_at)
#define Clp_objective (tacit_solvers_table()->Clp_objective_at)
#define Clp_primal (tacit_solvers_table()->Clp_primal_at)
#define Clp_rowLower (tacit_solvers_table()->Clp_rowLower_at)
#define Clp_setDualTolerance (tacit_solvers_table()->Clp_setDualTolerance_at)
#define Clp_setLogLevel (tacit_solvers_table()->Clp_setLogLevel_at)
#define Clp_setMaximumIterations (tacit_solvers_table()->Clp_setMaximumIterations_at)
#define Clp_setPrimalTolerance (tacit_solvers_table()->Clp_setPrimalTolerance_at)
#define Clp_status (tacit_solvers_table()->Clp_status_at)
#endif

#endif
