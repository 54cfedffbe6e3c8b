/* The functions of OpenBLAS, LAPACKE and Clp: linked ones, or else the libraries are loaded, OpenBLAS first
   and for all, so that the others find its LAPACK, as they do when linked. */
#define TACIT_SOLVERS_THEMSELVES
#include "num/solvers.h"

#include "base/base.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <tacit/solvers.h>
#include <threads.h>

/* Weak: null where the program was linked without them. */
#define DECLARE_WEAK(name) extern __typeof__(name)(name) __attribute__((weak));
TACIT_ALGEBRA_FUNCTIONS(DECLARE_WEAK)
TACIT_CLP_FUNCTIONS(DECLARE_WEAK)

static tacit_solvers table;
static bool algebra, clp;

#define CHECK_LINKED(name) all = all && (table.name##_at = &(name));
#define FIND(name) all = all && (*(void **)&table.name##_at = dlsym(everything, #name));

static bool load(const char *name, const char *other) {
  return dlopen(name, RTLD_LAZY | RTLD_GLOBAL) || dlopen(other, RTLD_LAZY | RTLD_GLOBAL);
}

static bool find_algebra(void) {
#ifdef TACIT_SMALL_ALGEBRA
  return false;
#endif
  bool all = true;
  TACIT_ALGEBRA_FUNCTIONS(CHECK_LINKED)
  if (all) return true;
  if (!load("libopenblas.so.0", "libopenblas.so") || !load("liblapacke.so.3", "liblapacke.so")) return false;
  void *everything = dlopen(NULL, RTLD_LAZY);
  all = everything != NULL;
  TACIT_ALGEBRA_FUNCTIONS(FIND)
  return all;
}

static void look_for_algebra(void) {
  algebra = find_algebra();
}

bool tacit_have_algebra(void) {
  static once_flag once = ONCE_FLAG_INIT;
  call_once(&once, look_for_algebra);
  return algebra;
}

static bool find_clp(void) {
#ifdef TACIT_SMALL_ALGEBRA
  return false;
#endif
  bool all = true;
  TACIT_CLP_FUNCTIONS(CHECK_LINKED)
  if (all) return true;
  (void)tacit_have_algebra(); /* first, so that Clp finds its LAPACK there */
  if (!load("libClp.so.1", "libClp.so")) return false;
  void *everything = dlopen(NULL, RTLD_LAZY);
  all = everything != NULL;
  TACIT_CLP_FUNCTIONS(FIND)
  return all;
}

static void look_for_clp(void) {
  clp = find_clp();
}

bool tacit_have_clp(void) {
  static once_flag once = ONCE_FLAG_INIT;
  call_once(&once, look_for_clp);
  return clp;
}

const tacit_solvers *tacit_solvers_table(void) {
  return &table;
}

tacit_status tacit_load_solvers(tacit_error *error) {
  (void)tacit_have_algebra();
  if (tacit_have_clp()) return TACIT_OK;
  return tacit_fail(
      error, TACIT_INTERNAL,
      "linear programs need libClp, which is not installed, or too old (Debian: coinor-libclp1)");
}
