"""Which labels a file holds, told by its content: of answers or of contexts.

It only tells; ``packs.label_files`` reads.
"""

from __future__ import annotations

import json
from pathlib import Path

from hairpin.domain.labels import AnswerLabels, ContextLabels
from hairpin.errors import InvalidInputError
from hairpin.packs.files import read_file
from hairpin.packs.label_files import MAX_LABEL_FILE_BYTES, read_answer_labels, read_context_labels
from hairpin.packs.yaml_tree import decode

_HINT = "each line holds 'equivalent' (labels of contexts) or 'correct' (of answers); 'hairpin metamorphic sample' "
_HINT += "draws such a file"


def read_labels(path: Path) -> AnswerLabels | ContextLabels:
    """Return the labels in the file ``path``, whichever they are.

    Raises:
        InvalidInputError: it cannot be read, its first line is neither, or a later line is not of the same kind.
    """
    if path.suffix.lower() == ".csv" or "correct" in (keys := _first_keys(path)):
        return read_answer_labels(path)
    if "equivalent" in keys:
        return read_context_labels(path)
    raise InvalidInputError("the file holds labels neither of answers nor of contexts", where=str(path), hint=_HINT)


def _first_keys(path: Path) -> frozenset[str]:
    """Return the keys of the first line that is a JSON object; broken lines are the reader's to tell of."""
    for line in decode(read_file(path, "file of labels", max_bytes=MAX_LABEL_FILE_BYTES), str(path)).splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return frozenset(value)
    return frozenset()
