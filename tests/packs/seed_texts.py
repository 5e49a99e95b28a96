"""Files of test seeds on disk, and what is read from them.

For tests of the packs package only.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from hairpin.domain.test_seeds import TestSeed, TestSeedsSource
from hairpin.errors import InvalidInputError
from hairpin.packs.test_seed_source import SeedsRead, read_test_seeds

HENS: dict[str, Any] = {
    "id": "demo1",
    "source": "x",
    "story": "Mina keeps three hens behind the mill.",
    "questions": [
        {"turn_id": 1, "input_text": "How many hens?"},
        {"turn_id": 2, "input_text": "Where?"},
        {"turn_id": 3, "input_text": "Has she a dog?"},
    ],
    "answers": [
        {"turn_id": 2, "input_text": "behind the mill", "span_start": 22, "span_end": 37},
        {"turn_id": 1, "input_text": "three", "span_start": 11, "span_end": 16},
        {"turn_id": 3, "input_text": "unknown", "span_start": -1, "span_end": -1},
    ],
    "additional_answers": {
        "0": [
            {"turn_id": 1, "input_text": "3"},
            {"turn_id": 2, "input_text": "by the mill"},
            {"turn_id": 3, "input_text": "unknown"},
        ]
    },
}
"""A story of CoQA, its answers in another order than its questions."""


def hens(**changes: Any) -> dict[str, Any]:
    """Return a second such story with other entries; those that are ``None`` are left out."""
    record = {**deepcopy(HENS), "id": "demo2", **changes}
    return {key: value for key, value in record.items() if value is not None}


def coqa(*records: object) -> str:
    """Return the records as a file of CoQA."""
    return json.dumps({"version": "1.0", "data": list(records)})


def read(folder: Path, content: object, name: str = "seeds.json", **source: Any) -> SeedsRead:
    """Read ``content``, a text, bytes or JSON data, as the file ``name``."""
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_test_seeds(TestSeedsSource(file=name, **source), folder=folder)


def only(found: SeedsRead) -> TestSeed:
    """Return the one test seed that was found."""
    (seed,) = found.seeds
    return seed


def problems(found: SeedsRead) -> list[str]:
    """Return what was skipped, as it is said."""
    assert found.imported.n_skipped == len(found.imported.problems)
    return [str(problem) for problem in found.imported.problems]


def refusal(folder: Path, content: object, name: str = "seeds.json", **source: Any) -> str:
    """Return why the file is refused, without its folder."""
    try:
        read(folder, content, name, **source)
    except InvalidInputError as error:
        return str(error).replace(f"{folder}/", "")
    raise AssertionError("the file was read")
