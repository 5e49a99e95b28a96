"""Reading a user's file: everything that can be in the way is said with the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.errors import InvalidInputError
from hairpin.packs.files import MAX_FILE_BYTES, is_file, is_folder, read_file


def test_a_missing_file_is_named_with_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "commute.yaml").write_text("a: 1")
    with pytest.raises(InvalidInputError, match=r"comute\.yaml' does not exist; did you mean 'commute\.yaml'\?"):
        read_file(tmp_path / "comute.yaml", "scenario")
    with pytest.raises(InvalidInputError, match=r"the folder .*nowhere' does not exist either"):
        read_file(tmp_path / "nowhere" / "a.yaml", "scenario")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "commute.yaml").write_text("a: 1")
    with pytest.raises(InvalidInputError, match=r"scenario .* is a folder; name a file in it: commute\.yaml"):
        read_file(tmp_path, "scenario")


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    for name in ("a\0b", "x" * 5000):
        assert not is_file(tmp_path / name)
        assert not is_folder(tmp_path / name)
        with pytest.raises(InvalidInputError, match=r"cannot be read: .*; check its name and permissions"):
            read_file(tmp_path / name, "scenario")


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    with pytest.raises(InvalidInputError, match=r"is larger than 1 MB; split the file"):
        read_file(tmp_path / "a.yaml", "scenario")
