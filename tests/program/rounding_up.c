// Sets rounding upward before main(), as a library of another program might.
#include <fenv.h>

__attribute__((constructor)) static void RoundUp(void) { fesetround(FE_UPWARD); }
