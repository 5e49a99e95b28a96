"""``hairpin schema``: the JSON schema of scenario files, for editors."""

from __future__ import annotations

from hairpin.cli.console import say


def schema() -> None:
    """Print the JSON schema of scenario files, for completion and checks in an editor."""
    from hairpin.packs.schema import scenario_schema

    say(scenario_schema().rstrip("\n"))
