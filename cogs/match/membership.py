"""The members of matches: players join, play again, wait, leave, take seats over, come back, and vote.

As in `MatchService`, each change locks the match, decides, and saves in one transaction; a refusal changes
nothing. A player who has sat at a running match has seen that seat's cards: they may come back to that seat, and to no
other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cogs.match.admission import again, check_may_sit, check_no_other, check_not_departed, with_states
from cogs.match.clocks import absent, time_control_of
from cogs.match.handovers import check_may_give_seat, free, is_kept, replaced
from cogs.match.lobby import Lobby
from cogs.match.positions import going_on
from cogs.match.refusals import Reason, Refused, check_at_table, check_playing, seat_or_refuse, stored
from cogs.match.service import MatchService, again_if_busy
from cogs.match.time_controls import DAY, HOUR, PRESETS, ClockKind, leaves_less
from cogs.match.undo import last_open_move, take_back
from cogs.match.votes import (
    NOTHING,
    Choice,
    Voted,
    check_may_vote,
    choice_of,
    decided,
    is_removable,
    makes_sense,
    needed,
    open_votes,
    opposed,
    settled,
    started,
    tally,
    votes_without,
    without,
)
from data.records.match import DEPARTED, Chair, Match, SeatChangeKind, Status, Waiting

IDLE_LOBBY = 4 * 24 * 3600
"""Seconds without a change after which a lobby is closed."""
LONG_REST = 7 * 24 * 3600
"""Seconds after which one vote ends a rest. Clocks do not run during a rest, so players who agree to one and stay away
would otherwise stop the match for ever.
"""
SHORT_REST = 3600
"""Seconds of a rest after which its end pings the players to move once more. After a shorter rest it does not: players
could otherwise ping another as often as they like, by resting and going on.
"""
LONG_WAIT = 2 * 24 * 3600
"""Seconds of waiting after which one vote sets a time limit: a player who stays away would stop the match."""
CLOCK_KEPT = HOUR
"""Seconds after a vote for more time in which no vote sets less. Each new clock pings the player who must move, so two
players who change the time limit to and fro could ping a third as often as they like.
"""
MOST_WAITING = 25
"""The most users on a table's waiting list."""


class Membership:
    """Changes who sits at the tables, and counts their votes."""

    def __init__(self, service: MatchService, lobby: Lobby) -> None:
        self._service = service
        self._lobby = lobby

    def now(self) -> int:
        """Return the time in whole seconds."""
        return int(self._service.now())

    # Before and after a match.

    async def join(self, number: int, user: int, name: str, *, accepts: bool = False) -> tuple[Match, Refused | None]:
        """Sit down in a lobby, or, if it is full or has started, wait at its table. Return the match, and None or the
        reason for waiting. `accepts`: in answer to an invitation, which ends when the match begins. Refused: seated,
        waiting already, kept out (admission.py), over, too many wait.
        """
        try:
            return await self._lobby.join(number, user, name, accepts=accepts), None
        except Refused as error:
            if error.reason not in (Reason.FULL, Reason.STARTED) or (accepts and error.reason is Reason.STARTED):
                raise
            late = error
        async with self._service.deciding(number) as match:
            if match.seat_of(user) is not None:
                raise Refused(Reason.SEATED)
            if match.former_seat(user) is None:
                check_may_sit(match, user, accepts=accepts)
                if match.status is Status.LOBBY:  # a free seat is then theirs
                    await check_not_departed(self._lobby.departures, match, user)
            if any(who.user == user for who in match.waiting):
                raise Refused(Reason.WAITING)
            await check_no_other(self._service.index, match, user, self._lobby.departures)
            if not match.open:
                raise Refused(Reason(f"is_{match.ending}"))
            if len(match.waiting) >= MOST_WAITING:
                raise Refused(Reason.WAITING_FULL, count=MOST_WAITING)
            waiting = (*match.waiting, Waiting(user, name))
            return await self._service.save(with_states(replace(match, waiting=waiting))), late

    async def wait_no_more(self, number: int, user: int) -> Match | None:
        """Leave the waiting list of a begun match. Return None in a lobby, or if the user is not on the list."""
        async with self._service.deciding(number) as match:
            waiting = tuple(who for who in match.waiting if who.user != user)
            if match.status is Status.LOBBY or waiting == match.waiting:
                return None
            return await self._service.save(replace(match, waiting=waiting))

    async def play_again(self, number: int, user: int, name: str) -> tuple[Match, Refused | None]:
        """Sit down in the one lobby that follows an ended match; the first player opens it. Return as `join` does."""
        return await again_if_busy(lambda: self._play_again(number, user, name))  # two may open it at once

    async def _play_again(self, number: int, user: int, name: str) -> tuple[Match, Refused | None]:
        async with self._service.deciding(number) as match:
            if match.open or match.state is None:
                raise Refused(Reason.NOT_OVER if match.state is not None else Reason.NOT_STARTED)
            following = await self._service.index.played_again(number)
            if following is None:
                former = match.former_seat(user)
                if match.seat_of(user) is None and (former is None or former.removed):
                    raise Refused(Reason.PLAYERS_OPEN)
                return await self._follow(match, user, name), None
        if (await self._service.load(following)).open:
            return await self.join(following, user, name)
        return await self._play_again(following, user, name)

    async def _follow(self, match: Match, user: int, name: str) -> Match:
        """Open a lobby like that of an ended match: with its options and its computers, and with its waiting users as
        far as its players leave room for them.
        """
        left = {former.seat for former in match.former}  # a computer there only stands in for a player
        seat = match.seat_of(user) if match.private else None
        chairs = [Chair(0, user, name, ping=None if seat is None else match.chairs[seat].ping)]
        computers = [chair for chair in match.chairs if chair.user is None and chair.name != DEPARTED]
        chairs += [chair for chair in computers if chair.number not in left]
        kept = sum(chair.user not in (None, user) for chair in match.chairs)
        room = max(self._service.game(match).seats[-1] - len(chairs) - kept, 0)
        options = {option: value for option, value in match.options.items() if option != "deck"}
        return await self._lobby.open(
            match.game,
            guild=match.guild,
            channel=match.channel,
            parent=match.parent,
            user=user,
            name=name,
            terms=replace(match.terms, options=options, wanted=None),
            previous=match.id,
            guests=again(match),
            chairs=tuple(
                Chair(at, chair.user, chair.name, ping=chair.ping, level=chair.level) for at, chair in enumerate(chairs)
            ),
            waiting=tuple(who for who in match.waiting if who.user != user),
            room=room,
        )

    async def close_idle(self) -> None:
        """Close the lobbies in which no player has done anything for long."""
        for number in await self._service.index.untouched_lobbies(self.now() - IDLE_LOBBY):
            if self._service.quarantine.holds(number):
                continue
            async with self._service.deciding(number) as match:
                # A player may have done something since the search.
                idle = match.touched_at < self.now() - IDLE_LOBBY
                if match.status is not Status.LOBBY or match.paused or match.starts_at is not None or not idle:
                    continue
                await self._service.save(replace(match, status=Status.CANCELLED, ended_at=self.now()))

    async def following(self, match: Match) -> Match:
        """Return the last of the chain of matches that follow that one by *Play again*; itself if none does."""
        while not match.open and (number := await self._service.index.played_again(match.id)) is not None:
            match = await self._service.load(number)
        return match

    # Leaving and taking over.

    async def offer_seat(self, number: int, user: int, offered: bool) -> Match:
        """Offer the player's seat to a substitute, or withdraw the offer. The player goes on playing until a substitute
        takes the seat. Refused: not seated, or no running match.
        """
        async with self._service.deciding(number) as match:
            check_at_table(match)
            seat_or_refuse(match, user)
            chairs = tuple(replace(c, offered=offered) if c.user == user else c for c in match.chairs)
            return match if chairs == match.chairs else await self._service.save(replace(match, chairs=chairs))

    async def give_seat_to_computer(self, number: int, user: int) -> Match:
        """Leave a running match; a computer plays on until a substitute takes the seat. With one voter less a proposal
        may have enough votes. Without players the match stops. Refused: not seated, or no running match.
        """
        async with self._service.deciding(number) as match:
            check_playing(match)
            seat = seat_or_refuse(match, user)
            votes = await self._service.votes(number)
            return await self._settle(await replaced(self._service, match, seat, None), votes)

    async def leave_with_server(self, number: int, user: int) -> Match:
        """Leave an open match, because the user is no member of its server any more: as by `Lobby.leave` and
        `give_seat_to_computer`. They may come back once they are in the server again. Refused: no running match.
        """
        if (await self._service.load(number)).status is Status.LOBBY:
            return await self._lobby.leave(number, user)
        async with self._service.deciding(number) as match:
            check_playing(match)
            seat = match.seat_of(user)
            if seat is None and all(who.user != user for who in match.waiting):
                return match
            match = replace(match, waiting=tuple(who for who in match.waiting if who.user != user))
            if seat is not None:
                match = await replaced(self._service, match, seat, None, how=SeatChangeKind.GONE)
            return await self._settle(match, await self._service.votes(number))

    async def give_seat_of(
        self, number: int, manager: int, user: int, name: str = "", *, is_gone: bool = False
    ) -> Match:
        """Let a computer play for that player until a substitute takes the seat, as a manager of the server wants. The
        player cannot return to it. `name`: the manager's, by which the match tells who did it; "": it does not.
        `is_gone`: the player is no member of the server. Refused as by `check_may_give_seat`.
        """
        async with self._service.deciding(number) as match:
            check_may_give_seat(match, manager, user, self.now(), is_gone=is_gone)
            votes = await self._service.votes(number)
            match = match.told_of(manager, SeatChangeKind.GAVE, name) if name else match
            return await self._settle(
                await replaced(self._service, match, seat_or_refuse(match, user), None, how=SeatChangeKind.GIVEN), votes
            )

    async def take_seat(self, number: int, user: int, name: str, seat: int) -> Match:
        """Take over a seat that is `free`. Refused: the seat is taken or kept for its player, or the user is seated,
        was removed, has sat on another seat of this match or at a duplicate of it, sits at too many tables, or has had
        their data deleted since the match began.
        """
        async with self._service.deciding(number) as match:
            check_at_table(match)
            if match.seat_of(user) is not None:
                raise Refused(Reason.SEATED)
            former = match.former_seat(user)
            if former is not None and former.removed:
                raise Refused(Reason.REMOVED)
            if former is not None and former.seat != seat:
                raise Refused(Reason.WAS_ELSEWHERE)
            if not any(chair.number == seat and free(match, chair, user) for chair in match.chairs):
                raise Refused(Reason.SEAT_KEPT if is_kept(match, seat) else Reason.SEAT_TAKEN)
            if former is None:
                check_may_sit(match, user)
                await check_not_departed(self._lobby.departures, match, user)
            votes = await self._service.votes(number)
            async with self._service.policy.seating(match.guild, user):
                await check_no_other(self._service.index, match, user, self._lobby.departures)
                return await self._settle(await replaced(self._service, match, seat, user, name), votes)

    async def come_back(self, number: int, user: int, name: str) -> Match:
        """Take back the seat that the user has left. Refused as by `take_seat`, or if they have left none."""
        match = await self._service.load(number)
        former = match.former_seat(user)
        if former is None:
            raise Refused(Reason.NOT_SEATED if match.seat_of(user) is None else Reason.SEATED)
        return await self.take_seat(number, user, name, former.seat)

    # Deciding together.

    async def _suffices_alone(self, match: Match, choice: Choice, user: int) -> bool:
        """Return whether this user's vote is enough, since the other players may never come back. It sets the shortest
        time limit of the server that leaves those who are away the days that they had until now: a longer one would
        give time to a friend. The player for whom alone the table waits would give it to themselves, and sets none.
        """
        if choice.kind == "resume":
            return match.rests_since is not None and self.now() - match.rests_since >= LONG_REST
        waits = match.running and time_control_of(match).kind is ClockKind.NONE
        if choice.kind != "clock" or not waits or self.now() - match.waits_since < LONG_WAIT:
            return False
        if {match.chairs[seat].user for seat in self._service.state(match).to_move()} == {user}:
            return False
        server = await self._service.policy.of(match.guild)
        days = [name for name, terms in PRESETS.items() if terms.turn >= DAY and server.allows_clock(name)]
        return choice.policy is None and choice.terms in days[:1]

    async def vote(self, number: int, user: int, text: str) -> Voted:
        """Vote for a choice, given as its text (`Choice`), or withdraw the vote (`NOTHING`). A choice that then has
        enough votes is carried out in the same transaction. Refused if the choice is not possible.
        """
        async with self._service.deciding(number) as match:
            check_may_vote(match, text)
            match = self._service.clocks.mark_back(match, seat_or_refuse(match, user))
            votes = await self._service.votes(number)
            if text == NOTHING:
                votes.pop(user, None)
                return Voted(await self._service.save(without(match, user), votes=votes), match)
            choice = choice_of(text)
            if choice.kind == "clock" and not await self._offers(match, choice.terms):
                raise Refused(Reason.CLOCK_NOT_HERE)
            if choice.kind == "clock" and self._is_kept(match, choice.terms):
                raise Refused(Reason.CLOCK_LATELY, until=f"<t:{match.clock_kept_until}:f>")
            hidden = choice.kind == "undo" and await last_open_move(self._service, match) is None
            if hidden or not makes_sense(match, choice, user):
                raise Refused(Reason(f"no_{choice.kind}"))
            if choice.kind == "remove" and not is_removable(match, choice.about, self.now()):
                raise Refused(Reason.NOT_REMOVABLE)
            votes[user] = text
            match = before = started(match, choice, user, self.now())
            count, needs = tally(match, votes).get(choice, 0), needed(match, choice)
            done, undone = decided(match, votes) == choice, ""
            if done and choice.kind == "undo":
                taken_back = await take_back(self._service, match, votes_without(votes, choice))
                match, undone = taken_back.match, taken_back.text
            elif await self._suffices_alone(match, choice, user):
                done = True
                match = await self._settle(await self._carried_out(match, choice), votes_without(votes, choice))
            else:
                match = await self._settle(match, votes)
            return Voted(match, before, choice, count, needs, done, undone=undone)

    async def oppose(self, number: int, user: int, text: str) -> Voted:
        """Vote against a choice with an open vote, which closes if it can then no longer pass. The user's vote for it
        is withdrawn. Refused if no such vote is open, or the user has no vote on it.
        """
        async with self._service.deciding(number) as match:
            check_at_table(match)
            match = self._service.clocks.mark_back(match, seat_or_refuse(match, user))
            choice, votes = choice_of(text), await self._service.votes(number)
            if text not in open_votes(match):
                raise Refused(Reason.VOTE_CLOSED)
            if not makes_sense(match, choice, user):
                raise Refused(Reason(f"no_{choice.kind}"))
            if votes.get(user) == text:
                del votes[user]
            needs = needed(match, choice)
            before, match = match, await self._settle(opposed(match, choice, user), votes)
            count, lost = tally(match, votes).get(choice, 0), text not in open_votes(match)
            return Voted(match, before, choice, count, needs, against=True, lost=lost)

    def _is_kept(self, match: Match, clock: str) -> bool:
        """Return whether a vote gave the match more time lately, and that time control gives less."""
        return match.clock_kept_until > self.now() and leaves_less(clock, match.clock)

    async def _offers(self, match: Match, clock: str) -> bool:
        """Return whether a running match may get that time control: none, its own, or one that its server allows."""
        return clock in ("none", match.clock) or (await self._service.policy.of(match.guild)).allows_clock(clock)

    async def _settle(self, match: Match, votes: Mapping[int, str]) -> Match:
        """Carry out each choice with enough votes, close each vote that is lost, and save the match with the others."""
        votes = {user: text for user, text in votes.items() if match.seat_of(user) is not None}
        while match.status is Status.PLAYING and (choice := decided(match, votes)) is not None:
            if choice.kind == "undo" or (choice.kind == "clock" and self._is_kept(match, choice.terms)):
                # All voters are for an undo only because another has left. The players who stay can vote again.
                votes = votes_without(votes, choice)
                continue
            match = await self._carried_out(match, choice)
            votes = {
                user: text for user, text in votes_without(votes, choice).items() if match.seat_of(user) is not None
            }
        match, votes = settled(match, votes, self.now())
        if not match.people:
            match = replace(match, status=Status.STOPPED, ended_at=self.now())
        return await self._service.save(match, votes=votes)

    async def _carried_out(self, match: Match, choice: Choice) -> Match:
        now = self.now()
        if choice.kind == "pause":
            return replace(match, rests_since=now)
        if choice.kind == "resume":
            since = match.rests_since or now
            if match.doubt is not None or now - since >= SHORT_REST:
                await self._ping_again(match)
            return going_on(replace(match, rests_since=None, doubt=None), since, now)
        if choice.kind == "remove":
            seat = seat_or_refuse(match, choice.about)
            return await replaced(self._service, match, seat, None, how=SeatChangeKind.REMOVED)
        if choice.kind == "replace":
            for chair in absent(match):
                match = await replaced(self._service, match, chair.number, None, how=SeatChangeKind.REPLACED)
            return match
        if choice.kind == "clock":
            clocks = match.clocks if choice.terms == match.clock else ()
            kept = now + CLOCK_KEPT if leaves_less(match.clock, choice.terms) else match.clock_kept_until
            policy = choice.policy or match.absent
            return replace(match, clock=choice.terms, absent=policy, clocks=clocks, clock_kept_until=kept)
        return replace(match, status=Status.STOPPED, ended_at=now)

    async def _ping_again(self, match: Match) -> None:
        """Forget the pings so far, but those for votes: the players to move are pinged again when the match goes on."""
        hands = (await self._service.posts.of(match.id)).hands.values()
        known = [
            replace(post, pinged=post.pinged.of_vote, mentioned=post.mentioned and post.mentioned.of_vote)
            for post in hands
            if post.pinged is not None
        ]
        with stored():
            await self._service.posts.note(*known)
