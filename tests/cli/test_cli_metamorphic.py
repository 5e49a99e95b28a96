"""``hairpin metamorphic``: what an estimate refuses before it tells anything, and replays of a campaign."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli
    from tests.cli.replay_runs import ReplayRuns

ASSISTANT = "def answer(utterance: str) -> str:\n    return utterance\n"
TOLD = {"id": "told", "story": "Mina is 40 years old.", "questions": ["Who is Mina?", "How old is she?"]}


@pytest.mark.parametrize("estimate", [(), ("--estimate",)])
def test_an_estimate_refuses_an_assistant_that_takes_no_reference_text_as_the_run_does(
    cli: Cli, estimate: tuple[str, ...]
) -> None:
    cli.write("ica.py", ASSISTANT)
    cli.write("seeds.jsonl", json.dumps(TOLD) + "\n")
    told = cli("metamorphic", "seeds.jsonl", "--sut", "./ica.py:answer", *estimate)
    assert (told.code, told.out) == (2, "")
    assert "takes no reference text, and 1 of 1 test seeds have one, such as 'told'" in told.err


def test_an_estimate_of_what_could_be_run_is_told(cli: Cli) -> None:
    cli.write("ica.py", ASSISTANT)
    cli.write("seeds.jsonl", json.dumps({**TOLD, "story": None}) + "\n")
    told = cli("metamorphic", "seeds.jsonl", "--sut", "./ica.py:answer", "--estimate")
    assert told.code == 0
    assert "replays: up to" in told.out
    assert not (cli.folder / "runs").exists()


def test_in_the_report_of_a_campaign_sections_of_replays_say_that_they_are(cli: Cli, replays: ReplayRuns) -> None:
    cli.write("ica.py", ASSISTANT)
    cli.write(
        "c.yaml",
        f"""
        id: echoes
        sut: ./ica.py:answer
        seed_phrases: [hello there]
        max_turns: 3
        checks: [{{contains: e}}]
        oracles: []
        campaign: {{conversations: 2}}
        metamorphic: {{perturbations: [RS], encoder: {{model: words, base_url: "{replays.url}"}}}}
        """,
    )
    assert cli("campaign", "c.yaml", "--fail-on", "none").code == 0
    assert cli("report", "echoes", "--format", "md", "--out", "rep", "--fail-on", "none").code == 0
    (report,) = (cli.folder / "rep").glob("*.md")
    titles = [line.lstrip("# ") for line in report.read_text(encoding="utf-8").splitlines() if line.startswith("##")]
    assert {"Replays: Violations", "Replays: Relations", "Replays: Effort", "What replays found"} <= set(titles)
    assert not {"Violations", "Relations", "Effort"} & set(titles)
