"""Two stored runs of replays with a faulty story assistant, and a server of vectors that know words."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from hairpin.cli import application
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest, input_texts, vectors_answer

N_DIMENSIONS = 64
STORY = """\
Mina is a woman. She is 40 years old. She lives in the old mill. Her brother is Jonas.

Jonas is a man. He is 31 years old. He lives in the lighthouse. His sister is Mina."""
ASKED = (
    ("Where does Mina live?", "the old mill"),
    ("How old is she?", "40"),
    ("Who is her brother?", "Jonas"),
    ("How old is he?", "31"),
    ("Where does he live?", "the lighthouse"),
)
QUESTIONS = [{"text": text, "answer": answer} for text, answer in ASKED]
SEEDS = json.dumps({"id": "siblings", "story": STORY, "questions": QUESTIONS}) + "\n"
SCENARIO = """\
id: replays
sut: {{provider: story, faults: [F10, F11]}}
test_seeds: ./seeds.jsonl
metamorphic:
  perturbations: [RS, RD]
  executions: 3
  ratio: {ratio}
  comparison: lexical+embedding
  encoder: {{model: words, base_url: "{url}"}}
"""


def bag_of_words(request: FakeRequest) -> FakeAnswer:
    """Answer with vectors of the words of texts: those that share words are alike."""
    return vectors_answer([_vector(text) for text in input_texts(request)])


def _vector(text: str) -> list[float]:
    found = [0.0] * N_DIMENSIONS
    for word in re.findall(r"\w+", text.lower()) or ["?"]:
        found[hashlib.sha256(word.encode()).digest()[0] % N_DIMENSIONS] += 1
    return found


@dataclass(frozen=True)
class ReplayRuns:
    """The folders of two runs, with ratio 0.3 and 0.6, and the address of the vectors."""

    folder: Path
    narrow: Path
    wide: Path
    url: str


@contextmanager
def replay_runs(folder: Path) -> Iterator[ReplayRuns]:
    """Hold both runs; vectors are served until the block is left."""
    (folder / "seeds.jsonl").write_text(SEEDS, encoding="utf-8")
    with FakeModelServer(embed=bag_of_words) as server:
        narrow, wide = (_run(folder, ratio, server.base_url) for ratio in (0.3, 0.6))
        yield ReplayRuns(folder, narrow, wide, server.base_url)


def _run(folder: Path, ratio: float, url: str) -> Path:
    scenario, out = folder / f"replays_{ratio}.yaml", folder / f"runs_{ratio}"
    scenario.write_text(SCENARIO.format(ratio=ratio, url=url), encoding="utf-8")
    result = CliRunner().invoke(application, ["metamorphic", str(scenario), "--out", str(out), "--fail-on", "none"])
    assert result.exit_code == 0, result.output
    (run,) = out.iterdir()
    return run
