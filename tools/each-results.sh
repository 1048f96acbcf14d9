#!/bin/sh
# Runs a verb on a result folder, and on that of replacing data beside it if there is one: each-results.sh RESULTS VERB...
set -u
results=$1
shift
for folder in "$results" "$results-replaced-data"; do
  [ ! -d "$folder" ] || "$@" --results "$folder" || exit
done
