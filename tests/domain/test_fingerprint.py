from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.fingerprint import digest, fingerprint

named_parts = st.dictionaries(
    st.text(max_size=4), st.text(max_size=4, alphabet=st.characters(exclude_categories=["Cs"]))
)


@given(named_parts.filter(lambda parts: len(parts) > 1))
def test_the_order_of_the_parts_does_not_matter(parts: dict[str, str]) -> None:
    assert fingerprint(parts) == fingerprint(dict(reversed(parts.items())))


@given(named_parts, named_parts)
def test_it_is_equal_exactly_when_all_parts_are(one: dict[str, str], other: dict[str, str]) -> None:
    assert (fingerprint(one) == fingerprint(other)) == (one == other)


def test_text_cannot_move_from_one_part_to_another() -> None:
    assert fingerprint({"a": "b", "c": ""}) != fingerprint({"a": "", "c": "b"})


def test_a_digest_is_the_sha_256_of_the_text() -> None:
    assert digest("Zoë") == hashlib.sha256(b"Zo\xc3\xab").hexdigest()
