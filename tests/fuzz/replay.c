/* Runs a fuzz target's entry function on files, without libFuzzer: the corpus as a test. usage: replay
 * FILE... */
#include "fuzz/target.h"

#include <stdio.h>
#include <stdlib.h>

static int run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return perror(path), 1;
  size_t capacity = 1 << 22, length;
  uint8_t *bytes = malloc(capacity);
  if (!bytes) return fclose(file), 1;
  length = fread(bytes, 1, capacity, file);
  fclose(file);
  uint8_t *exact =
      malloc(length ? length : 1); /* no byte beyond the end, so that a sanitizer sees every reach */
  if (!exact) return free(bytes), 1;
  for (size_t i = 0; i < length; i++) exact[i] = bytes[i];
  free(bytes);
  LLVMFuzzerTestOneInput(exact, length);
  free(exact);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return fputs("usage: replay FILE...\n", stderr), 2;
  for (int i = 1; i < argc; i++)
    if (run_file(argv[i])) return 1;
  printf("%d files\n", argc - 1);
  return 0;
}
