"""The media player: what it plays, what comes next, and the conditions that hold for it.

Pure values; it must not choose what to play for a wish, ``handling.media`` does.
"""

from __future__ import annotations

from hairpin.domain.base import Value
from hairpin.testbed.catalogue import Catalogue, Title
from hairpin.testbed.media_acts import LANGUAGES, MediaCondition, Source

MAX_QUEUE = 20


class Player(Value):
    """The state of the player.

    ``current`` is the title heard, ``within`` the collection it was asked for with; ``upcoming`` (the next first) and
    ``past`` (the latest last) are titles that can be played themselves. ``queued`` are those upcoming that were asked
    for one by one and not as part of a collection. Nothing is heard while ``paused`` or ``muted``.
    """

    source: Source = Source.LIBRARY
    current: str | None = None
    within: str | None = None
    upcoming: tuple[str, ...] = ()
    queued: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    paused: bool = False
    muted: bool = False
    video: bool = False
    conditions: tuple[MediaCondition, ...] = ()

    def playing(self, title: str, *, within: str | None, upcoming: tuple[str, ...], source: Source) -> Player:
        """Return the player with ``title`` playing; what was heard before is past. No title waits twice."""
        past = (*self.past, self.current)[-MAX_QUEUE:] if self.current not in (None, title) else self.past
        upcoming = tuple(dict.fromkeys(other for other in upcoming if other != title))
        changes = {"source": source, "current": title, "within": within, "upcoming": upcoming[:MAX_QUEUE]}
        queued = tuple(queued for queued in self.queued if queued in upcoming)
        past = tuple(heard for heard in past if heard)
        return self.but(past=past, queued=queued, paused=False, muted=False, video=False, **changes)

    def queueing(self, titles: tuple[str, ...], *, first: bool) -> Player:
        """Return the player with ``titles`` in the queue, as the first of it or the last."""
        new = tuple(title for title in titles if title not in self.upcoming)
        upcoming = (*new, *self.upcoming) if first else (*self.upcoming, *new)
        upcoming = upcoming[:MAX_QUEUE]
        return self.but(upcoming=upcoming, queued=tuple(t for t in (*self.queued, *new) if t in upcoming))

    def stopped(self) -> Player:
        """Return the player playing nothing; its queue is empty."""
        return self.but(current=None, within=None, upcoming=(), queued=(), paused=False, video=False)

    def under(self, conditions: tuple[MediaCondition, ...]) -> Player:
        """Return the player with ``conditions`` in force too; of two languages the later one holds."""
        wanted = set(conditions)
        kept = {c for c in self.conditions if not (c in LANGUAGES and wanted & set(LANGUAGES))}
        return self.but(conditions=tuple(sorted(kept | wanted)))

    def without(self, conditions: tuple[MediaCondition, ...]) -> Player:
        """Return the player with ``conditions`` no longer in force."""
        return self.but(conditions=tuple(c for c in self.conditions if c not in conditions))

    def but(self, **changes: object) -> Player:
        """Return a copy with ``changes``."""
        return self.model_copy(update=changes)


def broken_by(title: Title, conditions: tuple[MediaCondition, ...]) -> tuple[MediaCondition, ...]:
    """Return those of ``conditions`` that ``title``, which is played itself, breaks."""
    return tuple(c for c in conditions if _breaks(title, c))


def permitted(catalogue: Catalogue, title: Title, conditions: tuple[MediaCondition, ...]) -> tuple[Title, ...]:
    """Return what of ``title`` may be played under ``conditions``, in order."""
    return tuple(track for track in catalogue.tracks_of(title) if not broken_by(track, conditions))


def _breaks(title: Title, condition: MediaCondition) -> bool:
    if condition is MediaCondition.NO_EXPLICIT:
        return title.explicit
    if condition is MediaCondition.NO_ADS:
        return title.ads
    return title.language != LANGUAGES[condition]
