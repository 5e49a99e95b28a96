from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hairpin.embeddings.extras import import_extra, is_installed
from hairpin.errors import EncoderError


def test_knows_what_is_there_without_importing_it() -> None:
    sys.modules.pop("this", None)
    assert is_installed("this")
    assert "this" not in sys.modules
    assert not is_installed("no_such_library")


def test_a_library_that_is_hidden_is_not_there_and_named_with_the_way_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    assert not is_installed("sentence_transformers")
    with pytest.raises(EncoderError, match=r"all-M: needs sentence_transformers.*pip install 'hairpin\[embeddings\]'"):
        import_extra("sentence_transformers", needed_for="all-M")


@pytest.mark.parametrize(("users", "seen"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_of_what_is_imported_wait_asleep_unless_the_user_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, users: str | None, seen: str
) -> None:
    """The variable must be there while the library is loaded, and gone afterwards."""
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.delitem(sys.modules, "looks_around", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "looks_around.py").write_text("import os\nSEEN = os.environ.get('OMP_WAIT_POLICY')\n", encoding="utf-8")
    if users is None:
        monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    else:
        monkeypatch.setenv("OMP_WAIT_POLICY", users)
    assert seen == import_extra("looks_around", needed_for="a test").SEEN
    assert os.environ.get("OMP_WAIT_POLICY") == users
