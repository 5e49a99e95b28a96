"""``hairpin metamorphic``: replay test seeds with their questions changed, and study what decides about them.

It must not import the composition root before a command runs.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from hairpin.cli import metamorphic_compare, metamorphic_labels, metamorphic_run, metamorphic_study

_DEFAULT = "run"


class _RunByDefault(TyperGroup):
    """What is no command is what ``run`` is to replay."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [_DEFAULT, *args]
        return super().parse_args(ctx, args)


application = typer.Typer(
    cls=_RunByDefault,
    no_args_is_help=True,
    help="Replay conversations with their questions changed and check relations between the answers: no gold answer "
    "and no verdict of a model is needed. 'hairpin metamorphic SCENARIO_OR_DATASET' is 'hairpin metamorphic run …'.",
)


@application.callback()
def group() -> None:
    """Replay conversations with their questions changed and check relations between the answers."""


application.command(_DEFAULT)(metamorphic_run.run)
application.command("sample")(metamorphic_labels.sample)
application.command("precision")(metamorphic_labels.precision)
application.command("calibrate")(metamorphic_study.calibrate)
application.command("ec-study")(metamorphic_study.ec_study)
application.command("compare")(metamorphic_compare.compare)
