"""Canaries in real runs: planted judges are found out, right ones are believed, and no judge can tell a canary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from hairpin.agents.planted import PlantedJudge, plant
from hairpin.app.canaries import transcripts_for
from hairpin.app.inputs import RunInputs, load_inputs
from hairpin.app.request import RunRequest
from hairpin.app.resume import ResumeRequest, load_resumable, resume_run
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.campaign.events import SilentListener
from hairpin.domain.briefs import DimensionBrief, TurnBrief
from hairpin.domain.canary_rates import CanarySummary
from hairpin.domain.conversation import DialogueTurn
from hairpin.domain.failures import ModeKind
from hairpin.domain.judgement import ResponseFinding, TurnJudgement
from hairpin.domain.known_transcripts import KnownTranscripts
from hairpin.domain.llm_calls import Purpose
from hairpin.domain.outcome import StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import RunStatus
from hairpin.domain.rubric import Rubric
from hairpin.domain.scenario import Oracles
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import Target, TargetStatus, TargetUpdate
from hairpin.errors import InvalidInputError
from hairpin.graph.stopping import StopToken
from hairpin.packs.finder import PackFinder
from hairpin.ports import Roles
from hairpin.reports.html import render_html
from hairpin.reports.markdown import render_markdown
from hairpin.reports.terminal import run_summary

pytestmark = pytest.mark.anyio

SCRIPT = """
id: ride
sut: testbed
turns: [{user: Take me to Pasing, checks: [{contains: Pasing}]}]
canaries: {share: 1}
repeats: REPEATS
rng_seed: 3
"""


@dataclass(frozen=True)
class Truthful:
    """Knows every transcript: right about each exchange as long as it is shown all that was said before."""

    rubric: Rubric
    known: KnownTranscripts

    def wrong(self, turns: Sequence[DialogueTurn]) -> tuple[str, bool]:
        """Return the mode and whether it is a compliance mode of the last exchange; ``""``: nothing is wrong."""
        said = [(turn.user, turn.assistant) for turn in turns]
        for pair in self.known.twins:
            bad = [(turn.user, turn.bad) for turn in pair.turns]
            last = pair.turns[len(said) - 1] if len(said) <= len(bad) else None
            if last is not None and bad[: len(said)] == said and last.good != last.bad:
                mode = self.rubric.mode(pair.mode)
                return pair.mode, mode is not None and mode.kind is ModeKind.COMPLIANCE
        return "", False

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        mode, compliance = self.wrong((*brief.history, brief.turn))
        target = Target(id=f"t{brief.turn.t}", text=brief.turn.user)
        status = TargetStatus.INCOMPLETE if mode else TargetStatus.COMPLETED
        update = TargetUpdate(target_id=target.id, status=status, failure=mode if compliance else None)
        response = (ResponseFinding(mode=mode, evidence=""),) if mode and not compliance else ()
        return TurnJudgement(new_targets=(target,), updates=(update,), response=response)

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        lapses = [self.wrong(brief.turns[: n + 1])[0] for n in range(len(brief.turns))]
        return DimensionScore(dimension=brief.dimension.id, score=0 if any(lapses) else 2, reasoning="known")


@dataclass(frozen=True)
class Watching:
    """Keeps what a turn judge is told."""

    judge_: Truthful
    briefs: list[TurnBrief] = field(default_factory=list)

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        self.briefs.append(brief)
        return await self.judge_.judge(brief)


class StoppingAfter(SilentListener):
    """Interrupts a run after so many asides."""

    def __init__(self, stop: StopToken, n: int) -> None:
        self._stop, self._left = stop, n

    def aside_ended(self, planned: PlannedConversation, end: object) -> None:
        self._left -= 1
        if not self._left:
            self._stop.set(StopReason.INTERRUPTED)


def load(folder: Path, repeats: int = 20, more: str = "") -> RunInputs:
    path = folder / "ride.yaml"
    path.write_text(SCRIPT.replace("REPEATS", str(repeats)) + more, encoding="utf-8")
    return load_inputs(path)


def judged_by(inputs: RunInputs, kind: PlantedJudge | None) -> RunInputs:
    """Put right judges in place of the offline ones, and then planted ones in place of those."""
    assert inputs.transcripts is not None
    right, roles = Truthful(inputs.scenario.rubric, inputs.transcripts), inputs.cast.offline
    roles = replace(roles, turn_judge=right, conversation_judges=dict.fromkeys(roles.conversation_judges, right))
    return with_roles(inputs, roles if kind is None else plant(kind, roles))


def with_roles(inputs: RunInputs, roles: Roles) -> RunInputs:
    return replace(inputs, cast=replace(inputs.cast, offline=roles))


async def said_of(folder: Path, inputs: RunInputs) -> tuple[CanarySummary, str]:
    """Run and return what canaries say, and everything a user reads."""
    finished = await run_scenario(RunRequest(inputs=inputs, out=folder / "runs"))
    report, found = finished.report, finished.report.summary.canaries
    assert found is not None
    assert report.summary.conversations.planned == inputs.scenario.repeats
    pages = (run_summary(report, width=10_000), render_html(report), render_markdown(report))
    assert all(finding in page for finding in found.findings for page in pages[:2])
    assert all(("Do not trust the failure rate" in page) is (found.trusted is False) for page in pages)
    return found, pages[0]


async def test_right_judges_are_believed_and_correct_nothing(tmp_path: Path) -> None:
    found, text = await said_of(tmp_path, judged_by(load(tmp_path), None))
    assert (found.planned, found.good, found.bad, found.undecided, found.findings) == (20, 10, 10, {}, ())
    assert found.trusted is True
    assert found.failure_rate is not None
    assert (found.failure_rate.raw, found.failure_rate.rate, found.failure_rate.low) == (0, 0, 0)
    assert "canaries      20: 0 of 10 known-good failed, 0 of 10 known-bad passed" in text
    assert sum(each.missed.n for each in found.by_mode.values()) == 10
    assert {each.missed.wrong for each in found.by_mode.values()} == {0}


@pytest.mark.parametrize(
    ("kind", "finding"),
    [
        (PlantedJudge.ALWAYS_FAIL, "The judges call every known-good conversation a failure (10 of 10)."),
        (PlantedJudge.ALWAYS_PASS, "The judges pass every known-bad conversation (10 of 10)."),
        (PlantedJudge.RANDOM_ERRORS, "The turn judge labels "),
        (PlantedJudge.LAST_TURN_ONLY, "The judges pass "),
    ],
)
async def test_planted_judges_are_found_out(tmp_path: Path, kind: PlantedJudge, finding: str) -> None:
    """Part F, must hold 3: the summary and every report name what is wrong, and the failure rate is not believed."""
    found, text = await said_of(tmp_path, judged_by(load(tmp_path), kind))
    assert found.trusted is False
    assert any(said.startswith(finding) for said in found.findings)
    assert finding in text
    if kind in (PlantedJudge.ALWAYS_FAIL, PlantedJudge.ALWAYS_PASS):
        assert found.failure_rate is not None
        assert found.failure_rate.rate is None
        assert "no better than chance" in found.failure_rate.reason


async def test_no_model_is_needed_and_canaries_alternate(tmp_path: Path) -> None:
    """The offline judges are honest and modest: what they miss is counted."""
    found, _ = await said_of(tmp_path, load(tmp_path, 8))
    assert (found.good, found.bad, found.transcripts) == (4, 4, 8)
    assert found.passed_bad is not None
    assert found.passed_bad.wrong > 0
    assert any("too few" in said for said in found.findings)


async def test_judges_cannot_tell_canaries_and_checks_are_not_run_on_them(tmp_path: Path) -> None:
    inputs = load(tmp_path, 6)
    assert inputs.transcripts is not None
    watching = Watching(Truthful(inputs.scenario.rubric, inputs.transcripts))
    watched = with_roles(inputs, replace(inputs.cast.offline, turn_judge=watching))
    finished = await run_scenario(RunRequest(inputs=watched, out=tmp_path / "runs"))
    with open_stored(finished.directory.path) as stored:
        canaries, others = list(stored.reader.canaries()), list(stored.conversations())
    assert len(canaries) == len(others) == 6
    assert ModeKind.CHECK not in {failure.kind for record in canaries for failure in record.failures}
    assert [record.planned.truth and record.planned.truth.good for record in canaries].count(True) == 3
    ids = {each.id for each in inputs.transcripts.all()}
    assert len({brief.turn.user for brief in watching.briefs}) > 6
    for brief in watching.briefs:
        told = brief.model_dump_json()
        assert brief.origin.purpose is Purpose.CONVERSATION
        assert not [word for word in ("canary", "known-", *ids) if word in told]


async def test_a_resumed_run_asks_the_canaries_that_are_missing(tmp_path: Path) -> None:
    whole, _ = await said_of(tmp_path, judged_by(load(tmp_path, 5), None))
    stop = StopToken()
    request = RunRequest(
        inputs=judged_by(load(tmp_path, 5), None),
        out=tmp_path / "runs",
        stop=stop,
        listener=StoppingAfter(stop, 2),
        concurrency=1,
    )
    begun = await run_scenario(request)
    assert begun.report.status is RunStatus.INTERRUPTED
    resumable = load_resumable(ResumeRequest(run=begun.directory.path))
    finished = await resume_run(resumable, listener=SilentListener())
    assert finished.report.summary.canaries is not None
    assert finished.report.summary.canaries.planned == whole.planned == 5


def test_where_canaries_would_say_nothing_they_are_refused(tmp_path: Path) -> None:
    scenario, finder = load(tmp_path, 1).scenario, PackFinder.standard(plugins=[])
    other = scenario.rubric.model_copy(update={"id": "other"})
    for changed, said in (
        ({"oracles": Oracles(turn_judge=False, dimensions=False)}, "no judge takes part; remove"),
        ({"language": "de"}, "are in 'en', the scenario in 'de'"),
        ({"rubric": other}, "rubric 'other' has none; write rubrics/other/transcripts.yaml"),
    ):
        with pytest.raises(InvalidInputError, match=said):
            transcripts_for(scenario.model_copy(update=changed), finder)
    assert transcripts_for(scenario.model_copy(update={"canaries": None, "language": "de"}), finder) is None
