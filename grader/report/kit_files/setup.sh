#!/usr/bin/env bash
# Runs once, when Gradescope builds the autograder.  Everything but Python and the sandbox is in
# the zip; without the sandbox submissions still run, at a weaker level, and records say so.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
export DEBIAN_FRONTEND=noninteractive

apt-get update
apt-get install -y --no-install-recommends python3
python=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    apt-get install -y --no-install-recommends python3.11
    python=python3.11
fi
apt-get install -y --no-install-recommends bubblewrap || true
"$python" -m compileall -q "$root/source/checkmark/packages"
