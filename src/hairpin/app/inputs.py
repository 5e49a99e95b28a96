"""What a run starts from: the scenario, who plays the roles, the checks. Everything a user can get wrong is found here.

It opens no session and writes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hairpin.app.canaries import transcripts_for
from hairpin.app.cast import Cast, load_cast
from hairpin.app.replay_cast import require_replay_roles
from hairpin.app.stored_seeds import stored_conversations
from hairpin.domain.known_transcripts import KnownTranscripts
from hairpin.domain.recording import Rejudged
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import RecordedSut, SutSpec
from hairpin.errors import InvalidInputError
from hairpin.llm.prices import PriceTable
from hairpin.packs.checks import build_checks
from hairpin.packs.finder import PackFinder
from hairpin.packs.imports import import_scenario
from hairpin.packs.prices import load_prices
from hairpin.packs.recordings import RecordingsRead, read_recordings
from hairpin.packs.scenarios import find_scenario, load_scenario
from hairpin.packs.test_seed_source import SeedsRead, read_test_seeds
from hairpin.ports import Check

MAX_PLANNED = 100_000


@dataclass(frozen=True, slots=True)
class RunInputs:
    """A resolved scenario, who plays its roles, its checks, what models cost, and what is written down in files.

    ``rejudged``: what is said of the stored run whose conversations are judged again, where that begins;
    ``packs``: the folders of packs that it was made with. ``transcripts``: what canaries are drawn from, if any
    are.
    """

    scenario: Scenario
    cast: Cast
    checks: tuple[Check, ...]
    turn_checks: tuple[tuple[Check, ...], ...]
    prices: PriceTable
    recordings: RecordingsRead | None = None
    test_seeds: SeedsRead | None = None
    rejudged: Rejudged | None = None
    packs: tuple[Path, ...] = ()
    transcripts: KnownTranscripts | None = None


def load_inputs(
    reference: str | Path,
    *,
    packs: Sequence[Path] = (),
    overrides: Mapping[str, str] | None = None,
    sut: SutSpec | None = None,
) -> RunInputs:
    """Load the scenario that ``reference`` names and everything it needs.

    Args:
        reference: a scenario file, or the name of a shipped one.
        packs: folders searched before all others.
        overrides: ``--set`` values by dotted key.
        sut: an assistant to test in place of the scenario's.

    Raises:
        UserError: something must be mended; says what and where.
    """
    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    scenario = load_scenario(reference, finder=finder, overrides=overrides, sut=sut)
    # What the file says of campaigns is no part of a plain run.
    plain = scenario.model_copy(update={"campaign": None})
    return inputs_of(plain, finder, find_scenario(reference, finder).path.parent)


def load_import(
    sut: RecordedSut,
    *,
    base: str | Path | None = None,
    rubric: str | None = None,
    limit: int | None = None,
    packs: Sequence[Path] = (),
    overrides: Mapping[str, str] | None = None,
) -> RunInputs:
    """Load conversations that were made elsewhere and everything that judging them needs.

    Args:
        sut: the file, relative to the working folder, and how it is read.
        base: a scenario whose oracles are used, by file or name; ``None``: the default ones.
        rubric: a rubric in place of the scenario's.
        limit: of the conversations in the file the first so many are judged; ``None``: all.
        packs: folders searched before all others.
        overrides: ``--set`` values by dotted key.

    Raises:
        UserError: something must be mended; says what and where.
    """
    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    placed = sut.model_copy(update={"file": str(Path.cwd() / sut.file)})
    scenario = import_scenario(placed, finder=finder, base=base, rubric=rubric, overrides=overrides)
    folder = Path.cwd() if base is None else find_scenario(base, finder).path.parent
    return inputs_of(scenario, finder, folder, limit=limit)


def inputs_of(scenario: Scenario, finder: PackFinder, folder: Path, *, limit: int | None = None) -> RunInputs:
    """Return the inputs of a resolved scenario, whose file is in ``folder``.

    Raises:
        UserError: something that it needs is missing or wrong.
    """
    beside = finder.beside(folder)
    cast = load_cast(scenario, beside)
    known = transcripts_for(scenario, beside)
    if known is not None:
        cast = replace(cast, origins=(*cast.origins, known[1]))
    require_replay_roles(scenario)
    recordings = None
    if isinstance(scenario.sut, RecordedSut):
        recordings = read_recordings(scenario.sut, folder=folder).first(limit)
        recordings = recordings if scenario.rejudges else recordings.noting(_unused(scenario))
    seeds = None
    if scenario.test_seeds is not None:
        seeds = read_test_seeds(scenario.test_seeds, folder=folder, stored=stored_conversations)
    if scenario.campaign is None:
        _refuse_endless(scenario, _n_written(recordings, seeds))
    return RunInputs(
        scenario=scenario,
        cast=cast,
        checks=build_checks(scenario.checks),
        turn_checks=tuple(build_checks(turn.checks) for turn in scenario.script),
        prices=load_prices(beside)[0] if cast.models else PriceTable(),
        recordings=recordings,
        test_seeds=seeds,
        transcripts=None if known is None else known[0],
    )


def _n_written(recordings: RecordingsRead | None, seeds: SeedsRead | None) -> tuple[int, str] | None:
    """Return how many conversations are written down in a file, and what they are called."""
    if recordings is not None:
        return len(recordings.recordings), "recorded conversations"
    return None if seeds is None else (len(seeds.seeds), "test seeds")


def _unused(scenario: Scenario) -> Iterator[str]:
    """Yield what of the scenario plays no part where conversations are recorded."""
    if len(scenario.contexts) > 1:
        yield f"of {len(scenario.contexts)} contexts the first is used, where a conversation names none of its own"
    if len(scenario.personas) > 1:
        yield f"{len(scenario.personas)} personas play no part: the users are recorded"


def _refuse_endless(scenario: Scenario, written: tuple[int, str] | None) -> None:
    n_written, called = written or (0, "")
    factors: tuple[int, ...] = (n_written, scenario.repeats)
    words = f"{{}} {called} × {{}} repeats"
    if written is None:
        factors = (len(scenario.seed_phrases) or 1, len(scenario.personas), len(scenario.contexts), scenario.repeats)
        words = "{} seed phrases × {} personas × {} contexts × {} repeats"
    if math.prod(factors) > MAX_PLANNED:
        what = words.format(*factors)
        hint = f"a run holds at most {MAX_PLANNED} conversations; lower 'repeats'" + (
            "" if written is None else ", or split the file"
        )
        raise InvalidInputError(f"{what} are too many", where=f"scenario {scenario.id!r}", hint=hint)
