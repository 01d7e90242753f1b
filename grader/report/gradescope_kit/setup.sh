#!/usr/bin/env bash
# Installs Checkmark when Gradescope builds the autograder.
# The zip holds, side by side: setup.sh, run_autograder, grader.toml, the folders inputs and
# expected, and Checkmark itself: its wheel (checkmark_solver-*.whl), or its source in a folder
# checkmark.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
export DEBIAN_FRONTEND=noninteractive

apt-get update
apt-get install -y --no-install-recommends bubblewrap python3 python3-venv
python=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    apt-get install -y --no-install-recommends python3.11 python3.11-venv
    python=python3.11
fi

wheels=("$root"/source/checkmark_solver-*.whl)
package=${wheels[0]}
if [ ! -f "$package" ]; then
    package=$root/source/checkmark
fi
"$python" -m venv "$root/checkmark"
"$root/checkmark/bin/pip" install --no-cache-dir "$package"
"$root/checkmark/bin/grader" --version
