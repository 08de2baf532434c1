"""200 matches played at once: how long presses wait, with workers and without, and with one core alone.

`python -m tests.benchmarks.busy WORKERS CORES [MATCHES [RATE]]` runs one such world; all in turn take some twenty
minutes. All five games are played, with two people and two computers of the level "friend" at each table. Ten (`RATE`)
times a second a player presses a move: a forged press of a legal move, without its steps. A player who still waits for
an answer presses nothing. Each line on the input is a slice of presses, `press`, or `film`: the same while one
animation of 200 plies after another is drawn; or `grief`: the same while one user asks for hints, reviews, checks and
pages of replays as fast as the rate limits allow. The answer is JSON. The bot runs in a process of its own, beside its
workers and this Discord, so the three share the cores.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from cogs.runtime.rate_limits import PERSON
from data.records.matches import Matches
from data.records.people import People
from data.records.terms import Terms
from data.store.database import Database
from rules import GAMES
from rules.core.computer import VERSION
from tests.benchmarks import pairs
from tests.benchmarks.pairs import HEAD, Row
from tests.benchmarks.presses import World as Asked
from tests.benchmarks.world import encrypted, quiet
from tests.process.loopback import Loopback, until
from tests.process.world import World, children

TERMS = Terms(locale="en-US", clock="none")
MATCHES, PEOPLE, COMPUTERS = 200, 100, 2
RATE = 10.0
"""Presses a second."""
SLICE = 200
"""Presses of a slice: two of them are slower than its p99."""
ROUNDS = 3
"""Slices that count in each world; one slice before them warms it up."""
MOST = {"acknowledged p99": 50, "answered p99": 1_000}
"""Our aims in milliseconds, with the default number of workers on two cores."""
WORLDS: dict[str, tuple[int, ...]] = {
    "no worker": (0, 2),
    "1 worker": (1, 2),
    "2 workers": (2, 2),
    "1 worker, all on one core": (1, 1),
    "1 worker, 300 matches": (1, 2, 300),
    "1 worker, 20 presses a second": (1, 2, MATCHES, 20),
}
"""Workers; the cores that bot, workers, Discord and people share; matches and presses a second if they are others."""
AIMED, FILMED = "1 worker", "1 worker, which draws animations"
GRIEVED = "1 worker, beside one griefer"
GRIEF = 1.5
"""At most that many times as long a player waits for a new hand if one user asks for all that they may ask for."""
OWN = 5
"""Tables at which that user plays against computers, to ask for hints."""
FILMS, PLIES = 12, 200
"""Ended matches of which animations are drawn, for the eyes of an onlooker and of each seat; and the plies of each."""
SHARES = {"p50": 0.5, "p99": 0.99}
SETTLED = 2.0
"""Seconds without a request after which the computers have moved at all tables."""
TOKEN = re.compile(r"/(?:interactions|webhooks)/\d+/([^/]+)")


class Busy:
    """The world and its people."""

    def __init__(self, world: World, matches: int = MATCHES, rate: float = RATE) -> None:
        self._world, self._discord, self._random = world, world.discord, Random("busy")
        self._matches, self._rate = matches, rate
        self._begun: dict[int, float] = {}
        """Who waits for an answer, and since when: they have one finger."""
        self._waits: dict[str, list[float]] = {"acknowledged": [], "answered": []}
        self._films: Iterator[str] = iter(())
        """The buttons that make animations; none is pressed twice, since the newest files are kept."""
        self._reader = 0
        """Who presses them."""
        self._filmed = asyncio.Event()
        self._ended: list[int] = []
        self._own: list[int] = []
        """The matches that the reader has ended, and those that they play."""
        self._grief, self._told = 0, set[str]()
        """How many presses of theirs are to be answered, and the tokens of those that were."""
        self._discord.on_applied = self._applied

    async def sit_down(self) -> None:
        """The matches have begun, and no bot has shown them yet."""
        backend = self._discord.backend
        guild = backend.create_guild("Harbour").id
        backend.add_member(guild, backend.bot_user.id)
        channels = [backend.create_channel(guild, f"games {number}").id for number in range(20)]
        users = [backend.make_user(f"person{number}").id for number in range(PEOPLE)]
        database = await Database.open(self._world.database)
        people, matches = People(database), Matches(database)
        lobby = Lobby(MatchService(matches, people, GAMES))
        for user in users:
            backend.add_member(guild, user)
            await people.meet(user, backend.users[user].name, "en-US")
            await people.change(user, dm=backend.get_dm_channel(user).id, dm_works=True)
        games = cycle(GAMES.values())
        for number in range(self._matches):
            game, channel = next(games), channels[number % len(channels)]
            first, second = (users[(2 * number + at) % PEOPLE] for at in (0, 1))
            opened = await lobby.open(game.slug, user=first, name="One", guild=guild, channel=channel, terms=TERMS)
            await lobby.join(opened.id, second, "Two")
            for _ in range(COMPUTERS):
                await lobby.add_computer(opened.id, first)
            await lobby.start(opened.id, first)
        await self._end_some(guild, channels[0], MatchService(matches, people, GAMES), lobby)
        await database.close()

    async def _end_some(self, guild: int, channel: int, service: MatchService, lobby: Lobby) -> None:
        """Play and end the matches of which animations are drawn."""
        backend, games, ended = self._discord.backend, cycle(GAMES.values()), self._ended
        self._reader = backend.make_user("reader").id
        backend.add_member(guild, self._reader)
        await service.people.meet(self._reader, "Reader", "en-US")
        await service.people.change(self._reader, dm=backend.get_dm_channel(self._reader).id, dm_works=True)
        for _ in range(FILMS):
            game = next(games)
            match = await lobby.open(
                game.slug, user=self._reader, name="Reader", guild=guild, channel=channel, terms=TERMS
            )
            for number in range(1, 3):
                await service.people.meet(number, f"Other {number}", "en-US")
                await lobby.join(match.id, number, f"Other {number}")
            match = await lobby.start(match.id, self._reader)
            while (state := service.state(match)).to_move() and match.version < PLIES:
                seat = min(state.to_move())
                move = self._random.choice(state.legal_moves(seat))
                user = match.chairs[seat].player
                if user == self._reader:
                    match = (await service.play(match.id, user, None, str(move))).match
                else:  # noted as if a computer had made it, so that a check computes it again
                    async with service.deciding(match.id) as match:
                        match = (await service.make(match, move, computer=f"strong {VERSION}")).match
            if match.open:
                match = await lobby.cancel(match.id, self._reader, manager=True)
            ended.append(match.id)
        for game in islice(games, OWN):
            match = await lobby.open(
                game.slug, user=self._reader, name="Reader", guild=guild, channel=channel, terms=TERMS
            )
            for _ in range(COMPUTERS):
                await lobby.add_computer(match.id, self._reader)
            self._own.append((await lobby.start(match.id, self._reader)).id)
        self._films = (f"1/{number}/file//0/{eyes}/film" for eyes in ("table", 0, 1, 2) for number in ended)

    def _applied(self, method: str, path: str, body: Any, made: Any, known: bool) -> None:
        found, backend = TOKEN.search(path), self._discord.backend
        if found is not None:
            kind = "acknowledged" if path.endswith("/callback") else "answered"
            user = backend.interactions[backend.interaction_tokens[found[1]]].user_id
            if user == self._reader:
                if ".webp" in str(body):
                    self._filmed.set()
                if kind == "answered":
                    self._told.add(found[1])
                return
            self._waits[kind].append(1000 * (perf_counter() - self._begun[user]))
            if kind == "answered":
                del self._begun[user]

    async def film(self) -> dict[str, float]:
        """Return the same figures while animations are drawn, and how many were drawn in a minute."""
        drawn, over, begun = 0, False, perf_counter()

        async def draw() -> None:
            nonlocal drawn
            backend = self._discord.backend
            channel = min(number for number in backend.messages if backend.get_channel(number).guild_id)
            table = next(iter(backend.messages[channel].values()))
            while not over:
                self._filmed.clear()
                await self._discord.press(self._reader, channel, table, next(self._films))
                await self._filmed.wait()
                drawn += 1

        drawing = asyncio.create_task(draw())
        figures = await self.press()
        over = True
        await drawing  # the next slice begins without it
        return {**figures, "films": 60 * drawn / (perf_counter() - begun)}

    async def grief(self) -> dict[str, float]:
        """Return the same figures while one user asks for as much as the rate limits allow: first for all that their
        buckets hold, then for one thing whenever there is room for it.
        """
        backend = self._discord.backend
        channel = min(number for number in backend.messages if backend.get_channel(number).guild_id)
        table = next(iter(backend.messages[channel].values()))
        ended, eyes = cycle(self._ended), cycle(("table", "all", 0, 1, 2))
        searches = cycle(("hint", "review", "verify"))
        self._grief, self._told, pressing = 0, set(), set[asyncio.Task[None]]()

        def send(where: int, message: Any, custom_id: str) -> None:
            self._grief += 1
            pressing.add(asyncio.create_task(self._discord.press(self._reader, where, message, custom_id)))

        def picture() -> None:
            what = next(searches)
            if what != "hint":
                send(channel, table, f"1/{next(ended)}/{what}//")
                return
            number = self._random.choice(self._own)
            send(channel, table, f"1/{number}/hint//")
            if (found := self._asked(number)) is not None:  # after their move another hint is another search
                send(found[1].channel_id, found[1], found[2])

        def file() -> None:
            send(channel, table, f"1/{next(ended)}/file//0/{next(eyes)}/page")

        def step() -> None:
            send(channel, table, f"1/{next(ended)}/step//{self._random.randrange(PLIES // 2)}/{next(eyes)}/step_next")

        async def ask(what: Callable[[], None], rate: str) -> None:
            for _ in range(PERSON[rate].most):
                what()
            while True:
                await asyncio.sleep(PERSON[rate].seconds)
                what()

        asking = [
            asyncio.create_task(ask(what, rate))
            for what, rate in ((picture, "picture"), (file, "file"), (step, "step"))
        ]
        figures = await self.press()
        for task in asking:
            task.cancel()
        await until(lambda: len(self._told) >= self._grief, 600)  # the next slice begins without them
        return {**figures, "asked": float(self._grief)}

    async def press(self) -> dict[str, float]:
        """Make a slice of presses. Return the milliseconds to the acknowledgement, to the new hand and of lag, the
        moves a second, and the processor time of the bot and of its workers in milliseconds a move.
        """
        for waits in self._waits.values():
            waits.clear()
        await self._lag()  # from now on
        before, spent, begun, pressing = self._moves(), self._spent(), perf_counter(), set()
        for number in range(SLICE):
            await asyncio.sleep(max(0.0, begun + number / self._rate - perf_counter()))
            found = next(
                (asked for _ in range(50) if (asked := self._asked(self._random.randint(1, self._matches)))), None
            )
            if found is not None:
                user, hand, custom_id = found
                self._begun[user] = perf_counter()
                pressing.add(asyncio.create_task(self._discord.press(user, hand.channel_id, hand, custom_id)))
        moves, seconds = self._moves() - before, perf_counter() - begun
        lag = await self._lag()
        await asyncio.wait(pressing, timeout=600)
        await until(lambda: not self._begun, 600)
        await self._settled()  # also before another world is pressed
        made = max(1, self._moves() - before)
        cost = {name: 1000 * (now - spent[name]) / made for name, now in self._spent().items()}
        figures = {"lag p99": lag, "moves": moves / seconds, "presses": float(len(self._waits["acknowledged"])), **cost}
        for kind, waits in self._waits.items():
            ordered = sorted(waits)
            figures |= {f"{kind} {name}": ordered[int(share * len(ordered))] for name, share in SHARES.items()}
        return figures

    async def _settled(self) -> None:
        """Wait until the computers have moved, for a minute at most."""
        end, seen = perf_counter() + 60, -1
        while len(self._discord.answered) != seen and perf_counter() < end:
            seen = len(self._discord.answered)
            await asyncio.sleep(SETTLED)

    def _spent(self) -> dict[str, float]:
        bot = self._world.process.pid
        return {"bot": processor_time(bot), "workers": sum(map(processor_time, children(bot)))}

    async def _lag(self) -> float:
        """Return how late the bot's loop was in 99 of 100 moments since the last call, in milliseconds."""
        self._world.process.stdin.write(b"lag\n")
        return 1000 * float(await self._world.process.stdout.readline())

    def _moves(self) -> int:
        with closing(sqlite3.connect(f"file:{self._world.database}?mode=ro", uri=True)) as reader:
            return int(reader.execute("SELECT count(*) FROM move").fetchone()[0])

    def _asked(self, number: int) -> tuple[int, Any, str] | None:
        """Whose move it is in that match, their hand, and a move."""
        with closing(sqlite3.connect(f"file:{self._world.database}?mode=ro", uri=True)) as reader:
            row = reader.execute(
                "SELECT game, state FROM match WHERE id = ? AND status = 'playing'", (number,)
            ).fetchone()
            hands = reader.execute(
                "SELECT place, user, channel, message FROM post WHERE match = ? AND place >= 0", (number,)
            ).fetchall()
        state = GAMES[row[0]].from_json(json.loads(row[1])) if row is not None else None
        for place, user, channel, message in hands if state is not None else ():
            hand = self._discord.backend.messages.get(channel, {}).get(message)
            free = hand is not None and user not in self._begun
            if state is not None and place in state.to_move() and free:
                move = self._random.choice(state.legal_moves(place))
                return user, hand, f"1/{number}/move/{state.turn(place)}/{move}"
        return None


def processor_time(pid: int, *, ended: bool = False) -> float:
    """The seconds that this process has spent; 0 if it has ended. `ended`: and those of its ended children."""
    try:
        spent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11 : 15 if ended else 13]
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")


async def main(workers: str, cores: str, matches: int = MATCHES, rate: float = RATE) -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(cores)])
    with TemporaryDirectory() as name:
        folder = Path(name)
        encryption, settings = encrypted(folder)
        async with Loopback(encryption) as discord:
            settings |= {"EDIT_SECONDS": "1.5", "TABLES_EACH": "0", "WORKERS": workers}
            world = World(discord, folder / "bot.db", "tests.benchmarks.bots", settings=settings)
            busy = Busy(world, matches, rate)
            await busy.sit_down()
            await world.start()
            await quiet(discord)
            await until(lambda: len(discord.answered) > 3 * matches, 600)
            await quiet(discord)
            print("ready", flush=True)
            while command := (await asyncio.to_thread(sys.stdin.readline)).strip():
                slices = {"film": busy.film, "grief": busy.grief}
                print(json.dumps(await slices.get(command, busy.press)()), flush=True)
            await world.kill()


class Slices:
    """The slices of a world; the first one does not count. `command`: "press", "film" or "grief"."""

    def __init__(self, world: Asked, command: str = "press") -> None:
        self._press = world.answer(command)
        self._taken: list[dict[str, float]] = []

    def take(self) -> None:
        self._taken.append(self._press())

    def middle(self, name: str) -> float:
        return median(taken[name] for taken in self._taken[1:])

    def figure(self, name: str) -> Callable[[], float]:
        """A figure of one slice after the other."""
        values = iter([taken[name] for taken in self._taken])
        return lambda: next(values)


FIGURES = {
    "acknowledged p50": ("half of the presses are acknowledged after", "ms"),
    "acknowledged p99": ("99 of 100 presses are acknowledged after", "ms"),
    "answered p50": ("half of the new hands are there after", "ms"),
    "answered p99": ("99 of 100 new hands are there after", "ms"),
    "lag p99": ("99 of 100 times the loop is late by", "ms"),
    "moves": ("moves, people's and computers'", "moves/s"),
    "bot": ("processor time of the bot", "ms a move"),
    "workers": ("processor time of the workers", "ms a move"),
}


@contextmanager
def rows() -> Iterator[list[str | Row]]:
    """The worlds live as long as the context. First a table of all figures, then what we aim at."""
    with ExitStack() as stack:
        asked = {
            name: stack.enter_context(Asked(*map(str, how), module="tests.benchmarks.busy"))
            for name, how in WORLDS.items()
        }
        worlds = {name: Slices(world) for name, world in asked.items()}
        worlds[FILMED] = Slices(asked[AIMED], "film")
        worlds[GRIEVED] = Slices(asked[AIMED], "grief")
        for _ in range(1 + ROUNDS):
            for world in worlds.values():
                world.take()
        table = [
            f"| {MATCHES} matches, {RATE:g} presses a second | {' | '.join(worlds)} |",
            "| --- " * (1 + len(worlds)) + "|",
        ]
        for name, (says, unit) in FIGURES.items():
            found = (world.middle(name) for world in worlds.values())
            table.append(f"| {says}, {unit} | {' | '.join(map(pairs.number, found))} |")
        aims = [
            Row(
                f"{FIGURES[name][0]}, {AIMED}",
                f"{most} ms",
                1,
                "ms",
                worlds[AIMED].figure(name),
                partial(float, most),
                True,
                ROUNDS,
            )
            for name, most in MOST.items()
        ]
        name, unit = FIGURES["answered p99"]
        ours, theirs = (worlds[world].figure("answered p99") for world in (GRIEVED, AIMED))
        aims.append(Row(f"{name}, {GRIEVED}", "without", GRIEF, unit, ours, theirs, True, ROUNDS))
        yield ["\n".join(["", *table, "", HEAD]), *aims]


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3], *map(int, sys.argv[3:])))
