"""Where a clause is cut although no word opens the next part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.testbed.acts import Act, Named, Navigate, NotUnderstood, Request
from hairpin.testbed.media_acts import PlayMedia
from hairpin.testbed.parsing.borders import MAX_CLAUSE, parts
from hairpin.testbed.parsing.parser import parse
from hairpin.testbed.world import load_city

CITY = load_city()

TRIP = ("direct me to pasing", "lead us to giesing", "we're off to drive to solln")
MEDIA = ("play some jazz", "put on blue hour", "turn on the radio")
BORDERS = (" and ", " while you ", "; ", " - ", ", ")


def read(text: str) -> tuple[Act, ...]:
    return tuple(request.act for request in parse(text, CITY))


def asked(utterance: str) -> list[type[Act]]:
    return [type(request.act) for request in parse(utterance, CITY)]


@given(st.sampled_from(TRIP), st.sampled_from(MEDIA), st.sampled_from(BORDERS), st.booleans())
def test_no_request_is_lost_for_the_words_that_open_the_other(trip: str, media: str, border: str, first: bool) -> None:
    said = f"{trip}{border}{media}" if first else f"{media}{border}{trip}"
    assert sorted(map(str, asked(said))) == sorted(map(str, (*asked(trip), *asked(media))))


@pytest.mark.parametrize(
    "clause",
    [
        "find a restaurant with parking and outdoor seating",
        "take me to pasing, without tolls and without motorways",
        "remind me to call anna because she is ill and to play some jazz",
        "it is cold out there: heat the steering wheel",
        "play rock and roll",
        "turn on the low beams, it's getting dark on the way",
    ],
)
def test_what_belongs_together_stays_together(clause: str) -> None:
    assert len(read(clause)) == 1


@pytest.mark.parametrize(
    ("clause", "left"),
    [
        ("stop the music, my ears hurt", "stop the music"),
        ("mute the sound because somebody is calling", "mute the sound"),
        ("three errands before dinner, so take me to au", "take me to au"),
        ("two things: play some jazz", "play some jazz"),
    ],
)
def test_what_merely_tells_something_is_taken_off(clause: str, left: str) -> None:
    assert read(clause) == read(left) != ()


def test_a_clause_is_cut_only_as_long_as_somebody_may_say_it() -> None:
    def jazz_or_trip(text: str) -> tuple[Act, ...]:
        return (PlayMedia(),) if text.startswith("play") else (Navigate(to=Named(name="Pasing", ids=("pasing",))),)

    clause = "play some jazz and direct me to pasing"
    assert parts(clause, jazz_or_trip) == ("play some jazz", "direct me to pasing")
    endless = clause + " on" * MAX_CLAUSE
    assert parts(endless, jazz_or_trip) == (endless,)


def test_what_is_asked_for_oddly_is_still_named() -> None:
    (first, second) = parse("Take me to Pasing and tell me a joke", CITY)
    assert isinstance(first.act, Navigate)
    assert second == Request(text="tell me a joke", act=NotUnderstood(text="tell me a joke"))
