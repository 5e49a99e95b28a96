"""What a user has asked for and established so far: the fold of the utterances of a dialogue.

It must not look at replies; ``agents.offline.analysis`` joins the two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from pydantic import Field

from hairpin.agents.offline.reading import Condition, Request, UserReading, Withdrawal
from hairpin.domain.base import Value
from hairpin.domain.lexicon import Language, RequestKind
from hairpin.domain.targets import TargetStatus


class Established(Value):
    """A constraint the user stated: ``since`` the first exchange it has held, ``restated`` the last that said it.

    ``ask`` is the index of the one request it belongs to, ``None`` when it stands for all of its kinds.
    """

    constraint: str
    params: Mapping[str, str] = Field(default_factory=dict)
    since: int
    restated: int
    ask: int | None
    quote: str


class Ask(Value):
    """A request as it stands. ``asked``: the last exchange in which the user spoke for it; ``times``: how often.

    ``questioned``: what the assistant asked, normalised, instead of serving it; one entry per reply.
    """

    index: int
    kind: str
    params: Mapping[str, str] = Field(default_factory=dict)
    introduced: int
    asked: int
    times: int = 1
    questioned: tuple[str, ...] = ()
    status: TargetStatus = TargetStatus.INCOMPLETE
    quote: str

    @property
    def live(self) -> bool:
        """Whether the user still wants it or has it."""
        return self.status is not TargetStatus.DROPPED


class Ledger(Value):
    """All requests and constraints of a dialogue so far.

    ``waiting``: asks the assistant put a question about; ``named``: ambiguous values that a reply has used; ``told``:
    the entries of the list the assistant told last; ``spoken_of``: the one of them that a reply was about last.
    """

    asks: tuple[Ask, ...] = ()
    established: tuple[Established, ...] = ()
    waiting: tuple[int, ...] = ()
    named: frozenset[str] = frozenset()
    told: tuple[str, ...] = ()
    spoken_of: str | None = None

    def known(self) -> frozenset[str]:
        """Return the kinds of live requests and the constraints in force."""
        kinds = {ask.kind for ask in self.asks if ask.live}
        return frozenset(kinds | {fact.constraint for fact in self.established})

    def facts_of(self, ask: Ask, language: Language) -> tuple[Established, ...]:
        """Return the constraints in force for ``ask``."""
        return tuple(
            fact
            for fact in self.established
            if fact.ask == ask.index
            or (fact.ask is None and ask.kind in language.constraint(fact.constraint).applies_to)
        )

    def given_for(self, kinds: Collection[str], language: Language) -> tuple[tuple[str, str], ...]:
        """Return the values (slot, value) that the user gave for live requests of these kinds."""
        found: list[tuple[str, str]] = []
        for ask in self.asks:
            kind = language.request(ask.kind)
            if kind is not None and ask.kind in kinds and ask.live:
                found += [(kind.parameters[name], value) for name, value in ask.params.items()]
        return tuple(found)

    def replaced(self, asks: Iterable[Ask]) -> Ledger:
        """Return the ledger with these asks in the place of those with their index."""
        new = {ask.index: ask for ask in asks}
        return self.model_copy(update={"asks": tuple(new.get(ask.index, ask) for ask in self.asks)})


class Heard(Value):
    """The ledger after an utterance, and what the utterance was about.

    ``addressed``: asks the reply has to serve; ``answered``: those of them for which the user only answered a question;
    ``dropped``: asks withdrawn just now.
    """

    ledger: Ledger
    addressed: tuple[int, ...]
    answered: tuple[int, ...]
    dropped: tuple[int, ...]


def hear(ledger: Ledger, reading: UserReading, *, t: int, language: Language) -> Heard:
    """Fold utterance ``t`` into the ledger: first what it drops and lifts, then what it asks, then its conditions."""
    listener = _Listener(ledger, t=t, language=language)
    listener.lift(reading.lifted)
    for withdrawal in reading.withdrawals:
        listener.withdraw(withdrawal)
    for request in reading.requests:
        listener.ask(request, instead=reading.instead)
    for condition in reading.conditions:
        listener.establish(condition)
    if reading.other is not None and not ledger.waiting:
        listener.ask(reading.other, instead=False)
    if not (listener.addressed or listener.dropped or reading.unsafe):
        listener.answer()
    return listener.heard()


class _Listener:
    def __init__(self, ledger: Ledger, *, t: int, language: Language) -> None:
        self.before = ledger
        self.asks = list(ledger.asks)
        self.established = list(ledger.established)
        self.waiting = ledger.waiting
        self.t = t
        self.language = language
        self.asked_now: list[int] = []
        self.addressed: list[int] = []
        self.answered: list[int] = []
        self.dropped: list[int] = []

    def heard(self) -> Heard:
        gone = set(self.dropped)
        ledger = self.before.model_copy(
            update={
                "asks": tuple(self.asks),
                "established": tuple(fact for fact in self.established if fact.ask not in gone),
                "waiting": tuple(index for index in self.waiting if index not in gone),
            }
        )
        addressed = tuple(index for index in dict.fromkeys(self.addressed) if index not in gone)
        return Heard(
            ledger=ledger,
            addressed=addressed,
            answered=tuple(index for index in self.answered if index in addressed),
            dropped=tuple(dict.fromkeys(self.dropped)),
        )

    def lift(self, constraints: Sequence[str]) -> None:
        self.established = [fact for fact in self.established if fact.constraint not in constraints]

    def withdraw(self, withdrawal: Withdrawal) -> None:
        live = [ask for ask in reversed(self.asks) if ask.live]
        if withdrawal.what is None:
            waiting = [ask for ask in live if ask.index in self.waiting]
            undone = [ask for ask in live if ask.status is TargetStatus.INCOMPLETE]
            found = (waiting or undone)[:1]
        else:
            found = [ask for ask in live if self._named(ask, withdrawal.what)][:1]
        for ask in found:
            self._drop(ask)

    def _named(self, ask: Ask, what: str) -> bool:
        kind = self.language.request(ask.kind)
        if kind is None:
            return False
        slots = self.language.slots
        named = [slots[kind.parameters[name]].mentions(what, value) for name, value in ask.params.items()]
        return any(named) or (not named and kind.about.found(what))

    def _drop(self, ask: Ask) -> None:
        self.asks[ask.index] = ask.model_copy(update={"status": TargetStatus.DROPPED})
        self.dropped.append(ask.index)

    def ask(self, request: Request, *, instead: bool) -> None:
        kind = self.language.request(request.kind)
        if kind is not None and kind.answers and self.waiting:
            self.answer()
            return
        known = self._same(request)
        if known is not None:
            self._speak_for(known, reopen=True)
            self.asked_now.append(known.index)
            return
        if kind is not None and (kind.replaces or instead):
            self._replace(kind)
        index = len(self.asks)
        self.asks.append(
            Ask(
                index=index,
                kind=request.kind,
                params=request.params,
                introduced=self.t,
                asked=self.t,
                quote=request.quote,
            )
        )
        self.asked_now.append(index)
        self.addressed.append(index)

    def _replace(self, kind: RequestKind) -> None:
        for ask in self.asks:
            if ask.kind == kind.id and ask.status is TargetStatus.INCOMPLETE and ask.introduced < self.t:
                self._drop(ask)

    def _same(self, request: Request) -> Ask | None:
        """Return the latest ask of this kind that the request can mean: no parameter differs.

        Within one utterance only the very same wish is one: "I'm thirsty, order tea".
        """
        for ask in reversed(self.asks):
            if ask.kind == request.kind and all(ask.params.get(k) == v for k, v in request.params.items()):
                same = ask.index not in self.asked_now or (request.params and ask.params == request.params)
                return ask if same else None
        return None

    def _speak_for(self, ask: Ask, *, reopen: bool) -> None:
        status = TargetStatus.INCOMPLETE if reopen and not ask.live else ask.status
        changed = {"asked": self.t, "times": ask.times + 1, "status": status}
        self.asks[ask.index] = ask.model_copy(update=changed)
        self.addressed.append(ask.index)

    def establish(self, condition: Condition) -> None:
        kind = self.language.constraint(condition.constraint)
        now = [index for index in self.asked_now if self.asks[index].kind in kind.applies_to]
        earlier = [ask for ask in self.asks if ask.live and ask.kind in kind.applies_to]
        if not now and earlier:
            self._speak_for(earlier[-1], reopen=False)
            now = [earlier[-1].index]
        if kind.standing:
            self._put(condition, None)
        for index in () if kind.standing else now:
            self._put(condition, index)

    def _put(self, condition: Condition, ask: int | None) -> None:
        same = [f for f in self.established if f.constraint == condition.constraint and f.ask == ask]
        unchanged = [fact for fact in same if fact.params == condition.params]
        since = unchanged[0].since if unchanged else self.t
        self.established = [fact for fact in self.established if fact not in same]
        self.established.append(
            Established(
                constraint=condition.constraint,
                params=condition.params,
                since=since,
                restated=self.t,
                ask=ask,
                quote=condition.quote,
            )
        )

    def answer(self) -> None:
        """Take an utterance that asks for nothing as the answer to the question the assistant put."""
        for index in self.waiting:
            self._speak_for(self.asks[index], reopen=False)
            self.answered.append(index)
