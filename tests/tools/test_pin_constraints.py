"""The constraints file: plain pins, nothing about where packages come from."""

from __future__ import annotations

import re
from pathlib import Path

from pin_constraints import render

CONSTRAINTS = Path(__file__).parents[2] / "constraints.txt"


def test_renders_one_pin_a_line_in_order_without_what_a_build_calls_itself() -> None:
    text = render({"b": "2", "a": "1.0", "c": "3.1+cpu"})
    assert text.splitlines()[1:] == ["a==1.0", "b==2", "c==3.1"]


def test_the_file_holds_pins_and_comments_only() -> None:
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"#.*|[a-z0-9-]+==[0-9][0-9a-z.]*", line)] == []


def test_the_file_pins_torch_because_an_install_without_a_pin_may_pull_gigabytes_of_cuda() -> None:
    assert re.search(r"^torch==\d", CONSTRAINTS.read_text(encoding="utf-8"), re.MULTILINE)
