"""The replays of a stored run, scored from its rows and the vectors of its answers.

It asks no assistant and no model; vectors come from the cache, or are made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hairpin.analysis.metamorphic.analyse import analyse_replays
from hairpin.analysis.metamorphic.scored import Rescore, ScoredFamily, of_sut, scored_by, suts_of
from hairpin.app.diversity import LocalEncoder
from hairpin.app.replaying import cosines_of
from hairpin.app.stored import StoredRun
from hairpin.domain.families import Family
from hairpin.domain.relations import PAPER_ENCODER, MetamorphicSpec, RelationCheck
from hairpin.errors import EncoderError, InvalidInputError
from hairpin.metamorphic.noise import NoiseReport, noise_report
from hairpin.metamorphic.scoring import check_relations, texts_needed
from hairpin.metamorphic.text_vectors import TextVectors
from hairpin.ports import Encoder
from hairpin.reports.metamorphic import beside_a_campaign, metamorphic_sections
from hairpin.reports.metamorphic_results import ReplayResults
from hairpin.reports.tables import Section


@dataclass(frozen=True, slots=True)
class ScoredReplays:
    """The families of a run with their checks, how they are scored anew, and the vectors of their texts."""

    spec: MetamorphicSpec
    encoder: str
    scored: tuple[ScoredFamily, ...]
    rescore: Rescore
    vectors: TextVectors

    def noise(self, sut: str) -> NoiseReport:
        """Return the violations of one assistant beside those that stand out from its noise."""
        own = of_sut(self.scored, sut)
        checks = [check for each in own for check in each.checks]
        families = [each.family for each in own]
        return noise_report(families, checks, self.vectors, self.spec, pair_cosines=cosines_of(self.spec.encoder))


def score_replays(stored: StoredRun, encoder: Encoder, *, spec: MetamorphicSpec | None = None) -> ScoredReplays:
    """Return the scored families of a run; by ``spec`` in place of its own if given.

    Raises:
        InvalidInputError: nothing was replayed in it.
        EncoderError: its answers cannot be encoded.
    """
    used = spec or stored.scenario().metamorphic
    families = tuple(stored.reader.families())
    if used is None or not families:
        raise InvalidInputError(
            "nothing was replayed in this run", where=str(stored.directory.path), hint="name a run that was"
        )
    return score_families(families, used, encoder)


def score_families(families: Sequence[Family], spec: MetamorphicSpec, encoder: Encoder) -> ScoredReplays:
    """Return ``families`` with their checks by ``spec``; raises EncoderError."""
    texts = texts_needed(families)
    vectors = TextVectors.of(texts, encoder.encode(texts))
    cosines = cosines_of(spec.encoder)

    def rescore(some: Sequence[Family], by: MetamorphicSpec) -> tuple[tuple[RelationCheck, ...], ...]:
        return check_relations(some, vectors, by, pair_cosines=cosines)

    return ScoredReplays(spec, str(encoder.identity), scored_by(rescore, families, spec), rescore, vectors)


def replay_sections(stored: StoredRun, found: LocalEncoder) -> tuple[Section, ...]:
    """Return the tables and figures of a run's replays, or why there are none."""
    if next(stored.reader.families(), None) is None:
        return (_nothing("No source conversation came to an end, so none was replayed."),)
    if found.encoder is None:
        return (_without(found.reason),)
    try:
        replays = score_replays(stored, found.encoder)
    except EncoderError as error:
        return (_without(str(error)),)
    sections = metamorphic_sections(results_of(stored, replays))
    return beside_a_campaign(sections) if stored.run_info().campaign else sections


def results_of(stored: StoredRun, replays: ScoredReplays) -> ReplayResults:
    """Return what the sections are made of."""
    return ReplayResults(
        spec=replays.spec,
        encoder=replays.encoder,
        scored=replays.scored,
        analysis=analyse_replays(replays.scored, replays.spec, replays.rescore),
        noise=tuple((sut, replays.noise(sut)) for sut in suts_of(replays.scored)),
        uncalibrated=PAPER_ENCODER not in replays.encoder,
        location=str(stored.directory.path),
    )


def _without(reason: str) -> Section:
    return _nothing(f"The tables and figures need the vectors of the answers: {reason}.")


def _nothing(told: str) -> Section:
    return Section(id="replays", title="What replays found", text=(told,))
