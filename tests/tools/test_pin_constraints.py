"""The constraints file: plain pins, nothing about where packages come from."""

from __future__ import annotations

import re
from pathlib import Path

from pin_constraints import EXTRA_PINS, render

CONSTRAINTS = Path(__file__).parents[2] / "constraints.txt"


def test_renders_one_pin_a_line_in_order_and_the_extra_pins_with_their_reason() -> None:
    text = render({"b": "2", "a": "1.0"}, {"c==3": "because"})
    assert text.splitlines()[1:] == ["a==1.0", "b==2", "# because", "c==3"]


def test_the_file_holds_pins_and_comments_only() -> None:
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"#.*|[a-z0-9-]+==[0-9][0-9a-z.]*", line)] == []


def test_the_file_pins_torch_so_that_no_install_pulls_cuda_by_chance() -> None:
    assert set(EXTRA_PINS) <= set(CONSTRAINTS.read_text(encoding="utf-8").splitlines())
