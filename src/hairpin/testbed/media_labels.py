"""How titles and what tells them apart are called in replies.

It must not decide what is said.
"""

from __future__ import annotations

from hairpin.testbed.catalogue import MediaKind, Title
from hairpin.testbed.media_acts import MediaCondition, MediaWanted
from hairpin.testbed.wording import Listing, Phrase

_NOUNS = {
    MediaKind.SONG: "song",
    MediaKind.ALBUM: "album",
    MediaKind.ARTIST: "artist",
    MediaKind.PLAYLIST: "playlist",
    MediaKind.STATION: "radio station",
    MediaKind.PODCAST: "podcast",
    MediaKind.EPISODE: "episode",
    MediaKind.AUDIO_BOOK: "audio book",
}


def title_label(title: Title) -> str:
    """Return a title with what it is where the name does not say so: "the album Late Tables by Luna"."""
    by = f" by {title.by}" if title.by else ""
    if title.kind is MediaKind.SONG:
        return f"{title.name}{by}"
    if title.kind is MediaKind.ARTIST:
        return f"songs by {title.name}"
    if title.kind is MediaKind.EPISODE:
        return f"the episode {title.name} of the podcast {title.by}"
    return f"the {_NOUNS[title.kind]} {title.name}{by}"


def option_label(title: Title, others: tuple[Title, ...]) -> str:
    """Return a label that tells ``title`` from the ``others`` of the same name."""
    if title.kind is MediaKind.ARTIST and title.origin and len({other.kind for other in others}) == 1:
        return (
            f"{title.origin} {title.name}" if title.origin.startswith("the ") else f"{title.name} from {title.origin}"
        )
    return f"the {_NOUNS[title.kind]} {title.name}{f' by {title.by}' if title.by else ''}"


def option_words(title: Title) -> tuple[str, ...]:
    """Return the words by which a user can mean ``title`` among others of its name."""
    words = [_NOUNS[title.kind].split()[-1], *sorted(title.genres)]
    words += [title.by] if title.by else []
    return tuple(words + ([title.origin.removeprefix("the ")] if title.origin else []))


def wanted_label(wanted: MediaWanted) -> str:
    """Return a wish for anything of a kind, genre or language: "German jazz podcast"."""
    language = wanted.language.capitalize() if wanted.language else ""
    noun = f"{_NOUNS[wanted.kind]}s" if wanted.kind else "titles"
    return " ".join(part for part in (language, wanted.genre or "", noun) if part)


def condition_terms(conditions: tuple[MediaCondition, ...]) -> Listing:
    """Return conditions as a list of terms."""
    return Listing(items=tuple(Phrase(key=f"term.{condition.value}") for condition in conditions))
