"""Replays whose server of vectors is gone for a while: nothing is lost, and the run is gone on with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest
from tests.cli.replay_runs import SCENARIO, SEEDS, bag_of_words

if TYPE_CHECKING:
    from tests.cli.conftest import Cli


def summary_of(quick: Cli) -> Any:
    return json.loads((quick.run_folder() / "summary.json").read_text(encoding="utf-8"))


def test_a_run_without_vectors_is_reported_and_gone_on_with_once_they_are_back(quick: Cli) -> None:
    """All answers are stored; what is left is to compare them, for which nobody is asked again."""
    gone = True

    def vectors(request: FakeRequest) -> FakeAnswer:
        return FakeAnswer.error(401, "no such key") if gone else bag_of_words(request)

    with FakeModelServer(embed=vectors) as server:
        quick.write("seeds.jsonl", SEEDS)
        quick.write("s.yaml", SCENARIO.format(ratio=0.3, url=server.base_url))
        done = quick("metamorphic", "s.yaml")
        assert done.code == 3, done.out + done.err
        assert "the follow-ups of 1 conversation could not be completed; the first: c0001: " in done.err
        assert "no such key" in done.err
        assert "The tables and figures need the vectors" in (quick.run_folder() / "report.html").read_text("utf-8")
        before = summary_of(quick)["metamorphic"]
        gone = False
        resumed = quick("resume", str(quick.run_folder()))
    after = summary_of(quick)["metamorphic"]
    assert resumed.code == 1, resumed.out + resumed.err
    assert (after["follow_ups"], after["missing"], after["sut_calls"]) == (6, 0, before["sut_calls"])
    assert before["RBT"]["checks"] == 0 < after["RBT"]["checks"]
    assert "could not be completed" not in resumed.err
    assert "nothing is left to do" in quick("resume", str(quick.run_folder())).err
