from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hairpin.app.replay_names import RunSut, renamed, unique_names
from hairpin.domain.replay import Method
from tests.analysis.metamorphic.family_builders import a_family, a_record, a_replay

SUTS = st.builds(
    RunSut,
    sut=st.sampled_from(["a", "b", "a (r1)", "a (ratio 0.3)"]),
    ratio=st.sampled_from([0.1, 0.3]),
    run=st.sampled_from(["r1", "r2", "r3"]),
)


def names(*suts: tuple[str, float, str]) -> tuple[str, ...]:
    return unique_names([RunSut(sut=sut, ratio=ratio, run=run) for sut, ratio, run in suts])


def test_a_label_is_enough_where_nobody_else_has_it() -> None:
    assert names(("a", 0.3, "r1"), ("b", 0.5, "r2")) == ("a", "b")


def test_equal_labels_are_told_apart_by_what_differs() -> None:
    assert names(("a", 0.1, "r1"), ("a", 0.3, "r2"), ("b", 0.3, "r2")) == ("a (ratio 0.1)", "a (ratio 0.3)", "b")
    assert names(("a", 0.3, "r1"), ("a", 0.3, "r2")) == ("a (r1)", "a (r2)")


@given(st.lists(SUTS, max_size=8, unique_by=lambda each: (each.sut, each.run)))
def test_no_two_have_the_same_name(suts: list[RunSut]) -> None:
    assert len(set(unique_names(suts))) == len(suts)


def test_a_family_goes_by_its_new_name_whole() -> None:
    family = renamed(a_family(a_record("f1", ["x"], replay=a_replay(Method.MORTAR, [0]))), "other")
    assert {record.planned.sut for record in (family.source, *family.follow_ups)} == {"other"}
    assert family.follow_ups[0].exchanges[0].assistant == "x"
