"""Ratings for properties to be drawn."""

from __future__ import annotations

from hypothesis import strategies as st

Ratings = list[int | None]


@st.composite
def raters(
    draw: st.DrawFn, *, n_levels: int = 3, least: int = 2, most: int = 5, complete: bool = False
) -> list[Ratings]:
    """Ratings of several raters on the levels 0 up to ``n_levels - 1``; some are missing unless ``complete``."""
    n_items = draw(st.integers(1, 25))
    level = st.integers(0, n_levels - 1)
    rating = level if complete else st.one_of(st.none(), level)
    return draw(st.lists(st.lists(rating, min_size=n_items, max_size=n_items), min_size=least, max_size=most))
