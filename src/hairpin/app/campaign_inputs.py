"""What a campaign starts from: a scenario with its campaign, as the user changed it.

It opens no session and writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hairpin.app.inputs import RunInputs, inputs_of
from hairpin.domain.campaign import CampaignSpec
from hairpin.domain.durations import parse_duration
from hairpin.domain.sut_spec import SutSpec
from hairpin.packs.campaign_forms import with_campaign
from hairpin.packs.campaign_overrides import override_campaign
from hairpin.packs.finder import PackFinder
from hairpin.packs.scenarios import find_scenario, load_scenario
from hairpin.settings import read_settings
from hairpin.sut.build import build_adapter


@dataclass(frozen=True, slots=True)
class CampaignChoices:
    """What a user chose on the command line, as written; ``None``: what the scenario says."""

    time: str | None = None
    conversations: int | None = None
    max_distinct_failures: int | None = None
    arms: str | None = None
    split: str | None = None
    pairing: str | None = None
    runs: int | None = None
    suts: str | None = None


def load_campaign(
    reference: str | Path,
    chosen: CampaignChoices,
    *,
    packs: Sequence[Path] = (),
    overrides: Mapping[str, str] | None = None,
    suts: Mapping[str, SutSpec] | None = None,
) -> RunInputs:
    """Load the scenario that ``reference`` names, with its campaign or the default one, and everything it needs.

    ``suts``: assistants by label, in place of those of the campaign.

    Raises:
        UserError: something must be mended; says what and where.
    """
    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    folder = find_scenario(reference, finder).path.parent
    beside = finder.beside(folder)
    scenario = with_campaign(load_scenario(reference, finder=finder, overrides=overrides), finder=beside)
    scenario = override_campaign(
        scenario,
        time_s=None if chosen.time is None else parse_duration(chosen.time, where="--time"),
        conversations=chosen.conversations,
        max_distinct_failures=chosen.max_distinct_failures,
        arms=_listed(chosen.arms),
        split=chosen.split,
        pairing=chosen.pairing,
        runs=chosen.runs,
        suts=_listed(chosen.suts),
    )
    if suts and scenario.campaign is not None:
        campaign = scenario.campaign.model_copy(update={"suts": dict(suts)})
        scenario = scenario.model_copy(update={"campaign": campaign})
    return inputs_of(scenario, finder, folder)


def load_stored_inputs(scenario: Path, *, packs: Sequence[Path] = ()) -> RunInputs:
    """Load the inputs of a stored run, its campaign included.

    Raises:
        UserError: something that it needs is not there any more.
    """
    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    return inputs_of(load_scenario(scenario, finder=finder), finder, scenario.parent)


def _listed(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",")]


def declared_campaign(
    reference: str | Path, *, packs: Sequence[Path] = (), overrides: Mapping[str, str] | None = None
) -> CampaignSpec | None:
    """Return the campaign that a scenario file itself describes, if it does; its assistants can be built.

    Raises:
        UserError: something must be mended; says what and where.
    """
    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    spec = load_scenario(reference, finder=finder, overrides=overrides).campaign
    settings = read_settings()
    for sut in spec.suts.values() if spec is not None else ():
        build_adapter(sut, default_gguf=settings.gguf, environ=settings.environ)
    return spec
