"""``hairpin annotate``: tables for people to fill in, and what they say stored beside what the run says."""

from __future__ import annotations

import csv
import json
import os
import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hairpin.app.stored import open_stored
from hairpin.cli import application
from hairpin.domain.outcome import Blame
from hairpin.store.directory import RunDirectory

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

SCENARIO = """
    id: greeting
    sut: ./ica.py:answer
    turns:
      - user: hello
        checks: [{contains: HELLO}]
      - user: goodbye *now*
    repeats: 4
    oracles: []
"""
ASSISTANT = """
    n_calls = 0

    def answer(utterance: str) -> str:
        global n_calls
        n_calls += 1
        return "What?" if n_calls < 4 else utterance.upper()
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run in which the first two of four conversations failed."""
    folder = tmp_path_factory.mktemp("annotated")
    (folder / "s.yaml").write_text(textwrap.dedent(SCENARIO))
    (folder / "ica.py").write_text(textwrap.dedent(ASSISTANT))
    arguments = ["run", str(folder / "s.yaml"), "--concurrency", "1", "--out", str(folder / "runs")]
    assert CliRunner().invoke(application, arguments).exit_code == 1
    return folder


@pytest.fixture
def cli(cli: Cli, made: Path) -> Cli:
    """A user's folder with that run in it."""
    shutil.copytree(made, cli.folder, dirs_exist_ok=True)
    return cli


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_template_is_a_table_with_blinded_transcripts_that_reads_back(cli: Cli) -> None:
    answer = cli("annotate", "greeting", "--template", "rate.csv", "--rater", "ann")
    assert (answer.code, answer.out.split()) == (0, ["rate.csv", "rate.md"])
    rows = rows_of(cli.folder / "rate.csv")
    assert {row["conversation"] for row in rows} == {"c0001", "c0002", "c0003", "c0004"}
    assert {row["rater"] for row in rows} == {"ann"}
    said = (cli.folder / "rate.md").read_text(encoding="utf-8")
    assert r"> **User:** goodbye \*now\*" in said
    assert "## c0003" in said
    assert not {"failed", "passed", "check_failed", "neutral", "FAIL"} & set(said.replace("*", " ").split())
    assert "no row says anything" in cli("annotate", "greeting", "--from", "rate.csv").err


def test_a_sample_is_the_same_for_the_same_number_and_only_those_that_stand_so(cli: Cli) -> None:
    for name in ("a.csv", "b.csv"):
        cli("annotate", "greeting", "--template", name, "--sample", "2", "--rng-seed", "7")
    assert (cli.folder / "a.csv").read_bytes() == (cli.folder / "b.csv").read_bytes()
    assert len(rows_of(cli.folder / "a.csv")) == 2
    failed = cli("annotate", "greeting", "--template", "f.csv", "--only", "failed", "--sample", "9")
    assert "9 conversations were asked for, and there are only 2" in failed.err
    assert sorted(row["conversation"] for row in rows_of(cli.folder / "f.csv")) == ["c0001", "c0002"]
    none = cli("annotate", "greeting", "--template", "u.csv", "--only", "unclean")
    assert (none.code, "no conversation is unclean" in none.err) == (2, True)


def test_what_people_say_is_stored_and_no_outcome_changes(cli: Cli) -> None:
    before = cli("show", "greeting").out
    text = "conversation,verdict,blame,t,mode,holds\nc0001,pass,judge,,,\nc0002,,,0,check_failed,no\n"
    cli.write("said.csv", text)
    answer = cli("annotate", "greeting", "--from", "said.csv", "--rater", "ann", "--json")
    assert answer.code == 0
    said = json.loads(answer.out)
    assert (said["annotations"], said["raters"], said["labels"], said["overriding"]) == (2, ["ann"], 1, 1)
    with open_stored(cli.run_folder()) as stored:
        first, second = stored.reader.annotations()
    assert (first.blame, second.labels[0].holds) == (Blame.JUDGE, False)
    assert [line.split()[:2] for line in cli("show", "greeting").out.splitlines()] == [
        line.split()[:2] for line in before.splitlines()
    ]


def test_the_last_word_of_a_rater_counts(cli: Cli) -> None:
    for verdict in ("pass", "fail"):
        cli.write("said.csv", f"conversation,rater,verdict\nc0001,ann,{verdict}\n")
        assert "1 annotation of 1 conversation by ann" in cli("annotate", "greeting", "--from", "said.csv").out
    with open_stored(cli.run_folder()) as stored:
        assert [each.verdict for each in stored.reader.annotations()] == ["fail"]


def test_what_cannot_be_meant_is_refused_before_anything_is_stored(cli: Cli) -> None:
    cli.write("said.csv", "conversation,rater,verdict\nc0001,ann,pass\nc0099,ann,pass\n")
    answer = cli("annotate", "greeting", "--from", "said.csv")
    assert (answer.code, "said.csv:3: unknown conversation 'c0099'" in answer.err) == (2, True)
    with open_stored(cli.run_folder()) as stored:
        assert stored.reader.annotations() == ()


def test_one_of_from_and_template_is_needed_and_nothing_is_overwritten(cli: Cli) -> None:
    assert cli("annotate", "greeting").code == 2
    cli.write("rate.md", "mine")
    answer = cli("annotate", "greeting", "--template", "rate.csv")
    assert (answer.code, "rate.md: is there already" in answer.err) == (2, True)
    assert not (cli.folder / "rate.csv").exists()
    assert "did you mean 'failed'" in cli("annotate", "greeting", "--template", "r.csv", "--only", "fail").err


def test_words_that_replace_earlier_ones_are_counted(cli: Cli) -> None:
    """Labels in a second file would otherwise take the scores of the first one away, and nobody would know."""
    cli.write("scores.csv", "conversation,rater,verdict\nc0001,ann,pass\nc0002,ann,pass\n")
    assert "take" not in cli("annotate", "greeting", "--from", "scores.csv").out
    assert "take" not in cli("annotate", "greeting", "--from", "scores.csv").out  # nothing else is said
    cli.write("labels.csv", "conversation,rater,t,mode,holds\nc0001,ann,0,check_failed,no\n")
    answer = cli("annotate", "greeting", "--from", "labels.csv")
    assert "1 of them takes the place of all that the same rater said of the conversation before" in answer.out
    again = cli("annotate", "greeting", "--from", "scores.csv", "--json")
    assert json.loads(again.out)["replaced"] == 1


def test_raters_are_named_so_that_a_terminal_can_show_them(cli: Cli) -> None:
    rows = "".join(f'c0001,"r{number}\x1b[2J",pass\n' for number in range(300))
    cli.write("said.csv", "conversation,rater,verdict\n" + rows)
    answer = cli("annotate", "greeting", "--from", "said.csv")
    assert answer.out.startswith("300 annotations of 1 conversation by r0<U+001B>[2J, r1")
    assert "and 292 more stored" in answer.out
    shown = cli("show", "greeting", "c0001").out
    assert " and 292 more; the run says" in " ".join(shown.split())


@pytest.mark.parametrize("name", ["rate.md", "rate.json", "."])
def test_a_template_that_its_transcripts_would_overwrite_or_that_reads_back_as_json_is_refused(
    cli: Cli, name: str
) -> None:
    answer = cli("annotate", "greeting", "--template", name)
    assert (answer.code, f"--template {name}: a table to fill in is CSV" in answer.err) == (2, True)
    assert not (cli.folder / "rate.md").exists()


def test_options_that_would_do_nothing_are_refused(cli: Cli) -> None:
    cli.write("said.csv", "conversation,rater,verdict\nc0001,ann,pass\n")
    answer = cli("annotate", "greeting", "--from", "said.csv", "--sample", "2", "--only", "failed")
    assert (answer.code, "--sample and --only do nothing with --from" in answer.err) == (2, True)
    answer = cli("annotate", "greeting", "--template", "t.csv", "--json")
    assert (answer.code, "--json does nothing with --template" in answer.err) == (2, True)


def test_a_summary_that_cannot_be_written_is_no_lost_annotation(cli: Cli) -> None:
    """As where the rows are on a server and the folder of the run may not be written any more."""
    cli.write("said.csv", "conversation,rater,verdict\nc0001,ann,pass\n")
    summary = RunDirectory(cli.run_folder()).summary
    summary.with_name(f".{summary.name}.{os.getpid()}.tmp").mkdir()
    answer = cli("annotate", "greeting", "--from", "said.csv")
    assert (answer.code, "summary.json: cannot be written" in answer.err) == (3, True)
    assert "the annotations are stored all the same" in answer.err
    with open_stored(cli.run_folder()) as stored:
        assert [each.rater for each in stored.reader.annotations()] == ["ann"]
