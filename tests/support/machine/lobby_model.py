"""A table before it begins, and its end: people sit down, wait, get up, choose, start, call off."""

from __future__ import annotations

from data.records.match import Match
from rules import GAMES
from rules.core.chance import drawn_seats, seed_of
from rules.core.game import BadOption, chosen_options
from tests.support.machine.match_model import Ledger, No, Sitter

COMPUTERS = ("Ada", "Blaise", "Clara", "Dorothea", "Emmy", "Felix", "Grace", "Henri")
"""Computers take the first of these that is free at their table."""


class Lobby(Ledger):
    """What can be done in a lobby."""

    def room(self) -> int:
        return (self.wanted or GAMES[self.game].seats[-1]) - len(self.sitters)

    def _changed(self, before: int, now: int) -> None:
        """Update the lobby after an action: waiting people take the free seats."""
        for _ in range(max(0, self.room() - before)):
            if self.waiting:
                user = next(iter(self.waiting))
                self.sitters.append(Sitter(user, self.waiting.pop(user)))
        if self.status == "lobby" and self.seat(self.host) is None:
            if self.people:
                self.host = self.people[0]
            else:
                self.status = "cancelled"
        self.touched = now

    def join(self, user: int, name: str, now: int) -> None:
        """Sit down; wait if no seat is free, or if the match has begun."""
        self._there()
        if self.seat(user) is not None and self.status in ("lobby", "playing"):
            raise No("seated")
        if self.status == "lobby" and self.room() > 0:
            self.waiting.pop(user, None)
            self.sitters.append(Sitter(user, name))
            self._changed(self.room(), now)
            return
        if user in self.waiting and self.open:
            raise No("waiting")
        if not self.open:
            raise No(f"is_{self.ending()}")
        self.waiting[user] = name

    def leave(self, user: int, now: int) -> None:
        self._lobby()
        before = self.room()
        if user in self.waiting:
            del self.waiting[user]
        else:
            self._mine(user)
            self.sitters = [who for who in self.sitters if who.user != user]
        self._changed(before, now)

    def add_computer(self, user: int, now: int) -> None:
        self._lobby()
        self._mine(user)
        if self.room() <= 0:
            raise No("full")
        self.sitters.append(Sitter(None, self._free_name()))
        self._changed(self.room(), now)

    def _free_name(self, but: int = -1) -> str:
        taken = {who.name for at, who in enumerate(self.sitters) if at != but}
        return next(name for name in COMPUTERS if name not in taken)

    def remove_computer(self, user: int, now: int) -> None:
        self._lobby()
        self._mine(user)
        before, computers = self.room(), [who for who in self.sitters if who.user is None]
        if not computers:
            raise No("no_computer")
        self.sitters.remove(computers[-1])
        self._changed(before, now)

    def choose(self, user: int, name: str, value: str, now: int) -> None:
        self._lobby()
        self._mine(user)
        before = self.room()
        if name == "clock":
            self.clock = value
        elif name == "absent":
            self.absent = value
        elif name == "place":
            self.thread = value == "thread"
        elif name == "seats":
            wanted = int(value) if value.isdecimal() else None
            if wanted is not None and (wanted not in GAMES[self.game].seats or wanted < len(self.sitters)):
                raise No("bad_seats")
            self.wanted = wanted
        else:
            seats = self.wanted or max(len(self.sitters), GAMES[self.game].seats[0])
            offered = {option.name: option for option in GAMES[self.game].options(seats, self.options)}
            values = {str(v): v for v in offered[name].values} if name in offered else {}
            if value not in values:
                raise No("bad_option")
            self.options[name] = values[value]
        self._changed(before, now)

    def cut(self, user: int, text: str, now: int) -> None:
        self._lobby()
        sitter = self.sitters[self._mine(user)]
        if sitter.cut is not None:
            raise No("has_cut")
        sitter.cut = text
        self.touched = now

    def start(self, user: int) -> None:
        """Whether it may start: with whom in which order is the bot's to draw (`begun`)."""
        self._lobby()
        self._mine(user)
        game, count = GAMES[self.game], len(self.sitters)
        if count < (self.wanted or game.seats[0]):
            raise No("too_few")
        if count not in game.seats:
            raise No("full")
        try:
            chosen_options(game, count, self.options)
        except BadOption:
            raise No("options_do_not_fit") from None

    def begun(self, match: Match) -> None:
        """It has: on the drawn seats sit the same people and computers, and the deal follows from secret and cuts."""
        cuts = [sitter.cut for sitter in self.sitters if sitter.cut is not None]
        drawn = [
            Sitter(chair.user, chair.name, False, chair.plays_forced, chair.cut, chair.ping) for chair in match.chairs
        ]
        assert sorted(map(repr, drawn)) == sorted(map(repr, self.sitters)), "the same people, each on one seat"
        if self.previous is None:
            assert drawn == [self.sitters[place] for place in drawn_seats(self.secret, cuts, len(drawn))]
        game = GAMES[self.game]
        options = {**chosen_options(game, len(drawn), self.options), "deck": dict(game.deck)}
        assert match.options == options
        self.sitters, self.options, self.status = drawn, options, "playing"
        seed = seed_of(self.secret, [sitter.cut for sitter in drawn if sitter.cut is not None])
        self.states = [game.new(len(drawn), options, seed)]

    def cancel(self, user: int, manager: bool) -> None:
        """The host in the lobby, later a manager alone."""
        self._there()
        if not self.open:
            raise No(f"is_{self.ending()}")
        if not manager and (self.status != "lobby" or user != self.host):
            raise No("not_host" if self.status == "lobby" else "not_manager")
        self.status = "cancelled"
