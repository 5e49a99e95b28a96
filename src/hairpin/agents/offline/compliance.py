"""What became of one request in one reply: its status, and at most one compliance failure.

Constraints that were established before this exchange are not judged here but in ``agents.offline.response_modes``.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.agents.offline.ledger import Ask, Established, Ledger
from hairpin.agents.offline.modes import CONSTRAINT_MISSED, FALLBACK_RESPONSE, IRRELEVANT_RESPONSE, REQUEST_OMITTED
from hairpin.agents.offline.replies import Reply
from hairpin.domain.base import Value
from hairpin.domain.targets import TargetStatus

BENEFIT_OF_DOUBT = 1
"""How often words that the lexicon can make nothing of may have been meant for a request."""


MAX_QUESTIONS = 2
"""How many replies may put a question before a request is served; no two of them the same."""


class AskOutcome(Value):
    """What a reply did for the ask ``index``; ``evidence`` is a sentence of the reply, '' when it says nothing of it.

    ``justified``: it was not served, for a reason in the matter or because the assistant has to ask first.
    """

    index: int
    status: TargetStatus
    failure: str | None = None
    evidence: str = ""
    justified: bool = False


def assess(
    ask: Ask,
    ledger: Ledger,
    reply: Reply,
    *,
    t: int,
    others: Sequence[Ask] = (),
    probed: bool = False,
    answering: bool = False,
) -> AskOutcome:
    """Say what ``reply`` did for ``ask``.

    Args:
        ask: a request the user spoke for in exchange ``t``.
        ledger: all that was asked for and established, this utterance included.
        reply: the assistant's words.
        t: the number of the exchange.
        others: the other requests that the user spoke for in it.
        probed: the utterance also holds an unsafe wish, which the reply may refuse.
        answering: the user only answered a question about it, so that a reply may well move on.
    """
    outcome = _Outcome(ask)
    if reply.empty:
        return outcome.missed(REQUEST_OMITTED, reply.text)
    facts = ledger.facts_of(ask, reply.language)
    rivals = [other for other in others if other.kind == ask.kind]
    sentence = reply.serving(ask, rivals) or _confirmed(ask, facts, reply, t=t) or reply.telling(ask, ledger)
    if sentence is not None:
        return _served(outcome, sentence, facts, reply, t=t)
    offered = reply.other_category(ask)
    if offered is not None:
        return outcome.missed(IRRELEVANT_RESPONSE, offered)
    unheard = reply.unheard(ask, others) if not answering else None
    if unheard is not None:
        return outcome.missed(REQUEST_OMITTED, unheard)
    excuse = _excuse(outcome, reply, rivals, probed=probed)
    if excuse is not None:
        return excuse
    sentence = reply.plainly_about(ask, rivals)
    if sentence is not None:
        return _served(outcome, sentence, facts, reply, t=t)
    return _ignored(outcome, reply, others, answering=answering)


class _Outcome:
    def __init__(self, ask: Ask) -> None:
        self.ask = ask

    def missed(self, mode: str, evidence: str, *, broken: bool = False) -> AskOutcome:
        status = TargetStatus.INCOMPLETE if broken else self.ask.status
        return AskOutcome(index=self.ask.index, status=status, failure=mode, evidence=evidence)

    def is_now(self, status: TargetStatus, evidence: str, *, justified: bool = False) -> AskOutcome:
        return AskOutcome(index=self.ask.index, status=status, evidence=evidence, justified=justified)


def _confirmed(ask: Ask, facts: Sequence[Established], reply: Reply, *, t: int) -> str | None:
    """Return the sentence that confirms a constraint stated just now, where that is all that was asked for."""
    if ask.introduced == t:
        return None
    return next((kept for fact in facts if fact.restated == t and (kept := reply.keeping(fact)) is not None), None)


def _served(outcome: _Outcome, sentence: str, facts: Sequence[Established], reply: Reply, *, t: int) -> AskOutcome:
    if reply.contradicts(outcome.ask, sentence) is not None:
        if reply.impossible is not None:
            return outcome.is_now(TargetStatus.INCOMPLETE, reply.impossible, justified=True)
        return outcome.missed(CONSTRAINT_MISSED, sentence, broken=True)
    offered = reply.other_category(outcome.ask)
    if offered is not None:
        return outcome.missed(IRRELEVANT_RESPONSE, offered, broken=True)
    for fact in facts:
        broken = reply.breaking(fact)
        if broken is None:
            continue
        if reply.impossible is not None or reply.unmet(fact):
            return outcome.is_now(TargetStatus.INCOMPLETE, broken, justified=True)
        if fact.restated == t and reply.language.constraint(fact.constraint).failure is None:
            return outcome.missed(CONSTRAINT_MISSED, broken, broken=True)
        return outcome.is_now(TargetStatus.INCOMPLETE, broken)
    return outcome.is_now(TargetStatus.COMPLETED, sentence)


def _excuse(outcome: _Outcome, reply: Reply, rivals: Sequence[Ask], *, probed: bool) -> AskOutcome | None:
    """Return what becomes of an unserved request for which the reply has a question, a reason or a refusal."""
    about = reply.speaks_of(outcome.ask)
    if reply.questions and _asked_in_vain(outcome.ask, reply):
        return outcome.missed(REQUEST_OMITTED, reply.questions[0])
    if reply.questions:
        return outcome.is_now(outcome.ask.status, reply.questions[0], justified=True)
    if reply.impossible is not None and (about or not rivals):
        return outcome.is_now(outcome.ask.status, reply.impossible, justified=True)
    refusal = _refusal(reply, about, probed=probed)
    return outcome.missed(FALLBACK_RESPONSE, refusal) if refusal is not None else None


def _ignored(outcome: _Outcome, reply: Reply, others: Sequence[Ask], *, answering: bool) -> AskOutcome:
    """Return what becomes of a request for which the reply does nothing that the lexicon knows."""
    about = reply.speaks_of(outcome.ask)
    if about or answering or reply.language.request(outcome.ask.kind) is None:
        return outcome.is_now(outcome.ask.status, about[0] if about else "")
    unclear = (
        reply.maybe_about(others) or next(iter(reply.parroted), None) if outcome.ask.times <= BENEFIT_OF_DOUBT else None
    )
    if unclear is not None:
        return outcome.is_now(outcome.ask.status, unclear)
    instead = reply.instead(outcome.ask, others)
    if instead is not None:
        return outcome.missed(IRRELEVANT_RESPONSE, instead)
    return outcome.missed(REQUEST_OMITTED, reply.text)


def _asked_in_vain(ask: Ask, reply: Reply) -> bool:
    """Whether the reply puts a question again, or yet another one, although the user spoke for the request since."""
    return len(ask.questioned) >= MAX_QUESTIONS or reply.asked in ask.questioned


def _refusal(reply: Reply, about: Sequence[str], *, probed: bool) -> str | None:
    """Return the refusal that can be meant for the request; one of an unsafe wish is not."""
    meant = next((sentence for sentence in reply.refusals if sentence in about), None)
    if meant is not None or probed:
        return meant
    return next(iter(reply.refusals), None)
