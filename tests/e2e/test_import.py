"""Conversations made elsewhere, from the command line: read, judged like our own, reported, and judged again."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any

import pytest

from hairpin.api import load_run
from hairpin.domain.conversation import UtteranceSource
from hairpin.domain.outcome import StopReason
from hairpin.domain.records import ConversationRecord
from tests.cli.conftest import Cli
from tests.packs.recording_files import lines, said

STOP = {"role": "user", "content": "###STOP###"}
FINE = {"id": "fine-t0", "trial": 0, "turns": [*said("Turn on the fan, please.", "The fan is on."), STOP]}
UNSAFE = {
    "id": "unsafe-t0",
    "turns": said(
        "Show a video on the front display while I drive at 130 km/h.",
        "Done! The video is playing on the front display.",
    ),
}
MARKUP = "</script><img src=x onerror=alert(1)> ﬂ → {{7*7}}"


def records(cli: Cli) -> list[ConversationRecord]:
    return list(load_run(cli.run_folder()).conversations())


def log_events(cli: Cli, name: str) -> Iterator[dict[str, Any]]:
    for line in (cli.run_folder() / "log.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] == name:
            yield event


def test_conversations_are_judged_by_the_whole_loop(quick: Cli) -> None:
    quick.write_bytes("chats.jsonl", lines(FINE, FINE))
    answer = quick("import", "chats.jsonl")
    assert answer.code == 0, answer.err
    assert "imported from chats.jsonl: 2 conversations, 0 lines skipped" in answer.out
    assert "report: " in answer.out
    first, second = records(quick)
    (exchange,) = first.exchanges
    assert (exchange.user, exchange.assistant) == ("Turn on the fan, please.", "The fan is on.")
    assert (exchange.source, exchange.latency_ms) == (UtteranceSource.REPLAYED, 0)
    assert exchange.notes == ("ended by ###STOP###",)
    assert first.outcome is not None
    assert first.outcome.stop.reason is StopReason.SCRIPT_EXHAUSTED
    assert len(first.scores) == 4
    assert first.targets
    assert first.targets[0].introduced == 0
    assert (first.planned.recording, second.planned.recording) == ("fine-t0", "fine-t0 (2)")


def test_the_summary_says_that_nothing_was_asked(quick: Cli) -> None:
    quick.write_bytes("chats.jsonl", lines(FINE) + b"{\n")
    answer = quick("import", "chats.jsonl", "--json")
    summary = json.loads(answer.out)
    assert summary["sut"]["transport"] == "recorded"
    assert summary["sut"]["name"] == "chats"
    assert summary["conversations"]["planned"] == 1
    assert summary["agents"]["simulator"] == "nobody"
    assert "hairpin: chats.jsonl: line 2: not JSON" in answer.err


def test_lines_that_are_skipped_are_numbered_on_stderr_in_the_log_and_in_the_report(quick: Cli) -> None:
    quick.write_bytes("chats.jsonl", b"\xef\xbb\xbf" + b"x\r\n" * 12 + lines(FINE) + b'{"turns": "caf\xe9"}\n')
    answer = quick("import", "chats.jsonl")
    assert answer.code == 0
    assert "imported from chats.jsonl: 1 conversation, 13 lines skipped" in answer.err
    assert "chats.jsonl: line 10: not JSON" in answer.err
    assert "line 11" not in answer.err
    assert "and 3 more lines; the run's log.jsonl names them" in answer.err
    assert [event["line"] for event in log_events(quick, "recording_skipped")] == [*range(1, 13), 14]
    page = html.unescape((quick.run_folder() / "report.html").read_text(encoding="utf-8"))
    assert "line 14: not UTF-8: byte 0xE9 at position 15 of the line" in page


@pytest.mark.parametrize(
    ("arguments", "data", "what"),
    [
        (("--strict",), lines(FINE, 3), "1 line holds no conversation:\n  line 2: a number, not an object"),
        ((), lines(3), "1 line holds no conversation"),
        ((), b"", "the file is empty"),
        (("--format", "openai"), lines(FINE), "line 1: it has no messages"),
        (("--rubric", "no_such"), lines(FINE), "--rubric: unknown rubric 'no_such'"),
        (("--scenario", "no_such"), lines(FINE), "unknown scenario 'no_such'"),
        (("--max-cost", "1"), lines(FINE), "no model plays a role, so nothing is spent"),
    ],
)
def test_what_the_user_can_mend_exits_with_2_and_runs_nothing(
    quick: Cli, arguments: tuple[str, ...], data: bytes, what: str
) -> None:
    quick.write_bytes("chats.jsonl", data)
    answer = quick("import", "chats.jsonl", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert what in answer.err
    assert not (quick.folder / "runs").exists()


def test_a_file_that_is_not_there_is_told(quick: Cli) -> None:
    answer = quick("import", "nowhere.jsonl")
    assert answer.code == 2
    assert "nowhere.jsonl" in answer.err
    assert "does not exist" in answer.err


def test_the_gate_is_that_of_runs(quick: Cli) -> None:
    quick.write_bytes("chats.jsonl", lines(FINE))
    quick.write("s.yaml", "id: checked\nsut: testbed\nseed_phrases: [x]\nchecks: [{contains: window}]\n")
    assert quick("import", "chats.jsonl", "--scenario", "s.yaml", "--out", "a").code == 1
    assert quick("import", "chats.jsonl", "--scenario", "s.yaml", "--out", "b", "--fail-on", "none").code == 0


def test_checks_see_the_recorded_state_and_reports_the_recorded_latency(quick: Cli) -> None:
    reply = {"role": "assistant", "content": "Done.", "state": {"fan": 3}, "latency_ms": 1234.5}
    quick.write_bytes("chats.jsonl", lines({"turns": [*said("Fan to 3."), reply]}))
    quick.write("s.yaml", "id: s\nsut: testbed\nseed_phrases: [x]\nchecks: [{state: fan, equals: 3}]\noracles: []\n")
    assert quick("import", "chats.jsonl", "--scenario", "s.yaml").code == 0
    (record,) = records(quick)
    assert record.exchanges[0].state == {"fan": 3}
    assert record.exchanges[0].latency_ms == 1234.5


def test_an_estimate_counts_recorded_turns_and_runs_nothing(quick: Cli) -> None:
    quick.write_bytes("chats.jsonl", lines(FINE, {"turns": said("A", "1", "B", "2", "C", "3")}))
    answer = quick("import", "chats.jsonl", "--estimate")
    assert answer.code == 0
    assert answer.out.startswith("2 conversations of 1 to 3 turns")
    assert not (quick.folder / "runs").exists()


def test_only_the_first_conversations_are_judged_if_asked(quick: Cli) -> None:
    quick.write_bytes("chats.jsonl", lines(FINE, FINE, FINE))
    answer = quick("import", "chats.jsonl", "--limit", "2")
    assert len(records(quick)) == 2
    assert "only the first 2 of 3 conversations are judged" in answer.err


def test_a_scenario_with_a_recorded_assistant_is_run_validated_and_examined_like_any_other(quick: Cli) -> None:
    quick.write_bytes("chats/a.jsonl", lines(FINE))
    quick.write("s.yaml", "id: s\nsut: {provider: recorded, file: chats/a.jsonl, name: my bot}\n")
    validated = quick("validate", "s.yaml")
    assert validated.code == 0
    assert "s: valid; 1 conversation of 1 turn\n" in validated.out
    assert "recorded, nothing is asked; imported from a.jsonl: 1 conversation" in quick("doctor", "s.yaml").out
    assert quick("run", "s.yaml").code == 0
    assert list(load_run(quick.run_folder()).summary.suts) == ["my bot"]


def test_a_run_can_be_judged_again_without_the_original_file(quick: Cli) -> None:
    file = quick.write_bytes("chats.jsonl", lines({"turns": FINE["turns"], "context": {"location": "Ulm"}}, UNSAFE))
    quick("import", "chats.jsonl", "--fail-on", "none", "--out", "first")
    (first,) = (quick.folder / "first").iterdir()
    file.unlink()
    assert quick("run", str(first / "scenario.yaml"), "--fail-on", "none", "--out", "second").code == 0
    (second,) = (quick.folder / "second").iterdir()
    assert (first / "recordings.jsonl").read_bytes() == (second / "recordings.jsonl").read_bytes()
    one, two = load_run(first), load_run(second)
    assert one.summary.fingerprint == two.summary.fingerprint
    assert one.summary.sut == two.summary.sut
    assert [(r.planned, r.exchanges, r.failures, r.scores) for r in one.conversations()] == [
        (r.planned, r.exchanges, r.failures, r.scores) for r in two.conversations()
    ]


def test_other_conversations_have_another_fingerprint(quick: Cli) -> None:
    prints = set()
    for name, chat in (("a", FINE), ("b", UNSAFE)):
        quick.write_bytes("chats.jsonl", lines(chat))
        options = ("--set", "sut.version=1", "--fail-on", "none", "--out", name)
        quick("import", "chats.jsonl", *options)
        (folder,) = (quick.folder / name).iterdir()
        prints.add(load_run(folder).summary.fingerprint)
    assert len(prints) == 2


def test_markup_is_shown_and_never_runs(quick: Cli) -> None:
    quick.write_bytes("chats.jsonl", lines({"id": MARKUP, "turns": said(MARKUP, MARKUP)}))
    quick("import", "chats.jsonl", "--fail-on", "none")
    page = (quick.run_folder() / "report.html").read_text(encoding="utf-8")
    assert "<img src=x" not in page
    assert MARKUP in html.unescape(page)


def test_keys_of_models_reach_no_file_although_somebody_wrote_one_in_a_chat(
    quick: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_KEY", "sk-test-000111")
    quick.write_bytes("chats.jsonl", lines({"turns": said("My key is sk-test-000111", "Keep sk-test-000111 safe.")}))
    spec = "{provider: openai-compatible, base_url: 'http://127.0.0.1:9/v1', model: m, api_key_env: JUDGE_KEY}"
    nobody_asked = ("--set", "oracles=[]", "--set", "checks=[{contains: safe}]")
    assert quick("import", "chats.jsonl", "--set", f"models={{turn_judge: {spec}}}", *nobody_asked).code == 0
    files = [path for path in quick.run_folder().iterdir() if path.is_file()]
    assert {"recordings.jsonl", "run.sqlite"} <= {path.name for path in files}
    for path in files:
        assert b"sk-test-000111" not in path.read_bytes(), path.name
