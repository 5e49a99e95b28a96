"""Adapters named in a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import JsonValue

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

class Tuned(TextAdapter):
    def __init__(self, model: str, *, temperature: float = 0.5) -> None:
        self.words = f"{model} at {temperature}"
        if temperature > 1:
            raise ValueError("too hot")

    async def reply(self, utterance, start, history):
        return self.words

def make(**options):
    return Tuned(**options)

def maker_of_function(prefix):
    return lambda utterance: prefix + utterance

async def late(model):
    return Tuned(model)

tuned = Tuned("x")
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


@pytest.mark.parametrize(
    ("name", "options", "answer"),
    [
        ("Tuned", {"model": "m"}, "m at 0.5"),
        ("Tuned", {"model": "m", "temperature": 1}, "m at 1"),
        ("make", {"model": "m"}, "m at 0.5"),
        ("maker_of_function", {"prefix": "> "}, "> hi"),
    ],
)
async def test_options_are_keyword_arguments_of_a_class_or_of_a_function_that_makes_an_adapter(
    folder: Path, name: str, options: dict[str, JsonValue], answer: str
) -> None:
    spec = PythonSut(reference=f"./my_ica.py:{name}", folder=str(folder), options=options)
    session = await adapter_of_reference(spec).open(SessionStart(conversation_id="c0001"))
    assert await session.send("hi") == SutReply(text=answer)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        (
            "Tuned",
            {"modle": "m"},
            "takes no option 'modle': it is Tuned(model, *, temperature=0.5); did you mean 'model'?",
        ),
        ("Tuned", {"temperature": 1}, "needs model, which 'options' does not give"),
        ("Tuned", {"model": "m", "temperature": 2}, "making the adapter raised ValueError: too hot"),
        ("make", {"nonsense": 1}, "making the adapter raised TypeError"),
        ("MyIca", {"model": "m"}, "takes no option 'model': it is MyIca()"),
        ("function", {"prefix": "m"}, "takes no option 'prefix': it is function(utterance)"),
        ("function", {"utterance": "m"}, "an object of type str is no adapter"),
        ("tuned", {"model": "m"}, "takes no options: it is an object of type Tuned, which is made already"),
        ("late", {"model": "m"}, "takes no options: it is async"),
    ],
)
def test_options_that_do_not_fit_are_the_users_to_mend(
    folder: Path, name: str, options: dict[str, JsonValue], said: str
) -> None:
    with pytest.raises(UserError) as caught:
        adapter_of_reference(PythonSut(reference=f"./my_ica.py:{name}", folder=str(folder), options=options))
    assert said in str(caught.value)
    assert f"./my_ica.py:{name}" in str(caught.value)
