"""One table of a match, wherever it moves and whatever fails: random schedules of what people do and what goes wrong.

A schedule is a match in virtual time on the month's Discord. Its lobby is opened, switched between the channel and a
thread of its own, and started; its table is moved to and fro, buried by chat, deleted with or without its thread, which
is archived, locked and opened. In between Discord does not answer, or does what it is asked and its answer is lost; and
the process is killed, before or after a request or a transaction. When all is well again, no thread is locked and
everything counts as shown, there must be one message with controls of that match, at the place where the match is;
every other one of its messages says where that is.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import data.store.database
from cogs.match.places import move_table
from cogs.match.refusals import Refused
from cogs.match.restored import mark
from data.records.match import TABLE, Match, Status
from rules.core.game import IllegalMove
from tests.month.fake_discord import Channel, Message, refuse
from tests.month.process import quick
from tests.month.virtual import LIFE, Connection, Life
from tests.reliability.bots import Recording, Running
from tests.reliability.bugs import Bug
from tests.reliability.report import Report, fresh

ANN, BEN = 10_001, 10_002
CHANNELS = (500, 501, 502)
SHOWN_AGAIN = 180
"""Seconds within which everything must be shown after the last fault."""
BURYING = 8
"""Messages of chat that bury a table."""
FORGOTTEN = 400
"""Seconds after which Discord has forgotten a nonce."""


class Troubled(Recording):
    """A Discord that fails as it is told, in channels of the server: `plan` has a word for each of the next requests.

    `well`: it is answered. `down`: nothing is done, the answer is an error. `lost`: it is done, and the answer is an
    error. `dies`, `done and dies`: the process is killed before that, or after it.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__(now)
        self.plan: list[str] = []
        self.deaths = 0

    async def _request(self, life: Life | None, route: Any, body: Any, params: Any) -> Any:
        found = re.search(r"/channels/(\d+)", route.url)
        channel = self.channels.get(int(found[1])) if found else None
        if found is None or (channel is not None and channel.user is not None) or not self.plan:
            return await super()._request(life, route, body, params)
        word = self.plan.pop(0)
        if word == "dies":
            return await self._die(life)
        if word == "down":
            await asyncio.sleep(0.1)
            refuse(503, 0)
        answer = await super()._request(life, route, body, params)
        if word == "done and dies":
            return await self._die(life)
        return refuse(503, 0) if word == "lost" else answer

    async def _die(self, life: Life | None) -> None:
        assert life is not None
        life.dead, self.deaths = True, self.deaths + 1
        await asyncio.Event().wait()


class Mortal(Connection):
    """A connection whose process is killed at a transaction: `left` counts those until then."""

    left: int | None = None

    async def _execute(self, work: Callable[..., Any], *args: Any) -> Any:
        if Mortal.left is not None and (life := LIFE.get()) is not None and not life.dead:
            Mortal.left -= 1
            if Mortal.left < 0:
                life.dead, Mortal.left = True, None
        return await super()._execute(work, *args)


class Schedule:
    """One match and what happens to it. `said` has a line for each thing that was done."""

    def __init__(self, folder: Path) -> None:
        self.running = Running(folder, discord=Troubled)
        discord = self.running.discord
        assert isinstance(discord, Troubled)
        self.discord = discord
        self.said: list[str] = []
        self.deleted = False
        """Whether somebody has deleted a message of the bot, of which Discord tells it nothing, or locked a thread."""
        for channel in CHANNELS:
            discord.new_channel(number=channel)
        for user in (ANN, BEN):
            discord.know(user, f"P{user}")

    # What happens.

    def open(self, thread: bool = False) -> None:
        async def work() -> None:
            app = self.running.app
            for user in (ANN, BEN):
                await app.service.people.meet(user, f"P{user}", "en-US")
                await app.service.people.change(user, dm=user * 1000, dm_works=True)
            where = {"guild": 1000, "channel": CHANNELS[0], "locale": "en"}
            match = await app.lobby.open("sea_change", user=ANN, name="Ann", **where)
            await app.lobby.join(match.id, BEN, "Ben")
            if thread:
                await app.lobby.choose_option(match.id, ANN, "place", "thread")
            app.publisher.changed(match.id)

        self.do("a lobby is opened" + (" for a table in a thread" if thread else ""), work)

    def start(self) -> None:
        self.do("the match begins", lambda: self.running.app.lobby.start(1, ANN))

    def wish(self, where: str) -> None:
        self.do(f"the lobby wants its {where}", lambda: self.running.app.lobby.choose_option(1, ANN, "place", where))

    def move_to(self, place: int) -> None:
        host = self.running.app.service
        self.do(f"the table moves to {place}", lambda: move_table(host, 1, ANN, place, manager=True))

    def play(self) -> None:
        async def work() -> None:
            host = self.running.app.service
            match = await host.load(1)
            if match.running:
                state = host.state(match)
                seat = min(state.to_move())
                await host.play(1, match.chairs[seat].user or 0, None, str(state.legal_moves(seat)[0]))

        self.do("somebody plays", work)

    def do(self, what: str, work: Callable[[], Any]) -> None:
        """Something that the bot is asked to do; without an answer where it is killed meanwhile."""
        self.revive()
        self.said.append(what)

        async def answered() -> None:
            asked = asyncio.create_task(work(), context=self.running._process._context)
            await asyncio.wait([asked], timeout=1)
            if asked.done() and not asked.cancelled():
                with suppress(Refused, IllegalMove):
                    asked.result()
            self.running.app.publisher.changed(1)

        self.running.run(answered())

    def fail(self, *words: str) -> None:
        """How the next requests end."""
        self.said.append(f"the next requests: {', '.join(words)}")
        self.discord.plan = list(words)

    def die_at(self, transactions: int) -> None:
        self.said.append(f"it is killed after {transactions} more transactions")
        Mortal.left = transactions

    def wait(self, seconds: float) -> None:
        self.said.append(f"{seconds} s go by")
        self.running.pass_time(seconds)

    def restart(self, crash: bool) -> None:
        self.said.append("it is killed, and starts" if crash else "it is restarted")
        self.running.run(self._restart(crash))

    def revive(self) -> None:
        """A new process, if the last one has been killed."""
        if self.running._process.over:
            self.said.append("it starts after its death")
            self.running.run(self._restart(True))

    async def _restart(self, crash: bool) -> None:
        self.well_again()
        if not self.running._process.over or crash:
            await self.running.stop(crash or self.running._process.over)
        await self.running.start()
        await asyncio.sleep(0.01)

    def well_again(self) -> None:
        """Nothing fails from now on."""
        self.discord.plan, Mortal.left = [], None

    @property
    def armed(self) -> bool:
        """Whether the next thing that is done may end otherwise than well."""
        return bool(self.discord.plan) or Mortal.left is not None

    def chat(self) -> None:
        place = self.match().place
        self.said.append(f"chat in {place}")
        if (channel := self.discord.channels.get(place)) is not None:
            for _ in range(BURYING):
                message = Message(self.discord.snowflake(), place, {"content": "hello"})
                channel.messages[message.id] = message

    def delete(self, message: Message) -> None:
        self.said.append(f"a moderator deletes a message in {message.channel}")
        self.deleted = True
        del self.discord.channels[message.channel].messages[message.id]

    def delete_thread(self) -> None:
        for channel in list(self.discord.channels.values()):
            if channel.parent is not None:
                self.said.append("a moderator deletes the thread")
                self.deleted = True
                del self.discord.channels[channel.id]

    def set_threads(self, *, archived: bool, locked: bool = False) -> None:
        word = "locked" if locked else "archived" if archived else "opened"
        self.said.append(f"all threads are {word}")
        self.deleted = self.deleted or locked
        for thread in self.threads:
            self.discord.set_thread(thread, archived=archived, locked=locked)

    # What is there then.

    @property
    def threads(self) -> list[Channel]:
        return [channel for channel in self.discord.channels.values() if channel.parent is not None]

    def match(self) -> Match:
        self.revive()
        look = asyncio.wait_for(self.running.app.service.find(1), 1)
        try:
            match = self.running.run(look)
        except TimeoutError:  # it has been killed meanwhile
            return self.match()
        assert match is not None
        return match

    def messages(self) -> list[Message]:
        """Every message of the match's table that stands in the server."""
        public = [channel for channel in self.discord.channels.values() if channel.user is None]
        there = [message for channel in public for message in channel.messages.values()]
        return [m for m in there if "components" in m.body and re.search(r"table 1\b", m.text)]

    def wrong(self) -> list[str]:
        """What is not as it must be, once nothing fails any more."""
        self.well_again()
        self.running.pass_time(1)  # a request that is under way may still end with the process
        place = self.match().channel
        if any(thread.locked for thread in self.threads):
            self.set_threads(archived=True)
        if place not in self.discord.channels:  # deleted: then people move the table
            self.move_to(CHANNELS[0])
        if self.deleted:  # the press that would have found out may have been cut off: then people ask for the table
            self.do("somebody asks for the table", self._ask_for_the_table)
        for _ in range(SHOWN_AGAIN):
            self.running.pass_time(1)
            if not self.running.run(self.running.app.service.posts.behind()):
                break
        else:
            return ["not everything is shown"]
        self.running.pass_time(5)
        return self.running.run(self._wrong())

    async def _ask_for_the_table(self) -> None:
        self.running.app.publisher.bring_back(1)

    async def _wrong(self) -> list[str]:
        host = self.running.app.service
        match, post = await host.load(1), (await host.posts.of(1))[TABLE]
        live = [m for m in self.messages() if m.match == 1]
        found = [f"the table stands {len(live)} times: {[(m.channel, m.id) for m in live]}"] if len(live) != 1 else []
        for message in live:
            if (message.channel, message.id) != (match.place, post.message):
                found.append(f"a table in {message.channel}, and the match is in {match.place}")
            elif match.status is Status.PLAYING:
                now = mark(match, host.state(match), await host.events_of(match))
                found += [] if str(now) in message.text else ["the table is out of date"]
        for message in self.messages():
            if message not in live and f"<#{match.place}>" not in message.text:
                found.append(f"in {message.channel} stands, and the match is in {match.place}: {message.text!r}")
        return found

    def close(self) -> None:
        Mortal.left = None
        if self.running._process.over:
            self.running.run(self._restart(True))
        self.running.close()


@contextmanager
def schedule(folder: Path, seed: str) -> Any:
    """A schedule with nothing done yet."""
    with quick(seed) as patch:
        patch.setattr(data.store.database.aiosqlite, "connect", Mortal)
        made = Schedule(folder)
        try:
            yield made
        finally:
            made.close()


def step(made: Schedule, random: Random) -> None:
    """One thing that happens, by chance."""
    match = made.match()
    threads = [thread.id for thread in made.threads if not thread.locked]
    messages = [m for m in made.messages() if m.match == 1] or made.messages()
    match random.randrange(15):
        case 0 | 1 | 2 | 3:
            made.move_to(random.choice([*CHANNELS, *threads, *threads]))
        case 4 if match.status is Status.LOBBY:
            made.wish(random.choice(["thread", "channel"]))
        case 5 if match.status is Status.LOBBY:
            made.start()
        case 4 | 5:
            made.play()
        case 6:
            made.chat()
            made.play()
        case 7 if messages and not made.armed:  # nobody tells the bot: it finds out when it shows a change
            made.delete(random.choice(messages))
            made.play()
        case 8 if threads and not made.armed:
            made.delete_thread()
            made.play()
        case 9 | 10:
            words = ["well"] * random.randrange(4)
            ends = ["down"] * random.randrange(1, 4), ["lost"], ["lost", "down", "down"], ["dies"], ["done and dies"]
            made.fail(*words, *random.choice(ends))
        case 11:
            made.die_at(random.randrange(12))
        case 12:
            made.restart(crash=random.random() < 0.7)
        case 13 | 14 if made.threads and not made.armed:
            made.set_threads(archived=random.random() < 0.7, locked=random.random() < 0.4)
    made.wait(random.choice([0, 0, 0.05, 0.2, 1, 5, 40, FORGOTTEN]))


def trial(folder: Path, seed: str) -> tuple[list[str], Sequence[str]]:
    """What is wrong after a random schedule, and what was done in it."""
    random = Random(seed)
    with schedule(fresh(folder), seed) as made:
        made.open(thread=random.random() < 0.6)
        made.wait(random.choice([0, 0.2, 5]))
        for _ in range(random.randrange(4, 12)):
            step(made, random)
        while made.match().status is Status.LOBBY:  # whose message may be deleted: the start shows that to the bot
            made.start()
            made.well_again()
        return made.wrong(), made.said


def run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None) -> None:
    """Play so many schedules, or that one alone. No bug is planted here."""
    assert bug is Bug.NONE
    for number in range(trials) if only is None else [only]:
        found, said = trial(folder / "schedule", f"moving {report.seed} {number}")
        report.counts["schedules"] += 1
        report.counts["things that happened"] += len(said)
        if report.ended(number, [*found, *(f"  {line}" for line in said)] if found else [], folder) or report.late:
            return
