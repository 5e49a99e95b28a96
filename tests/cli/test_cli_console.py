"""How the command line lays out what it says."""

from __future__ import annotations

import io

import pytest

from hairpin.cli.console import fitted

LINE = "openai-compatible my-judge plays turn judge. Offline: extractor, simulator, strategist."


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_breaks_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = fitted(LINE, Terminal()).splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(lines) == LINE


def test_elsewhere_a_line_stays_whole() -> None:
    assert fitted(LINE, io.StringIO()) == LINE


def test_lines_but_the_first_can_be_indented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    first, *rest = fitted(LINE, Terminal(), rest="  ").splitlines()
    assert first[0] != " "
    assert rest
    assert all(line.startswith("  ") and len(line) <= 40 for line in rest)
