"""Active time: how arms that run side by side share the time that passes.

Pure values; time is passed in. Waiting for it to run out is ``campaign.cell``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from hairpin.domain.arm import Arm


@dataclass(slots=True)
class _Account:
    used_s: float
    running: int = 0
    closed: bool = False


class ActiveTime:
    """The time that a cell's arms have used.

    While conversations run, the time that passes is shared by the arms as the running conversations are; while none
    runs, evenly by the arms that are still open. So the arms' times add up to the cell's, and the time of an arm that
    is alone is the time on the clock.
    """

    def __init__(
        self, arms: Mapping[Arm, float], *, budget_s: float | None, pooled: bool = False, now_s: float
    ) -> None:
        """Start the clock.

        Args:
            arms: seconds that each arm has used already.
            budget_s: seconds that each arm may use; ``None`` is no limit.
            pooled: the arms use up their budgets together.
            now_s: seconds on a monotonic clock, as everywhere here.
        """
        self._accounts = {arm: _Account(used_s) for arm, used_s in arms.items()}
        self._budget_s = math.inf if budget_s is None else budget_s
        self._pooled = pooled
        self._now_s = now_s

    def begin(self, arm: Arm, now_s: float) -> None:
        """Note that a conversation begins."""
        self._pass(now_s)
        self._accounts[arm].running += 1

    def end(self, arm: Arm, now_s: float) -> None:
        """Note that a conversation has ended."""
        self._pass(now_s)
        self._accounts[arm].running -= 1

    def close(self, arm: Arm, now_s: float) -> None:
        """Note that no conversation of the arm begins any more."""
        self._pass(now_s)
        self._accounts[arm].closed = True

    def running(self, arm: Arm) -> int:
        """Return how many conversations of the arm run."""
        return self._accounts[arm].running

    def used_s(self, arm: Arm, now_s: float) -> float:
        """Return the active time that the arm has used."""
        self._pass(now_s)
        return self._accounts[arm].used_s

    def left_s(self, arm: Arm, now_s: float) -> float:
        """Return the active time that the arm has left, infinity without a limit; never below 0."""
        self._pass(now_s)
        if self._pooled:
            used_s = sum(account.used_s for account in self._accounts.values())
            return max(0.0, self._budget_s * len(self._accounts) - used_s)
        return max(0.0, self._budget_s - self._accounts[arm].used_s)

    def until_s(self, arm: Arm, reserve_s: float, now_s: float) -> float:
        """Return in how many seconds the arm has only ``reserve_s`` left, if nothing begins or ends until then."""
        left_s = self.left_s(arm, now_s) - reserve_s
        share = 1.0 if self._pooled else self._share(self._accounts[arm])
        return left_s / share if share > 0 else math.inf

    def _share(self, account: _Account) -> float:
        total = sum(each.running for each in self._accounts.values())
        if total:
            return account.running / total
        n_open = sum(not each.closed for each in self._accounts.values())
        return 0.0 if account.closed or not n_open else 1 / n_open

    def _pass(self, now_s: float) -> None:
        passed_s, self._now_s = max(0.0, now_s - self._now_s), max(now_s, self._now_s)
        shares = {arm: self._share(account) for arm, account in self._accounts.items()}
        for arm, share in shares.items():
            self._accounts[arm].used_s += share * passed_s
