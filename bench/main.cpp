#include <benchmark/benchmark.h>

#include "learners/core/contained.h"

int main(int argc, char** argv) {
  okbench::ServeContained(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
