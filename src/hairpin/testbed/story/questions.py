"""From the text of a question to what it says, word for word: nothing is resolved here.

Pure: it knows neither the story nor the questions before.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from hairpin.domain.base import Value
from hairpin.testbed.story.world import Relation

Slot = Literal["subject", "value", "detail"]
Kin = Literal["brother", "sister", "best friend"]


class PersonWords(Value):
    """How a question names a person: ``Mina``, ``she``; with ``kin``: ``Mina's brother``, ``her brother``."""

    base: str
    kin: Kin | None = None


class Asked(Value):
    """What a question says.

    Attributes:
        relation: what it asks about; ``None``: what the question before asked, with the changes named here.
        asks: which part of the fact it wants.
        person: whose fact it is; ``None``: it is asked for, or not named.
        place: a noun or ``there``.
        thing: a noun or ``it``.
        day: of the week.
    """

    relation: Relation | None
    asks: Slot = "value"
    person: PersonWords | None = None
    place: str | None = None
    thing: str | None = None
    day: str | None = None


_P: Final = r"(?:(?P<owner>[a-z]+(?='s )|her|his)(?:'s)? (?P<kin>brother|sister|best friend)|(?P<name>[a-z]+))"
_PLACE: Final = r"(?:(?P<there>there)|(?:in|at) (?:the )?(?P<place>[a-z]+(?: [a-z]+)*))"
_THING: Final = r"(?:(?P<it>it)|(?:(?:the|an?|her|his|[a-z]+'s) )?(?P<thing>[a-z]+(?: [a-z]+)*))"
_DAY: Final = r"on (?P<day>[a-z]+day)"

_FORMS: Final[tuple[tuple[Relation | None, Slot, str], ...]] = (
    (Relation.LIVES, "value", rf"where does {_P} live"),
    (Relation.WORKS, "value", rf"where does {_P} work"),
    (Relation.AGE, "value", rf"how old is {_P}"),
    (Relation.KEEPS, "value", rf"what does {_P} keep {_PLACE}"),
    (Relation.KEEPS, "detail", rf"where does {_P} keep {_THING}"),
    (Relation.DID, "value", rf"what did {_P} do {_DAY}"),
    (Relation.LIVES, "subject", rf"who lives {_PLACE}"),
    (Relation.WORKS, "subject", rf"who works {_PLACE}"),
    (Relation.KEEPS, "subject", rf"who keeps {_THING}"),
    (None, "value", rf"(?:and|what about|how about|and what about) (?:{_DAY}|{_PLACE}|{_P})"),
)
_WHO_IS: Final = re.compile(r"who is (?P<owner>[a-z]+(?='s )|her|his)(?:'s)? (?P<kin>brother|sister|best friend)")
_COMPILED: Final = tuple((relation, asks, re.compile(pattern)) for relation, asks, pattern in _FORMS)
_POLITE: Final = re.compile(r"^(?:please |can you tell me |tell me |so |ok |okay |now )+|(?:,? please)$")


@lru_cache(maxsize=4096)
def read_question(text: str) -> Asked | None:
    """Return what ``text`` asks, or ``None`` when it is no question of the grammar."""
    plain = normal(text)
    who_is = _WHO_IS.fullmatch(plain)
    if who_is is not None:
        return Asked(relation=Relation(who_is["kin"]), person=PersonWords(base=who_is["owner"]))
    for relation, asks, pattern in _COMPILED:
        found = pattern.fullmatch(plain)
        if found is not None:
            return _asked(relation, asks, found.groupdict())
    return None


def normal(text: str) -> str:
    """Return a question as it is compared: small letters, one space, no courtesies and no marks at the end."""
    folded = " ".join(text.replace("’", "'").casefold().split()).strip(" ?.!,")
    return _POLITE.sub("", folded).strip(" ,")


def _asked(relation: Relation | None, asks: Slot, parts: dict[str, str | None]) -> Asked:
    name, owner = parts.get("name"), parts.get("owner")
    person = None
    if owner is not None:
        person = PersonWords.model_validate({"base": owner, "kin": parts["kin"]})
    elif name is not None:
        person = PersonWords(base=name)
    return Asked(
        relation=relation,
        asks=asks,
        person=person,
        place=parts.get("there") or parts.get("place"),
        thing=parts.get("it") or parts.get("thing"),
        day=parts.get("day"),
    )
