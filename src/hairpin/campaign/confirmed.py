"""What the trials of a run's conversations confirm by now, read from its rows: what learning is rewarded by.

It must not decide when a failure is confirmed; ``domain.confirmation`` does.
"""

from __future__ import annotations

from hairpin.campaign.job import RunJob
from hairpin.domain.confirmation import confirm, confirmed_signatures
from hairpin.domain.facts import Signature
from hairpin.domain.outcome import Verdict


def confirmed_in(job: RunJob, conversation: str) -> frozenset[Signature]:
    """Return the distinct failures of a conversation that its trials so far confirm; nothing if it did not fail."""
    source = job.store.conversation(conversation)
    if source.outcome is None or source.outcome.judgement.verdict is not Verdict.FAIL:
        return frozenset()
    trials = job.store.trials(source.planned)
    return confirmed_signatures(source, confirm(source, trials, recorded=job.scenario.recorded))
