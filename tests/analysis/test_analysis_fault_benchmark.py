"""Recall, false alarms and confusion by hand, and what holds whatever was found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.fault_benchmark import (
    confusion,
    false_alarms,
    fault_benchmark,
    fault_recall,
    fault_recalls,
    strategy_table,
)
from hairpin.analysis.fault_benchmark_model import (
    CLEAN,
    BenchmarkConversation,
    Configuration,
    Part,
    TrueStrike,
)
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

CELL = Configuration(part=Part.IN_SAMPLE, pool="paper", judge="offline")
MODES = ("lost", "ignored")


def held(
    *labels: tuple[int, str],
    struck: tuple[tuple[int, str], ...] = (),
    unseen: tuple[tuple[int, str], ...] = (),
    fault: str = "F1",
    standing: Standing = Standing.PASS,
    strategies: tuple[str | None, ...] = (None,) * 4,
    tokens: int = 0,
) -> BenchmarkConversation:
    shown = tuple(TrueStrike(t=t, mode=mode) for t, mode in struck)
    hidden = tuple(TrueStrike(t=t, mode=mode, visible=False) for t, mode in unseen)
    facts = conversation(standing, *labels, strategies=strategies)
    return BenchmarkConversation(cell=CELL, fault=fault, facts=facts, strikes=(*shown, *hidden), tokens=tokens)


def test_recall_by_hand() -> None:
    """Four conversations show a strike: found in place, found late, found under another name, missed."""
    recall = fault_recall(
        CELL,
        "F1",
        [
            held(struck=((1, "lost"), (3, "lost"))),
            held((1, "lost"), struck=((1, "lost"), (2, "lost")), tokens=7),
            held((3, "lost"), struck=((2, "lost"),)),
            held((2, "ignored"), struck=((2, "lost"),)),
            held((0, "lost")),
        ],
    )
    assert (recall.found.successes, recall.found.n) == (3, 4)
    assert (recall.labelled.successes, recall.at_turn.successes) == (2, 1)
    assert (recall.strikes.successes, recall.strikes.n) == (1, 6)
    assert recall.first is not None
    assert (recall.first.conversations, recall.first.turns, recall.first.tokens) == (2, 4 + 2, 7)
    assert recall.n_other == 3


def test_a_label_before_the_first_strike_finds_nothing() -> None:
    recall = fault_recall(CELL, "F1", [held((0, "lost"), struck=((2, "lost"),))])
    assert (recall.found.successes, recall.labelled.successes, recall.at_turn.successes) == (0, 0, 0)


def test_strikes_that_no_reply_shows_are_counted_apart() -> None:
    recall = fault_recall(CELL, "F1", [held(unseen=((1, "lost"),)), held((2, "lost"), unseen=((2, "lost"),))])
    assert (recall.n_unseen, recall.found.n, recall.found.rate) == (2, 0, None)
    assert recall.found.reason == "no reply shows a strike"


def test_false_alarms_by_hand() -> None:
    alarms = false_alarms(
        CELL,
        [
            held((0, "lost"), (0, "lost"), (2, "ignored"), fault=CLEAN, standing=Standing.FAIL),
            held(fault=CLEAN),
            held((1, "lost"), fault=CLEAN, standing=Standing.INVALID),
        ],
    )
    assert (alarms.alarms.events, alarms.alarms.n, alarms.alarms.per_100) == (3, 12, 25.0)
    assert (alarms.conversations.successes, alarms.conversations.n) == (2, 3)
    assert (alarms.failed.successes, alarms.failed.n, alarms.n_invalid) == (1, 2, 1)
    assert alarms.by_mode == (("lost", 2), ("ignored", 1))


def test_confusion_counts_struck_exchanges_and_of_the_clean_all() -> None:
    found = confusion(
        Part.IN_SAMPLE,
        "offline",
        [
            held((1, "lost"), (2, "odd"), struck=((1, "lost"), (2, "lost"), (3, "lost"))),
            held((0, "ignored"), fault=CLEAN),
        ],
        MODES,
    )
    assert found.modes == ("lost", "ignored", "odd")
    faulty, clean = found.rows
    assert (faulty.fault, faulty.earns, faulty.n, faulty.labels, faulty.none) == ("F1", ("lost",), 3, (1, 0, 1), 1)
    assert (clean.fault, clean.earns, clean.n, clean.labels, clean.none) == (CLEAN, (), 4, (0, 1, 0), 3)


def test_strategies_are_told_what_they_provoke_and_what_is_found_of_it() -> None:
    table = strategy_table(
        CELL,
        [held((1, "lost"), struck=((1, "lost"), (2, "lost")), strategies=(None, "probe", "probe", None))],
        ("probe", "idle"),
    )
    probe, idle, none = (row.findings[0] for row in table.rows)
    assert (probe.struck.successes, probe.struck.n, probe.found.successes, probe.found.n) == (2, 2, 1, 2)
    assert (idle.struck.n, idle.struck.reason) == (0, "never used")
    assert (none.struck.successes, none.struck.n) == (0, 2)


def test_faults_stand_in_their_own_order_not_in_that_of_the_plan() -> None:
    """The plan goes by first phrases, which several faults share."""
    struck = ((1, "lost"),)
    planned = [held(fault=fault, struck=struck, tokens=n) for n, fault in enumerate((CLEAN, "F4", "F6", "F5", "F6"))]
    found = fault_benchmark(planned, modes=MODES, strategies={"paper": ("probe",)}, faults=("F4", "F5", "F6"))
    assert [recall.fault for recall in found.recalls] == ["F4", "F5", "F6", None]
    assert [row.fault for row in found.confusions[0].rows] == [CLEAN, "F4", "F5", "F6"]
    assert found.strategies[0].faults == ("F4", "F5", "F6")


def test_what_never_began_counts_nowhere() -> None:
    empty = held(strategies=(), standing=Standing.INVALID)
    assert fault_benchmark([empty], modes=MODES, strategies={}).recalls == ()


places = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(MODES)), max_size=5, unique=True).map(tuple)
conversations = st.lists(
    st.builds(
        lambda labels, struck, fault: held(*labels, struck=() if fault == CLEAN else struck, fault=fault),
        places,
        places,
        st.sampled_from((CLEAN, "F1", "F2")),
    ),
    max_size=8,
)


@given(conversations)
def test_found_at_all_bounds_the_right_label_and_that_the_right_turn(those: list[BenchmarkConversation]) -> None:
    recalls = fault_recalls(CELL, those)
    for recall in recalls:
        assert recall.at_turn.successes <= recall.labelled.successes <= recall.found.successes <= recall.found.n
        assert (recall.first is None) == (recall.at_turn.successes == 0)
    single = [recall for recall in recalls if recall.fault is not None]
    for together in (recall for recall in recalls if recall.fault is None):
        assert together.strikes.n == sum(each.strikes.n for each in single)
        assert together.at_turn.successes == sum(each.at_turn.successes for each in single)


@given(conversations)
def test_the_benchmark_of_anything_is_stated(those: list[BenchmarkConversation]) -> None:
    benchmark = fault_benchmark(those, modes=MODES, strategies={"paper": ("probe",)})
    for found in benchmark.confusions:
        for row in found.rows:
            assert max((*row.labels, row.none)) <= row.n
            assert row.none + sum(row.labels) >= row.n
