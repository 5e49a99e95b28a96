"""Cuts an utterance into clauses and takes politeness and impatience off them.

It must not know what a clause asks for, only whether it starts like a request.
"""

from __future__ import annotations

import re

from hairpin.testbed.parsing.text import fold

_START = (
    r"(?:please |also |then |now |just |maybe |finally |let's |could you |can you |could we |can we |would you "
    r"|we could |you could |be so kind(?: as)? to |meanwhile,? |in the meantime,? |afterwards,? )*"
    r"(?:set|turn|switch|put|make|find|search|look|show|list|tell|guide|navigate|drive|take|bring|get|go|head|add"
    r"|include|(?:direct|lead|deliver) (?:me|us)"
    r"|stop (?:at|by|in|for|over|off|the|there|playing|avoiding)|stop$|avoid|skip|forget|drop|remove|cancel"
    r"|never ?mind|open|close|shut|lock|unlock"
    r"|roll (?:up|down|the|my|all|your)"
    r"|raise|lower|increase|decrease|reduce|play|pause|mute|plan|change|route|give|start|calculate|what|what's"
    r"|which|how|where"
    r"|when|who|is (?:there|it|the|my)|are (?:there|the|we|my|all)|does|do (?:i|we|you|not|they)|did|i need|i want"
    r"|(?:i|we)(?:'d| would) like"
    r"|i have to|we need|we want|don't|do not|use|keep|stay|heat|cool|warm|disable|deactivate|enable|activate|ignore"
    r"|disregard|text"
    r"|type|read|write|send|dim|watch|let me|let us|without|no (?:toll|motorway|highway|freeway|autobahn|need)"
    r"|not (?:on|via|over)|steer"
    r"|will (?:we|it|i|the|they)|be there|arrive (?:by|before|with|within)|first\b|charge (?:if|the)|stay|we have"
    r"|i have (?:to|\d)|take your time|until when"
    r"|remind|resume|continue|queue|repeat|replay|unmute|hear|listen|only (?:\w+ ){0,2}(?:german|english)"
    r"|nothing explicit|no (?:ads?|adverts?|advertising|commercials?|explicit)\b|repeat|adjust|defrost"
    r"|recommend|suggest|check|swing|drop by|tolls?\b.{0,12}\b(?:is|are)|motorways?\b.{0,12}\b(?:is|are)"
    r"|highways?\b.{0,12}\b(?:is|are)"
    r"|(?:the )?(?:fan|temperature|temp|seat heating|volume)(?: level)? (?:to|at)|run|overtake|break the|exceed"
    r"|i'm (?:cold|hot|hungry|freezing|thirsty)|it's (?:too )?(?:cold|hot|warm|stuffy))\b"
)
_SPLIT = re.compile(
    rf"(?:\s*[,;]\s*|\s+)(?:and then|and also|and|then|but|plus|also|as well as|&)\s+(?={_START})"
    rf"|\s*[,;]\s*(?={_START})"
)
_SENTENCE = re.compile(r"(?<!\bno)(?<!\bnr)(?<!\b[ap]\.m)[.!?]+(?:\s+|$)|\s*\.\.\.\s*|…\s*|\n+")

_LEADING = re.compile(
    r"^(?:(?:please|kindly|could (?:you|we|i)|can (?:you|we|i)|would you|will you|may (?:i|we)|might (?:i|we)"
    r"|shall we|should we"
    r"|you could|we could|would it be possible(?: for you)? to|is it possible to|would you mind|do you mind"
    r"|would you be so kind(?: as)? to"
    r"|(?:i'd|i would) (?:really )?(?:appreciate|love) it if you (?:could|would)|it would be (?:great|nice|lovely"
    r"|good) if you (?:could|would)|for the last time"
    r"|be so kind(?: as)? to|i would like you to|i'd like you to|i want you to|i need you to|if (?:possible|you can"
    r"|you could|you would)"
    r"|(?:hey|hi|hello|dear)? ?(?:car|assistant)|hey|oh|um|uh|well|so|ok|okay|alright|all right|right|yes|yeah|yep"
    r"|sure|great|perfect"
    r"|good|nice|fine|excellent|wonderful|lovely|now|and|also|then|but|just|simply|actually|finally|maybe|perhaps"
    r"|by the way"
    r"|come on|look(?! (?:for|up|at|around)\b)|listen(?! to\b)|sorry|excuse me|pardon|hurry(?: up)?|quick(?:ly)?"
    r"|as i said|i said"
    r"|i told you(?: already)?(?: to)?"
    r"|remember(?: that| to)?|again|anyway|one more thing|in addition|additionally|furthermore|besides|meanwhile"
    r"|before (?:i forget|that)"
    r"|first(?: of all)?|second(?:ly)?|next|instead|seriously|for heaven's sake|for god's sake|for crying out loud)"
    r"\b(?!')\s*[,:-]*\s*)+"
)
_TRAILING = re.compile(
    r"(?:[\s,]+(?:please|(?:many )?thanks?(?: you)?(?: (?:very|so) much| a lot)?(?: for your \w+| for that)?"
    r"|thanks (?:very|so) much|kindly|for me|for us"
    r"|would you|will you|could you"
    r"|if (?:that's|that is|it's|it is) (?:possible|ok|okay|all right|alright|not too much trouble)|if possible"
    r"|if you (?:don't mind|can|could|would|please)"
    r"|right now|at once|immediately|asap|quickly|straight away|already|and (?:quickly|make it quick|hurry|be quick"
    r"|fast)|make it quick|be quick"
    r"|hurry(?: up)?|come on|i haven't got all day|i don't have all day|chop chop|dear|buddy|either"
    r"|too|as well|then|again|now)|(?<!\bis)(?<!\bare)(?<!\bbe)[\s,]+(?:okay|ok|right))+$"
)
_FILLER = re.compile(
    r"^(?:.*\b(?:haven't got|don't have|do not have|have no|not got) (?:all day|time|the time)\b.*|(?:i'm|i am|we're"
    r"|we are|i'm really) (?:already )?(?:in a "
    r"(?:bit of a )?(?:hurry|rush)|late|running late)\b.*|.*\b(?:hurry up|hurry|chop chop|be quick|make it (?:quick"
    r"|snappy|fast)|get on with it"
    r"|how hard can it be|what's taking so long|don't make me (?:wait|repeat).*|time is money|no time to lose"
    r"|i'm waiting|keep it short|come on|quick(?:ly)?|now)"
    r"|i'd (?:like|prefer|love|appreciate) (?:a|some|it|that).{0,30}(?:drive|ride|quiet|peace|calm|much)\b.*"
    r"|(?:that would be|that'd be|it would be) .*|i (?:would|'d)? ?(?:really )?appreciate (?:it|that|your help).*"
    r"|if you don't mind|if possible"
    r"|(?:keep|leave) (?:the |my |our |all )*(?:stops?|conditions?|rest|everything|others?|constraints?"
    r"|settings?)\b.*|you know|i mean|so|well|ok|okay|and|please|sorry|excuse me|.*\bkind of you\b.*"
    r"|much appreciated|where (?:was i|were we)|you're (?:great|the best|very kind))$"
)
_HASTE = re.compile(r"\bright (?=(?:now|then|here|there|before|after)\b)|,?\s*\b(?:right|straight) away\b")
"""A "right" that is no side."""
_DUTY = re.compile(r"^(?:i|we) (?:have|need) to\b")
_APOLOGY = re.compile(
    r"^(?:i'm |i am )?(?:so |very )?(?:sorry|apologies|excuse me|pardon)(?: me)?(?:,? (?:to|for|but|about"
    r"|that) .*)?$"
)


def clauses(utterance: str) -> tuple[str, ...]:
    """Return the clauses of ``utterance``, folded, in order, without empty ones."""
    sentences = (part for part in _SENTENCE.split(_HASTE.sub("", fold(utterance))) if part and part.strip())
    return tuple(clause for sentence in sentences for clause in _split(sentence))


def bare(clause: str) -> str:
    """Return ``clause`` without the polite or impatient words around it; empty if it was nothing else."""
    core = _LEADING.sub("", clause.strip(" ,;:-"))
    return _TRAILING.sub("", core).strip(" ,;:-")


def opens_with_first(clause: str) -> bool:
    """Whether the words that ``bare`` takes off the beginning end with "first", which says an order."""
    polite = _LEADING.match(clause.strip(" ,;:-"))
    return bool(polite and re.search(r"\bfirst[\s,:-]*$", polite.group()))


def is_filler(clause: str) -> bool:
    """Whether the clause only colours what else is said: "I haven't got all day"."""
    return bool(_FILLER.match(clause.strip(" ,;:-")))


def is_apology(clause: str) -> bool:
    """Whether the clause only asks for patience: "Sorry to ask again"."""
    return bool(_APOLOGY.match(clause.strip(" ,;:-")))


def sounds_like_request(clause: str) -> bool:
    """Whether the clause starts like a request; what the user has to do is none: "I have to think"."""
    return bool(re.match(_START, clause.strip())) and not _DUTY.match(clause.strip())


def _split(sentence: str) -> list[str]:
    parts = [part.strip(" ,;") for part in _SPLIT.split(sentence)]
    return [part for part in parts if part]
