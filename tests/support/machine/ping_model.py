"""A second model of pings (who, how, how often), compared with the messages that came with a notification.

- The bot pings no player while their clock is stopped, in a way that they have not chosen, or if they want no pings.
- The bot pings a player once for a turn, and once more for each nudge, each reminder, each extension, and as the last
  one to decide.
- The bot pings a player with a digest for a turn in between only if time runs out soon.
- The bot pings a player for a vote that another has begun, for one in six hours.
- The bot pings each player who must decide, as soon as it may.
- The bot pings the host of a lobby once, when enough players are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.records.hours import Hours
from data.records.match import Match
from data.records.people import PingPreference
from tests.support.machine.clock_model import LIVE, is_stopped
from tests.support.machine.fake_discord import OVER, Notification
from tests.support.machine.table_model import TableModel

SEALED = ("siege_of_sunfall",)
"""Games in which several players decide at once; the last of them gets one more ping."""
BETWEEN_VOTES = 6 * 3600
ENOUGH = "enough players are here"


@dataclass
class PingSettings:
    """A person's ping settings for all tables. `digest_hours`: hours between two digests; 0: no digests."""

    hours: Hours
    way: PingPreference = PingPreference.DM
    digest_hours: int = 0
    has_dm: bool = True

    def by_dm(self, way: PingPreference) -> bool:
        return self.has_dm and way in (PingPreference.DM, PingPreference.BOTH)

    def by_mention(self, way: PingPreference) -> bool:
        return way in (PingPreference.MENTION, PingPreference.BOTH) or (way is PingPreference.DM and not self.has_dm)


def _time_runs(user: int, at: int, matches: Mapping[int, Match]) -> bool:
    """Return whether a live match counts a user's time then: it knows no hours that are newer, and pings meanwhile."""
    live = (match for match in matches.values() if match.clock.startswith("live"))
    clocks = (clock for match in live for clock in match.clocks if match.chairs[clock.seat].user == user)
    return any(not is_stopped(clock.hours or Hours(), at) for clock in clocks)


class PingModel:
    """Count all pings, and check each one against the ping settings of its user."""

    def __init__(self, settings: Mapping[int, PingSettings]) -> None:
        self._settings = settings
        self._counts: Counter[tuple[int, int, str, bool]] = Counter()
        """How often a user was pinged by direct message (or by mention) for that turn at that table."""
        self._notified: set[tuple[int, int, str]] = set()
        self._called: set[int] = set()
        """The lobbies whose host was told that enough players are there."""
        self._last_state: dict[int, object] = {}
        """The last state of each table; when it changes, people are pinged again."""
        self._votes: dict[tuple[int, int, bool], int] = {}
        """When the last vote was begun for which a user was pinged at that table, by direct message or by mention."""

    def way(self, table: TableModel, user: int) -> PingPreference:
        seat = table.seat(user)
        mine = None if seat is None else table.occupants[seat].ping
        return mine or self._settings[user].way

    def check(
        self, sent: Notification, tables: Sequence[TableModel], matches: Mapping[int, Match], time_is_known: bool
    ) -> None:
        """Check one ping. `time_is_known`: the time of day is certain."""
        for user in sent.users:
            is_off = is_stopped(self._settings[user].hours, sent.at) and not _time_runs(user, sent.at, matches)
            assert not time_is_known or not is_off, f"{user} is pinged in quiet hours"
            if sent.private and sent.text.startswith("hand "):
                _, number, turn, _ = sent.text.split()
                table = next(table for table in tables if table.number == int(number))
                assert self._settings[user].by_dm(self.way(table, user)), f"{user} wants no direct messages"
                if turn == OVER:
                    self._check_end(table, user, private=True)
                else:
                    self._check_count(table, user, turn.partition("-")[0], private=True)
            elif sent.text.startswith("end "):
                table = next(table for table in tables if table.number == int(sent.text.split()[1]))
                assert self._settings[user].by_mention(self.way(table, user)), f"{user} wants no mentions"
                self._check_end(table, user, private=False)
            elif ENOUGH in sent.text:
                self._check_call(user, tables)
            elif sent.private or "•" in sent.text:
                self._check_digest(sent, user, tables)
            else:
                self._check_mention(sent, user, tables, matches)

    def _check_call(self, user: int, tables: Sequence[TableModel]) -> None:
        """Check that a host is called once for a lobby in which another player sits."""
        assert self._settings[user].way is not PingPreference.NONE, f"{user} wants no pings"
        hosted = [table.number for table in tables if user in (table.host, *table.people) and len(table.people) > 1]
        found = next((number for number in hosted if number not in self._called), None)
        assert found is not None, f"{user} is called to start without a reason"
        self._called.add(found)

    def _check_digest(self, sent: Notification, user: int, tables: Sequence[TableModel]) -> None:
        """Check a digest: it lists the turns that wait for its user."""
        settings = self._settings[user]
        assert settings.digest_hours, f"{user} has no digest"
        for table in tables:
            if table.seat(user) is not None and table.status == "playing" and f"table {table.number}]" in sent.text:
                way = self.way(table, user)
                assert settings.by_dm(way) if sent.private else settings.by_mention(way), f"{user} wants no such digest"
                self._notified.add((table.number, user, self._turn(table, user)))

    def _check_mention(
        self, sent: Notification, user: int, tables: Sequence[TableModel], matches: Mapping[int, Match]
    ) -> None:
        tables_here = [table for table in tables if matches[table.number].place == sent.channel]
        playing = [table for table in tables_here if table.status == "playing" and table.seat(user) is not None]
        if not playing:
            invites = any(table.previous or user in table.guests for table in tables_here)
            assert invites, f"{user} is mentioned without a reason"
            assert self._settings[user].way is not PingPreference.NONE, f"{user} wants no pings"
            return
        for table in playing:
            assert self._settings[user].by_mention(self.way(table, user)), f"{user} wants no mentions"
            self._check_count(table, user, self._turn(table, user), private=False)

    def _turn(self, table: TableModel, user: int) -> str:
        """Return the turn by the rules alone: it is the same again after a move was taken back."""
        return table.token(table.seat(user) or 0).partition("-")[0]

    def _check_count(self, table: TableModel, user: int, turn: str, *, private: bool) -> None:
        seat = table.seat(user)
        assert seat is not None, f"{user} does not sit there"
        clock = table.clocks.get(seat)
        times = self._counts[table.number, user, turn, private] + 1
        reminder = table.reminders.get(seat)
        again = (0 if clock is None else clock.called) + (0 if reminder is None else reminder.pings)
        allowed = again + (table.game in SEALED)
        away = clock is not None and clock.away
        waits = self._settings[user].digest_hours and table.clock not in LIVE and not (away or again)
        if (waits or times > 1 + allowed + away) and self._is_for_a_vote(table, user, private=private):
            return
        assert times <= 1 + allowed + away, f"{user} is pinged for {turn} {times} times"
        assert not waits, f"{user} has digests, and is pinged for a turn"
        self._notified.add((table.number, user, turn))
        self._counts[table.number, user, turn, private] = times

    def _is_for_a_vote(self, table: TableModel, user: int, *, private: bool) -> bool:
        """Return whether a vote may have called the user."""
        begun = max((since for since, starter in table.begun if starter != user), default=None)
        last = self._votes.get((table.number, user, private))
        if begun is None or (last is not None and begun - last < BETWEEN_VOTES):
            return False
        self._votes[table.number, user, private] = begun
        return True

    def _check_end(self, table: TableModel, user: int, *, private: bool) -> None:
        """Check that the end of a match pings its players, each once in a way."""
        assert table.status in ("over", "stopped"), f"the end of table {table.number} is told, which is {table.status}"
        self._counts[table.number, user, OVER, private] += 1
        assert self._counts[table.number, user, OVER, private] == 1, f"{user} is pinged for the end twice"

    def note_change(self, table: TableModel, match: Match) -> None:
        """Note, after each step, why people are pinged again for a known turn, and who wants no ping for theirs."""
        unwanted = [user for user in self._awaited(table) if self.way(table, user) is PingPreference.NONE]
        self._notified |= {(table.number, user, self._turn(table, user)) for user in unwanted}
        away = tuple(clock.away for clock in table.clocks.values())
        now = (tuple(table.people), table.clock, table.rests, table.paused, table.undone, away, match.place)
        if self._last_state.setdefault(table.number, now) != now or table.rests:
            self.allow_again([table])
        self._last_state[table.number] = now

    def allow_again(self, tables: Sequence[TableModel]) -> None:
        """Let each player of these tables be pinged once more for a known turn."""
        numbers = {table.number for table in tables}
        self._counts = Counter({key: times for key, times in self._counts.items() if key[0] not in numbers})

    def check_all_pinged(self, table: TableModel, now: int) -> None:
        """Check that all players to move were pinged, at a table where nothing prevents pings."""
        for user in self._awaited(table):
            settings, key = self._settings[user], (table.number, user, self._turn(table, user))
            if is_stopped(settings.hours, now) or (settings.digest_hours and table.clock not in LIVE):
                continue
            assert key in self._notified, f"{user} has not been pinged for {key[2]}"

    def _awaited(self, table: TableModel) -> list[int]:
        """Return the players to move who are there and for whom the bot does not make forced moves."""
        seats = set(table.turns()) - table.away() if table.running else set()
        awaited = [table.occupants[seat] for seat in sorted(seats) if not table.occupants[seat].forced]
        return [occupant.user for occupant in awaited if occupant.user is not None]
