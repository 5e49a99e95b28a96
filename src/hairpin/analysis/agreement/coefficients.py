"""κ, ρ and shares of agreement of two raters, from how often each pair of levels was given together.

Whole stacks of tables at once, so that resampling costs little. An undefined figure is NaN here, and here alone:
``rows`` and ``drivers`` turn it into a stated reason.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from hairpin.analysis.agreement.scale import Floats

NO_OVERLAP = "no item that both rated"
ONE_VALUE = "both gave the same rating to everything: chance agrees as well"
NO_ORDER = "one of the two gave the same rating to everything: there is no order to compare"


class Statistic(StrEnum):
    """What is said of two raters."""

    KAPPA = "kappa"
    RHO = "rho"
    EXACT = "exact"
    WITHIN_ONE = "within_one"


def cohen_kappas(tables: Floats, apart: Floats) -> Floats:
    """Return weighted κ = 1 − Σ d·o / Σ d·e of each table; NaN where chance disagrees in nothing.

    Args:
        tables: (…, K, K) counts of items by the level of either rater.
        apart: (…, K, K) disagreements d, 0 on the diagonal.

    Source: Cohen, 1960 and 1968.
    """
    rows, columns, totals = tables.sum(axis=-1), tables.sum(axis=-2), tables.sum(axis=(-2, -1))
    observed = (tables * apart).sum(axis=(-2, -1)) * totals
    by_chance = np.einsum("...i,...ij,...j->...", rows, apart, columns)
    return 1.0 - _quotient(observed, by_chance)


def spearman_rhos(tables: Floats) -> Floats:
    """Return Spearman's ρ, ties at their mean rank, of each table (…, K, K); NaN where a rater has no order.

    Source: Spearman, 1904; Pearson's correlation of midranks.
    """
    totals = tables.sum(axis=(-2, -1))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    first, second = _centred_midranks(rows, totals), _centred_midranks(columns, totals)
    covariance = np.einsum("...i,...ij,...j->...", first, tables, second)
    spread = (rows * first**2).sum(axis=-1) * (columns * second**2).sum(axis=-1)
    return np.clip(_quotient(covariance, np.sqrt(spread)), -1.0, 1.0)


def shares_within(tables: Floats, ranks: int) -> Floats:
    """Return the share of items of each table (…, K, K) whose levels are at most ``ranks`` apart; NaN without items."""
    levels = np.arange(tables.shape[-1])
    near = np.abs(levels[:, None] - levels[None, :]) <= ranks
    return _quotient((tables * near).sum(axis=(-2, -1)), tables.sum(axis=(-2, -1)))


def all_statistics(tables: Floats, apart: Floats) -> dict[Statistic, Floats]:
    """Return every statistic of tables (…, K, K)."""
    return {
        Statistic.KAPPA: cohen_kappas(tables, apart),
        Statistic.RHO: spearman_rhos(tables),
        Statistic.EXACT: shares_within(tables, 0),
        Statistic.WITHIN_ONE: shares_within(tables, 1),
    }


def why_undefined(statistic: Statistic, n_items: int) -> str:
    """Return why a statistic of ``n_items`` items is undefined."""
    if not n_items or statistic in (Statistic.EXACT, Statistic.WITHIN_ONE):
        return NO_OVERLAP
    return ONE_VALUE if statistic is Statistic.KAPPA else NO_ORDER


def _centred_midranks(counts: Floats, totals: Floats) -> Floats:
    """Return the mean rank of each level less the mean of all ranks, from counts (…, K) per level."""
    return np.cumsum(counts, axis=-1) - (counts - 1) / 2 - (totals[..., None] + 1) / 2


def _quotient(above: Floats, below: Floats) -> Floats:
    """Return above / below, NaN where ``below`` is not above 0."""
    found = np.full(np.broadcast_shapes(above.shape, below.shape), np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found
