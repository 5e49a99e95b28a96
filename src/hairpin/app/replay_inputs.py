"""What ``hairpin metamorphic`` starts from: a scenario with test seeds, or a file of them with an assistant.

It opens no session and writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, get_args

from hairpin.app.inputs import RunInputs, inputs_of
from hairpin.domain.test_seeds import SeedFormat, TestSeedsSource
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs.dataset_scenario import dataset_scenario, is_dataset
from hairpin.packs.files import read_file
from hairpin.packs.finder import PackFinder
from hairpin.packs.scenarios import find_scenario, load_scenario
from hairpin.store.directory import RunDirectory, find_run

FORMATS: tuple[str, ...] = get_args(SeedFormat)

_ONLY_DATASETS: Final = (".json", ".jsonl")
"""Endings that no scenario has: a file that is not there is told as what it was meant for."""


@dataclass(frozen=True, slots=True)
class ReplayChoices:
    """What a user chose on the command line, beside a dataset."""

    sut: str | None = None
    base: str | None = None
    form: str = "auto"
    limit: int | None = None
    max_questions: int | None = None
    strict: bool = False


def load_replays(
    what: str,
    chosen: ReplayChoices,
    *,
    packs: Sequence[Path] = (),
    overrides: Mapping[str, str] | None = None,
) -> RunInputs:
    """Load what ``what`` names: a scenario with test seeds, a file of them, or a stored run.

    Raises:
        UserError: something must be mended; says what and where.
    """
    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    source = _dataset(what, chosen)
    if source is None:
        return _of_scenario(what, chosen, finder, overrides)
    scenario = dataset_scenario(source, finder=finder, sut=chosen.sut, base=chosen.base, overrides=overrides)
    folder = Path.cwd() if chosen.base is None else find_scenario(chosen.base, finder).path.parent
    return inputs_of(scenario, finder, folder)


def _of_scenario(
    what: str, chosen: ReplayChoices, finder: PackFinder, overrides: Mapping[str, str] | None
) -> RunInputs:
    file = find_scenario(what, finder)
    given = {"--sut": chosen.sut, "--scenario": chosen.base, "--limit": chosen.limit, "--strict": chosen.strict or None}
    given["--max-questions"] = chosen.max_questions
    for option, value in given.items():
        if value is not None:
            hint = "write it in the scenario, or use --set: sut, test_seeds.limit, test_seeds.max_questions, …"
            raise InvalidInputError(f"is for datasets, and {what} is a scenario", where=option, hint=hint)
    scenario = load_scenario(what, finder=finder, overrides=overrides)
    if scenario.test_seeds is None:
        raise InvalidInputError(
            "the scenario has no test seeds to replay",
            where=what,
            hint="give it test_seeds: {file: …}; conversations that are held freely are replayed by 'hairpin run' and "
            "'hairpin campaign' where the scenario says metamorphic:",
        )
    return inputs_of(scenario, finder, file.path.parent)


def _dataset(what: str, chosen: ReplayChoices) -> TestSeedsSource | None:
    """Return where test seeds are if ``what`` is a file of them or a run; ``None``: it is a scenario."""
    if chosen.form not in FORMATS:
        raise UnknownReferenceError("format", chosen.form, where="--format", known=FORMATS)
    path = Path(what)
    if _is_run(what):
        found = str(find_run(what).path.absolute())
        form = "run"
    elif chosen.form != "auto" or path.suffix in _ONLY_DATASETS or (path.is_file() and is_dataset(path)):
        found, form = str(path.absolute()), chosen.form
        if not path.exists():
            read_file(path, "file of test seeds")  # says what is there in its place
    else:
        return None
    return TestSeedsSource(
        file=found,
        format=cast(SeedFormat, form),
        limit=chosen.limit,
        max_questions=chosen.max_questions,
        strict=chosen.strict,
    )


def _is_run(what: str) -> bool:
    return Path(what).is_dir() and RunDirectory(Path(what)).has_store
