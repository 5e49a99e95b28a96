"""Writes constraints.txt: the exact version of everything the project installs, as it is installed here.

It installs nothing: upgrade in the virtual environment first, then pin.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from dependency_closure import closure, runtime_extras

HEADER = "# Exact versions of everything the project installs; 'make constraints' writes this file.\n"


def render(versions: Mapping[str, str]) -> str:
    """Return the text of the file: one ``name==version`` a line, in order.

    What a build calls itself behind ``+`` (``+cpu``) is left out: it names the machine's kind, not the version.
    """
    pins = (f"{name}=={version.partition('+')[0]}\n" for name, version in sorted(versions.items()))
    return HEADER + "".join(pins)


def main() -> int:
    """Write the pins of Hairpin with all its extras, development tools included."""
    dists = closure("hairpin", [*runtime_extras("hairpin"), "dev"])
    path = Path(__file__).parents[1] / "constraints.txt"
    path.write_text(render({name: dist.version for name, dist in dists.items()}), encoding="utf-8")
    print(f"{path.name}: {len(dists)} pins")
    return 0


if __name__ == "__main__":
    sys.exit(main())
