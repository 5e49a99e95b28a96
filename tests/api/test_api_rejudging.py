"""Stored conversations judged again from Python: a run of its own, with what is judged differently."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.errors import InvalidInputError, UserError

SCENARIO = "id: trip\nsut: testbed\nseed_phrases: [Guide me to Marienplatz, Find a bakery]\nmax_turns: 2\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "trip.yaml"
    path.write_text(SCENARIO)
    return hairpin.run(path, sut=polite, out=tmp_path / "runs", fail_on="none").path


def polite(utterance: str) -> str:
    return "Of course."


def words(result: hairpin.RunResult) -> list[tuple[str, list[str | None]]]:
    return [(each.planned.id, [said.assistant for said in each.exchanges]) for each in result.conversations()]


def test_the_same_judges_say_the_same_of_the_same_words_and_ask_no_assistant(run: Path) -> None:
    again = hairpin.rejudge(run, out=run.parent, fail_on="none")
    assert again.path != run
    assert "-rejudged-" in again.path.name
    assert words(again) == words(hairpin.load_run(run))
    assert again.judge_differences is not None
    assert again.judge_differences.n_conversations == 2
    assert again.judge_differences.identical == 2
    assert hairpin.load_run(again.path).judge_differences == again.judge_differences
    assert hairpin.load_run(run).judge_differences is None


def test_what_is_judged_by_is_changed_for_the_conversations_that_are_named(run: Path) -> None:
    checks = [{"contains": "no such words"}]
    again = hairpin.rejudge(run, conversations="c0002", overrides={"checks": checks}, out=run.parent)
    assert [name for name, _ in words(again)] == ["c0002"]
    assert (again.exit_code, again.summary.conversations.failed) == (1, 1)
    assert "check_failed" in again.summary.failures_by_mode


def test_what_cannot_be_done_is_an_error_that_names_it(run: Path) -> None:
    before = sorted(run.parent.iterdir())
    with pytest.raises(UserError, match="c0009"):
        hairpin.rejudge(run, conversations=["c0009"], out=run.parent)
    with pytest.raises(UserError, match="max_turns"):
        hairpin.rejudge(run, overrides={"max_turns": 9}, out=run.parent)
    with pytest.raises(UserError, match="no_such_rubric"):
        hairpin.rejudge(run, rubric="no_such_rubric", out=run.parent)
    with pytest.raises(InvalidInputError, match="fail_on"):
        hairpin.rejudge(run, fail_on="sometimes", out=run.parent)
    with pytest.raises(ValueError, match="concurrency must be at least 1"):
        hairpin.rejudge(run, concurrency=0, out=run.parent)
    assert sorted(run.parent.iterdir()) == before


@pytest.mark.anyio
async def test_inside_a_loop_the_async_form_is_named_and_works(tmp_path: Path) -> None:
    path = tmp_path / "trip.yaml"
    path.write_text(SCENARIO)
    run = (await hairpin.arun(path, sut=polite, out=tmp_path / "runs", fail_on="none")).path
    with pytest.raises(UserError, match=r"await hairpin\.arejudge"):
        hairpin.rejudge(run)
    again = await hairpin.arejudge(run, out=tmp_path / "runs", fail_on="none")
    assert words(again) == words(hairpin.load_run(run))
