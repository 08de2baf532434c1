"""The tables in PostgreSQL: what the bot needs of a server, whose tables these are, and their migrations.

The number of the schema is that of SQLite's (schema.py): a migration has a file for each engine, with one number.
Everything here runs in the caller's transaction.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg

from data.store import schema
from data.store.engine import Connection
from data.store.lock import NOT_OURS, RIGHTS, TOO_NEW, DatabaseRefusal
from data.store.postgres_connection import PostgresConnection
from data.store.postgres_refusals import OLD_SERVER

OLDEST = 14
"""The oldest version of PostgreSQL that the bot takes: its makers support none before it."""
LOCK = 0x73756E6469616C
"""The number of the lock under which one process changes the tables: "sundial" in ASCII."""
WAIT = "SET LOCAL lock_timeout = '2s'"
"""How long a change of a table waits for another program, such as pg_dump, that uses it: meanwhile nothing can be read
from the table, and no process plays.
"""
SCHEMA, OWNER = "schema", "owner"
"""Keys in `setting`: the schema's number, and which bot the tables belong to."""

TABLES = (
    *("person", "match", "seat", "move", "post", "vote", "setting", "server"),
    *("waiting", "former", "clock", "hours", "farewell", "old_table", "proposal", "refusal"),
    *("reminder", "seat_change", "guest", "invitation", "portrait", "player", "result", "standing"),
    *("rating", "tally", "season", "entrant", "season_table", "lease", "duty"),
    *("gateway_process", "shard", "identify", "budget", "invalid_requests"),
)

_QUOTED = ", ".join(f"'{table}'" for table in TABLES)
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
_TAKES_NO_CHANGES = "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'"
_MAY_CREATE = "SELECT has_schema_privilege(current_schema(), 'CREATE')"
_FORBIDDEN = (
    "SELECT tablename FROM pg_tables CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed "
    f"WHERE schemaname = current_schema() AND tablename IN ({_QUOTED}) "
    "AND NOT has_table_privilege(format('%I.%I', schemaname, tablename), needed) ORDER BY tablename LIMIT 1"
)
_CLEAR = (
    *(f"DELETE FROM {table}" for table in TABLES[::-1] if table != "setting"),
    f"DELETE FROM setting WHERE name NOT IN ('{SCHEMA}', '{OWNER}')",
)
_SKIP = "SELECT setval(pg_get_serial_sequence('match', 'id'), nextval(pg_get_serial_sequence('match', 'id')) + ?)"


def steps(after: int) -> list[Path]:
    """Return the files of the migrations after that schema, in order. A new database needs all of them, from 0 on."""
    found = sorted((schema.MIGRATIONS / "postgresql").glob("[0-9]*.sql"))
    return [step for step in found if int(step.stem[:4]) > after]


def check_server(connection: psycopg.Connection[Any]) -> None:
    """Raise DatabaseRefusal if the server is too old, or the database does not store all characters."""
    version = connection.info.server_version // 10_000
    if version < OLDEST:
        raise DatabaseRefusal(
            f"The PostgreSQL server is version {version}, and the bot needs {OLDEST} or newer. Nothing was changed.",
            OLD_SERVER,
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise DatabaseRefusal(
            f"The database stores text as {encoding}, which lacks characters of players' names. Make one with "
            "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0. Nothing was changed.",
            OLD_SERVER,
        )


def check(c: PostgresConnection, owner: str | None, *, writes: bool = False) -> int:
    """Return the schema's number, 0 without tables. `writes`: it must take changes. Raises DatabaseRefusal."""
    if writes and c.execute(_TAKES_NO_CHANGES).fetchone()[0]:
        raise DatabaseRefusal(
            "The database takes no changes: DATABASE_URL may name a standby. Nothing was changed.", RIGHTS
        )
    if c.execute("SELECT current_schema()").fetchone()[0] is None:
        raise DatabaseRefusal(
            "The database has no schema that this user may use: set its search_path. Nothing was changed.", RIGHTS
        )
    tables = {row[0] for row in c.execute(_TABLES)}
    if not tables:
        if not c.execute(_MAY_CREATE).fetchone()[0]:
            raise DatabaseRefusal(
                "The database user may not make tables: GRANT CREATE ON SCHEMA … TO it, or make it the owner of the "
                "database. Nothing was changed.",
                RIGHTS,
            )
        return 0
    if not {"setting", "match", "move"} <= tables:
        raise DatabaseRefusal(
            "The database has tables of another program. Give the bot a database of its own. Nothing was changed.",
            NOT_OURS,
        )
    forbidden = c.execute(_FORBIDDEN).fetchone()
    if forbidden is not None:
        raise DatabaseRefusal(
            f'The database user may not read and write the table "{forbidden[0]}": make it the owner of all tables. '
            "Nothing was changed.",
            RIGHTS,
        )
    version, newest = int(schema.setting(c, SCHEMA) or 0), len(schema.steps())
    if not version:
        raise DatabaseRefusal("The database has tables of another program. Nothing was changed.", NOT_OURS)
    if version > newest:
        raise DatabaseRefusal(
            f"The database is from a newer version of this program (tables {version}, this one knows {newest}). "
            "Nothing was changed; install the newer version again.",
            TOO_NEW,
        )
    check_owner(c, owner)
    return version


def check_owner(c: Connection, owner: str | None) -> str | None:
    """Return whose the database is; None: unknown. Raises DatabaseRefusal if not `owner`'s; None is not checked."""
    stored = schema.setting(c, OWNER)
    if owner is None or stored in (None, owner):
        return stored
    other = "the bot of --local" if stored == schema.LOCAL else "a bot with another token's number"
    raise DatabaseRefusal(
        f"The database belongs to {other}. Nothing was changed. Give each bot a database of its own; or, if this "
        "one takes over from that one for good, run in the database: DELETE FROM setting WHERE name = 'owner'",
        NOT_OURS,
    )


def clear(c: Connection) -> None:
    """Delete all that is stored but the schema's number and whose the tables are."""
    for sql in _CLEAR:
        c.execute(sql)


def prepare(c: PostgresConnection, owner: str | None) -> None:
    """Bring the tables up to date, all steps or none, and note whose they are. Other processes wait meanwhile.

    Raises DatabaseRefusal.
    """
    c.execute("SELECT pg_advisory_xact_lock(?)", (LOCK,))
    c.execute(WAIT)
    for step in steps(check(c, owner)):
        c.run_script(step.read_text(encoding="utf-8"))
    c.execute(schema.PUT_SETTING, (SCHEMA, str(len(schema.steps()))))
    if owner is not None:
        c.execute(schema.PUT_SETTING, (OWNER, owner))
    schema.after_restore(c, lambda count: int(c.execute(_SKIP, (count,)).fetchone()[0]) - count)
