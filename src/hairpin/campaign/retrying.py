"""Whether a conversation that broke is tried again.

It must not run anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hairpin.domain.outcome import Blame, Verdict
from hairpin.domain.records import Outcome
from hairpin.domain.scenario import Scenario

_OURS: Final = frozenset({Blame.HARNESS, Blame.PROVIDER})
_PLAYED: Final = frozenset({Blame.JUDGE, Blame.SIMULATOR})


@dataclass(slots=True)
class Retries:
    """What is left of the retries of one conversation.

    What the assistant, its adapter or the user broke is a finding and is never tried again: that would hide how often
    it happens; so would trying a conversation again whose simulated user was found to have spoiled it. Nor is what an
    offline agent broke: it would break again.
    """

    left: int
    scenario: Scenario
    in_time: Callable[[], bool]

    def allow(self, outcome: Outcome) -> bool:
        """Say whether the conversation that ended like this is tried again, and count it."""
        blame, broke = outcome.judgement.blame, outcome.stop.rule.verdict is Verdict.INVALID
        ours = blame in _OURS or (blame in _PLAYED and bool(self.scenario.modelled_roles))
        if not broke or not ours or outcome.stop.reviewed or not self.left or not self.in_time():
            return False
        self.left -= 1
        return True
