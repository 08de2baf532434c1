"""Why a PostgreSQL database cannot be used: the server's errors as sentences for the operator, with exit codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from data.store.lock import DAMAGED, FAULT, NO_ROOM, RIGHTS, TO_DO, DatabaseRefusal

BAD_URL, LOGIN, NO_SERVER, OLD_SERVER = 2, 67, 68, 76
"""The exit codes of these refusals; most follow sysexits.h."""
_LOGIN = (errors.InvalidPassword, errors.InvalidAuthorizationSpecification, errors.InvalidCatalogName)
_GIVES_UP = (errors.IdleInTransactionSessionTimeout, errors.TransactionTimeout)
_REFUSES_LOGIN = ("authentication failed", "no password supplied", "does not exist", "no such database", "no such user")
"""What a server, or PgBouncer, says when it refuses the login. The error of a failed connection carries no code."""
_NAMED = r"FATAL: .*[\"'«»„“]\s?{}\s?[\"'«»“”]"
"""A server of any language names the user or the database that it refuses; not if it only has no room or rests."""
_PASSES = ("too many connections", "not currently accepting")
_UNFIT = ("invalid ", "bad value", "definition of service", "not support SSL", "binding required", "certificate file")
"""What libpq says of a parameter of the URL that does not fit, or not to this server."""
_BOUNCED = ("unsupported startup parameter", "statement pooling mode")
"""What PgBouncer says of a parameter that it does not pass on, and in the one of its modes that has no transactions."""

_CAUSES = {
    "Connection refused": "ConnectionRefused",
    "No such file": "NoServer",
    "timeout expired": "Timeout",
    "host name": "UnknownHost",
    "resolve host": "UnknownHost",
    "No route to host": "NoRoute",
    "Network is unreachable": "NoRoute",
    "closed the connection": "ConnectionLost",
    "Connection reset": "ConnectionLost",
    "consuming input failed": "ConnectionLost",
    "starting up": "StartingUp",
    "shutting down": "ShuttingDown",
    "authentication failed": "InvalidPassword",
    "no password supplied": "InvalidPassword",
    "not permitted to log in": "LoginNotPermitted",
    "does not exist": "UnknownUserOrDatabase",
    "not currently accepting": "AcceptsNoConnections",
    "permission denied": "InsufficientPrivilege",
    "pg_hba.conf": "NotInPgHba",
    "too many clients": "TooManyConnections",
    "too many connections": "TooManyConnections",
    "connection slots": "TooManyConnections",
    "no more connections allowed": "TooManyConnections",
}
"""Words for the log, by what the error of a connection says, which itself may name hosts and users."""


def cause(error: psycopg.Error) -> str:
    """Return the cause of an error in a word for the log."""
    said = first_line(error)
    return next((word for text, word in _CAUSES.items() if text in said), type(error).__name__)


def first_line(error: BaseException) -> str:
    """Return what the server says, without the statement that it quotes, which may hold a hand."""
    said = getattr(getattr(error, "diag", None), "message_primary", None)
    return str(said) if said else (str(error).strip().splitlines() or [type(error).__name__])[0]


@contextmanager
def refusals() -> Iterator[None]:
    """Turn the errors of a start into DatabaseRefusal, with a sentence for the operator."""
    try:
        yield
    except psycopg.Error as error:
        raise refusal(error) from None  # the error of a connection may quote the password


def refusal(error: psycopg.Error) -> DatabaseRefusal:
    """Return the refusal that an error at the start amounts to."""
    said = first_line(error).rstrip(".")
    unfit = error.sqlstate is None and "FATAL" not in said and any(text in said for text in _UNFIT)
    if unfit or any(text in said for text in _BOUNCED):
        return DatabaseRefusal(f"A parameter of DATABASE_URL does not fit: {said}.", BAD_URL)
    if isinstance(error, _LOGIN) or (error.sqlstate is None and _refuses_login(error, said)):
        return DatabaseRefusal(f"PostgreSQL refuses the user, password or database of DATABASE_URL: {said}.", LOGIN)
    if isinstance(error, errors.InsufficientPrivilege):
        sentence = f"The database user lacks a right: {said}. Make it the owner of the database. Nothing was changed."
        return DatabaseRefusal(sentence, RIGHTS)
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return DatabaseRefusal(
            f"The database takes no changes: {said}. DATABASE_URL may name a standby. Nothing was changed.", RIGHTS
        )
    if isinstance(error, errors.DiskFull):
        return DatabaseRefusal(f"The disk of the PostgreSQL server is full: {said}. Nothing was changed.", NO_ROOM)
    if isinstance(error, errors.LockNotAvailable):
        return DatabaseRefusal(
            f"Another program uses tables of the database, such as pg_dump or an open psql: {said}. Start again "
            "once it has ended. Nothing was changed.",
            NO_SERVER,
        )
    if isinstance(error, (psycopg.OperationalError, *_GIVES_UP)):
        return DatabaseRefusal(f"The PostgreSQL server of DATABASE_URL cannot be used now: {said}.", NO_SERVER)
    code = DAMAGED if isinstance(error, psycopg.InternalError) else FAULT
    return DatabaseRefusal(f"The PostgreSQL database cannot be used: {said}. Nothing was changed. {TO_DO[code]}", code)


def _refuses_login(error: psycopg.Error, said: str) -> bool:
    """Return whether the server refuses the user, the password or the database, in whichever language."""
    if any(text in said for text in _PASSES):
        return False
    names = () if error.pgconn is None else (error.pgconn.user, error.pgconn.db)
    named = any(name and re.search(_NAMED.format(re.escape(name.decode())), said) for name in names)
    return named or any(text in said for text in _REFUSES_LOGIN)
