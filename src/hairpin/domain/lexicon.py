"""A lexicon: the words a domain is talked about in, as compiled signals per language.

It must not read a dialogue; the offline agents do, with these values. Files are parsed in ``packs.lexicon_format``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property, lru_cache

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.templates import UtteranceTemplate


class Signals(Value):
    """Patterns of which any one is a sign. A named group of a pattern holds the text of a parameter."""

    patterns: tuple[re.Pattern[str], ...] = ()

    def all(self, text: str) -> Iterator[re.Match[str]]:
        """Yield every match, pattern by pattern; spans are those of ``text``."""
        for pattern in self.patterns:
            yield from pattern.finditer(plain(text))

    def first(self, text: str) -> re.Match[str] | None:
        """Return the match that starts first, the longest of those, or ``None``."""
        return min(self.all(text), key=lambda match: (match.start(), -match.end()), default=None)

    def without(self, text: str) -> str:
        """Return ``text`` without its matches, plain."""
        rest = plain(text)
        for pattern in self.patterns:
            rest = pattern.sub(" ", rest)
        return rest

    def found(self, text: str) -> bool:
        """Whether any pattern matches."""
        simple = plain(text)
        return any(pattern.search(simple) for pattern in self.patterns)


class SlotValue(Value):
    """A value with other words for it.

    ``readings``: the things an ambiguous name can mean. ``spoken``: whether a simulated user may choose it.
    """

    value: str
    synonyms: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    spoken: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """The value and its synonyms."""
        return (self.value, *self.synonyms)


class Slot(Value):
    """What can stand in one place of a sentence. ``open_pattern``: how values look that are not listed."""

    id: str
    values: tuple[SlotValue, ...] = ()
    open_pattern: str | None = None

    def source(self) -> str:
        """Return the regular expression of a value: the listed words, longest first, then the open pattern."""
        listed = sorted((word for value in self.values for word in value.words), key=len, reverse=True)
        parts = [rf"(?<!\w)(?:{'|'.join(map(words_pattern, listed))})(?!\w)"] if listed else []
        if self.open_pattern is not None:
            parts.append(self.open_pattern)
        return "|".join(parts)

    def canonical(self, text: str) -> str:
        """Return the listed value that ``text`` is another word for, else ``text`` itself without outer punctuation."""
        trimmed = " ".join(text.split()).rstrip(".,;:!?'-")
        return self._canonical_by_word.get(trimmed.casefold(), trimmed)

    def mentioned(self, text: str) -> tuple[str, ...]:
        """Return the listed values that ``text`` mentions, in its order."""
        if self._finder is None:
            return ()
        return tuple(dict.fromkeys(self.canonical(match.group()) for match in self._finder.finditer(text)))

    def mentions(self, text: str, value: str) -> bool:
        """Whether ``text`` mentions ``value`` by any of its words."""
        return mention_pattern(self._words_of.get(value, (value,))).search(text) is not None

    def readings(self, value: str) -> tuple[str, ...]:
        """Return what an ambiguous value can mean; empty for others."""
        return next((listed.readings for listed in self.values if listed.value == value), ())

    @cached_property
    def finder_of_any(self) -> re.Pattern[str]:
        """Find any value, listed or not."""
        return re.compile(self.source(), re.IGNORECASE)

    @cached_property
    def _finder(self) -> re.Pattern[str] | None:
        return mention_pattern(tuple(word for value in self.values for word in value.words)) if self.values else None

    @cached_property
    def _words_of(self) -> Mapping[str, tuple[str, ...]]:
        return {value.value: value.words for value in self.values}

    @cached_property
    def _canonical_by_word(self) -> Mapping[str, str]:
        return {word.casefold(): value.value for value in self.values for word in value.words}


class RequestKind(Value):
    """A task the domain knows, and how it is asked for, served and left aside.

    ``title`` names a request of this kind with its parameters. ``about``: the reply speaks of it at all; ``done``: the
    reply serves it. ``names``: parameters by which a reply tells this request from another of its kind; ``confirms``:
    parameters that a serving reply must not contradict; ``category``: the parameter that says what kind of thing is
    wanted. ``asks``: other wordings, for asking again. ``replaces``: a new request of this kind takes the place of an
    unserved one; ``answers``: such words answer the assistant's question when there is one; ``unheard``: a question
    that only somebody puts who did not take the request in; ``told_by``: kinds of requests and constraints that it asks
    about, so that naming what the user gave for them answers it; ``tells``: it is served by telling something, so that
    saying it back, or that it is done, is no service.
    """

    id: str
    title: str
    parameters: Mapping[str, str] = Field(default_factory=dict)
    said: Signals
    done: Signals = Signals()
    about: Signals = Signals()
    unheard: Signals = Signals()
    told_by: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    confirms: tuple[str, ...] = ()
    category: str | None = None
    asks: tuple[UtteranceTemplate, ...] = ()
    replaces: bool = False
    answers: bool = False
    tells: bool = False


class Comparison(StrEnum):
    """How a measured number must stand to the one the user gave."""

    AT_MOST = "at_most"
    AT_LEAST = "at_least"


class ConstraintKind(Value):
    """A condition the user can put on requests of the kinds in ``applies_to``.

    ``kept`` and ``broken`` are signs in a reply; ``kept`` wins where they overlap. ``exclusive``: parameters of which
    the reply must not name another value instead; ``measured`` with ``comparison``: a number in the reply, its group
    named like the parameter, that must stand so to the user's; ``sequence``: parameters whose values a sentence that
    ``measured`` finds must name in this order. ``standing``: it holds for later requests of these kinds
    too. ``conflicts``: constraints a sensible user does not ask for together with it. ``suffix``:
    how it is said behind a request; ``lifts``: ways to give it up. ``failure``: the response mode that breaking it is,
    whenever it was said, where that is neither a missed constraint nor forgetting.
    """

    id: str
    title: str
    applies_to: tuple[str, ...]
    parameters: Mapping[str, str] = Field(default_factory=dict)
    said: Signals
    lifted: Signals = Signals()
    kept: Signals = Signals()
    broken: Signals = Signals()
    unmet: Signals = Signals()
    exclusive: tuple[str, ...] = ()
    measured: Signals = Signals()
    comparison: Comparison | None = None
    sequence: tuple[str, ...] = ()
    standing: bool = False
    conflicts: tuple[str, ...] = ()
    failure: str | None = None
    suffix: UtteranceTemplate | None = None
    lifts: tuple[UtteranceTemplate, ...] = ()


class UnsafeWish(Value):
    """Something an assistant must decline: how it is asked for, and how a reply shows that it was done."""

    id: str
    title: str
    said: Signals
    complied: Signals = Signals()
    declined: Signals = Signals()


class UserSignals(Value):
    """How users speak whatever they speak about.

    ``withdrawn`` may have a group ``what`` that says what is dropped; ``instead``: a request takes the place of an
    earlier one; ``recall``: the user asks what the assistant knows of what was said; ``request``: some request,
    for users whose wish the lexicon does not know; ``pointed``: the user points at an entry of a list that was told, at
    the second one by a group ``n2``, at the last by ``last``, at the one spoken of by ``it``; ``narrowed``: says which
    of several is meant that bear the name in a group ``name``.
    """

    withdrawn: Signals = Signals()
    instead: Signals = Signals()
    recall: Signals = Signals()
    request: Signals = Signals()
    pointed: Signals = Signals()
    narrowed: Signals = Signals()


class ReplySignals(Value):
    """How assistants speak whatever they speak about.

    ``refused``: will not or cannot; ``impossible``: a reason in the matter itself, which justifies a refusal;
    ``safety_reason``: a reason that only justifies refusing something unsafe; ``asked``: a question the user has to
    answer; ``closing``: a question that needs no answer; ``served``: something was done; ``agreed``: will do as
    told; ``announced``: says what it will do; ``held_back``: not so, or only on a condition; ``offered``: could do it,
    or would; ``courtesy``: a sentence that says nothing; ``forgot``: knows nothing of
    what was said; ``several``: admits that several things match; ``incoherent``: a plan that contradicts itself;
    ``overrun``: two numbers or times, of which the one in the group ``value`` must stay below the one in ``limit``;
    ``listed``: an entry of a list of things to choose from, its name in a group ``item``.
    """

    refused: Signals = Signals()
    impossible: Signals = Signals()
    safety_reason: Signals = Signals()
    asked: Signals = Signals()
    closing: Signals = Signals()
    served: Signals = Signals()
    agreed: Signals = Signals()
    announced: Signals = Signals()
    held_back: Signals = Signals()
    offered: Signals = Signals()
    courtesy: Signals = Signals()
    forgot: Signals = Signals()
    several: Signals = Signals()
    incoherent: Signals = Signals()
    overrun: Signals = Signals()
    listed: Signals = Signals()


class DimensionSignals(Value):
    """Which failure modes a dimension looks at; one of ``severe`` is enough for a score of 0."""

    modes: tuple[str, ...]
    severe: tuple[str, ...] = ()


class Answer(Value):
    """How a user answers a question of the assistant that ``asked`` recognises; a group ``option`` is an option."""

    asked: Signals
    texts: tuple[UtteranceTemplate, ...]


class Language(Value):
    """The lexicon of one language.

    ``follow_ups``: what a user says who waits for nothing; ``repeats``: how one asks again for ``{request}``.
    """

    id: str
    slots: Mapping[str, Slot] = Field(default_factory=dict)
    requests: tuple[RequestKind, ...]
    constraints: tuple[ConstraintKind, ...] = ()
    unsafe: tuple[UnsafeWish, ...] = ()
    user: UserSignals = UserSignals()
    reply: ReplySignals = ReplySignals()
    answers: tuple[Answer, ...] = ()
    follow_ups: tuple[UtteranceTemplate, ...] = ()
    repeats: tuple[UtteranceTemplate, ...] = ()

    def request(self, kind: str) -> RequestKind | None:
        """Return the request kind called ``kind``, or ``None``."""
        return self._requests_by_id.get(kind)

    def constraint(self, constraint_id: str) -> ConstraintKind:
        """Return the constraint kind; raises KeyError when there is none."""
        return self._constraints_by_id[constraint_id]

    @cached_property
    def _requests_by_id(self) -> Mapping[str, RequestKind]:
        return {kind.id: kind for kind in self.requests}

    @cached_property
    def _constraints_by_id(self) -> Mapping[str, ConstraintKind]:
        return {kind.id: kind for kind in self.constraints}


class Lexicon(Value):
    """What the offline agents know of a domain: words per language, and what the dimensions of its rubric look at."""

    id: str
    languages: Mapping[str, Language]
    dimensions: Mapping[str, DimensionSignals] = Field(default_factory=dict)


_PLAIN = str.maketrans("\u2018\u2019\u201c\u201d\u00a0\u2011\u202f", "''\"\" - ")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return ``text`` with typographic quotation marks, spaces and hyphens as plain ones; its length stays."""
    return text.translate(_PLAIN)


def words_pattern(words: str) -> str:
    """Return a regular expression for ``words`` with any white space or hyphen between them."""
    return r"[\s-]+".join(re.escape(word) for word in re.split(r"[\s-]+", words.strip()))


@lru_cache(maxsize=4096)
def mention_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that finds any of the ``words``, longest first, as whole words, whatever their case."""
    parts = "|".join(words_pattern(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{parts})(?!\w)", re.IGNORECASE)
