#!/bin/sh
# Runs clang-tidy over the product's sources: tidy.sh UNITY_BUILD_FOLDER JOBS. Sources that are compiled as one are
# checked as one: walking the headers is most of the work.
set -eu
cmake --build "$1" --target okbench_build_info > /dev/null
# The Highway translation unit is preprocessed once per target in ways that clang-tidy cannot follow.
grep -o '"file": "[^"]*"' "$1/compile_commands.json" | cut -d '"' -f 4 |
  grep -E '/(learners|datasets|harness|python)/' | grep -vE '/tests/|/bench/|kernels/internal/ops.cpp|/registry.cpp' |
  xargs -P "$2" -n 1 clang-tidy --quiet -p "$1" --checks=-bugprone-suspicious-include --extra-arg=-Wno-unknown-warning-option
