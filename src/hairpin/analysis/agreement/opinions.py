"""How many of the failures that a judge labelled people call genuine, mode by mode, and which it missed.

It must not read annotations from anywhere. Source: MORTAR, section V-B1, Table VIII, there of violated relations.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from hairpin.analysis.agreement.alpha_of_ratings import krippendorff_alpha
from hairpin.analysis.agreement.krippendorff import Metric
from hairpin.analysis.agreement.model import Coefficient
from hairpin.analysis.agreement.scale import Scale
from hairpin.analysis.model import Proportion
from hairpin.analysis.proportions import proportion
from hairpin.domain.annotations import Annotation
from hairpin.domain.base import Value

_YES_NO = Scale(levels=(0, 1))


class Place(Value):
    """Where a failure is, or is said to be; without a target it is of the whole turn."""

    conversation: str
    t: int
    mode: str
    target_id: str | None = None


class LabelPrecision(Value):
    """One mode of one judge, or (``mode`` ``None``) all of them.

    Attributes:
        genuine: of its labelled failures with a majority of people, those that most call genuine.
        ties: failures that as many people call genuine as not: excluded.
        unlabelled: failures of which nobody says anything: excluded.
        missed: failures that most people see and the judge did not label.
        alpha: Krippendorff's α (nominal) of people on everything that two of them labelled.
    """

    judge: str
    mode: str | None
    genuine: Proportion
    ties: int = Field(ge=0)
    unlabelled: int = Field(ge=0)
    missed: int = Field(ge=0)
    alpha: Coefficient


Votes = Mapping[Place, Mapping[str, bool]]
"""What each rater says of each place."""


def votes_of(annotations: Iterable[Annotation]) -> Votes:
    """Return what people say of single failures."""
    votes: dict[Place, dict[str, bool]] = defaultdict(dict)
    for said in annotations:
        for label in said.labels:
            place = Place(conversation=said.conversation, t=label.t, mode=label.mode, target_id=label.target_id)
            votes[place][said.rater] = label.holds
    return votes


def label_precisions(judge: str, labelled: Sequence[Place], votes: Votes) -> tuple[LabelPrecision, ...]:
    """Return how many of the failures ``labelled`` by ``judge`` are genuine: of all modes, then of each.

    What a rater says of a turn without a target holds for every target of that turn and mode that this rater does not
    name.
    """
    modes = sorted({place.mode for place in (*labelled, *votes)})
    of_all = _of_places(judge, None, labelled, votes)
    return (of_all, *(_of_places(judge, mode, labelled, votes) for mode in modes)) if votes else ()


def _of_places(judge: str, mode: str | None, labelled: Sequence[Place], votes: Votes) -> LabelPrecision:
    own = [place for place in dict.fromkeys(labelled) if mode in (None, place.mode)]
    said = {place: found for place, found in votes.items() if mode in (None, place.mode)}
    majorities = [_majority(_votes_for(place, said)) for place in own]
    known = set(own) | {place.model_copy(update={"target_id": None}) for place in own}
    genuine = [found for found in majorities if isinstance(found, bool)]
    return LabelPrecision(
        judge=judge,
        mode=mode,
        genuine=proportion(sum(genuine), len(genuine), reason="no labelled failure has a majority"),
        ties=sum(found == "tie" for found in majorities),
        unlabelled=sum(found is None for found in majorities),
        missed=sum(_majority(found) is True for place, found in said.items() if place not in known),
        alpha=_alpha(said),
    )


def _votes_for(place: Place, votes: Votes) -> Mapping[str, bool]:
    return {**votes.get(place.model_copy(update={"target_id": None}), {}), **votes.get(place, {})}


def _majority(votes: Mapping[str, bool]) -> bool | str | None:
    """Return what most say, ``"tie"``, or ``None`` where nobody says anything."""
    if not votes:
        return None
    counts = Counter(votes.values())
    return "tie" if counts[True] == counts[False] else counts[True] > counts[False]


def _alpha(votes: Votes) -> Coefficient:
    raters = sorted({rater for said in votes.values() for rater in said})
    ratings = [[None if (one := said.get(rater)) is None else int(one) for said in votes.values()] for rater in raters]
    return krippendorff_alpha(ratings, _YES_NO, Metric.NOMINAL)
