"""``hairpin seeds`` against a model server on a real socket."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hairpin.packs.pack_formats import SeedPoolFile
from hairpin.packs.yaml_source import load_model
from hairpin.testing import Answer, FakeAnswer, FakeModelServer, FakeRequest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

SCENARIO = """
    id: ride
    sut: testbed
    seed_phrases: [Take me to Ulm]
    models: {{simulator: {{provider: openai-compatible, base_url: "{url}", model: m}}}}
"""


def written(*phrases: str) -> FakeAnswer:
    return FakeAnswer(json.dumps({"phrases": phrases}))


def endless(request: FakeRequest) -> Answer:
    """Write three phrases that nobody wrote before, one that is known, and one twice."""
    n = request.last_user_text.count("> Phrase")
    new = [f"Phrase {letter * (n + 1)} please" for letter in "abc"]
    return written(*new, new[0].upper(), "take me to ULM!")


def read(cli: Cli, name: str) -> SeedPoolFile:
    return load_model((cli.folder / name).read_bytes(), name, SeedPoolFile)


def test_a_pool_is_filled_and_says_where_it_came_from(cli: Cli) -> None:
    with FakeModelServer(default=endless) as server:
        cli.write("s.yaml", SCENARIO.format(url=server.base_url))
        told = cli("seeds", "s.yaml", "--out", "mine.yaml", "--number", "7", "--task", "find_food=something to eat")
        n_requests = len(server.requests)
        first = server.requests[0].last_user_text
    assert (told.code, told.out) == (0, "mine.yaml\n")
    pool = read(cli, "mine.yaml")
    assert {task: len(phrases) for task, phrases in (pool.tasks or {}).items()} == {"find_food": 7}
    assert n_requests == 3
    assert "something to eat" in first
    assert f"requests: {n_requests}" in told.err
    assert "twice" in told.err
    text = (cli.folder / "mine.yaml").read_text()
    assert "# Written by a model: openai-compatible m" in text
    assert "seed_writer version 1, SHA-256" in text
    assert "random seed 1" in text


def test_the_pool_can_be_used_at_once(cli: Cli) -> None:
    with FakeModelServer(default=endless) as server:
        cli.write("s.yaml", SCENARIO.format(url=server.base_url))
        cli("seeds", "s.yaml", "--out", "mine.yaml", "--number", "3")
    assert list(read(cli, "mine.yaml").tasks or {}) == ["any"]
    cli.write("c.yaml", "id: c\nsut: testbed\nmax_turns: 2\ncampaign: {conversations: 1, pools: [./mine.yaml]}\n")
    assert cli("campaign", "c.yaml", "--fail-on", "none").code == 0
    assert "Phrase" in (cli.run_folder() / "scenario.yaml").read_text()


def test_a_model_with_nothing_to_add_is_not_asked_for_ever(cli: Cli) -> None:
    with FakeModelServer(default=written("Bring me to Bonn", "Take me to ulm")) as server:
        cli.write("s.yaml", SCENARIO.format(url=server.base_url))
        told = cli("seeds", "s.yaml", "--out", "mine.yaml", "--number", "5")
        assert len(server.requests) == 4
    assert told.code == 3
    assert "any: 1 of 5 phrases; the model had no more to add" in told.err
    assert read(cli, "mine.yaml").tasks == {"any": ("Bring me to Bonn",)}


def test_what_was_written_before_the_model_failed_is_kept(cli: Cli) -> None:
    with FakeModelServer(written("Bring me to Bonn"), default=FakeAnswer.error(400, "no more")) as server:
        cli.write("s.yaml", SCENARIO.format(url=server.base_url))
        told = cli("seeds", "s.yaml", "--out", "mine.yaml", "--number", "5")
    assert told.code == 3
    assert "1 of 5 phrases;" in told.err
    assert read(cli, "mine.yaml").tasks == {"any": ("Bring me to Bonn",)}


def test_a_limit_of_tokens_is_kept(cli: Cli) -> None:
    with FakeModelServer(default=endless) as server:
        cli.write("s.yaml", SCENARIO.format(url=server.base_url))
        told = cli("seeds", "s.yaml", "--out", "mine.yaml", "--max-tokens", "1")
        assert not server.requests
    assert (told.code, told.out) == (3, "")
    assert not (cli.folder / "mine.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "mine.yaml"], "no model plays the simulated user"),
        (["--out", "s.yaml"], "there is a file already"),
        (["--out", "no/mine.yaml"], "there is no folder 'no'"),
        (["--out", "mine.txt"], "'mine.txt' is no name of a pool file"),
        (["--out", "mine.yaml", "--task", "a b"], "'a b' is no id of a task"),
        (["--out", "mine.yaml", "--task", "a", "--task", "a=b"], "'a' is given twice"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_paid_for(cli: Cli, arguments: list[str], message: str) -> None:
    cli.write("s.yaml", "id: ride\nsut: testbed\nseed_phrases: [Take me to Ulm]\n")
    told = cli("seeds", "s.yaml", *arguments)
    assert (told.code, told.out) == (2, "")
    assert message in told.err
