"""People in every column that there is for them, and what is found of them in files."""

from __future__ import annotations

from pathlib import Path

from data.records.terms import TERMS
from tests.data.test_schemas import stored

ANN, BEN, NOW = 1398712347623000101, 1398712347623000102, 5000
LOBBY = stored() + 1
USERS = {
    **{
        table: {"user"}
        for table in (
            *("person", "hours", "seat", "waiting", "former", "seat_change", "guest", "move", "vote", "post"),
            *("portrait", "player"),
        )
    },
    "farewell": {"user"},
    "match": {"host"},
    "refusal": {"user"},
    "proposal": {"starter"},
    "entrant": {"user"},
    "season": {"opener"},
}
"""The columns that hold ids of people. A vote's `choice` may name one besides."""
OTHERS = {
    "person": (
        "name dm dm_works dm_refused wants_text locale ping digest_hours digest_due digest_message digest_sending "
        "wants_help pictures shows_history seen_at"
    ),
    "match": (
        f"id game status guild channel place {' '.join(TERMS)} secret state version moves undone opened_at started_at "
        "turn_since ended_at paused_at previous touched_at rests_since alone chain rules doubt restores starts_at "
        "starts_soon missed_start nudged_at lesson duplicate held clock_kept_until parent uncounted dissolved season "
        "credited"
    ),
    "seat": "match number name since offered ping plays_forced cut came ready team level hints hinted sat ahead",
    "move": "match number seat turn text undone_at computer took link",
    "post": "match place channel message shown digest pinged ping mentioned reminded sending revision",
    "waiting": "match place name",
    "former": "match seat removed hints hinted",
    "seat_change": "match number moves seat kind name computer",
    "guest": "match name state said",
    "vote": "match choice",
    "refusal": "match choice",
    "proposal": "match choice since due ended",
    "invitation": "match channel message since",
    "reminder": "match seat turn since due sent pings nudger hours",
    "clock": "match seat turn since left reserve nudge ends due stage called away put_off hours",
    "hours": "zone quiet_from quiet_to days_off holidays",
    "farewell": "match channel message said",
    "old_table": "match channel message since named",
    "setting": "name value",
    "portrait": "hash face",
    "server": (
        "guild channels games threads most_open most_each role clocks first_clock events motion shows_history "
        "members_only greeting greeted ping_role role_ping"
    ),
    "player": "id",
    "result": "number match guild game ended_at seats moves rated early",
    "standing": "match seat player side rank score decisions seconds points gain honours beginner gone",
    "rating": ("guild game month player mu sigma points matches wins base_mu base_sigma base_matches base_wins"),
    "tally": "guild game kind name of hits",
    "season": (
        "id guild channel game name locale seats rounds days clock secret status version round round_ends touched_at "
        "ended_at message shown last_message unfinished restores told"
    ),
    "entrant": "season number name removed",
    "season_table": "season round number places match points winners",
    "lease": "match holder until epoch done wake",
    "duty": "name holder until epoch",
    "gateway_process": "id total until leaving",
    "shard": "total number holder until epoch heir heir_until",
    "identify": "bucket free_at",
    "budget": "name tokens counted_at",
    "invalid_requests": "minute process count",
    "sqlite_sequence": "name seq",
}
PLANTED = (
    "PRAGMA defer_foreign_keys=ON",
    *(
        f"UPDATE {table} SET {name} = {user} WHERE {name} = {before}"
        for user, before in ((ANN, 101), (BEN, 102))
        for table, (name,) in USERS.items()
    ),
    "UPDATE person SET name = 'Annabel', dm = 7771, locale = 'de' WHERE user = :ann",
    "UPDATE seat SET name = 'Annabel', cut = 'a cut of hers', ping = 'both', ahead = 'a move' WHERE user = :ann",
    "INSERT INTO portrait VALUES (:ann, 'a_face_of_hers', x'01020304')",
    "INSERT INTO player VALUES (1, :ann), (2, :ben)",
    "INSERT INTO result VALUES (1, 2, 1, 'full_sun', 2000, 3, 9, 1, 0)",
    "INSERT INTO standing VALUES (2, 0, 1, 0, 1, 9, 4, 60, 1050, 50, 'tall', NULL, 0), "
    "(2, 1, 2, 1, 2, 5, 4, 60, 980, -20, '', NULL, 0), (2, 2, NULL, 2, 3, 1, 0, 0, 950, -50, '', 1, 1)",
    (
        "INSERT INTO rating (guild, game, month, player, mu, sigma, points, matches, wins) "
        "VALUES (1, 'full_sun', '', 1, 27, 8, 1050, 1, 1)"
    ),
    (
        "INSERT INTO season (id, guild, channel, opener, game, name, locale, seats, rounds, days, clock, secret, "
        "status, touched_at) VALUES (1, 1, 10, :ann, 'full_sun', 'Cup', 'en', 2, 1, 7, 'none', 'ff', 'playing', 1000), "
        "(2, 1, 10, :ben, 'full_circle', 'Open', 'en', 2, 1, 7, 'none', 'ff', 'open', 1000)"
    ),
    (
        "INSERT INTO entrant (season, number, user, name) VALUES (1, 0, :ann, 'Annabel'), (1, 1, :ben, 'Ben'), "
        "(2, 0, :ben, 'Ben'), (2, 1, :ann, 'Ann')"
    ),
    "INSERT INTO season_table VALUES (1, 1, 0, '1 0', 2, '2 0', '1')",
    "INSERT INTO lease VALUES (1, 'a process', 0, 1, 1, 0)",
    "INSERT INTO duty VALUES ('digests', 'a process', 0, 1)",
    "INSERT INTO gateway_process VALUES ('a process', 1, 5, 0)",
    "INSERT INTO shard VALUES (1, 0, 'a process', 5, 1, NULL, 0)",
    "INSERT INTO identify VALUES (0, 5)",
    "INSERT INTO budget VALUES ('requests', 45000, 5)",
    "INSERT INTO invalid_requests VALUES (1, 'a process', 1)",
    "INSERT INTO hours VALUES (:ann, 'Europe/Berlin', 1320, 420, '[6]', '[]')",
    "INSERT INTO waiting SELECT 1, 0, user, name FROM person WHERE user = 104",
    "INSERT INTO waiting SELECT 2, 0, user, name FROM person WHERE user = 104",
    "UPDATE waiting SET user = :ann, name = 'Annabel' WHERE match = 2",
    "INSERT INTO former (match, user, seat, removed) VALUES (3, :ann, 0, 0)",
    "INSERT INTO seat_change VALUES (3, 0, 2, 0, 'left', :ann, 'Annabel', 'Ada')",
    "INSERT INTO seat_change VALUES (1, 0, 2, 1, 'left', :ben, 'Ben', 'Bo')",
    "INSERT INTO guest VALUES (2, :ann, 'Annabel', 'invited', 7774)",
    "INSERT INTO clock VALUES (1, 0, '0', 0, 60, 0, 0, NULL, NULL, 0, 0, NULL, 0, NULL)",
    (
        "INSERT INTO clock VALUES (3, 0, '0', 0, 60, 0, 0, NULL, NULL, 0, 0, NULL, 0, "
        "'[\"Europe/Rome\", null, [], [], null]')"
    ),
    "UPDATE seat SET user = NULL, name = 'Ada' WHERE match = 3 AND number = 0",
    "INSERT INTO vote VALUES (1, :ann, 'remove ' || :ben)",
    "INSERT INTO vote VALUES (1, :ben, 'remove ' || :ann)",
    "INSERT INTO proposal VALUES (1, 'remove ' || :ben, :ann, 1000, 2000, NULL)",
    "INSERT INTO proposal VALUES (1, 'remove ' || :ann, :ben, 1000, 2000, NULL)",
    "INSERT INTO proposal VALUES (1, 'pause', :ann, 1000, 2000, 'refused')",
    "INSERT INTO refusal VALUES (1, :ann, 'remove ' || :ben)",
    "INSERT INTO refusal VALUES (1, :ben, 'end')",
    "INSERT INTO reminder VALUES (1, 0, '0', 0, 60, 1, 2, 1, NULL)",
    "INSERT INTO farewell VALUES (3, :ann, 7771, 7772, 0)",
    "UPDATE post SET channel = 7771, message = 7773 WHERE user = :ann AND match = 1",
    (
        "INSERT INTO match (id, game, status, guild, channel, place, host, locale, options, secret, opened_at) "
        "VALUES (:lobby, 'sea_change', 'lobby', 1, 10, 10, :ann, 'en', '{}', 'ff', 1000)"
    ),
    "INSERT INTO seat (match, number, user, name) VALUES (:lobby, 0, :ann, 'Annabel')",
    "INSERT INTO seat (match, number, user, name) VALUES (:lobby, 1, :ben, 'Ben')",
)
"""What Ann, and Ben in part, leave in every table that there is for people."""


def encodings(user: int) -> list[bytes]:
    """How an id may stand in a file: as text, as SQLite's integer of a column and as that of a row's own number."""
    groups = [user >> (8 + 7 * at) & 0x7F | 0x80 for at in range(8)][::-1]
    return [str(user).encode(), user.to_bytes(8, "big"), bytes([*groups, user & 0xFF])]


def files_with(folder: Path, *forms: bytes) -> list[str]:
    """The files of the database in which one of these stands."""
    found = [path for path in folder.glob("sundial.db*") if path.is_file()]
    assert found
    return [path.name for path in found if any(form in path.read_bytes() for form in forms)]


OF_OTHERS = (
    "INSERT INTO clock SELECT match, number, '0', 0, 60, 0, 0, NULL, NULL, 0, 0, NULL, 0, NULL FROM seat "
    "WHERE (match, number) IN ((1, 1), (2, 0), (2, 1), (5, 2))",
    "INSERT INTO vote VALUES (2, :ben, 'end'), (5, :ben, 'remove 103')",
    "INSERT INTO proposal VALUES (2, 'end', :ben, 1000, 2000, NULL)",
    "INSERT INTO refusal VALUES (5, :ben, 'end')",
    "INSERT INTO reminder SELECT match, number, '0', 0, 60, 0, 0, NULL, NULL FROM seat "
    "WHERE (match, number) IN ((1, 1), (2, 0), (2, 1))",
    "INSERT INTO hours VALUES (:ben, 'Europe/Berlin', 1320, 420, '[6]', '[]')",
    "INSERT INTO former (match, user, seat, removed) VALUES (2, 104, 1, 0)",
    "INSERT INTO farewell VALUES (2, :ben, 7781, 7782, 0)",
    "UPDATE move SET undone_at = 12 WHERE match = 1 AND number > 6",
    "UPDATE match SET status = 'over', ended_at = 1 WHERE id = 4",
    (
        "INSERT INTO match (id, game, status, guild, channel, place, host, locale, options, secret, opened_at) "
        "VALUES (:lobby + 1, 'sea_change', 'lobby', 1, 10, 10, 103, 'en', '{}', 'ff', 1000)"
    ),
    "INSERT INTO seat (match, number, user, name) VALUES (:lobby + 1, 0, 103, 'Cem')",
    "INSERT INTO former (match, user, seat, removed) VALUES (:lobby + 1, 104, 0, 0)",
    "INSERT INTO vote VALUES (:lobby + 1, 103, 'end')",
    "UPDATE seat SET user = NULL, name = 'Ada' WHERE (match, number) IN ((3, 1), (5, 1))",
)
"""Rows of others beside hers: of the same kinds, in the same matches and in one that she has not seen."""
