"""Checking an assistant by itself: which one a name means, what is said to it, and the kit put to work.

It judges nothing; ``sut.conformance`` does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import anyio

from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import (
    HttpSut,
    OpenAiCompatibleSut,
    ProcessSut,
    PythonSut,
    RecordedSut,
    StorySut,
    SutSpec,
    TestbedSut,
    WebSocketSut,
)
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs.files import is_file
from hairpin.packs.finder import PackFinder
from hairpin.packs.functions import adapter_names
from hairpin.packs.kinds import PackKind
from hairpin.packs.scenarios import load_scenario
from hairpin.packs.sut_forms import PROVIDERS, named_sut
from hairpin.ports import SutAdapter
from hairpin.settings import Settings
from hairpin.sut.build import build_adapter
from hairpin.sut.conformance.ground import Outcome
from hairpin.sut.conformance.kit import check_adapter
from hairpin.sut.conformance.misbehaviour import check_misbehaviour
from hairpin.sut.conformance.report import ConformanceReport, ConformanceSettings, Finding

_SAYS_FOR: Final[Mapping[str, str]] = {"testbed": "navigation"}
"""The shipped scenario whose seed phrases are said to an assistant that is named without one."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """An assistant to be checked, what is said to it, and how hard it is tried."""

    sut: SutSpec
    utterances: tuple[str, ...]
    settings: ConformanceSettings


def load_check(
    reference: str,
    *,
    packs: Sequence[Path] = (),
    say: Sequence[str] = (),
    n_sessions: int | None = None,
    timeout_s: float | None = None,
) -> CheckRequest:
    """Return what is to be checked.

    Args:
        reference: a scenario file or the name of a shipped scenario, whose assistant is meant; or an assistant:
            ``testbed``, an installed adapter, ``package.module:Name``, ``./file.py:Name``.
        packs: folders searched before all others.
        say: utterances, in place of those of the scenario.
        n_sessions: how many sessions are open at once under load.
        timeout_s: for one turn; default: the scenario's.

    Raises:
        UserError: it refers to nothing, cannot be read, or is no assistant that could be asked.
    """
    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    given: dict[str, object] = {"n_sessions": n_sessions, "timeout_s": timeout_s}
    if _names_assistant(reference):
        sut, utterances = named_sut(reference, Path.cwd(), where=reference), _usual_words(reference, finder)
    else:
        scenario = _scenario(reference, finder)
        sut, utterances = scenario.sut, _words_of(scenario)
        given["timeout_s"] = timeout_s or scenario.turn_timeout_s
        given["context"] = scenario.contexts[0]
        given["rng_seed"] = scenario.rng_seed
    if isinstance(sut, RecordedSut):
        hint = "name the assistant that said them"
        raise InvalidInputError("recorded conversations are no assistant to check", where=reference, hint=hint)
    settings = ConformanceSettings.model_validate({name: value for name, value in given.items() if value is not None})
    return CheckRequest(sut=sut, utterances=tuple(say) or utterances, settings=settings)


async def check_sut(
    request: CheckRequest,
    settings: Settings,
    *,
    tell: Callable[[Finding], object] | None = None,
    stopping: anyio.CancelScope | None = None,
) -> ConformanceReport:
    """Check the assistant; ``tell`` is called with each finding as soon as it is there.

    Once ``stopping`` is cancelled, what was found so far is returned.

    Raises:
        UserError: the adapter cannot be built, or opens no session before something is mended.
        SutConnectionError: the assistant cannot be reached.
    """
    build = partial(build_adapter, request.sut, default_gguf=settings.gguf, environ=settings.environ)
    # Another adapter of these is another assistant, and cheap to make; elsewhere both would speak to the same server.
    cheap = isinstance(request.sut, TestbedSut | StorySut | PythonSut)
    return await check_adapter(
        build(),
        utterances=request.utterances,
        settings=request.settings,
        fresh=build if cheap else None,
        misbehaviour=_stand_in_for(request, settings),
        tell=tell,
        stopping=stopping,
    )


def _stand_in_for(request: CheckRequest, settings: Settings) -> Callable[[], Awaitable[Outcome]] | None:
    sut = request.sut
    if not isinstance(sut, HttpSut | OpenAiCompatibleSut | WebSocketSut | ProcessSut):
        return None

    def build(spec: SutSpec) -> SutAdapter:
        return build_adapter(spec, default_gguf=settings.gguf, environ=settings.environ)

    return lambda: check_misbehaviour(sut, build, request.settings)


def _names_assistant(reference: str) -> bool:
    if is_file(Path(reference)) and not reference.endswith(".py"):
        return False
    return reference in PROVIDERS or ":" in reference or reference.endswith(".py") or reference in adapter_names()


def _scenario(reference: str, finder: PackFinder) -> Scenario:
    path = Path(reference)
    if not is_file(path) and not path.suffix and finder.find(PackKind.SCENARIO, reference) is None:
        known = (*PROVIDERS, *adapter_names(), *finder.names(PackKind.SCENARIO))
        hint = "name a scenario file, testbed, an installed adapter, package.module:Name or ./file.py:Name"
        raise UnknownReferenceError("assistant or scenario", reference, where="adapter", known=known, hint=hint)
    return load_scenario(reference, finder=finder)


def _usual_words(reference: str, finder: PackFinder) -> tuple[str, ...]:
    named = _SAYS_FOR.get(reference)
    return _words_of(load_scenario(named, finder=finder)) if named is not None else ()


def _words_of(scenario: Scenario) -> tuple[str, ...]:
    return scenario.seed_phrases or tuple(turn.user for turn in scenario.script)
