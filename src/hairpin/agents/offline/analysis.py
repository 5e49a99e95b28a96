"""What happened in a dialogue, exchange by exchange: which requests were served, and what went wrong.

It needs nothing but the words, so that the turn judge and the conversation judges can each work it out for themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.agents.offline.compliance import AskOutcome, assess
from hairpin.agents.offline.ledger import Ask, Ledger, hear
from hairpin.agents.offline.reading import UserReading, read_user
from hairpin.agents.offline.replies import Reply, rivals_of
from hairpin.agents.offline.response_modes import response_findings
from hairpin.domain.base import Value
from hairpin.domain.conversation import DialogueTurn
from hairpin.domain.judgement import ResponseFinding
from hairpin.domain.lexicon import Language
from hairpin.domain.targets import TargetStatus


class ExchangeReading(Value):
    """One exchange: the ledger after it, what the user asked for anew, what became of each request, what went wrong."""

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


def read_dialogue(turns: Sequence[DialogueTurn], language: Language) -> tuple[ExchangeReading, ...]:
    """Read all exchanges in order."""
    readings: list[ExchangeReading] = []
    ledger = Ledger()
    for turn in turns:
        readings.append(read_exchange(ledger, turn, language))
        ledger = readings[-1].ledger
    return tuple(readings)


def read_exchange(before: Ledger, turn: DialogueTurn, language: Language) -> ExchangeReading:
    """Read one exchange after the ones that led to the ledger ``before``."""
    user, reply = read_user(turn.user, language), Reply(turn.assistant, language)
    heard = hear(before, user, t=turn.t, language=language)
    addressed = [heard.ledger.asks[index] for index in heard.addressed]
    if reply.empty and not addressed:
        addressed = [ask for ask in heard.ledger.asks if ask.status is TargetStatus.INCOMPLETE]
    outcomes = [
        assess(
            ask,
            heard.ledger.facts_of(ask, language),
            reply,
            t=turn.t,
            rivals=rivals_of(ask, addressed),
            probed=bool(user.unsafe),
        )
        for ask in addressed
    ]
    outcomes += _reopened(heard.ledger, reply, language, exclude=[ask.index for ask in addressed])
    findings = response_findings(heard, user, reply, outcomes, t=turn.t, language=language)
    return ExchangeReading(
        t=turn.t,
        ledger=_after(heard.ledger, outcomes, waits=bool(reply.questions)),
        user=user,
        introduced=tuple(ask.index for ask in heard.ledger.asks if ask.index >= len(before.asks)),
        addressed=tuple(ask.index for ask in addressed),
        dropped=heard.dropped,
        outcomes=tuple(outcomes),
        findings=findings,
        questions=reply.questions,
        impossible=reply.impossible,
        said=not reply.empty,
    )


def _reopened(ledger: Ledger, reply: Reply, language: Language, *, exclude: Sequence[int]) -> list[AskOutcome]:
    """Return the completed requests whose constraints the reply, though asked for something else, breaks."""
    found: list[AskOutcome] = []
    for ask in ledger.asks:
        if ask.status is not TargetStatus.COMPLETED or ask.index in exclude or reply.impossible:
            continue
        facts = [fact for fact in ledger.facts_of(ask, language) if _concerns(fact.ask, ask, reply)]
        broken = next((sentence for sentence in map(reply.breaking, facts) if sentence is not None), None)
        if broken is not None:
            found.append(AskOutcome(index=ask.index, status=TargetStatus.INCOMPLETE, evidence=broken))
    return found


def _concerns(owner: int | None, ask: Ask, reply: Reply) -> bool:
    return owner is None or bool(reply.speaks_of(ask))


def _after(ledger: Ledger, outcomes: Sequence[AskOutcome], *, waits: bool) -> Ledger:
    changed = [ledger.asks[outcome.index].model_copy(update={"status": outcome.status}) for outcome in outcomes]
    undone = tuple(o.index for o in outcomes if o.status is TargetStatus.INCOMPLETE and o.failure is None)
    return ledger.replaced(changed).model_copy(update={"waiting": undone if waits else ()})
