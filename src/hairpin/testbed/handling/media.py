"""The media player: choosing titles for wishes, under the conditions in force, and what the player does by itself.

It must not touch the trip or the vehicle's other parts; the volume is a dial.
"""

from __future__ import annotations

from collections.abc import Iterator

from hairpin.testbed.catalogue import Catalogue, MediaKind, Title, load_catalogue
from hairpin.testbed.choice import Option
from hairpin.testbed.handling.choosing import ask_choice
from hairpin.testbed.handling.step import Step, say
from hairpin.testbed.media_acts import (
    LANGUAGES,
    AskMedia,
    ChooseSource,
    LiftMedia,
    MediaCondition,
    MediaQuestion,
    MediaWanted,
    PlayMedia,
    RequireMedia,
    Source,
    When,
)
from hairpin.testbed.media_labels import condition_terms, option_label, option_words, title_label, wanted_label
from hairpin.testbed.player import Player, broken_by, permitted
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wording import Listing, Phrase

_SPOKEN = frozenset({MediaKind.PODCAST, MediaKind.AUDIO_BOOK})
_TALK = frozenset({"news", "talk"})
_MAX_TOLD = 3
"""So many titles of a queue are told."""


def play_media(state: DialogueState, act: PlayMedia) -> Step:
    """Play or queue what is wished, or say why it cannot be; ask which if several titles bear the name."""
    state = state.but(player=state.player.under(act.conditions))
    catalogue = load_catalogue()
    wanted = act.wanted
    if wanted.unknown is not None:
        return Step(state, (say("media.unknown", what=wanted.unknown), *_noted(act.conditions)))
    if not wanted.ids:
        return _any(state, act, catalogue)
    named = tuple(catalogue[title] for title in wanted.ids)
    fitting = tuple(title for title in named if permitted(catalogue, title, state.player.conditions))
    if not fitting:
        return Step(state, (_blocked(catalogue, named[0], state.player.conditions),))
    if len(fitting) > 1:
        return _ask_which(state, act, fitting)
    return _start(state, act, fitting[0], catalogue)


def require_media(state: DialogueState, act: RequireMedia) -> Step:
    """Put conditions in force; what plays or waits and breaks them is left out."""
    catalogue = load_catalogue()
    player = state.player.under(act.conditions)
    said = (say("media.noted", conditions=condition_terms(act.conditions)),)
    upcoming = tuple(t for t in player.upcoming if not broken_by(catalogue[t], player.conditions))
    player = player.but(upcoming=upcoming, queued=tuple(t for t in player.queued if t in upcoming))
    if player.current is None or not broken_by(catalogue[player.current], player.conditions):
        return Step(state.but(player=player), said)
    broken = catalogue[player.current]
    skipped = say("media.left", what=title_label(broken))
    following = next(iter(upcoming), None) or next((t.id for t in _like(broken, player, catalogue)), None)
    if following is None:
        return Step(state.but(player=player.stopped()), (*said, skipped))
    source = _source_of(catalogue[following])
    player = player.playing(
        following, within=None, upcoming=tuple(t for t in upcoming if t != following), source=source
    )
    return Step(state.but(player=player), (*said, skipped, *_playing(catalogue[following], player, catalogue)))


def lift_media(state: DialogueState, act: LiftMedia) -> Step:
    """Take conditions back."""
    held = tuple(c for c in act.conditions if c in state.player.conditions)
    told = held or act.conditions[:1]
    key = "media.lifted" if held else "media.not_set"
    said = tuple(say(f"{key}.{'language' if c in LANGUAGES else c.value}") for c in told)
    return Step(state.but(player=state.player.without(act.conditions)), said)


def choose_source(state: DialogueState, act: ChooseSource) -> Step:
    """Take the sound from another source; the radio starts with a station."""
    if act.source is Source.RADIO:
        return play_media(state, PlayMedia(wanted=MediaWanted(kind=MediaKind.STATION)))
    if state.player.source is act.source and not state.player.paused:
        return Step(state, (say("media.source.already", source=_source_name(act.source)),))
    player = state.player.stopped().but(source=act.source, muted=False)
    return Step(state.but(player=player), (say("media.source", source=_source_name(act.source)),))


def ask_media(state: DialogueState, act: AskMedia) -> Step:
    """Tell what plays, what comes next or where the sound comes from."""
    player, catalogue = state.player, load_catalogue()
    if act.question is MediaQuestion.SOURCE:
        return Step(state, (say("media.source.told", source=_source_name(player.source)),))
    if act.question is MediaQuestion.QUEUE:
        if not player.upcoming:
            return Step(state, (say("media.queue.empty"),))
        titles = Listing(items=tuple(title_label(catalogue[t]) for t in player.upcoming[:_MAX_TOLD]), word="and then")
        return Step(state, (say("media.queue.told", what=titles),))
    if player.current is None:
        heard = player.source in (Source.BLUETOOTH, Source.USB)
        told = say("media.source.told", source=_source_name(player.source)) if heard else say("media.silent")
        return Step(state, (told,))
    key = "media.told_paused" if player.paused else "media.told"
    return Step(state, (say(key, what=title_label(catalogue[player.current])),))


def conditions_told(state: DialogueState) -> tuple[Phrase, ...]:
    """Return the conditions in force, for a question about what was asked for."""
    conditions = state.player.conditions
    return (say("media.conditions", conditions=condition_terms(conditions)),) if conditions else ()


def start_title(state: DialogueState, title: Title, *, upcoming: tuple[str, ...], within: str | None = None) -> Step:
    """Play a title that can be played itself."""
    catalogue = load_catalogue()
    player = state.player.playing(title.id, within=within, upcoming=upcoming, source=_source_of(title))
    return Step(state.but(player=player), _playing(title, player, catalogue))


def pick_anything(player: Player, wanted: MediaWanted, catalogue: Catalogue) -> Title | None:
    """Return the first title that fits ``wanted`` and the conditions in force; what was heard comes last."""
    fitting = [title for title in catalogue.titles.values() if _fits(title, wanted, player, catalogue)]
    heard = {player.current, player.within, *player.past}
    new = [title for title in fitting if title.id not in heard]
    other = [title for title in fitting if title.id not in (player.current, player.within)]
    return next(iter(new or other or fitting), None)


def _any(state: DialogueState, act: PlayMedia, catalogue: Catalogue) -> Step:
    """Play anything of the kind that is wished: a genre is no ambiguity."""
    wanted = act.wanted
    nothing_named = not (wanted.genre or wanted.kind or wanted.language)
    if nothing_named and state.player.current and not wanted.other and not act.conditions and act.when is When.NOW:
        if state.player.paused:
            player = state.player.but(paused=False, muted=False)
            return Step(state.but(player=player), _playing(catalogue[state.player.current], player, catalogue))
        return Step(state, (say("media.already", what=title_label(catalogue[state.player.current])),))
    title = pick_anything(state.player, wanted, catalogue)
    if title is not None:
        return _start(state, act, title, catalogue)
    conditions = state.player.conditions
    if conditions:
        return Step(state, (say("media.none", what=wanted_label(wanted), conditions=condition_terms(conditions)),))
    return Step(state, (say("media.unknown", what=wanted_label(wanted)),))


def _start(state: DialogueState, act: PlayMedia, title: Title, catalogue: Catalogue) -> Step:
    """Play or queue ``title``, of which something is permitted."""
    tracks = permitted(catalogue, title, state.player.conditions)
    tracks = tracks[-1:] if act.wanted.latest else tracks
    if act.when is not When.NOW and state.player.current is not None:
        added = tuple(track.id for track in tracks)
        player = state.player.queueing(added, first=act.when is When.NEXT)
        said = (say("media.queued", what=title_label(title)), *_truth(title, player, catalogue))
        return Step(state.but(player=player), said)
    within = title.id if title.tracks else None
    queued = tuple(t for t in state.player.upcoming if t in state.player.queued)
    upcoming = (*(track.id for track in tracks[1:]), *queued)
    player = state.player.playing(tracks[0].id, within=within, upcoming=upcoming, source=_source_of(title))
    told = tracks[0] if act.wanted.latest else title
    return Step(state.but(player=player), _playing(told, player, catalogue))


def _playing(title: Title, player: Player, catalogue: Catalogue) -> tuple[Phrase, ...]:
    """Return what is said when ``title`` starts: the conditions it satisfies, and the truth about it."""
    said = [say("media.playing", what=title_label(title))]
    if player.conditions:
        said.append(say("media.holds", conditions=condition_terms(player.conditions)))
    return (*said, *_truth(title, player, catalogue))


def _truth(title: Title, player: Player, catalogue: Catalogue) -> tuple[Phrase, ...]:
    tracks = permitted(catalogue, title, player.conditions)
    said = [say("media.explicit")] if any(track.explicit for track in tracks) else []
    return (*said, say("media.ads")) if any(track.ads for track in tracks) else tuple(said)


def _blocked(catalogue: Catalogue, title: Title, conditions: tuple[MediaCondition, ...]) -> Phrase:
    broken = {c for track in catalogue.tracks_of(title) for c in broken_by(track, conditions)}
    terms = condition_terms(tuple(c for c in conditions if c in broken))
    return say("media.blocked", what=title_label(title), conditions=terms)


def _ask_which(state: DialogueState, act: PlayMedia, titles: tuple[Title, ...]) -> Step:
    options = tuple(
        Option(
            label=option_label(title, titles),
            words=option_words(title),
            act=act.model_copy(update={"wanted": MediaWanted(ids=(title.id,)), "conditions": ()}),
        )
        for title in titles
    )
    return ask_choice(state, options, key="media.which", name=titles[0].name)


def _fits(title: Title, wanted: MediaWanted, player: Player, catalogue: Catalogue) -> bool:
    if wanted.kind is not None and title.kind is not wanted.kind:
        return False
    if wanted.kind is None and title.kind is MediaKind.EPISODE:
        return False
    if wanted.kind is None and wanted.genre is None and (title.kind in _SPOKEN or title.genres & _TALK):
        return False
    tracks = permitted(catalogue, title, player.conditions)
    if wanted.language is not None:
        tracks = tuple(track for track in tracks if track.language == wanted.language)
        if len(tracks) < len(catalogue.tracks_of(title)):
            return False
    return bool(tracks) and (wanted.genre is None or wanted.genre in title.genres)


def _like(title: Title, player: Player, catalogue: Catalogue) -> Iterator[Title]:
    """Yield what can be played itself in the place of ``title``: of its kind, and best of one of its genres."""
    found = [t for t in catalogue.titles.values() if t.kind is title.kind and not broken_by(t, player.conditions)]
    yield from sorted(found, key=lambda t: not t.genres & title.genres)


def _source_of(title: Title) -> Source:
    return Source.RADIO if title.kind is MediaKind.STATION else Source.LIBRARY


def _source_name(source: Source) -> Phrase:
    return say(f"source.{source.value}")


def _noted(conditions: tuple[MediaCondition, ...]) -> tuple[Phrase, ...]:
    return (say("media.noted", conditions=condition_terms(conditions)),) if conditions else ()
