"""What users pass to the public functions, as the composition root takes it.

It runs nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hairpin.app.inputs import RunInputs
from hairpin.app.loop import run_in_loop
from hairpin.app.request import RunRequest
from hairpin.app.spending import SpendingLimits
from hairpin.app.stored import open_stored
from hairpin.domain.durations import parse_duration
from hairpin.domain.gate import parse_fail_on
from hairpin.errors import InvalidInputError, UserError
from hairpin.ports import SutAdapter
from hairpin.sut.callables import adapter_of
from hairpin.sut.threads import run_in_daemon_thread

Assistant = SutAdapter | type[SutAdapter] | Callable[..., Any]
Assistants = Assistant | Mapping[str, Assistant]
"""One assistant, or several by label."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Manner:
    """How to run, as users pass it; the public functions say what each means.

    Raises:
        InvalidInputError: ``fail_on`` says nothing.
        ValueError: a number is too small.
    """

    out: str | Path
    concurrency: int
    fail_on: str
    packs: Sequence[Path]
    max_cost: float | None
    max_tokens: int | None
    canary: bool
    cache: str | Path | None
    store: str | None = None

    def __post_init__(self) -> None:
        require_limits(self.concurrency, self.max_cost, self.max_tokens)
        parse_fail_on(self.fail_on, where="fail_on")

    def request(self, inputs: RunInputs, adapters: Mapping[str, SutAdapter], *, campaign: bool = False) -> RunRequest:
        """Return what to run."""
        return RunRequest(
            inputs=inputs,
            campaign=campaign,
            adapters=adapters,
            out=Path(self.out),
            store=self.store,
            concurrency=self.concurrency,
            gate=parse_fail_on(self.fail_on, where="fail_on"),
            spending=SpendingLimits(max_cost_usd=self.max_cost, max_tokens=self.max_tokens),
            canary=self.canary,
            cache=None if self.cache is None else Path(self.cache),
            packs=tuple(map(Path, self.packs)),
        )


def require_number(name: str, value: float | None, *, least: int, most: int | None = None) -> None:
    """Raise ValueError where the number passed as ``name`` is out of range; ``None`` is none."""
    if value is None:
        return
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    if most is not None and value > most:
        raise ValueError(f"{name} must be at most {most}, not {value}")


def require_limits(concurrency: int | None, max_cost: float | None, max_tokens: int | None) -> None:
    """Raise ValueError where one of the limits that most functions take is too small."""
    require_number("concurrency", concurrency, least=1)
    require_number("max_cost", max_cost, least=0)
    require_number("max_tokens", max_tokens, least=0)


def blocking(name: str, call: Callable[[], Awaitable[T]]) -> T:
    """Run ``call`` to its end where no event loop runs; ``name``: of the public function, whose async form is ``a…``.

    Raises:
        UserError: called inside a running event loop.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run_in_loop(call)
    raise UserError(f"hairpin.{name} was called inside a running event loop; use 'await hairpin.a{name}(...)' there")


def adapter_by_name(sut: Assistant) -> dict[str, SutAdapter]:
    """Return the adapter of an assistant, labelled with its name. Raises UserError if it is nothing that answers."""
    adapter = adapter_of(sut, name=getattr(sut, "__name__", type(sut).__name__))
    return {adapter.describe().name: adapter}


def adapters_by_label(sut: Assistants) -> dict[str, SutAdapter]:
    """Return adapters by label; one that stands alone is labelled with its name.

    Raises:
        UserError: one is nothing that answers; or a label cannot be one.
    """
    if not isinstance(sut, Mapping):
        return adapter_by_name(sut)
    if not sut:
        raise InvalidInputError("names no assistant", where="sut", hint="give at least one, by label")
    for label in sut:
        if not label.strip() or ":" in label:
            raise InvalidInputError(f"{label!r} cannot be a label", where="sut", hint="write a name without ':'")
    return {label: adapter_of(assistant, name=label) for label, assistant in sut.items()}


async def adapters_for(run: str | Path, sut: Assistants | None) -> dict[str, SutAdapter]:
    """Return the adapters of a stored run's assistants by label; one that stands alone gets that of the run's only one.

    Raises:
        UserError: there is no such run, it has several assistants, or one given is nothing that answers.
        StoreError: its database cannot be read.
    """
    return {} if sut is None else await run_in_daemon_thread(_labelled, run, sut)


def as_written(overrides: Mapping[str, object]) -> dict[str, str]:
    """Return values as ``--set`` takes them: a text as it is, anything else as JSON, which is YAML."""
    texts: dict[str, str] = {}
    for key, value in overrides.items():
        try:
            texts[key] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:
            hint = "give a text, a number, a bool, or a list or dict of these"
            raise InvalidInputError(
                f"{value!r} cannot be a value: {error}", where=f"overrides[{key!r}]", hint=hint
            ) from error
    return texts


def seconds_of(time: str | float | None) -> float | None:
    """Return a duration in seconds, above 0. Raises InvalidInputError if it is none."""
    return None if time is None else parse_duration(str(time), where="time")


def names_of(names: str | Sequence[str]) -> tuple[str, ...]:
    """Return one name or several as a tuple: a text is one, not its letters."""
    return (names,) if isinstance(names, str) else tuple(names)


def _labelled(run: str | Path, sut: Assistants) -> dict[str, SutAdapter]:
    if isinstance(sut, Mapping):
        return adapters_by_label(sut)
    with open_stored(run) as stored:
        labels = sorted(stored.run_info().suts)
    if len(labels) != 1:
        hint = f"give them by label: {', '.join(map(repr, labels))}"
        raise InvalidInputError(f"the run has {len(labels)} assistants", where="sut", hint=hint)
    return {labels[0]: adapter_of(sut, name=labels[0])}
