"""The coverage floor of the packages whose every branch matters.

It reads a coverage report; it measures nothing itself.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel

FLOOR_PERCENT = 95.0


class FileCoverage(BaseModel):
    """What the report says of one file."""

    num_statements: int
    covered_lines: int
    num_branches: int
    covered_branches: int


class PackageCoverage(BaseModel):
    """Shares, in per cent, over all files of a package; 100 where there is nothing to cover."""

    package: str
    lines: float
    branches: float

    @property
    def enough(self) -> bool:
        """Whether both shares reach the floor."""
        return min(self.lines, self.branches) >= FLOOR_PERCENT


def read_report(path: Path) -> dict[str, FileCoverage]:
    """Return the files of a JSON report of coverage.py."""
    files = json.loads(path.read_text(encoding="utf-8"))["files"]
    return {name: FileCoverage.model_validate(entry["summary"]) for name, entry in files.items()}


def package_coverage(files: dict[str, FileCoverage], package: str) -> PackageCoverage:
    """Fold the files of ``src/hairpin/<package>``.

    Raises:
        ValueError: the report has no such file: nothing measured is not enough.
    """
    inside = [entry for name, entry in files.items() if f"hairpin/{package}/" in Path(name).as_posix()]
    if not inside:
        raise ValueError(f"the report says nothing of hairpin/{package}")
    return PackageCoverage(
        package=package,
        lines=_percent((f.covered_lines, f.num_statements) for f in inside),
        branches=_percent((f.covered_branches, f.num_branches) for f in inside),
    )


def _percent(parts: Iterable[tuple[int, int]]) -> float:
    covered, total = (sum(column) for column in zip(*parts, strict=True))
    return 100.0 * covered / total if total else 100.0


def main(report: str, *packages: str) -> int:
    """Print the coverage of each package; fail when one lies below the floor."""
    files = read_report(Path(report))
    found = [package_coverage(files, package) for package in packages]
    for item in found:
        mark = "" if item.enough else f"  below {FLOOR_PERCENT:g} %"
        print(f"hairpin/{item.package}: lines {item.lines:.1f} %, branches {item.branches:.1f} %{mark}")
    return 0 if all(item.enough for item in found) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
