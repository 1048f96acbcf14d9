#!/bin/sh
# Runs one step of a make target quietly: step.sh LOG NAME COMMAND... appends all output to LOG and prints one line with the
# duration and the last line of output. If the step fails, prints the end of its output and returns its exit status.
set -u
log=$1 name=$2
shift 2
mkdir -p "$(dirname "$log")"
echo "== $name: $*" >> "$log"
before=$(wc -c < "$log")
start=$(date +%s)
status=0
"$@" >> "$log" 2>&1 || status=$?
output() { tail -c "+$((before + 1))" "$log"; }
last=$(output | grep . | tail -n 1 | tr -d '\r' | cut -c 1-100)
printf '%-9s %5d s  %s\n' "$name" "$(($(date +%s) - start))" "$last"
if [ "$status" -ne 0 ]; then
  output | tail -n 120 >&2
  echo "$name failed with status $status; the whole output is in $log" >&2
fi
exit "$status"
