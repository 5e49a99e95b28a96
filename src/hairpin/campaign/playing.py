"""How a planned conversation is played: who writes the user's turns, which replies stand, who decides by which seed.

It must not open sessions; ``campaign.opening`` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hairpin.campaign.job import RunJob
from hairpin.domain.conversation import Exchange, Utterance
from hairpin.domain.outcome import Stop
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.rejudging import StoredTranscript
from hairpin.domain.trials import Trial, TrialKind
from hairpin.errors import InvalidInputError
from hairpin.graph.speakers import UserTurns


@dataclass(frozen=True, slots=True)
class Playing:
    """What one conversation is played with.

    Attributes:
        turns: who writes the user's turns.
        standing: the first exchanges, whose stored replies are said again.
        latencies_ms: how long the replies that are said again took when they were given.
        rng_root: the random seed that roles decide by; ``None``: the conversation's own.
        ending: of a conversation of a stored run that is judged again, the stop it ends with; ``None``: as it goes.
    """

    turns: UserTurns
    standing: tuple[Exchange, ...] = ()
    latencies_ms: tuple[float, ...] = ()
    rng_root: int | None = None
    ending: Stop | None = None


def playing_of(job: RunJob, planned: PlannedConversation) -> Playing:
    """Return how ``planned`` is played.

    Raises:
        InvalidInputError: what a trial or canary says again is not there.
        StoreError: the source of a trial cannot be read.
    """
    if planned.canary is not None:
        return _canary(job, planned, planned.canary)
    if isinstance(stored := job.recordings.get(planned.id), StoredTranscript):
        return _stored(stored)
    if planned.trial is not None and planned.trial.kind is not TrialKind.RESIMULATE:
        return trial_playing(job.store.conversation(planned.trial.source), planned.trial)
    return Playing(job.user_turns(planned), latencies_ms=job.recorded_latencies_ms(planned))


def trial_playing(source: ConversationRecord, trial: Trial) -> Playing:
    """Return how ``source`` is judged anew or replayed: its user's words, with the strategies that shaped them.

    Judges decide by the random seed of the source, whatever the assistant draws by. An utterance that got no reply is
    said again too where the assistant answers anew.

    Raises:
        InvalidInputError: nothing was said in it, or not so many turns as the trial begins after.
    """
    said = [(exchange.user, exchange.strategy) for exchange in source.exchanges]
    n_standing = len(said)
    if trial.kind is TrialKind.REPLAY:
        pending = source.outcome.pending_utterance if source.outcome is not None else None
        said += [(pending, None)] if pending else []
        n_standing = trial.from_turn
    if not said or (trial.kind is TrialKind.REPLAY and n_standing >= len(said)):
        turns = f"its user has {len(said)} turns" if said else "nothing was said in it"
        raise InvalidInputError(
            f"conversation {source.planned.id!r} cannot be said again from turn {trial.from_turn}: {turns}",
            where=source.planned.id,
            hint="turns are counted from 0; 'hairpin show' lists them",
        )
    standing = source.exchanges[:n_standing]
    return Playing(
        UserTurns(
            replayed=tuple(text for text, _ in said),
            strategies=tuple(strategy for _, strategy in said),
            simulated=False,
            notes=source.exchanges[0].notes if standing else (),
        ),
        standing=standing,
        latencies_ms=_latencies(standing),
        rng_root=source.planned.rng_seed,
    )


def _stored(transcript: StoredTranscript) -> Playing:
    """Return how a conversation of a stored run is judged again: its exchanges come out as they were stored."""
    said = tuple(
        Utterance(
            text=exchange.user,
            source=exchange.source,
            strategy=exchange.strategy,
            notes=exchange.notes,
            regenerations=exchange.regenerations,
        )
        for exchange in transcript.exchanges
    )
    latencies_ms = _latencies(transcript.exchanges)
    return Playing(UserTurns(stored=said, simulated=False), latencies_ms=latencies_ms, ending=transcript.ending)


def _canary(job: RunJob, planned: PlannedConversation, canary: str) -> Playing:
    exchanges = job.asides.transcripts.get(canary)
    if exchanges is None:
        raise InvalidInputError(
            f"the transcript {canary!r} is not among those of this run",
            where=planned.id,
            hint="put back the pack that it was taken from",
        )
    turns = UserTurns(
        replayed=tuple(exchange.user for exchange in exchanges),
        strategies=tuple(exchange.strategy for exchange in exchanges),
        simulated=False,
        notes=exchanges[0].notes,
    )
    return Playing(turns, standing=exchanges, latencies_ms=_latencies(exchanges))


def _latencies(exchanges: Sequence[Exchange]) -> tuple[float, ...]:
    return tuple(exchange.latency_ms for exchange in exchanges)
