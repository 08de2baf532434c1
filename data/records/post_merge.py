"""How several processes change one post, such as a hand in direct messages: its player presses in one process, and
another one keeps it up to date.

A post remembers the row that it was read from. To store it changes only the columns that differ from that row: what
another process has noted meanwhile, such as a ping that its player needs no more, stays. If two have shown something in
the message in the same time, it is unknown whose content Discord shows: then the post is stored as behind and unsure,
and the holder of the match edits the message once more. Whatever falls behind is asked for in the same transaction: the
process that notes it may be killed at once.
"""

from __future__ import annotations

from dataclasses import fields, replace

from data.records.leases import ask_for
from data.records.pings import Ping
from data.records.post import HandPost, Origin, Post, PostState
from data.records.post_rows import BEGUN, place_of, read_post, user_of
from data.store.engine import Connection, Cursor, Row

_READ = "SELECT * FROM post WHERE match = ? AND place = ? AND (user = ? OR user IS NULL AND ? IS NULL)"
_VERSION = "SELECT version FROM match WHERE id = ? FOR SHARE"
_DOUBT = (
    "UPDATE post SET digest = ?, shown = shown - 1, revision = revision + 1 "
    "WHERE match = ? AND message IS NOT NULL AND digest NOT IN (?, ?, ?)"
)


def read_shared(row: Row) -> Post:
    """Return the post of a row, which remembers it."""
    post = read_post(row)
    return replace(post, origin=Origin(post, row["revision"]))


def merged(c: Connection, post: Post) -> Post:
    """Return what to store so that `post` is stored: the row as it is now, with what was changed since it was read. It
    has the row's new origin; `stored` hands that on.
    """
    row = _asked(c, post).fetchone()
    if row is None or post.origin is None:
        return post
    now, read = read_post(row), post.origin
    names = [known.name for known in fields(post) if known.compare]
    changed = {name: getattr(post, name) for name in names if getattr(post, name) != getattr(read.post, name)}
    for name in ("pinged", "mentioned"):
        mine, theirs = changed.get(name), getattr(now, name, None)
        if (
            name in changed
            and theirs != getattr(read.post, name)
            and not (isinstance(mine, Ping) and mine.says_more(theirs))
        ):
            changed.pop(name, None)  # the other process knew a later turn: it has stored it at that turn's version
    new = replace(now, **changed)
    both_showed = row["revision"] != read.revision and not changed.keys().isdisjoint({"shown", "digest", "message"})
    if both_showed and isinstance(post, HandPost):
        new = replace(new, digest=PostState.UNSURE, shown=min(now.shown, post.shown) - 1)
    if new.shown < now.shown:
        ask_for(c, post.match)
    return replace(new, origin=Origin(new, row["revision"] + 1))


def _asked(c: Connection, post: Post) -> Cursor:
    """Ask for the row of a post."""
    user = user_of(post)
    return c.execute(_READ, (post.match, place_of(post), user, user))


def is_unchanged(c: Connection, post: Post, version: int) -> bool:
    """Return whether no process has changed the row since the post was read, and its match has that version. Until the
    transaction ends, no process gives it another one.
    """
    asked, stored_now = c.execute(_VERSION, (post.match,)), _asked(c, post)
    match, row = asked.fetchone(), stored_now.fetchone()
    if match is None or match[0] != version:
        return False
    return row is None or post.origin is None or row["revision"] == post.origin.revision


def stored(post: Post, new: Post) -> None:
    """Let all copies of a post know what was stored for it."""
    if post.origin is not None and new.origin is not None:
        post.origin.post, post.origin.revision = new.origin.post, new.origin.revision


def doubt(c: Connection, match: int) -> None:
    """Note that it is unknown what the messages of a match show: each is edited once more."""
    special = (PostState.RESENDING, BEGUN, PostState.GIVEN_UP)
    c.execute(_DOUBT, (PostState.UNSURE, match, *special))
