"""Where a conversation is."""

from __future__ import annotations

from hairpin.graph.pulse import Pulse


def test_the_node_that_runs_longest_is_told_with_its_seconds() -> None:
    pulse = Pulse()
    assert pulse.longest(5.0) is None
    with pulse.inside("speak", 10.0):
        with pulse.inside("judge_dimension", 12.0), pulse.inside("judge_dimension", 11.0):
            assert pulse.longest(20.0) == ("speak", 10.0)
        assert pulse.longest(21.0) == ("speak", 11.0)
    assert pulse.longest(22.0) is None


def test_a_node_that_raised_runs_no_more() -> None:
    pulse = Pulse()
    try:
        with pulse.inside("ask_sut", 0.0):
            raise ValueError
    except ValueError:
        assert pulse.longest(1.0) is None
