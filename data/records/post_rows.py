"""Posts as rows of the database: which posts a match needs, and what their columns say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from data.records.match import Match
from data.records.pings import Ping, SeatPings
from data.records.post import (
    EndPost,
    EventPost,
    HandPost,
    NoticePost,
    Post,
    PostState,
    Sending,
    SentAfter,
    TablePost,
)
from data.store.engine import Connection, Row

TABLE, CALL, END, EVENT = -1, -2, -3, -4
"""The places of the public posts: the table's message, the substitute notice, the message that tells the end, and the
event in the server's calendar. A place from 0 on is a seat, whose post is a hand.
"""
_KINDS: dict[int, type[Post]] = {TABLE: TablePost, CALL: NoticePost, END: EndPost, EVENT: EventPost}
INVITED = "again"
"""The text, in place of a ping's, of a lobby's post once its invitation is sent."""
CALLED = "called"
"""The same, once its host is told that enough players are there."""
ANNOUNCED = "announced"
"""The same, once it has pinged the role of the server's players; all these texts may stand there."""
BEGUN = "sending"
"""The text, in place of a digest, of a message being sent that tells an end."""
_BEGUN: dict[type[Post], str] = {EndPost: BEGUN, EventPost: "anew"}
_FOR_GOOD = 1 << 40
"""In place of the version that an event shows, if it is over: more versions than a match ever has."""
SAVE_POST = (
    "UPDATE post SET channel = ?, message = ?, shown = ?, digest = ?, pinged = ?, ping = ?, mentioned = ?, "
    "reminded = ?, sending = ?"
)
"""`post_values` in its order."""
_SENT_AFTER = re.compile(r"after (0|[1-9]\d*)", re.ASCII)
_END_OF_PLAY = (
    "INSERT INTO post (match, place, channel) SELECT id, ?, place FROM match "
    "WHERE id = ? AND status = 'playing' AND guild <> 0 ON CONFLICT DO NOTHING"
)
_OF_OTHERS = (
    "FROM post WHERE match = ? AND place >= 0 AND NOT EXISTS (SELECT 1 FROM seat "
    "WHERE seat.match = post.match AND seat.number = post.place AND seat.user = post.user)"
)
"""Posts of hands whose players have left the seat."""
_UNKNOWN_HAND = "INSERT INTO farewell VALUES (?, ?, ?, ?, 0) ON CONFLICT DO NOTHING"
_HANDS_AGAIN = (
    "INSERT INTO post (match, place, channel, message, user, shown, digest) "
    "SELECT farewell.match, number, channel, message, seat.user, ?2, ?3 FROM farewell "
    "JOIN seat ON seat.match = farewell.match AND seat.user = farewell.user WHERE farewell.match = ?1 AND message > 0 "
    "AND NOT EXISTS (SELECT 1 FROM farewell AS later WHERE later.match = farewell.match "
    "AND later.user = farewell.user AND later.message > farewell.message) ON CONFLICT DO NOTHING"
)
_STILL_UNKNOWN = (
    "SELECT channel, match, user FROM farewell WHERE match = ?1 AND message < 0 "
    "AND user IN (SELECT user FROM seat WHERE match = ?1)"
)
"""Players who are back, and a hand of theirs may be there: their post looks for it."""
_NO_FAREWELL = (
    "DELETE FROM farewell WHERE match = ?1 AND (EXISTS "
    "(SELECT 1 FROM post WHERE post.match = farewell.match AND post.message = farewell.message) "
    "OR (message < 0 AND user IN (SELECT user FROM seat WHERE match = ?1)))"
)
"""A message that is a player's hand again is not emptied."""


_PUBLIC_POST = "INSERT INTO post (match, place, channel) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


def ensure_posts(c: Connection, match: Match) -> None:
    """Store the posts that a match needs: one for the table, unless it is private; once started, one for each player's
    hand, and one for the substitute notice if a player looks for a substitute. Of a private match the hand shows the
    lobby too.

    The post of a player who has left becomes a `StaleHand`. If they come back, its message is their hand again, with
    the digest `PostState.BACK`, so that the next send differs from the last. A new hand's post is behind by one
    version.
    """
    if not match.private:
        c.execute(_PUBLIC_POST, (match.id, TABLE, match.place))
    if match.starts_at is not None:
        c.execute(_PUBLIC_POST, (match.id, EVENT, 0))
    if match.state is None and not match.private:  # a lobby, also one that was called off, has no hands
        return
    key = (match.id,)
    c.execute(
        f"INSERT INTO farewell SELECT match, user, channel, message, 0 {_OF_OTHERS} "
        "AND message IS NOT NULL AND user IS NOT NULL ON CONFLICT DO NOTHING",
        key,
    )
    unknown_hands(c, c.execute(f"DELETE {_OF_OTHERS} RETURNING match, user, sending", key).fetchall())
    if any(chair.offered for chair in match.people):
        c.execute(_PUBLIC_POST, (match.id, CALL, match.channel))
    new = c.execute(_HANDS_AGAIN, (match.id, match.version - 1, PostState.BACK)).rowcount
    for chair in match.people:
        new += c.execute(
            "INSERT INTO post (match, place, channel, user, shown) "
            "VALUES (?1, ?2, coalesce((SELECT dm FROM person WHERE user = ?3), 0), ?3, ?4) ON CONFLICT DO NOTHING",
            (match.id, chair.number, chair.user, match.version - 1),
        ).rowcount
    if not new:
        return
    for channel, *whose in c.execute(_STILL_UNKNOWN, key).fetchall():
        sql = "UPDATE post SET sending = ? WHERE match = ? AND user = ?"
        c.execute(sql, (str(Sending(channel, 0)), *whose))
    c.execute(_NO_FAREWELL, key)


def unknown_hands(c: Connection, sent: Iterable[Row]) -> None:
    """Store that hands of players who have left may be in their direct messages, as sends whose answers never came:
    rows with a match, a user (0: their data is deleted; None: none) and the text of `Sending` or None.
    """
    for match, user, text in sent:
        if user is not None and text is not None:
            channel = Sending.parse(text).channel
            c.execute(_UNKNOWN_HAND, (match, user, channel, -channel))


_OLD_INVITATIONS = (
    "INSERT INTO old_table (match, channel, message, since, named) "
    "SELECT match, invitation.channel, message, since, 0 FROM invitation JOIN match ON match.id = match "
    "WHERE match = ? AND status <> 'lobby' ON CONFLICT DO NOTHING"
)
_NO_INVITATIONS = (
    "DELETE FROM invitation WHERE match = ? AND (SELECT status FROM match WHERE id = invitation.match) <> 'lobby'"
)


def withdraw_invitations(c: Connection, number: int) -> None:
    """Store the messages that have invited guests of a lobby as old messages of its table, once the lobby is over."""
    c.execute(_OLD_INVITATIONS, (number,))
    c.execute(_NO_INVITATIONS, (number,))


def ensure_end(c: Connection, number: int) -> None:
    """Store the post that tells the end of a match, before it is stored as ended: only what ends now gets one."""
    c.execute(_END_OF_PLAY, (END, number))


def place_of(post: Post) -> int:
    """Return the place of a post: the seat of a hand."""
    if isinstance(post, HandPost):
        return post.seat
    return next(place for place, kind in _KINDS.items() if isinstance(post, kind))


def user_of(post: Post) -> int | None:
    """Return the user whose hand it is; None for all other posts."""
    return post.user if isinstance(post, HandPost) else None


def read_post(row: Row) -> Post:
    """Return the post of a row. The columns say something else of each kind."""
    kind = _KINDS.get(row["place"], HandPost)
    digest, begun = _digest(row["digest"]), None if row["sending"] is None else Sending.parse(row["sending"])
    if row["digest"] == _BEGUN.get(kind):
        digest, begun = PostState.UNSURE, begun or Sending(row["channel"], 0)
    facts: dict[str, Any] = {name: row[name] for name in ("match", "channel", "message", "shown")}
    facts |= {"digest": digest, "sending": begun}
    if kind is HandPost:
        facts |= {"seat": row["place"], "user": row["user"]}
        facts |= {"pinged": Ping.parse(row["pinged"]), "mentioned": Ping.parse(row["mentioned"])}
    elif kind is TablePost:
        said = row["pinged"].split()
        facts |= {
            "mentioning": SeatPings.from_json(row["pinged"]),
            "invited": INVITED in said,
            "called": CALLED in said,
            "announced": ANNOUNCED in said,
        }
        facts |= {"mentioned_again": SeatPings.parse(row["mentioned"])}
        facts |= {"ping": row["ping"], "reminded": row["reminded"]}
    elif kind is NoticePost:
        facts["deleted"] = row["ping"]
    elif kind is EventPost and row["shown"] >= _FOR_GOOD:
        facts |= {"over": True, "shown": 0}
    return kind(**facts)


def _digest(text: str) -> str | SentAfter:
    found = _SENT_AFTER.fullmatch(text)
    if found is not None:
        return SentAfter(int(found[1]))
    return PostState(text) if text in list(PostState) else text


def post_values(post: Post) -> tuple[int | str | None, ...]:
    """Return a post's changing columns: channel, message, shown, digest, pinged, ping, mentioned, reminded, sending."""
    pinged, ping, mentioned, reminded = "", None, "", None
    shown, sending = post.shown, None if post.sending is None else str(post.sending)
    digest = str(post.digest) if sending is None else _BEGUN.get(type(post), str(post.digest))
    match post:
        case HandPost():
            pinged, mentioned = _text_of(post.pinged), _text_of(post.mentioned)
        case TablePost():
            all_said = {INVITED: post.invited, CALLED: post.called, ANNOUNCED: post.announced}
            said = [text for text, is_said in all_said.items() if is_said]
            pinged = " ".join(said) or ("" if post.mentioning is None else post.mentioning.to_json())
            mentioned, ping, reminded = str(post.mentioned_again), post.ping, post.reminded
        case NoticePost():
            ping = post.deleted
        case EventPost(over=True):
            shown = _FOR_GOOD
        case _:
            pass
    return (post.channel, post.message, shown, digest, pinged, ping, mentioned, reminded, sending)


def _text_of(ping: Ping | None) -> str:
    return "" if ping is None else str(ping)
