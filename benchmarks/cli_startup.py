"""How long ``hairpin --help`` takes: ``.venv/bin/python benchmarks/cli_startup.py``.

Target: below 0.5 s on two cores, median of five.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

TARGET_S = 0.5
HAIRPIN = Path(sys.executable).with_name("hairpin")


def wall_s(command: list[str]) -> float:
    """Run a command that must succeed; return its wall time in seconds."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def median_s(command: list[str], runs: int) -> float:
    """Return the median wall time in seconds, after one run that fills the caches."""
    wall_s(command)
    return statistics.median(wall_s(command) for _ in range(runs))


def main() -> None:
    parser = argparse.ArgumentParser(description="Time 'hairpin --help' against an empty Python program.")
    parser.add_argument("--runs", type=int, default=5)
    runs: int = parser.parse_args().runs
    empty_s = median_s([sys.executable, "-c", "pass"], runs)
    help_s = median_s([str(HAIRPIN), "--help"], runs)
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    verdict = "within" if help_s < TARGET_S else "over"
    print(f"hairpin --help: {help_s:.3f} s, {verdict} {TARGET_S} s (median of {runs}; {machine})")
    print(f"python -c pass: {empty_s:.3f} s")


if __name__ == "__main__":
    main()
