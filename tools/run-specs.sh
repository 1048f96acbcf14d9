#!/bin/sh
# Runs specs on the data that they can use here: run-specs.sh OKBENCH RESULTS TIER GENERALISE [OPTION...] -- SPEC...
# - specs with files: their trials on these files, in RESULTS;
# - specs with real data in place of missing files (with GENERALISE, all that can be replaced): in RESULTS-replaced-data;
# - other specs: synthetic data at the quick tier, because nothing is judged on them, in RESULTS.
# Returns the largest status. Failed trials on replacing data are in its table of verdicts and do not count.
# shellcheck disable=SC2086  # lists of words without blanks
set -u
okbench=$1 results=$2 tier=$3 generalise=${4:+--generalise}
shift 4
options=
while [ "$1" != -- ]; do options="$options $1" && shift; done
shift
all=$*
status=0
run() { # KIND OPTION...
  kind=$1 && shift
  specs=$("$okbench" data missing --list "$kind" $generalise --specs $all) || exit
  [ -n "$specs" ] || return 0
  "$okbench" run $specs "$@" $options
}
worst() { [ "$1" -le "$status" ] || status=$1; }
run named --tier "$tier" --out "$results" --no-synthetic || worst $?
[ "$status" -le 1 ] || exit "$status"
run synthetic --tier quick --out "$results" || worst $?
[ "$status" -le 1 ] || exit "$status"
run replaced --tier "$tier" --out "$results-replaced-data" --replace --no-synthetic || { last=$?; [ "$last" -eq 1 ] || worst "$last"; }
exit "$status"
