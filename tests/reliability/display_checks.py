"""What Discord shows of each match, beside what the stored match says, rendered by the product's own desk."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, closing
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from cogs.match import service
from cogs.match.lobby import Lobby
from cogs.match.restored import Mark, mark
from cogs.match.service import MatchService
from cogs.messages import drawing
from cogs.messages.content import Content, Picture
from cogs.messages.messages import Messages
from cogs.transport.components import layout_view
from data.records.match import TABLE, LoggedMove, Match, Post
from data.records.matches import Matches
from data.records.people import People, Person, PingPreference
from data.store.database import Database
from rules import GAMES
from rules.core.game import Seat
from tests.reliability.discord_players import LOST_CALL, Company, matches_of
from tests.reliability.invariants import LOST, TORN
from tests.support.apicheck import GALLERY, TEXT

BEHIND = "shown otherwise than it is"
UNSEEN = "taken for shown"
TWICE = "shown twice"
ALIKE = ("state", "moves", "undone", "status", "chain")
"""What the same moves make of a match, whenever they are made."""
Part = tuple[Any, ...]
drawing._rehearsed.update(GAMES)  # the few pictures here are drawn when they are asked for
_DRAWING = drawing.Drawing()


class _Undrawn(drawing.Drawing):
    """For looks at words and controls alone: a picture costs more than all else."""

    async def picture(self, key: object, draw: Callable[[], bytes]) -> bytes:
        return b""


_UNDRAWN = _Undrawn()


class Look(NamedTuple):
    """What is to be shown is what this desk renders."""

    desk: Messages
    drawn: bool = True
    """Whether pictures are compared, to the byte."""
    timeless: bool = False
    """Whether the instants that are named may be others."""


class Tables:
    """The matches of a database that no bot writes to, and what they should look like."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.people = People(database)
        self.host = MatchService(Matches(database), self.people, GAMES)
        self.desk = self._desk(_DRAWING)  # what was drawn for an earlier look is known

    def _desk(self, drawing: drawing.Drawing) -> Messages:
        desk = Messages(self.host, Lobby(self.host))
        desk.drawing = drawing
        return desk

    @property
    def undrawn(self) -> Messages:
        """A desk whose pictures are empty."""
        return self._desk(_UNDRAWN)

    async def matches(self) -> list[Match]:
        numbers = await self.database.read(lambda c: [row[0] for row in c.execute("SELECT id FROM match ORDER BY id")])
        return [await self.host.load(number) for number in numbers]


@asynccontextmanager
async def tables(path: Path) -> AsyncIterator[Tables]:
    """Those of that file. Raises DatabaseRefusal."""
    database = await Database.open(path)
    try:
        yield Tables(database)
    finally:
        await database.close()


def copied(source: Path, folder: Path) -> Path:
    """A copy of the database of a bot that lives, as it is committed now."""
    folder.mkdir(exist_ok=True)
    to = folder / "now.db"
    for path in folder.iterdir():
        path.unlink()
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as reader, closing(sqlite3.connect(to)) as made:
        made.execute("PRAGMA synchronous=OFF")
        reader.backup(made)
        made.execute("DELETE FROM setting WHERE name = 'run'")  # which goes on: its log is not missing here
        made.commit()
    return to


def left(source: Path, folder: Path) -> Path:
    """A copy of the files of a bot that was killed, as they lie there."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for path in (source, source.with_name(f"{source.name}-wal")):
        if path.exists():
            shutil.copyfile(path, folder / path.name)
    return folder / source.name


async def differences(company: Company, now: Tables, told: Tables | None = None) -> list[str]:
    """What Discord shows otherwise than `now` says, of the first match where it does; whoever is awaited there and was
    not called. `told`: what is to be shown, where its instants may be others.
    """
    look = Look(now.desk) if told is None else Look(told.desk, timeless=True)
    for match in await now.matches():
        right = match if told is None else await told.host.load(match.id)
        posts = (await now.host._matches.posts(match.id)).values()
        found = [text for post in posts for text in await _one(company, now, look, right, post)]
        found += _uncalled(company, now.host, match)
        if found:
            return found
    return []


async def unseen(company: Company, now: Tables) -> list[str]:
    """What is noted down as shown, and says something else: nothing would ever show it."""
    found, look = [], Look(now.undrawn, drawn=False)
    for match in await now.matches():
        posts = await now.host._matches.posts(match.id)
        for post in posts.values():
            if post.shown == match.version:
                found += [f"{UNSEEN}, {text}" for text in await _one(company, now, look, match, post)]
        least, shown = await _least(now, match, posts[TABLE]), company.marks.get(match.id, (0, ""))[0]
        if shown < least:
            found.append(f"{UNSEEN}: {least} events of table {match.id}, where {shown} have been seen")
    return found


async def _least(now: Tables, match: Match, table: Post) -> int:
    """How many events that everybody could see a table has shown at least, if what is noted down of it is true."""
    moves = match.moves - (match.version - table.shown)  # a version has one move more than the one before, or none
    story = [told for told in await now.host.events_of(match) if told.move < moves]
    return mark(match, now.host.state(match), story).number


def _uncalled(company: Company, host: MatchService, match: Match) -> Iterator[str]:
    """The awaited who were not called in each way that they chose, and have not seen it either."""
    for seat in host.state(match).to_move() if match.running else ():
        user = match.chairs[seat].user
        if user is None:
            continue
        turn = host.state(match).turn(seat)
        way = company.people[user][1]
        called = {call.by for call in company.calls if call[:3] == (match.id, user, turn)}
        missed = ({PingPreference.DM, PingPreference.MENTION} if way is PingPreference.BOTH else {way}) - called
        if missed and (match.id, user, turn) not in company.seen:
            ways = " and ".join(sorted(missed))
            yield f"{LOST_CALL}: {match.chairs[seat].name} by {ways} for {turn} (match {match.id}, {match.game})"


async def _one(company: Company, now: Tables, look: Look, match: Match, post: Post) -> list[str]:
    """Whether the message of the table, or of a hand, is there and says what it should; and no other table."""
    if post.place == TABLE:
        what, wanted = f"table {match.id}", [await look.desk.table(match, {})]
    else:
        person = await now.people.get(post.user or 0)
        if person is None or not person.reached:
            return []
        what, wanted = f"{person.name}'s hand in {match.id}", await _hands(company, now, look.desk, match, post, person)
    backend = company.discord.backend
    message = backend.messages.get(post.channel, {}).get(post.message or 0)
    if message is None:
        return [f"{BEHIND}: {what} is not there"]
    shown = parts(message.components, lambda url: (look.drawn and backend.cdn.get(url)) or b"")
    right = [_expected(content) for content in wanted]
    if look.timeless:
        shown, right = _timeless(shown), [_timeless(one) for one in right]
    if not any(_same(one, shown) for one in right):
        return [f"{BEHIND}: {what}: {_first_difference(right[0], shown)}"]
    # Those that are still to be deleted are noted.
    noted = {old.message for old in await now.host.posts.old_tables(match.id) if old.named != match.place}
    others = [
        m.id
        for m in company.discord.messages(post.channel)
        if m is not message and m.id not in noted and post.match in matches_of(m.components)
    ]
    # An old hand whose deletion was cut off stays (docs/reliability-runs.md).
    return [f"{TWICE}: {what}, also in {others}"] if others and post.place == TABLE else []


async def _hands(
    company: Company, now: Tables, desk: Messages, match: Match, post: Post, person: Person
) -> list[Content]:
    """A hand as it may be: as such, or at a step that its person has pressed."""
    turn = now.host.turn(match, Seat(post.place))
    steps = company.steps.get(post.message or 0, ())
    return [await desk.hand(match, person, way) for way in [(), *(way for of, way in steps if of == turn)]]


def parts(components: Any, picture: Callable[[str], bytes]) -> list[Part]:
    """What is seen of a message, from top to bottom: texts, pictures with their words, rows of controls."""
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
    """Whether that is shown, apart from what belongs to the answer to a press: a note, and a row of ways on."""
    shown = list(shown)
    if len(shown) > len(right) and shown[1][0] == "text":
        del shown[1]
    if len(shown) > len(right) and shown[-2][0] == "row":
        del shown[-2]
    return shown == right


def _first_difference(right: list[Part], shown: list[Part]) -> str:
    pairs = [(r, s) for r, s in zip(right, shown, strict=False) if r != s]
    return f"{pairs[0]!r:.700}" if pairs else f"{len(right)} parts, not {len(shown)}"


def _timeless(seen: list[Part]) -> list[Part]:
    return [("text", re.sub(r"<t:\d+:", "<t:0:", part[1])) if part[0] == "text" else part for part in seen]


async def behind(company: Company, now: Tables) -> list[str]:
    """Matches whose tables have shown more than is stored."""
    found = []
    for match in await now.matches():
        if match.id in company.marks:
            own = mark(match, now.host.state(match), await now.host.events_of(match))
            shown = Mark(*company.marks[match.id])
            if own.is_behind(shown):
                found.append(f"{LOST}: table {match.id} has shown {shown}, it is {own}")
    return found


async def replayed(now: Tables, anew: Tables) -> list[str]:
    """Make the same moves once more in `anew`, where the matches have just begun: what then lies there otherwise."""
    found: list[str] = []
    for match in await now.matches():
        log = await now.host._matches.moves(match.id)
        for move in log:
            if move.user is not None:
                await anew.host.play(match.id, move.user, move.turn, move.text)
            else:
                with patch.object(service, "choose", _choosing(move)):
                    await anew.host.play_automatic(match.id)
        again = await anew.host.load(match.id)
        others = [name for name in ALIKE if getattr(again, name) != getattr(match, name)]
        if await anew.host._matches.moves(match.id) != log:
            others.append("log")
        found += [f"{TORN}: match {match.id} has another {name} after the same moves without a kill" for name in others]
    return found


def _choosing(move: LoggedMove) -> Callable[..., Any]:
    def choose(game: Any, state: Any, seat: Any, seed: str) -> Any:
        return game.parse(seat, move.text)

    return choose
