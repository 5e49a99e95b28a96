"""The ``sut:`` of a scenario as a specification: files found and read, names checked.

It builds no adapter and imports no code of users.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hairpin.domain.sut_spec import (
    FaultSpec,
    LocalSut,
    OpenAiCompatibleSut,
    PythonSut,
    RecordedSut,
    StorySut,
    SutSpec,
    TestbedSut,
)
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs.configured_suts import http_sut, langgraph_sut, process_sut, websocket_sut
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.files import find_gguf, is_folder, is_there, read_file
from hairpin.packs.functions import adapter_names, referenced_file, split_reference
from hairpin.packs.problems import Problems
from hairpin.packs.secrets import mask_urls
from hairpin.packs.sut_formats import (
    FaultForm,
    HttpForm,
    LangGraphForm,
    LocalForm,
    OpenAiCompatibleForm,
    ProcessForm,
    PythonForm,
    RecordedForm,
    StoryForm,
    SutForm,
    TestbedForm,
    WebSocketForm,
)
from hairpin.packs.tree_paths import TreePath
from hairpin.packs.yaml_source import Document
from hairpin.packs.yaml_tree import decode
from hairpin.testbed.faults.registry import check_faults
from hairpin.testbed.story.faults import check_story_faults
from hairpin.testbed.wording import load_wording

PROVIDERS: Final = (
    "testbed",
    "story",
    "python",
    "recorded",
    "openai-compatible",
    "local",
    "http",
    "websocket",
    "process",
    "langgraph",
)
_ALONE: Final[Mapping[str, SutSpec]] = {"testbed": TestbedSut(), "story": StorySut(), "local": LocalSut()}
"""Those that need nothing but their name."""

_EXAMPLES: Final[Mapping[str, str]] = {
    "python": "./my_ica.py:MyIca, or {provider: python, adapter: ./my_ica.py:MyIca, options: {…}}",
    "recorded": "{provider: recorded, file: chats.jsonl}",
    "openai-compatible": "{provider: openai-compatible, base_url: …, model: …}",
    "http": '{provider: http, url: …, body: {message: "{utterance}"}, reply: path.of.the.words}',
    "websocket": '{provider: websocket, url: ws://…, send: {message: "{utterance}"}, reply: path.of.the.words}',
    "process": "{provider: process, command: [python, my_bot.py]}",
    "langgraph": "{provider: langgraph, graph: ./app.py:graph}",
}
_PROMPTS: Final = {"system_prompt", "system_prompt_file"}


def resolve_sut(form: SutForm, document: Document[ScenarioFile], folder: Path, *, at: TreePath = ("sut",)) -> SutSpec:
    """Return the specification of the assistant that stands ``at`` in a scenario; relative files are below ``folder``.

    Raises:
        InvalidInputError: a file does not exist or cannot be read, or a name refers to nothing.
    """
    place = _Place(document, folder, at)
    match form:
        case str() as name:
            return _named(name, folder, place.where())
        case TestbedForm():
            return _testbed(form, place)
        case StoryForm():
            return _story(form, place)
        case PythonForm():
            return _python(form, folder, place.where("adapter"))
        case RecordedForm():
            return _recorded(form, folder, place.where("file"))
        case OpenAiCompatibleForm():
            return OpenAiCompatibleSut(system_prompt=_system_prompt(form, place), **form.model_dump(exclude=_PROMPTS))
        case LocalForm():
            return _local(form, place)
        case HttpForm() | WebSocketForm() | ProcessForm() | LangGraphForm():
            return _configured(form, place)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an assistant is written, and the folder that its files are below."""

    document: Document[ScenarioFile]
    folder: Path
    at: TreePath

    def where(self, *path: str | int) -> str:
        return self.document.where(*self.at, *path)


def named_sut(name: str, folder: Path, *, where: str) -> SutSpec:
    """Return the specification of an assistant that is named by a text alone; relative files are below ``folder``.

    Raises:
        InvalidInputError: a file does not exist, the name says too little, or it refers to nothing.
    """
    return _named(name, folder, where)


def require_file(reference: str, folder: Path, *, where: str) -> None:
    """Check that the file of a reference ``./file.py:name`` exists; others are checked when they are imported.

    Raises:
        InvalidInputError: it does not, or the reference names no object.
    """
    split_reference(reference, where=where)
    file = referenced_file(reference, folder)
    if file is not None:
        read_file(file, "Python file", where=where)


def _named(name: str, folder: Path, where: str) -> SutSpec:
    if name in _ALONE:
        return _ALONE[name]
    if name in PROVIDERS or "://" in name:
        provider = name if name in PROVIDERS else "websocket" if name.startswith("ws") else "http"
        hint = f"write {_EXAMPLES[provider]}"
        raise InvalidInputError(f"sut {mask_urls(name)!r} does not say enough", where=where, hint=hint)
    if ":" in name or name.endswith(".py"):
        require_file(name, folder, where=where)
        inside = str(folder) if referenced_file(name, folder) is not None else None
        return PythonSut(reference=name, folder=inside)
    known = (*adapter_names(), *_ALONE)
    if name not in known:
        hint = "write testbed, ./file.py:Name, package.module:Name or {provider: …}"
        raise UnknownReferenceError("assistant", name, where=where, known=known, hint=hint)
    return PythonSut(reference=name)


def _configured(form: HttpForm | WebSocketForm | ProcessForm | LangGraphForm, place: _Place) -> SutSpec:
    match form:
        case HttpForm():
            return http_sut(form)
        case WebSocketForm():
            return websocket_sut(form)
        case ProcessForm():
            return process_sut(form, place.folder)
    require_file(form.graph, place.folder, where=place.where("graph"))
    return langgraph_sut(form, place.folder)


def _python(form: PythonForm, folder: Path, where: str) -> PythonSut:
    named = _named(form.adapter, folder, where)
    if not isinstance(named, PythonSut):
        hint = "name a Python object: ./file.py:Name, package.module:Name or an installed adapter"
        raise InvalidInputError(f"{form.adapter!r} is no adapter in Python", where=where, hint=hint)
    return named.model_copy(update={"options": form.options})


def _recorded(form: RecordedForm, folder: Path, where: str) -> RecordedSut:
    path = folder / form.file
    if not is_there(path) or is_folder(path):
        # For its message: the file itself may be larger than files of settings are.
        read_file(path, "file of conversations", where=where)
    return RecordedSut(**form.model_dump(exclude={"file"}), file=str(path))


def _local(form: LocalForm, place: _Place) -> LocalSut:
    gguf = find_gguf(form.gguf, place.folder, where=place.where("gguf")) if form.gguf is not None else None
    return LocalSut(
        gguf=str(gguf) if gguf is not None else None,
        system_prompt=_system_prompt(form, place),
        context_tokens=form.context_tokens,
        parameters=form.parameters,
    )


def _testbed(form: TestbedForm, place: _Place) -> TestbedSut:
    problems = Problems()
    faults = _faults(form.faults)
    for index, fault in enumerate(faults):
        with problems.noted_at(place.where("faults", index)):
            check_faults([fault])
    if form.wording is not None:
        with problems.noted_at(place.where("wording")):
            load_wording(form.wording)
    problems.raise_if_any()
    return TestbedSut(faults=faults, wording=form.wording)


def _story(form: StoryForm, place: _Place) -> StorySut:
    problems = Problems()
    faults = _faults(form.faults)
    for index, fault in enumerate(faults):
        with problems.noted_at(place.where("faults", index)):
            check_story_faults([fault])
    problems.raise_if_any()
    return StorySut(faults=faults, story=form.story)


def _faults(forms: Sequence[str | FaultForm]) -> tuple[FaultSpec, ...]:
    return tuple(FaultSpec(id=form) if isinstance(form, str) else FaultSpec(**form.model_dump()) for form in forms)


def _system_prompt(form: OpenAiCompatibleForm | LocalForm, place: _Place) -> str | None:
    if form.system_prompt_file is None:
        return form.system_prompt
    path = place.folder / form.system_prompt_file
    return decode(read_file(path, "system prompt file", where=place.where("system_prompt_file")), str(path))
