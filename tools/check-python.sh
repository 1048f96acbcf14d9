#!/bin/sh
# Checks that a Python interpreter sees the modules it needs: check-python.sh PYTHON MODULE...
set -eu
python=$1
shift
for module in "$@"; do
  if ! "$python" -c "import $module" 2>/dev/null; then
    echo "python: $python cannot import $module; choose another interpreter with PYTHON=/path/to/python3" \
      "(Debian's is /usr/bin/python3, its packages come from tools/setup.sh run)" >&2
    exit 1
  fi
done
