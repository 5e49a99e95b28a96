"""Faults in short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.sut_spec import FaultSpec
from hairpin.errors import InvalidInputError
from hairpin.testbed.faults.notation import fault_label, parse_fault

SPECS = st.builds(
    FaultSpec,
    id=st.sampled_from(["F1", "F12"]),
    after=st.integers(0, 99),
    probability=st.integers(0, 100).map(lambda percent: percent / 100),
    when=st.lists(st.sampled_from(["moving", "dark", "low_battery"]), unique=True).map(tuple),
)


@given(SPECS)
def test_a_label_is_read_as_the_fault_it_was_made_from(spec: FaultSpec) -> None:
    assert parse_fault(fault_label(spec), where="here") == spec


@pytest.mark.parametrize("text", ["", "F1@", "F1~2", "F1~0.5@2", "F1?", "F1 F2", "F1@-1"])
def test_what_is_no_fault_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InvalidInputError, match=r"--fault: .* is no fault; write it like F3, F3@2"):
        parse_fault(text, where="--fault")
