/* Ranks over MPI, as a module that the program loads when mpirun has started it: nobody else needs MPI. */
#include "tacit_mpi.h"

#include <mpi.h>
#include <stdio.h>
#include <time.h>

static tacit_status failed(tacit_error *error) {
  if (error) snprintf(error->text, sizeof error->text, "the ranks lost touch with each other");
  return TACIT_INTERNAL;
}

static tacit_status sum_over_ranks(void *user, uint64_t *values, size_t count, tacit_error *error) {
  (void)user;
  int code = MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return code == MPI_SUCCESS ? TACIT_OK : failed(error);
}

static tacit_status share_from_first(void *user, void *bytes, size_t count, tacit_error *error) {
  (void)user;
  int code = MPI_Bcast(bytes, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD);
  return code == MPI_SUCCESS ? TACIT_OK : failed(error);
}

tacit_status tacit_mpi_open(tacit_ranks *ranks, tacit_error *error) {
  int rank, count, level;
  /* threads of ours work between calls, never in them */
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
      MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
      MPI_Comm_size(MPI_COMM_WORLD, &count) != MPI_SUCCESS)
    return failed(error);
  *ranks = (tacit_ranks){
      .rank = (size_t)rank, .count = (size_t)count, .sum = sum_over_ranks, .share = share_from_first};
  return TACIT_OK;
}

/* Whether all ranks come to their end within a few seconds. */
static int all_arrive(void) {
  enum { TRIES = 300 };
  MPI_Request request;
  int done = 0;
  if (MPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS) return 0;
  for (int i = 0; i < TRIES && !done; i++) {
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 0;
    if (!done) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  return done;
}

/* A rank that has failed may have others waiting for it: they are not left waiting. */
void tacit_mpi_close(int code) {
  if (code != 0 && !all_arrive()) MPI_Abort(MPI_COMM_WORLD, code);
  if (code == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
