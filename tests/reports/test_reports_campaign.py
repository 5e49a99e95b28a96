"""The report of a campaign as a whole: which sections there are, and that degenerate campaigns have them, too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

import html5lib
import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing
from hairpin.reports.campaign import campaign_sections
from hairpin.reports.html import MOST_ROWS, render_html
from hairpin.reports.tables import Section, all_tables
from tests.reports.sample_campaign import (
    SUTS,
    a_campaign,
    campaign_facts,
    section,
    shown_rows,
    some_results,
    some_sections,
    table_of,
    titles,
)
from tests.reports.sample_run import a_report


def page(sections: Sequence[Section]) -> Element:
    report = a_report().model_copy(update={"sections": tuple(sections)})
    root = html5lib.parse(render_html(report), namespaceHTMLElements=False)
    assert isinstance(root, Element)
    return root


def ids(sections: Sequence[Section]) -> list[str]:
    return [each.id for each in sections]


def test_a_campaign_has_all_sections_in_order() -> None:
    assert ids(some_sections()) == [
        *("overview", "comparison", "over-time", "strategies", "profile"),
        *("distinct", "diversity", "coverage", "certainty", "methods"),
    ]


def test_what_failed_comes_before_what_each_arm_found() -> None:
    root = page(some_sections())
    placed = [element.get("id") for element in root.iter("section") if element.get("id")]
    assert placed.index("failures") < placed.index("assistants") < placed.index("overview")
    (nav,) = root.iter("nav")
    assert [str(link.get("href"))[1:] for link in nav.iter("a")] == placed


def test_no_id_is_there_twice() -> None:
    assert len(all_tables(some_sections())) > 30
    found = [element.get("id") for element in page(some_sections()).iter() if element.get("id")]
    assert len(found) == len(set(found))


def test_every_link_and_every_reference_in_a_drawing_leads_somewhere() -> None:
    root = page(some_sections())
    found = {element.get("id") for element in root.iter()}
    for element in root.iter():
        for name, value in element.attrib.items():
            if str(name).endswith("href") and value != "data:,":
                assert value.startswith("#"), (element.tag, value)
                assert value[1:] in found
            for reference in re.findall(r"url\((.*?)\)", value):
                assert reference.startswith("#"), (element.tag, value)
                assert reference[1:] in found


def test_the_page_still_runs_and_loads_nothing() -> None:
    root = page(some_sections())
    tags = {str(element.tag).rpartition("}")[2] for element in root.iter()}
    assert "svg" in tags
    assert not tags & {"script", "img", "image", "iframe", "object", "embed", "foreignObject", "animate", "set"}
    assert not [name for element in root.iter() for name in element.attrib if str(name).startswith("on")]
    assert len([element for element in root.iter() if element.tag == "style"]) == 1


def test_a_campaign_gives_the_same_sections_again() -> None:
    facts = campaign_facts(40)
    assert campaign_sections(some_results(facts), titles()) == campaign_sections(some_results(facts), titles())


def test_a_hostile_name_of_an_assistant_is_shown_literally() -> None:
    evil = "<script>alert(1)</script>=cmd|' $x^"
    facts = tuple(fact.model_copy(update={"sut": evil}) for fact in campaign_facts(40, suts=("x",)))
    root = page(campaign_sections(some_results(facts, suts=(evil,)), titles()))
    assert not [element for element in root.iter() if str(element.tag).endswith("script")]
    assert evil in "".join(root.itertext())


def test_long_tables_are_cut_on_the_page_and_say_so() -> None:
    table = table_of(section(some_sections(), "overview"), "outcomes")
    long = table.model_copy(update={"rows": table.rows * 50})
    text = "".join(page([Section(id="s", title="S", parts=(long,))]).itertext())
    assert f"The first {MOST_ROWS} of {len(long.rows)} rows; the CSV file has all." in text


def test_tables_of_many_columns_take_what_width_the_window_has() -> None:
    root = page(some_sections())
    boxes = {
        str(box.get("id")): str(scroll.get("class"))
        for box in root.iter("div")
        for scroll in box
        if box.get("class") == "data" and "scroll" in str(scroll.get("class"))
    }
    assert boxes["table-strategies-by-mode"] == "scroll many"
    assert boxes["table-profile"] == "scroll"
    styles = "".join(next(root.iter("style")).itertext())
    assert ".data > .scroll { width: min-content; min-width: 100%; max-width: calc(100vw - 3rem);" in styles
    assert ".data tr > :first-child { position: sticky; left: 0;" in styles


def changed(standing: Standing | None) -> tuple[ConversationFacts, ...]:
    if standing is None:
        return ()
    update = {"standing": standing, "success_score": None, "failures": (), "active_s": None}
    return tuple(fact.model_copy(update=update) for fact in campaign_facts(6))


@pytest.mark.parametrize("standing", [None, *Standing])
def test_degenerate_campaigns_have_a_report(standing: Standing | None) -> None:
    """No conversation, none rated, no failure, no time: stated results, never NaN, never a crash."""
    sections = campaign_sections(some_results(changed(standing)), titles())
    text = "".join(page(sections).itertext())
    assert "over-time" not in ids(sections)
    assert not re.search(r"\bnan\b|\binf\b|None", text)


def test_one_arm_alone_is_compared_with_nothing() -> None:
    spec = a_campaign(arms=(Arm.GUIDED,))
    sections = campaign_sections(some_results(campaign_facts(30, arms=(Arm.GUIDED,)), spec=spec), titles())
    assert not {"comparison", "profile"} & set(ids(sections))
    assert {"overview", "strategies", "certainty"} <= set(ids(sections))


def test_the_baseline_alone_has_no_strategies() -> None:
    spec = a_campaign(arms=(Arm.BASELINE,))
    sections = campaign_sections(some_results(campaign_facts(30, arms=(Arm.BASELINE,)), spec=spec), titles())
    assert "strategies" not in ids(sections)


def test_one_conversation_is_enough() -> None:
    sections = campaign_sections(some_results(campaign_facts(1)), titles())
    rows = shown_rows(table_of(section(sections, "overview"), "outcomes"))
    assert [row[2] for row in rows[:2]] == ["1", "0"]
    assert len(rows) == 2 + 2 * len(SUTS)
