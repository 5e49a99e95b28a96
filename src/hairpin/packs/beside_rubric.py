"""Finding a file that lies beside a rubric, ``rubrics/<id>/NAME``.

It must not know what is in it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TypeVar

from hairpin.domain.rubric import Rubric
from hairpin.domain.scenario import PackOrigin
from hairpin.packs.files import is_file
from hairpin.packs.finder import PackFinder
from hairpin.packs.kinds import PackKind

T = TypeVar("T")


def find_beside(
    rubric: Rubric, finder: PackFinder, name: str, load: Callable[[bytes, str, Rubric], T]
) -> tuple[T, PackOrigin] | None:
    """Return what ``load`` reads in the file ``name`` beside ``rubric`` and where it came from; ``None``: no such file.

    The file of a rubric that a user's own one shadows is not the user's.

    Raises:
        InvalidInputError: the file cannot be read; and what ``load`` raises.
    """
    path = PurePosixPath("rubrics", rubric.id, name)
    file = _down_to(rubric, finder).find_path(path, kind=path.stem, name=rubric.id)
    return None if file is None else (load(file.data, file.where, rubric), file.origin)


def _down_to(rubric: Rubric, finder: PackFinder) -> PackFinder:
    """Return a finder that searches no further than the folder of packs that the rubric is in."""
    rubric_path = PackKind.RUBRIC.path(rubric.id)
    for index, root in enumerate(finder.roots):
        if is_file(root.folder / rubric_path):
            return PackFinder(finder.roots[: index + 1])
    return finder
