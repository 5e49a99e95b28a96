"""Questions that mean something only with the assistant's reply before them ("the second one").

Contexts hold questions, never answers, so that nothing can be said of theirs. Precise rather than broad: a pronoun may
stand for something that the user named; only forms that take up what the assistant offered count. English.
"""

from __future__ import annotations

import re
from typing import Final

from hairpin.domain.conversation import normalise

_ORDINAL: Final = (
    r"(?:first|second|third|fourth|fifth|sixth|last|other|former|latter|middle"
    r"|\d+(?:st|nd|rd|th)|1|2|3|4|5|6|one|two|three|four|five)"
)
_PRICE: Final = r"(?:\w+er|cheapest|nearest|closest|best|fastest|shortest|quickest|highest|lowest|most \w+)"
_POLITE: Final = r"(?:,? ?(?:please|thanks|thank you|then|now|instead|too|again|as well|for me|also))*"
_LEAD: Final = (
    r"(?:(?:ok(?:ay)?|well|hm+|oh|yes|yeah|yep|no|sure|please|alright|great|perfect|good|fine|nice|cool|and|so|then"
    r"|i think|maybe|actually|let's say)[,.!]? )*"
)
_WISH: Final = (
    r"(?:(?:i(?:'ll| will|'d like to|'d| would like to| want to| would)? ?(?:take|have|like|prefer|choose|pick|want"
    r"|go with|go for|try)|let's (?:take|do|go with|go for|try)|give me|take me to|show me|tell me (?:more )?about"
    r"|go (?:with|for|to)|drive (?:me )?to|navigate to|book(?: me)?|take|choose|pick|select|play|call|use|what about"
    r"|how about|not|make it|open|send|reserve|read|delete|start) )?"
)
_PICKED: Final = (
    rf"(?:(?:the )?(?:option|number|choice|suggestion|result|answer)s? (?:number )?{_ORDINAL}"
    rf"|(?:option|choice) [a-f]"
    rf"|the {_ORDINAL}(?: (?:one|option|choice|suggestion|result)s?)?"
    rf"|the {_PRICE} (?:one|option|of (?:those|these|them|the two|the three))"
    r"|(?:that|this) (?:one|option|suggestion)|(?:those|these)(?: (?:two|ones|options))?"
    r"|(?:both|all|any|either|none|neither)(?: of (?:them|those|these))?|(?:that|this)"
    r"|the (?:one|ones) (?:you (?:said|mentioned|suggested|named|found)|with [\w ]+|in [\w ]+|near [\w ]+|on [\w ]+))"
)
_CONFIRMATION: Final = (
    r"(?:yes|yeah|yep|yup|no|nope|nah|ok|okay|sure|right|correct|exactly|of course|absolutely|definitely|please do"
    r"|go ahead|do it|do that|do so|sounds good|sounds great|that works|that's (?:right|fine|it|correct|wrong|good)"
    r"|that is (?:right|fine|it|correct|wrong|good)|that sounds (?:good|great|fine)|not that(?: one)?|i agree"
    r"|i don't want that|don't do that|no way|not really|why not|whatever|either is fine|never mind|forget it"
    r"|let's do (?:it|that)|perfect|great|fine|alright|all right|yes i do|no i don't|yes it is|no it isn't|i do|i don't"
    r"|please don't|better not|not now|maybe later|are you sure|really|is that all|what else is there|anything else"
    r"|any others?|which (?:one|of (?:them|those|these)) (?:is|do|would|are) .+|what do you mean(?: by that)?"
    r"|say that again|repeat that|can you repeat that|could you repeat that|what did you say|come again)"
)
_SAID: Final = (
    r"(?:you|u) (?:just )?(?:said|mentioned|suggested|named|listed|offered|recommended|proposed|told me|found|gave me)"
)

_WHOLE: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_LEAD}{_CONFIRMATION}{_POLITE}",
        rf"{_CONFIRMATION}(?:[,.!]? {_CONFIRMATION})+{_POLITE}",
        rf"{_LEAD}{_WISH}{_PICKED}{_POLITE}",
    )
)
_INSIDE: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_SAID}\b",
        r"\b(?:the|your) (?:first|second|third|last|other) (?:one|option|suggestion|choice|result)\b(?! to\b)",
        r"\b(?:option|choice) (?:number )?(?:\d|one|two|three|four|five|[a-f])\b",
        r"\b(?:of|from) (?:the )?(?:options|suggestions|results|choices) (?:that )?you\b",
    )
)


def needs_reply(text: str) -> bool:
    """Whether ``text`` can only be understood with the reply before it."""
    said = normalise(text).replace("’", "'")
    if any(pattern.fullmatch(said) for pattern in _WHOLE):
        return True
    return any(pattern.search(said) for pattern in _INSIDE)
