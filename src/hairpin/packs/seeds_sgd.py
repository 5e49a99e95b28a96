"""Test seeds of the Schema-Guided Dialogue data set: what the user says, in order, without gold answers.

It reads no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hairpin.domain.conversation import well_formed
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.packs.recording_messages import shown
from hairpin.packs.seed_records import NoSeedError, SeedRecord, objects_at, text_at

_ANSWERING: Final = frozenset({"AFFIRM", "NEGATE", "AFFIRM_INTENT", "NEGATE_INTENT", "SELECT", "REQUEST_ALTS"})
"""Acts of users that answer what the system said last: yes, no, that one, another one."""


def sgd_seed(record: SeedRecord) -> TestSeed:
    """Return the dialogue; a turn needs the reply before it where its annotated acts say yes, no or that one.

    Raises:
        NoSeedError: no turns, nobody asks anything, a speaker who is neither USER nor SYSTEM, a blank utterance.
    """
    entries = record.entries
    seed_id = text_at(entries, "dialogue_id") if "dialogue_id" in entries else record.name
    turns = objects_at(entries, "turns")
    for place, turn in enumerate(turns):
        if turn.get("speaker") not in ("USER", "SYSTEM"):
            what = f"turns[{place}] has {shown(turn.get('speaker'))} for 'speaker'"
            raise NoSeedError(what, "write USER or SYSTEM")
    asked = tuple(
        SeedQuestion(text=text_at(turn, "utterance", f"turns[{place}]"), needs_reply=place > 0 and _answers(turn))
        for place, turn in enumerate(turns)
        if turn["speaker"] == "USER"
    )
    if not asked:
        raise NoSeedError("its user says nothing", "give it turns of USER, or remove it")
    return TestSeed(id=seed_id, origin=_origin(entries), questions=asked)


def _answers(turn: Mapping[str, object]) -> bool:
    frames = turn.get("frames")
    acts = (
        [act for frame in frames if isinstance(frame, dict) for act in _acts(frame)] if isinstance(frames, list) else []
    )
    return any(act in _ANSWERING for act in acts)


def _acts(frame: Mapping[str, object]) -> list[str]:
    actions = frame.get("actions")
    if not isinstance(actions, list):
        return []
    return [str(action.get("act")) for action in actions if isinstance(action, dict)]


def _origin(entries: Mapping[str, object]) -> str:
    services = entries.get("services")
    named = [service for service in services if isinstance(service, str)] if isinstance(services, list) else []
    return well_formed(f"SGD ({', '.join(named)})") if named else "SGD"
