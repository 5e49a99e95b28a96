"""Learning against uniform choice as a user runs it: a campaign with ``confirm:``, counted in confirmed failures.

    PYTHONPATH=. python benchmarks/learning_confirmed.py DIR [--first 101] [--seeds 3] [--useless 2]

The pools, faults and users are those of ``benchmarks/learning.py``; here ``hairpin campaign --arms guided,learned``
holds the conversations, one at a time, and what it found is tried again. Runs are kept in DIR. Printed: distinct
failures in each arm's conversations that their trials confirm, and in brackets all that were found.

Last result: see docs/results/learning.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from ruamel.yaml import YAML

from hairpin.app.stored import open_stored
from hairpin.domain.arm import Arm
from hairpin.domain.confirmation import confirmed_signatures
from hairpin.domain.facts import Signature
from hairpin.packs.finder import PackFinder
from hairpin.packs.scenarios import load_scenario
from tests.quality.learning_worlds import FAULTS, MAX_TURNS, planted

SHIPPED = Path("scenarios/campaigns/testbed.yaml")
FIELDS = {"id", "title", "target_mode", "templates"}
THRESHOLD = 0.95
"""Trials follow conversations that failed, so that one failure must fail them: it costs a tenth of C."""


def write_scenario(folder: Path, *, n_useless: int, rng_seed: int) -> Path:
    """Write the planted pool and a scenario that uses it into ``folder``; return the scenario's path."""
    pool = planted(n_useless, load_scenario("campaigns/testbed", finder=PackFinder.standard(plugins=[])))
    pack = {
        "version": 1,
        "id": "planted",
        "title": "Planted",
        "language": "en",
        "strategies": [each.model_dump(mode="json", include=FIELDS, exclude_defaults=True) for each in pool],
        "vocabulary": {name: list(values) for name, values in pool[0].vocabulary.items()},
    }
    shipped = YAML(typ="safe", pure=True).load(SHIPPED)
    scenario = {
        **{name: shipped[name] for name in ("version", "personas", "contexts", "rubric")},
        "id": "learning",
        "rng_seed": rng_seed,
        "sut": {
            "provider": "testbed",
            "faults": [{"id": f.id, "probability": f.probability, "after": f.after} for f in FAULTS],
        },
        "max_turns": MAX_TURNS,
        "threshold": THRESHOLD,
        "strategies": "planted",
        "confirm": {"rejudge": 2, "replay": 2, "resimulate": 0},
        "campaign": {"pairing": "paired", "max_turns": [MAX_TURNS], "pools": ["in_car/1"]},
    }
    (folder / "strategies").mkdir(parents=True, exist_ok=True)
    (folder / "strategies" / "planted.yaml").write_text(json.dumps(pack), encoding="utf-8")
    (folder / "learning.yaml").write_text(json.dumps(scenario), encoding="utf-8")
    return folder / "learning.yaml"


def run_campaign(folder: Path, scenario: Path, n: int) -> Path:
    """Hold ``n`` conversations in each arm; return the run's folder."""
    options = ["--arms", "guided,learned", "--conversations", str(2 * n), "--concurrency", "1", "--fail-on", "none"]
    where = ["--packs", str(folder), "--out", str(folder / "runs")]
    subprocess.run(
        [sys.executable, "-m", "hairpin", "campaign", str(scenario), *options, *where],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (run,) = (path for path in (folder / "runs").iterdir() if path.is_dir() and not path.is_symlink())
    return run


def count(run: Path) -> dict[Arm, tuple[int, int, int]]:
    """Return of each arm how many distinct failures are confirmed, how many were found, and its conversations."""
    kept: dict[Arm, set[Signature]] = {Arm.GUIDED: set(), Arm.LEARNED: set()}
    found: dict[Arm, set[Signature]] = {Arm.GUIDED: set(), Arm.LEARNED: set()}
    n: Counter[Arm] = Counter()
    with open_stored(run) as stored:
        confirmations = {each.conversation: each for each in stored.confirmations()}
        for record in stored.conversations():
            arm = record.planned.arm
            if not record.planned.for_itself or record.outcome is None or arm not in kept:
                continue
            n[arm] += 1
            kinds = {target.id: target.kind for target in record.targets}
            found[arm] |= {
                Signature(failure.mode, kinds.get(failure.target_id or "", ""), failure.strategy or "")
                for failure in record.failures
            }
            if record.planned.id in confirmations:
                kept[arm] |= confirmed_signatures(record, confirmations[record.planned.id])
    return {arm: (len(kept[arm]), len(found[arm]), n[arm]) for arm in kept}


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=101)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--useless", type=int, default=2)
    parser.add_argument("--conversations", type=int, default=100)
    options = parser.parse_args()
    print("| rng_seed | guided | learned | conversations |")
    print("|--:|--:|--:|--:|")
    for rng_seed in range(options.first, options.first + options.seeds):
        folder = options.folder / f"{options.useless}-{rng_seed}"
        scenario = write_scenario(folder, n_useless=options.useless, rng_seed=rng_seed)
        counts = count(run_campaign(folder, scenario, options.conversations))
        cells = [f"{kept} ({found})" for kept, found, _ in counts.values()]
        held = ", ".join(str(n) for *_, n in counts.values())
        print(f"| {rng_seed} | {' | '.join(cells)} | {held} |", flush=True)


if __name__ == "__main__":
    main()
