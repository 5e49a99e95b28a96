"""The words in which reports speak of verdicts, stop reasons, blame and roles.

Words only; what holds is decided in the domain.
"""

from __future__ import annotations

import re
from typing import Final

from hairpin.domain.durations import duration_text
from hairpin.domain.gate import GateOutcome
from hairpin.domain.outcome import Blame, Role, StopReason
from hairpin.domain.records import RunStatus
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.tally import Standing

STOP_WORDS: Final = {
    StopReason.INTERRUPTED: "interrupted by the user",
    StopReason.SUT_UNREACHABLE: "the assistant could not be reached",
    StopReason.SUT_ERROR: "the assistant broke off with an error",
    StopReason.ADAPTER_FAULT: "the adapter broke its contract",
    StopReason.CHECK_FAULT: "a check of the scenario broke",
    StopReason.INTERNAL_ERROR: "Hairpin itself failed",
    StopReason.PROVIDER_ERROR: "the model provider failed",
    StopReason.REFUSED: "a model refused to do its work",
    StopReason.CONTENT_FILTERED: "the provider's content filter cut in",
    StopReason.CONTEXT_EXCEEDED: "a model's context window was exceeded",
    StopReason.TRUNCATED: "a model's output was cut off",
    StopReason.SIMULATOR_FAULT: "the simulated user fell out of its role",
    StopReason.JUDGE_FAULT: "a judge gave no usable verdict",
    StopReason.JUDGES_DISAGREE: "the judges of a panel disagreed",
    StopReason.DEADLINE: "the time was up",
    StopReason.BUDGET: "the budget was used up",
    StopReason.TARGETS_RESOLVED: "every target was resolved",
    StopReason.SUT_ENDED: "the assistant ended the conversation",
    StopReason.REPETITION: "both sides repeated themselves",
    StopReason.SCRIPT_EXHAUSTED: "the script was played to its end",
    StopReason.TURNS_EXHAUSTED: "all planned turns were used",
}
STANDING_WORDS: Final = {
    Standing.PASS: "passed",
    Standing.FAIL: "failed",
    Standing.INCONCLUSIVE: "inconclusive",
    Standing.INVALID: "invalid",
    Standing.MISSING: "missing",
    Standing.REPLAYED: "replayed",
    Standing.TRIAL: "tried again",
    Standing.CANARY: "canary",
}
STANDING_NOTES: Final = {
    Standing.PASS: "",
    Standing.FAIL: "",
    Standing.INCONCLUSIVE: "Cut short or impossible to score: in no rate.",
    Standing.INVALID: "Kept from a verdict by something that went wrong: never graded, in no rate.",
    Standing.MISSING: "Planned, without an outcome.",
    Standing.REPLAYED: "Relations compare its answers: it has no verdict.",
    Standing.TRIAL: "Tries to make another conversation's outcome again: in no rate.",
    Standing.CANARY: "A transcript with a known judgement, to try the judges: in no rate.",
}
BLAME_WORDS: Final = {
    Blame.SUT: "the assistant",
    Blame.SIMULATOR: "the simulated user",
    Blame.JUDGE: "a judge",
    Blame.PROVIDER: "the model provider",
    Blame.ADAPTER: "the adapter",
    Blame.HARNESS: "Hairpin",
    Blame.USER: "the user",
}
ROLE_WORDS: Final = {
    Role.EXTRACTOR: "Target extractor",
    Role.SIMULATOR: "User simulator",
    Role.STRATEGIST: "Strategist",
    Role.TURN_JUDGE: "Turn judge",
    Role.CONVERSATION_JUDGE: "Conversation judges",
    Role.SIMULATOR_REVIEWER: "Simulator reviewer",
    Role.DECONTEXTUALISER: "Decontextualiser",
    Role.REFERENCE_ANSWERER: "Reference answerer",
    Role.CONTEXT_JUDGE: "Context judge",
    Role.QUESTION_WRITER: "Question writer",
    Role.DECONTEXTUALISER: "Decontextualiser",
    Role.REFERENCE_ANSWERER: "Reference answerer",
    Role.CONTEXT_JUDGE: "Context judge",
    Role.QUESTION_WRITER: "Question writer",
}
RELATION_WORDS: Final = {
    MetamorphicRelation.RBT: "unlike the gold answer",
    MetamorphicRelation.MR1: "equivalent context, unlike the expected answer",
    MetamorphicRelation.MR2: "another context, yet like that answer",
    MetamorphicRelation.MR3: "two equivalent contexts, unlike answers",
    MetamorphicRelation.MR4: "equivalent and other context, like answers",
    MetamorphicRelation.METAL: "words changed, unlike its own answer",
    MetamorphicRelation.QAASKER: "asked another way, unlike the answer implied",
}
HEADINGS: Final = {
    GateOutcome.PASSED: "Passed",
    GateOutcome.FAILED: "Failed",
    GateOutcome.UNDECIDED: "No verdict",
}
UNGATED_HEADING: Final = "Finished"
"""What stands above a run that no condition was set for: it neither passed nor failed."""
UNFINISHED_HEADINGS: Final = {RunStatus.RUNNING: "Still running", RunStatus.INTERRUPTED: "Interrupted"}
RECORDED: Final = "recorded"
"""The transport of an assistant whose stored replies were read: it was asked nothing."""
OFFLINE: Final = "offline"
ALL_OFFLINE_NOTE: Final = (
    "Every role is played by an offline agent: rules, templates and signals of the packs. "
    "No model is asked but the assistant under test."
)
SOME_OFFLINE_NOTE: Final = "{roles}: played by rules, templates and signals of the packs, not by a model."


def is_offline(player: str) -> bool:
    """Whether what plays a role is an offline agent."""
    return player.casefold().startswith(OFFLINE)


def humanise(identifier: str) -> str:
    """Return an id as words: ``context_forgotten`` becomes ``Context forgotten``."""
    words = identifier.replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:]


def kind_words(kind: str) -> str:
    """Return a kind of target as words within a sentence: ``play_media`` becomes ``play media``."""
    return " ".join(re.split(r"[_\s]+", kind.strip("_ ")))


def duration_words(seconds: float) -> str:
    """Return a duration as people read it: ``25 s``, ``1 h 30 min``, ``4 h``; under a second with its fraction."""
    if seconds < 1:
        return f"{seconds:.2g} s"
    units = {"h": "h", "m": "min", "s": "s"}
    return " ".join(f"{n} {units[unit]}" for n, unit in re.findall(r"(\d+)([hms])", duration_text(seconds)))


def role_words(role: str) -> str:
    """Return the title of a role, also of one that this version does not know."""
    return next((words for known, words in ROLE_WORDS.items() if known.value == role), humanise(role))
