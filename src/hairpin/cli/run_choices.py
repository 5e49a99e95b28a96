"""What a user may choose for any command that runs: the options, and what was given for them.

Which of them a command has, and what it does with them, is the command's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any, get_type_hints

from hairpin.cli import options
from hairpin.settings import LogLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChoices:
    """What a user chose; an option that a command does not have is as if it was not given."""

    out: options.Out = Path("runs")
    settings: options.Settings = None
    concurrency: options.Concurrency = 4
    fail_on: options.FailOn = "any"
    packs: options.Packs = None
    max_cost: options.MaxCost = None
    max_tokens: options.MaxTokens = None
    estimate: options.Estimate = False
    canary: options.Canary = True
    cache: options.Cache = None
    store: options.Store = None
    log_level: options.Level = LogLevel.INFO
    json: options.Json = False

    @property
    def overrides(self) -> dict[str, str]:
        """The keys of the scenario that are given other values. Raises InvalidInputError."""
        return options.parse_settings(self.settings)

    @property
    def pack_folders(self) -> tuple[Path, ...]:
        """The folders of packs that are searched before all others."""
        return tuple(self.packs or ())


def takes_run_choices(names: str, **instead: object) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options ``names`` after its own, in that order; it gets their values as ``chosen``.

    Args:
        names: fields of ``RunChoices``, with spaces between.
        instead: the types of those options that this command words in its own way.
    """
    types = get_type_hints(RunChoices, include_extras=True) | instead
    defaults = {field.name: field.default for field in fields(RunChoices)}
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=types[name])
        for name in names.split()
    ]

    def give(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_choices(**given: Any) -> None:
            chosen = RunChoices(**{option.name: given.pop(option.name) for option in shared})
            command(**given, chosen=chosen)

        written = inspect.signature(command, eval_str=True)
        own = [parameter for parameter in written.parameters.values() if parameter.name != "chosen"]
        # Typer reads the options off the signature.
        with_choices.__signature__ = written.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
        return with_choices

    return give
