"""How the judgements of a panel become one: majorities of labels, the median of scores.

More than half of all judges must agree, those that broke included, so that a judge that is silent never decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from hairpin.domain.conversation import normalise
from hairpin.domain.judgement import ResponseFinding, TurnJudgement
from hairpin.domain.targets import Target, TargetStatus, TargetUpdate

LabelT = TypeVar("LabelT", bound=Hashable)

_ALIKE: Final = 0.2
"""From this share of common words on, new targets of two judges can be the same one."""
_LONG_WORD: Final = 4
_STATUS_WORDS: Final = {
    TargetStatus.COMPLETED: "completed",
    TargetStatus.INCOMPLETE: "open",
    TargetStatus.DROPPED: "withdrawn",
}


class NoMajorityError(Exception):
    """Judges disagree, and no more than half of them say the same.

    Attributes:
        within_reach: whether those that broke could have made a majority, had they all said the same.
    """

    def __init__(self, what: str, *, within_reach: bool) -> None:
        super().__init__(what)
        self.within_reach = within_reach


def majority(labels: Sequence[LabelT], n_judges: int, *, what: str, n_broken: int = 0) -> LabelT:
    """Return the label that more than half of ``n_judges`` gave.

    Args:
        n_broken: how many judges could have given one more label each.

    Raises:
        NoMajorityError: there is none; says about ``what``.
    """
    most = 0
    for label, number in Counter(labels).most_common(1):
        if 2 * number > n_judges:
            return label
        most = number
    raise NoMajorityError(what, within_reach=2 * (most + n_broken) > len(labels) + n_broken)


def median_score(scores: Sequence[int], n_judges: int) -> int:
    """Return the median of ordinal scores; of the two middle ones of an even number the lower.

    Raises:
        NoMajorityError: no more than half of ``n_judges`` gave a score, or the two middle ones are not neighbours:
            then nothing between them was said by anybody.
    """
    broken = n_judges > len(scores)  # any more score makes the number of scores enough, or odd
    if 2 * len(scores) <= n_judges:
        raise NoMajorityError("the score", within_reach=broken)
    ranked = sorted(scores)
    low, high = ranked[(len(ranked) - 1) // 2], ranked[len(ranked) // 2]
    if high - low > 1:
        raise NoMajorityError("the score", within_reach=broken)
    return low


def merge_turns(judgements: Sequence[TurnJudgement], targets: Sequence[Target], n_judges: int) -> TurnJudgement:
    """Return what a panel says of one exchange.

    Each target has the label (a compliance mode, or none) and the status that most gave it; a response mode is found
    where most found it. A new target is one that most named; what becomes of it, most of those say. Evidence is that of
    the first judge who said the same, behind how many did.

    Args:
        judgements: of the judges that did not break, in the order of the panel.
        targets: those that the judges were told of.
        n_judges: all judges of the panel.

    Raises:
        NoMajorityError: there is no majority for one of these decisions; names it.
    """
    if not judgements:
        raise NoMajorityError("anything", within_reach=True)
    n_broken = n_judges - len(judgements)
    updates = [
        update
        for target in targets
        if (update := _known(target, [_update_of(each, target.id) for each in judgements], n_judges, n_broken))
        is not None
    ]
    taken = {target.id for target in targets}
    new: list[Target] = []
    for namings in _same_targets(judgements):
        if 2 * len(namings) > n_judges:
            target_id = next(name for n in range(1, len(taken) + 2) if (name := f"g{n}") not in taken)
            taken.add(target_id)
            first = next(iter(namings.values()))
            new.append(first.model_copy(update={"id": target_id}))
            said = [_update_of(judgements[judge], named.id) for judge, named in namings.items()]
            # Only those who named it say what became of it.
            merged = _known(first, said, len(said), n_broken) or TargetUpdate(
                target_id=target_id, status=TargetStatus.INCOMPLETE
            )
            updates.append(merged.model_copy(update={"target_id": target_id, "uttered": True}))
    return TurnJudgement(new_targets=tuple(new), updates=tuple(updates), response=_response(judgements, n_judges))


def labels_of(judgement: TurnJudgement) -> str:
    """Return what a judge decided of one exchange, in the same words for the same decisions; not how it worded them."""
    new = {target.id for target in judgement.new_targets}
    told = [
        f"{update.target_id} {update.failure or _STATUS_WORDS[update.status]}"
        for update in sorted(judgement.updates, key=lambda update: update.target_id)
        if update.target_id not in new
    ]
    of_new = sorted(
        update.failure or _STATUS_WORDS[update.status] for update in judgement.updates if update.target_id in new
    )
    told += [f"new {outcome}" for outcome in of_new]
    told += sorted({finding.mode for finding in judgement.response})
    return ", ".join(told) or "nothing"


@dataclass(frozen=True, slots=True)
class _Said:
    """What one judge says of one target."""

    status: TargetStatus
    failure: str | None
    update: TargetUpdate | None


def _known(target: Target, updates: Sequence[TargetUpdate | None], n_judges: int, n_broken: int) -> TargetUpdate | None:
    """Return what most say of ``target``, or ``None`` when nobody says anything."""
    if not any(updates):
        return None
    said = [_said(target, update) for update in updates]
    failure = majority([each.failure for each in said], n_judges, what=f"the label of {target.id}", n_broken=n_broken)
    status = majority([each.status for each in said], n_judges, what=f"the status of {target.id}", n_broken=n_broken)
    agreeing = [each.update for each in said if (each.failure, each.status) == (failure, status)]
    first = next((update for update in agreeing if update is not None), None)
    n_label = sum(each.failure == failure for each in said)
    evidence = first.evidence if first is not None else ""
    given = [update for update in updates if update is not None]
    return TargetUpdate(
        target_id=target.id,
        status=status,
        uttered=2 * sum(update.uttered for update in given) >= len(updates),
        withdrawn=status is TargetStatus.DROPPED and target.status is not TargetStatus.DROPPED,
        constraints=next((each.constraints for each in agreeing if each and each.constraints is not None), None),
        failure=failure,
        evidence=_counted(n_label, n_judges, evidence),
    )


def _said(target: Target, update: TargetUpdate | None) -> _Said:
    if update is None:
        return _Said(target.status, None, None)
    if update.withdrawn:
        return _Said(TargetStatus.DROPPED, None, update)
    # Nobody drops a target but the user: such an update changes nothing (``domain.targets``).
    status = target.status if update.status is TargetStatus.DROPPED else update.status
    return _Said(status, update.failure, update)


def _response(judgements: Sequence[TurnJudgement], n_judges: int) -> tuple[ResponseFinding, ...]:
    found: list[ResponseFinding] = []
    for mode in dict.fromkeys(finding.mode for each in judgements for finding in each.response):
        firsts = [next((f for f in each.response if f.mode == mode), None) for each in judgements]
        found_by = [first is not None for first in firsts]
        if majority(found_by, n_judges, what=mode, n_broken=n_judges - len(judgements)):
            evidence = next(first.evidence for first in firsts if first is not None)
            found.append(ResponseFinding(mode=mode, evidence=_counted(sum(found_by), n_judges, evidence)))
    return tuple(found)


def _update_of(judgement: TurnJudgement, target_id: str) -> TargetUpdate | None:
    return next((update for update in judgement.updates if update.target_id == target_id), None)


def _same_targets(judgements: Sequence[TurnJudgement]) -> Iterator[Mapping[int, Target]]:
    """Yield the new targets of all judges, those of several that are the same one together, by judge.

    Where two judges name one each it is the same; else the ones with most words in common are.
    """
    groups: list[dict[int, Target]] = []
    for judge, judgement in enumerate(judgements):
        for target in judgement.new_targets:
            rivals = [(_likeness(target, group, judgements[judge], judgements), group) for group in groups]
            free = [(likeness, group) for likeness, group in rivals if judge not in group and likeness >= _ALIKE]
            if free:
                max(free, key=lambda pair: pair[0])[1][judge] = target
            else:
                groups.append({judge: target})
    yield from groups


def _likeness(
    target: Target, group: Mapping[int, Target], own: TurnJudgement, judgements: Sequence[TurnJudgement]
) -> float:
    first_judge, first = next(iter(group.items()))
    if len(own.new_targets) == len(judgements[first_judge].new_targets) == 1:
        return 1.0
    here, there = _long_words(target.text), _long_words(first.text)
    return len(here & there) / len(here | there) if here | there else 0.0


def _long_words(text: str) -> frozenset[str]:
    words = normalise(text).split()
    return frozenset(word for word in words if len(word) >= _LONG_WORD) or frozenset(words)


def _counted(number: int, n_judges: int, evidence: str) -> str:
    return f"{number} of {n_judges} votes: {evidence}" if evidence else f"{number} of {n_judges} votes"
