"""Finding the lexicon of a rubric: the words that the offline agents understand.

It must not compile one; ``packs.lexicon_compiler`` does.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from hairpin.domain.lexicon import Lexicon
from hairpin.domain.scenario import PackOrigin
from hairpin.errors import UnknownReferenceError
from hairpin.packs.finder import PackFinder
from hairpin.packs.lexicon_compiler import load_lexicon

LEXICON_FILE = "signals.yaml"


def find_lexicon(rubric_id: str, finder: PackFinder) -> tuple[Lexicon, PackOrigin]:
    """Return the lexicon beside the rubric called ``rubric_id``, and where it came from.

    Raises:
        InvalidInputError: there is none, or it is not valid.
    """
    path = PurePosixPath("rubrics", rubric_id, LEXICON_FILE)
    file = finder.find_path(path, kind="lexicon", name=rubric_id)
    if file is None:
        hint = f"the offline agents understand a domain by its lexicon: write {path}, or leave the judges out"
        raise UnknownReferenceError("lexicon", rubric_id, where=f"rubric {rubric_id!r}", hint=hint)
    return load_lexicon(file.data, file.where), file.origin
