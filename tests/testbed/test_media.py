"""The media player of the testbed: what it plays for which words, and that conditions hold until they are lifted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.users import Context
from hairpin.testbed.catalogue import load_catalogue
from hairpin.testbed.media_acts import (
    AskMedia,
    ChooseSource,
    ControlPlayer,
    LiftMedia,
    MediaAct,
    MediaCondition,
    MediaQuestion,
    MediaWanted,
    PlayerAction,
    PlayMedia,
    RequireMedia,
    Source,
    When,
)
from hairpin.testbed.parsing.media import media_acts
from hairpin.testbed.parsing.parser import parse
from hairpin.testbed.player import broken_by
from hairpin.testbed.wording import WORDINGS
from hairpin.testbed.world import load_city
from tests.testbed.talking import hold, walk

CATALOGUE = load_catalogue()
NO_EXPLICIT, NO_ADS = MediaCondition.NO_EXPLICIT, MediaCondition.NO_ADS
ONLY_GERMAN, ONLY_ENGLISH = MediaCondition.ONLY_GERMAN, MediaCondition.ONLY_ENGLISH


@pytest.mark.parametrize(
    ("utterance", "act"),
    [
        ("Play some music", PlayMedia()),
        ("I'd like to hear something relaxing", PlayMedia(wanted=MediaWanted(genre="calm"))),
        ("Play me a German podcast", PlayMedia(wanted=MediaWanted(kind="podcast", language="german"))),
        ("Play Summer Rain by Mira Sol", PlayMedia(wanted=MediaWanted(ids=("summer_rain_sol",)))),
        ("Put on the album Paper Boats", PlayMedia(wanted=MediaWanted(ids=("album_paper",)))),
        ("Play Tide Line next", PlayMedia(wanted=MediaWanted(ids=("tide_line",)), when=When.NEXT)),
        ("Add Crater to the queue", PlayMedia(wanted=MediaWanted(ids=("crater",)), when=When.LATER)),
        ("Play blu hour", PlayMedia(wanted=MediaWanted(ids=("blue_hour",)))),
        ("Play Bohemian Rhapsody", PlayMedia(wanted=MediaWanted(unknown="Bohemian Rhapsody"))),
        ("Could we listen to the news?", PlayMedia(wanted=MediaWanted(genre="news"))),
        ("Listen to some jazz", PlayMedia(wanted=MediaWanted(genre="jazz"))),
        ("Play jazz on the way", PlayMedia(wanted=MediaWanted(genre="jazz"))),
        ("Play some jazz, it's date night", PlayMedia(wanted=MediaWanted(genre="jazz"))),
        ("The kids are tired, so play something calm", PlayMedia(wanted=MediaWanted(genre="calm"))),
        ("Play an episode of true crime", PlayMedia(wanted=MediaWanted(kind="podcast", genre="crime"))),
        ("Stop the music, my ears hurt", ControlPlayer(action=PlayerAction.STOP)),
        ("Mute the sound, I'm getting a call", ControlPlayer(action=PlayerAction.MUTE)),
        ("Pause the music for a moment", ControlPlayer(action=PlayerAction.PAUSE)),
        ("Continue", ControlPlayer(action=PlayerAction.RESUME)),
        ("Next song, please", ControlPlayer(action=PlayerAction.NEXT)),
        ("Skip this one", ControlPlayer(action=PlayerAction.NEXT)),
        ("Go back to the previous track", ControlPlayer(action=PlayerAction.PREVIOUS)),
        ("Play it again", ControlPlayer(action=PlayerAction.AGAIN)),
        ("Could you turn off the radio?", ControlPlayer(action=PlayerAction.STOP)),
        ("Mute the sound", ControlPlayer(action=PlayerAction.MUTE)),
        ("Switch to Bluetooth", ChooseSource(source=Source.BLUETOOTH)),
        ("Play music from the USB stick", ChooseSource(source=Source.USB)),
        ("Turn the radio on", ChooseSource(source=Source.RADIO)),
        ("What is playing?", AskMedia(question=MediaQuestion.PLAYING)),
        ("What song is this?", AskMedia(question=MediaQuestion.PLAYING)),
        ("What's next?", AskMedia(question=MediaQuestion.QUEUE)),
        ("Nothing explicit, please", RequireMedia(conditions=(NO_EXPLICIT,))),
        ("Don't play anything explicit", RequireMedia(conditions=(NO_EXPLICIT,))),
        ("From now on only German songs", RequireMedia(conditions=(ONLY_GERMAN,))),
        ("No ads please", RequireMedia(conditions=(NO_ADS,))),
        ("Explicit songs are fine again", LiftMedia(conditions=(NO_EXPLICIT,))),
        ("I don't mind commercials", LiftMedia(conditions=(NO_ADS,))),
        ("Any language is fine", LiftMedia(conditions=(ONLY_GERMAN, ONLY_ENGLISH))),
    ],
)
def test_many_phrasings_are_understood(utterance: str, act: MediaAct) -> None:
    assert [request.act for request in parse(utterance, load_city())] == [act]


@pytest.mark.parametrize(
    "utterance",
    [
        "Find a pharmacy near me",
        "Avoid toll roads from now on",
        "No motorways please",
        "Switch to the scenic route",
        "Start the navigation",
        "Turn on the lights",
        "Give me something to eat",
        "What is this place called?",
    ],
)
def test_what_is_about_something_else_is_left_alone(utterance: str) -> None:
    assert media_acts(utterance.casefold().strip("?")) == ()


def test_a_name_of_several_titles_is_asked_about() -> None:
    replies = hold(
        "Play First Light", "the one by DJ Taro", "Play Luna", "the jazz singer", "Play Paper Boats", "the album"
    )
    assert replies.replies == (
        "There are several titles called First Light. Which one do you mean: the song First Light by Kern Trio or the "
        "song First Light by DJ Taro?",
        "Playing First Light by DJ Taro.",
        "There are several titles called Luna. Which one do you mean: the jazz singer Luna or the rock band Luna?",
        "Playing songs by Luna.",
        "There are several titles called Paper Boats. Which one do you mean: the song Paper Boats by Mira Sol or the "
        "album Paper Boats by Mira Sol?",
        "Playing the album Paper Boats by Mira Sol.",
    )


def test_an_answer_that_fits_nothing_is_asked_again_and_an_ordinal_chooses() -> None:
    walked = walk("Play Summer Rain", "the purple one, whatever", "the second one")
    assert walked.keys[1:] == (("clarify.again",), ("media.playing",))
    assert walked.last.player.current == "summer_rain_harbour"


def test_a_question_is_dropped_when_something_else_is_done() -> None:
    walked = walk("Play Summer Rain", "What is the battery level?", "Play Crater", "the first one")
    assert walked.states[1].choice is not None
    assert walked.states[2].choice is None
    assert walked.last.player.current == "crater"


def test_conditions_hold_until_lifted_and_a_wish_that_breaks_them_is_declined_with_the_reason() -> None:
    said = hold("Nothing explicit, please", "Play Concrete Sky", "Explicit songs are fine again", "Play Concrete Sky")
    assert (
        said.replies[1] == "I cannot play Concrete Sky by Glass Harbour, because you asked for this: nothing explicit."
    )
    assert said.replies[3] == "Playing Concrete Sky by Glass Harbour. It has explicit lyrics."


def test_what_breaks_a_new_condition_stops_and_something_alike_plays() -> None:
    walked = walk("Play Concrete Sky", "Add Signal Fire to the queue", "Nothing explicit")
    assert walked.keys[-1] == ("media.noted", "media.left", "media.playing", "media.holds")
    assert walked.last.player.upcoming == ()
    assert walked.last.player.current == "summer_rain_harbour"


def test_of_two_languages_the_later_one_holds() -> None:
    assert walk("Only in German", "Only English songs").last.player.conditions == (ONLY_ENGLISH,)


def test_what_was_asked_for_is_told() -> None:
    replies = hold("Play some pop without ads", "What did I ask you to avoid?").replies
    assert replies[1] == "For what I play you asked for this: no ads."


def test_a_queue_outlasts_what_plays_but_the_rest_of_an_album_does_not() -> None:
    walked = walk(
        "Play the album Paper Boats and then play Blue Hour", "Play Crater next", "Play Tide Line", "Next song"
    )
    assert walked.states[0].player.upcoming == ("summer_rain_sol", "langsam", "blue_hour")
    assert walked.states[1].player.upcoming[0] == "crater"
    assert walked.states[2].player.upcoming == ("crater", "blue_hour")
    assert walked.last.player.current == "crater"


def test_previous_and_again_go_back() -> None:
    walked = walk("Play Crater", "Play Blue Hour", "Previous song", "Play it again", "Next song")
    assert [state.player.current for state in walked.states[2:]] == ["crater", "crater", "blue_hour"]


def test_pausing_muting_and_stopping() -> None:
    walked = walk("Pause", "Play Crater", "Pause", "Pause", "Continue", "Mute", "Unmute", "Stop the music", "Play")
    assert [keys[0] for keys in walked.keys] == [
        "media.silent",
        "media.playing",
        "media.paused",
        "media.paused_already",
        "media.resumed",
        "media.muted",
        "media.unmuted",
        "media.stopped",
        "media.playing",
    ]


def test_a_video_is_declined_while_driving_and_a_podcast_is_none() -> None:
    assert walk("Play a video").keys == (("unsafe.declined",),)
    assert walk("Play the latest episode of Small Orbits").keys == (("media.playing",),)
    parked = walk("Play a video", context=Context(vehicle={"moving": False}))
    assert parked.last.player.video
    assert not parked.last.player.current


WISHES = (
    "Play some music",
    "Play some rock",
    "Play something energetic",
    "Play some hip hop",
    "Turn on the radio",
    "Play a podcast",
    "Play Concrete Sky",
    "Play the album Low Orbit",
    "Then play Full Tank",
    "Add Cold Streets to the queue",
    "Next song",
    "Previous song",
    "Play it again",
    "Nothing explicit",
    "Only in German",
    "Only English",
    "No ads",
    "Explicit songs are fine",
    "Ads are okay again",
    "Any language is fine",
    "Stop",
    "Continue",
    "Play Summer Rain",
    "The first one",
)


@given(st.lists(st.sampled_from(WISHES), max_size=10))
def test_nothing_that_plays_or_waits_ever_breaks_a_condition(said: list[str]) -> None:
    for state in walk(*said).states:
        player = state.player
        titles = [title for title in (player.current, *player.upcoming) if title is not None]
        assert [title for title in titles if broken_by(CATALOGUE[title], player.conditions)] == []
        assert len(player.upcoming) == len(set(player.upcoming))
        assert set(player.queued) <= set(player.upcoming)


@given(st.lists(st.sampled_from(WISHES), max_size=5), st.sampled_from(WORDINGS))
def test_every_wish_gets_the_same_words_again(said: list[str], wording: str) -> None:
    replies = hold(*said, wording=wording).replies
    assert all(replies)
    assert replies == hold(*said, wording=wording).replies
