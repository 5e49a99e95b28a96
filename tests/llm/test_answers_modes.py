from __future__ import annotations

import anyio
import pytest
import structlog
from structlog.testing import CapturingLogger

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.model_spec import CompatibleModel, StructuredMode
from hairpin.llm.answers import ModeMemory, ask_structured, mode_of
from hairpin.llm.answers.modes import refuses
from hairpin.llm.answers.schema import shape_of
from hairpin.llm.completion import CallError, CompletionRequest
from hairpin.ports import ChatMessage, ChatPrompt
from tests.llm.scripted_complete import Reply, ScriptedComplete, new_memory, refusing
from tests.llm.verdicts import Verdict
from tests.patience import SLOWNESS

PASS = '{"verdict": "pass", "score": 0.9, "reason": ""}'
STRICT, SCHEMA, OBJECT, TEXT = StructuredMode
SPEC = CompatibleModel(base_url="http://127.0.0.1/v1", model="m")
PROMPT = ChatPrompt(stable=(ChatMessage(role="system", text="You judge."),), request="Judge.")


async def ask_at_once(complete: ScriptedComplete, memory: ModeMemory, n_calls: int) -> list[Verdict | CallError]:
    results: list[Verdict | CallError] = []

    async def ask() -> None:
        try:
            results.append(await ask_structured(complete, PROMPT, Verdict, spec=SPEC, memory=memory))
        except CallError as error:
            results.append(error)

    async with anyio.create_task_group() as tasks:
        for _ in range(n_calls):
            tasks.start_soon(ask)
    return results


@pytest.mark.anyio
async def test_of_64_first_calls_one_finds_out_the_mode_and_the_others_use_it() -> None:
    complete = ScriptedComplete(refusing(STRICT, SCHEMA, reply=PASS))
    results = await ask_at_once(complete, new_memory(), 64)
    assert len(results) == 64
    assert all(isinstance(result, Verdict) for result in results)
    assert complete.modes == [STRICT, SCHEMA, *[OBJECT] * 64]


@pytest.mark.anyio
async def test_when_the_one_that_finds_out_fails_the_next_one_does() -> None:
    lost: Reply = CallError(CallOutcome.CONNECTION_LOST, "gone")
    complete = ScriptedComplete(lost, refusing(STRICT, reply=PASS))
    results = await ask_at_once(complete, new_memory(), 8)
    assert [type(result) for result in results] == [CallError, *[Verdict] * 7]
    assert complete.modes == [STRICT, STRICT, *[SCHEMA] * 7]


@pytest.mark.anyio
async def test_whoever_finds_out_and_is_cancelled_lets_the_next_one_in() -> None:
    memory = new_memory()
    async with anyio.create_task_group() as tasks:
        entered = anyio.Event()

        async def hang() -> None:
            async with memory.settling():
                entered.set()
                await anyio.sleep_forever()

        tasks.start_soon(hang)
        await entered.wait()
        tasks.cancel_scope.cancel()
    with anyio.fail_after(1):
        async with memory.settling():
            memory.note_taken(STRICT)
    assert memory.is_settled


@pytest.mark.anyio
async def test_nobody_waits_longer_than_a_refusal_would_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hairpin.llm.answers.modes._PATIENCE_S", 0.01)
    memory = new_memory()
    with anyio.fail_after(5 * SLOWNESS):
        async with anyio.create_task_group() as tasks, memory.settling():
            impatient = anyio.Event()

            async def ask() -> None:
                async with memory.settling():
                    impatient.set()

            tasks.start_soon(ask)
            await impatient.wait()
    assert not memory.is_settled


def test_a_mode_that_others_have_left_is_not_left_twice() -> None:
    memory = new_memory()
    memory.note_refused(STRICT, "no")
    memory.note_refused(STRICT, "no")
    assert memory.mode is SCHEMA
    memory.note_taken(STRICT)
    assert not memory.is_settled


def test_an_endpoint_that_changes_its_mind_is_followed_downwards() -> None:
    memory = new_memory()
    memory.note_taken(STRICT)
    memory.note_refused(STRICT, "the model behind it has changed")
    assert (memory.mode, memory.is_settled) == (SCHEMA, False)


def test_each_step_down_is_logged_once() -> None:
    log = CapturingLogger()
    memory = ModeMemory("m", structlog.wrap_logger(log, processors=[], wrapper_class=structlog.BoundLogger))
    for _ in range(3):
        memory.note_refused(STRICT, "not here")
        memory.note_ignored(SCHEMA)
        memory.note_ignored(TEXT)
    assert [call.args or call.kwargs["event"] for call in log.calls] == ["structured_output_lowered", "schema_ignored"]


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (CallError(CallOutcome.UNSUPPORTED, "no", parameter="response_format"), True),
        (CallError(CallOutcome.UNSUPPORTED, "no", parameter="response_format.json_schema.strict"), True),
        (CallError(CallOutcome.REJECTED, "This response_format type is unavailable now"), True),
        (CallError(CallOutcome.REJECTED, "'json_schema' is not supported by this model"), True),
        (CallError(CallOutcome.UNSUPPORTED, "no", parameter="temperature"), False),
        (CallError(CallOutcome.REJECTED, "no such model"), False),
        (CallError(CallOutcome.OVERLOADED, "response_format worker is busy"), False),
    ],
)
def test_a_refusal_of_the_mode_is_told_from_other_errors(error: CallError, refused: bool) -> None:
    assert refuses(error, STRICT) is refused
    assert not refuses(error, TEXT)


@pytest.mark.parametrize("mode", StructuredMode)
def test_a_request_tells_its_mode(mode: StructuredMode) -> None:
    request = CompletionRequest(
        messages=PROMPT.messages, response_format=shape_of(Verdict).formats[mode], output_tokens=1
    )
    assert mode_of(request) is mode
