"""Where commands write what a user named with ``--out``: never over anything.

It must not know what is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from hairpin.cli.console import say

if TYPE_CHECKING:
    from hairpin.reports.files import ReportFile


def require_new(out: Path, *, option: str = "--out") -> None:
    """Raise InvalidInputError where there is something already, or no folder to write it in."""
    from hairpin.errors import InvalidInputError

    if out.exists():
        raise InvalidInputError("is there already", where=str(out), hint=f"name another with {option}")
    if not out.parent.is_dir():
        raise InvalidInputError(f"there is no folder {str(out.parent)!r}", where=option, hint="make it first")


def write_files(folder: Path, files: Iterable[ReportFile]) -> None:
    """Write files into ``folder``, which is made if need be, and say where each that is no drawing is.

    Raises:
        InvalidInputError: the folder cannot be made.
        StoreError: a file cannot be written.
    """
    from hairpin.errors import InvalidInputError
    from hairpin.store.directory import write_parts

    for file in files:
        path = folder / file.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"{str(path.parent)!r} is no folder: {error.strerror}"
            raise InvalidInputError(what, where="--out", hint="name a folder that can be written") from error
        write_parts(path, file.parts)
        if path.suffix != ".svg":
            say(str(path))
