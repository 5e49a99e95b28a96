"""Where the rows of a run go: a file in its directory, or a PostgreSQL database.

It must not connect, and the password is in nothing that it shows or writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from hairpin.errors import InvalidInputError

STORE_VARIABLE = "HAIRPIN_STORE"
"""The environment variable that names the database, with its password if need be."""

_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
_SECRETS = ("password", "sslpassword")
_PORT = 5432


@dataclass(frozen=True, slots=True)
class StoreTarget:
    """``url`` is ``None`` for a file in the run directory."""

    url: URL | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str | None, *, where: str = STORE_VARIABLE) -> Self:
        """Read a target: ``None`` or ``""`` for a file, else ``postgresql://user:password@host:port/database``.

        Raises:
            InvalidInputError: it is neither; ``where`` says where it stands.
        """
        if not text:
            return cls()
        scheme = text.partition("://")[0]
        if scheme not in _SCHEMES or "://" not in text:
            raise _refused("not the address of a PostgreSQL database", where)
        if text.partition("?")[0].count("@") > 1:
            raise _refused("the address cannot be read: it has more than one @", where)
        try:
            url = make_url(text).set(drivername="postgresql+psycopg")
        except (ArgumentError, ValueError):
            raise _refused("the address cannot be read", where) from None  # its message may hold the password
        if not url.database:
            raise _refused("the address names no database", where)
        return cls(url)

    @classmethod
    def of_environment(cls, environ: Mapping[str, str]) -> Self:
        """Read the target that the environment names. Raises InvalidInputError."""
        return cls.parse(environ.get(STORE_VARIABLE))

    @property
    def address(self) -> str:
        """The URL without its secrets; ``""`` for a file."""
        return "" if self.url is None else without_secrets(self.url).set(drivername="postgresql").render_as_string()

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be shown anywhere."""
        if self.url is None:
            return ()
        found = [self.url.password, *(each for name in _SECRETS for each in _texts(self.url.query.get(name)))]
        return tuple(str(secret) for secret in found if secret)

    def same_database(self, other: StoreTarget) -> bool:
        """Whether both name one database, whoever logs in."""
        return self.url is not None and other.url is not None and _database(self.url) == _database(other.url)


def without_secrets(url: URL) -> URL:
    """Return the URL without passwords."""
    # set(password=None) would leave it as it is.
    bare = URL.create(url.drivername, url.username, None, url.host, url.port, url.database, url.query)
    return bare.difference_update_query(_SECRETS)


def _texts(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value or ()


def _database(url: URL) -> tuple[object, ...]:
    return url.host or url.query.get("host") or "", url.port or url.query.get("port") or _PORT, url.database


def _refused(what: str, where: str) -> InvalidInputError:
    return InvalidInputError(
        what,
        where=where,
        hint="write postgresql://user:password@host:5432/database, with signs such as @ or / in the password as %40, "
        "%2F; leave it out to use a file",
    )
