"""What the tests of PostgreSQL share: refusals, statements of their own, two processes on one database."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from data.store.database import Database, DatabaseRefusal, examine_url


async def refused(url: str, code: int, words: str, owner: str | None = None) -> str:
    """The refusal to open this database, with that code and these words, the same as its examination, one sentence or
    more in one line.
    """
    with pytest.raises(DatabaseRefusal) as examined:
        await examine_url(url, owner)
    with pytest.raises(DatabaseRefusal) as caught:
        await Database.open(url, owner=owner)
    assert (str(caught.value), caught.value.code) == (str(examined.value), examined.value.code)
    said = str(caught.value)
    assert caught.value.code == code and words in said and "\n" not in said
    return said


def run(url: str, *statements: str) -> list[Any]:
    """Run statements as the owner of the server. Return the rows of the last one."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def content(url: str) -> list[Any]:
    columns = (
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    )
    found = run(url, columns)
    return [*found, *(run(url, "SELECT * FROM setting ORDER BY name") if ("setting", "name") in found else ())]
