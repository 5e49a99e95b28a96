"""Test seeds of CoQA's official JSON: questions joined to their answers by ``turn_id``, never by position.

It reads no file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hairpin.domain.conversation import well_formed
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context
from hairpin.packs.recording_messages import kind_of, shown
from hairpin.packs.seed_records import NoSeedError, SeedNotes, SeedRecord, numbered, text_at, whole

BLANK_STORY = "dialogues whose story is blank, so that they have no reference text"

_TURN = "turn_id"
_MEND = "write the answers of the same turns as the questions"


def coqa_seed(record: SeedRecord, notes: SeedNotes) -> TestSeed:
    """Return the dialogue of one entry of ``data``.

    The questions are in the order of their ``turn_id``. The gold answers of each are the record's own and then those
    of ``additional_answers``, all of them; ``unknown`` is an answer. Without ``answers`` there is no gold.

    Raises:
        NoSeedError: no ``story`` or questions, a turn twice, an answer missing or one to a turn that there is not.
    """
    entries = record.entries
    seed_id = text_at(entries, "id") if "id" in entries else record.name
    story = _story(entries)
    questions = numbered(entries, "questions", _TURN)
    if not questions:
        raise NoSeedError("it has no questions", "give it questions, or remove it")
    texts = {turn: text_at(questions[turn], "input_text", f"the question of turn {turn}") for turn in sorted(questions)}
    answers = _answers(entries, texts)
    if not story.strip():
        notes.add(BLANK_STORY, seed_id)
    if not any(answers.values()):
        notes.add("dialogues without gold answers", seed_id)
    return TestSeed(
        id=seed_id,
        origin=_origin(entries),
        context=Context(reference_text=story if story.strip() else None),
        questions=tuple(SeedQuestion(text=text, answers=answers[turn]) for turn, text in texts.items()),
    )


def _story(entries: Mapping[str, object]) -> str:
    if "story" not in entries:
        raise NoSeedError("it has no story", "give it a 'story', a blank one if there is none")
    story = entries["story"]
    if not isinstance(story, str):
        raise NoSeedError(f"its story is {shown(story)}, not a text", "write a text")
    return whole(story)


def _origin(entries: Mapping[str, object]) -> str:
    told = [value for key in ("source", "filename") if isinstance(value := entries.get(key), str) and value.strip()]
    return well_formed(f"CoQA ({', '.join(told)})") if told else "CoQA"


def _answers(entries: Mapping[str, object], turns: Mapping[int, str]) -> dict[int, tuple[str, ...]]:
    """Return all answers by turn, the record's own first."""
    own = _joined(entries, "answers", turns)
    further = entries.get("additional_answers", {})
    if not isinstance(further, dict):
        what = f"'additional_answers' is {kind_of(further)}, not an object"
        raise NoSeedError(what, 'write a list of answers for each annotator: {"0": […], "1": […]}')
    sets = [_joined(further, key, turns, of="additional_answers") for key in further]
    if not own and any(sets):
        raise NoSeedError("it has additional_answers and no answers", _MEND)
    return {turn: tuple(each[turn] for each in (own, *sets) if turn in each) for turn in turns}


def _joined(entries: Mapping[str, object], key: str, turns: Mapping[int, str], *, of: str = "") -> dict[int, str]:
    """Return the answers of one annotator by turn: one for each turn, or none at all."""
    found = numbered(entries, key, _TURN, of=of)
    named = f"{of}[{key!r}]" if of else key
    missing = [turn for turn in turns if turn not in found]
    if found and missing:
        raise NoSeedError(f"{named} has no answer for turn {_listed(missing)}", _MEND)
    strangers = [turn for turn in found if turn not in turns]
    if strangers:
        raise NoSeedError(f"{named} has an answer for turn {_listed(strangers)}, which has no question", _MEND)
    return dict(_texts(found, named))


def _texts(found: Mapping[int, Mapping[str, object]], named: str) -> Iterator[tuple[int, str]]:
    for turn, entry in found.items():
        yield turn, text_at(entry, "input_text", f"{named}, turn {turn}")


def _listed(turns: list[int]) -> str:
    return ", ".join(map(str, turns[:5])) + (" …" if len(turns) > 5 else "")
