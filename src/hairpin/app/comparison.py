"""Two stored runs, or two assistants of one, compared: whether they may be, what is tested, and the result.

It must not print; the command line does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from hairpin.analysis.compare_runs import compare_runs
from hairpin.app.judge_differences import differences_between
from hairpin.app.judging_changes import changes_of_judging, judging_only
from hairpin.app.stored import StoredRun, open_stored
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts, facts_of
from hairpin.domain.records import ConversationRecord, RunInfo
from hairpin.domain.scenario import Scenario
from hairpin.domain.tally import GroupTally
from hairpin.errors import InvalidInputError
from hairpin.reports.comparison import ChangedPart, ComparedGroup, ComparedRun, ComparisonReport
from hairpin.reports.glossary import Glossary
from hairpin.reports.judge_differences import differences_section

ALPHA = 0.05
_READABLE = ("sut.", "agent.", "hairpin")
"""Parts of a fingerprint that say what they are; the others are digests."""

_SETTINGS_APART = frozenset({"title", "tags", "origins", "sut"})
"""What a scenario holds beside its settings; what else differs explains why the digest of the settings does."""

_CAMPAIGN_SETTINGS = ("arms", "pairing", "max_turns", "pools", "baseline")
"""What of a campaign the digest of the settings holds; time and numbers may differ."""

Key = tuple[str, Arm]


@dataclass(slots=True)
class _Group:
    """Conversations of one assistant and arm: all of them counted, facts of the rated ones kept."""

    tally: GroupTally = field(default_factory=GroupTally)
    rated: list[ConversationFacts] = field(default_factory=list)

    def add(self, record: ConversationRecord) -> None:
        # Words are most of a conversation, and no test reads them.
        facts = facts_of(record).model_copy(update={"utterances": (), "strategies": ()})
        self.tally.add(record, facts.standing)
        if facts.standing.in_rates:
            self.rated.append(facts)


@dataclass(frozen=True, slots=True)
class _Run:
    info: RunInfo
    location: Path
    groups: Mapping[Key, _Group]
    replays: bool = False

    def only(self, sut: str) -> _Run:
        """Return the run as if it had no other assistant."""
        info = self.info.model_copy(update={"suts": {sut: self.info.suts[sut]}})
        groups = {key: group for key, group in self.groups.items() if key[0] == sut}
        return replace(self, info=info, groups=groups)

    def told(self) -> ComparedRun:
        info = self.info
        return ComparedRun(
            run_id=info.run_id,
            location=str(self.location),
            created_at=info.created_at,
            status=info.status,
            fingerprint=info.fingerprint,
            suts={label: f"{sut.name} {sut.version}".strip() for label, sut in sorted(info.suts.items())},
        )


def compare_stored(
    first: str | Path, second: str | Path, *, alpha: float = ALPHA, allow_changed: bool = False
) -> ComparisonReport:
    """Compare two runs of one scenario, per assistant and arm; conversations are read one after another.

    What is the assistant's may differ between the runs: that is what they are compared for. Of a run and one that
    judges its conversations again anything may: then it is the judges that are compared.

    Args:
        first: a run's folder, its database, or the beginning of its name.
        second: likewise; the one that may have become worse.
        alpha: what an adjusted p must not exceed to be significant; in (0, 1).
        allow_changed: also compare runs that differ in who tests: models, prompts, packs, rubric, settings, version.

    Raises:
        InvalidInputError: no such run, twice the same, runs of two scenarios, ``alpha`` out of range, runs that differ
            in more than the assistant, or of nothing but replays.
        StoreError: a database cannot be read.
    """
    _require_level(alpha)
    with open_stored(first) as one, open_stored(second) as two:
        _require_comparable(one, two)
        same_words = _judge_the_same(one.run_info(), two.run_info())
        changes = _changed_judging(one, two) if same_words else _changed(one, two)
        _require_same_tester(changes, one, two, allow_changed=allow_changed or same_words)
        runs = _read(one), _read(two)
        _require_held(*runs)
        titles = one.glossary().beside(two.glossary())
        report = _compared(*runs, changes, alpha, titles)
        return with_differences(report, one, two) if same_words else report


def compare_named(
    first: str | Path,
    second: str | Path | None = None,
    *,
    suts: Sequence[str] | None = None,
    alpha: float = ALPHA,
    allow_changed: bool = False,
) -> ComparisonReport:
    """Compare two runs, as ``compare_stored``, or where only one is named two of its assistants.

    Raises:
        InvalidInputError: two runs are named and assistants of one, or what ``compare_stored`` and
            ``compare_assistants`` refuse.
        StoreError: a database cannot be read.
    """
    if second is None:
        return compare_assistants(first, suts or (), alpha=alpha)
    if suts is not None:
        hint = "leave RUN_B out to compare two assistants of RUN_A, or leave --suts out to compare two runs"
        raise InvalidInputError("compares assistants of one run, and two are named", where="--suts", hint=hint)
    return compare_stored(first, second, alpha=alpha, allow_changed=allow_changed)


def with_differences(report: ComparisonReport, first: StoredRun, second: StoredRun) -> ComparisonReport:
    """Return the comparison of two runs over the same transcripts with what they judge differently."""
    found = differences_between(first.conversations, second.conversations)
    before, now = (run.threshold if run.scored else None for run in (first.run_info(), second.run_info()))
    section = differences_section(found, second.glossary(), before=first.glossary(), thresholds=(before, now))
    return report.model_copy(update={"judge_differences": found, "judged": section})


def _judge_the_same(first: RunInfo, second: RunInfo) -> bool:
    """Whether one judges the conversations of the other again, or both those of a third."""
    one, two = (run.rejudged.run_id if run.rejudged else run.run_id for run in (first, second))
    return one == two


def _changed(first: StoredRun, second: StoredRun) -> tuple[ChangedPart, ...]:
    return changed_between(first.run_info(), second.run_info(), first.scenario(), second.scenario())


def _changed_judging(first: StoredRun, second: StoredRun) -> tuple[ChangedPart, ...]:
    """Return what differs and can have changed a judgement; who says the words again cannot."""
    one, two = first.run_info(), second.run_info()
    before, now = judging_only(one, first.scenario()), judging_only(two, second.scenario())
    return changes_of_judging(changed_between(one, two, before, now), before, now)


def compare_assistants(run: str | Path, suts: Sequence[str], *, alpha: float = ALPHA) -> ComparisonReport:
    """Compare two assistants of one run, per arm: as two runs that differ in nothing else.

    Args:
        run: its folder, its database, or the beginning of its name.
        suts: the labels of two of its assistants; the second is the one that may be worse.
        alpha: what an adjusted p must not exceed to be significant; in (0, 1).

    Raises:
        InvalidInputError: no such run, not two of its assistants, or ``alpha`` out of range.
        StoreError: the database cannot be read.
    """
    _require_level(alpha)
    with open_stored(run) as stored:
        first, second = _two_of(stored, suts)
        read, titles = _read(stored), stored.glossary()
    _require_held(read)
    one, two = read.only(first), read.only(second)
    old, new = read.info.suts[first], read.info.suts[second]
    before, now = f"{old.name} {old.version}".strip(), f"{new.name} {new.version}".strip()
    changes = () if before == now else (ChangedPart(part="sut", detail=f"{before} → {now}", of_assistant=True),)
    return _compared(one, two, changes, alpha, titles)


def _two_of(stored: StoredRun, suts: Sequence[str]) -> tuple[str, str]:
    labels = sorted(stored.run_info().suts)
    has = f"{stored.directory.path} has {', '.join(map(repr, labels))}"
    where = "--suts"
    if len(labels) < 2:
        what = f"{has} alone, so none of its assistants can be compared with another"
        raise InvalidInputError(what, where=where, hint="name a second run")
    for name in suts:
        if name not in labels:
            close = get_close_matches(name, labels, n=1)
            hint = f"did you mean {close[0]!r}? {has}" if close else has
            raise InvalidInputError(f"unknown assistant {name!r}", where=where, hint=hint)
    if len(suts) != 2 or suts[0] == suts[1]:
        what = f"must name two assistants of the run, not {', '.join(map(repr, suts))}"
        hint = f"{has}; write --suts {labels[0]},{labels[1]}" + ("" if suts else ", or name a second run")
        raise InvalidInputError(what if suts else "there is only one run", where=where, hint=hint)
    return suts[0], suts[1]


def _require_level(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise InvalidInputError(f"must be between 0 and 1, not {alpha:g}", where="--alpha", hint="for example 0.05")


def changed_between(
    before: RunInfo, now: RunInfo, scenario_before: Scenario, scenario_now: Scenario
) -> tuple[ChangedPart, ...]:
    """Return the parts of the fingerprints that differ, those of the assistant first."""
    old, new = before.fingerprint_parts, now.fingerprint_parts
    changes = [
        ChangedPart(
            part=part,
            detail=_settings_that_differ(scenario_before, scenario_now)
            if part == "settings"
            else _detail(part, old, new),
            of_assistant=_of_assistant(part),
        )
        for part in sorted({*old, *new})
        if old.get(part) != new.get(part)
    ]
    return tuple(sorted(changes, key=lambda change: not change.of_assistant))


def _of_assistant(part: str) -> bool:
    return part in ("sut", "sut_files") or part.startswith("sut.")


def _detail(part: str, old: Mapping[str, str], new: Mapping[str, str]) -> str:
    if part.startswith(_READABLE):
        return f"{old.get(part, 'none')} → {new.get(part, 'none')}"
    if part not in old or part not in new:
        return f"only {'B' if part in new else 'A'} has it"
    return ""


def _settings_that_differ(before: Scenario, now: Scenario) -> str:
    old, new = before.model_dump(mode="json"), now.model_dump(mode="json")
    differing = [key for key in old if key not in _SETTINGS_APART and key != "campaign" and old[key] != new[key]]
    return ", ".join((*differing, *_campaign_settings_that_differ(old["campaign"], new["campaign"])))


def _campaign_settings_that_differ(old: Mapping[str, object] | None, new: Mapping[str, object] | None) -> list[str]:
    if old is None or new is None:
        return [] if old is new else ["campaign"]
    return [f"campaign.{key}" for key in _CAMPAIGN_SETTINGS if old[key] != new[key]]


def _require_comparable(first: StoredRun, second: StoredRun) -> None:
    one, two = first.run_info(), second.run_info()
    where = f"{first.directory.path} and {second.directory.path}"
    if one.run_id == two.run_id:
        raise InvalidInputError(
            "they are the same run",
            where=where,
            hint="name two runs by their folders, or two assistants of this one with --suts A,B",
        )
    if one.name != two.name:
        raise InvalidInputError(
            f"the first is a run of scenario {one.name!r}, the second of {two.name!r}",
            where=where,
            hint="compare runs of one scenario",
        )


def _require_same_tester(
    changes: tuple[ChangedPart, ...], first: StoredRun, second: StoredRun, *, allow_changed: bool
) -> None:
    others = [change.words for change in changes if not change.of_assistant]
    if others and not allow_changed:
        raise InvalidInputError(
            f"they differ in more than the assistant: {'; '.join(others)}",
            where=f"{first.directory.path} and {second.directory.path}",
            hint="run both in the same way, or compare them all the same with --allow-changed",
        )


def _read(stored: StoredRun) -> _Run:
    groups: dict[Key, _Group] = {}
    replays = False
    for record in stored.conversations():
        if record.planned.replay is None:
            groups.setdefault((record.planned.sut, record.planned.arm), _Group()).add(record)
        else:
            replays = True
    return _Run(stored.run_info(), stored.directory.path, groups, replays)


def _require_held(*runs: _Run) -> None:
    """Refuse runs of nothing but replays: these have no verdict."""
    for run in runs:
        if run.replays and not run.groups:
            raise InvalidInputError(
                "holds nothing but replays, which have no verdict to be compared",
                where=str(run.location),
                hint="'hairpin metamorphic compare RUN RUN' compares what replays found",
            )


def _compared(
    first: _Run, second: _Run, changes: tuple[ChangedPart, ...], alpha: float, titles: Glossary
) -> ComparisonReport:
    renamed = _renamed(first, second)
    several = len({arm for _, arm in (*first.groups, *second.groups)}) > 1
    one = {_name(renamed.get(sut, sut), arm, several): (sut, arm) for sut, arm in sorted(first.groups)}
    two = {_name(renamed.get(sut, sut), arm, several): (sut, arm) for sut, arm in sorted(second.groups)}
    found = compare_runs(
        {name: first.groups[key].rated for name, key in one.items()},
        {name: second.groups[key].rated for name, key in two.items()},
    )
    return ComparisonReport(
        scenario=first.info.name,
        first=first.told(),
        second=second.told(),
        alpha=alpha,
        changes=changes,
        groups=tuple(_groups(first, second, one, two, several=several)),
        comparison=found,
        titles=titles,
    )


def _groups(
    first: _Run, second: _Run, one: Mapping[str, Key], two: Mapping[str, Key], *, several: bool
) -> Iterator[ComparedGroup]:
    for name in (name for name in one if name in two):
        yield ComparedGroup(
            name=name,
            first_sut=one[name][0],
            second_sut=two[name][0],
            arm=one[name][1] if several else None,
            first=first.groups[one[name]].tally.counts(),
            second=second.groups[two[name]].tally.counts(),
        )


def _renamed(first: _Run, second: _Run) -> Mapping[str, str]:
    """Return one name for the only assistant of each run where their labels differ."""
    (one, *more_first), (two, *more_second) = sorted(first.info.suts), sorted(second.info.suts)
    if more_first or more_second or one == two:
        return {}
    return dict.fromkeys((one, two), f"{one} → {two}")


def _name(sut: str, arm: Arm, several: bool) -> str:
    return f"{sut}, {arm.value}" if several else sut
