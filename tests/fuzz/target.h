/* What every fuzz target has: libFuzzer's entry function, and a promise that stops the run when it is broken.
 */
#ifndef TACIT_TESTS_FUZZ_TARGET_H
#define TACIT_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A crash is what a fuzzer looks for. */
#define MUST(fact)                                                                                           \
  do {                                                                                                       \
    if (!(fact)) __builtin_trap();                                                                           \
  } while (0)

#endif
