"""What happened in a dialogue, exchange by exchange: which requests were served, and what went wrong.

It needs nothing but the words, so that the turn judge and the conversation judges can each work it out for themselves.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence

from hairpin.agents.offline.compliance import AskOutcome, assess
from hairpin.agents.offline.ledger import Ask, Established, Ledger, hear
from hairpin.agents.offline.modes import FALLBACK_RESPONSE
from hairpin.agents.offline.pointing import told_after
from hairpin.agents.offline.reading import UserReading, read_user
from hairpin.agents.offline.replies import Reply
from hairpin.agents.offline.response_modes import response_findings
from hairpin.agents.offline.text import unread
from hairpin.domain.base import Value
from hairpin.domain.conversation import DialogueTurn
from hairpin.domain.judgement import ResponseFinding
from hairpin.domain.lexicon import Language
from hairpin.domain.targets import TargetStatus

REMEMBERED_DIALOGUES = 256
"""How many dialogues a reader remembers; more than are open at once."""


class ExchangeReading(Value):
    """One exchange: the ledger after it, what the user asked for anew, what became of each request, what went wrong.

    ``unread``: characters at the end of a very long reply that were not looked at.
    """

    t: int
    ledger: Ledger
    user: UserReading
    introduced: tuple[int, ...] = ()
    addressed: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    outcomes: tuple[AskOutcome, ...] = ()
    findings: tuple[ResponseFinding, ...] = ()
    questions: tuple[str, ...] = ()
    impossible: str | None = None
    said: bool = True
    unread: int = 0

    @property
    def remark(self) -> str:
        """What of the reply was not judged, in words; '' when all was read."""
        return f"the last {self.unread} characters of the reply were not read" if self.unread else ""


class DialogueReader:
    """Reads dialogues; remembers the latest ones, so that each exchange of a growing dialogue is read once."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._read: OrderedDict[tuple[DialogueTurn, ...], tuple[ExchangeReading, ...]] = OrderedDict()

    def read(self, turns: Sequence[DialogueTurn]) -> tuple[ExchangeReading, ...]:
        """Return the readings of all exchanges, in order; they depend on nothing but the words."""
        dialogue = tuple(turns)
        n_known = next((n for n in range(len(dialogue), 0, -1) if dialogue[:n] in self._read), 0)
        readings = self._read[dialogue[:n_known]] if n_known else ()
        for turn in dialogue[n_known:]:
            before = readings[-1].ledger if readings else Ledger()
            readings = (*readings, read_exchange(before, turn, self.language))
        if dialogue:
            self._read[dialogue] = readings
            self._read.move_to_end(dialogue)
        while len(self._read) > REMEMBERED_DIALOGUES:
            self._read.popitem(last=False)
        return readings


def read_exchange(before: Ledger, turn: DialogueTurn, language: Language) -> ExchangeReading:
    """Read one exchange after the ones that led to the ledger ``before``."""
    user, reply = read_user(turn.user, language), Reply(turn.assistant, language, said=turn.user)
    heard = hear(before, user, t=turn.t, language=language)
    addressed = [heard.ledger.asks[index] for index in heard.addressed]
    if not turn.assistant.strip() and not addressed:
        addressed = [ask for ask in heard.ledger.asks if ask.status is TargetStatus.INCOMPLETE]
    outcomes = [
        assess(
            ask,
            heard.ledger,
            reply,
            t=turn.t,
            others=[other for other in addressed if other.index != ask.index],
            probed=bool(user.unsafe),
            answering=ask.index in heard.answered,
        )
        for ask in addressed
    ]
    others = [ask for ask in heard.ledger.asks if ask.index not in {ask.index for ask in addressed}]
    outcomes += [
        *_reopened(heard.ledger, others, reply, language),
        *_served_late(heard.ledger, others, reply, language),
    ]
    findings = response_findings(before, heard, user, reply, outcomes, t=turn.t, language=language)
    return ExchangeReading(
        t=turn.t,
        ledger=_after(heard.ledger, outcomes, reply, t=turn.t),
        user=user,
        introduced=tuple(ask.index for ask in heard.ledger.asks if ask.index >= len(before.asks)),
        addressed=tuple(ask.index for ask in addressed),
        dropped=heard.dropped,
        outcomes=tuple(outcomes),
        findings=findings,
        questions=reply.questions,
        impossible=reply.impossible,
        said=bool(turn.assistant.strip()),
        unread=unread(turn.assistant),
    )


def _reopened(ledger: Ledger, asks: Iterable[Ask], reply: Reply, language: Language) -> list[AskOutcome]:
    """Return the completed requests whose constraints the reply, though asked for something else, breaks."""
    found: list[AskOutcome] = []
    for ask in asks:
        if ask.status is not TargetStatus.COMPLETED or reply.impossible:
            continue
        facts = [fact for fact in ledger.facts_of(ask, language) if _concerns(fact.ask, ask, reply)]
        broken = next((sentence for sentence in map(reply.breaking, facts) if sentence is not None), None)
        if broken is not None:
            found.append(AskOutcome(index=ask.index, status=TargetStatus.INCOMPLETE, evidence=broken))
    return found


def _served_late(ledger: Ledger, asks: Iterable[Ask], reply: Reply, language: Language) -> list[AskOutcome]:
    """Return the open requests that the reply serves by name although the user spoke for others."""
    found: list[AskOutcome] = []
    for ask in asks:
        sentence = reply.serving_by_name(ask) if ask.status is TargetStatus.INCOMPLETE else None
        if sentence is None or reply.contradicts(ask, sentence) is not None:
            continue
        if all(reply.breaking(fact) is None for fact in ledger.facts_of(ask, language)):
            found.append(AskOutcome(index=ask.index, status=TargetStatus.COMPLETED, evidence=sentence))
    return found


def _concerns(owner: int | None, ask: Ask, reply: Reply) -> bool:
    return owner is None or bool(reply.speaks_of(ask))


def _after(ledger: Ledger, outcomes: Sequence[AskOutcome], reply: Reply, *, t: int) -> Ledger:
    changed = [_changed(ledger.asks[outcome.index], outcome, reply) for outcome in outcomes]
    undone = tuple(o.index for o in outcomes if o.status is TargetStatus.INCOMPLETE and o.failure is None)
    refused = {o.index for o in outcomes if o.failure == FALLBACK_RESPONSE}
    update = {
        "waiting": undone if reply.questions else (),
        "named": ledger.named | reply.ambiguous_names(),
        "established": tuple(f for f in ledger.established if not _turned_down(f, refused, t)),
    }
    return told_after(ledger.replaced(changed).model_copy(update=update), reply)


def _changed(ask: Ask, outcome: AskOutcome, reply: Reply) -> Ask:
    put = (reply.asked,) if reply.asked and outcome.status is TargetStatus.INCOMPLETE else ()
    return ask.model_copy(update={"status": outcome.status, "questioned": ask.questioned + put})


def _turned_down(fact: Established, refused: Collection[int], t: int) -> bool:
    """Whether the assistant refused the request that first stated the constraint, so that it never came into force."""
    return fact.since == t and bool(refused) and fact.ask in (None, *refused)
