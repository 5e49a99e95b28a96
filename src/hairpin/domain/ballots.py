"""What each member of a panel of judges said of one decision.

It must not count votes; ``domain.voting`` does.
"""

from __future__ import annotations

from pydantic import Field

from hairpin.domain.base import Value


class Vote(Value):
    """What one judge said, in labels, and why. ``broken``: it gave no judgement, and ``said`` is what kept it."""

    judge: str
    said: str
    reasoning: str = ""
    broken: bool = False


class Ballot(Value):
    """The votes of one decision: of exchange ``t``, or of ``dimension``, in the order of the panel."""

    t: int | None = Field(default=None, ge=0)
    dimension: str = ""
    votes: tuple[Vote, ...] = Field(min_length=1)

    @property
    def unanimous(self) -> bool:
        """Whether every judge said the same."""
        return not any(vote.broken for vote in self.votes) and len({vote.said for vote in self.votes}) == 1

    @property
    def told(self) -> str:
        """What was said, in one line: the same words together, with who said them where not all did."""
        n = len(self.votes)
        sayings: dict[str, list[str]] = {}
        for vote in self.votes:
            sayings.setdefault(f"broke ({vote.said})" if vote.broken else vote.said, []).append(vote.judge)
        parts = [
            f"{len(judges)} of {n}: {said}" + ("" if len(judges) == n else f" ({', '.join(judges)})")
            for said, judges in sayings.items()
        ]
        return "; ".join(parts)
