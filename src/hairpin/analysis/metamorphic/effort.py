"""What replays took: utterances sent to the assistant, calls for checking contexts, and where there was no follow-up.

It must not know money; ``domain.llm_usage`` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hairpin.analysis.metamorphic.model import Applicability, ContextEffort, Effort
from hairpin.analysis.metamorphic.scored import replays_of
from hairpin.domain.families import Family
from hairpin.domain.relation_counts import is_broken
from hairpin.domain.replay import Method, Perturbation
from hairpin.domain.tally import sends
from hairpin.metamorphic.metal import MetalRelation
from hairpin.metamorphic.qaasker import QaaskerRelation

_KINDS = {kind.value: place for place, kind in enumerate((*Perturbation, *MetalRelation, *QaaskerRelation))}


def effort(families: Sequence[Family]) -> tuple[Effort, ...]:
    """Return per assistant and method what its replays took."""
    suts = dict.fromkeys(family.source.planned.sut for family in families)
    found = (_of_method([f for f in families if f.source.planned.sut == sut], sut, m) for sut in suts for m in Method)
    return tuple(each for each in found if each.replays)


def context_effort(families: Iterable[Family]) -> ContextEffort:
    """Return what checking contexts took, over all assistants."""
    findings = [check.finding for family in families for check in family.context_checks]
    return ContextEffort(
        checks=len(findings),
        calls=sum(finding.n_calls for finding in findings),
        by_reason=dict(sorted(Counter(finding.reason.value for finding in findings).items())),
    )


def applicability(families: Iterable[Family]) -> tuple[Applicability, ...]:
    """Return per method and kind how many follow-ups were planned, and why others were not; in the papers' order."""
    planned: Counter[tuple[Method, str]] = Counter()
    missing: dict[tuple[Method, str], Counter[str]] = {}
    for family in families:
        for record in family.follow_ups:
            if (replay := record.planned.replay) is not None:
                planned[replay.method, replay.kind] += 1
        for each in family.derivation.not_applicable:
            missing.setdefault((each.method, each.kind), Counter())[each.reason] += 1
    order = list(Method)
    keys = sorted({*planned, *missing}, key=lambda key: (order.index(key[0]), _KINDS.get(key[1], len(_KINDS)), key[1]))
    return tuple(
        Applicability(
            method=method,
            kind=kind,
            follow_ups=planned[method, kind],
            not_applicable=dict(sorted(missing.get((method, kind), Counter()).items())),
        )
        for method, kind in keys
    )


def _of_method(families: Sequence[Family], sut: str, method: Method) -> Effort:
    records = [record for family in families for record in replays_of(family, method)]
    broken = [r for r in records if r.outcome is not None and is_broken(r.outcome.stop)]
    return Effort(
        method=method,
        sut=sut,
        replays=len(records),
        sut_calls=sum(map(sends, records)),
        broken=len(broken),
    )
