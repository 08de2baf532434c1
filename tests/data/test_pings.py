"""Pings and the states of posts are values with the texts that are stored."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from data.records.match import Chair
from data.records.matches import Matches
from data.records.pings import THE_END, Ping, SeatPings
from data.records.post import EndPost, HandPost, NoticePost, Post, PostState, Sending, SentAfter, TablePost
from data.records.post_rows import CALL, END, TABLE, post_values, read_post
from data.store.database import Database
from tests.data.test_schemas import EARLIER, old

PINGS = {
    "3.1": Ping("3.1"),
    "3.1-2": Ping("3.1-2"),
    "3.1 1": Ping("3.1", nudges=1),
    "12.a.3-10 2 last": Ping("12.a.3-10", nudges=2, last=True),
    "3.1 last": Ping("3.1", last=True),
    "away 1700000000": Ping("", away=1_700_000_000),
    "away 0": Ping("", away=0),
    "away 1700000000 vote 5": Ping("", away=1_700_000_000, vote=5),
    "the end": THE_END,
    "vote 1700000000": Ping("", vote=1_700_000_000),
    "3.1-2 1 last vote 5": Ping("3.1-2", nudges=1, last=True, vote=5),
}
ODD = [
    *("away", "last", "away soon", "3.1 01", "3.1 -1", "3.1  last", "3.1 last last", "vote", "3.1 vote 0", " "),
    *("again", '{"0": "3.1"}'),
]
"""Texts that this version does not write, and that a damaged or older database may hold."""


@pytest.mark.parametrize("text", PINGS)
def test_a_ping_is_the_value_of_its_text(text: str) -> None:
    assert Ping.parse(text) == PINGS[text]
    assert str(PINGS[text]) == text


@pytest.mark.parametrize("text", ODD)
def test_any_text_is_stored_as_it_was_read(text: str) -> None:
    assert str(Ping.parse(text)) == text


def test_no_text_is_no_ping() -> None:
    assert Ping.parse("") is None


def test_a_ping_knows_its_turn_and_whether_it_is_the_last() -> None:
    ping = Ping("3.1", nudges=2, last=True)
    assert (str(ping.not_last), str(ping.of_turn)) == ("3.1 2", "3.1")
    assert Ping("", away=5).of_turn == Ping("", away=5)
    assert THE_END.of_turn == THE_END.not_last == THE_END


@pytest.mark.parametrize("text", ['{"2": "3.1 last", "0": "3.1"}', '{"1": "away 5"}', "{}"])
def test_the_pings_of_a_mention_under_way_keep_their_order(text: str) -> None:
    pings = SeatPings.from_json(text)
    assert pings is not None
    assert pings.to_json() == text


@pytest.mark.parametrize("text", ["", "again", "3.1", "{", '{"0"', '{"a": "3.1"}', '{"0": 3}'])
def test_another_text_is_no_mention_under_way(text: str) -> None:
    assert SeatPings.from_json(text) is None


@pytest.mark.parametrize("text", ["", "0 3.1", "2 3.1-1,0 away 5"])
def test_the_turns_mentioned_again_keep_their_order(text: str) -> None:
    assert str(SeatPings.parse(text)) == text


@pytest.mark.parametrize("text", ["again", "3.1", '{"0": "3.1"}', "x 3.1,"])
def test_what_an_older_version_left_there_means_nothing(text: str) -> None:
    assert SeatPings.parse(text) == SeatPings()


HAND, AWAY = partial(HandPost, 1, 10, user=None), Ping("", away=9)
ROWS = [
    (TABLE, "0123abcd", "", "", TablePost(1, 10, digest="0123abcd")),
    (TABLE, "", "again", "", TablePost(1, 10, invited=True)),
    (TABLE, "", "called", "", TablePost(1, 10, called=True)),
    (TABLE, "", "again called", "", TablePost(1, 10, invited=True, called=True)),
    (TABLE, PostState.RESENDING.value, "", "", TablePost(1, 10, digest=PostState.RESENDING)),
    (TABLE, "after 77", "", "", TablePost(1, 10, digest=SentAfter(77))),
    (TABLE, "", '{"0": "3.1"}', "", TablePost(1, 10, mentioning=SeatPings(((0, Ping("3.1")),)))),
    (TABLE, "", "", "1 3.1-1", TablePost(1, 10, mentioned_again=SeatPings(((1, Ping("3.1-1")),)))),
    (TABLE, "", "", "", TablePost(1, 10, reminded=1_700_000_000)),
    (CALL, "after 5", "", "", NoticePost(1, 10, digest=SentAfter(5))),
    (END, "sending", "", "", EndPost(1, 10, sending=Sending(10, 0))),
    (END, "given up", "", "", EndPost(1, 10, digest=PostState.GIVEN_UP)),
    (0, "", "", "", HAND(seat=0)),
    (0, "ab", "the end", "the end", HAND(seat=0, digest="ab", pinged=THE_END, mentioned=THE_END)),
    (0, "back", "", "", HAND(seat=0, digest=PostState.BACK)),
    (2, "ff", "3.1 1 last", "3.1", HAND(seat=2, digest="ff", pinged=Ping("3.1", 1, last=True), mentioned=Ping("3.1"))),
    (
        1,
        "after all",
        "away 9",
        "again",
        HAND(seat=1, digest="after all", pinged=Ping("", away=9), mentioned=Ping("again")),
    ),
]


@pytest.mark.parametrize(("place", "digest", "pinged", "mentioned", "post"), ROWS)
def test_a_post_is_the_value_of_its_row(place: int, digest: str, pinged: str, mentioned: str, post: Post) -> None:
    stored = {"match": 1, "place": place, "channel": 10, "message": None, "shown": 0, "digest": digest}
    reminded = post.reminded if isinstance(post, TablePost) else None
    row = stored | {"pinged": pinged, "ping": None, "user": None, "mentioned": mentioned, "reminded": reminded}
    assert read_post(row | {"sending": None}) == post
    sending = None if post.sending is None else "0 10"
    assert post_values(post) == (10, None, 0, digest, pinged, None, mentioned, reminded, sending)
    assert read_post(row | {"sending": sending}) == post
    assert {type(value) for value in post_values(post)} <= {int, str, type(None)}


def test_the_next_message_of_a_post_differs_from_the_last_by_what_is_stored() -> None:
    """It is among the facts of the nonce, which must be the same after an upgrade between two tries."""
    post = TablePost(1, 10)
    differ = [
        replace(post, message=5, digest="x"),
        replace(post, digest=SentAfter(5)),
        *(replace(post, digest=state) for state in PostState),
    ]
    stored = [5, "after 5", "", "back", PostState.RESENDING.value, "given up"]
    assert repr([each.after for each in differ]) == repr(stored)


@pytest.mark.parametrize("number", EARLIER)
async def test_the_posts_of_every_earlier_schema_are_stored_as_they_were(number: int, tmp_path: Path) -> None:
    path = old(tmp_path, number)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE post SET pinged = '3.1', digest = 'ab' WHERE place >= 0")
        connection.execute("UPDATE post SET pinged = 'again', digest = 'after 4' WHERE place = -1")
    base = await Database.open(path)
    columns = "match, place, channel, message, shown, digest, pinged, ping, user, reminded, mentioned"

    async def rows() -> list[tuple[object, ...]]:
        return await base.read(
            lambda c: [tuple(row) for row in c.execute(f"SELECT {columns} FROM post ORDER BY match, place")]
        )

    before, matches = await rows(), Matches(base)
    for match in {row[0] for row in before}:
        assert isinstance(match, int)
        posts = await matches.posts.of(match)
        assert {post.pinged for post in posts.hands.values()} == {Ping("3.1")}
        await matches.posts.note(*posts)
    after = await rows()
    await base.close()
    assert before == after


def test_only_a_player_has_a_user() -> None:
    assert Chair(2, 7, "Ann").player == 7
    with pytest.raises(ValueError, match="a computer sits in seat 2"):
        _ = Chair(2, None, "Computer").player
