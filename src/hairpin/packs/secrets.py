"""Taking credentials out of texts that are shown or stored.

It finds no credentials elsewhere: a key is only ever named by its environment variable.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

_SECRET_NAME: Final = re.compile(
    r"(^|[_.-])(api[_-]?key|apikey|key|sig|signature|authorization|auth|password|passwd|secret|token|credential)s?$",
    re.IGNORECASE,
)
_USER_INFO: Final = re.compile(r"(?<=://)[^/?#\s]*@")
_PARAMETER: Final = re.compile(r"(?<=[?&;])([^=&#\s]+)=([^&#\s]*)")


def is_secret_name(name: str) -> bool:
    """Whether a parameter called ``name`` is likely to hold a credential (``max_tokens`` is not)."""
    return _SECRET_NAME.search(name) is not None and not name.lower().endswith("tokens")


def mask_urls(text: str) -> str:
    """Return ``text`` with its URLs without user and password, and with ``***`` for key-like parameters."""
    without_user = _USER_INFO.sub("", text)
    if "://" not in without_user:
        return text
    return _PARAMETER.sub(lambda match: f"{match[1]}=***" if is_secret_name(match[1]) else match[0], without_user)


def strip_url(url: str) -> str:
    """Return ``url`` without user, password, fragment and key-like parameters."""
    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query, True) if not is_secret_name(name)]
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, urlencode(query), ""))
