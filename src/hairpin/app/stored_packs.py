"""The folders of packs that a stored run was made with, named with ``--packs`` then.

It reads none of them.
"""

from __future__ import annotations

from pathlib import Path

from hairpin.domain.records import RunInfo
from hairpin.errors import InvalidInputError
from hairpin.packs.files import is_folder


def packs_of(run: RunInfo, *, where: Path) -> tuple[Path, ...]:
    """Return the folders of packs of a stored run, which is at ``where``.

    Raises:
        InvalidInputError: one of them is gone: others in its place would judge by other prompts and rubrics, unsaid.
    """
    folders = tuple(map(Path, run.settings.packs))
    for folder in folders:
        if not is_folder(folder):
            raise InvalidInputError(
                f"the run was made with --packs {folder}, and there is no such folder any more",
                where=str(where),
                hint="put it back there, or a link to where it is now",
            )
    return folders
