"""The offline turn judge: labels one exchange by the signals of a lexicon.

It knows the words of the dialogue and the targets, never the strategy or the user's brief.
"""

from __future__ import annotations

from collections.abc import Collection

from hairpin.agents.offline.analysis import DialogueReader, ExchangeReading
from hairpin.agents.offline.compliance import AskOutcome, assess
from hairpin.agents.offline.ledger import Ask, Ledger
from hairpin.agents.offline.naming import constraint_text, is_readable, match_targets, request_text, speaks_of
from hairpin.agents.offline.reading import OTHER_KIND
from hairpin.agents.offline.replies import Reply
from hairpin.agents.offline.text import NO_ANSWER, quote
from hairpin.domain.briefs import TurnBrief
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.targets import Target, TargetStatus, TargetUpdate


class OfflineTurnJudge:
    """Judges what a reply did for the requests of the user, and what is wrong with it as a whole."""

    def __init__(self, reader: DialogueReader) -> None:
        self._reader = reader
        self._language = reader.language

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        """Return statuses, labels and new targets of the exchange."""
        now = self._reader.read((*brief.history, brief.turn))[-1]
        modes = {mode.id for mode in brief.modes}
        bound = match_targets(now.ledger.asks, brief.targets, self._language)
        new = self._new_targets(now, bound, brief.targets)
        updates = [
            *self._updates(now, bound, {target.id: target for target in (*brief.targets, *new)}, modes),
            *self._unknown(brief, set(bound.values()), modes),
        ]
        response = tuple(finding for finding in now.findings if finding.mode in modes)
        return TurnJudgement(reasoning=_reasoning(now), new_targets=new, updates=tuple(updates), response=response)

    def _new_targets(
        self, now: ExchangeReading, bound: dict[int, str], targets: Collection[Target]
    ) -> tuple[Target, ...]:
        """Name the requests that are no target yet, and bind them."""
        taken = {target.id for target in targets}
        new: list[Target] = []
        for index in now.introduced:
            if index in bound:
                continue
            ask = now.ledger.asks[index]
            bound[index] = next(name for n in range(1, len(taken) + 2) if (name := f"g{n}") not in taken)
            taken.add(bound[index])
            text, constraints = request_text(ask, self._language), self._constraints(now, ask)
            new.append(Target(id=bound[index], text=text, kind=ask.kind, constraints=constraints))
        return tuple(new)

    def _constraints(self, now: ExchangeReading, ask: Ask) -> tuple[str, ...]:
        facts = now.ledger.facts_of(ask, self._language)
        return tuple(dict.fromkeys(constraint_text(fact, self._language) for fact in facts))

    def _updates(
        self, now: ExchangeReading, bound: dict[int, str], targets: dict[str, Target], modes: Collection[str]
    ) -> list[TargetUpdate]:
        updates: list[TargetUpdate] = []
        for outcome in now.outcomes:
            if outcome.index in bound:
                target = targets[bound[outcome.index]]
                updates.append(self._update(now, outcome, target, modes))
        return updates + [
            TargetUpdate(
                target_id=bound[index],
                status=TargetStatus.DROPPED,
                uttered=index in now.introduced,
                withdrawn=True,
                evidence=quote(now.user.text),
            )
            for index in now.dropped
            if index in bound
        ]

    def _update(
        self, now: ExchangeReading, outcome: AskOutcome, target: Target, modes: Collection[str]
    ) -> TargetUpdate:
        constraints = self._constraints(now, now.ledger.asks[outcome.index])
        return TargetUpdate(
            target_id=target.id,
            status=outcome.status,
            uttered=outcome.index in now.addressed,
            constraints=constraints if constraints != target.constraints else None,
            failure=outcome.failure if outcome.failure in modes else None,
            evidence=quote(outcome.evidence)
            if outcome.evidence or not now.said
            else "nothing in the reply is about it",
        )

    def _unknown(self, brief: TurnBrief, bound: Collection[str], modes: Collection[str]) -> list[TargetUpdate]:
        """Judge the targets the lexicon cannot read, by the words they share with the utterance and the reply."""
        reply = Reply(brief.turn.assistant, self._language, said=brief.turn.user)
        updates: list[TargetUpdate] = []
        for target in brief.targets:
            if target.id in bound or is_readable(target, self._language):
                continue
            if speaks_of(brief.turn.user, target):
                ask = Ask(index=0, kind=OTHER_KIND, introduced=brief.turn.t, asked=brief.turn.t, quote=target.text)
                outcome = assess(ask, Ledger(), reply, t=brief.turn.t)
                updates.append(
                    TargetUpdate(
                        target_id=target.id,
                        status=outcome.status,
                        uttered=True,
                        failure=outcome.failure if outcome.failure in modes else None,
                        evidence=quote(outcome.evidence),
                    )
                )
        return updates


def _reasoning(now: ExchangeReading) -> str:
    """Say in words what was found."""
    parts = [
        f"{now.ledger.asks[outcome.index].kind}: {outcome.failure or outcome.status.name.lower()}"
        for outcome in now.outcomes
    ]
    parts += [f"{finding.mode}: {finding.evidence}" for finding in now.findings]
    parts += [f"the user wished something unsafe ({wish.title})" for wish in now.user.unsafe]
    parts += [now.remark] if now.remark else []
    return "; ".join(parts) or ("nothing was asked for" if now.said else NO_ANSWER)
