/* What the module for MPI offers to the program that loads it. */
#ifndef TACIT_MPI_H
#define TACIT_MPI_H

#include <tacit/base.h>

TACIT_API tacit_status tacit_mpi_open(tacit_ranks *ranks, tacit_error *error);
/* With the exit code: if it is not 0 and other ranks wait for this one, they are ended. */
TACIT_API void tacit_mpi_close(int code);

#endif
