"""Wishes about the time and the charge of a trip: limits, stays, the order of stops, charging if needed.

It finds them in a clause and says what is left of it; it must not know the trip.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hairpin.testbed.acts import (
    Act,
    ArriveCharged,
    ChargeIfNeeded,
    LiftCharge,
    LiftLimit,
    LiftOrder,
    SetLimit,
)
from hairpin.testbed.parsing.text import blank
from hairpin.testbed.parsing.times import BARE_HOUR, CLOCK, DURATION, clock_in, minutes_in

_WE = r"(?:(?:and |but |so )?(?:i|we)(?:'ve| have|'ll|'d| will| would| do)?(?: really| only| just)* ?)"
_MUST = r"(?:(?:have|need|want|like|got|must|should|has|would like)(?: to)? ?)?"
_BE = r"(?:(?:be|get|arrive|reach it|make it|am|are)(?: there| home| here| back)? )"
_THERE = re.compile(
    r"\b(?:there|arriv\w*|reach|home|get to|be (?:at|in)|take me|navigate|guide|drive|bring|latest|need to)\b"
)
_BY = r"(?<!open )(?<!close )(?:by|before|not? later than|until|till|latest(?: by| at)?|(?:at the )?latest by)"
_LIMIT_AT = re.compile(
    rf"(?:\b{_WE}?{_MUST}{_BE})?\b(?:{_BY} (?:about |around |at the latest )?(?P<by>{CLOCK})(?: at the latest| sharp"
    rf"|,? at most)?|(?:at )?(?P<latest>{CLOCK}) at the (?:very )?latest)"
)
_LIMIT_BARE = re.compile(
    rf"(?:\b{_WE}?{_MUST}{_BE})?\b(?:{_BY} (?P<by>{BARE_HOUR})(?: at the latest)?"
    rf"|(?:at )?(?P<latest>{BARE_HOUR}) at the (?:very )?latest)"
)
_APPOINTMENT = re.compile(
    rf"^(?:(?:my|our|the)|(?:i|we) have (?:a|an|my|our))"
    rf" (?:meeting|appointment|train|flight|film|movie|show|reservation|table|class|shift|game|concert)"
    rf"(?: is| starts| begins| leaves| departs| goes| is booked)? (?:at|for) (?P<by>{CLOCK})"
)
_TOTAL = r"(?: for (?:the|this) (?:\w+ )?(?:trip|drive|journey|ride)| in total| altogether| all in all| overall)?"
_MOST = r"(?:at most|at the most|max(?:imum)?(?: of)?|no more than|not more than|less than|under|no longer than|up to)"
_LIMIT_IN = re.compile(
    rf"(?:\b{_WE}?{_MUST}{_BE})?\b(?:within (?:the next )?(?P<a>{DURATION})"
    rf"|(?:in|with(?:in)?) {_MOST} (?P<b>{DURATION})"
    rf"|in (?P<c>{DURATION})(?: at (?:the )?(?:very )?(?:most|latest)| or less| max(?:imum)?| tops)"
    rf"|(?:it |the (?:\w+ )?(?:trip|drive|journey|ride) )?(?:must|should|may|can|shall|has to)(?: only| not)?"
    rf" (?:take|last|need)s? (?:{_MOST} |longer than |more than )?(?P<d>{DURATION})"
    rf"|(?:take|taking|lasting|takes) {_MOST} (?P<e>{DURATION})){_TOTAL}"
)
_HAVE = re.compile(
    rf"^(?:(?:i|we)(?: only| just)?(?:'ve(?: only| just)? got| have(?: got)?| got)(?: only| just| about| at most)*"
    rf"|there (?:is|are) (?:only )?|(?:the |my |our )?(?:time (?:limit|budget)|limit) (?:is|of)"
    rf"|(?:set|use|keep to|add|make it|take)?(?: ?(?:a|the|my) (?:time (?:limit|budget)|limit|budget) (?:of|to)))"
    rf" ?(?P<a>{DURATION})(?: left| time| only|,? no more)?{_TOTAL}(?=$|[,;]| and\b| but\b| to\b| until\b| so\b)"
)
_LIFT_LIMIT = re.compile(
    r"\btak(?:e|ing) (?:your|our|my) time\b|\btake it easy\b"
    r"|\b(?:there(?:'s| is) |we have |i have )?no (?:rush|hurry|time (?:limit|pressure|constraint|budget)|deadline)"
    r"(?: any ?more)?\b"
    r"|\b(?:i'm|we're|i am|we are) (?:not in a|not in any|no longer in a|in no) (?:hurry|rush)(?: any ?more)?\b"
    r"|\b(?:forget|drop|ignore|cancel|remove|lift|never ?mind|skip|scrap|delete|disregard)(?: about)?"
    r" (?:the |my |our |that )?(?:time (?:limit|budget|constraint|restriction|frame)|deadline|arrival time|time)\b"
    r"|\b(?:the )?(?:time|arrival time|deadline|time limit) (?:does not|doesn't|no longer|is not|isn't)"
    r" (?:matters?|important|count|apply|applies)(?: any ?more)?\b"
    r"|\b(?:i|we) have (?:plenty of|enough|all the|lots of|more) time\b"
    r"|\bit (?:does not|doesn't|no longer) matters? when (?:we|i) (?:arrive|get there|are there)\b"
    r"|\b(?:i|we) (?:do not|don't|no longer) (?:have|need) to be (?:there|on time|punctual)(?: (?:by|before|at|in)"
    r" .*| on time)?$"
    r"|\b(?:it|the trip|the drive) (?:may|can) take (?:as long as it (?:takes|needs|wants|likes)|longer)\b"
)
_STAY_WORD = re.compile(r"\b(?:stop\w*|stay\w*|break|pause|park|wait|rest|visit|halt)\b")
_STAY_FOR = re.compile(rf"\s*\bfor (?:about |around |at least |exactly )?(?P<a>{DURATION})(?! (?:drive|away))")
_STAY_LONG = re.compile(
    rf"\b(?P<a>{DURATION})(?: long)?(?= (?:\w+ )?(?:stop|break|stopover|stay|pause|charging stop)\b)"
)
_STAY_OF = re.compile(rf"(?<=stop|reak|stay) of (?:about )?(?P<a>{DURATION})")
_STAY_MAKE = re.compile(
    rf"(?<=^make the stop) (?P<a>{DURATION})(?: long)?$|^make the stop at .* (?P<b>{DURATION})(?: long)?$"
)
_STAY_NEED = re.compile(
    rf"^(?:(?:i|we)(?:'ll| will)? (?:need|want|take)|(?:it|that|the stop) (?:takes|will take|needs)|plan|count|allow"
    rf"|schedule|reserve|spend|stay|make it) (?:about |around |at least )?(?P<a>{DURATION})"
    r"(?= (?:there|at|in|for the stop)\b)"
)
_LIFT_ORDER = re.compile(
    r"^(?:(?:the |your )?order (?:of (?:the )?stops )?(?:does not|doesn't|no longer|is not|isn't)"
    r" (?:matters?|important)"
    r"|(?:any|whatever|whichever) order (?:is fine|is ok|will do|works)|in (?:any|whatever) order(?: you like)?"
    r"|(?:forget|drop|ignore|never ?mind)(?: about)? (?:the|that|my) order(?: of (?:the )?stops)?"
    r"|(?:you (?:may|can) )?(?:choose|pick|optimi[sz]e|decide)(?: on)? the (?:best )?order(?: (?:of the stops"
    r"|yourself))*|(?:use|take) (?:the best|the fastest|any) order)$"
)
_CHARGE_IF = re.compile(
    r"(?:\b(?:with|including|and|add|plan|include|insert|make|do|please|also|we can|you can|then)\b ?)*"
    r"\b(?:a |an |one |some |any )?(?:(?P<fast>quick|fast|rapid)[ -])?(?:charging(?: stops?| breaks?| stations?)?"
    r"|chargers?|stops? (?:to|for) (?:re)?charg\w+|(?:re)?charge(?: the car| it)?)(?: on the way| stops?)?,?"
    r" (?:if|when|whenever|where|in case|as|only if) (?:it'?s? |it is |that is |that's |we |i |the (?:battery|charge"
    r"|range) |really )*(?:needed|need(?: to| it| one)?|necessary|required|is low|is not enough|isn't enough"
    r"|won't last|does not last|doesn't last|does not suffice|runs low|must)\b"
    r"|\bif (?:needed|necessary|required|we need to|the battery (?:is low|is not enough|isn't enough|won't last"
    r"|does not last|doesn't last)),? (?:please )?(?:add|plan|include|insert|stop at|do|make|charge at|charge)"
    r"(?: at)? ?(?:a |an |one |some )?(?:(?P<quick>quick|fast|rapid)[ -])?(?:charging(?: stop| station)?|charger"
    r"|charge)?"
    r"|\bmake sure (?:that )?(?:the battery (?:is enough|lasts|suffices|will last|does not run out|doesn't run out)"
    r"|(?:we|i) (?:have enough (?:battery|charge|power|range)|don't run out of (?:battery|power|charge)))"
    r"(?: (?:to get there|for (?:the|this) trip|until we get there))?"
)
_FAST = re.compile(r"\b(?:fast|quick|rapid)[ -]charg\w+")
_PERCENT = r"\d{1,3} ?(?:%|percent|per cent)"
_CHARGED = re.compile(
    rf"(?:\b{_WE}?{_MUST}(?:arrive|get there|be there|reach (?:it|the destination)|end up|have|keep|leave)(?: there)?"
    rf" ?(?:with|having)?|\bwith|\bkeeping|\bhaving)? ?(?:at least|a minimum of|minimum|not? less than"
    rf"|(?:a )?min(?:imum)? (?:charge|battery) of) (?P<a>{_PERCENT})"
    r"(?: (?:of )?(?:the )?(?:battery|charge|left|remaining|power|charged|on arrival|at (?:the )?(?:arrival|end"
    r"|destination)|when (?:we|i) (?:arrive|get there)|in the battery|there))*"
)
_CHARGED_ALSO = re.compile(
    rf"\b{_WE}?{_MUST}(?:arrive|get there|be there) with (?P<a>{_PERCENT})(?: or more)?"
    r"(?: (?:of )?(?:the )?(?:battery|charge|left|remaining|power))*"
)
_LIFT_CHARGE = re.compile(
    r"\b(?:forget|drop|ignore|cancel|lift|never ?mind|skip|scrap)(?: about)? (?:the |my |that )?"
    rf"(?:min(?:imum)? (?:arrival )?(?:charge|battery)(?: (?:level|condition))?|arrival charge"
    rf"|charge on arrival|{_PERCENT}"
    r"|(?:battery|charge) (?:condition|limit|level|on arrival))(?: (?:charge|battery|on arrival))*\b"
    r"|\b(?:the )?(?:battery|charge)(?: level)?(?: on arrival| when we arrive)? (?:does not|doesn't) matter\b"
    r"|\bno min(?:imum)? charge\b|\bit (?:does not|doesn't) matter how much (?:battery|charge) is left\b"
)
_QUESTION = re.compile(
    r"^(?:will|can|could|do|does|are|is|what|when|how|which|until|did|would|shall|should|am|tell me|find"
    r"|search|where)\b"
)
_LEFTOVER = re.compile(
    r"^(?:(?:and|but|so|then|please|also|that|there|it|i|we|'s|have|need|want|must|should|to|be|get|arrive"
    r"|at the latest"
    r"|the latest|all|on the way|add|with|for|make sure)\b[\s,]*)*$"
)


@dataclass(frozen=True, slots=True)
class TimeWishes:
    """What a clause says of time and charge, and what is left of it, trimmed; empty if it said nothing else."""

    acts: tuple[Act, ...]
    stay_min: int | None
    rest: str


def time_wishes(clause: str) -> TimeWishes:
    """Return the wishes in a folded, bare clause. Questions hold none."""
    if _QUESTION.match(clause) and not _lifts(clause):
        return TimeWishes((), None, clause)
    rest, acts = _lifted(clause)
    rest, charge = _charge(rest)
    rest, stay = _stay(rest)
    rest, limit = _limit(rest)
    found = (*acts, *charge, *limit)
    if not found and stay is None:
        return TimeWishes((), None, clause)
    rest = " ".join(rest.split()).strip(" ,;:-")
    return TimeWishes(found, stay, "" if _LEFTOVER.match(rest) else rest)


def lifts_limit(clause: str) -> bool:
    """Whether a folded clause gives a time limit up."""
    return bool(_LIFT_LIMIT.search(clause))


def _lifts(clause: str) -> bool:
    return bool(_LIFT_LIMIT.search(clause) or _LIFT_ORDER.search(clause))


def _lifted(text: str) -> tuple[str, tuple[Act, ...]]:
    acts: list[Act] = []
    for pattern, act in ((_LIFT_LIMIT, LiftLimit()), (_LIFT_ORDER, LiftOrder()), (_LIFT_CHARGE, LiftCharge())):
        found = pattern.search(text)
        if found:
            text = blank(text, [found.span()])
            acts.append(act)
    return text, tuple(acts)


def _charge(text: str) -> tuple[str, tuple[Act, ...]]:
    acts: list[Act] = []
    needed = _CHARGE_IF.search(text)
    if needed:
        acts.append(ChargeIfNeeded(fast=bool(needed["fast"] or needed["quick"] or _FAST.search(needed[0]))))
        text = blank(text, [needed.span()])
    charged = _CHARGED.search(text) or _CHARGED_ALSO.search(text)
    if charged:
        percent = int(re.split(r"\D", charged["a"])[0])
        if percent <= 100:
            acts.append(ArriveCharged(percent=percent))
            text = blank(text, [charged.span()])
    return text, tuple(acts)


def _stay(text: str) -> tuple[str, int | None]:
    tried = (pattern.search(text) for pattern in (_STAY_MAKE, _STAY_NEED, _STAY_LONG, _STAY_OF))
    found = next((match for match in tried if match), None)
    if found is None and _STAY_WORD.search(text):
        found = _STAY_FOR.search(text)
    if found is None:
        return text, None
    name = next(name for name, value in found.groupdict().items() if value)
    span = found.span(name) if found.re is _STAY_MAKE else found.span()
    return blank(text, [span]), minutes_in(found[name])


def _limit(text: str) -> tuple[str, tuple[Act, ...]]:
    for pattern in (_HAVE, _LIMIT_IN):
        found = pattern.search(text)
        minutes = minutes_in(next(v for v in found.groupdict().values() if v)) if found else None
        if found and minutes:
            return blank(text, [found.span()]), (SetLimit(within_min=minutes),)
    patterns = [_APPOINTMENT, _LIMIT_AT, *([_LIMIT_BARE] if _THERE.search(text) else [])]
    for pattern in patterns:
        found = pattern.search(text)
        clock = clock_in(next(v for v in found.groupdict().values() if v)) if found else None
        if found and clock:
            return blank(text, [found.span()]), (SetLimit(by=clock),)
    return text, ()
