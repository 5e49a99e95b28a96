"""What a command line changes of a campaign: how long, how many, which arms, which assistants.

The campaign itself comes from ``campaign_forms``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec, Pairing, Split
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import SutSpec
from hairpin.errors import InvalidInputError, UnknownReferenceError, did_you_mean
from hairpin.packs.campaign_formats import NOT_COMPARED
from hairpin.packs.sut_forms import named_sut

E = TypeVar("E", bound=StrEnum)


def override_campaign(
    scenario: Scenario,
    *,
    time_s: float | None = None,
    conversations: int | None = None,
    max_distinct_failures: int | None = None,
    arms: Sequence[str] | None = None,
    split: str | None = None,
    pairing: str | None = None,
    runs: int | None = None,
    suts: Sequence[str] | None = None,
    folder: Path | None = None,
) -> Scenario:
    """Return ``scenario`` with what is given in place of what its campaign says; ``None`` changes nothing.

    Args:
        scenario: with a campaign (``campaign_forms.with_campaign``).
        time_s: see ``CampaignSpec``, as all that follow.
        conversations: in all.
        max_distinct_failures: per cell and arm.
        arms: by name, as ``split`` and ``pairing``.
        split: how arms share time.
        pairing: whether arms meet the same users.
        runs: repetitions.
        suts: labels of the campaign's assistants, or references as the text form of ``sut:`` takes them, which become
            their labels.
        folder: what relative files in ``suts`` are below; by default the working folder.

    Raises:
        InvalidInputError: an unknown name, a number that is too small, neither time nor conversations are known, or
            arms are paired of which there is only one, or what is learnt is not compared with uniform choice.
        ValueError: ``scenario`` has no campaign.
    """
    spec = scenario.campaign
    if spec is None:
        raise ValueError(f"scenario {scenario.id!r} has no campaign")
    given: dict[str, object] = {
        "time_s": _positive(time_s, "--time"),
        "conversations": _positive(conversations, "--conversations"),
        "max_distinct_failures": _positive(max_distinct_failures, "--max-failures"),
        "arms": None if arms is None else _arms(arms),
        "split": None if split is None else _choice(Split, split, "--split"),
        "pairing": None if pairing is None else _choice(Pairing, pairing, "--pairing"),
        "runs": _positive(runs, "--runs"),
        "suts": None if suts is None else _suts(suts, spec, folder or Path().resolve()),
    }
    changed = spec.model_copy(update={key: value for key, value in given.items() if value is not None})
    _require_an_end(changed, scenario)
    if not changed.compares_learning:
        raise InvalidInputError(NOT_COMPARED, where="--arms", hint="write --arms guided,learned")
    if pairing is not None or arms is None:
        _require_a_pair(changed, "--pairing" if pairing is not None else f"scenario {scenario.id!r}")
    return scenario.model_copy(update={"campaign": changed})


def _require_an_end(spec: CampaignSpec, scenario: Scenario) -> None:
    if spec.time_s is None and spec.conversations is None:
        hint = "give --time 4h or --conversations 100, or write time or conversations under campaign"
        raise InvalidInputError("nothing says when the campaign ends", where=f"scenario {scenario.id!r}", hint=hint)


def _require_a_pair(spec: CampaignSpec, where: str) -> None:
    """Refuse pairing with nothing to pair; arms chosen for once may leave one out that the file pairs."""
    if spec.pairing is Pairing.PAIRED and len(spec.arms) < 2:
        what = f"'paired' needs two arms, and the campaign has {spec.arms[0].value!r} alone"
        hint = "add --arms guided,baseline, or leave pairing independent"
        raise InvalidInputError(what, where=where, hint=hint)


N = TypeVar("N", int, float)


def _positive(number: N | None, where: str) -> N | None:
    if number is not None and not number > 0:
        raise InvalidInputError(f"must be above 0, not {number:g}", where=where, hint="give a larger number")
    return number


def _arms(names: Sequence[str]) -> tuple[Arm, ...]:
    arms = tuple(_choice(Arm, name, "--arms") for name in names)
    if not arms:
        raise InvalidInputError(
            "names no arm", where="--arms", hint="write guided, baseline, or both; or guided,learned"
        )
    _require_once(arms, "--arms")
    return arms


def _choice(choices: type[E], name: str, where: str) -> E:
    try:
        return choices(name)
    except ValueError as error:
        what = f"must be {' or '.join(repr(choice.value) for choice in choices)}, not {name!r}"
        raise InvalidInputError(what, where=where, hint=did_you_mean(name, [str(c) for c in choices])) from error


def _suts(names: Sequence[str], spec: CampaignSpec, folder: Path) -> dict[str, SutSpec]:
    """Return the assistants called ``names``, in that order."""
    if not names:
        hint = "write labels of the campaign's assistants, or references such as testbed or ./my.py:Mine"
        raise InvalidInputError("names no assistant", where="--sut", hint=hint)
    _require_once(names, "--sut")
    return {name: spec.suts.get(name) or _referred_to(name, spec, folder) for name in names}


def _referred_to(name: str, spec: CampaignSpec, folder: Path) -> SutSpec:
    try:
        return named_sut(name, folder, where="--sut")
    except UnknownReferenceError as error:
        if error.kind != "assistant" or not spec.suts:
            raise
        has = f"the campaign has {', '.join(map(repr, spec.suts))}"
        close = get_close_matches(name, spec.suts, n=1)
        hint = f"did you mean {close[0]!r}? {has}" if close else f"{has}; beside these, {error.hint}"
        raise UnknownReferenceError("assistant", name, where="--sut", hint=hint) from error


def _require_once(names: Iterable[str], where: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidInputError(f"names {str(name)!r} twice", where=where, hint="name it once")
        seen.add(name)
