from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hairpin.packs.pack_formats import SeedPoolFile
from hairpin.packs.pool_dump import dump_pool
from hairpin.packs.yaml_source import load_model

WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=30)


@given(st.lists(WORDS, min_size=1, max_size=5, unique=True), WORDS)
def test_a_pool_is_read_back_as_it_was_written(phrases: list[str], comment: str) -> None:
    text = dump_pool("mine", {"find_food": phrases, "none": []}, title="Mine: # all", comment=(comment, "a\nb"))
    read = load_model(text.encode(), "mine.yaml", SeedPoolFile)
    assert (read.id, read.title, read.tasks) == ("mine", "Mine: # all", {"find_food": tuple(phrases)})
    assert text.startswith("# ")
