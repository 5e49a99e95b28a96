"""The coverage floor: over the whole package, lines and branches apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from check_coverage import main


def report(folder: Path, files: dict[str, tuple[int, int, int, int]]) -> str:
    keys = ("covered_lines", "num_statements", "covered_branches", "num_branches")
    entries = {name: {"summary": dict(zip(keys, numbers, strict=True))} for name, numbers in files.items()}
    path = folder / "coverage.json"
    path.write_text(json.dumps({"files": entries}), encoding="utf-8")
    return str(path)


def test_ninety_five_per_cent_of_both_is_enough(tmp_path: Path) -> None:
    assert main(report(tmp_path, {"src/hairpin/domain/a.py": (95, 100, 19, 20)}), "domain") == 0


@pytest.mark.parametrize("numbers", [(94, 100, 20, 20), (100, 100, 18, 20)])
def test_less_of_either_is_not(tmp_path: Path, numbers: tuple[int, int, int, int]) -> None:
    assert main(report(tmp_path, {"src/hairpin/domain/a.py": numbers}), "domain") == 1


def test_files_of_a_package_count_together_and_those_of_others_do_not(tmp_path: Path) -> None:
    files = {
        "src/hairpin/domain/a.py": (0, 5, 0, 0),
        "src/hairpin/domain/b.py": (95, 95, 0, 0),
        "src/hairpin/store/c.py": (0, 100, 0, 100),
    }
    assert main(report(tmp_path, files), "domain") == 0


def test_every_named_package_must_reach_the_floor(tmp_path: Path) -> None:
    files = {"src/hairpin/domain/a.py": (9, 9, 0, 0), "src/hairpin/graph/b.py": (1, 9, 0, 0)}
    assert main(report(tmp_path, files), "domain", "graph") == 1


def test_a_package_nobody_measured_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing of hairpin/graph"):
        main(report(tmp_path, {"src/hairpin/domain/a.py": (1, 1, 0, 0)}), "graph")
