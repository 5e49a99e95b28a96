"""How many strategies a conversation prefers: a share of the pool, rounded up, and at least one where there is one."""

from __future__ import annotations

import pytest

from hairpin.domain.learning_spec import LearningSpec


@pytest.mark.parametrize(
    ("share", "n_strategies", "n_preferred"), [(0.5, 8, 4), (0.5, 5, 3), (0.01, 8, 1), (1.0, 8, 8), (0.5, 0, 0)]
)
def test_a_share_of_the_pool_is_preferred(share: float, n_strategies: int, n_preferred: int) -> None:
    assert LearningSpec(share=share).n_preferred(n_strategies) == n_preferred
