"""Answers that play every role sensibly, without a model: for whole runs against the fake model server.

It reads of a request only what a model would: the form of the answer and the words of the prompt. It judges nothing:
every conversation gets full marks, and no failure is ever found.
"""

from __future__ import annotations

import json
import re

from pydantic import JsonValue

from hairpin.testing.received import FakeRequest

_OPEN_TARGET = re.compile(r"^- (g\d+) \(open", re.MULTILINE)
_NEXT = re.compile(r"^Next: (.+)$", re.MULTILINE)
_GOAL = re.compile(r"^The person wants: (.+)$", re.MULTILINE)
_THINGS = ("a pharmacy", "a bakery", "a museum", "a cinema", "a hotel", "a supermarket", "a bank", "a park")
_PLACES = (
    "the station",
    "the old town",
    "the lake",
    "the fair",
    "the castle",
    "the harbour",
    "the hospital",
    "my home",
)


def play_roles(request: FakeRequest) -> str:
    """Answer as the role that asks would want it: one target, always another line, no failure, full marks.

    Roles that serve replays find every context equivalent and write no question.

    Raises:
        ValueError: the request has no JSON schema, or that of no role.
    """
    return json.dumps(_answer(request), ensure_ascii=False)


def _answer(request: FakeRequest) -> JsonValue:
    name, schema = form_of(request)
    match name:
        case "ExtractedTargets":
            task: JsonValue = {"text": "find a way home", "kind": "navigation", "constraints": []}
            return {"thought": "one task", "targets": [task]}
        case "SpokenLine":
            goal = _GOAL.search(str(request.messages[0]["content"]))
            if goal is None:
                raise ValueError("the simulator's prompt does not say what the person wants")
            first = "Assistant: " not in request.last_user_text
            return {"thought": "go on", "utterance": goal[1] if first else line(request.number)}
        case "StrategyChoice":
            return {"thought": "the first", "strategy": schema["properties"]["strategy"]["enum"][0]}
        case "TurnAnswer":
            return _turn_answer(request)
        case "ReviewAnswer":
            return {"reasoning": "Every line may be a person's.", "faults": []}
        case "ScoreAnswer":
            return {"reasoning": "Nothing is wrong with it.", "score": 2}
        case "Rewritten" | "ReferenceAnswer" | "NewQuestion" | "ContextVerdict":
            return _of_replays(name, request)
        case "Ready":
            return {"reasoning": "2 and 3 are 5.", "sum": 5}
    raise ValueError(f"no role answers in the form {name!r}")


def _of_replays(name: str, request: FakeRequest) -> JsonValue:
    """Answer as a role that serves replays: every question stands alone as it is, and every context is equivalent."""
    if name == "Rewritten":
        asked = _NEXT.search(request.last_user_text)
        if asked is None:
            raise ValueError("the decontextualiser's prompt has no question to rewrite")
        return {"topic": "what was asked", "question": asked[1]}
    if name == "ReferenceAnswer":
        return {"answer": "unknown"}
    if name == "NewQuestion":
        return {"statement": "It is as it was said.", "question": "", "answer": ""}
    return {"thought": "Nothing is different.", "equivalent": True}


def line(number: int) -> str:
    """Return what a user may say; the same only for the same number."""
    thing, place = _THINGS[number % len(_THINGS)], _PLACES[number // len(_THINGS) % len(_PLACES)]
    return f"Could you find {thing} near {place}, the one at number {number}?"


def _turn_answer(request: FakeRequest) -> JsonValue:
    targets: list[JsonValue] = [
        {"target_id": target_id, "asked": True, "evidence": "", "outcome": "open", "constraints": None}
        for target_id in _OPEN_TARGET.findall(request.last_user_text)
    ]
    return {"reasoning": "It goes on.", "targets": targets, "new_targets": [], "response_failures": []}


def form_of(request: FakeRequest) -> tuple[str, dict[str, dict[str, dict[str, list[str]]]]]:
    """Return name and schema of the answer that is asked for."""
    body = request.body if isinstance(request.body, dict) else {}
    wanted = body.get("response_format")
    form = wanted.get("json_schema") if isinstance(wanted, dict) else None
    if not isinstance(form, dict):
        raise ValueError("roles are only played where an answer is asked for with a JSON schema")
    return str(form["name"]), form["schema"]  # type: ignore[return-value]  # any JSON, read as far as it is looked at
