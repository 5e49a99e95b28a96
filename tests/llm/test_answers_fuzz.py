"""Whatever a verdict is wrapped in: that verdict comes out, or a typed problem; never another, never a crash."""

from __future__ import annotations

import contextlib
import json

from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from hairpin.llm.answers.problems import AnswerProblem
from hairpin.llm.answers.validate import read_answer
from tests.llm.verdicts import (
    TurnVerdict,
    Verdict,
    calm_prose,
    fenced,
    prose_with_decoys,
    spellings,
    thinking,
    turn_verdicts,
    verdicts,
)

SOME_VERDICT = verdicts() | turn_verdicts()


def read_or_none(text: str, answer: type[BaseModel]) -> BaseModel | None:
    with contextlib.suppress(AnswerProblem):
        return read_answer(text, answer)
    return None


@given(st.data(), SOME_VERDICT)
def test_a_verdict_among_thinking_prose_and_fences_is_recovered_exactly(
    data: st.DataObject, verdict: BaseModel
) -> None:
    wrapped = data.draw(fenced(data.draw(spellings(verdict))))
    text = "\n".join([data.draw(thinking()), data.draw(calm_prose()), wrapped, data.draw(calm_prose())])
    assert read_answer(text, type(verdict)) == verdict


@given(st.data(), SOME_VERDICT)
def test_among_rival_objects_it_is_that_verdict_or_a_problem(data: st.DataObject, verdict: BaseModel) -> None:
    wrapped = data.draw(fenced(data.draw(spellings(verdict))))
    text = " ".join([data.draw(thinking()), data.draw(prose_with_decoys()), wrapped, data.draw(prose_with_decoys())])
    assert read_or_none(text, type(verdict)) in (verdict, None)


@given(st.data(), SOME_VERDICT)
def test_a_verdict_that_is_cut_off_is_never_completed(data: st.DataObject, verdict: BaseModel) -> None:
    whole = data.draw(spellings(verdict)).rstrip()
    cut = whole[: data.draw(st.integers(min_value=0, max_value=len(whole) - 1))]
    before = data.draw(thinking()) + data.draw(calm_prose())
    assert read_or_none(f"{before}\n{cut}", type(verdict)) is None


@given(st.data(), SOME_VERDICT)
def test_a_verdict_that_only_the_thinking_holds_is_never_taken(data: st.DataObject, verdict: BaseModel) -> None:
    draft = data.draw(spellings(verdict))
    closing = data.draw(st.sampled_from(["</think>", "", "</think>\nIt passes.", "<think>"]))
    assert read_or_none(f"<think>\n{draft}\n{closing}", type(verdict)) is None


@given(SOME_VERDICT)
def test_a_verdict_survives_as_a_json_string_and_inside_another_object(verdict: BaseModel) -> None:
    written = verdict.model_dump_json()
    assert read_answer(json.dumps(written), type(verdict)) == verdict
    assert read_answer(f'{{"answer": {written}}}', type(verdict)) == verdict


@given(
    st.text(alphabet=st.characters(), max_size=60)
    | st.text(alphabet="{}[]\"':,\\/ntu0.1eE+-NaIf<>think\n`", max_size=120)
)
@example('{"verdict": "\ud800", "score": 1e400, "reason": "\\ud83d"}')
@example('{"verdict": ' + "9" * 5000 + "}")
@example('{"verdict": ' + "[" * 100_000)
@example('{"a": ' * 100_000)
@example("[" * 900 + '{"verdict": "pass"}' + "]" * 900)
@example('{"verdict": ' + '{"a":' * 900 + "1" + "}" * 901)
def test_any_text_gives_a_verdict_or_a_problem(text: str) -> None:
    for answer in (Verdict, TurnVerdict):
        assert isinstance(read_or_none(text, answer), answer | None)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_verdict_or_a_problem(data: bytes) -> None:
    assert read_or_none(data.decode("utf-8", "surrogateescape"), Verdict) is None
    read_or_none(data.decode("latin-1"), Verdict)
