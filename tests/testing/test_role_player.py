"""Roles that are played by the fake model server, those that serve replays among them."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from hairpin.cli import application
from hairpin.domain.outcome import Role
from hairpin.domain.relations import ContextFinding, ContextReason
from hairpin.domain.replay import Method
from hairpin.store.reader import open_run
from hairpin.testing import FakeModelServer
from hairpin.testing.role_player import play_roles
from tests.cli.replay_runs import SCENARIO, SEEDS, bag_of_words

MODELS = """\
models: {{default: {{provider: openai-compatible, base_url: "{url}", model: m}}}}
"""


def findings(folder: Path, changes: str) -> tuple[list[ContextFinding], set[str], set[Method]]:
    """Replay with models in all roles; return what was found of contexts, who was asked, and by which methods."""
    (folder / "seeds.jsonl").write_text(SEEDS, encoding="utf-8")
    with FakeModelServer(default=play_roles, embed=bag_of_words) as server:
        text = SCENARIO.format(ratio=0.3, url=server.base_url) + changes + MODELS.format(url=server.base_url)
        (folder / "s.yaml").write_text(text, encoding="utf-8")
        command = ["metamorphic", str(folder / "s.yaml"), "--out", str(folder / "runs"), "--fail-on", "none"]
        done = CliRunner().invoke(application, command)
    assert done.exit_code == 0, done.output
    assert "without a usable answer" not in done.output
    (run,) = (folder / "runs").glob("*/run.sqlite")
    reader = open_run(run)
    (family,) = reader.families()
    roles = {str(call.role) for call in reader.llm_requests()}
    methods = {each.planned.replay.method for each in family.follow_ups if each.planned.replay is not None}
    reader.close()
    return [check.finding for check in family.context_checks], roles, methods


def test_a_decontextualiser_leaves_questions_as_they_are_and_nobody_invents_any(tmp_path: Path) -> None:
    found, roles, methods = findings(tmp_path, "  baselines: [qaasker]\n")
    assert {Role.DECONTEXTUALISER, Role.QUESTION_WRITER} <= roles
    assert {finding.reason for finding in found} <= {ContextReason.SAME_PREFIX, ContextReason.SAME_REWRITE}
    assert all(finding.equivalent for finding in found)
    assert Method.MORTAR in methods


def test_a_judge_of_contexts_finds_all_of_them_equivalent(tmp_path: Path) -> None:
    found, roles, _ = findings(tmp_path, "  context: llm_judge\n")
    assert roles == {Role.CONTEXT_JUDGE}
    assert all(finding.equivalent for finding in found)
