"""What a user can ask of the media player: typed acts, and the conditions on what is played.

Values only; ``parsing.media`` makes them, ``handling.media`` carries them out.
"""

from __future__ import annotations

from enum import StrEnum

from hairpin.domain.base import Value
from hairpin.testbed.catalogue import MediaKind


class MediaCondition(StrEnum):
    """What must hold for everything that is played until it is lifted."""

    NO_EXPLICIT = "no_explicit"
    NO_ADS = "no_ads"
    ONLY_GERMAN = "only_german"
    ONLY_ENGLISH = "only_english"


LANGUAGES = {MediaCondition.ONLY_GERMAN: "german", MediaCondition.ONLY_ENGLISH: "english"}
"""The conditions of which only one can hold, with the language each stands for."""


class Source(StrEnum):
    """Where the sound comes from."""

    LIBRARY = "library"
    RADIO = "radio"
    BLUETOOTH = "bluetooth"
    USB = "usb"


class MediaWanted(Value):
    """What is wished to be played. All fields empty: anything.

    ``ids`` are the titles that bear the name said; ``unknown`` is a name that no title bears.
    """

    ids: tuple[str, ...] = ()
    unknown: str | None = None
    kind: MediaKind | None = None
    genre: str | None = None
    language: str | None = None
    latest: bool = False
    other: bool = False


class When(StrEnum):
    """When something is to be played."""

    NOW = "now"
    NEXT = "next"
    LATER = "later"


class PlayMedia(Value):
    """Play something, under conditions that hold from then on."""

    wanted: MediaWanted = MediaWanted()
    when: When = When.NOW
    conditions: tuple[MediaCondition, ...] = ()


class PlayerAction(StrEnum):
    """What the player does without being told what to play."""

    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    NEXT = "next"
    PREVIOUS = "previous"
    AGAIN = "again"
    MUTE = "mute"
    UNMUTE = "unmute"
    CLEAR_QUEUE = "clear_queue"


class ControlPlayer(Value):
    """Pause, resume, skip and the like."""

    action: PlayerAction


class ChooseSource(Value):
    """Take the sound from somewhere else."""

    source: Source


class RequireMedia(Value):
    """Put conditions on what is played in force."""

    conditions: tuple[MediaCondition, ...]


class LiftMedia(Value):
    """Take conditions on what is played back."""

    conditions: tuple[MediaCondition, ...]


class MediaQuestion(StrEnum):
    """What can be asked about the player."""

    PLAYING = "playing"
    QUEUE = "queue"
    SOURCE = "source"


class AskMedia(Value):
    """A question about the player."""

    question: MediaQuestion


MediaAct = PlayMedia | ControlPlayer | ChooseSource | RequireMedia | LiftMedia | AskMedia
