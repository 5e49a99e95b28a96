"""The titles of the catalogue and the words for genres and kinds of media, indexed for finding them in a text.

It must not read a clause; ``parsing.media`` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache

from hairpin.testbed.catalogue import Catalogue, MediaKind
from hairpin.testbed.parsing.text import PhraseIndex, spellings

GENRE_WORDS: Mapping[str, tuple[str, ...]] = {
    "jazz": ("jazz", "jazzy", "swing"),
    "rock": ("rock", "rock music", "rock and roll", "guitar music", "metal"),
    "pop": ("pop", "pop music", "charts", "hits"),
    "classical": ("classical", "classical music", "classic music", "klassik", "orchestra", "orchestral"),
    "electronic": ("electronic", "techno", "dance music", "house music", "electro", "edm"),
    "hip hop": ("hip hop", "hip-hop", "hiphop", "rap"),
    "folk": ("folk", "folk music", "volksmusik", "brass music", "bavarian music"),
    "news": ("news", "the headlines", "headlines"),
    "talk": ("talk radio", "talk show", "talk"),
    "science": ("science", "knowledge", "science podcast"),
    "crime": ("crime", "true crime", "thriller", "detective"),
    "comedy": ("comedy", "funny", "something to laugh", "jokes"),
    "calm": (
        "calm",
        "calming",
        "relaxing",
        "relaxed",
        "quiet",
        "soft",
        "soothing",
        "chill",
        "chilled",
        "mellow",
        "slow",
        "peaceful",
        "gentle",
        "chillout",
        "ambient music",
    ),
    "happy": ("happy", "cheerful", "upbeat", "good mood", "fun", "feel-good", "feel good", "sunny"),
    "energetic": ("energetic", "lively", "fast", "loud", "wild", "party", "that wakes me up", "to wake me up"),
}
KIND_WORDS: Mapping[MediaKind, tuple[str, ...]] = {
    MediaKind.SONG: ("song", "songs", "track", "tracks", "tune", "single", "title"),
    MediaKind.ALBUM: ("album", "albums", "record", "lp"),
    MediaKind.ARTIST: ("artist", "band", "singer", "musician", "group"),
    MediaKind.PLAYLIST: ("playlist", "playlists", "mix"),
    MediaKind.STATION: ("radio station", "station", "stations", "channel", "radio"),
    MediaKind.PODCAST: ("podcast", "podcasts", "show"),
    MediaKind.EPISODE: ("episode", "episodes"),
    MediaKind.AUDIO_BOOK: ("audio book", "audio books", "audiobook", "audiobooks", "book"),
}

GENRES = PhraseIndex({word: genre for genre, words in GENRE_WORDS.items() for word in words})
KINDS = PhraseIndex({word: kind for kind, words in KIND_WORDS.items() for word in words})


@cache
def title_index(catalogue: Catalogue) -> PhraseIndex[tuple[str, ...]]:
    """Return the index of all names in ``catalogue``; each leads to the ids of the titles that bear it."""
    by_form: dict[str, list[str]] = {}
    for title in catalogue.titles.values():
        for name in (title.name, *title.aliases):
            for form in spellings(name):
                by_form.setdefault(form, []).append(title.id)
    return PhraseIndex({form: tuple(ids) for form, ids in by_form.items()})


def close_title(text: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the ids of the titles that ``text``, no name as it stands, probably means."""
    close = get_close_matches(text, _forms(catalogue), n=1, cutoff=0.84)
    return (title_index(catalogue).get(close[0]) or ()) if close else ()


@cache
def _forms(catalogue: Catalogue) -> tuple[str, ...]:
    return tuple(sorted({form for title in catalogue.titles.values() for form in spellings(title.name)}))
