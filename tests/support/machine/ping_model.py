"""A second model of pings (who, how, how often), compared with the messages that came with a notification.

- The bot pings no player while their clock is stopped, in a way that they have not chosen, or if they want no pings.
- The bot pings a player once for a turn, and once more for each nudge, each extension, and as the last one to decide.
- The bot pings a player with a digest for a turn in between only if time runs out soon.
- The bot pings each player who must decide, as soon as it may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.records.hours import Hours
from data.records.match import Match
from data.records.people import PingPreference
from tests.support.machine.clock_model import stands
from tests.support.machine.fake_discord import Sent
from tests.support.machine.table_model import Table

LIVE = ("live_2",)
"""Terms for an evening: nothing waits for a digest."""
SEALED = ("siege_of_sunfall",)
"""Games in which several decide at once, of whom one may be the last."""


@dataclass
class Wishes:
    """A person's settings for all tables. `every`: hours between two digests; 0: none."""

    hours: Hours
    way: PingPreference = PingPreference.DM
    every: int = 0
    has_dm: bool = True

    def by_dm(self, way: PingPreference) -> bool:
        return self.has_dm and way in (PingPreference.DM, PingPreference.BOTH)

    def by_mention(self, way: PingPreference) -> bool:
        return way in (PingPreference.MENTION, PingPreference.BOTH) or (way is PingPreference.DM and not self.has_dm)


class Calls:
    """Every call there was, for the people with these wishes."""

    def __init__(self, wishes: Mapping[int, Wishes]) -> None:
        self._wishes = wishes
        self._times: Counter[tuple[int, int, str, bool]] = Counter()
        """How often a user was pinged by direct message (or by mention) for that turn at that table."""
        self._told: set[tuple[int, int, str]] = set()
        self._as: dict[int, object] = {}
        """The last state of each table; when it changes, people are pinged again."""

    def way(self, table: Table, user: int) -> PingPreference:
        seat = table.seat(user)
        mine = None if seat is None else table.sitters[seat].ping
        return mine or self._wishes[user].way

    def take(self, sent: Sent, tables: Sequence[Table], matches: Mapping[int, Match], sure: bool) -> None:
        """Check one ping. `sure`: the time of day is certain."""
        for user in sent.users:
            assert not sure or not stands(self._wishes[user].hours, sent.at), f"{user} is called in quiet hours"
            if sent.private and sent.text.startswith("hand "):
                _, number, turn, _ = sent.text.split()
                table = next(table for table in tables if table.number == int(number))
                assert self._wishes[user].by_dm(self.way(table, user)), f"{user} wants no direct messages"
                self._called(table, user, turn.partition("-")[0], private=True)
            elif sent.private or "•" in sent.text:
                self._listed(sent, user, tables)
            else:
                self._mentioned(sent, user, tables, matches)

    def _listed(self, sent: Sent, user: int, tables: Sequence[Table]) -> None:
        """A digest: all that waits is said in it."""
        wishes = self._wishes[user]
        assert wishes.every, f"{user} has no digest"
        for table in tables:
            if table.seat(user) is not None and table.status == "playing" and f"table {table.number}]" in sent.text:
                way = self.way(table, user)
                assert wishes.by_dm(way) if sent.private else wishes.by_mention(way), f"{user} wants no such digest"
                self._told.add((table.number, user, self._turn(table, user)))

    def _mentioned(self, sent: Sent, user: int, tables: Sequence[Table], matches: Mapping[int, Match]) -> None:
        here = [table for table in tables if matches[table.number].place == sent.channel]
        playing = [table for table in here if table.status == "playing" and table.seat(user) is not None]
        if not playing:
            assert any(table.previous for table in here), f"{user} is mentioned for nothing"
            assert self._wishes[user].way is not PingPreference.NONE, f"{user} wants not to be called"
            return
        for table in playing:
            assert self._wishes[user].by_mention(self.way(table, user)), f"{user} wants no mentions"
            self._called(table, user, self._turn(table, user), private=False)

    def _turn(self, table: Table, user: int) -> str:
        """What the rules ask them, the same again after a move was taken back."""
        return table.token(table.seat(user) or 0).partition("-")[0]

    def _called(self, table: Table, user: int, turn: str, *, private: bool) -> None:
        self._told.add((table.number, user, turn))
        seat = table.seat(user)
        assert seat is not None, f"{user} does not sit there"
        clock = table.clocks.get(seat)
        self._times[table.number, user, turn, private] += 1
        times = self._times[table.number, user, turn, private]
        again = (0 if clock is None else clock.called) + (table.game in SEALED)
        away = clock is not None and clock.away
        assert times <= 1 + again + away, f"{user} is called for {turn} {times} times"
        if self._wishes[user].every and table.clock not in LIVE:
            assert away or (clock is not None and clock.called), f"{user} has a digest, and is called for a turn"

    def changed(self, table: Table, match: Match) -> None:
        """Note, after each step, changes for which people are pinged again for a known turn."""
        away = tuple(clock.away for clock in table.clocks.values())
        now = (tuple(table.people), table.clock, table.rests, table.paused, table.undone, away, match.place)
        if self._as.setdefault(table.number, now) != now or table.rests:
            self.forget([table])
        self._as[table.number] = now

    def forget(self, tables: Sequence[Table]) -> None:
        """Let each player of these tables be pinged once more for a known turn."""
        numbers = {table.number for table in tables}
        self._times = Counter({key: times for key, times in self._times.items() if key[0] not in numbers})

    def nobody_is_forgotten(self, table: Table, now: int) -> None:
        """Check that all players to move were pinged, at a table where nothing prevents pings."""
        for seat in table.asked():
            user = table.sitters[seat].user
            if user is None or not table.running or seat in table.away() or table.sitters[seat].forced:
                continue
            wishes, key = self._wishes[user], (table.number, user, self._turn(table, user))
            if self.way(table, user) is PingPreference.NONE:
                self._told.add(key)
            if stands(wishes.hours, now) or (wishes.every and table.clock not in LIVE):
                continue
            assert key in self._told, f"{user} has not been called for {key[2]}"
