"""Compare what Discord shows of each match with the stored match, as the bot's own messages render it."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.lobby import Lobby
from cogs.match.restored import Mark, mark
from cogs.match.service import MatchService
from cogs.messages import drawing
from cogs.messages.content import Content, Picture
from cogs.messages.end import end_message
from cogs.messages.hand import hand_message
from cogs.messages.presenter import Presenter
from cogs.messages.table import table_message
from cogs.transport.components import layout_view
from cogs.workers.jobs import Job
from cogs.workers.pool import Urgency, urgency
from data.records.match import LoggedMove, Match
from data.records.matches import Matches
from data.records.people import People, Person, PingPreference
from data.records.post import EndPost, HandPost, NoticePost, Post, TablePost
from data.store.database import Database
from rules import GAMES
from rules.core.game import Seat
from tests.reliability.discord_players import DiscordPlayers
from tests.reliability.history import LOST_PING, THE_END_TURN
from tests.reliability.invariants import LOST, TORN
from tests.reliability.message_controls import ends_told, matches_of, shows_hand
from tests.support.apicheck import GALLERY, TEXT
from tests.support.inside import draw_when_asked, stored_matches

NOT_AS_STORED = "shown otherwise than it is"
WRONGLY_NOTED = "taken for shown"
SHOWN_TWICE = "shown twice"
SAME_AFTER_REPLAY = ("state", "moves", "undone", "status", "chain")
"""The fields of a match that depend on its moves and not on their times."""
Part = tuple[Any, ...]
draw_when_asked()  # the few pictures here are drawn when they are asked for
_DRAWING = drawing.Drawing()


class _Undrawn(drawing.Drawing):
    """Draw empty pictures, for comparisons of texts and controls: a picture costs more than all else."""

    async def picture(self, job: Job) -> bytes:
        return b""


_UNDRAWN = _Undrawn()


class Expectation(NamedTuple):
    """What the messages must show, as `messages` renders it."""

    messages: Presenter
    drawn: bool = True
    """Whether pictures are compared, to the byte."""
    ignore_times: bool = False
    """Whether timestamps may differ."""


class StoredMatches:
    """The matches of a database to which no bot writes, and the messages that they should have."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.people = People(database)
        self.service = MatchService(Matches(database), self.people, GAMES)
        self.messages = self._messages(_DRAWING)  # reuses what it drew before

    def _messages(self, drawing: drawing.Drawing) -> Presenter:
        messages = Presenter(self.service, Lobby(self.service))
        messages.drawing = drawing
        return messages

    @property
    def undrawn(self) -> Presenter:
        """Return messages with empty pictures."""
        return self._messages(_UNDRAWN)

    async def matches(self) -> list[Match]:
        numbers = await self.database.read(lambda c: [row[0] for row in c.execute("SELECT id FROM match ORDER BY id")])
        return [await self.service.load(number) for number in numbers]


@asynccontextmanager
async def open_stored(path: Path | str) -> AsyncIterator[StoredMatches]:
    """Open the matches of that database. Raises DatabaseRefusal."""
    database = await Database.open(path)
    try:
        yield StoredMatches(database)
    finally:
        await database.close()


def copy_live(source: Path, folder: Path) -> Path:
    """Copy the committed database of a running bot."""
    folder.mkdir(exist_ok=True)
    to = folder / "now.db"
    for path in folder.iterdir():
        path.unlink()
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as reader, closing(sqlite3.connect(to)) as made:
        made.execute("PRAGMA synchronous=OFF")
        reader.backup(made)
        made.execute("DELETE FROM setting WHERE name = 'run'")  # that run goes on: its WAL is not missing
        made.commit()
    return to


def copy_after_kill(source: Path, folder: Path) -> Path:
    """Copy the files of a killed bot as they are."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for path in (source, source.with_name(f"{source.name}-wal")):
        if path.exists():
            shutil.copyfile(path, folder / path.name)
    return folder / source.name


async def differences(players: DiscordPlayers, now: StoredMatches, replayed: StoredMatches | None = None) -> list[str]:
    """Return how the messages of the first wrong match differ from `now`, and which due pings are missing there.
    `replayed`: compare the messages with these matches instead; timestamps may differ.
    """
    expected = Expectation(now.messages) if replayed is None else Expectation(replayed.messages, ignore_times=True)
    for match in await now.matches():
        right = match if replayed is None else await replayed.service.load(match.id)
        posts = await stored_matches(now.service).posts.of(match.id)
        found = [text for post in posts for text in await _post_faults(players, now, expected, right, post)]
        found += _missing_pings(players, now.service, match)
        if found:
            return found
    return []


async def wrongly_noted(players: DiscordPlayers, now: StoredMatches) -> list[str]:
    """Return the posts that are noted as shown, and show something else: the bot would never correct them."""
    found, expected = [], Expectation(now.undrawn, drawn=False)
    for match in await now.matches():
        posts = await stored_matches(now.service).posts.of(match.id)
        for post in posts:
            if post.shown == match.version:
                found += [
                    f"{WRONGLY_NOTED}, {text}" for text in await _post_faults(players, now, expected, match, post)
                ]
        if match.private:
            continue
        least, shown = await _least_events(now, match, posts.table), players.position_marks.get(match.id, (0, ""))[0]
        if shown < least:
            found.append(f"{WRONGLY_NOTED}: {least} events of table {match.id}, where {shown} have been seen")
    return found


async def _least_events(now: StoredMatches, match: Match, table: TablePost) -> int:
    """Return the least number of public events that a table must have shown, if its note of what was shown is true."""
    moves = match.moves - (match.version - table.shown)  # a version has one move more than the one before, or none
    events = [logged for logged in await now.service.events_of(match) if logged.move < moves]
    return mark(match, now.service.state(match), events).number


def _missing_pings(players: DiscordPlayers, service: MatchService, match: Match) -> Iterator[str]:
    """Yield the players to move who were not pinged in each way that they chose, and have not seen their turn
    either. A private match pings no player.
    """
    for seat in service.state(match).to_move() if match.running and not match.private else ():
        user = match.chairs[seat].user
        if user is not None:
            yield from _missing_ways(players, match, user, service.state(match).turn(seat))
    for chair in match.people if match.tells_end else ():
        yield from _missing_ways(players, match, chair.player, THE_END_TURN)


def _missing_ways(players: DiscordPlayers, match: Match, user: int, turn: str) -> Iterator[str]:
    """Yield the ways in which a player was not pinged for that turn, if they have not seen it either."""
    way = players.people[user][1]
    pinged = {ping.by for ping in players.pings if ping[:3] == (match.id, user, turn)}
    missed = ({PingPreference.DM, PingPreference.MENTION} if way is PingPreference.BOTH else {way}) - pinged
    if missed and (match.id, user, turn) not in players.seen_turns:
        name = match.chairs[match.seat_of(user) or 0].name
        yield f"{LOST_PING}: {name} by {' and '.join(sorted(missed))} for {turn} (match {match.id}, {match.game})"


async def _post_faults(
    players: DiscordPlayers, now: StoredMatches, expected: Expectation, match: Match, post: Post
) -> list[str]:
    """Return the faults of a post, a table or a hand: missing, with wrong content, or a table that is there twice."""
    if isinstance(post, NoticePost):
        return []
    urgency.set(Urgency.LATE)  # a table moves at last, if its last move is worth it
    if isinstance(post, EndPost):
        what, wanted = f"the end of {match.id}", [await end_message(expected.messages, match)]
    elif isinstance(post, TablePost):
        what, wanted = f"table {match.id}", [await table_message(expected.messages, match, {})]
    else:
        assert isinstance(post, HandPost)
        person = await now.people.get(post.user or 0)
        if person is None or not person.reached:
            return []
        what, wanted = (
            f"{person.name}'s hand in {match.id}",
            await _hands(players, now, expected.messages, match, post, person),
        )
    backend = players.discord.backend
    message = backend.messages.get(post.channel, {}).get(post.message or 0)
    if message is None:
        return [f"{NOT_AS_STORED}: {what} is not there"]
    shown = parts(message.components, lambda url: (expected.drawn and backend.cdn.get(url)) or b"")
    right = [_expected(content) for content in wanted]
    if expected.ignore_times:
        shown, right = _without_times(shown), [_without_times(one) for one in right]
    if not any(_same(one, shown) for one in right):
        return [f"{NOT_AS_STORED}: {what}: {_first_difference(right[0], shown)}"]
    # Old tables that the bot has noted will still be deleted.
    noted = {old.message for old in await now.service.posts.old_tables(match.id) if old.named != match.place}
    others = [
        m.id
        for m in players.discord.messages(post.channel)
        if m is not message and m.id not in noted and post.match in matches_of(m.components)
        if bool(ends_told(m.components)) == isinstance(post, EndPost)  # the table and the message that tells the end
        if not isinstance(post, HandPost) or shows_hand(m.components)
    ]
    return [f"{SHOWN_TWICE}: {what}, also in {others}"] if others else []


async def _hands(
    players: DiscordPlayers, now: StoredMatches, messages: Presenter, match: Match, post: HandPost, person: Person
) -> list[Content]:
    """Return the contents that a hand may have: the first one, and those at a step that its player has pressed."""
    turn = now.service.turn(match, Seat(post.seat))
    steps = players.steps.get(post.message or 0, ())
    return [await hand_message(messages, match, person, way) for way in [(), *(way for of, way in steps if of == turn)]]


def parts(components: Any, picture: Callable[[str], bytes]) -> list[Part]:
    """Return the visible parts of a message from top to bottom: texts, pictures with alt texts, rows of controls."""
    found: list[Part] = []
    for component in components:
        kind = component["type"]
        if kind == TEXT:
            found.append(("text", component["content"]))
        elif kind == GALLERY:
            found += [
                ("picture", sha256(picture(item["media"]["url"])).hexdigest(), item.get("description"))
                for item in component["items"]
            ]
        elif kind == 1:
            found.append(("row", *map(_control, component["components"])))
        else:
            found += parts(component.get("components", ()), picture)
    return found


def _control(component: Mapping[str, Any]) -> Part:
    names = ("label", "custom_id", "url", "style", "placeholder")
    options = [
        (option["label"], option["value"], option.get("description"), bool(option.get("default")))
        for option in component.get("options") or ()
    ]
    return (*(component.get(name) for name in names), bool(component.get("disabled")), tuple(options))


def _expected(content: Content) -> list[Part]:
    files = {f"attachment://{part.name}": part.png for part in content.parts if isinstance(part, Picture)}
    made: Any = layout_view(content)
    return parts(made.to_components(), lambda url: files[url])


def _same(right: list[Part], shown: list[Part]) -> bool:
    """Return whether that is shown. The answer to a press may add a note, and a row of buttons."""
    shown = list(shown)
    if len(shown) > len(right) and shown[1][0] == "text":
        del shown[1]
    if len(shown) > len(right) and shown[-2][0] == "row":
        del shown[-2]
    return shown == right


def _first_difference(right: list[Part], shown: list[Part]) -> str:
    pairs = [(r, s) for r, s in zip(right, shown, strict=False) if r != s]
    return f"{pairs[0]!r:.700}" if pairs else f"{len(right)} parts, not {len(shown)}"


def _without_times(seen: list[Part]) -> list[Part]:
    return [("text", re.sub(r"<t:\d+:", "<t:0:", part[1])) if part[0] == "text" else part for part in seen]


async def shown_beyond_stored(players: DiscordPlayers, now: StoredMatches) -> list[str]:
    """Return the matches whose tables have shown more than is stored."""
    found = []
    for match in await now.matches():
        if match.id in players.position_marks:
            own = mark(match, now.service.state(match), await now.service.events_of(match))
            shown = Mark(*players.position_marks[match.id])
            if own.is_behind(shown):
                found.append(f"{LOST}: table {match.id} has shown {shown}, it is {own}")
    return found


async def replay_differences(now: StoredMatches, fresh: StoredMatches) -> list[str]:
    """Make the same moves again in `fresh`, where the matches have just begun. Return what is stored differently."""
    found: list[str] = []
    for match in await now.matches():
        log = await stored_matches(now.service).moves(match.id)
        for move in log[(await fresh.service.load(match.id)).moves :]:
            if move.user is not None:
                await fresh.service.play(match.id, move.user, move.turn, move.text)
                continue
            thought = await AutomaticMoves(fresh.service).play(match.id)
            if thought is None or thought.text != move.text:
                found.append(f"{TORN}: a computer would not have made move {move.number} of match {match.id}")
                break
        if found:
            break
        again = await fresh.service.load(match.id)
        others = [name for name in SAME_AFTER_REPLAY if getattr(again, name) != getattr(match, name)]
        others += ["log"] if _untimed(await stored_matches(fresh.service).moves(match.id)) != _untimed(log) else []
        found += [f"{TORN}: match {match.id} has another {name} after the same moves without a kill" for name in others]
    return found


def _untimed(log: Sequence[LoggedMove]) -> list[LoggedMove]:
    """Return the moves without the time that they took, which a kill changes."""
    return [replace(move, took=None) for move in log]
