"""The media catalogue as data: what can be played, read from ``media.json`` and validated.

It must not choose or play; ``player`` and ``handling.media`` do. All titles and people in it are invented.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Self

from pydantic import Field, model_validator

from hairpin.domain.base import Value

NO_LANGUAGE = "none"
"""The language of music without words."""


class MediaKind(StrEnum):
    """What a title is."""

    SONG = "song"
    ALBUM = "album"
    ARTIST = "artist"
    PLAYLIST = "playlist"
    STATION = "station"
    PODCAST = "podcast"
    EPISODE = "episode"
    AUDIO_BOOK = "audio_book"


class Title(Value):
    """Something that can be asked for by name.

    ``tracks`` are the ids of what it holds, in order; empty for what is played itself. ``by`` is whose it is, ``kin``
    the id of the artist or podcast. ``explicit`` and ``ads`` of a collection: all of it has them.
    """

    id: str
    name: str
    kind: MediaKind
    by: str | None = None
    kin: str | None = None
    genres: frozenset[str] = frozenset()
    language: str | None = None
    explicit: bool = False
    ads: bool = False
    tracks: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    origin: str | None = None


class _Entry(Value):
    id: str
    name: str
    genres: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()


class _Artist(_Entry):
    origin: str


class _Recording(_Entry):
    artist: str | None = None
    language: str = NO_LANGUAGE
    explicit: bool = False
    ads: bool = False


class _Podcast(_Recording):
    episodes: tuple[str, ...] = Field(min_length=1)


class _AudioBook(_Recording):
    chapters: int = Field(gt=0)


class _List(_Entry):
    artist: str | None = None
    tracks: tuple[str, ...] = Field(min_length=1)


class CatalogueFile(Value):
    """The file as it is written, checked: ids are unique, every reference leads somewhere."""

    artists: tuple[_Artist, ...]
    songs: tuple[_Recording, ...]
    albums: tuple[_List, ...]
    stations: tuple[_Recording, ...]
    podcasts: tuple[_Podcast, ...]
    playlists: tuple[_List, ...]
    audio_books: tuple[_AudioBook, ...]

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        groups = (self.artists, self.songs, self.albums, self.stations, self.podcasts, self.playlists, self.audio_books)
        ids = [entry.id for group in groups for entry in group]
        if len(ids) != len(set(ids)):
            raise ValueError(f"ids are used twice: {sorted({i for i in ids if ids.count(i) > 1})}")
        named = {track for group in (self.albums, self.playlists) for entry in group for track in entry.tracks}
        named |= {entry.artist for group in (self.songs, self.albums) for entry in group if entry.artist}
        if not named <= {entry.id for group in (self.artists, self.songs) for entry in group}:
            raise ValueError(f"unknown songs or artists: {sorted(named - set(ids))}")
        return self


@dataclass(frozen=True, eq=False)
class Catalogue:
    """All titles by id, in the order of the file. Equal only to itself, so that indexes on it can be cached."""

    titles: Mapping[str, Title]

    def __getitem__(self, title: str) -> Title:
        return self.titles[title]

    def tracks_of(self, title: Title) -> tuple[Title, ...]:
        """Return what ``title`` plays: its tracks, or itself."""
        return tuple(self.titles[track] for track in title.tracks) or (title,)


@cache
def load_catalogue() -> Catalogue:
    """Return the catalogue that ships with the package.

    Raises:
        pydantic.ValidationError: the data file is broken.
    """
    text = files("hairpin.testbed").joinpath("media.json").read_text(encoding="utf-8")
    return build_catalogue(CatalogueFile.model_validate_json(text))


def build_catalogue(file: CatalogueFile) -> Catalogue:
    """Index a validated file. Collections come before what they hold, so that a genre is answered by a collection."""
    return Catalogue({title.id: title for title in _titles(file)})


def _titles(file: CatalogueFile) -> Iterator[Title]:
    names = {artist.id: artist.name for artist in file.artists}
    yield from (_listed(entry, MediaKind.PLAYLIST, names) for entry in file.playlists)
    yield from (_recorded(entry, MediaKind.STATION, names) for entry in file.stations)
    yield from (_recorded(entry, MediaKind.SONG, names) for entry in file.songs)
    yield from (_listed(entry, MediaKind.ALBUM, names) for entry in file.albums)
    for artist in file.artists:
        tracks = tuple(song.id for song in file.songs if song.artist == artist.id)
        yield Title(kind=MediaKind.ARTIST, tracks=tracks, **artist.model_dump())
    for podcast in file.podcasts:
        yield from _podcast(podcast)
    for book in file.audio_books:
        yield _recorded(book, MediaKind.AUDIO_BOOK, {})


def _recorded(entry: _Recording, kind: MediaKind, names: Mapping[str, str]) -> Title:
    fields = entry.model_dump(include={"id", "name", "genres", "aliases", "language", "explicit", "ads"})
    by = names.get(entry.artist, entry.artist) if entry.artist else None
    return Title(kind=kind, by=by, kin=entry.artist, **fields)


def _listed(entry: _List, kind: MediaKind, names: Mapping[str, str]) -> Title:
    fields = entry.model_dump(include={"id", "name", "genres", "aliases", "tracks"})
    return Title(kind=kind, by=names[entry.artist] if entry.artist else None, kin=entry.artist, **fields)


def _podcast(entry: _Podcast) -> Iterator[Title]:
    common = entry.model_dump(include={"genres", "language", "explicit", "ads"})
    ids = tuple(f"{entry.id}_{number}" for number in range(1, len(entry.episodes) + 1))
    yield Title(id=entry.id, name=entry.name, kind=MediaKind.PODCAST, tracks=ids, aliases=entry.aliases, **common)
    for episode_id, name in zip(ids, entry.episodes, strict=True):
        yield Title(id=episode_id, name=name, kind=MediaKind.EPISODE, by=entry.name, kin=entry.id, **common)
