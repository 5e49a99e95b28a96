"""The report of a stored campaign: tables and figures from its rows; that of another run has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hairpin.app.stored import Figures, StoredRun
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.gate import Gate
from hairpin.domain.records import RunInfo
from hairpin.domain.sut import SutIdentity
from hairpin.packs.scenarios import dump_scenario
from hairpin.reports.campaign_results import Diversity
from hairpin.store.directory import RunDirectory, write_text
from hairpin.store.reader import open_run
from hairpin.store.runs import create_store
from tests.reports.sample_campaign import campaign_scenario
from tests.store.store_values import StandingClock, a_plan, a_run, an_exchange, an_outcome

pytestmark = pytest.mark.anyio


async def stored_run(folder: Path, *, campaign: bool) -> RunDirectory:
    directory = RunDirectory(folder)
    write_text(directory.scenario, dump_scenario(campaign_scenario()))
    plan = a_plan(3)
    suts = {planned.sut: SutIdentity(name=planned.sut) for planned in plan}
    with create_store(directory.database, clock=StandingClock()) as store:
        await store.create_run(a_run().model_copy(update={"campaign": campaign, "suts": suts}))
        await store.add_plan(plan)
        for planned in plan[:2]:
            await store.lease(planned, attempt_id=planned.id, worker="w", lease_s=60)
            await store.log(planned.id).record_exchange(an_exchange(0))
            await store.finish_attempt(planned.id, an_outcome())
    return directory


@contextmanager
def opened(directory: RunDirectory) -> Iterator[StoredRun]:
    with closing(open_run(directory.database)) as reader:
        yield StoredRun(directory, reader)


async def test_a_campaign_is_reported_with_its_tables(tmp_path: Path) -> None:
    asked: list[tuple[bool, int]] = []

    def diversity(run: RunInfo, facts: Sequence[ConversationFacts]) -> Diversity:
        asked.append((run.campaign, len(facts)))
        return Diversity(reason="not today")

    with opened(await stored_run(tmp_path, campaign=True)) as stored:
        report = stored.report(Gate(), figures=Figures(diversity=diversity))
    sections = {section.id: section for section in report.sections}
    assert {"overview", "methods"} <= set(sections)
    assert sections["diversity"].text == ("Not computed: not today.",)
    assert asked == [(True, 3)]


async def test_another_run_is_reported_without(tmp_path: Path) -> None:
    with opened(await stored_run(tmp_path, campaign=False)) as stored:
        assert [section.id for section in stored.report(Gate()).sections] == ["ledger"]


async def test_facts_and_reports_of_all_conversations_are_read_from_the_rows(tmp_path: Path) -> None:
    with opened(await stored_run(tmp_path, campaign=True)) as stored:
        facts, reports = stored.facts(), list(stored.conversation_reports())
        assert [fact.id for fact in facts] == [report.id for report in reports] == ["c0001", "c0002", "c0003"]
        assert list(stored.conversation_reports("nobody")) == []
        assert stored.scenario() is stored.scenario()
