"""All messages of the tables in one object: matches, people and votes go in, `Content` comes out.

table.py, hand.py and lookups.py build the messages, presenter.py what they have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.match.advice import Discouraged
from cogs.match.coaching import Moment
from cogs.match.quarantine import Fault
from cogs.match.verification import Verdict
from cogs.messages import end, fairness, hand, lesson, lookups, table
from cogs.messages import profile as profiles
from cogs.messages.content import Button, Content
from cogs.messages.hint import hint_message, review_message
from cogs.messages.lobby import closed_message
from cogs.messages.presenter import Presenter
from cogs.messages.statistics import statistics_message
from data.records.histories import Profile
from data.records.match import Match
from data.records.people import Person
from rules.core.coach import Advised
from rules.core.game import Move, Seat
from rules.core.tally import Tally


class Messages(Presenter):
    """Makes every message of the tables of one service."""

    def warm_up(self) -> None:
        """Have each game's cover drawn before a player waits for it."""
        self.drawing.warm_up(self.service.games)

    def close(self) -> None:
        """Stop the thread that draws."""
        self.drawing.close()

    # What everyone may see.

    async def lobby(self, match: Match, people: Mapping[int, Person]) -> Content:
        """Return the lobby of a match that has not begun."""
        return await table.open_lobby(self, match, people)

    def closed(self, match: Match) -> Content:
        """Return what remains of a lobby that was cancelled, or of one whose table has moved to its own thread."""
        return closed_message(match, self.service.game(match), self.labels(match))

    async def table(self, match: Match, votes: Mapping[int, str]) -> Content:
        """Return the table of a match that has begun. `votes`: what each player votes for, by user."""
        return await table.table_message(self, match, votes)

    async def end_message(self, match: Match) -> Content:
        """Return the message that tells the end of a match."""
        return await end.end_message(self, match)

    def quarantined(self, match: Match, fault: Fault) -> Content:
        """Return the table of a match that cannot be played on, with the reason alone."""
        return table.quarantined_message(self, match, fault)

    def substitute_notice(self, match: Match) -> Content | None:
        """Return the notice that a player looks for a substitute; None if no player does."""
        return table.substitute_notice(self, match)

    # What one person sees.

    async def hand(
        self,
        match: Match,
        person: Person,
        path: Sequence[str] = (),
        notice: str = "",
        passing: tuple[Button, ...] = (),
        refreshable: bool = False,
        reason: str = "",
        pings: bool = False,
    ) -> Content:
        """Return a seated player's own hand, in their language, with the moves that they may make now.

        `path`: the steps made so far in a choice of several steps. `notice`, `reason` and `passing` belong to the
        answer to one press alone; `reason`: why a lesson advises another move. `refreshable`: with a button that shows
        the hand as it is when pressed. `pings`: a ping for it is still to come, with which it is shown again.
        """
        return await hand.hand_message(self, match, person, path, notice, passing, refreshable, reason, pings)

    def discouraged(self, match: Match, person: Person, error: Discouraged) -> tuple[str, Button]:
        """Return why a lesson advises another move, and the button that makes the learner's own move anyway."""
        return lesson.discouraged(self, match, person, error)

    async def lesson_hint(self, match: Match, person: Person) -> Content:
        """Return the move that a lesson advises its learner. Refused: it is not their turn."""
        return await lesson.hint(self, match, person)

    async def still_hand(self, match: Match, person: Person, *, pictured: bool) -> Content:
        """Return a seated player's own hand that is updated no more: without moves, and *Refresh* comes first.
        `pictured`: with its picture, for which the match must be readable.
        """
        return await hand.still_hand(self, match, person, pictured=pictured)

    def left_seat(self, match: Match, user: int, person: Person | None) -> Content:
        """Return what replaces the hand of a user who has left their seat. `person`: None if their data is deleted."""
        return hand.left_seat(self, match, user, person)

    async def board(self, match: Match, person: Person, locale: str) -> Content:
        """Return the table for one person, as an onlooker sees it."""
        return await lookups.board(self, match, person, locale)

    async def last(self, match: Match, user: int, locale: str) -> Content:
        """Return the last trick or reveal, if the rules let everyone look back at it."""
        return await lookups.last(self, match, user, locale)

    def hint(self, match: Match, person: Person, seat: Seat, advice: Sequence[Advised[Move]]) -> Content:
        """Return advice for the player alone."""
        return hint_message(self, match, person, seat, advice)

    async def review(self, match: Match, person: Person, seat: Seat, moments: Sequence[Moment]) -> Content:
        """Return, for the player alone, the moments of an ended match when another move was much better."""
        return await review_message(self, match, person, seat, moments)

    async def catch_up(self, match: Match, person: Person) -> Content:
        """Return what has happened since a seated player's own last move."""
        return await lookups.catch_up(self, match, person)

    async def log(self, match: Match, user: int, locale: str, page: int) -> Content:
        """Return a page of what has happened; 0 is the last page."""
        return await lookups.log(self, match, user, locale, page)

    async def rules(
        self, slug: str, user: int, locale: str, match: Match | None = None, page: str = lookups.RULE_PAGES[0]
    ) -> Content:
        """Return a page of the rules of a game, with the values that `match` began with if it is given."""
        return await lookups.rules(self, slug, user, locale, match, page)

    def fair(self, match: Match, user: int, locale: str) -> Content:
        """Return how the deal of a match is kept fair."""
        labels = self.labels(match, locale)
        return fairness.explained(match, self.service.game(match), user, self.title(match, labels), labels)

    async def options(self, match: Match, user: int, locale: str) -> Content:
        """Return what a seated player may choose for a lobby's table."""
        return await lookups.options(self, match, user, locale)

    def door(self, match: Match, user: int, locale: str) -> Content:
        """Return what a lobby's host decides: who may sit down, and who is the host."""
        return lookups.door(self, match, user, locale)

    def teams(self, match: Match, user: int, locale: str) -> Content:
        """Return the teams of a lobby, and the choices of a seated player."""
        return lookups.teams(self, match, user, locale)

    def computers(self, match: Match, user: int, locale: str) -> Content:
        """Return how well the computers of a lobby play, and the choices of a seated player."""
        return lookups.computers(self, match, user, locale)

    async def statistics(
        self, slug: str, tallies: Sequence[Tally], user: int, person: Person | None, locale: str
    ) -> Content:
        """Return what a server has played of a game. `tallies`: its figures there."""
        return await statistics_message(self, slug, tallies, user, person, locale)

    async def profile(self, profile: Profile | None, user: int, viewer: int, locale: str) -> Content:
        """Return what the finished matches of a user amount to, as the viewer may see it."""
        return await profiles.profile_message(self, profile, user, viewer, locale)

    def verdict(self, match: Match, user: int, locale: str, verdict: Verdict) -> Content:
        """Return what `/verify` found, deal by deal."""
        return fairness.report(match, self.service.game(match), user, self.labels(match, locale), verdict)
