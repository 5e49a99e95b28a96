"""Replays that could not be compared or told about are refused before anything runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import structlog

from hairpin.app.inputs import RunInputs, load_inputs
from hairpin.app.replaying import cosines_of, replaying, require_replayable
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity
from hairpin.errors import EncoderError, InvalidInputError
from hairpin.metamorphic.text_vectors import numpy_pair_cosines
from hairpin.ports import SutAdapter, SutSession
from hairpin.settings import Settings
from hairpin.testbed.story.adapter import StoryAdapter
from hairpin.testing import FakeModelServer

SEEDS = '{"id": "told", "story": "Mina is a woman.", "questions": ["Who is Mina?", "How old is she?"]}\n'
UNTOLD = '{"id": "untold", "questions": ["Who is Mina?", "How old is she?"]}\n'


class Deaf(SutAdapter):
    """Takes no reference text."""

    capabilities = Capabilities()

    def describe(self) -> SutIdentity:
        return SutIdentity(name="deaf")

    async def open(self, start: SessionStart) -> SutSession:
        raise AssertionError(f"{start} is opened before anything is checked")


def inputs(folder: Path, *, url: str = "http://127.0.0.1:9/v1", seeds: str = UNTOLD + SEEDS) -> RunInputs:
    (folder / "seeds.jsonl").write_text(seeds, encoding="utf-8")
    encoder = f"{{model: words, base_url: '{url}'}}"
    scenario = folder / "s.yaml"
    scenario.write_text(
        f"id: s\nsut: story\ntest_seeds: ./seeds.jsonl\nmetamorphic: {{encoder: {encoder}}}\n", encoding="utf-8"
    )
    return load_inputs(scenario)


def with_encoder(found: RunInputs, model: str) -> RunInputs:
    assert found.scenario.metamorphic is not None
    spec = found.scenario.metamorphic.model_copy(update={"encoder": EncoderSpec(model=model)})
    return replace(found, scenario=found.scenario.model_copy(update={"metamorphic": spec}))


def test_an_encoder_that_is_not_there_is_told_with_the_way_out(tmp_path: Path) -> None:
    missing = with_encoder(inputs(tmp_path), str(tmp_path / "nothing"))
    with pytest.raises(InvalidInputError, match=r"'s', metamorphic: answers cannot be compared: .*nothing.*encoder: …"):
        require_replayable(missing, {"story": StoryAdapter()}, Settings())


def test_an_assistant_that_takes_no_story_is_refused_where_a_test_seed_has_one(tmp_path: Path) -> None:
    found = inputs(tmp_path)
    require_replayable(found, {"story": StoryAdapter()}, Settings())
    with pytest.raises(
        InvalidInputError, match=r"'deaf': takes no reference text, and 1 of 2 test seeds have one, such as 'told'"
    ):
        require_replayable(found, {"story": StoryAdapter(), "deaf": Deaf()}, Settings())


def test_where_no_test_seed_has_a_story_any_assistant_will_do(tmp_path: Path) -> None:
    found = inputs(tmp_path, seeds=UNTOLD)
    require_replayable(found, {"deaf": Deaf()}, Settings())
    with pytest.raises(InvalidInputError, match="cannot be compared"):
        require_replayable(with_encoder(found, str(tmp_path / "no")), {"deaf": Deaf()}, Settings())


def test_a_scenario_that_replays_nothing_needs_nothing(tmp_path: Path) -> None:
    scenario = tmp_path / "s.yaml"
    scenario.write_text("id: s\nsut: testbed\nturns: [{user: hello}]\n", encoding="utf-8")
    found = load_inputs(scenario)
    assert found.scenario.metamorphic is None
    require_replayable(found, {"deaf": Deaf()}, Settings())


@pytest.mark.anyio
async def test_what_replays_are_made_with_is_there_for_the_time_of_the_block(tmp_path: Path) -> None:
    logger = structlog.get_logger()
    async with FakeModelServer() as server:
        found = inputs(tmp_path, url=server.base_url)
        async with replaying(found, {}, Settings(), logger) as given:
            assert given is not None
            assert set(given.test_seeds) == {"told", "untold"}
            assert given.writer is None
            assert (await given.encoder.encode(["a", "b", "a"])).shape[0] == 3
        with pytest.raises(EncoderError):
            await given.encoder.encode(["c"])
    with pytest.raises(EncoderError, match="nothing"):
        async with replaying(with_encoder(found, str(tmp_path / "nothing")), {}, Settings(), logger):
            pass


@pytest.mark.anyio
async def test_where_nothing_is_replayed_there_is_nothing(tmp_path: Path) -> None:
    scenario = tmp_path / "s.yaml"
    scenario.write_text("id: s\nsut: testbed\nturns: [{user: hello}]\n", encoding="utf-8")
    async with replaying(load_inputs(scenario), {}, Settings(), structlog.get_logger()) as given:
        assert given is None


def test_vectors_from_elsewhere_and_on_the_processor_are_compared_by_numpy() -> None:
    for spec in (EncoderSpec(model="m", base_url="http://127.0.0.1/v1"), EncoderSpec(device="cpu")):
        assert cosines_of(spec) is numpy_pair_cosines
