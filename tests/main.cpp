#define CATCH_CONFIG_MAIN  // Catch2 version 2 then defines main()
#include "tests/catch.h"

#ifndef CATCH_VERSION_MAJOR
#error "Catch2 defines its version"
#elif CATCH_VERSION_MAJOR >= 3
int main(int count, char** arguments) { return Catch::Session().run(count, arguments); }
#endif
