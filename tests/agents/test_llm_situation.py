from __future__ import annotations

from hairpin.agents.llm.situation import situation_line
from hairpin.domain.users import Context


def test_everything_known_stands_on_one_line() -> None:
    context = Context(location="Bonn", date="2026-11-29", time="17:40", vehicle={"doors": 2}, reference_text="a\nb")
    assert situation_line(context) == "Bonn; 2026-11-29; 17:40; doors: 2; a b"


def test_nothing_known_is_a_dash() -> None:
    assert situation_line(Context()) == "-"
