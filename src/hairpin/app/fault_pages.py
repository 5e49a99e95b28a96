"""The benchmark of seeded faults as pages and files in its folder.

It runs nothing, and computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from hairpin.app.fault_benchmark import BenchmarkReport
from hairpin.app.fault_units import Unit
from hairpin.reports.fault_benchmark import fault_sections, noted
from hairpin.reports.pages import Page, PageFormat, page_files
from hairpin.store.directory import write_parts, write_text

STEM: Final = "benchmark"
RESULTS: Final = "results.json"
_SHORT: Final = ("benchmark-overview", "indirect")


def full_page(units: Sequence[Unit], report: BenchmarkReport) -> Page:
    """Return everything that the benchmark says."""
    sections = fault_sections(report.labelled, report.indirect, titles=titles_of(units))
    return Page(title="Seeded faults: found and made up", text=tuple(_told(report)), sections=sections)


def short_page(units: Sequence[Unit], report: BenchmarkReport) -> Page:
    """Return what a terminal shows: the figures over all faults."""
    page = full_page(units, report)
    return page.model_copy(update={"sections": tuple(each for each in page.sections if each.id in _SHORT)})


def write_pages(out: Path, units: Sequence[Unit], report: BenchmarkReport) -> None:
    """Write ``benchmark.html``, ``benchmark.md`` and ``results.json``.

    Raises:
        StoreError: they cannot be written.
    """
    page = full_page(units, report)
    for form in PageFormat:
        for file in page_files(page, STEM, form):
            write_parts(out / file.path, file.parts)
    write_text(out / RESULTS, report.model_dump_json(indent=2) + "\n")


def titles_of(units: Sequence[Unit]) -> Mapping[str, str]:
    """Return the titles of failure modes and strategies, by id."""
    titles: dict[str, str] = {}
    for unit in units:
        scenario = unit.inputs.scenario
        titles |= {mode.id: mode.title for mode in scenario.rubric.modes}
        titles |= {strategy.id: strategy.title for strategy in scenario.strategies}
    return titles


def _told(report: BenchmarkReport) -> Iterator[str]:
    yield from noted(report.labelled)
    chosen = report.manifest
    yield (
        f"{chosen.n_conversations} conversations with each faulty assistant in each configuration; what struck is the "
        "assistant's own hidden log."
    )
    for judge, agent in report.agents:
        called = "" if judge == agent else f", called {judge} here"
        yield f"Exchanges are judged by: {agent}{called}."
    yield from report.notes
