"""Adapters named in a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import PythonSut
from hairpin.errors import UserError
from hairpin.sut.references import adapter_of_reference

pytestmark = pytest.mark.anyio

MY_ICA = """
from hairpin.sut.base import TextAdapter

class MyIca(TextAdapter):
    async def reply(self, utterance, start, history):
        return f"{start.conversation_id}: {utterance}"

def function(utterance):
    return utterance[::-1]

constant = 7
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my_ica.py").write_text(MY_ICA, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("name", "answer"), [("MyIca", "c0001: hi"), ("function", "ih")])
async def test_a_file_beside_the_scenario_is_loaded(folder: Path, name: str, answer: str) -> None:
    adapter = adapter_of_reference(PythonSut(reference=f"./my_ica.py:{name}", folder=str(folder)))
    session = await adapter.open(SessionStart(conversation_id="c0001"))
    assert await session.send("hi") == SutReply(text=answer)
    assert adapter.describe().name == f"./my_ica.py:{name}"
    assert adapter.describe().version


async def test_a_changed_file_is_another_version(folder: Path) -> None:
    spec = PythonSut(reference="./my_ica.py:MyIca", folder=str(folder))
    before = adapter_of_reference(spec).describe()
    (folder / "my_ica.py").write_text(MY_ICA + "# changed\n", encoding="utf-8")
    assert adapter_of_reference(spec).describe() != before


async def test_an_object_of_a_package_is_loaded() -> None:
    adapter = adapter_of_reference(PythonSut(reference="string:capwords"))
    session = await adapter.open(SessionStart(conversation_id="c0001"))
    assert await session.send("hi there") == SutReply(text="Hi There")


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("./my_ica.py:MyIco", "MyIca"),
        ("./my_ica.py:constant", "an object of type int is no adapter"),
        ("./other.py:MyIca", r"other\.py"),
        ("no_such_package:Name", "no_such_package"),
        ("no-such-entry-point", "no-such-entry-point"),
    ],
)
def test_what_cannot_be_loaded_says_which_reference_and_why(folder: Path, reference: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        adapter_of_reference(PythonSut(reference=reference, folder=str(folder)))
    assert reference in str(caught.value)
