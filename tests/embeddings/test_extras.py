from __future__ import annotations

import sys

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
