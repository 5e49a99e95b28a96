"""The sentence at the top of the benchmark promises no more than its figures."""

from __future__ import annotations

from hairpin.analysis.fault_benchmark import fault_benchmark
from hairpin.analysis.fault_benchmark_model import CLEAN
from hairpin.reports.fault_benchmark import fault_sections, noted
from hairpin.reports.pages import Page, page_text
from tests.analysis.test_analysis_fault_benchmark import MODES, held


def test_found_and_made_up_are_told_with_how_many_false_alarms_are_possible() -> None:
    struck = held((1, "lost"), struck=((1, "lost"),))
    (told,) = noted(fault_benchmark([struck, held(fault="F2"), held(fault=CLEAN)], modes=MODES, strategies={}))
    assert told.startswith("In-sample: at least 100.0 % found with the right label at the right turn, and at most 0.00")
    assert told.endswith("false alarms per 100 turns (95 % interval 0.00 to 92.22).")


def test_where_nothing_struck_nothing_is_said_to_be_missed() -> None:
    (told,) = noted(fault_benchmark([held(), held(fault="F2"), held(fault=CLEAN)], modes=MODES, strategies={}))
    assert told.startswith("In-sample: no fault struck in a reply, so nothing is known of what is found")
    assert "0.0 %" not in told


def test_tables_hold_found_made_up_and_confused_fault_by_fault() -> None:
    """F1 struck in two conversations and was found in one, F2 never struck; one label was made up."""
    struck = ((1, "lost"),)
    conversations = [
        held((1, "lost"), struck=struck),
        held(struck=struck),
        held(fault="F2"),
        held((0, "ignored"), fault=CLEAN),
    ]
    titles = {"lost": "Context forgotten", "ignored": "Request ignored"}
    benchmark = fault_benchmark(conversations, modes=MODES, strategies={})
    sections = fault_sections(benchmark, (), titles=titles)
    assert [section.id for section in sections] == [
        "benchmark-overview",
        "recall-in-sample",
        "false-alarms",
        "confusion",
        "fault-strategies",
    ]
    told = page_text(Page(title="Benchmark", sections=sections), width=400)
    assert "50.0 %" in told
    assert "no reply shows a strike" in told
    assert "Request ignored 1" in told
    assert "Context forgotten" in told
