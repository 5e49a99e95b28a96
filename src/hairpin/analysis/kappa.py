"""Fleiss' κ: how far several ratings of the same items agree beyond chance.

It must not know what is rated.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from hairpin.domain.base import Value


class Kappa(Value):
    """κ in [-1, 1] of ``n_items`` items with ``n_ratings`` ratings each; ``None`` with the ``reason`` why not."""

    value: float | None
    n_items: int = Field(ge=0)
    n_ratings: int = Field(ge=0)
    reason: str = ""


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> Kappa:
    """Return Fleiss' κ.

    Args:
        counts: (n_items, n_categories): how many ratings put the item into the category. Every item has the same number
            of ratings.

    Raises:
        ValueError: items with different numbers of ratings or categories, or a negative count.

    Source: Fleiss, 1971.
    """
    if any(count < 0 for row in counts for count in row):
        raise ValueError("counts of ratings cannot be negative")
    ratings, categories = {sum(row) for row in counts}, {len(row) for row in counts}
    if len(ratings) > 1 or len(categories) > 1:
        raise ValueError(f"items have {sorted(ratings)} ratings in {sorted(categories)} categories; give each the same")
    n_items, n = len(counts), max(ratings, default=0)
    if not n_items or n < 2:
        reason = "no item to compare" if not n_items else "fewer than two ratings of each item"
        return Kappa(value=None, n_items=n_items, n_ratings=n, reason=reason)
    # In whole numbers, so that total agreement is exactly 1 and equal ratings are found as such.
    agreeing = sum(count * (count - 1) for row in counts for count in row)
    possible = n_items * n * (n - 1)
    totals = [sum(column) for column in zip(*counts, strict=True)]
    by_chance, all_squared = sum(total * total for total in totals), (n_items * n) ** 2
    if by_chance == all_squared:
        return Kappa(value=None, n_items=n_items, n_ratings=n, reason="every rating is the same: chance agrees as well")
    value = (agreeing * all_squared - by_chance * possible) / (possible * (all_squared - by_chance))
    return Kappa(value=value, n_items=n_items, n_ratings=n)
