"""Whole runs whose roles are played over a real socket: what the server says instead of ``play``, and what was stored.

It holds no tests.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from pydantic import JsonValue

from hairpin.app.inputs import load_inputs
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.domain.gate import Gate
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.records import ConversationRecord
from hairpin.domain.summary import Summary
from hairpin.sut.callables import adapter_of
from hairpin.testing import Answer, Answerer, FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.reports.whole_reports import junit_of

TARGETS, LINE, STRATEGY, TURN, SCORE = "ExtractedTargets", "SpokenLine", "StrategyChoice", "TurnAnswer", "ScoreAnswer"
"""The forms in which the roles are asked to answer."""

REQUESTS_PER_CONVERSATION = 10
"""Of two turns: targets, two lines, one choice, two turn judgements, four scores."""


@dataclass(frozen=True)
class ModelRun:
    """A run that ended, with what it stored."""

    finished: FinishedRun
    records: tuple[ConversationRecord, ...]
    requests: tuple[LlmRequest, ...]

    @property
    def summary(self) -> Summary:
        return self.finished.report.summary

    @property
    def folder(self) -> Path:
        return self.finished.directory.path

    @property
    def html(self) -> str:
        return self.finished.directory.report.read_text(encoding="utf-8")

    @property
    def junit(self) -> ET.Element:
        return ET.fromstring(junit_of(self.finished.report))

    def outcomes(self) -> list[tuple[str, str | None, str | None]]:
        """Stop reason, the role that broke and who is to blame, per conversation."""
        ended = [record.outcome for record in self.records]
        return [(o.stop.reason, o.stop.role, o.judgement.blame) if o else ("", None, None) for o in ended]


def form_of(request: FakeRequest) -> str:
    """Return the name of the form that the request asks for, ``''`` when for none."""
    wanted = request.body.get("response_format") if isinstance(request.body, dict) else None
    form = wanted.get("json_schema") if isinstance(wanted, dict) else None
    return str(form["name"]) if isinstance(form, dict) else ""


def forms_asked(server: FakeModelServer) -> Counter[str]:
    """Count the requests by form."""
    return Counter(form_of(request) for request in server.chat_requests)


def playing(instead: Mapping[str, Answer | Answerer]) -> Answerer:
    """Answer as ``play``, but requests for these forms as they say."""

    def answer(request: FakeRequest) -> Any:
        chosen = instead.get(form_of(request), play_roles)
        return chosen(request) if callable(chosen) else chosen

    return answer


def in_turn(*answers: Answer | Answerer, then: Answer | Answerer = play_roles) -> Answerer:
    """Answer the first requests with these, one each, and all later ones with ``then``."""
    left = list(answers)

    def answer(request: FakeRequest) -> Any:
        chosen = left.pop(0) if left else then
        return chosen(request) if callable(chosen) else chosen

    return answer


def about(words: str, answer: Answer | Answerer) -> Answerer:
    """Answer requests in which ``words`` stand so, and all others as ``play``."""

    def answered(request: FakeRequest) -> Any:
        chosen = answer if words in str(request.messages) else play_roles
        return chosen(request) if callable(chosen) else chosen

    return answered


def model_at(server: FakeModelServer, **keys: JsonValue) -> dict[str, JsonValue]:
    """Return a model of ``server`` as scenarios write it."""
    return {"provider": "openai-compatible", "base_url": server.base_url, "model": "m", **keys}


def scenario_of(models: Mapping[str, JsonValue], **keys: JsonValue) -> dict[str, JsonValue]:
    """Return a scenario of one conversation with two turns of a simulated user."""
    spoken: dict[str, JsonValue] = {} if "turns" in keys else {"seed_phrases": ["Guide me to Marienplatz"]}
    contexts: JsonValue = [{"location": "Garching"}]
    return {"id": "s", "sut": "testbed", "max_turns": 2, "contexts": contexts, "models": dict(models), **spoken, **keys}


def write_scenario(folder: Path, scenario: Mapping[str, JsonValue]) -> Path:
    """Write a scenario file; JSON is YAML."""
    path = folder / "s.yaml"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    return path


async def run_models(
    folder: Path,
    scenario: Mapping[str, JsonValue],
    *,
    sut: Callable[..., Any] | None = None,
    gate: Gate | None = None,
    canary: bool = False,
    **request: Any,
) -> ModelRun:
    """Run a scenario and read back what it stored."""
    inputs = load_inputs(write_scenario(folder, scenario))
    adapters = {"calm": adapter_of(sut, name="calm")} if sut is not None else {}
    asked = RunRequest(
        inputs=inputs, adapters=adapters, out=folder / "runs", gate=gate or Gate(), canary=canary, **request
    )
    finished = await run_scenario(asked)
    with open_stored(finished.directory.path) as stored:
        return ModelRun(finished, tuple(stored.conversations()), tuple(stored.reader.llm_requests()))


def outcomes_of(requests: Iterable[LlmRequest]) -> Counter[str]:
    """Count requests by how they ended."""
    return Counter(request.outcome.value for request in requests)
