"""A model of a match before its start: people sit down, wait, get up, choose options, start or cancel."""

from __future__ import annotations

from data.records.match import Match
from rules import GAMES
from rules.core.chance import drawn_seats, seed_of
from rules.core.game import BadOption, chosen_options
from tests.support.machine.door_model import DoorModel
from tests.support.machine.match_model import Occupant, Refusal
from tests.support.machine.wait_model import WaitModel

COMPUTERS = (
    *("Ada", "Blaise", "Clara", "Dorothea", "Emmy", "Felix", "Grace", "Henri", "Ida", "Johanna", "Kurt", "Leonhard"),
    *("Maryam", "Noor", "Oskar", "Pascal", "Quentin", "Rosa", "Sofia", "Tycho", "Ursula", "Vera", "Wanda", "Yves"),
)
"""A computer gets the first of these names whose first letter is free at its table."""


class LobbyModel(DoorModel, WaitModel):
    """The actions of a lobby."""

    def free_seats(self) -> int:
        return (self.wanted or GAMES[self.game].seats[-1]) - len(self.occupants)

    def _fill_seats(self, free_before: int, now: int) -> None:
        """After an action, give new free seats to waiting people; pass on the host's role, or cancel an empty lobby."""
        for _ in range(max(0, self.free_seats() - free_before)):
            if self.waiting:
                user = next(iter(self.waiting))
                self.occupants.append(Occupant(user, self.waiting.pop(user)))
        people = {who.name[:1].lower() for who in self.occupants if who.user is not None}
        for at, who in enumerate(self.occupants):
            if who.user is None and who.name[0].lower() in people:
                who.name = self._free_name(at)
        if self.status == "lobby" and self.seat(self.host) is None:
            if self.people:
                self.host = self.people[0]
            else:
                self.status = "cancelled"
        self.touched = now
        self.seat_guests()

    def join(self, user: int, name: str, now: int, *, accepts: bool = False) -> None:
        """Sit down; wait if no seat is free, or if the match has begun, which ends all invitations."""
        self._check_not_paused()
        if accepts and not self.open:
            raise Refusal(f"is_{self.ending()}")
        if accepts and self.status == "playing":
            raise Refusal("started")
        if self.seat(user) is not None and self.status in ("lobby", "playing"):
            raise Refusal("seated")
        if user not in self.former and self.open:
            self.check_door(user, accepts=accepts)
        if self.status == "lobby" and self.free_seats() > 0:
            self.waiting.pop(user, None)
            self.occupants.append(Occupant(user, name))
            self._fill_seats(self.free_seats(), now)
            return
        if user in self.waiting and self.open:
            raise Refusal("waiting")
        if not self.open:
            raise Refusal(f"is_{self.ending()}")
        self.waiting[user] = name
        if self.status == "lobby":
            self.seat_guests()

    def expel_now(self, user: int, about: int, now: int) -> None:
        """Take a person out; somebody who waits may get the seat."""
        free_before = self.free_seats()
        self.expel(user, about)
        self._fill_seats(free_before, now)

    def leave(self, user: int, now: int) -> None:
        self._check_lobby()
        free_before = self.free_seats()
        if user in self.waiting:
            del self.waiting[user]
        else:
            self._seat_of(user)
            self.occupants = [who for who in self.occupants if who.user != user]
        self._fill_seats(free_before, now)

    def add_computer(self, user: int, now: int) -> None:
        self._check_lobby()
        self._seat_of(user)
        if self.free_seats() <= 0:
            raise Refusal("full")
        self.occupants.append(Occupant(None, self._free_name()))
        self._fill_seats(self.free_seats(), now)

    def _free_name(self, but: int = -1) -> str:
        taken = {who.name[:1].lower() for at, who in enumerate(self.occupants) if at != but}
        return next(name for name in COMPUTERS if name[0].lower() not in taken)

    def remove_computer(self, user: int, now: int) -> None:
        self._check_lobby()
        self._seat_of(user)
        free_before, computers = self.free_seats(), [who for who in self.occupants if who.user is None]
        if not computers:
            raise Refusal("no_computer")
        self.occupants.remove(computers[-1])
        self._fill_seats(free_before, now)

    def choose(self, user: int, name: str, value: str, now: int) -> None:
        self._check_lobby()
        self._seat_of(user)
        free_before = self.free_seats()
        if name == "clock":
            self.clock = value
        elif name == "absent":
            self.absent = value
        elif name == "rated":
            if self.rated is not (value == "on"):
                self.rated, self.hints = value == "on", value == "off"
        elif name == "place":
            self.thread = value == "thread"
        elif name == "seats":
            wanted = int(value) if value.isdecimal() else None
            if wanted is not None and (wanted not in GAMES[self.game].seats or wanted < len(self.occupants)):
                raise Refusal("bad_seats")
            self.wanted = wanted
        else:
            seats = self.wanted or max(len(self.occupants), GAMES[self.game].seats[0])
            offered = {option.name: option for option in GAMES[self.game].options(seats, self.options)}
            values = {str(v): v for v in offered[name].values} if name in offered else {}
            if value not in values:
                raise Refusal("bad_option")
            self.options[name] = values[value]
        self._fill_seats(free_before, now)

    def cut(self, user: int, text: str, now: int) -> None:
        self._check_lobby()
        occupant = self.occupants[self._seat_of(user)]
        if occupant.cut is not None:
            raise Refusal("has_cut")
        occupant.cut = text
        self.touched = now

    def start(self, user: int) -> bool:
        """Check that the match may start. Return whether it does: its host or two others want it. The bot draws the
        seats; `started` checks them.
        """
        self._check_lobby()
        self._seat_of(user)
        game, count = GAMES[self.game], len(self.occupants)
        if count < (self.wanted or game.seats[0]):
            raise Refusal("too_few")
        if count not in game.seats:
            raise Refusal("full")
        try:
            chosen_options(game, count, self._applying(count))
        except BadOption:
            raise Refusal("options_do_not_fit") from None
        self.ready.add(user)
        return user == self.host or len(self.ready) > 1

    def _applying(self, count: int) -> dict[str, object]:
        """Return the choices that the game offers to so many players."""
        offered = {option.name for option in GAMES[self.game].options(count, self.options)}
        return {name: value for name, value in self.options.items() if name in offered}

    def started(self, match: Match) -> None:
        """Take over the drawn seats: the same people and computers, and the deal follows from secret and cuts."""
        cuts = [occupant.cut for occupant in self.occupants if occupant.cut is not None]
        drawn = [
            Occupant(chair.user, chair.name, False, chair.plays_forced, chair.cut, chair.ping) for chair in match.chairs
        ]
        assert sorted(map(repr, drawn)) == sorted(map(repr, self.occupants)), "the same people, each on one seat"
        if self.previous is None:
            assert drawn == [self.occupants[place] for place in drawn_seats(self.secret, cuts, len(drawn))]
        game = GAMES[self.game]
        options = {**chosen_options(game, len(drawn), self._applying(len(drawn))), "deck": dict(game.deck)}
        assert match.options == options
        self.occupants, self.options, self.status = drawn, options, "playing"
        seed = seed_of(self.secret, [occupant.cut for occupant in drawn if occupant.cut is not None])
        self.states = [game.new(len(drawn), options, seed)]
        if self.rated:
            computers = any(occupant.user is None for occupant in drawn)
            self.uncounted = "computers" if computers else "alone" if len(drawn) < 2 else None

    def cancel(self, user: int, manager: bool) -> None:
        """Cancel the match: the host or a manager in the lobby, after the start a manager alone; none if it counts."""
        self._check_not_paused()
        if not self.open:
            raise Refusal(f"is_{self.ending()}")
        if self.counts():
            raise Refusal("cancel_counted")
        if not manager and (self.status != "lobby" or user != self.host):
            raise Refusal("not_host" if self.status == "lobby" else "not_manager")
        self.status = "cancelled"
