"""Detections for a person to label, as JSON lines, and back with the labels.

It must not judge them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from hairpin.domain.detections import Detection
from hairpin.errors import InvalidInputError
from hairpin.packs.files import read_file

_HINT = "each line is a detection as 'hairpin metamorphic sample' wrote it, with genuine: true or false"


_OTHERS = {
    "correct": ("answers to be called correct", "'hairpin metamorphic calibrate' is for them"),
    "equivalent": (
        "contexts to be called equivalent",
        "'hairpin metamorphic calibrate' and 'hairpin metamorphic ec-study' are for them",
    ),
}
"""By the key of the label: what the other files of labels hold, and what is for them."""


def dump_detections(detections: Iterable[Detection]) -> str:
    """Return ``detections``, one JSON object a line; what is to be labelled has ``"genuine": null``."""
    return "".join(json.dumps(each.model_dump(mode="json"), ensure_ascii=False) + "\n" for each in detections)


def read_detections(path: Path) -> tuple[Detection, ...]:
    """Return the detections in a file.

    Raises:
        InvalidInputError: it cannot be read, a line is no detection, one comes twice, or there is none.
    """
    found: dict[str, Detection] = {}
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        detection = _detection(line, where)
        if detection.id in found:
            raise InvalidInputError(f"detection {detection.id!r} comes twice", where=where, hint="keep one of them")
        found[detection.id] = detection
    if not found:
        raise InvalidInputError("holds no detection", where=str(path), hint=_HINT)
    return tuple(found.values())


def _lines(path: Path) -> list[str]:
    try:
        return read_file(path, "file of detections").decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"is no UTF-8: {error}", where=str(path), hint="save it as UTF-8") from error


def _refuse_other_labels(line: str, where: str) -> None:
    """Say what a line holds if it is of one of the other files of labels, and which command is for these."""
    try:
        held = json.loads(line)
    except (ValueError, RecursionError):
        held = line.split(",")  # a CSV file of answers
    what = next((told for key, told in _OTHERS.items() if isinstance(held, (dict, list)) and key in held), None)
    if what is not None:
        raise InvalidInputError(f"holds {what[0]}, not detections", where=where, hint=what[1])


def _detection(line: str, where: str) -> Detection:
    try:
        return Detection.model_validate_json(line)
    except ValidationError as error:
        _refuse_other_labels(line, where)
        first = error.errors(include_url=False, include_input=True)[0]
        field = ".".join(map(str, first["loc"])) or "the line"
        value = repr(first.get("input"))[:60]
        raise InvalidInputError(f"{field}: {first['msg']}, not {value}", where=where, hint=_HINT) from error
