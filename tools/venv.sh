#!/usr/bin/env bash
# Makes the virtual environment in folder $1, unless a usable one is there. $2, if given, names the Python to use.
set -euo pipefail

readonly folder=$1
wanted=${2:-}

new_enough() {
    command -v "$1" >/dev/null && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

if new_enough "$folder/bin/python" && "$folder/bin/python" -m pip --version >/dev/null 2>&1; then
    exit 0
fi

if [ -z "$wanted" ]; then
    readonly candidates="python3 python3.13 python3.12 python3.11 python"
    for name in $candidates; do
        if new_enough "$name"; then
            wanted=$name
            break
        fi
    done
    if [ -z "$wanted" ]; then
        echo "No Python 3.11 or newer found (looked for: $candidates)." >&2
        echo "Install one, or name it: make demo PYTHON=/path/to/python3.12" >&2
        exit 1
    fi
elif ! command -v "$wanted" >/dev/null; then
    echo "PYTHON=$wanted: there is no such program." >&2
    exit 1
elif ! new_enough "$wanted"; then
    echo "PYTHON=$wanted is $("$wanted" --version 2>&1 || true); Hairpin needs Python 3.11 or newer." >&2
    echo "Name another: make demo PYTHON=/path/to/python3.12" >&2
    exit 1
fi

if ! "$wanted" -c 'import ensurepip, venv' 2>/dev/null; then
    echo "$wanted cannot make virtual environments: its module 'venv' or 'ensurepip' is missing." >&2
    echo "On Debian and Ubuntu: apt-get install python3-venv" >&2
    exit 1
fi

echo "making $folder with $("$wanted" --version)"
"$wanted" -m venv --clear "$folder"
