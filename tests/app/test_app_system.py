"""The log of a run: what is written, and what never is."""

from __future__ import annotations

import json
from pathlib import Path

from hairpin.app.system import log_to
from hairpin.settings import LogLevel

SECRET = "sk-test-000111"


def lines_of(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def masked(text: str) -> str:
    return text.replace(SECRET, "***")


def test_what_is_logged_is_one_object_a_line_from_the_level_on(tmp_path: Path) -> None:
    with log_to(tmp_path / "log.jsonl") as logger:
        logger.debug("small")
        logger.info("large", number=1)
    (line,) = lines_of(tmp_path / "log.jsonl")
    assert (line["event"], line["number"], line["level"]) == ("large", 1, "info")


def test_credentials_are_taken_out_of_everything_wherever_they_hide(tmp_path: Path) -> None:
    class Holder:
        def __repr__(self) -> str:
            return f"Holder({SECRET})"

    with log_to(tmp_path / "log.jsonl", level=LogLevel.DEBUG, clean=masked) as logger:
        logger.debug(f"event {SECRET}", deep={"list": [SECRET, (SECRET, 1)], SECRET[:2]: True}, holder=Holder())
        try:
            raise RuntimeError(f"cannot log in with {SECRET}")
        except RuntimeError:
            logger.exception("broke")
    text = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    assert SECRET not in text
    first, second = lines_of(tmp_path / "log.jsonl")
    assert first["event"] == "event ***"
    assert first["deep"] == {"list": ["***", ["***", 1]], "sk": True}
    assert "RuntimeError: cannot log in with ***" in str(second["exception"])
