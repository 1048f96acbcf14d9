#!/bin/sh
# Runs one step of a make target quietly: step.sh LOG NAME COMMAND... appends all output to LOG and prints one line with the
# duration and the last line of output. If the step fails, prints the end of its output and returns its exit status.
set -u
log=$1 name=$2
shift 2
mkdir -p "$(dirname "$log")"
part=$(mktemp)
trap 'rm -f "$part"' EXIT
start=$(date +%s)
status=0
"$@" > "$part" 2>&1 || status=$?
{ echo "== $name: $*"; cat "$part"; } >> "$log"
last=$(grep . "$part" | tail -n 1 | tr -d '\r' | cut -c 1-100)
printf '%-9s %5d s  %s\n' "$name" "$(($(date +%s) - start))" "$last"
if [ "$status" -ne 0 ]; then
  tail -n "${STEP_TAIL:-120}" "$part" >&2
  echo "$name failed with status $status; the whole output is in $log" >&2
fi
exit "$status"
