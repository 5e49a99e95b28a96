"""What the follow-ups of a run are made and judged with, and which conversations get some.

It must not run anything; ``campaign.families`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hairpin.domain.families import Family
from hairpin.domain.outcome import Stop
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import MetamorphicSpec, RelationCheck
from hairpin.domain.test_seeds import TestSeed
from hairpin.errors import HairpinError, InvalidInputError
from hairpin.graph.family_state import Derived
from hairpin.metamorphic.derive import derive, seed_of_conversation
from hairpin.metamorphic.scoring import check_relations, texts_needed
from hairpin.metamorphic.text_vectors import TextVectors, numpy_pair_cosines
from hairpin.ports import AsyncEncoder, ContextChecker, PairCosines, QuestionWriter


@dataclass(frozen=True, slots=True)
class Replaying:
    """What follow-ups are made with, and how answers are compared.

    Attributes:
        spec: which follow-ups, which relations, with which thresholds.
        checker: says whether contexts are equivalent, as ``spec.context`` says.
        encoder: makes the vectors of answers.
        test_seeds: by their ids, the test seeds that are asked as they are.
        writer: writes QAAsker's questions; ``None``: there are none.
        pair_cosines: computes cosines.
        language: of the questions.
    """

    spec: MetamorphicSpec
    checker: ContextChecker
    encoder: AsyncEncoder
    test_seeds: Mapping[str, TestSeed] = field(default_factory=dict)
    writer: QuestionWriter | None = None
    pair_cosines: PairCosines = numpy_pair_cosines
    language: str = "en"

    async def derive(self, source: ConversationRecord, *, accepts_history: bool) -> Derived:
        """Return what is derived from a source conversation. Raises as ``metamorphic.derive.derive``."""
        seed = self._seed_of(source)
        return await derive(
            source,
            seed,
            self.spec,
            accepts_history=accepts_history,
            writer=self.writer,
            language=self.language,
        )

    async def relate(self, family: Family) -> tuple[RelationCheck, ...]:
        """Return the relation checks of a family.

        Raises:
            EncoderError: answers cannot be encoded.
        """
        texts = texts_needed([family])
        vectors = TextVectors.of(texts, await self.encoder.encode(texts))
        (checks,) = check_relations([family], vectors, self.spec, pair_cosines=self.pair_cosines)
        return checks

    def _seed_of(self, source: ConversationRecord) -> TestSeed:
        replay = source.planned.replay
        if replay is None:
            try:
                return seed_of_conversation(source)
            except InvalidInputError as error:
                raise HairpinError(str(error)) from error  # no other conversation need be like that
        seed = self.test_seeds.get(replay.test_seed)
        if seed is None:
            raise HairpinError(
                f"the test seed {replay.test_seed!r} of {source.planned.id} is not among those of the scenario: was"
                " their file changed?"
            )
        return seed


def becomes_source(planned: PlannedConversation, stop: Stop, *, n_exchanges: int) -> bool:
    """Say whether follow-ups are derived from a conversation that ended like this.

    A test seed that was asked as it is: if anything was answered. Any other one: if it went to its end and has at least
    two exchanges; what was cut short by a deadline or broke is none.
    """
    if not planned.for_itself:
        return False
    if planned.replay is not None:
        return n_exchanges >= 1
    return stop.rule.judged and stop.rule.verdict is None and n_exchanges >= 2


def open_sources(
    conversation: Callable[[str], ConversationRecord], names: Iterable[str]
) -> Iterator[PlannedConversation]:
    """Yield those of the finished conversations ``names`` that have a family to be gone on with.

    ``conversation``: reads the record of one of them.
    """
    for name in names:
        record = conversation(name)
        outcome = record.outcome
        if outcome is not None and becomes_source(record.planned, outcome.stop, n_exchanges=len(record.exchanges)):
            yield record.planned
