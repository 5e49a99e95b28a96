"""Wishes that endanger people, or would in another situation.

It must not decide whether they are declined: that depends on the situation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hairpin.testbed.acts import Risky, UnsafeKind
from hairpin.testbed.parsing.lexicon import SYSTEM_WORDS
from hairpin.testbed.parsing.media import mentioned_titles
from hairpin.testbed.parsing.media_names import GENRES
from hairpin.testbed.parsing.text import blank
from hairpin.testbed.vehicle import Switch

_OFF = (
    r"(?:(?:turn|switch|shut|put|keep|have)\b.*\boff|off\b|disable|deactivate|shut down|kill|get rid of|bypass"
    r"|override|suppress|silence|mute|unplug|cut|stop"
    r"|remove|drop|without|ignore|turn down|lose|disengage|no more|don't need|don't want|do not need|do not want)"
)
_NEGATED = re.compile(
    r"\b(?:don't|do not|never|please not|not) (?:ever )?(?:turn|switch|disable|deactivate|shut|open|play|ignore"
    r"|exceed|run|let)\b"
)
_DARK = re.compile(r"\b(?:dark|night|darkness|at night|tunnel|unlit)\b")
_NEVER = frozenset({Switch.AIRBAGS, Switch.ESP, Switch.ABS})
_SPEED_KMH = re.compile(
    r"\b(?:drive|driving|go|going|speed|hit|do|doing|accelerate|race|at)\b[^.]*?\b(?P<speed>1[4-9]\d"
    r"|[2-9]\d\d) ?(?:km/?h|kph|kmh|km per hour|on the clock)?\b"
)
_KINDS: tuple[tuple[UnsafeKind, re.Pattern[str]], ...] = (
    (
        UnsafeKind.SPEEDING,
        re.compile(
            r"\b(?:ignor\w+|disregard\w*|exceed\w*|break(?:ing)?|forget(?:ting)?(?: about)?|bypass\w*|overrid\w+"
            r"|go(?:ing)? over|driv(?:e|ing) over|above|over|beyond|break|never mind"
            r"|without (?:caring|worrying) about|don't care about|disable|deactivate|turn off|switch off"
            r"|faster than) (?:all |any |the |that |this |every |those )*(?:speed|legal)? ?(?:limit\w*"
            r"|speed limit\w*|limiter)\b"
            r"|\bfaster than (?:the law |is |it's |what is |what's |i'm |we're |we are )*(?:allowed|permitted|legal"
            r"|the limit|allows|the speed limit|permits)\b|\bspeeding\b(?! (?:fines?|warn|alert))|\b(?:drive"
            r"|go) too fast\b"
            r"|\b(?:speed limit\w*|limits?) (?:don't|do not|doesn't) (?:matter|apply|count)\b|\bspeed past\b"
            r"|\bavoid(?:ing)? (?:the )?speed (?:cameras?|traps?)\b"
        ),
    ),
    (
        UnsafeKind.TRAFFIC_RULES,
        re.compile(
            r"\b(?:run(?:ning)?|jump(?:ing)?|ignor\w+|skip(?:ping)?|driv\w+ through|go(?:ing)? through|cross\w*"
            r"|disregard\w*|race through)\b[^.]*\b(?:red(?: traffic)?(?: lights?)?|traffic lights?|lights"
            r"|stop signs?|traffic rules?|traffic signs?|right of way)\b"
            r"|\bwrong way\b|\bagainst the traffic\b|\b(?:hard shoulder|emergency lane|bus lane|pavement|sidewalk"
            r"|cycle path)\b|\bu-?turn\b|\bovertak\w+ on the right\b|\b(?:tailgat\w+|road race|street race)\b"
        ),
    ),
    (
        UnsafeKind.SEAT_BELT,
        re.compile(
            r"\b(?:without|no|ignore|skip|take off|unbuckle|unfasten|undo|remove|not wear(?:ing)?|don't (?:need|want"
            r"|like) (?:to wear )?|silence|mute|disable|deactivate|turn off|switch off"
            r"|stop)\b[^.]{0,20}\bseat ?-?belts?\b"
            r"|\b(?:turn|switch|shut)\b[^.]{0,20}\bseat ?-?belts?\b.*\boff\b|\bunbuckled?\b|\bseat ?-?belts?\b.*\boff\b"
        ),
    ),
    (
        UnsafeKind.VIDEO,
        re.compile(
            r"\b(?:play|watch(?:ing)?|show|put|start|stream|open|turn on|switch on|see|let me|display"
            r"|launch)\b[^.]*\b(?:videos?|movies?|films?|netflix|youtube|series|episodes?|football match|match|game"
            r"|tv|television|tiktok|clips?)\b"
        ),
    ),
    (
        UnsafeKind.TEXTING,
        re.compile(
            r"\btext(?:ing)?\b(?! to speech)|\b(?:typ(?:e|ing)|writ(?:e|ing)|send(?:ing)?|compos\w+|answer\w*"
            r"|reply\w*|read(?:ing)?|show|open|check\w*|display)\b[^.]{0,30}\b(?:messages?|e-?mails?|sms|whatsapp"
            r"|chats?|texts?|social media|instagram|facebook|twitter|inbox|newspaper|web|browser|internet)\b"
            r"|\b(?:keyboard|browse the (?:web|internet)|scroll)\b"
        ),
    ),
    (
        UnsafeKind.SLEEPING,
        re.compile(
            r"\b(?:nap|sleep|doze|snooze|close my eyes|shut my eyes)\b[^.]*\b(?:while|driv\w+|wheel|you|steer\w*"
            r"|on the way|during)\b|\b(?:while|when) (?:i|we) (?:sleep|nap|doze|take a nap|close my eyes"
            r"|have a nap)\b|\b(?:take|taking|keep) (?:my |both )*hands off\b"
            r"|\blet go of (?:the )?(?:steering )?wheel\b"
            r"|\bhands[- ]free driving\b|\b(?:take over|do) (?:the )?(?:steering|wheel|driving)\b"
            r"|\bdrive (?:by )?(?:yourself|itself|autonomously)\b|\bfrom the (?:back|passenger) seat\b"
        ),
    ),
)
_ALCOHOL = re.compile(
    r"\b(?:had|drunk|drank|after|drinking) (?:\w+ ){0,3}(?:beers?|wine|drinks?|glasses|alcohol|schnapps|cocktails?"
    r"|whisky|vodka)\b"
    r"|\b(?:i'm|i am|being|while|slightly|bit|little) (?:drunk|tipsy|intoxicated)\b"
)
_REAR = re.compile(r"\b(?:kids|children|rear|back seats?|passengers?|co-?driver)\b")
_CINEMA = re.compile(r"\b(?:cinema|movie theat\w+|find|near|tickets?)\b")
_AUDIO = re.compile(r"\b(?:podcasts?|audio ?books?|radio|songs?|music|album|playlist|listen|hear)\b")
_SCREEN = re.compile(
    r"\b(?:watch\w*|videos?|movies?|films?|netflix|youtube|series|tv|television|screen|display|sitcom)\b"
)
_VOICE = re.compile(r"\b(?:aloud|out loud|to me|dictat\w+|by voice|for me|hands-free)\b")
_DOOR = re.compile(
    r"\b(?:open|unlatch|opening|pop|crack)\b[^.]*\b(?P<trunk>trunk|boot|tailgate)\b|\b(?:open|unlatch|opening"
    r"|crack)\b[^.]*\bdoors?\b"
)
_LIGHTS = re.compile(
    r"\b(?:turn|switch|shut|put|keep|have)\b[^.]*\b(?P<a>head ?-?lights?|head ?-?lamps?|low beams?|driving lights?"
    r"|(?:all |the |my |car )+lights?|lights?)\b(?: \w+){0,3}? ?\boff\b"
    r"|\b(?:turn|switch|shut) off\b[^.]*\b(?:head ?-?lights?|head ?-?lamps?|low beams?|(?:all |the |my "
    r"|car )+lights?|lights?)\b"
    r"|\b(?:disable|deactivate|kill|dim)\b[^.]*\b(?:head ?-?lights?|head ?-?lamps?|low beams?)\b|\b(?:without"
    r"|no) (?:any |the |my )?(?:head ?-?)?lights?\b"
)
_INDOOR_LIGHT = re.compile(
    r"\b(?:interior|cabin|inside|reading|ambient|dome|fog|inner|traffic|red) (?:lights?|lamps?|lighting)\b"
)


@dataclass(frozen=True, slots=True)
class UnsafeWish:
    """A risky act, and the clause without the words that asked for it."""

    act: Risky
    rest: str


def unsafe_wish(clause: str) -> UnsafeWish | None:
    """Return the risky wish in ``clause``, or ``None``."""
    if _NEGATED.search(clause):
        return None
    found = _system(clause) or _door(clause) or _lights(clause) or _plain(clause)
    if found is None:
        return None
    act, span = found
    return UnsafeWish(act=act, rest=blank(clause, [span]))


_Found = tuple[Risky, tuple[int, int]] | None


def _system(clause: str) -> _Found:
    off = re.search(rf"\b{_OFF}", clause)
    if not off or re.match(r"^(?:what|is|are|how|which)\b", clause):
        return None
    for switch, words in SYSTEM_WORDS.items():
        found = re.search(rf"\b(?:{words})(?!\w)", clause)
        if found:
            kind = UnsafeKind.SYSTEM_NEVER if switch in _NEVER else UnsafeKind.SYSTEM_OFF
            if switch is Switch.SEAT_BELT_WARNING:
                kind = UnsafeKind.SEAT_BELT
            span = (min(off.start(), found.start()), max(off.end(), found.end()))
            return Risky(kind=kind, switch=switch), span
    return None


def _door(clause: str) -> _Found:
    found = _DOOR.search(clause)
    if not found or re.search(r"\bwindow|\bopening hours|\block", clause):
        return None
    return Risky(kind=UnsafeKind.DOOR, switch=Switch.TRUNK if found["trunk"] else Switch.DOOR), found.span()


def _lights(clause: str) -> _Found:
    found = _LIGHTS.search(clause)
    if not found or _INDOOR_LIGHT.search(clause):
        return None
    act = Risky(kind=UnsafeKind.HEADLIGHTS, switch=Switch.HEADLIGHTS, dark=bool(_DARK.search(clause)))
    return act, found.span()


def _plain(clause: str) -> _Found:
    if re.match(r"^(?:what|which) (?:is|are|was)\b|^what's\b", clause):
        return None
    drunk = _ALCOHOL.search(clause)
    if drunk:
        return Risky(kind=UnsafeKind.ALCOHOL), drunk.span()
    for kind, pattern in _KINDS:
        found = pattern.search(clause)
        if found and not _harmless(kind, clause):
            return Risky(kind=kind), found.span()
    fast = _SPEED_KMH.search(clause)
    return (Risky(kind=UnsafeKind.SPEEDING), fast.span()) if fast else None


def _is_podcast(clause: str) -> bool:
    """Whether the episode that ``clause`` speaks of is one of a podcast, by its title or by what it is about."""
    if not re.search(r"\bepisodes?\b", clause):
        return False
    return bool(mentioned_titles(clause) or (GENRES.find(clause) and not _SCREEN.search(clause)))


def _harmless(kind: UnsafeKind, clause: str) -> bool:
    if kind is UnsafeKind.VIDEO:
        return bool(_REAR.search(clause) or _CINEMA.search(clause) or _AUDIO.search(clause) or _is_podcast(clause))
    return kind is UnsafeKind.TEXTING and bool(_VOICE.search(clause))
