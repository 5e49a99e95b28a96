"""The same text in the rows and every report whatever the machine's encoding is (B17; files: tests/packs)."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import pytest

from hairpin.api import load_run

if TYPE_CHECKING:
    from tests.e2e.conftest import Workspace

TITLE = "Zoë, 客户, 👩‍🔧"
REPLY = "the ﬂoor → here"
SCENARIO = f"""
id: encodings
title: "{TITLE}"
sut: ./ica.py:answer
turns: [{{user: "{TITLE}", checks: [{{contains: "nowhere →"}}]}}]
oracles: []
"""
OLD_WINDOWS = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}


@pytest.mark.parametrize("environment", [{}, OLD_WINDOWS], ids=["as is", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_text_survives_and_the_console_degrades(
    workspace: Workspace, environment: dict[str, str], newline: str
) -> None:
    (workspace.folder / "s.yaml").write_bytes(b"\xef\xbb\xbf" + SCENARIO.replace("\n", newline).encode())
    (workspace.folder / "ica.py").write_text(f"def answer(utterance):\n    return {REPLY!r}\n", encoding="utf-8")
    finished = workspace.hairpin("run", "s.yaml", env=environment)
    assert finished.code == 1, finished.err
    folder = workspace.run_folder()
    reports = workspace.hairpin("report", str(folder), "--format", "html,json,junit", env=environment)
    shown = workspace.hairpin("show", str(folder), "c0001", env=environment)
    assert (reports.code, shown.code) == (1, 0)
    (record,) = load_run(folder).conversations()
    assert (record.exchanges[0].user, record.exchanges[0].assistant) == (TITLE, REPLY)
    page = html.unescape((folder / "report.html").read_text(encoding="utf-8"))
    assert TITLE in page
    assert REPLY in page
    assert TITLE in (folder / "scenario.yaml").read_text(encoding="utf-8")
    assert "nowhere →" in html.unescape((folder / "junit.xml").read_text(encoding="utf-8"))


def test_tables_of_a_campaign_hold_the_same_text(workspace: Workspace) -> None:
    workspace.write("ica.py", f"def answer(utterance):\n    return {REPLY!r}\n")
    workspace.write(
        "c.yaml",
        f'id: encodings\nsut: ./ica.py:answer\nseed_phrases: ["{TITLE}: find a bakery"]\nmax_turns: 2\n'
        f'contexts: [{{location: "{TITLE}"}}]\n',
    )
    done = workspace.hairpin("campaign", "c.yaml", "--conversations", "2", "--fail-on", "none", env=OLD_WINDOWS)
    assert done.code == 0, done.err
    folder = workspace.run_folder()
    reports = workspace.hairpin("report", str(folder), "--format", "csv,md", "--fail-on", "none", env=OLD_WINDOWS)
    assert reports.code == 0, reports.err
    tables = [path.read_text(encoding="utf-8-sig") for path in (folder / "tables").glob("*.csv")]
    assert any(TITLE in table for table in tables)
    assert TITLE in (folder / "report.md").read_text(encoding="utf-8")
