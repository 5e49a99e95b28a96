"""Options that commands which run share: each has those it asks for, and what was given reaches the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from typer.testing import CliRunner

from hairpin.app.stored import open_stored
from hairpin.cli.run_choices import RunChoices, takes_run_choices
from hairpin.settings import LogLevel
from tests.cli.conftest import Cli

Json = Annotated[bool, typer.Option("--json", help="In its own words.")]


def invoke(names: str, *arguments: str, **instead: object) -> tuple[str, list[tuple[str, RunChoices]]]:
    """Run a command that has the options ``names``; return what it printed and what it was called with."""
    called: list[tuple[str, RunChoices]] = []
    application = typer.Typer()

    @application.command()
    @takes_run_choices(names, **instead)
    def command(what: str, own: int = 1, *, chosen: RunChoices) -> None:
        called.append((f"{what} {own}", chosen))

    return CliRunner().invoke(application, list(arguments)).output, called


def test_what_was_given_and_defaults_are_handed_over_beside_the_commands_own() -> None:
    given = ("it", "--own", "3", "--packs", "a", "--packs", "b", "--set", "max_turns=4", "--no-canary")
    _, [(own, chosen)] = invoke("settings packs canary log_level", *given)
    assert own == "it 3"
    assert chosen.pack_folders == (Path("a"), Path("b"))
    assert chosen.overrides == {"max_turns": "4"}
    assert not chosen.canary
    assert (chosen.log_level, chosen.out, chosen.concurrency) == (LogLevel.INFO, Path("runs"), 4)


def test_an_option_that_was_not_asked_for_is_none() -> None:
    said, called = invoke("packs json", "it", "--store", "postgresql://host/name")
    assert not called
    assert "No such option" in said


def test_options_come_after_the_commands_own_in_the_order_asked_for_and_may_be_worded_anew() -> None:
    said, _ = invoke("json out", "--help", json=Json)
    assert "In its own words." in said
    assert [said.index(name) for name in ("--own", "--json", "--out")] == sorted(
        said.index(name) for name in ("--own", "--json", "--out")
    )


def test_a_run_of_imported_conversations_knows_the_folders_of_packs_that_it_was_made_with(cli: Cli) -> None:
    """Whoever goes on with it, or judges it again, finds the same packs."""
    turns = [{"role": "user", "content": "Turn on the fan."}, {"role": "assistant", "content": "The fan is on."}]
    cli.write("chats.jsonl", json.dumps({"turns": turns}) + "\n")
    (cli.folder / "mine").mkdir()
    answer = cli("import", "chats.jsonl", "--packs", "mine", "--fail-on", "none")
    assert answer.code == 0, answer.err
    with open_stored(cli.run_folder()) as stored:
        assert stored.run_info().settings.packs == (str(cli.folder / "mine"),)
