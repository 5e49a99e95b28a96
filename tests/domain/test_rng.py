from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.rng import derive_rng_seed

roots = st.integers()
paths = st.lists(st.text(max_size=5, alphabet="abé1"), max_size=4)


@given(roots, paths)
def test_depends_on_nothing_but_root_and_path(root: int, path: list[str]) -> None:
    assert derive_rng_seed(root, *path) == derive_rng_seed(root, *path)


@given(roots, paths)
def test_fits_a_signed_column_of_sixty_four_bits(root: int, path: list[str]) -> None:
    assert 0 <= derive_rng_seed(root, *path) < 2**63


@given(roots, paths, paths)
def test_different_paths_give_different_seeds(root: int, one: list[str], other: list[str]) -> None:
    assert (derive_rng_seed(root, *one) == derive_rng_seed(root, *other)) == (one == other)


@given(roots, roots)
def test_different_roots_give_different_seeds(one: int, other: int) -> None:
    assert (derive_rng_seed(one, "x") == derive_rng_seed(other, "x")) == (one == other)


def test_stays_what_it_is_from_version_to_version() -> None:
    assert derive_rng_seed(1, "munich_commute", "polite") == 6374607153833291891
