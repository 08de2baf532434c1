"""The month: people open matches, the bot is restarted and killed, connections break, clocks jump. Then the figures."""

from __future__ import annotations

import asyncio
import logging
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from bot import Settings
from cogs.match.time_controls import PRESETS
from data.content.texts import texts
from data.records.hours import Hours, PeopleHours
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.post import HandPost, Post, PostState
from data.records.post_rows import place_of
from rules import GAMES
from tests.month.fake_discord import FakeDiscord
from tests.month.messages import OWNER, Message
from tests.month.oracle import Oracle
from tests.month.people import Crowd, Person, draw_person
from tests.month.process import Process, fast_settings
from tests.month.virtual_time import VirtualLoop
from tests.support.inside import stored_matches
from tests.support.simulation import ErrorLog
from tests.support.table import shortest_options

DAY, HOUR, MINUTE = 86400, 3600, 60


@dataclass(frozen=True, slots=True)
class Plan:
    """The size of a run. `beat`: seconds between two heartbeats of the bot. `run_out`: the most days after the month,
    in which all people answer at once.
    """

    matches: int
    days: int
    seed: str
    beat: float = 60.0
    run_out: int = 14


class Month:
    """One run. `faults` and `figures` have its results."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.random = Random(plan.seed)
        self.start = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) + self.random.randrange(365) * DAY
        self.jumped = 0.0
        self.discord = FakeDiscord(self.random, self.now)
        self.oracle = Oracle(self.now, self.start, plan.days + plan.run_out + 2, plan.beat)
        self.crowd = Crowd(self.discord, self.random, self.now)
        self.discord.on_ping = self._on_ping
        self.discord.on_hand_shown = self.oracle.on_hand_shown
        self.figures: Counter[str] = Counter()
        self.opened_within = plan.days * DAY / 2
        """Seconds in which the matches are opened."""
        self.wall = self.cpu = 0.0

    def now(self) -> float:
        """The true time, in seconds since 1970."""
        return self.start + asyncio.get_running_loop().time()

    def _on_ping(self, user: int, number: int | None, message: Message) -> None:
        self.oracle.on_ping(user, number, message)
        self.crowd.on_ping(user, number)

    @property
    def faults(self) -> list[str]:
        return self.oracle.faults

    def run(self) -> None:
        """Run the month in virtual time."""
        began, worked, said = time.perf_counter(), time.process_time(), ErrorLog()
        logging.getLogger().addHandler(said)
        try:
            memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
            with tempfile.TemporaryDirectory(dir=memory) as folder, self._quick_and_heard():
                self._settings = Settings(
                    database=f"{folder}/sundial.db",
                    dm_seconds=0,
                    beat_seconds=self.plan.beat,
                    limited=False,
                    workers=0,
                    tables_each=0,
                    emoji=False,
                )
                with asyncio.Runner(loop_factory=VirtualLoop) as runner:
                    runner.run(self._month())
        finally:
            logging.getLogger().removeHandler(said)
        self.faults.extend(f"logged: {line}" for line in said.lines)
        self.faults.extend(f"the bot asked for {request}" for request in self.discord.unknown)
        self.wall, self.cpu = time.perf_counter() - began, time.process_time() - worked

    @contextmanager
    def _quick_and_heard(self) -> Iterator[None]:
        """Make the bot fast, and tell the oracle of each write of a match or of quiet hours."""
        save, put, open_match = Matches.save, PeopleHours.put, Matches.open

        async def heard_save(matches: Matches, match: Match, *how: Any, **more: Any) -> Match:
            saved = await save(matches, match, *how, **more)
            self.oracle.saved(saved)
            return saved

        async def heard_put(hours: PeopleHours, user: int, new: Hours) -> None:
            await put(hours, user, new)
            self.oracle.hours(user, new)

        async def heard_open(matches: Matches, match: Match, *how: Any) -> Match:
            opened = await open_match(matches, match, *how)
            self.oracle.saved(opened)
            return opened

        with fast_settings(self.plan.seed) as patch:
            patch.setattr(Matches, "save", heard_save)
            patch.setattr(Matches, "open", heard_open)
            patch.setattr(PeopleHours, "put", heard_put)
            yield

    async def _month(self) -> None:
        await self._start()
        await asyncio.sleep(5)
        end = self.plan.days * DAY
        await self._gather_people()
        for _ in range(self.plan.matches):
            self.crowd.do(self._open_match(self.random.uniform(0, self.opened_within)))
        others = [asyncio.create_task(work) for work in (self._disturb(), self._passers_by(), self._sweeps())]
        loop = asyncio.get_running_loop()
        await asyncio.sleep(end - loop.time())
        self.figures["open when the month is over"] = sum(match.open for match in self.oracle.matches.values())
        await _ended(others[0])
        await self._run_out(end + self.plan.run_out * DAY)
        for task in (*others, *self.crowd.tasks):
            await _ended(task)
        await asyncio.sleep(20 * MINUTE)
        self.oracle.sweep()
        await self._judge_ends()
        await self._stop()

    # The bot's process.

    async def _start(self) -> None:
        self.process = await Process.start(self._settings, self.discord, lambda: self.now() + self.jumped)
        self.oracle.bot_is_up(started=True)

    async def _stop(self) -> None:
        await self.process.stop()
        self.oracle.bot_is_down()

    async def _crash(self) -> None:
        self.oracle.bot_is_down(2 * self.plan.beat)
        await self.process.kill()

    async def _disturb(self) -> None:
        """Disturb the bot in random ways, one after the other."""
        while True:
            await asyncio.sleep(self.random.expovariate(1 / (9 * HOUR)))
            await self.random.choice((self._restarted, self._restarted, self._cut_off, self._cut_off, self._refused))()
            if self.random.random() < 0.08:
                await self._clock_jumps()
            elif self.random.random() < 0.04:
                await self._removed()

    async def _restarted(self) -> None:
        self.figures["restarts"] += 1
        if self.random.random() < 0.5:
            self.figures["restarts without a warning"] += 1
            await self._crash()
        else:
            await self._stop()
        await asyncio.sleep(self._span(2, 8 * HOUR))
        await self._start()

    async def _cut_off(self) -> None:
        """The gateway's connection breaks."""
        self.figures["outages"] += 1
        self.oracle.bot_is_down()
        self.discord.enter(self.discord.lost)
        span = self._span(5, 12 * HOUR)
        if self.random.random() < 0.5:
            self.discord.failing = 1.0
            self.oracle.discord_is_unreachable(span)
        await asyncio.sleep(span)
        self.discord.failing = 0.0
        self.discord.enter(self.discord.resumed if span < HOUR else self.discord.ready)
        self.oracle.bot_is_up()

    async def _refused(self) -> None:
        """Some or all requests fail, while the gateway works."""
        self.figures["spells of failing requests"] += 1
        span = self._span(30, HOUR)
        self.oracle.discord_is_unreachable(span)
        self.discord.failing = self.random.choice((0.2, 0.7, 1.0))
        await asyncio.sleep(span)
        self.discord.failing = 0.0

    async def _removed(self) -> None:
        self.figures["times out of the server"] += 1
        self.discord.enter(self.discord.remove_bot)
        await asyncio.sleep(self._span(HOUR, 4 * DAY))
        self.discord.enter(self.discord.invite_bot)

    async def _clock_jumps(self) -> None:
        """The system clock is wrong for a time. A person uses a command now and then, which tells the bot the time."""
        self.figures["clock jumps"] += 1
        self.oracle.bot_is_down(2 * self.plan.beat, perhaps=True)
        self.jumped = self.random.choice((-3 * DAY, -HOUR, 1200.0, 2 * HOUR, 20 * DAY))
        person = self.random.choice(list(self.crowd.people.values()))
        for _ in range(self.random.randrange(2, 30)):
            await asyncio.sleep(5 * MINUTE)
            await self.discord.slash(person.id, next(iter(self.discord.channels)), "games")
        self.jumped = 0.0
        self.oracle.bot_is_up(after=self.plan.beat + 10)

    def _span(self, least: float, most: float) -> float:
        """Draw a number of seconds; short spans are more frequent."""
        return least + (most - least) * self.random.random() ** 4

    # The people.

    async def _gather_people(self) -> None:
        today = datetime.fromtimestamp(self.now(), UTC).date()
        home = self.discord.new_channel()
        for number in range(max(6, self.plan.matches * 2 // 3)):
            person = draw_person(self.random, OWNER + 1 + number, today)
            self.crowd.people[person.id] = person
            self.discord.names[person.id] = f"P{number}"
            if self.random.random() < 0.25:
                self.discord.closed_dms.add(person.id)
            self.crowd.do(self._settle_in(person, home.id))
            self.crowd.do(self.crowd.daily(person))

    async def _settle_in(self, person: Person, channel: int) -> None:
        """Tell the bot a person's ping preference and quiet hours, and change the hours now and then."""
        if person.way != "dm":
            shown = await self.discord.slash(person.id, channel, "settings")
            assert shown.answer is not None
            await self.crowd.press(person, shown.answer, "1/0/setting//ping", person.way)
            self.oracle.ways[person.id] = person.way
        self.figures[f"people called: {person.way}"] += 1
        while True:
            hours = person.hours
            if hours != Hours():
                days = ",".join(
                    ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[day] for day in sorted(hours.days_off)
                )
                options = {"zone": hours.zone, "days_off": days or "none"}
                if hours.quiet is not None:
                    options |= dict(zip(("quiet_from", "quiet_to"), map(_clock, hours.quiet), strict=True))
                if hours.holidays and hours.holidays[0][0] >= datetime.fromtimestamp(self.now() + DAY, UTC).date():
                    first, last = hours.holidays[0]
                    options |= {"holiday_from": first.isoformat(), "holiday_to": last.isoformat()}
                await self.discord.slash(person.id, channel, "hours", **options)
            await asyncio.sleep(self.random.uniform(5, 60) * DAY)
            person.hours = draw_person(self.random, person.id, datetime.fromtimestamp(self.now(), UTC).date()).hours

    async def _passers_by(self) -> None:
        """Let people who see an offered seat in a channel take it."""
        while True:
            await asyncio.sleep(self.random.expovariate(max(1, self.plan.matches) / (2 * DAY)))
            offered = [t for t in self.discord.tables.values() if any("/take/" in custom_id for custom_id in t.ids)]
            if offered and not self.crowd.answer_at_once:
                person = self.random.choice(list(self.crowd.people.values()))
                self.crowd.do(self.crowd.pass_by(person, self.random.choice(offered)))

    async def _sweeps(self) -> None:
        while True:
            await asyncio.sleep(HOUR)
            self.oracle.sweep()

    async def _open_match(self, delay: float) -> None:
        """Open a match, from /play to the start; a few lobbies are cancelled or left instead."""
        await asyncio.sleep(delay)
        random, discord = self.random, self.discord
        game = GAMES[random.choice(tuple(GAMES))]
        seats = random.choice([n for n in game.seats if 1 < n <= 5])
        humans = random.randint(2, seats)
        host, *others = random.sample(list(self.crowd.people.values()), humans)
        channel = discord.new_channel()
        while (number := self._lobby_in(channel.id)) is None:
            if discord.connected:
                await discord.slash(host.id, channel.id, "play", game=game.slug)
            await asyncio.sleep(random.uniform(5, 600))
        table = discord.tables[number]
        host.tables.add(number)
        chosen = {**shortest_options(game.slug, seats), "clock": random.choice(tuple(PRESETS))}
        chosen |= {"absent": random.choice(("computer", "vote")), "seats": str(seats)}
        chosen["place"] = random.choice(("channel", "thread"))
        for name, value in chosen.items():
            await self.crowd.press(host, table, f"1/{number}/option//{name}", value)
        for person in others:
            await asyncio.sleep(random.expovariate(1 / 1800))
            await self._until_there()
            await self.crowd.press(person, table, f"1/{number}/join//")
            person.tables.add(number)
        for person in (host, *others):
            if random.random() < 0.3:
                await self.crowd.press(person, table, f"1/{number}/setting//forced")
        for _ in range(seats - humans):
            await self.crowd.press(host, table, f"1/{number}/add//")
        await asyncio.sleep(random.expovariate(1 / 1800))
        await self._until_there()
        if random.random() < 0.96:
            await self.crowd.press(host, table, f"1/{number}/start//")
        elif random.random() < 0.5:
            await self.crowd.press(host, table, f"1/{number}/cancel//sure")
        else:  # all leave the lobby alone
            for person in (host, *others):
                person.tables.discard(number)

    def _lobby_in(self, channel: int) -> int | None:
        shown = [message.match for message in self.discord.channels[channel].messages.values()]
        return next((number for number in shown if number is not None), None)

    async def _until_there(self) -> None:
        """People come again later where the bot does not answer."""
        while True:
            if self.discord.connected:
                return
            await asyncio.sleep(self.random.uniform(30, 300))

    # The end.

    async def _run_out(self, latest: float) -> None:
        """Everybody answers at once, until nothing moves any more."""
        self.crowd.answer_at_once = True
        self.jumped = self.discord.failing = 0.0
        if self.process.over:
            await self._start()
        elif not self.discord.connected:
            self.discord.enter(self.discord.ready)
        if self.discord.removed:
            self.discord.enter(self.discord.invite_bot)
        self.oracle.bot_is_up(after=self.plan.beat + 10)
        for person in self.crowd.people.values():
            person.gone_until = 0.0
            for number in sorted(person.tables):
                person.coming.discard(number)
                self.crowd.come(person, number, self.random.uniform(0, HOUR))
        loop = asyncio.get_running_loop()
        while any(_goes_on(match) for match in self.oracle.matches.values()):
            if loop.time() > latest:
                return
            await asyncio.sleep(HOUR)

    async def _judge_ends(self) -> None:
        """Check that each match is over, or rests for a reason that its table shows."""
        app = self.process.bot.app
        assert app is not None
        matches, say = stored_matches(app.service), texts("en")
        reasons = {
            "over": ("end.won", "end.no_winner"),
            "stopped": ("end.stopped",),
            "cancelled": ("end.cancelled", "seat_change.cancelled"),
            "cancelled in the lobby": ("lobby.cancelled", "lobby.expired"),
            "rests by a vote": ("turn.rests",),
            "rests: everybody is away": ("clock.all_away",),
        }
        behind = await matches.posts.behind()
        for number in sorted(self.oracle.matches):
            match = await matches.get(number)
            assert match is not None
            how = _how_it_stands(match)
            self.figures[f"matches: {how}"] += 1
            text = self.discord.tables[number].text if number in self.discord.tables else ""
            if how not in reasons:
                self.oracle.fault(number, f"does not come to an end: {how}, {match.moves} moves, clock {match.clock}")
            elif not any(_fixed_part(say[key]) in text for key in reasons[how]):
                self.oracle.fault(number, f"does not say why it stands still ({how}): {text[-200:]!r}")
            posts = await matches.posts.of(number)
            told, end = len(self.discord.ends.get(number, {})), posts.the_end
            if told != (end is not None and end.digest != PostState.GIVEN_UP):
                self.oracle.fault(number, f"its end is told {told} times")
            self.figures["ends told"] += told
            late = [place_of(post) for post in posts if post.shown < match.version and not self._is_off(post)]
            if late:
                self.oracle.fault(number, f"is shown as it was at {late}, listed: {number in behind}")
            self.figures["moves"] += match.moves
            self.figures["computers' moves"] += sum(move.user is None for move in await matches.moves(number))

    def _is_off(self, post: Post) -> bool:
        """Return whether it is a hand of a player who is told nothing now, by their hours."""
        user = post.user if isinstance(post, HandPost) else None
        return user is not None and not self.oracle.running_hours(user).at(self.now())

    def table(self) -> str:
        """Return the figures, one a line."""
        oracle = self.oracle
        rows: dict[str, object] = {"matches": len(oracle.matches), **dict(sorted(self.figures.items()))}
        rows |= dict(sorted(oracle.figures.items()))
        rows["worst lateness (s)"] = round(oracle.worst)
        rows["earliest (s before it was due)"] = round(max(0.0, -oracle.earliest))
        rows |= {"presses": self.crowd.presses, "requests to Discord": self.discord.requests}
        rows["faults"] = len(self.faults)
        rows |= {"wall time (s)": round(self.wall, 1), "processor time (s)": round(self.cpu, 1)}
        width = max(map(len, rows))
        return "\n".join(f"{name:{width}}  {value}" for name, value in rows.items())


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancel the task. Raise the error with which it has failed before, if any."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def _goes_on(match: Match) -> bool:
    """Return whether the match is open and does not rest by a vote."""
    return match.open and match.rests_since is None


def _how_it_stands(match: Match) -> str:
    """Return the state of a match, as the figures name it."""
    if match.status is Status.CANCELLED and match.started_at is None:
        return "cancelled in the lobby"
    if not match.open:
        return match.status.value
    if match.rests_since is not None:
        return "rests by a vote"
    gone = {clock.seat for clock in match.clocks if clock.away is not None}
    if match.status is Status.PLAYING and {chair.number for chair in match.people} <= gone:
        return "rests: everybody is away"
    return match.status.value if match.status is Status.LOBBY else "still running"


def _fixed_part(sentence: str) -> str:
    """Return the longest part of a sentence without placeholders."""
    return max(re.split(r"\{[^}]*\}", sentence), key=len).strip()


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
