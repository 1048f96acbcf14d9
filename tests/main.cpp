#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "learners/core/contained.h"

int main(int argc, char** argv) {
  okbench::ServeContained(argc, argv);
  return Catch::Session().run(argc, argv);
}
