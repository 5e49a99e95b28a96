"""The ``sut:`` of a scenario as a specification: files found and read, names checked.

It builds no adapter and imports no code of users.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hairpin.domain.sut_spec import FaultSpec, LocalSut, OpenAiCompatibleSut, PythonSut, SutSpec, TestbedSut
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs.file_formats import FaultForm, LocalForm, OpenAiCompatibleForm, ScenarioFile, TestbedForm
from hairpin.packs.files import find_gguf, read_file
from hairpin.packs.functions import adapter_names, referenced_file, split_reference
from hairpin.packs.problems import Problems
from hairpin.packs.yaml_source import Document
from hairpin.packs.yaml_tree import decode
from hairpin.testbed.faults.registry import check_faults
from hairpin.testbed.wording import load_wording

PROVIDERS: Final = ("testbed", "openai-compatible", "local")


def resolve_sut(document: Document[ScenarioFile], folder: Path) -> SutSpec:
    """Return the specification of the scenario's assistant; relative files are below ``folder``.

    Raises:
        InvalidInputError: a file does not exist or cannot be read, or a name refers to nothing.
    """
    form, where = document.value.sut, document.where("sut")
    if isinstance(form, str):
        return _named(form, folder, where)
    if isinstance(form, TestbedForm):
        return _testbed(form, document)
    prompt = _system_prompt(form, document, folder)
    if isinstance(form, OpenAiCompatibleForm):
        return OpenAiCompatibleSut(
            base_url=form.base_url,
            model=form.model,
            system_prompt=prompt,
            api_key_env=form.api_key_env,
            parameters=form.parameters,
        )
    gguf = find_gguf(form.gguf, folder, where=document.where("sut", "gguf")) if form.gguf is not None else None
    return LocalSut(
        gguf=str(gguf) if gguf is not None else None,
        system_prompt=prompt,
        context_tokens=form.context_tokens,
        parameters=form.parameters,
    )


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
    if name == "testbed":
        return TestbedSut()
    if name == "local":
        return LocalSut()
    if name in PROVIDERS or name.startswith(("http://", "https://")):
        hint = "write {provider: openai-compatible, base_url: …, model: …}"
        raise InvalidInputError("sut needs an address and a model", where=where, hint=hint)
    if ":" in name or name.endswith(".py"):
        require_file(name, folder, where=where)
        inside = str(folder) if referenced_file(name, folder) is not None else None
        return PythonSut(reference=name, folder=inside)
    known = (*adapter_names(), "testbed", "local")
    if name not in known:
        hint = "write testbed, ./file.py:Name, package.module:Name or {provider: …}"
        raise UnknownReferenceError("assistant", name, where=where, known=known, hint=hint)
    return PythonSut(reference=name)


def _testbed(form: TestbedForm, document: Document[ScenarioFile]) -> TestbedSut:
    problems = Problems()
    faults = tuple(_fault(fault) for fault in form.faults)
    for index, fault in enumerate(faults):
        with problems.noted_at(document.where("sut", "faults", index)):
            check_faults([fault])
    if form.wording is not None:
        with problems.noted_at(document.where("sut", "wording")):
            load_wording(form.wording)
    problems.raise_if_any()
    return TestbedSut(faults=faults, wording=form.wording)


def _fault(fault: str | FaultForm) -> FaultSpec:
    if isinstance(fault, str):
        return FaultSpec(id=fault)
    return FaultSpec(id=fault.id, after=fault.after, probability=fault.probability)


def _system_prompt(
    form: OpenAiCompatibleForm | LocalForm, document: Document[ScenarioFile], folder: Path
) -> str | None:
    if form.system_prompt_file is None:
        return form.system_prompt
    place = document.where("sut", "system_prompt_file")
    path = folder / form.system_prompt_file
    return decode(read_file(path, "system prompt file", where=place), str(path))
