"""Answer types like those of the judges, and texts that models wrap their answers in."""

from __future__ import annotations

import json
from typing import Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import BaseModel, Field

ComplianceMode = Literal["fallback_response", "irrelevant_response", "request_omitted", "constraint_missed"]
ResponseMode = Literal["context_forgotten", "ambiguity_unresolved", "planning_poor", "safety_violation"]


class Verdict(BaseModel):
    """The verdict of the bug reports."""

    verdict: Literal["pass", "fail"]
    score: float = Field(ge=0, le=1)
    reason: str


class TargetVerdict(BaseModel):
    """What a turn judge says of one target."""

    target_id: str
    reasoning: str
    status: Literal[-1, 0, 1]
    failure: ComplianceMode | None


class ResponseVerdict(BaseModel):
    """What a turn judge says of the reply as a whole."""

    mode: ResponseMode
    evidence: str


class TurnVerdict(BaseModel):
    """What a turn judge says: reasoning before labels, one object per target."""

    reasoning: str
    targets: tuple[TargetVerdict, ...]
    response: tuple[ResponseVerdict, ...]
    confidence: float = Field(ge=0, le=1)


_NASTY = (
    '{"verdict": "fail", "score": 0.1, "reason": "draft"}',
    '{"reasoning": "", "targets": [], "response": [], "confidence": 0.5}',
    "```json\n{}\n```",
    "~~~",
    "<think>",
    "</think>",
    "[THINK]",
    "it's",
    'he said "no"',
    "{",
    "}",
    "\\",
    "\\d{4}",
    "C:\\temp",
    "null",
    "Final verdict:",
    "// no",
    "\n",
    "\t",
    "é✓👍🏽",
    "\u2028",
    "',",
    '",',
    '"}',
)


def texts() -> SearchStrategy[str]:
    """Return free text of the kind that confuses extractors."""
    piece = st.sampled_from(_NASTY) | st.text(max_size=12)
    return st.lists(piece, max_size=5).map(" ".join)


def verdicts() -> SearchStrategy[Verdict]:
    """Return verdicts."""
    return st.builds(Verdict, verdict=st.sampled_from(["pass", "fail"]), score=_ratios(), reason=texts())


def turn_verdicts() -> SearchStrategy[TurnVerdict]:
    """Return verdicts of a turn judge."""
    targets = st.lists(st.builds(TargetVerdict, target_id=texts(), reasoning=texts()), max_size=3).map(tuple)
    response = st.lists(st.builds(ResponseVerdict, evidence=texts()), max_size=2).map(tuple)
    return st.builds(TurnVerdict, reasoning=texts(), targets=targets, response=response, confidence=_ratios())


def _ratios() -> SearchStrategy[float]:
    return st.floats(min_value=0, max_value=1)


@st.composite
def spellings(draw: st.DrawFn, verdict: BaseModel) -> str:
    """Return ``verdict`` as some model would write it, never ambiguously."""
    data = verdict.model_dump(mode="json")
    if draw(st.booleans()):
        data = dict(draw(st.permutations(list(data.items()))))
    style = draw(st.sampled_from(["json", "ascii", "indented", "raw", "python", "trailing_comma", "bad_escape"]))
    if style == "python":
        return repr(data)
    written = json.dumps(data, ensure_ascii=style == "ascii", indent=draw(st.sampled_from([None, 0, 2, "\t"])))
    if style == "raw":
        return written.replace("\\n", "\n") if "\\\\n" not in written else written
    if style == "trailing_comma":
        return f"{written[:-1]},}}"
    if style == "bad_escape":
        return written.replace("\\\\d", "\\d") if "\\\\\\" not in written else written
    return written


_CALM_PROSE = (
    "Here is my verdict:",
    "Let me know if you need more.",
    "I used { and } with care.",
    "The set {reason, verdict} is complete.",
    'It said "yes {maybe}".',
    "It's the user's 5\" screen.",
    "**Result** ~ `x` ~",
    '{"verdict": "pass" | "fail", "score": <0 to 1>, "reason": ...}',
    '{"note": 1}',
    "{}",
    "{{x}}",
    "[1, 2]",
    "\ufeff",
    "\\boxed{7}",
    "```python\nprint({})\n```",
    "{'city': 'x', 'open': True}",
    "\r\n\t\u00a0",
    "",
)
"""Prose in which nothing else could be meant as the answer."""
_PROSE = (*_CALM_PROSE, '{"reason": "only a part"}', "}{", "{broken: x, 'y}", '{"verdict": "pass"}')
_READABLE_DECOYS = (
    '{"verdict": "fail", "score": 0.123, "reason": "decoy"}',
    "{'verdict': 'pass', 'score': 0.123, 'reason': 'decoy'}",
    '{"reasoning": "decoy", "targets": [], "response": [], "confidence": 0.123}',
    '```json\n{"verdict": "fail", "score": 0.123, "reason": "decoy"}\n```',
    'answer {"x": {"verdict": "fail", "score": 0.123, "reason": "decoy"}} so',
)
_DECOYS = (
    *_READABLE_DECOYS,
    '{"verdict": "fail", "score": 0.123, "reason": "cut',
    '{"verdict": "fail", "score": 0.123, "reason": "un"escaped"}',
)
_TAGS = (
    ("<think>", "</think>"),
    ("<THINKING>", "</THINKING>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("◁think▷", "◁/think▷"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
)
_FENCES = ("{}", "```json\n{}\n```", "```\n{}\n```", "~~~json\n{}\n~~~", "```json\n{}", "<answer>{}</answer>", "[{}]")


def calm_prose() -> SearchStrategy[str]:
    """Return prose that may hold braces, quotes, fences and other objects, but nothing that could be the answer."""
    return st.lists(st.sampled_from(_CALM_PROSE), max_size=4).map("\n".join)


def prose_with_decoys() -> SearchStrategy[str]:
    """Return prose that may hold whole, cut or broken verdicts that are not the answer."""
    return st.lists(st.sampled_from(_PROSE + _DECOYS) | st.text(max_size=10), max_size=4).map(" ".join)


def thinking() -> SearchStrategy[str]:
    """Return closed blocks of thinking with drafts in them, or nothing.

    Where no tag opens a block its drafts can be read: a tag after a broken one leaves a doubt, which is its own test.
    """
    opened = st.tuples(st.sampled_from(_TAGS), prose_with_decoys()).map(
        lambda block: f"{block[0][0]}{block[1]}{block[0][1]}"
    )
    draft = st.sampled_from([*_CALM_PROSE, *_READABLE_DECOYS])
    unopened = st.lists(draft, max_size=4).map(lambda drafts: "\n".join([*drafts, "</think>"]))
    return st.lists(opened | unopened, max_size=2).map("\n".join)


def fenced(text: str) -> SearchStrategy[str]:
    """Return ``text`` in one kind of fence, or bare."""
    return st.sampled_from(_FENCES).map(lambda fence: fence.replace("{}", text))
