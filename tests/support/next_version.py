"""The tables of the next version, on which processes of this one still play for a while (CONTRIBUTING.md, What is
stored). Its migration adds what a migration may add: a column to each table, a table and an index.
"""

from __future__ import annotations

from pathlib import Path

from data.store import postgres_schema, schema

COLUMN, TABLE = "later", "later_table"
MIGRATION = "".join(
    [
        *(f"ALTER TABLE {table} ADD COLUMN {COLUMN} bigint;\n" for table in postgres_schema.TABLES),
        f"CREATE TABLE {TABLE} (match bigint PRIMARY KEY REFERENCES match (id) ON DELETE CASCADE);\n",
        "CREATE INDEX match_later ON match (later);\n",
    ]
)
"""The statements for both engines."""


def add_migration(folder: Path, script: str = MIGRATION) -> Path:
    """Copy all migrations to a folder, add one for both engines, and return the folder of the copies."""
    steps = folder / "migrations"
    (steps / "postgresql").mkdir(parents=True)
    for step in [*schema.steps(), *postgres_schema.steps(0)]:
        (steps / step.relative_to(schema.MIGRATIONS)).write_bytes(step.read_bytes())
    number = f"{int(schema.steps()[-1].stem[:4]) + 1:04}_later.sql"
    for place in (steps / number, steps / "postgresql" / number):
        place.write_text(script, encoding="utf-8")
    return steps
