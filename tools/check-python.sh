#!/bin/sh
# Checks that a Python interpreter can import modules: check-python.sh PYTHON MODULE...
set -eu
python=$1
shift
for module in "$@"; do
  if ! "$python" -c "import $module" 2>/dev/null; then
    echo "python: $python cannot import $module; set PYTHON=/path/to/python3, or run" \
      "tools/setup.sh run (Debian's /usr/bin/python3)" >&2
    exit 1
  fi
done
