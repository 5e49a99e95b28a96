"""Writes constraints.txt: the exact version of everything the project installs, as it is installed here.

It installs nothing: upgrade in the virtual environment first, then pin.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from dependency_closure import closure, runtime_extras

# pins of what the project does not install itself, each with the reason
EXTRA_PINS = {
    "torch==2.13.0": "only with the extra that embeds text; pinned because an unpinned install pulls gigabytes of CUDA",
}
HEADER = "# Exact versions of everything the project installs; 'make constraints' writes this file.\n"


def render(versions: Mapping[str, str], extra_pins: Mapping[str, str] = EXTRA_PINS) -> str:
    """Return the text of the file: one ``name==version`` a line, in order, then the extra pins with their reasons."""
    pins = "".join(f"{name}=={version}\n" for name, version in sorted(versions.items()))
    extra = "".join(f"# {reason}\n{pin}\n" for pin, reason in sorted(extra_pins.items()))
    return HEADER + pins + extra


def main() -> int:
    """Write the pins of Hairpin with all its extras, development tools included."""
    dists = closure("hairpin", [*runtime_extras("hairpin"), "dev"])
    path = Path(__file__).parents[1] / "constraints.txt"
    path.write_text(render({name: dist.version for name, dist in dists.items()}), encoding="utf-8")
    print(f"{path.name}: {len(dists)} pins")
    return 0


if __name__ == "__main__":
    sys.exit(main())
