"""The ``sut:`` blocks that a server prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.sut import SutIdentity
from hairpin.domain.sut_spec import HttpSut, OpenAiCompatibleSut, WebSocketSut
from hairpin.packs.finder import PackFinder
from hairpin.packs.scenarios import load_scenario
from hairpin.testbed.server.snippets import snippets

BLOCKS = snippets("127.0.0.1:8123", SutIdentity(name="testbed", version="1+F1@2~0.5?moving"))


@pytest.mark.parametrize("transport", list(BLOCKS))
def test_each_is_the_sut_of_a_scenario_that_names_the_assistant_as_it_names_itself(
    transport: str, tmp_path: Path
) -> None:
    file = tmp_path / "s.yaml"
    file.write_text(f"id: s\nturns: [{{user: Hi}}]\n{BLOCKS[transport]}", encoding="utf-8")
    sut = load_scenario(file, finder=PackFinder.standard(plugins=[])).sut
    assert isinstance(sut, HttpSut | WebSocketSut | OpenAiCompatibleSut)
    assert (sut.provider, sut.name, sut.version) == (transport, "testbed", "1+F1@2~0.5?moving")
