/* Several processes started by mpirun: loads the module for MPI, which only they need. */
#include "cli.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char MODULE[] = "tacit-mpi.so";

static void *module;

long ranks_started(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    long count = value ? strtol(value, NULL, 10) : 0;
    if (count > 0) return count;
  }
  return 1;
}

/* Beside the program, or where `make install` puts it. */
static void *load(void) {
  static const char *const places[] = {"", "../lib/tacit/"};
  char program[PATH_MAX], path[PATH_MAX + 64];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return NULL;
  program[length] = 0;
  char *slash = strrchr(program, '/');
  if (!slash) return NULL;
  slash[1] = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%s%s%s", program, places[i], MODULE);
    /* global: MPI loads modules of its own, which look for its symbols */
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (handle) return handle;
  }
  return NULL;
}

int ranks_open(tacit_ranks *ranks) {
  *ranks = (tacit_ranks){.count = 1};
  long count = ranks_started();
  if (count == 1) return -1;
  module = load();
  tacit_status (*open)(tacit_ranks *, tacit_error *) = NULL;
  if (module) *(void **)&open = dlsym(module, "tacit_mpi_open");
  if (!open)
    return usage_error("started %ld times by mpirun, but this build has no MPI; install Open MPI "
                       "(libopenmpi-dev) and build again, or start tacit once",
                       count);
  tacit_error error;
  tacit_status status = open(ranks, &error);
  return status == TACIT_OK ? -1 : fail(status, &error);
}

int ranks_close(int code) {
  void (*close)(int) = NULL;
  if (module) *(void **)&close = dlsym(module, "tacit_mpi_close");
  if (close) close(code);
  module = NULL; /* stays loaded: MPI does not like to be unloaded */
  return code;
}

char *ranks_path(const tacit_ranks *ranks, const char *path, bool *own) {
  char number[24];
  snprintf(number, sizeof number, "%zu", ranks->rank);
  size_t places = 0;
  for (const char *p = strstr(path, "%r"); p; p = strstr(p + 2, "%r")) places++;
  *own = places > 0;
  char *name = malloc(strlen(path) + places * sizeof number + 1), *out = name;
  for (const char *p = path; name && *p;) {
    if (ranks->count > 1 && p[0] == '%' && p[1] == 'r') {
      out += sprintf(out, "%s", number);
      p += 2;
    } else {
      *out++ = *p++;
    }
  }
  if (name) *out = 0;
  return name;
}
