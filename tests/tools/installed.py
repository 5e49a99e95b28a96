"""Small installed distributions for the tests of the project's tools: real metadata in a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path

from packaging.utils import canonicalize_name


def write_distribution(folder: Path, name: str, *, requires: Sequence[str] = (), header: Sequence[str] = ()) -> None:
    """Install an empty distribution ``name`` 1.0 into ``folder``; ``header`` holds further lines of its metadata."""
    info = folder / f"{canonicalize_name(name).replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    lines = ["Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0", *header]
    lines += [f"Requires-Dist: {requirement}" for requirement in requires]
    (info / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")


def finder(folder: Path) -> Callable[[str], Distribution]:
    """Return a look-up of the distributions in ``folder`` and nowhere else."""

    def find(name: str) -> Distribution:
        info = folder / f"{canonicalize_name(name).replace('-', '_')}-1.0.dist-info"
        if not info.is_dir():
            raise PackageNotFoundError(name)
        return Distribution.at(info)

    return find
