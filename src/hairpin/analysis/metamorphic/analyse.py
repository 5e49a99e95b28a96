"""The whole analysis of a run's replays, from rows.

It must not encode or ask anybody: ``rescore`` has the vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.metamorphic.ablation import without_perturbations, without_relations
from hairpin.analysis.metamorphic.effort import applicability, context_effort, effort
from hairpin.analysis.metamorphic.methods import method_figures
from hairpin.analysis.metamorphic.model import MetamorphicAnalysis
from hairpin.analysis.metamorphic.scored import Rescore, ScoredFamily, suts_of
from hairpin.analysis.metamorphic.sensitivity import by_epsilon, by_epsilon_ec
from hairpin.analysis.metamorphic.uniqueness import uniqueness
from hairpin.domain.relations import ContextMethod, MetamorphicSpec
from hairpin.domain.replay import Method


def analyse_replays(scored: Sequence[ScoredFamily], spec: MetamorphicSpec, rescore: Rescore) -> MetamorphicAnalysis:
    """Return every figure of ``scored``, the families of a run scored by ``spec``."""
    families = tuple(each.family for each in scored)
    methods = (Method.MORTAR, *spec.baselines)
    swept = by_epsilon_ec(families, spec, rescore) if spec.context is ContextMethod.EC else ()
    return MetamorphicAnalysis(
        suts=suts_of(scored),
        methods=method_figures(scored),
        by_relation=without_relations(scored, spec),
        by_perturbation=without_perturbations(scored, spec, rescore),
        uniqueness=uniqueness(scored, methods),
        epsilon=by_epsilon(families, spec, rescore),
        epsilon_ec=swept,
        applicability=applicability(families),
        effort=effort(families),
        context_effort=context_effort(families),
    )
