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
TACIT_SOLVER_FUNCTIONS(DECLARE_WEAK)

static const char *const LIBRARIES[][2] = {{"libopenblas.so.0", "libopenblas.so"},
                                           {"liblapacke.so.3", "liblapacke.so"},
                                           {"libClp.so.1", "libClp.so"}};
enum { LIBRARY_COUNT = sizeof LIBRARIES / sizeof *LIBRARIES };

static tacit_solvers table;
static bool complete;

static bool linked(void) {
  bool all = true;
#define CHECK_LINKED(name) all = all && (table.name##_at = &(name));
  TACIT_SOLVER_FUNCTIONS(CHECK_LINKED)
  return all;
}

static bool load(void) {
  for (size_t i = 0; i < LIBRARY_COUNT; i++)
    if (!dlopen(LIBRARIES[i][0], RTLD_LAZY | RTLD_GLOBAL) &&
        !dlopen(LIBRARIES[i][1], RTLD_LAZY | RTLD_GLOBAL))
      return false;
  void *everything = dlopen(NULL, RTLD_LAZY);
  bool all = everything != NULL;
#define FIND(name) all = all && (*(void **)&table.name##_at = dlsym(everything, #name));
  TACIT_SOLVER_FUNCTIONS(FIND)
  return all;
}

static void fill(void) {
  complete = linked() || load();
}

static bool filled(void) {
  static once_flag once = ONCE_FLAG_INIT;
  call_once(&once, fill);
  return complete;
}

const tacit_solvers *tacit_solvers_table(void) {
  if (!filled()) abort();
  return &table;
}

tacit_status tacit_load_solvers(tacit_error *error) {
  if (filled()) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL, "libopenblas, liblapacke or libClp is not installed, or too old");
}
