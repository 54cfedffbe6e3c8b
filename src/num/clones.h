/* TACIT_CLONES before a function builds it for AVX-512, AVX2 and the baseline; the loader picks one at
   start-up. Results are the same bits in all three, because nothing here is contracted or reassociated. */
#ifndef TACIT_SRC_CLONES_H
#define TACIT_SRC_CLONES_H

/* clang 14 gives the dispatching symbol another name, which other files then do not find. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)
#define TACIT_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TACIT_CLONES
#endif

#endif
