"""Each match keeps one table when it moves and when things fail: random schedules of actions and faults.

A schedule is a match in virtual time on the fake Discord of tests/month. Its lobby is opened, switched between the
channel and a thread, invites a guest, and is started. Its table is moved to and fro, buried by chat, deleted with or
without its thread; moderators archive, lock and open threads. In between Discord fails a request, or carries it out and
its answer is lost; and the process is killed, before or after a request or a transaction. Once all works again, no
thread is locked and all counts as shown, the match must have one message with controls, in its place. Each of its other
messages must say where that is. The guest has been pinged once, and the invitation is gone unless the match is still a
lobby.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import data.store.sqlite
from cogs.match.host_rights import StartTimes
from cogs.match.refusals import Refused
from cogs.match.restored import mark
from cogs.match.table_options import move_table
from data.records.match import Match, Status
from data.records.terms import Terms
from rules.core.game import IllegalMove
from tests.month.messages import Channel, Message
from tests.month.payloads import refuse
from tests.month.process import fast_settings
from tests.month.virtual_time import PROCESS_RUN, Connection, ProcessRun
from tests.reliability.recorded_bot import RecordingDiscord, RunningBot
from tests.reliability.report import Report, empty_folder
from tests.reliability.seeded_bugs import Bug

ANN, BEN, GUEST = 10_001, 10_002, 10_003
CHANNELS = (500, 501, 502)
SHOWN_AGAIN = 180
"""Seconds within which everything must be shown after the last fault."""
BURYING = 8
"""Messages of chat that bury a table."""
FORGOTTEN = 400
"""Seconds after which Discord no longer knows a nonce."""


class FailingDiscord(RecordingDiscord):
    """A Discord that fails as planned, in channels of the server: `plan` has a word for each of the next requests.

    `well`: it succeeds. `down`: it is not carried out, and the answer is an error. `lost`: it is carried out, and the
    answer is an error. `dies`, `done and dies`: the process is killed before or after it is carried out.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__(now)
        self.plan: list[str] = []
        self.deaths = 0

    async def request(self, life: ProcessRun | None, route: Any, body: Any, params: Any) -> Any:
        found = re.search(r"/channels/(\d+)", route.url)
        channel = self.channels.get(int(found[1])) if found else None
        if found is None or (channel is not None and channel.user is not None) or not self.plan:
            return await super().request(life, route, body, params)
        word = self.plan.pop(0)
        if word == "dies":
            return await self._die(life)
        if word == "down":
            await asyncio.sleep(0.1)
            refuse(503, 0)
        answer = await super().request(life, route, body, params)
        if word == "done and dies":
            return await self._die(life)
        return refuse(503, 0) if word == "lost" else answer

    async def _die(self, life: ProcessRun | None) -> None:
        assert life is not None
        life.dead, self.deaths = True, self.deaths + 1
        await asyncio.Event().wait()


class MortalConnection(Connection):
    """A connection whose process is killed at a transaction. `left`: the number of transactions before that one."""

    left: int | None = None

    async def _execute(self, work: Callable[..., Any], *args: Any) -> Any:
        if MortalConnection.left is not None and (life := PROCESS_RUN.get()) is not None and not life.dead:
            MortalConnection.left -= 1
            if MortalConnection.left < 0:
                life.dead, MortalConnection.left = True, None
        return await super()._execute(work, *args)


class Schedule:
    """One match and what happens to it. `log` has a line for each step."""

    def __init__(self, folder: Path) -> None:
        self.running = RunningBot(folder, discord=FailingDiscord)
        discord = self.running.discord
        assert isinstance(discord, FailingDiscord)
        self.discord = discord
        self.log: list[str] = []
        self.deleted = False
        """Whether a moderator has deleted a message of the bot, which Discord does not report, or locked a thread."""
        self.pings: Counter[int] = Counter()
        """How often each user was mentioned in the server."""
        discord.on_ping = self._note_ping
        for channel in CHANNELS:
            discord.new_channel(number=channel)
        for user in (ANN, BEN, GUEST):
            discord.know(user, f"P{user}")

    def _note_ping(self, user: int, match: int | None, message: Message) -> None:
        self.pings[user] += message.viewer is None

    # What happens.

    def open(self, thread: bool = False) -> None:
        async def work() -> None:
            app = self.running.app
            for user in (ANN, BEN):
                await app.service.people.meet(user, f"P{user}", "en-US")
                await app.service.people.change(user, dm=user * 1000, dm_works=True)
            where = {"guild": 1000, "channel": CHANNELS[0], "terms": Terms(locale="en")}
            match = await app.lobby.open("sea_change", user=ANN, name="Ann", **where)
            await app.lobby.join(match.id, BEN, "Ben")
            if thread:
                await app.lobby.choose_option(match.id, ANN, "place", "thread")
            app.publisher.changed(match.id)

        self.do("a lobby is opened" + (" for a table in a thread" if thread else ""), work)

    def start(self) -> None:
        self.do("the match begins", lambda: self.running.app.lobby.start(1, ANN))

    def invite(self) -> None:
        self.do("a guest is invited", lambda: self.running.app.door.invite(1, ANN, [(GUEST, "Guest")]))

    def start_in(self, seconds: int) -> None:
        """Let the lobby start by itself after so many seconds."""
        service, lobby = self.running.app.service, self.running.app.lobby
        at = int(self.running.discord.now()) + seconds
        self.do(f"the lobby starts in {seconds} s", lambda: StartTimes(service, lobby).set(1, ANN, at))

    def choose_place(self, where: str) -> None:
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
                await host.play(1, match.chairs[seat].player, None, str(state.legal_moves(seat)[0]))

        self.do("a player makes a move", work)

    def do(self, what: str, work: Callable[[], Any]) -> None:
        """Ask the bot to do something. If it is killed meanwhile there is no answer."""
        self.revive()
        self.log.append(what)

        async def answered() -> None:
            asked = asyncio.create_task(work(), context=self.running.process.context)
            await asyncio.wait([asked], timeout=1)
            if asked.done() and not asked.cancelled():
                with suppress(Refused, IllegalMove):
                    asked.result()
            self.running.app.publisher.changed(1)

        self.running.run(answered())

    def fail(self, *words: str) -> None:
        """Plan how the next requests end."""
        self.log.append(f"the next requests: {', '.join(words)}")
        self.discord.plan = list(words)

    def die_at(self, transactions: int) -> None:
        self.log.append(f"it is killed after {transactions} more transactions")
        MortalConnection.left = transactions

    def wait(self, seconds: float) -> None:
        self.log.append(f"{seconds} s go by")
        self.running.pass_time(seconds)

    def restart(self, crash: bool) -> None:
        self.log.append("it is killed, and starts" if crash else "it is restarted")
        self.running.run(self._restart(crash))

    def revive(self) -> None:
        """Start a new process if the last one has been killed."""
        if self.running.process.over:
            self.log.append("it starts after its death")
            self.running.run(self._restart(True))

    async def _restart(self, crash: bool) -> None:
        self.stop_faults()
        if not self.running.process.over or crash:
            await self.running.stop(crash or self.running.process.over)
        await self.running.start()
        await asyncio.sleep(0.01)

    def stop_faults(self) -> None:
        """Let nothing fail from now on."""
        self.discord.plan, MortalConnection.left = [], None

    @property
    def fault_is_due(self) -> bool:
        """Return whether a fault is planned for the next requests or transactions."""
        return bool(self.discord.plan) or MortalConnection.left is not None

    def chat(self) -> None:
        place = self.match().place
        self.log.append(f"chat in {place}")
        if (channel := self.discord.channels.get(place)) is not None:
            for _ in range(BURYING):
                message = Message(self.discord.snowflake(), place, {"content": "hello"})
                channel.messages[message.id] = message

    def delete(self, message: Message) -> None:
        self.log.append(f"a moderator deletes a message in {message.channel}")
        self.deleted = True
        del self.discord.channels[message.channel].messages[message.id]

    def delete_thread(self) -> None:
        for channel in list(self.discord.channels.values()):
            if channel.parent is not None:
                self.log.append("a moderator deletes the thread")
                self.deleted = True
                del self.discord.channels[channel.id]

    def set_threads(self, *, archived: bool, locked: bool = False) -> None:
        word = "locked" if locked else "archived" if archived else "opened"
        self.log.append(f"all threads are {word}")
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
        """Return all messages of the match's table in the server, but for those that only mention players."""
        public = [channel for channel in self.discord.channels.values() if channel.user is None]
        there = [message for channel in public for message in channel.messages.values()]
        shown = [m for m in there if m.ids or not m.body.get("allowed_mentions", {}).get("users")]
        return [m for m in shown if "components" in m.body and re.search(r"table 1\b", m.text)]

    def reminders(self) -> list[Message]:
        there = [message for channel in self.discord.channels.values() for message in channel.messages.values()]
        return [message for message in there if "starts <t:" in message.text and not message.ids]

    def faults(self) -> list[str]:
        """Stop all faults, wait until all is shown, and return what is wrong."""
        self.stop_faults()
        self.running.pass_time(1)  # a request that is under way may still end with the process
        place = self.match().channel
        if any(thread.locked for thread in self.threads):
            self.set_threads(archived=True)
        if place not in self.discord.channels:  # deleted: then a player moves the table
            self.move_to(CHANNELS[0])
        if self.deleted:  # the bot may not have found out: then a player asks for the table
            self.do("a player asks for the table", self._ask_for_the_table)
        for _ in range(SHOWN_AGAIN):
            self.running.pass_time(1)
            if not self.running.run(self.running.app.service.posts.behind()):
                break
        else:
            return ["not everything is shown"]
        self.running.pass_time(5)
        return self.running.run(self._faults())

    async def _ask_for_the_table(self) -> None:
        self.running.app.publisher.bring_back(1)

    async def _faults(self) -> list[str]:
        host = self.running.app.service
        match, post = await host.load(1), (await host.posts.of(1)).table
        there = [m for m in self.messages() if m.match == 1]
        invitations = [m for m in there if any("/accept/" in custom_id for custom_id in m.ids)]
        live = [m for m in there if m not in invitations]
        found = [f"the table stands {len(live)} times: {[(m.channel, m.id) for m in live]}"] if len(live) != 1 else []
        for message in live:
            if (message.channel, message.id) != (match.place, post.message):
                found.append(f"a table in {message.channel}, and the match is in {match.place}")
            elif match.status is Status.PLAYING:
                now = mark(match, host.state(match), await host.events_of(match))
                carried = f"1/1/fair//{now.rest(ended=False)}"
                found += [] if carried in message.ids else ["the table is out of date"]
        found += self._faults_of_invitations(match, len(invitations))
        for message in self.messages():
            if message not in there and f"<#{match.place}>" not in message.text:
                found.append(f"in {message.channel} stands, and the match is in {match.place}: {message.text!r}")
        return found

    def _faults_of_invitations(self, match: Match, there: int) -> list[str]:
        if match.status is not Status.LOBBY:
            found = [f"{there} invitations stay"] if there else []
            return [*found, "the guest was pinged twice"] if self.pings[GUEST] > 1 else found
        invited = int(match.guest(GUEST) is not None)
        wrong = {there, self.pings[GUEST]} != {invited} and not self.deleted
        return [f"{there} invitations and {self.pings[GUEST]} pings of {invited} guests"] if wrong else []

    def close(self) -> None:
        MortalConnection.left = None
        if self.running.process.over:
            self.running.run(self._restart(True))
        self.running.close()


@contextmanager
def schedule(folder: Path, seed: str) -> Any:
    """Open a schedule without steps."""
    with fast_settings(seed) as patch:
        patch.setattr(data.store.sqlite.aiosqlite, "connect", MortalConnection)
        made = Schedule(folder)
        try:
            yield made
        finally:
            made.close()


def step(made: Schedule, random: Random) -> None:
    """Make one random step."""
    match = made.match()
    threads = [thread.id for thread in made.threads if not thread.locked]
    messages = [m for m in made.messages() if m.match == 1] or made.messages()
    match random.randrange(15):
        case 0 | 1 | 2 | 3:
            made.move_to(random.choice([*CHANNELS, *threads, *threads]))
        case 4 if match.status is Status.LOBBY and random.random() < 0.5:
            made.invite()
        case 4 if match.status is Status.LOBBY:
            made.choose_place(random.choice(["thread", "channel"]))
        case 5 if match.status is Status.LOBBY:
            made.start()
        case 4 | 5:
            made.play()
        case 6:
            made.chat()
            made.play()
        case 7 if messages and not made.fault_is_due:  # the bot finds out when it shows a change
            made.delete(random.choice(messages))
            made.play()
        case 8 if threads and not made.fault_is_due:
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
        case 13 | 14 if made.threads and not made.fault_is_due:
            made.set_threads(archived=random.random() < 0.7, locked=random.random() < 0.4)
    made.wait(random.choice([0, 0, 0.05, 0.2, 1, 5, 40, FORGOTTEN]))


def trial(folder: Path, seed: str) -> tuple[list[str], Sequence[str]]:
    """Play a random schedule. Return its faults and its steps."""
    random = Random(seed)
    with schedule(empty_folder(folder), seed) as made:
        made.open(thread=random.random() < 0.6)
        made.wait(random.choice([0, 0.2, 5]))
        for _ in range(random.randrange(4, 12)):
            step(made, random)
        while made.match().status is Status.LOBBY:  # its message may be deleted: the bot finds out at the start
            made.start()
            made.stop_faults()
        return made.faults(), made.log


def run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None) -> None:
    """Play `trials` schedules, or only schedule number `only`. This harness takes no bug."""
    assert bug is Bug.NONE
    for number in range(trials) if only is None else [only]:
        found, log = trial(folder / "schedule", f"moving {report.seed} {number}")
        report.counts["schedules"] += 1
        report.counts["things that happened"] += len(log)
        if (
            report.record(number, [*found, *(f"  {line}" for line in log)] if found else [], folder)
            or report.out_of_time
        ):
            return
