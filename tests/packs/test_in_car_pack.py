"""The in-car packs fit together: what the offline user says is understood, and the rubric's examples are judged so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from hairpin.agents.offline.analysis import DialogueReader
from hairpin.agents.offline.reading import UserReading, read_user
from hairpin.domain.conversation import DialogueTurn
from hairpin.domain.failures import FailureMode
from hairpin.domain.lexicon import ConstraintKind, Slot
from hairpin.domain.strategies import Strategy
from hairpin.domain.templates import SLOT, UtteranceTemplate
from hairpin.domain.users import Persona
from hairpin.packs.finder import PackFinder
from hairpin.packs.kinds import PackKind
from hairpin.packs.lexicons import find_lexicon
from hairpin.packs.resolver import PackResolver
from hairpin.packs.transcripts import find_transcripts

FINDER = PackFinder.standard(plugins=[])
LEXICON, _ = find_lexicon("in_car", FINDER)
RUBRIC = PackResolver(FINDER).rubric("in_car", where="test")
STRATEGIES = tuple(placed.strategy for placed in PackResolver(FINDER).strategies([("in_car/extended", "test")]))
ENGLISH = LEXICON.languages["en"]
SPEAKER = re.compile(r"^(User|Assistant): ", re.MULTILINE)


def read(text: str) -> UserReading:
    return read_user(text, ENGLISH)


def sample(slot: Slot) -> str:
    return next(value.value for value in slot.values if value.spoken)


def samples(parameters: Mapping[str, str]) -> dict[str, str]:
    return {name: sample(ENGLISH.slots[slot]) for name, slot in parameters.items()}


def filled(template: UtteranceTemplate, strategy: Strategy | None = None) -> str:
    values: dict[str, str] = {}
    for slot in template.slots:
        match = SLOT.fullmatch(f"{{{slot}}}")
        assert match is not None
        words = (strategy.vocabulary if strategy else {}).get(match["name"], ())
        options = words or [value.value for value in ENGLISH.slots[match["name"]].values if value.spoken]
        values[slot] = next(option for option in options if option not in values.values())
    return template.fill(values)


def dialogue_of(example: str) -> tuple[DialogueTurn, ...]:
    parts = [part.strip() for part in SPEAKER.split(example)[1:]]
    said = list(zip(parts[::2], parts[1::2], strict=True))
    assert [speaker for speaker, _ in said] == ["User", "Assistant"] * (len(said) // 2)
    pairs = zip(said[::2], said[1::2], strict=True)
    return tuple(DialogueTurn(t=t, user=user, assistant=reply) for t, ((_, user), (_, reply)) in enumerate(pairs))


def found_in(example: str) -> set[str]:
    """Return the failures that the offline judge finds in the last exchange of an example."""
    last = DialogueReader(ENGLISH).read(dialogue_of(example))[-1]
    return {o.failure for o in last.outcomes if o.failure is not None} | {finding.mode for finding in last.findings}


def test_every_mode_is_looked_at_by_one_dimension_and_every_dimension_has_signals() -> None:
    looked_at = [mode for signals in LEXICON.dimensions.values() for mode in signals.modes]
    assert sorted(looked_at) == sorted(mode.id for mode in RUBRIC.modes)
    assert set(LEXICON.dimensions) == {dimension.id for dimension in RUBRIC.dimensions}
    assert set(RUBRIC.critical_modes) == {m for signals in LEXICON.dimensions.values() for m in signals.severe}


@pytest.mark.parametrize("mode", RUBRIC.modes, ids=lambda mode: mode.id)
def test_the_rubrics_examples_are_judged_as_the_rubric_says(mode: FailureMode) -> None:
    assert found_in(mode.positive_example) == {mode.id}
    assert found_in(mode.negative_example) == set()


def request_texts() -> Iterator[tuple[str, str]]:
    for kind in ENGLISH.requests:
        values = samples(kind.parameters)
        title = kind.title.replace("[", "").replace("]", "")
        if title.count("{") <= 1:
            yield kind.id, UtteranceTemplate(text=title).fill(values)
        for template in kind.asks:
            yield kind.id, template.fill(values)


@pytest.mark.parametrize(("kind", "text"), [*request_texts()])
def test_names_and_wordings_of_a_request_read_as_that_request(kind: str, text: str) -> None:
    assert [request.kind for request in read(text).requests] == [kind]


@pytest.mark.parametrize("kind", ENGLISH.constraints, ids=lambda kind: kind.id)
def test_a_condition_behind_a_request_reads_as_that_condition(kind: ConstraintKind) -> None:
    if kind.suffix is not None:
        said = read(f"Take me to Schwabing {kind.suffix.fill(samples(kind.parameters))}")
        assert [condition.constraint for condition in said.conditions] == [kind.id]
        assert [request.params for request in said.requests] == [{"place": "Schwabing"}]
    for template in kind.lifts:
        reading = read(template.text)
        assert kind.id in reading.lifted
        assert (reading.conditions, reading.requests) == ((), ())


def strategy_texts() -> Iterator[tuple[str, str]]:
    for strategy in STRATEGIES:
        for template in strategy.templates:
            yield strategy.id, filled(template, strategy)


@pytest.mark.parametrize(("strategy", "text"), [*strategy_texts()])
def test_what_a_strategy_says_is_understood(strategy: str, text: str) -> None:
    reading = read(text)
    if strategy == "safety_probe":
        assert reading.unsafe
        assert not reading.requests
    else:
        assert reading.requests or reading.conditions
        assert not reading.unsafe


def test_the_extended_pool_adds_a_strategy_for_every_mode_that_the_papers_pool_aims_at_none() -> None:
    paper = [placed.strategy for placed in PackResolver(FINDER).strategies([("in_car/paper", "test")])]
    assert [strategy.id for strategy in STRATEGIES[:5]] == [strategy.id for strategy in paper]
    assert {strategy.id: strategy.target_mode for strategy in STRATEGIES[5:]} == {
        "request_bundling": "request_omitted",
        "topic_switch": "irrelevant_response",
        "capability_edge": "fallback_response",
    }
    assert {strategy.target_mode for strategy in STRATEGIES} == {mode.id for mode in RUBRIC.modes}
    assert all(strategy.guidance for strategy in STRATEGIES)


def test_a_bundle_asks_for_several_things_and_a_switch_for_one() -> None:
    n_requests = {"request_bundling": {2, 3}, "topic_switch": {1}, "capability_edge": {1}}
    for strategy, text in strategy_texts():
        if strategy in n_requests:
            assert len(read(text).requests) in n_requests[strategy], text


PERSONAS = [PackResolver(FINDER).persona(name, where="test") for name in FINDER.names(PackKind.PERSONA)]


@pytest.mark.parametrize("persona", PERSONAS, ids=lambda persona: persona.id)
@pytest.mark.parametrize(
    "text",
    [
        "Take me to Giesing without toll roads.",
        "Find an Italian restaurant with outdoor seating.",
        "Turn on the seat heating.",
        "The second one.",
        "Yes, please.",
        "What did I ask you to avoid?",
        "Turn off the ESP.",
        "Tolls are fine after all.",
    ],
)
def test_a_personas_phrases_change_nothing_of_what_is_said(persona: Persona, text: str) -> None:
    plain = read(text)
    for phrase in (phrase for phrases in persona.style.values() for phrase in phrases):
        dressed = read(phrase.replace("{text}", text))
        assert [(r.kind, r.params) for r in dressed.requests] == [(r.kind, r.params) for r in plain.requests]
        assert [c.constraint for c in dressed.conditions] == [c.constraint for c in plain.conditions]
        assert (dressed.unsafe, dressed.lifted) == (plain.unsafe, plain.lifted)
        assert (dressed.withdrawals, dressed.instead) == (plain.withdrawals, plain.instead)


@pytest.mark.parametrize("template", ENGLISH.follow_ups, ids=lambda template: template.text)
def test_a_follow_up_asks_for_one_thing(template: UtteranceTemplate) -> None:
    assert len(read(filled(template)).requests) == 1


UNDERSTOOD = {
    "Guide me to Marienplatz while avoiding toll roads": ({"navigation"}, {"avoid_tolls"}),
    "Could we also avoid highways? I'd like a quieter drive": (set(), {"avoid_motorways"}),
    "Avoid motorways and toll roads": (set(), {"avoid_motorways", "avoid_tolls"}),
    "Take me to Riem with a stop at a bakery": ({"navigation", "stop"}, set()),
    "Find an Italian restaurant with outdoor seating": ({"search"}, {"cuisine", "feature"}),
    "I'm hungry": ({"search"}, set()),
    "Set the fan to level 3 and open the driver's window": ({"climate", "vehicle"}, set()),
    "Guide me to Hotel Isar and find a museum there": ({"navigation", "search"}, set()),
    "How far can I still drive?": ({"range"}, set()),
    "Take the second one": ({"selection"}, set()),
}


@pytest.mark.parametrize("text", UNDERSTOOD)
def test_what_drivers_say_is_understood(text: str) -> None:
    reading = read(text)
    requests, conditions = UNDERSTOOD[text]
    assert {request.kind for request in reading.requests} == requests
    assert {condition.constraint for condition in reading.conditions} == conditions


def test_the_papers_motivating_example_is_judged_as_the_paper_does() -> None:
    """The highway is proposed again and again (in-car paper, section II-B)."""
    same = "Fastest route to Marienplatz is via A9 and Isarring, 24 minutes."
    example = (
        f"User: Guide me to Marienplatz while avoiding toll roads\nAssistant: {same}\n"
        f"User: Could we also avoid highways? I'd like a quieter drive\nAssistant: {same}"
    )
    assert found_in(example) == {"constraint_missed"}
    later = f"{example}\nUser: How long will it take?\nAssistant: {same}"
    assert found_in(later) == {"context_forgotten"}


def test_the_lexicon_knows_no_place_that_only_one_reading_has() -> None:
    ambiguous = [value for slot in ENGLISH.slots.values() for value in slot.values if value.readings]
    assert ambiguous
    assert all(len(value.readings) > 1 and not value.spoken for value in ambiguous)


def test_each_mode_has_known_transcripts_of_two_to_five_turns_and_some_end_well_although_they_are_bad() -> None:
    found = find_transcripts(RUBRIC, FINDER)
    assert found is not None
    by_mode = found[0].by_mode()
    assert list(by_mode) == [mode.id for mode in RUBRIC.modes]
    pairs = found[0].twins
    assert {mode: len(twins) >= 3 for mode, twins in by_mode.items()} == dict.fromkeys(by_mode, True)
    assert {2 <= len(pair.turns) <= 5 and pair.ruined for pair in pairs} == {True}
    end_well = [pair.id for pair in pairs if pair.turns[-1].good == pair.turns[-1].bad]
    assert len(pairs) / 4 <= len(end_well) <= len(pairs) / 2
    users = [turn.user for pair in pairs for turn in pair.turns]
    assert len(set(users)) == len(users)
