"""Sections of replays beside those of a campaign."""

from __future__ import annotations

from hairpin.reports.metamorphic import beside_a_campaign
from hairpin.reports.tables import Section


def test_beside_a_campaign_titles_say_that_they_are_of_replays_unless_they_do_already() -> None:
    titles = ("What replays found", "Violations", "Relations", "Methods of replays")
    sections = tuple(Section(id=f"s{n}", title=title) for n, title in enumerate(titles))
    found = beside_a_campaign(sections)
    assert [each.title for each in found] == [
        "What replays found",
        "Replays: Violations",
        "Replays: Relations",
        "Methods of replays",
    ]
    assert [each.id for each in found] == [each.id for each in sections]
