"""The clock of the database, by which several processes agree on time, however wrong the clocks of their hosts are."""

from __future__ import annotations

from data.store.engine import Connection

_POSTGRESQL = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
_SQLITE = "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"


def server_time(c: Connection, *, shared: bool) -> int:
    """Return the time of the database in milliseconds since 1970. `shared`: whether it is PostgreSQL."""
    return int((c.execute(_POSTGRESQL) if shared else c.execute(_SQLITE)).fetchone()[0])
