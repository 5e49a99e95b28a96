"""What the user takes back: stops, the destination, the last wish.

Conditions taken back are in ``conditions``. It must not know what there is to take back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hairpin.testbed.acts import Act, AddStops, Anaphor, CancelTrip, DropStop, NeverMind, Reference
from hairpin.testbed.parsing.text import Span

_DROP = re.compile(
    r"\b(?:never ?mind|forget|skip|cancel|remove|drop|leave out|delete|scrap|take out|no longer (?:need|want)"
    r"|(?:don't|do not|doesn't) (?:need|want|stop|bother)"
    r"|without (?:the |a |any )?stops?|no (?:more )?stops?|not stop(?:ping)?|abort|end (?:the )?(?:navigation|route"
    r"|guidance)|stop (?:the )?(?:navigation|route guidance|guidance|navigating)"
    r"|changed my mind about|on second thought)\b"
)
_TRIP_NOUN = re.compile(r"\b(?:route|navigation|navigating|guidance|trip|destination|journey|everything)\b")
_SWAP = re.compile(r"\b(?:swap|replace|exchange|substitute)\b.*\b(?:for|with|by)\b")
_ALL_STOPS = re.compile(
    r"\b(?:stops?|stopovers?)\b(?! (?:the |route )?(?:music|radio|navigation|navigating|guidance|route))"
)
_LAST_WISH = re.compile(
    r"(?:oh |just |please )*(?:never ?mind|forget (?:it|that|about it|about that)|cancel(?: that| it)?"
    r"|skip (?:it|that)|scrap that|drop it)(?: then)?"
)


def withdrawal(text: str, places: Sequence[Span[Reference]]) -> tuple[Act, ...]:
    """Return what ``text`` takes back, and puts in its place; nothing if it takes nothing back."""
    targets = [span.value for span in places if not isinstance(span.value, Anaphor)]
    if _SWAP.search(text) and len(targets) == 2:
        return DropStop(what=targets[0]), AddStops(stops=(targets[1],))
    if not _DROP.search(text):
        return ()
    if targets:
        return (DropStop(what=targets[0]),)
    if _ALL_STOPS.search(text):
        return (DropStop(what=None),)
    if _TRIP_NOUN.search(text):
        return (CancelTrip(),)
    return (NeverMind(),) if _LAST_WISH.fullmatch(text.strip()) else ()
