"""Which format a file of test seeds is in, told by its content.

It judges no record.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hairpin.domain.test_seeds import SeedFormat
from hairpin.errors import InvalidInputError
from hairpin.packs.seed_records import SeedRecord


def told_format(records: Sequence[SeedRecord], path: Path) -> SeedFormat:
    """Return the format of the first of ``records``, which are those of the file ``path``, that shows one.

    Raises:
        InvalidInputError: none does.
    """
    for record in records:
        form = _shown_format(record)
        if form is not None:
            return form
    first = next((record for record in records if record.problem), None)
    why = f": {first.problem}" if first is not None else "" if records else ": it holds no dialogue"
    hint = "write the 'format' of the test seeds: coqa, questions, sgd, cast, run or seeds"
    raise InvalidInputError(
        f"nothing in the file shows how test seeds are written in it{why}", where=str(path), hint=hint
    )


def _shown_format(record: SeedRecord) -> SeedFormat | None:
    held = record.value
    if record.tree is not None or isinstance(held, list):
        return "questions"
    if not isinstance(held, dict):
        return None
    if "dialogue_id" in held or "turns" in held:
        return "sgd"
    if "turn" in held:
        return "cast"
    if "questions" not in held:
        return None
    if "origin" in held:
        return "seeds"
    return "coqa" if "answers" in held or _is_of_coqa(held["questions"]) else "questions"


def _is_of_coqa(questions: object) -> bool:
    return isinstance(questions, list) and any(isinstance(item, dict) and "turn_id" in item for item in questions)
