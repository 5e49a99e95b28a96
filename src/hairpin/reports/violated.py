"""Violated relations as marks on the turns that they compare, and the first of a run.

It checks nothing: the checks were stored; here they get their words and their places.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from hairpin.analysis.metamorphic.detections import compared_text, exchanges_before
from hairpin.analysis.metamorphic.model import METHOD_OF
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.relations import MetamorphicRelation, Output, RelationCheck
from hairpin.domain.replay import Method
from hairpin.domain.texts import is_blank
from hairpin.reports.model import ConversationReport, ViolationReport
from hairpin.reports.wording import RELATION_WORDS

_ORDER: Final = (Method.MORTAR, Method.METAL, Method.QAASKER, Method.RBT)
_EXPECTED: Final = "the expected answer"


def n_violated(families: Iterable[ScoredFamily]) -> Mapping[str, int]:
    """Return in how many violated relations each conversation has part; those whose relations were checked are named.

    A source has part where its own answer was compared with another one.
    """
    counts: Counter[str] = Counter()
    for scored in families:
        if not scored.checks:
            continue
        family = scored.family
        counts.update({record.planned.id: 0 for record in (family.source, *family.follow_ups)})
        for check in _violated(scored):
            counts.update({output.conversation for output in _places(scored, check)})
    return counts


def with_violations(report: ConversationReport, scored: ScoredFamily) -> ConversationReport:
    """Return ``report`` with the violated relations of its family on the turns whose answers they compare."""
    if not scored.checks:
        return report
    found = [(check, _marks(scored, check)) for check in _violated(scored)]
    own = [(check, [mark for mark in marks if mark.conversation == report.id]) for check, marks in found]
    turns = tuple(
        turn.model_copy(update={"violations": tuple(mark for _, marks in own for mark in marks if mark.t == turn.t)})
        for turn in report.turns
    )
    return counted(report.model_copy(update={"turns": turns}), sum(bool(marks) for _, marks in own))


def counted(report: ConversationReport, number: int | None) -> ConversationReport:
    """Return ``report`` saying that it has part in ``number`` violated relations; ``None``: they were not checked."""
    if number is None or (not number and report.replay is None):
        return report
    told = f"it has part in {number or 'no'} violated relation{'s' * (number > 1)}"
    # A replay that broke off has the reason of that before it.
    return report.model_copy(
        update={"reason": f"{report.reason.removesuffix('; relations compare its answers')}; {told}"}
    )


def first_violations(families: Iterable[ScoredFamily], number: int) -> tuple[ViolationReport, ...]:
    """Return up to ``number`` violated relations, each of another question.

    MORTAR's come first, then the baselines', then RBT's; of each those first that no source run had shown (L3).
    """
    best = ((scored, check) for scored in families for check in _one_per_question(scored))
    return tuple(_marks(scored, check)[0] for scored, check in heapq.nsmallest(number, best, key=_rank_of_pair))


def _one_per_question(scored: ScoredFamily) -> Iterable[RelationCheck]:
    chosen: dict[int, RelationCheck] = {}
    for check in _violated(scored):
        if check.index not in chosen or _rank(check) < _rank(chosen[check.index]):
            chosen[check.index] = check
    return chosen.values()


def _rank_of_pair(pair: tuple[ScoredFamily, RelationCheck]) -> tuple[int, int]:
    return _rank(pair[1])


def _rank(check: RelationCheck) -> tuple[int, int]:
    return _ORDER.index(METHOD_OF[check.relation]), -(check.level or 0)


def _violated(scored: ScoredFamily) -> Iterator[RelationCheck]:
    return (check for check in scored.checks if check.violated)


def _marks(scored: ScoredFamily, check: RelationCheck) -> list[ViolationReport]:
    """Return a violation as each answer that it compares sees it; of the output that was checked first."""
    here, *others = _places(scored, check)
    if not others:
        return [_mark(scored, check, here, compared_text(scored, check), _EXPECTED)]
    (there,) = others
    return [
        _mark(scored, check, one, _answer(scored, other), f"{other.conversation}, turn {other.position}")
        for one, other in ((here, there), (there, here))
    ]


def _mark(
    scored: ScoredFamily, check: RelationCheck, place: Output, compared_with: str, origin: str
) -> ViolationReport:
    question = scored.family.derivation.test_seed.questions[check.index].text
    told = exchanges_before(scored, place)
    return ViolationReport(
        relation=check.relation,
        words=RELATION_WORDS[check.relation],
        conversation=place.conversation,
        t=place.position,
        question=told[-1][0] if told else question,
        answer=told[-1][1] if told else "",
        compared_with=compared_with,
        origin=origin,
        similarity=check.similarity,
        level=check.level,
    )


def _answer(scored: ScoredFamily, place: Output) -> str:
    told = exchanges_before(scored, place)
    return told[-1][1] if told else ""


def _places(scored: ScoredFamily, check: RelationCheck) -> Sequence[Output]:
    """Return the answers that were compared, one or two: the source's is one where no other text was expected."""
    if len(check.outputs) > 1:
        return check.outputs[:2]
    own = Output(conversation=check.source, position=check.index)
    here = check.outputs[0] if check.outputs else own
    return (here,) if here == own or _expects_a_text(scored, check) else (here, own)


def _expects_a_text(scored: ScoredFamily, check: RelationCheck) -> bool:
    if check.relation is MetamorphicRelation.METAL:
        return False
    if any(not is_blank(answer) for answer in scored.family.derivation.test_seed.questions[check.index].answers):
        return True
    replays = (record.planned.replay for record in scored.family.follow_ups if record.planned.id == _first(check))
    return any(replay is not None and replay.expected is not None for replay in replays)


def _first(check: RelationCheck) -> str:
    return check.outputs[0].conversation if check.outputs else check.source
