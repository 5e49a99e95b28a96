"""What the sections of replays are made of.

It computes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hairpin.analysis.metamorphic.model import MetamorphicAnalysis
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.relations import MetamorphicSpec
from hairpin.metamorphic.noise import NoiseReport


@dataclass(frozen=True, slots=True)
class ReplayResults:
    """The replays of a run, analysed.

    Attributes:
        spec: how they were made.
        encoder: what the answers were encoded by, in words.
        scored: the families with their checks.
        analysis: their figures.
        noise: the counts calibrated for noise, per assistant.
        uncalibrated: whether ε is the paper's, which belongs to another encoder.
        location: how the user names the run on the command line.
    """

    spec: MetamorphicSpec
    encoder: str
    scored: Sequence[ScoredFamily]
    analysis: MetamorphicAnalysis
    noise: tuple[tuple[str, NoiseReport], ...]
    uncalibrated: bool
    location: str
