#!/bin/sh
# Runs clang-tidy on the sources of the program: tidy.sh UNITY_BUILD_FOLDER JOBS. Checks each unity source as one unit,
# because most of the time is spent on headers.
set -eu
cmake --build "$1" --target okbench_build_info > /dev/null
# The Highway translation unit is preprocessed once per target in ways that clang-tidy cannot follow.
grep -o '"file": "[^"]*"' "$1/compile_commands.json" | cut -d '"' -f 4 |
  grep -E '/(base|learners|datasets|harness|python)/' | grep -vE '/tests/|/bench/|kernels/internal/ops.cpp|/registry.cpp' |
  xargs -P "$2" -n 1 clang-tidy --quiet -p "$1" --checks=-bugprone-suspicious-include --extra-arg=-Wno-unknown-warning-option
