"""Builds the report of a run from what was stored: the one place where reports compute.

Folding figures is ``domain.summary``; one conversation is ``reports.conversation``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from hairpin.domain.gate import Gate, GateDecision, decide
from hairpin.domain.records import ConversationRecord, RunInfo
from hairpin.domain.summary import Summary
from hairpin.domain.tally import ModeCount, Standing
from hairpin.reports.conversation import build_conversation, named
from hairpin.reports.glossary import Glossary
from hairpin.reports.listing import critical_rows, invalid_groups, shown_note, standing_groups
from hairpin.reports.model import (
    AgentReport,
    AssistantReplays,
    ConversationReport,
    ModeRow,
    OutsideRow,
    ReportModel,
)
from hairpin.reports.models_used import build_models
from hairpin.reports.shown import Limits, ReplayCount, Shown, choose_shown
from hairpin.reports.tables import Section
from hairpin.reports.wording import (
    ALL_OFFLINE_NOTE,
    HEADINGS,
    SOME_OFFLINE_NOTE,
    UNFINISHED_HEADINGS,
    UNGATED_HEADING,
    humanise,
    is_offline,
    role_words,
)

_NONE = ModeCount(instances=0, conversations=0)


def build_report(
    run: RunInfo,
    summary: Summary,
    records: Iterable[ConversationRecord],
    *,
    decision: GateDecision | None = None,
    glossary: Glossary | None = None,
    location: str | None = None,
    limits: Limits | None = None,
    sections: tuple[Section, ...] = (),
) -> ReportModel:
    """Return the report of ``run``.

    Args:
        run, summary: what is true of the whole run, and the fold of the same ``records``.
        records: one per planned conversation, in plan order; may be a stream, only what is shown is kept.
        decision: whether the run passes and why; by default what ``--fail-on any`` says.
        glossary: titles; without them ids are shown as words.
        location: how the user names the run on the command line; the run's id by default.
        limits: how many conversations are shown whole and listed; ``reports.shown`` has the defaults.
        sections: tables and figures of a campaign.
    """
    decision, titles, agents = decision or decide(summary, Gate()), glossary or Glossary(), _agents(run)
    shown = choose_shown(records, critical_modes=run.critical_modes, limits=limits)
    conversations = tuple(build_conversation(run, row, glossary=titles, location=location) for row in shown.records)
    return ReportModel(
        run_id=run.run_id,
        name=run.name,
        title=run.title or humanise(run.name),
        tags=run.tags,
        location=location or run.run_id,
        hairpin_version=run.hairpin_version,
        created_at=run.created_at,
        status=run.status,
        outcome=decision.outcome,
        exit_code=decision.outcome.exit_code,
        gated=decision.gated,
        heading=_heading(run, decision),
        sentence=_sentence(run, decision),
        threshold=run.threshold,
        scored=run.scored,
        agents=agents,
        agents_note=_agents_note(agents),
        imported=run.imported,
        fingerprint_parts=dict(sorted(run.fingerprint_parts.items())),
        summary=summary,
        modes=_modes(run, summary, titles),
        outside=_outside(summary, titles),
        critical=critical_rows(summary, _anchors(conversations), titles),
        invalid=invalid_groups(shown, _anchors(conversations), location or run.run_id),
        models=build_models(summary.llm),
        n_conversations=shown.standings.total(),
        shown_note=shown_note(shown, location or run.run_id),
        seconds=shown.seconds,
        replays=_replays(shown, summary),
        sections=sections,
        groups=standing_groups(shown, conversations, titles),
        conversations=conversations,
    )


def _replays(shown: Shown, summary: Summary) -> dict[str, AssistantReplays]:
    counts = {label: shown.replays.get(label, ReplayCount()) for label in summary.suts}
    return {label: AssistantReplays(**asdict(count)) for label, count in counts.items()}


def _heading(run: RunInfo, decision: GateDecision) -> str:
    finished = HEADINGS[decision.outcome] if decision.gated else UNGATED_HEADING
    return UNFINISHED_HEADINGS.get(run.status) or finished


def _anchors(conversations: Sequence[ConversationReport]) -> dict[str, str]:
    return {conversation.id: conversation.anchor for conversation in conversations}


def _sentence(run: RunInfo, decision: GateDecision) -> str:
    return decision.sentence if run.status not in UNFINISHED_HEADINGS else f"so far: {decision.sentence}"


def _agents(run: RunInfo) -> tuple[AgentReport, ...]:
    return tuple(
        AgentReport(role=role, title=role_words(role), player=player, offline=is_offline(player))
        for role, player in run.agents.items()
    )


def _agents_note(agents: Sequence[AgentReport]) -> str:
    offline = [agent.title for agent in agents if agent.offline]
    if len(offline) == len(agents) and offline:
        return ALL_OFFLINE_NOTE
    first, *others = offline or [""]
    return SOME_OFFLINE_NOTE.format(roles=", ".join((first, *map(str.lower, others)))) if first else ""


def _modes(run: RunInfo, summary: Summary, titles: Glossary) -> tuple[ModeRow, ...]:
    counts = summary.failures_by_mode
    most = max((count.instances for count in counts.values()), default=1)
    rows = [
        ModeRow(
            mode=named(mode, titles.mode(mode)),
            count=count,
            critical=mode in run.critical_modes,
            share=count.instances / most,
            by_sut={label: sut.failures_by_mode.get(mode, _NONE) for label, sut in summary.suts.items()},
        )
        for mode, count in counts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.count.instances, row.mode.id)))


def _outside(summary: Summary, titles: Glossary) -> tuple[OutsideRow, ...]:
    return tuple(
        OutsideRow(standing=Standing(where), mode=named(mode, titles.mode(mode)), count=count)
        for where, counts in summary.failures_outside_rates.items()
        for mode, count in counts.items()
    )
