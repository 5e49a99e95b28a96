"""Files of users, read whole, with messages for everything that can be in the way.

It decodes nothing and knows no format.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hairpin.errors import InvalidInputError, did_you_mean

MAX_FILE_BYTES: Final = 1_000_000


def is_file(path: Path) -> bool:
    """Whether ``path`` is a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether ``path`` is a folder; a name that no folder can have is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is anything at ``path``, a pipe for instance."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def read_file(path: Path, kind: str, *, where: str | None = None, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Return the bytes of a user's file.

    Args:
        path: the file.
        kind: what it is to the user (``scenario``, ``rubric``).
        where: the place that names the file; by default the file itself.
        max_bytes: larger files are refused.

    Raises:
        InvalidInputError: missing, a folder, too large, not readable.
    """
    place = where or str(path)
    try:
        if path.is_dir():
            raise InvalidInputError(f"{kind} {str(path)!r} is a folder", where=place, hint=_inside(path))
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except FileNotFoundError as error:
        raise InvalidInputError(f"{kind} {str(path)!r} does not exist", where=place, hint=nearby_file(path)) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInputError(
            f"{kind} {str(path)!r} cannot be read: {reason}", where=place, hint="check its name and permissions"
        ) from error
    if len(data) > max_bytes:
        limit = f"{max_bytes // 1_000_000} MB"
        raise InvalidInputError(f"{kind} {str(path)!r} is larger than {limit}", where=place, hint="split the file")
    return data


def find_gguf(name: str, folder: Path, *, where: str) -> Path:
    """Return the path of the model file ``name``, relative to ``folder``, which ``where`` names; it is not opened.

    Raises:
        InvalidInputError: there is no such file.
    """
    path = folder / name
    if not is_file(path):
        what = f"the model file {name!r} " + ("is a folder" if is_folder(path) else "does not exist")
        hint = "name a GGUF file, relative to the scenario, or leave gguf out and set HAIRPIN_GGUF"
        raise InvalidInputError(what, where=where, hint=hint)
    return path


def _inside(folder: Path) -> str:
    names = sorted(entry.name for entry in folder.iterdir() if entry.suffix in (".yaml", ".yml"))[:8]
    return f"name a file in it: {', '.join(names)}" if names else "name a file"


def nearby_file(path: Path) -> str:
    """Return a hint for a file that does not exist: one of almost the same name, or that there is none."""
    if not path.parent.is_dir():
        return f"the folder {str(path.parent)!r} does not exist either"
    names = [entry.name for entry in path.parent.iterdir() if entry.suffix == path.suffix]
    return did_you_mean(path.name, names) or f"there is no {path.suffix or 'such'} file in {str(path.parent)!r}"
