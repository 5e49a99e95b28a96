"""What a reply does with a request and with a constraint, by the signals of a lexicon.

It looks at one reply; what was established before is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from hairpin.agents.offline.echoes import Heard
from hairpin.agents.offline.ledger import Ask, Established, Ledger
from hairpin.agents.offline.text import content_words, overlaps_any, readable, sentences
from hairpin.domain.conversation import normalise
from hairpin.domain.lexicon import Comparison, ConstraintKind, Language, RequestKind

_CLOCK = re.compile(r"\b(\d{1,2}):(\d{2})\b")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_SENTENCE_END = re.compile(r"[.!?] ")


class Reply:
    """A reply and its sentences, with what each of them does whatever it speaks about.

    A sentence that only says the user's request back does nothing, and is left out; one that says it back with a few
    words around it is ``parroted``, which maps it to these words.
    """

    def __init__(self, text: str, language: Language, *, said: str = "") -> None:
        self.text = readable(text)
        self.language = language
        heard = Heard(said, language)
        self.sentences = tuple(s for s in sentences(self.text) if not heard.echoed_in(s))
        around = ((sentence, heard.around(sentence)) for sentence in self.sentences)
        self.parroted = {sentence: rest for sentence, rest in around if rest is not None}
        signals = language.reply
        self.refusals = tuple(sentence for sentence in self.sentences if signals.refused.found(sentence))
        self.questions = tuple(
            sentence
            for sentence in self.sentences
            if signals.asked.found(sentence) and not signals.closing.found(sentence) and sentence not in self.parroted
        )
        # the last, because assistants name the obstacle after saying that there is one
        self.impossible = next((s for s in reversed(self.sentences) if signals.impossible.found(s)), None)

    @property
    def asked(self) -> str:
        """What the reply asks, normalised; '' for nothing."""
        return normalise(" ".join(self.questions))

    @property
    def empty(self) -> bool:
        """Whether nothing was said of one's own."""
        return not self.sentences

    @cached_property
    def unclear(self) -> tuple[str, ...]:
        """The sentences that the lexicon can make nothing of: they may be about anything."""
        return tuple(sentence for sentence in self.sentences if not self._recognises(sentence))

    def _recognises(self, sentence: str) -> bool:
        language, signals = self.language, self.language.reply
        spoken = (signals.courtesy, signals.refused, signals.impossible, signals.asked, signals.closing, signals.forgot)
        tasks = (signal for kind in language.requests for signal in (kind.about, kind.done))
        conditions = (signal for kind in language.constraints for signal in (kind.kept, kind.broken))
        return any(signal.found(sentence) for signal in (*spoken, *tasks, *conditions))

    def _own(self, kind: RequestKind | None) -> tuple[str, ...]:
        """Return the sentences that can serve a request of ``kind``; an echo only by what it claims around it."""
        return tuple(s for s in self.sentences if s not in self.parroted or self._claims(self.parroted[s], kind))

    def _claims(self, rest: str, kind: RequestKind | None) -> bool:
        """Whether ``rest`` says that it will be, or was, done, where doing is what was asked for."""
        if kind is None or kind.tells:
            return False
        signals = self.language.reply
        return any(claim.found(rest) for claim in (kind.done, signals.announced, signals.served))

    def ambiguous_names(self) -> frozenset[str]:
        """Return the ambiguous values that the reply uses."""
        values = ((slot, value) for slot in self.language.slots.values() for value in slot.values if value.readings)
        return frozenset(value.value for slot, value in values if slot.mentions(self.text, value.value))

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The entries of the last list of things to choose from that the reply tells, in order."""
        entries: list[str] = []
        last = 0
        for match in sorted(self.language.reply.listed.all(self.text), key=lambda match: match.start()):
            between = self.text[last : match.start()]
            if _SENTENCE_END.search(between) and "\n" not in between:
                entries.clear()
            last = match.end()
            entries.append((match.groupdict().get("item") or "").strip())
        return tuple(dict.fromkeys(filter(None, entries)))

    def denies(self, sentence: str) -> bool:
        """Whether ``sentence`` refuses, or says that it cannot be."""
        return sentence in self.refusals or self.language.reply.impossible.found(sentence)

    def serving(self, ask: Ask, rivals: Sequence[Ask] = ()) -> str | None:
        """Return the sentence that serves ``ask``, or ``None``. ``rivals``: others of its kind asked with it."""
        kind = self.language.request(ask.kind)
        if kind is None:
            return self._serving_unknown(ask)
        if any(self.denies(s) and self._names(s, ask, kind) for s in self.sentences):
            return None
        found = [s for s in self._own(kind) if self._serves(s, kind) and not self.denies(s)]
        clear = [s for s in found if self._names(s, ask, kind) is True]
        if clear:
            return clear[0]
        vague = [s for s in found if self._names(s, ask, kind) is None]
        before = [rival for rival in rivals if rival.index < ask.index]
        count = sum(len({match.span() for match in kind.done.all(sentence)}) for sentence in vague)
        return vague[min(len(before), len(vague) - 1)] if vague and (not rivals or count > len(before)) else None

    def plainly_about(self, ask: Ask, rivals: Sequence[Ask] = ()) -> str | None:
        """Return a plain statement about ``ask``, in words the lexicon does not know for serving it, or ``None``.

        With ``rivals`` it must name the ask; an offer, a question and a denial state nothing.
        """
        offered = self.language.reply.offered
        plain = (
            s for s in self.speaks_of(ask) if not self.denies(s) and s not in self.questions and not offered.found(s)
        )
        kind = self.language.request(ask.kind)
        return next((s for s in plain if kind is not None and (not rivals or self._names(s, ask, kind))), None)

    def telling(self, ask: Ask, ledger: Ledger) -> str | None:
        """Return the sentence that answers a question by naming what the user gave, or ``None``."""
        kind = self.language.request(ask.kind)
        if kind is None or not kind.told_by:
            return None
        given = ledger.given_for(kind.told_by, self.language)
        facts = [fact for fact in ledger.established if fact.constraint in kind.told_by]
        for sentence in self._own(kind):
            named = any(self.language.slots[slot].mentions(sentence, value) for slot, value in given)
            if (
                not self.denies(sentence)
                and sentence not in self.questions
                and (named or self._states(sentence, facts))
            ):
                return sentence
        return None

    def names_request(self, sentence: str, ask: Ask) -> bool:
        """Whether ``sentence`` is about ``ask`` as far as the lexicon can tell."""
        kind = self.language.request(ask.kind)
        return kind is not None and (
            kind.about.found(sentence) or kind.done.found(sentence) or self._mentions(sentence, ask)
        )

    def _states(self, sentence: str, facts: Iterable[Established]) -> bool:
        return any(self.language.constraint(fact.constraint).kept.found(sentence) for fact in facts)

    def _mentions(self, sentence: str, ask: Ask) -> bool:
        kind = self.language.request(ask.kind)
        slots = self.language.slots
        return kind is not None and any(slots[kind.parameters[n]].mentions(sentence, v) for n, v in ask.params.items())

    def maybe_about(self, others: Sequence[Ask]) -> str | None:
        """Return a sentence the lexicon can make nothing of and that does not follow one about ``others``."""
        follows = False
        for sentence in self.sentences:
            follows = follows or any(self.names_request(sentence, other) for other in others)
            if sentence in self.unclear and not follows:
                return sentence
        return None

    def serving_by_name(self, ask: Ask) -> str | None:
        """Return the sentence that serves ``ask`` and names what tells it from others, or ``None``."""
        kind = self.language.request(ask.kind)
        if kind is not None and any(self.denies(s) and self._names(s, ask, kind) for s in self.sentences):
            return None
        return self.acting_on(ask)

    def acting_on(self, ask: Ask) -> str | None:
        """Return the sentence that does by name what ``ask`` wants, whatever is found wrong with it, or ``None``."""
        kind = self.language.request(ask.kind)
        if kind is None or not any(name in ask.params for name in kind.names):
            return None
        found = (s for s in self._own(kind) if self._serves(s, kind) and not self.denies(s))
        return next((sentence for sentence in found if self._names(sentence, ask, kind)), None)

    def speaks_of(self, ask: Ask) -> tuple[str, ...]:
        """Return the sentences that have to do with ``ask``."""
        kind = self.language.request(ask.kind)
        if kind is None:
            return tuple(s for s in self._own(None) if _shared_words(s, ask.quote))
        return tuple(
            sentence
            for sentence in self._own(kind)
            if (kind.about.found(sentence) or kind.done.found(sentence) or self._names(sentence, ask, kind))
            and self._names(sentence, ask, kind) is not False
        )

    def unheard(self, ask: Ask, others: Sequence[Ask] = ()) -> str | None:
        """Return the question, or the denial that is about none of ``others``, that shows ``ask`` not taken in."""
        kind = self.language.request(ask.kind)
        if kind is None or not ask.params:
            return None
        denials = (
            s for s in self.sentences if self.denies(s) and not any(self.names_request(s, other) for other in others)
        )
        return next((s for s in (*self.questions, *denials) if kind.unheard.found(s)), None)

    def other_category(self, ask: Ask) -> str | None:
        """Return the sentence that offers, or misses, another category of thing than ``ask`` wants, or ``None``."""
        kind = self.language.request(ask.kind)
        if kind is None or kind.category is None or kind.category not in ask.params:
            return None
        slot, wanted = self.language.slots[kind.parameters[kind.category]], ask.params[kind.category]
        if slot.mentions(self.text, wanted):
            return None
        lacks = self.language.reply.impossible
        offers = (s for s in self.sentences if lacks.found(s) or (self._serves(s, kind) and not self.denies(s)))
        return next((s for s in offers if any(value != wanted for value in slot.mentioned(s))), None)

    def instead(self, ask: Ask, others: Sequence[Ask]) -> str | None:
        """Return the sentence that serves a kind of request that was not made, or ``None``.

        What follows a sentence about one of ``others`` may still be about that one.
        """
        asked = {ask.kind, *(other.kind for other in others)}
        unasked = [kind for kind in self.language.requests if kind.id not in asked]
        for sentence in self.sentences:
            if any(self.names_request(sentence, other) for other in others):
                return None
            idle = self.denies(sentence) or sentence in self.questions or sentence in self.parroted
            if not idle and any(kind.about.found(sentence) and kind.done.found(sentence) for kind in unasked):
                return sentence
        return None

    def contradicts(self, ask: Ask, sentence: str) -> str | None:
        """Say which parameter ``sentence``, which serves ``ask``, gives another value, or ``None``."""
        kind = self.language.request(ask.kind)
        for name in kind.confirms if kind is not None else ():
            wanted = ask.params.get(name)
            if kind is not None and wanted is not None:
                given = self._values(sentence, kind.parameters[name])
                if given and wanted not in given:
                    return f"{', '.join(given)} instead of {wanted}"
        return None

    def breaking(self, fact: Established) -> str | None:
        """Return the sentence that contradicts an established constraint, or ``None``."""
        kind = self.language.constraint(fact.constraint)
        return next((s for s in self.sentences if not self.denies(s) and self._breaks(s, fact, kind)), None)

    def keeping(self, fact: Established) -> str | None:
        """Return the sentence that says the constraint is met, or ``None``."""
        kind = self.language.constraint(fact.constraint)
        return next((sentence for sentence in self.sentences if kind.kept.found(sentence)), None)

    def excuses(self, fact: Established) -> bool:
        """Whether the reply names an obstacle; that another limit or passing wish is not met is none for ``fact``."""
        kinds = [k for k in self.language.constraints if k.id != fact.constraint]
        others = [k.unmet for k in kinds if k.comparison is not None or not k.standing]
        obstacles = (s for s in self.sentences if self.language.reply.impossible.found(s))
        return any(not any(unmet.found(sentence) for unmet in others) for sentence in obstacles)

    def overrunning(self) -> str | None:
        """Return the words in which something goes beyond a limit that they name themselves, or ``None``."""
        found = self.language.reply.overrun.all(self.text)
        return next((match.group() for match in found if _goes_beyond(match)), None)

    def unmet(self, fact: Established) -> bool:
        """Whether the reply admits that the constraint cannot be met."""
        return self.language.constraint(fact.constraint).unmet.found(self.text)

    def _serves(self, sentence: str, kind: RequestKind) -> bool:
        return kind.done.found(sentence) or (kind.about.found(sentence) and self.language.reply.served.found(sentence))

    def _serving_unknown(self, ask: Ask) -> str | None:
        spoken = (s for s in self._own(None) if not self.denies(s) and s not in self.questions)
        return next((s for s in spoken if _shared_words(s, ask.quote)), None)

    def _names(self, sentence: str, ask: Ask, kind: RequestKind) -> bool | None:
        """Whether ``sentence`` is about this ask: names a parameter, another value of it (``False``), or neither."""
        verdicts = [self._names_one(sentence, kind, name, ask.params.get(name)) for name in kind.names]
        if False in verdicts:
            return False
        return True if True in verdicts else None

    def _names_one(self, sentence: str, kind: RequestKind, name: str, wanted: str | None) -> bool | None:
        if wanted is None:
            return None
        slot = self.language.slots[kind.parameters[name]]
        if slot.mentions(sentence, wanted) or any(slot.mentions(sentence, r) for r in slot.readings(wanted)):
            return True
        return False if slot.mentioned(sentence) else None

    def _values(self, sentence: str, slot_id: str) -> tuple[str, ...]:
        slot = self.language.slots[slot_id]
        if slot.open_pattern is None:
            return slot.mentioned(sentence)
        return tuple(slot.canonical(match.group()) for match in slot.finder_of_any.finditer(sentence))

    def _breaks(self, sentence: str, fact: Established, kind: ConstraintKind) -> bool:
        kept = [match.span() for match in kind.kept.all(sentence)]
        if any(not overlaps_any(match.span(), kept) for match in kind.broken.all(sentence)):
            return True
        return (
            self._other_value(sentence, fact, kind)
            or self._out_of_order(sentence, fact, kind)
            or _exceeds(sentence, fact, kind)
        )

    def _out_of_order(self, sentence: str, fact: Established, kind: ConstraintKind) -> bool:
        """Whether ``sentence``, which states an order, names what the user wanted later first."""
        if not kind.sequence or not kind.measured.found(sentence):
            return False
        named = [self.language.slots[kind.parameters[name]].mentioned(sentence) for name in kind.sequence]
        wanted = [fact.params.get(name, "") for name in kind.sequence]
        places = [values.index(value) for values, value in zip(named, wanted, strict=True) if value in values]
        return places != sorted(places)

    def _other_value(self, sentence: str, fact: Established, kind: ConstraintKind) -> bool:
        for name in kind.exclusive:
            slot, wanted = self.language.slots[kind.parameters[name]], fact.params.get(name)
            named = slot.mentioned(sentence)
            if wanted is not None and named and wanted not in named:
                return True
        return False


def _exceeds(sentence: str, fact: Established, kind: ConstraintKind) -> bool:
    """Whether a number that ``sentence`` measures stands wrongly to the one the user gave."""
    for match in kind.measured.all(sentence) if kind.comparison is not None else ():
        for name, text in match.groupdict().items():
            measured, limit = _number(text), _number(fact.params.get(name))
            if measured is not None and limit is not None:
                return measured > limit if kind.comparison is Comparison.AT_MOST else measured < limit
    return False


def _goes_beyond(match: re.Match[str]) -> bool:
    value, limit = _number(match["value"]), _number(match["limit"])
    return value is not None and limit is not None and value >= limit


def _number(text: str | None) -> float | None:
    """Return the first number in ``text``; a time of day in minutes since midnight."""
    clock = _CLOCK.search(text or "")
    if clock is not None:
        return 60.0 * int(clock[1]) + int(clock[2])
    match = _NUMBER.search(text or "")
    return float(match.group().replace(",", ".")) if match else None


def _shared_words(one: str, other: str) -> bool:
    return bool(content_words(one) & content_words(other))
