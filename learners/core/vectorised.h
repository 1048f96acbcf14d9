#pragma once
// OKBENCH_VECTORISED before a function definition makes GCC compile it for several instruction sets. The
// program chooses one when it starts. Loops with independent lanes then use wide vectors. The bits stay the
// same, because no compiler option allows another order of a sum or a fused multiplication and addition.
// Other compilers ignore it.

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)
#define OKBENCH_VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define OKBENCH_VECTORISED
#endif
