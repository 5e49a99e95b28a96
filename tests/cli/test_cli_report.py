"""``hairpin report``: which files each format writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

SCENARIO = """
    id: greeting
    sut: ./ica.py:answer
    turns:
      - user: hello
        checks: [{contains: hello}]
    oracles: []
"""
ASSISTANT = "def answer(utterance: str) -> str:\n    return utterance\n"


def a_run(cli: Cli) -> str:
    cli.write("s.yaml", SCENARIO)
    cli.write("ica.py", ASSISTANT)
    cli("run", "s.yaml")
    return str(cli.run_folder().relative_to(cli.folder))


def test_tables_are_written_as_csv_and_markdown(cli: Cli) -> None:
    answer = cli("report", a_run(cli), "--format", "csv,md,csv", "--out", "again")
    written = sorted(path.relative_to(cli.folder).as_posix() for path in (cli.folder / "again").rglob("*.*"))
    assert written == [
        "again/report.md",
        *(f"again/tables/{name}.csv" for name in ("assistants", "failures-by-mode", "stop-reasons")),
    ]
    assert sorted(answer.out.split()) == written
    assert (cli.folder / "again/tables/stop-reasons.csv").read_bytes().startswith(b'"Stop reason","Conversations"\r\n')


def test_an_unknown_format_is_told_with_the_known_ones(cli: Cli) -> None:
    answer = cli("report", a_run(cli), "--format", "html,pdf")
    assert answer.code == 2
    assert "pdf" in answer.err
