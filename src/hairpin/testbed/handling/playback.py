"""Pausing, skipping and the like: what the player does without being told what to play.

It must not choose titles for wishes; ``handling.media`` does.
"""

from __future__ import annotations

from hairpin.testbed.catalogue import Title, load_catalogue
from hairpin.testbed.handling.media import pick_anything, start_title
from hairpin.testbed.handling.step import Step, say
from hairpin.testbed.media_acts import ControlPlayer, MediaWanted, PlayerAction, Source
from hairpin.testbed.media_labels import title_label
from hairpin.testbed.player import broken_by
from hairpin.testbed.state import DialogueState


def control_player(state: DialogueState, act: ControlPlayer) -> Step:
    """Carry out what needs no title."""
    if act.action in (PlayerAction.MUTE, PlayerAction.UNMUTE):
        return _mute(state, on=act.action is PlayerAction.MUTE)
    if act.action is PlayerAction.CLEAR_QUEUE:
        return Step(state.but(player=state.player.but(upcoming=(), queued=())), (say("media.queue.cleared"),))
    if act.action is PlayerAction.STOP:
        return Step(state.but(player=state.player.stopped()), (say("media.stopped"),))
    if act.action in (PlayerAction.NEXT, PlayerAction.PREVIOUS):
        return _skipped(state, forward=act.action is PlayerAction.NEXT)
    if state.player.current is None:
        return _without_title(state, act.action)
    return _with_title(state, act.action, load_catalogue()[state.player.current])


def _with_title(state: DialogueState, action: PlayerAction, title: Title) -> Step:
    what = title_label(title)
    if action is PlayerAction.AGAIN:
        return start_title(state, title, upcoming=state.player.upcoming, within=state.player.within)
    if action is PlayerAction.PAUSE:
        key = "media.paused_already" if state.player.paused else "media.paused"
        return Step(state.but(player=state.player.but(paused=True)), (say(key, what=what),))
    if not (state.player.paused or state.player.muted):
        return Step(state, (say("media.already", what=what),))
    player = state.player.but(paused=False, muted=False)
    return Step(state.but(player=player), (say("media.resumed", what=what),))


def _without_title(state: DialogueState, action: PlayerAction) -> Step:
    """Resume or repeat what was heard last; a source that has no titles pauses and goes on as a whole."""
    player, catalogue = state.player, load_catalogue()
    if player.source in (Source.BLUETOOTH, Source.USB):
        paused = action is PlayerAction.PAUSE
        source = say(f"source.{player.source.value}")
        key = "media.source.paused" if paused else "media.source.told"
        return Step(state.but(player=player.but(paused=paused)), (say(key, source=source),))
    if action is PlayerAction.PAUSE:
        return Step(state, (say("media.silent"),))
    last = next((t for t in reversed(player.past) if not broken_by(catalogue[t], player.conditions)), None)
    title = catalogue[last] if last else pick_anything(player, MediaWanted(kind=None, genre="pop"), catalogue)
    if title is None:
        return Step(state, (say("media.silent"),))
    tracks = [track for track in catalogue.tracks_of(title) if not broken_by(track, player.conditions)]
    if not tracks:
        return Step(state, (say("media.silent"),))
    return start_title(state, tracks[0], upcoming=tuple(track.id for track in tracks[1:]))


def _skipped(state: DialogueState, *, forward: bool) -> Step:
    """Go on to the next title, or back to the latest one that may still be played."""
    player, catalogue = state.player, load_catalogue()
    if player.current is None and not player.upcoming:
        return Step(state, (say("media.silent"),))
    if forward:
        return _next(state)
    back = [t for t in player.past if not broken_by(catalogue[t], player.conditions)]
    if not back:
        return Step(state, (say("media.no_previous"),))
    upcoming = (player.current, *player.upcoming) if player.current else player.upcoming
    step = start_title(state, catalogue[back[-1]], upcoming=upcoming)
    past = player.past[: len(player.past) - 1 - player.past[::-1].index(back[-1])]
    return Step(step.state.but(player=step.state.player.but(past=past)), step.said)


def _next(state: DialogueState) -> Step:
    player, catalogue = state.player, load_catalogue()
    if player.upcoming:
        return start_title(state, catalogue[player.upcoming[0]], upcoming=player.upcoming[1:], within=player.within)
    current = catalogue[player.current] if player.current else None
    alike = [
        title
        for title in catalogue.titles.values()
        if current is not None
        and title.kind is current.kind
        and title.id not in (current.id, *player.past)
        and not broken_by(title, player.conditions)
    ]
    shared = sorted(alike, key=lambda title: not (current is not None and title.genres & current.genres))
    if not shared:
        return Step(state, (say("media.no_next"),))
    return start_title(state, shared[0], upcoming=())


def _mute(state: DialogueState, *, on: bool) -> Step:
    if state.player.muted is on:
        return Step(state, (say("media.muted_already" if on else "media.unmuted_already"),))
    return Step(state.but(player=state.player.but(muted=on)), (say("media.muted" if on else "media.unmuted"),))
