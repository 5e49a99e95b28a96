"""The format of ``campaign:``: defaults, and what is wrong named with line, value and way out."""

from __future__ import annotations

import pytest

from hairpin.errors import InvalidInputError
from hairpin.packs.campaign_formats import BaselineForm, CampaignForm, SeedFileForm, is_pool_file
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.yaml_source import load_model

BASE = "id: demo\nsut: testbed\nseed_phrases: [a]\n"


def refused(text: str) -> str:
    with pytest.raises(InvalidInputError) as caught:
        load_model(text.encode(), "s.yaml", ScenarioFile)
    return str(caught.value)


def form(text: str) -> CampaignForm:
    found = load_model(f"{BASE}campaign: {text}\n".encode(), "s.yaml", ScenarioFile).campaign
    assert found is not None
    return found


def test_an_empty_campaign_has_the_documented_defaults() -> None:
    found = form("{}")
    assert (found.time, found.conversations, found.max_distinct_failures) == (None, None, None)
    assert (found.arms, found.split, found.pairing) == (("guided",), "time", "independent")
    assert (found.runs, found.retries, found.max_turns, found.pools, found.suts) == (1, 1, None, None, {})
    assert found.baseline == BaselineForm(persona="neutral", max_turns=8)


@pytest.mark.parametrize("time", ["4h", "1h30m", "90", '"15m"', "0.5"])
def test_a_time_is_a_duration_or_a_number_of_seconds(time: str) -> None:
    assert form(f"{{time: {time}}}").time == time.strip('"')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{time: 4 hours}", "campaign.time must be a duration above 0, not '4 hours'; write it like 90s, 15m, 4h"),
        ("{time: 0}", "campaign.time must be a duration above 0, not '0'"),
        ("{tme: 4h}", "unknown key 'tme' in campaign; did you mean 'time'?"),
        ("{conversations: 0}", "campaign.conversations must be at least 1, not 0"),
        ("{runs: 0}", "campaign.runs must be at least 1, not 0"),
        ("{retries: -1}", "campaign.retries must be at least 0, not -1"),
        ("{arms: []}", "campaign.arms is empty"),
        ("{arms: [guided, guided]}", "campaign.arms[1] is listed twice"),
        ("{arms: [guide]}", "campaign.arms[0] must be 'guided' or 'baseline' or 'learned', not 'guide'; did you mean"),
        ("{arms: [learned, baseline]}", "campaign.arms learned: learning is always compared with uniform choice"),
        ("{learning: {epsilon: 2}}", "campaign.learning.epsilon must be at most 1, not 2"),
        ("{learning: {decay: 0}}", "campaign.learning.decay must be greater than 0, not 0"),
        ("{split: times}", "campaign.split must be 'time' or 'count' or 'total', not 'times'; did you mean 'time'?"),
        ("{pairing: pair}", "campaign.pairing must be 'independent' or 'paired', not 'pair'"),
        ("{max_turns: [8, 8]}", "campaign.max_turns[1] is listed twice"),
        ("{max_turns: [0]}", "campaign.max_turns[0] must be at least 1, not 0"),
        ("{max_turns: 8}", "campaign.max_turns must be a list, not 8"),
        ("{pools: [in car]}", "campaign.pools[0] must name a pool or a file, not 'in car'; names look like in_car/1"),
        ("{suts: {a: {provider: testbad}}}", "campaign.suts.a has an unknown provider 'testbad'; did you mean"),
        ("{suts: {a: {provider: recorded, file: x}}}", "campaign.suts.a is recorded, so no new conversation"),
        ("{baseline: {persona: a b}}", "campaign.baseline.persona must be the name of a pack, not 'a b'"),
    ],
)
def test_a_wrong_campaign_is_named_with_line_value_and_way_out(text: str, said: str) -> None:
    assert refused(f"{BASE}campaign: {text}\n").startswith(f"s.yaml:4: {said}")


@pytest.mark.parametrize("source", ["turns: [{user: a}]", "sut: {provider: recorded, file: x.jsonl}"])
def test_what_is_written_down_is_no_campaign(source: str) -> None:
    sut = "" if source.startswith("sut") else "sut: testbed\n"
    said = refused(f"id: demo\n{sut}{source}\ncampaign: {{time: 1h}}\n")
    assert "campaign needs a user who is not written down; remove it, or let the user speak freely" in said


def test_a_campaign_with_pools_needs_no_seed_phrases_beside_them() -> None:
    text = "id: demo\nsut: testbed\ncampaign: {pools: [in_car/1, ./mine.yaml]}\n"
    assert load_model(text.encode(), "s.yaml", ScenarioFile).seed_phrases is None
    assert "none of seed_phrases, turns, pool and" in refused(text.replace("pools", "runs").replace("[in_car/1", "1}#"))


def test_seed_phrases_may_lie_in_a_file() -> None:
    found = load_model(BASE.replace("[a]", "{file: ./p.txt}").encode(), "s.yaml", ScenarioFile)
    assert found.seed_phrases == SeedFileForm(file="./p.txt")
    assert refused(BASE.replace("[a]", "{fil: a}")).startswith("s.yaml:3: the key 'file' is missing in seed_phrases")


@pytest.mark.parametrize("name", ["./p", "../p.yaml", "/p.yaml", "pools/p.yml", "p.txt", "p.jsonl", "a/b.csv"])
def test_a_file_is_known_by_its_beginning_or_its_ending(name: str) -> None:
    assert is_pool_file(name)


@pytest.mark.parametrize("name", ["in_car/1", "in_car", "v1.2"])
def test_a_pack_is_no_file(name: str) -> None:
    assert not is_pool_file(name)
