"""Acts on the media player in a clause: what to play, and how.

It must not know what plays now. The volume is a dial, see ``parsing.vehicle``.
"""

from __future__ import annotations

import re

from hairpin.testbed.catalogue import Catalogue, MediaKind, load_catalogue
from hairpin.testbed.media_acts import (
    AskMedia,
    ChooseSource,
    ControlPlayer,
    LiftMedia,
    MediaAct,
    MediaQuestion,
    MediaWanted,
    PlayerAction,
    PlayMedia,
    RequireMedia,
    Source,
    When,
)
from hairpin.testbed.parsing.media_conditions import media_conditions
from hairpin.testbed.parsing.media_names import GENRES, KINDS, close_title, title_index
from hairpin.testbed.parsing.text import blank

_NOUN = (
    r"(?:music|songs?|tracks?|radio|playback|podcasts?|audio ?books?|album|playlist|tunes?|media|sound"
    r"|station|player|episode)"
)
_IT = rf"(?:it|this|that|the {_NOUN}|{_NOUN}|playing(?: (?:it|the {_NOUN}|{_NOUN}))?)"
_ACTIONS: tuple[tuple[PlayerAction, re.Pattern[str]], ...] = (
    (
        PlayerAction.CLEAR_QUEUE,
        re.compile(r"\b(?:clear|empty|delete|forget|cancel) (?:the |my )?(?:queue|waiting list|playing list)\b"),
    ),
    (
        PlayerAction.UNMUTE,
        re.compile(
            r"\b(?:unmute|un-mute|sound (?:back )?on|turn (?:on )?the sound(?: back)? on|turn the sound on"
            r"|turn on the sound)\b"
        ),
    ),
    (
        PlayerAction.MUTE,
        re.compile(
            rf"^(?:mute|silence)(?: {_IT}| everything| the (?:speakers|car))?$|\b(?:turn off the sound"
            rf"|turn the sound off|sound off)\b"
        ),
    ),
    (
        PlayerAction.AGAIN,
        re.compile(
            rf"\b(?:play|repeat|hear|start|put on|listen to) (?:{_IT}|the last (?:one|song|track))(?: (?:song"
            rf"|one|track))?"
            r" (?:again|once more|one more time|from the (?:start|beginning|top)|over)\b|^(?:repeat|replay|restart) "
            rf"(?:{_IT}|(?:this|that|the) (?:song|track|one|episode))\b|^encore$"
        ),
    ),
    (PlayerAction.PAUSE, re.compile(rf"^(?:pause|hold)(?: {_IT})?(?: for a (?:moment|second|minute|bit))?$")),
    (
        PlayerAction.RESUME,
        re.compile(
            rf"^(?:(?:resume|continue|unpause|go on)(?: with)?(?: {_IT})|(?:resume|continue|unpause"
            rf"|continue playing|go on playing"
            rf"|keep playing|play on|play)(?: {_IT})?|carry on(?: with)? (?:{_IT})|(?:start|turn on"
            rf"|switch on) the {_NOUN} again"
            r"|press play)$"
        ),
    ),
    (
        PlayerAction.PREVIOUS,
        re.compile(
            r"^(?:(?:play |go (?:back )?to |back to |skip (?:back )?to )?(?:the )?(?:previous|last) (?:song"
            r"|track|one|title|episode|station"
            r"|tune)|go back (?:one|a) (?:song|track|title|episode)|(?:skip|one song) back|previous)$"
        ),
    ),
    (
        PlayerAction.NEXT,
        re.compile(
            r"^(?:(?:play |go to |skip to |jump to |start |on to )?(?:the )?(?:next|following|another) (?:song"
            r"|track|one|title|episode|station"
            r"|tune|chapter|channel)|skip(?: (?:this|it|that|this (?:song|track|one|title|episode|tune)"
            r"|the (?:song|track|episode|ad|intro)|forward|ahead))?|next"
            r"|not (?:this|that) (?:song|one|track|again)|(?:i )?(?:don't|do not|can't stand"
            r"|hate) (?:like )?(?:this|that|the) (?:song|track|one|music)|change the (?:song|station|music|track))$"
        ),
    ),
    (
        PlayerAction.STOP,
        re.compile(
            rf"^(?:stop(?: playing)?(?: {_IT})?|stop playback|(?:turn|switch|shut) off the (?:music|radio"
            rf"|podcast|audio ?book|song|playback|media|player|sound system)"
            rf"|(?:turn|switch|shut|put) the (?:music|radio|podcast|audio ?book|song|playback|media|player) off"
            rf"|no more {_NOUN}|(?:end|quit|kill) (?:the )?{_NOUN}"
            r"|silence|(?:be )?quiet please|music off|radio off|i (?:need|want) (?:some )?silence)$"
        ),
    ),
)
_QUESTIONS: tuple[tuple[MediaQuestion, re.Pattern[str]], ...] = (
    (
        MediaQuestion.QUEUE,
        re.compile(
            r"\bwhat(?:'s| is| comes| will be| do we hear| will we hear)(?: playing| played| coming up"
            r"| up)? (?:next|after (?:that|this))\b"
            r"(?! stop)|\bwhat(?:'s| is) (?:in|on) the (?:queue|playlist|waiting list)\b|\b(?:show|tell"
            r"|read)(?: me)? (?:the |my )?queue\b"
            r"|\bwhich (?:song|track|episode)s? (?:is|are|comes?) next\b"
        ),
    ),
    (
        MediaQuestion.SOURCE,
        re.compile(r"\b(?:what|which)(?:'s| is)? (?:the |our |my )?(?:audio |media |music )?source\b"),
    ),
    (
        MediaQuestion.PLAYING,
        re.compile(
            r"\b(?:what|who|which (?:song|track|artist|band|station|podcast|episode|album|title"
            r"|radio station))(?:'s| is| are| am| song is| station is| do)?"
            r" (?:we |i )?(?:this|that|playing|on(?: the radio)?|singing|sings this|currently playing|running"
            r"|now playing|being played"
            r"|listening to|hearing|hear)\b(?! (?:place|called|road|far|route|street))"
            r"|\b(?:what|who|which)(?:'s| is)? (?:the )?(?:current |this )?(?:song|track|artist|station|singer"
            r"|title|tune)(?: (?:is (?:this|it|that|playing)|called))?$"
            r"|\b(?:tell me |do you know )?(?:what(?:'s| is)|which (?:song|station) is"
            r"|who is) (?:the name of )?(?:this |the |that )?(?:song|track|tune|station|playing|singing)\b"
            r"|\b(?:what|which) (?:song|station|podcast|track|music|artist) (?:is|are) (?:this|that|it|on"
            r"|we (?:hearing|listening to))\b"
            r"|\bwhat(?:'s| is) playing\b|\bwhat (?:am i|are we) (?:listening to|hearing)\b|\b(?:is"
            r"|are) (?:there )?(?:anything|something|music) (?:playing|on)\b"
        ),
    ),
)
_SOURCE = re.compile(
    r"\b(?:(?:switch|change|go|turn|set|put)(?: (?:back|over|it|the (?:source|audio|music|sound)))* to|use|from"
    r"|play(?: \w+){0,2}? "
    r"(?:from|via|over|through|on)|connect|stream (?:from|via|over)|turn on|switch on|start|select|choose"
    r"|listen to|source:?|play|put on) "
    r"(?:the |my |our )?(?:(?P<bluetooth>blue ?tooth|phone|mobile|smartphone|cell ?phone)"
    r"|(?P<usb>usb(?:[- ]stick)?|stick|thumb drive"
    r"|memory stick)|(?P<radio>fm radio|radio|dab|fm)|(?P<library>(?:music )?library|streaming"
    r"|online music))\b(?! station)"
    r"|\b(?:turn|switch|put) (?:the )?(?P<r2>radio) (?:back )?on\b|\bsource (?:should be |is "
    r"|to )?(?P<b2>bluetooth)\b"
)
_PLAY = re.compile(
    r"^(?:turn the music on|(?:i|we) (?:want|need|would like|would love|feel like)(?: to)?(?: (?:hear|listen to"
    r"|hearing|listening to))|(?:i'd|we'd) (?:like|love)"
    r"(?: to)? (?:hear|listen to)|(?:i'm|we're) in the mood for|let me (?:hear|listen to)|let's (?:hear"
    r"|listen to|have|play)"
    r"|(?:we|i) (?:could|can) (?:hear|listen to)|play|put on|listen to|hear|start(?: playing)?|stream"
    r"|tune in(?:to)?(?: to)?"
    r"|(?:turn|switch) on|turn to|give me|get me|find|i (?:want|need)|how about|what about|switch (?:back )?to"
    r"|change to|go (?:back )?to)\b(?P<what>.*)"
)
_STRONG = re.compile(
    r"^(?:play|put on|listen to|hear|stream|tune in|let me (?:hear|listen)|let's (?:hear|listen|play)|.* (?:hear"
    r"|listen to)\b)"
)
_QUEUED = re.compile(
    r"\b(?:next|after (?:this|that|it)(?: (?:song|one|episode|track))?|afterwards|later|at the end"
    r"|to the (?:queue|waiting list|playlist)|in the queue|up next)\b"
)
_AT_ONCE = re.compile(r"\b(?:up )?next\b|\bafter (?:this|that|it) (?:song|one|track|episode)\b")
_QUEUE = re.compile(
    r"^(?:queue(?: up)?|enqueue|add|put|line up)\b(?P<what>.*?)(?P<tail>(?:to|in|on) (?:the |my )?(?:queue"
    r"|waiting list|playlist)|next)?$"
)
_FILLER = re.compile(
    r"\b(?:me|us|some|the|a|an|my|our|any|anything|something|of|music|from|in|on|with|by|to|for|please|now|again"
    r"|else|other|another|different"
    r"|new|latest|newest|most recent|last|first|nice|good|great|called|named|that is|that's|bit|little|more|next"
    r"|then|after that|after this|afterwards|"
    r"via|over|through|radio|station|tunes?|sounds?|stuff|kind|type|things?|titles?|playing|and|it|up|queue|same"
    r"|so that|is|german|english|language|live|podcasts?)\b"
)
_POLITE = re.compile(
    r"^(?:(?:please|could you|can you|would you|will you|now|and|ok|okay|hey|sorry|just|quickly|come on|i said"
    r"|so|well|great|thanks)\b(?!')[\s,:-]*)+"
    r"|(?:[\s,]+(?:please|thanks|thank you|for me|now|right now|quickly|immediately))+$"
)
_THEN = re.compile(
    r"^(?:then|after that|after this|afterwards|later|next|and then),?\s+(?!(?:song|track|one|title|episode"
    r"|station)\b)"
)
_PURPOSE = re.compile(
    r"\b(?:for|while|during|because|so that|that|to (?:sing|dance|keep|wake|relax|calm)|when|but|and"
    r"|(?:on|along) (?:the|our|my|this) (?:way|road|drive|trip|ride|journey|route))\b.*"
)
_ANYTHING = re.compile(r"^\s*(?:me |us )?(?:some |a bit of |any )?(?:music|something|anything|songs|tunes)\b")
_OTHER = re.compile(r"\b(?:else|different|another|other)\b")
_LATEST = re.compile(r"\b(?:latest|newest|new|most recent|last)\b")
_MUSIC = re.compile(rf"\b{_NOUN}\b|\b(?:news|playing)\b")
_LANGUAGE = re.compile(r"\b(?P<language>german|english)\b")


def media_acts(clause: str, whole: str = "") -> tuple[MediaAct, ...]:
    """Return what ``clause`` asks of the player, nothing if it does not speak of it.

    ``whole`` is the clause with the words around it that are mere colour elsewhere: "again", "next", "then".
    """
    core = _POLITE.sub("", whole.strip(" ,;:-")) or clause
    said = media_conditions(clause)
    lifted = (LiftMedia(conditions=said.lifted),) if said.lifted else ()
    act = _plain(core) or _plain(clause) or _play(said.rest)
    if isinstance(act, PlayMedia):
        when = When.LATER if _THEN.match(core) and act.when is When.NOW else act.when
        return (*lifted, act.model_copy(update={"conditions": said.required, "when": when}))
    required = (RequireMedia(conditions=said.required),) if said.required else ()
    return (*lifted, *required) or ((act,) if act is not None else ())


def mentioned_titles(clause: str) -> tuple[str, ...]:
    """Return the ids of the titles that ``clause`` names; those of one author if it names one."""
    return _named(clause, load_catalogue())


def _plain(clause: str) -> MediaAct | None:
    """Return the question or the action that needs no title."""
    for question, pattern in _QUESTIONS:
        if pattern.search(clause):
            return AskMedia(question=question)
    for action, pattern in _ACTIONS:
        if pattern.search(clause):
            return ControlPlayer(action=action)
    source = _SOURCE.search(clause)
    if source and not _named(clause, load_catalogue()):
        name = next(key for key, value in source.groupdict().items() if value)
        name = {"b2": "bluetooth", "r2": "radio"}.get(name, name)
        return None if name == "radio" and GENRES.find(clause) else ChooseSource(source=Source(name))
    return None


def _play(rest: str) -> PlayMedia | None:
    queued = _QUEUE.match(rest)
    if queued and (queued["tail"] or rest.startswith(("queue", "enqueue", "line up"))):
        when = When.NEXT if _AT_ONCE.search(rest) else When.LATER
        return PlayMedia(wanted=_wanted(queued["what"], sure=True) or MediaWanted(), when=when)
    play = _PLAY.match(rest)
    if not play:
        return None
    sure = bool(_STRONG.match(rest))
    wanted = _wanted(play["what"], sure=sure)
    if wanted is None:
        return None
    when = When.NOW
    if _QUEUED.search(rest) and not rest.startswith("next"):
        when = When.NEXT if _AT_ONCE.search(rest) else When.LATER
    return PlayMedia(wanted=wanted, when=when)


def _wanted(what: str, *, sure: bool) -> MediaWanted | None:
    """Return what ``what`` describes; ``None`` if it is nothing to play, unless that is ``sure``."""
    catalogue = load_catalogue()
    ids = _named(what, catalogue)
    kinds = KINDS.find(what)
    kind = kinds[0].value if kinds else None
    if ids:
        latest = bool(_LATEST.search(what)) and (
            kind is MediaKind.EPISODE or catalogue[ids[0]].kind is MediaKind.PODCAST
        )
        return MediaWanted(ids=_of_kind(ids, kind, catalogue), latest=latest)
    genres = GENRES.find(what)
    language = _LANGUAGE.search(what)
    wanted = MediaWanted(
        kind=MediaKind.PODCAST if kind is MediaKind.EPISODE else kind,
        genre=genres[0].value if genres else None,
        language=language["language"] if language else None,
        other=bool(_OTHER.search(what)),
        latest=bool(_LATEST.search(what)) and kind in (MediaKind.EPISODE, MediaKind.PODCAST),
    )
    taken = [*((span.start, span.end) for span in kinds), *((span.start, span.end) for span in genres)]
    left = blank(what, taken)
    vague = wanted.genre or wanted.kind or _ANYTHING.match(what)
    name = " ".join(_FILLER.sub(" ", _PURPOSE.sub("", left) if vague else left).split())
    if len(name) > 2 and sure:
        close = close_title(" ".join(what.split()), catalogue) or close_title(name, catalogue)
        return MediaWanted(ids=close) if close else MediaWanted(unknown=_spoken(what), kind=kind)
    said = bool(wanted.genre or wanted.kind) and (len(name) <= 2)
    return wanted if said or (len(name) <= 2 and (sure or bool(_MUSIC.search(what)))) else None


def _spoken(what: str) -> str:
    return re.sub(r"^(?:me |us |some |the song |the album |the |a |an )+", "", " ".join(what.split()))


def _named(what: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the titles named: those of an author if both are said, else those of the first name."""
    found = [span.value for span in title_index(catalogue).find(what)]
    if not found:
        return ()
    first = found[0]
    for other in found[1:]:
        joined = tuple(i for i in first if catalogue[i].kin in other) or tuple(
            i for i in other if catalogue[i].kin in first
        )
        if joined:
            return joined
    return _by_genre(first, what, catalogue)


def _by_genre(ids: tuple[str, ...], what: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Let a genre said with a name tell which of several is meant: "Luna the jazz singer"."""
    genres = {span.value for span in GENRES.find(what)}
    return tuple(i for i in ids if catalogue[i].genres & genres) or ids


def _of_kind(ids: tuple[str, ...], kind: MediaKind | None, catalogue: Catalogue) -> tuple[str, ...]:
    return tuple(i for i in ids if catalogue[i].kind is kind) or ids
