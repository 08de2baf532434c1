"""A model of a lobby's door: whom it lets in, who is invited, who was taken out, and who wants to start."""

from __future__ import annotations

from tests.support.machine.match_model import MatchModel, Refusal


class DoorModel(MatchModel):
    """The guests of a match, and what its host may do."""

    def check_door(self, user: int, *, accepts: bool = False) -> None:
        """Refuse a user whom the host took out, who answers no invitation, or who is no guest of a closed lobby."""
        state = self.guests.get(user)
        if state == "removed":
            raise Refusal("removed_here")
        if accepts:
            if state is None:
                raise Refusal("not_invited")
        elif self.closed and state not in ("invited", "accepted"):
            raise Refusal("invited_only")

    def seat_guests(self) -> None:
        """After a change of a lobby: guests who are there have accepted, and in a closed one all who are there are
        guests. If other people would begin, or in another way, no player wants to start yet.
        """
        if self.status == "lobby":
            for user in [*self.people, *self.waiting]:
                if self.closed or user in self.guests:
                    self.guests[user] = "accepted"
        people = [(who.user, who.name) for who in self.occupants]
        what = repr((people, self.options, self.wanted, self.clock, self.absent, self.rated))
        if what != self.begins:
            self.begins, self.ready = what, set()

    def _check_host(self, user: int) -> None:
        self._seat_of(user)
        if user != self.host:
            raise Refusal("only_host")

    def invite(self, user: int, invited: list[int]) -> None:
        self._check_lobby()
        self._check_host(user)
        if any(self.guests.get(who) == "removed" for who in invited):
            raise Refusal("was_removed")
        for who in invited:
            if who not in self.people and who not in self.waiting:
                self.guests.setdefault(who, "invited")
        self.seat_guests()

    def decline(self, user: int) -> None:
        self._check_lobby()
        if self.seat(user) is not None:
            raise Refusal("seated")
        self.check_door(user, accepts=True)
        self.waiting.pop(user, None)
        self.guests[user] = "declined"

    def close(self, user: int, closed: bool) -> None:
        self._check_lobby()
        self._check_host(user)
        self.closed = closed
        self.seat_guests()

    def expel(self, user: int, about: int) -> None:
        self._check_lobby()
        self._check_host(user)
        if user == about:
            raise Refusal("not_yourself")
        if about not in self.people and about not in self.waiting and about not in self.guests:
            raise Refusal("not_there")
        self.waiting.pop(about, None)
        self.occupants = [who for who in self.occupants if who.user != about]
        self.guests[about] = "removed"

    def hand_on(self, user: int, heir: int) -> None:
        self._check_lobby()
        self._check_host(user)
        if self.seat(heir) is None:
            raise Refusal("not_there")
        self.host = heir
        self.seat_guests()
