"""The cookies of one session, for assistants that tell their clients apart by them.

Never of an adapter: cookies would join conversations that must not know of each other.
"""

from __future__ import annotations

from dataclasses import replace
from http.cookies import SimpleCookie

import aiohttp
from yarl import URL

from hairpin.sut.http_client import HttpCall


class SessionCookies:
    """Keeps what the assistant sets and gives it back, host and path considered. Used within an event loop."""

    def __init__(self) -> None:
        self._jar: aiohttp.CookieJar | None = None

    def take(self, cookies: SimpleCookie, url: URL) -> None:
        """Keep the cookies of an answer from ``url``."""
        if cookies and self._jar is None:
            self._jar = aiohttp.CookieJar(unsafe=True)  # also of hosts that are known by their number
        if cookies and self._jar is not None:
            self._jar.update_cookies(cookies, url)

    def added_to(self, call: HttpCall) -> HttpCall:
        """Return ``call`` with the cookies that belong to it, unless its template says what to send."""
        if self._jar is None or any(name.lower() == "cookie" for name in call.headers):
            return call
        found = self._jar.filter_cookies(call.url).values()
        cookie = "; ".join(f"{morsel.key}={morsel.coded_value}" for morsel in found)
        return replace(call, headers={**call.headers, "Cookie": cookie}) if cookie else call
