"""The ``models:`` of a scenario as specifications per role: defaults spread, files found.

It connects to nothing and reads no environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from hairpin.domain.model_spec import AzureModel, CompatibleModel, LocalModel, ModelLimits, ModelSpec, OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.domain.panels import PANEL_ROLES, PanelSpec
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.files import find_gguf
from hairpin.packs.model_formats import LOCAL, OFFLINE, OPENAI_PREFIX, LocalModelForm, ModelChoice, PanelForm
from hairpin.packs.problems import Problems
from hairpin.packs.yaml_source import Document

DEFAULT_KEY: Final = "default"
NAMED_ONLY: Final = frozenset({Role.SIMULATOR_REVIEWER})
"""The roles that ``default`` does not play."""

_VALUES: Final[Mapping[str, type[OpenAiModel | AzureModel | CompatibleModel | LocalModel]]] = {
    "openai": OpenAiModel,
    "azure": AzureModel,
    "openai-compatible": CompatibleModel,
    "local": LocalModel,
}


def resolve_models(document: Document[ScenarioFile], folder: Path) -> Mapping[Role, ModelSpec]:
    """Return the model of each role that is not offline, in the order of the roles; files are below ``folder``.

    Raises:
        InvalidInputError: a model file does not exist.
    """
    models: dict[Role, ModelSpec] = {}
    problems = Problems()
    for role in Role:
        named = document.has("models", role.value)
        if role in NAMED_ONLY and not named:
            continue
        key = role.value if named else DEFAULT_KEY
        choice: ModelChoice | PanelForm | None = getattr(document.value.models, key)
        if choice is None or choice == OFFLINE or _is_panel(choice):
            continue
        assert not isinstance(choice, PanelForm)
        make = partial(_spec, choice, folder, document.where("models", key, "gguf"))
        spec = problems.attempt(make)
        if spec is not None:
            models[role] = spec
    problems.raise_if_any()
    return models


def resolve_panels(document: Document[ScenarioFile], folder: Path) -> Mapping[Role, PanelSpec]:
    """Return the judges that several play, or one several times; files are below ``folder``.

    Raises:
        InvalidInputError: a model file does not exist.
    """
    panels: dict[Role, PanelSpec] = {}
    problems = Problems()
    for role in PANEL_ROLES:
        choice: ModelChoice | PanelForm | None = getattr(document.value.models, role.value)
        if choice is None or not _is_panel(choice):
            continue
        members = choice.panel if isinstance(choice, PanelForm) else (choice,)
        places = [("panel", n, "gguf") if isinstance(choice, PanelForm) else ("gguf",) for n in range(len(members))]
        specs = [
            None if member == OFFLINE else problems.attempt(partial(_spec, member, folder, document.where(*path)))
            for member, place in zip(members, places, strict=True)
            for path in (("models", role.value, *place),)
        ]
        panels[role] = PanelSpec(members=tuple(specs), repeats=getattr(choice, "repeats", None) or 1)
    problems.raise_if_any()
    return panels


def _is_panel(choice: ModelChoice | PanelForm) -> bool:
    """Whether more than one vote is cast."""
    if isinstance(choice, PanelForm):
        return True
    return not isinstance(choice, str) and (choice.repeats or 1) > 1


def _spec(choice: ModelChoice, folder: Path, gguf_where: str) -> ModelSpec:
    if isinstance(choice, str):
        return LocalModel() if choice == LOCAL else OpenAiModel(model=choice.removeprefix(OPENAI_PREFIX))
    value = _VALUES[choice.provider]
    told = choice.model_dump(exclude_unset=True, exclude={"repeats"})
    given = {key: field for key, field in told.items() if field is not None}
    if choice.limits is not None:
        limits: ModelLimits = value.model_fields["limits"].default
        given["limits"] = limits.model_copy(update=choice.limits.model_dump(exclude_none=True))
    if isinstance(choice, LocalModelForm) and choice.gguf is not None:
        given["gguf"] = str(find_gguf(choice.gguf, folder, where=gguf_where))
    return value.model_validate(given)
