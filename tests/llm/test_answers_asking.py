from __future__ import annotations

from collections.abc import Callable

import pytest

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.model_spec import CompatibleModel, StructuredMode
from hairpin.errors import ModelSetupError
from hairpin.llm.answers import ModeMemory, ask_structured
from hairpin.llm.completion import CallError
from hairpin.ports import ChatMessage, ChatPrompt, InvalidAnswerError
from tests.llm.scripted_complete import ScriptedComplete, new_memory, refusing
from tests.llm.verdicts import Verdict

pytestmark = pytest.mark.anyio

PASS = '{"verdict": "pass", "score": 0.9, "reason": "The refund rule was explained in turn 3."}'
PROSE = "I would let it pass."
OUT_OF_RANGE = '{"verdict": "pass", "score": 95.0, "reason": "ok"}'
TRUNCATED = CallError(CallOutcome.TRUNCATED, "finish_reason is length", answer='{"verdict": "pass", "score": 0.8, "rea')
PROMPT = ChatPrompt(
    stable=(ChatMessage(role="system", text="You judge."), ChatMessage(role="user", text="Turn 1")), request="Judge."
)
STRICT, SCHEMA, OBJECT, TEXT = StructuredMode
SPEC = CompatibleModel(base_url="http://127.0.0.1/v1", model="m")


async def ask(
    complete: ScriptedComplete,
    *,
    spec: CompatibleModel = SPEC,
    memory: ModeMemory | None = None,
    check: Callable[[Verdict], None] | None = None,
) -> Verdict:
    return await ask_structured(complete, PROMPT, Verdict, spec=spec, memory=memory or new_memory(), check=check)


async def failure(complete: ScriptedComplete, *, spec: CompatibleModel = SPEC) -> CallError:
    with pytest.raises(CallError) as caught:
        await ask(complete, spec=spec)
    return caught.value


async def test_a_good_answer_takes_one_request_with_the_prompt_as_it_is() -> None:
    complete = ScriptedComplete(PASS)
    assert (await ask(complete)).verdict == "pass"
    assert complete.account == [(CallOutcome.OK, "")]
    assert complete.requests[0].messages == PROMPT.messages
    assert complete.requests[0].output_tokens == SPEC.max_output_tokens
    assert complete.modes == [STRICT]


async def test_a_draft_in_the_thinking_costs_no_second_request() -> None:
    """B01."""
    draft = '<think>Maybe {"verdict": "fail", "score": 0.1}? No, turn 3 fixes it.</think>'
    complete = ScriptedComplete(f"{draft}\n\nHere is my verdict:\n```json\n{PASS}\n```\nLet me know if you need more.")
    answer = await ask(complete)
    assert (answer.verdict, answer.score) == ("pass", 0.9)
    assert len(complete.requests) == 1


async def test_thinking_without_an_answer_keeps_its_raw_text() -> None:
    """B01, unclosed."""
    raw = f"<think>Maybe {PASS}"
    error = await failure(ScriptedComplete(raw))
    assert (error.outcome, error.answer) == (CallOutcome.NO_ANSWER, raw)


async def test_an_answer_that_was_cut_off_is_neither_repaired_nor_retried_without_a_larger_cap() -> None:
    """B02."""
    complete = ScriptedComplete(TRUNCATED)
    assert await failure(complete) is TRUNCATED
    assert len(complete.requests) == 1


async def test_an_answer_that_was_cut_off_is_asked_for_once_more_with_the_larger_cap() -> None:
    """B02."""
    spec = SPEC.model_copy(update={"retry_output_tokens": 9000})
    complete = ScriptedComplete(TRUNCATED, PASS)
    assert (await ask(complete, spec=spec)).verdict == "pass"
    assert [request.output_tokens for request in complete.requests] == [2048, 9000]
    again = ScriptedComplete(TRUNCATED)
    assert await failure(again, spec=spec) is TRUNCATED
    assert len(again.requests) == 2


async def test_a_cap_that_is_not_larger_is_no_reason_to_ask_again() -> None:
    complete = ScriptedComplete(TRUNCATED)
    await failure(complete, spec=SPEC.model_copy(update={"retry_output_tokens": 2048}))
    assert len(complete.requests) == 1


async def test_a_repair_keeps_the_larger_cap_and_is_cut_off_for_good() -> None:
    spec = SPEC.model_copy(update={"retry_output_tokens": 9000})
    complete = ScriptedComplete(TRUNCATED, PROSE, TRUNCATED)
    assert await failure(complete, spec=spec) is TRUNCATED
    assert [request.output_tokens for request in complete.requests] == [2048, 9000, 9000]


@pytest.mark.parametrize(
    ("written", "reason"),
    [("Line one\nline two\twith tab", "Line one\nline two\twith tab"), (r"Must match \d{4} and C:\temp", None)],
)
async def test_raw_line_breaks_and_bad_escapes_in_strings_are_read(written: str, reason: str | None) -> None:
    """B03: a backslash that begins no escape stays; one that JSON knows means what JSON says, so C:\\temp has a tab."""
    complete = ScriptedComplete(f'{{"verdict": "fail", "score": 0.2, "reason": "{written}"}}')
    answer = await ask(complete)
    assert answer.reason == (reason or "Must match \\d{4} and C:\temp")
    assert len(complete.requests) == 1


@pytest.mark.parametrize("score", ["95.0", "-0.1", "1e9", "NaN", "Infinity", "true", '"4/5"'])
async def test_a_corrupt_score_is_repaired_once_and_then_given_up(score: str) -> None:
    """B05."""
    raw = f'{{"verdict":"pass","score":{score},"reason":"ok"}}'
    complete = ScriptedComplete(raw)
    error = await failure(complete)
    assert (error.outcome, error.answer) == (CallOutcome.INVALID_ANSWER, raw)
    assert error.detail.startswith("score: ")
    assert complete.account == [(CallOutcome.INVALID_ANSWER, raw)] * 2


async def test_a_score_in_quotes_is_a_score() -> None:
    """B05."""
    assert (await ask(ScriptedComplete('{"verdict":"pass","score":"0.7","reason":"ok"}'))).score == 0.7


async def test_a_repair_shows_the_answer_and_its_problem_behind_the_same_prompt() -> None:
    complete = ScriptedComplete(OUT_OF_RANGE, PASS)
    await ask(complete)
    first, second = (request.messages for request in complete.requests)
    assert second[: len(PROMPT.stable)] == PROMPT.stable
    assert second[len(first)] == ChatMessage(role="assistant", text=OUT_OF_RANGE)
    assert second[-1].role == "user"
    assert "score: Input should be less than or equal to 1, not 95" in second[-1].text
    assert '"verdict": "pass" | "fail"' in second[-1].text


async def test_each_further_repair_shows_only_the_latest_answer() -> None:
    complete = ScriptedComplete(PROSE, OUT_OF_RANGE, PASS)
    await ask(complete, spec=SPEC.model_copy(update={"repairs": 2}))
    assert [len(request.messages) for request in complete.requests] == [3, 5, 5]
    assert complete.requests[2].messages[-2].text == OUT_OF_RANGE


async def test_a_long_answer_is_shown_without_its_middle_and_a_blank_one_as_nothing() -> None:
    complete = ScriptedComplete("a" * 5000 + "m" * 5000 + "z" * 5000, " \n", PASS)
    await ask(complete, spec=SPEC.model_copy(update={"repairs": 2}))
    shown = complete.requests[1].messages[-2].text
    assert len(shown) < 6000
    assert (shown[0], shown[-1]) == ("a", "z")
    assert complete.requests[2].messages[-2].text == "(nothing)"


async def test_without_repairs_the_first_unusable_answer_is_the_end() -> None:
    complete = ScriptedComplete(PROSE)
    error = await failure(complete, spec=SPEC.model_copy(update={"repairs": 0}))
    assert (error.outcome, error.answer, error.tokens.completion_tokens) == (CallOutcome.NO_ANSWER, PROSE, 7)
    assert len(complete.requests) == 1


async def test_an_answer_that_the_role_refuses_is_repaired_too() -> None:
    def need_fail(answer: Verdict) -> None:
        if answer.verdict != "fail":
            raise InvalidAnswerError("turn 2 cannot pass")

    complete = ScriptedComplete(PASS, PASS.replace("pass", "fail"))
    memory = new_memory()
    assert (await ask(complete, memory=memory, check=need_fail)).verdict == "fail"
    assert "turn 2 cannot pass" in complete.requests[1].messages[-1].text
    assert not memory.ignores_schema


@pytest.mark.parametrize(
    "outcome",
    [
        CallOutcome.REFUSED,
        CallOutcome.CONTENT_FILTERED,
        CallOutcome.CONTEXT_EXCEEDED,
        CallOutcome.EMPTY,
        CallOutcome.RATE_LIMITED,
        CallOutcome.UNAUTHORISED,
        CallOutcome.OUT_OF_TIME,
    ],
)
async def test_what_is_no_unusable_answer_is_not_asked_again(outcome: CallOutcome) -> None:
    complete = ScriptedComplete(CallError(outcome, "no"))
    assert (await failure(complete)).outcome is outcome
    assert len(complete.requests) == 1


async def test_the_strongest_mode_that_is_taken_is_found_once() -> None:
    memory = new_memory()
    complete = ScriptedComplete(refusing(STRICT, SCHEMA, reply=PASS))
    await ask(complete, memory=memory)
    await ask(complete, memory=memory)
    assert complete.modes == [STRICT, SCHEMA, OBJECT, OBJECT]
    assert (memory.mode, memory.is_settled) == (OBJECT, True)


@pytest.mark.parametrize("refused", [(STRICT, SCHEMA), (STRICT, SCHEMA, OBJECT)])
async def test_without_a_schema_the_shape_is_told_at_the_end_and_the_stable_part_is_untouched(
    refused: tuple[StructuredMode, ...],
) -> None:
    complete = ScriptedComplete(refusing(*refused, reply=PASS))
    await ask(complete)
    messages = complete.requests[-1].messages
    assert messages[:-1] == PROMPT.stable
    assert messages[-1].text.startswith("Judge.\n\nAnswer with one JSON object")


async def test_a_server_that_accepts_a_schema_and_ignores_it_is_told_the_shape_from_then_on() -> None:
    memory = new_memory()
    complete = ScriptedComplete(PROSE, PASS, PASS)
    await ask(complete, memory=memory)
    await ask(complete, memory=memory)
    assert complete.modes == [STRICT] * 3
    assert ["JSON object" in r.messages[2].text for r in complete.requests] == [False, True, True]


@pytest.mark.parametrize("mode", [STRICT, SCHEMA, OBJECT])
async def test_a_forced_mode_that_is_refused_is_the_users_to_mend(mode: StructuredMode) -> None:
    complete = ScriptedComplete(refusing(STRICT, SCHEMA, OBJECT, reply=PASS))
    with pytest.raises(
        ModelSetupError, match=f"127.0.0.1/v1 m: .*structured_output: {mode}.*leave structured_output out"
    ):
        await ask(complete, spec=SPEC.model_copy(update={"structured_output": mode}))
    assert complete.modes == [mode]


async def test_a_forced_mode_is_kept_to_whatever_is_known_of_the_endpoint() -> None:
    complete = ScriptedComplete(PASS)
    await ask(complete, spec=SPEC.model_copy(update={"structured_output": TEXT}))
    assert complete.modes == [TEXT]
    assert complete.requests[0].response_format is None


async def test_half_characters_in_an_answer_are_mended_before_they_are_kept() -> None:
    error = await failure(ScriptedComplete("It passes \ud83d"))
    assert error.answer == "It passes \ufffd"
