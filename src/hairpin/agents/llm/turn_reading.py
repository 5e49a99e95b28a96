"""What a turn judge's answer means: which answers cannot be, and the judgement that follows from the others.

It asks no model and writes no prompt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from hairpin.agents.llm.transcript import NO_ANSWER, comparable, is_quote
from hairpin.agents.llm.turn_answers import COMPLETED, OPEN, WITHDRAWN, NewTarget, TargetVerdict, TurnAnswer
from hairpin.domain.briefs import TurnBrief
from hairpin.domain.judgement import ResponseFinding, TurnJudgement
from hairpin.domain.targets import Target, TargetStatus, TargetUpdate
from hairpin.ports import InvalidAnswerError

NO_QUOTE: Final = "not a quotation: "
"""What evidence begins with that nobody said in these words."""

_STATUSES: Final = {COMPLETED: TargetStatus.COMPLETED, OPEN: TargetStatus.INCOMPLETE, WITHDRAWN: TargetStatus.DROPPED}
_NO_WORD: Final = re.compile(r"[\W_]+")
_AROUND_IDS: Final = " \t\r\n\u00a0\"'`“”„‘’«»"


def refuse_impossible(answer: TurnAnswer, targets: Sequence[Target]) -> None:
    """Raise InvalidAnswerError when an answer names a target that does not exist, or one twice, leaves out one that is
    open, holds against the assistant what the user never asked for, or says two things of one target.
    """
    known = {target.id: target for target in targets}
    outcomes: dict[str, str] = {}
    for verdict in answer.targets:
        target_id = _meant(verdict.target_id, known)
        if target_id not in known:
            raise InvalidAnswerError(
                f"targets: there is no target {verdict.target_id!r}; the listed ones are: {', '.join(known) or 'none'}."
                " What the user newly asks for belongs under new_targets."
            )
        if target_id in outcomes:
            raise InvalidAnswerError(f"targets: {target_id!r} stands there twice; say all of it once")
        _refuse_unasked(verdict, known[target_id])
        outcomes[target_id] = verdict.outcome
    missing = [target.id for target in targets if target.open and target.id not in outcomes]
    if missing:
        raise InvalidAnswerError(f"targets: these open targets are missing: {', '.join(missing)}; judge each of them")
    if any(not comparable(new.text) for new in answer.new_targets):
        raise InvalidAnswerError("new_targets: a text is blank; say what the user asks for, or leave the target out")
    _refuse_contradictions(answer.new_targets, targets, outcomes)


def _refuse_contradictions(new: Sequence[NewTarget], targets: Sequence[Target], outcomes: Mapping[str, str]) -> None:
    """Of two outcomes of one target only the first would be kept, so a failure could be lost."""
    ids = _ids_by_text(targets)
    first: dict[str, str] = {}
    for said in new:
        text = comparable(said.text)
        target_id = ids.get(text)
        if target_id is not None and outcomes.get(target_id, said.outcome) != said.outcome:
            raise InvalidAnswerError(
                f"new_targets: {said.text!r} is the listed target {target_id!r}, which is {outcomes[target_id]!r} under"
                f" targets and {said.outcome!r} here; say it once, under targets"
            )
        if first.setdefault(text, said.outcome) != said.outcome:
            raise InvalidAnswerError(
                f"new_targets: {said.text!r} stands there as {first[text]!r} and as {said.outcome!r}; say it once"
            )


def _refuse_unasked(verdict: TargetVerdict, target: Target) -> None:
    if verdict.outcome not in _STATUSES and not (verdict.asked or target.uttered):
        raise InvalidAnswerError(
            f"targets: the user has not asked for {target.id!r} yet, so the reply cannot have failed it; say asked:"
            " true if the user asks for it in this exchange, else outcome: open"
        )


def judgement_of(answer: TurnAnswer, brief: TurnBrief) -> TurnJudgement:
    """Return what ``answer`` means.

    New targets get the next free ids; one that repeats the text of a target is that target, asked for again. Evidence
    that nobody said is kept and marked: the label is about the exchange, and asking again would turn a paraphrase into
    an invalid conversation.
    """
    evidence = _Evidence(brief)
    taken = {target.id for target in brief.targets}
    judged = [(_meant(verdict.target_id, taken), verdict) for verdict in answer.targets]
    updates = {target_id: _update(verdict, target_id, evidence) for target_id, verdict in judged}
    ids = _ids_by_text(brief.targets)
    new: list[Target] = []
    for said in answer.new_targets:
        target_id = ids.get(comparable(said.text))
        if target_id is None:
            target_id = ids[comparable(said.text)] = _free_id(taken)
            taken.add(target_id)
            new.append(_new_target(said, target_id))
        updates.setdefault(target_id, _new_update(said, target_id, evidence))
    response = tuple(
        ResponseFinding(mode=found.mode, evidence=evidence.of(found.evidence)) for found in answer.response_failures
    )
    return TurnJudgement(
        reasoning=answer.reasoning, new_targets=tuple(new), updates=tuple(updates.values()), response=response
    )


class _Evidence:
    """Tells quotations from other words; what the assistant's system reported counts as said."""

    def __init__(self, brief: TurnBrief) -> None:
        turn = brief.turn
        said = [turn.user, turn.assistant if turn.assistant.strip() else NO_ANSWER]
        said += [turn.state] if turn.state is not None else []
        self._now = tuple(comparable(text) for text in said)
        self._history = brief.history

    def of(self, text: str) -> str:
        """Return ``text`` on one line: in quotation marks if it was said, marked if not, ``""`` if it is blank."""
        line = " ".join(text.split())
        bare = line.strip("\"'“”„‟‘’> ")
        if not bare:
            return ""
        return f"“{bare}”" if self._said(bare) else f"{NO_QUOTE}{line}"

    def _said(self, text: str) -> bool:
        """Whether it was said in this exchange, or by the user or the assistant earlier."""
        if is_quote(text, self._now):
            return True
        return is_quote(
            text, tuple(comparable(words) for turn in self._history for words in (turn.user, turn.assistant))
        )


def _update(verdict: TargetVerdict, target_id: str, evidence: _Evidence) -> TargetUpdate:
    status = _STATUSES.get(verdict.outcome)
    return TargetUpdate(
        target_id=target_id,
        status=TargetStatus.INCOMPLETE if status is None else status,
        uttered=verdict.asked,
        withdrawn=status is TargetStatus.DROPPED,
        constraints=None if verdict.constraints is None else _texts(verdict.constraints),
        failure=verdict.outcome if status is None else None,
        evidence=evidence.of(verdict.evidence),
    )


def _new_update(said: NewTarget, target_id: str, evidence: _Evidence) -> TargetUpdate:
    status = _STATUSES.get(said.outcome)
    return TargetUpdate(
        target_id=target_id,
        status=TargetStatus.INCOMPLETE if status is None else status,
        uttered=True,
        failure=said.outcome if status is None else None,
        evidence=evidence.of(said.evidence),
    )


def _new_target(said: NewTarget, target_id: str) -> Target:
    kind = _NO_WORD.sub("_", said.kind.casefold()).strip("_")
    text = " ".join(said.text.split())
    return Target(id=target_id, text=text, kind=kind or "other", constraints=_texts(said.constraints))


def _meant(said: str, ids: Collection[str]) -> str:
    """Return the one of ``ids`` that ``said`` means but for case, spaces and quotation marks; ``said`` if none or two
    could be meant.
    """
    if said in ids:
        return said
    alike = [target_id for target_id in ids if _plain_id(target_id) == _plain_id(said)]
    return alike[0] if len(alike) == 1 else said


def _plain_id(text: str) -> str:
    return text.strip(_AROUND_IDS).casefold()


def _ids_by_text(targets: Sequence[Target]) -> dict[str, str]:
    return {comparable(target.text): target.id for target in targets}


def _free_id(taken: Collection[str]) -> str:
    return next(name for n in range(1, len(taken) + 2) if (name := f"g{n}") not in taken)


def _texts(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for text in texts if (line := " ".join(text.split()))))
