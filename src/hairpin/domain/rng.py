"""Seeds for random generators, derived from one root.

It creates no generator: whoever draws owns its ``random.Random``.
"""

from __future__ import annotations

import hashlib


def derive_rng_seed(root: int, *path: str) -> int:
    """Return a seed for ``path`` that depends on nothing but ``root`` and the path: adding a test case shifts no other.

    Returns:
        An integer in [0, 2**63), so that it fits a signed 64-bit column.
    """
    key = "\x1f".join((str(root), *path)).encode()
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big") >> 1
