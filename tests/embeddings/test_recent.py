from __future__ import annotations

from collections import OrderedDict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hairpin.embeddings.recent import RecentVectors


@given(st.integers(0, 4), st.lists(st.tuples(st.sampled_from(["get", "put"]), st.sampled_from("abcdef"))))
def test_keeps_those_that_were_used_last(max_kept: int, steps: list[tuple[str, str]]) -> None:
    recent = RecentVectors(max_kept)
    used: OrderedDict[str, None] = OrderedDict()
    for action, text in steps:
        if action == "put":
            recent.put(text, np.full(2, ord(text), np.float32))
            used.pop(text, None)
            used[text] = None
            while len(used) > max_kept:
                used.popitem(last=False)
        else:
            found = recent.get(text)
            assert (found is not None) == (text in used)
            if found is not None:
                assert found.tolist() == [ord(text), ord(text)]
                used.move_to_end(text)
        assert len(recent) == len(used) <= max_kept
