"""Seeded bugs: the machine must find each of them. The product knows nothing of them.

Each replaces a part of the bot by a wrong one. `SEEDED_BUGS` has them by description.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

import cogs.match.clocks
import cogs.match.deadlines
import cogs.match.handovers
import cogs.match.lobby
import cogs.match.membership
import cogs.match.positions
import cogs.match.reminders
import cogs.match.service
import cogs.match.time_controls
import cogs.match.undo
import cogs.match.votes
import cogs.transport.hand_messages
import cogs.transport.pings
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.clocks import Clocks
from cogs.match.service import MatchService
from cogs.match.votes import Choice
from cogs.messages.content import Content
from cogs.transport.digests import Digests
from cogs.transport.hand_messages import HandMessages
from cogs.transport.pings import Pings
from cogs.transport.publisher import Publisher
from data.records.deadlines import SeatClock
from data.records.hours import Hours
from data.records.match import Chair, Former, Match
from data.records.match_index import MatchIndex
from data.records.matches import Matches
from data.records.people import Person, PingPreference
from data.records.post import HandPost, TablePost
from rules.core.game import AnyState, Seat
from tests.support.inside import service_of

SeededBug = Callable[[pytest.MonkeyPatch], None]
SEEDED_BUGS: dict[str, SeededBug] = {}


def seeded_bug(description: str) -> Callable[[SeededBug], SeededBug]:
    def register(bug: SeededBug) -> SeededBug:
        SEEDED_BUGS[description] = bug
        return bug

    return register


async def _nothing(*args: Any, **how: Any) -> None:
    """Do and find nothing, in place of a method of the bot."""


def _always(*args: Any) -> bool:
    return True


def _not_removed(user: int, seat: int, removed: bool, *hints: Any) -> Former:
    return Former(user, seat, False, *hints)


_REPLACED: dict[str, tuple[Any, str, Any]] = {
    "more than half of the votes end a rated match": (cogs.match.votes, "IN_CONCERT", ()),
    "the others vote out of a rated match whom they like": (cogs.match.membership, "is_removable", _always),
    "an absent player keeps a vote": (cogs.match.votes, "present", lambda match: match.people),
    "a removed player may come back": (cogs.match.handovers, "Former", _not_removed),
    "a vote that is lost stays open": (cogs.match.votes, "is_lost", lambda match, choice: False),
    "a vote closes after a day": (cogs.match.votes, "OPEN_FOR", 24 * 3600),
    "players nudge as often as they like": (cogs.match.reminders, "NUDGE_EVERY", 0),
    "no player is nudged": (cogs.match.clocks, "next_nudge", lambda left, terms: 0),
    "a clock runs on in quiet hours": (cogs.match.clocks, "runs_out", lambda left, since, hours: since + max(0, left)),
    "quiet hours hold up a turn without bound": (cogs.match.clocks, "bounded", lambda hours, since, most: hours),
    "a player who is back stays absent": (Clocks, "mark_back", lambda keeper, match, seat: match),
    "a repeated press is not recognised": (Matches, "decision", _nothing),
    "a waiting player is not seated": (cogs.match.lobby, "_sat_down", lambda match, room, barred: match),
    "a match is followed by two rematches": (MatchIndex, "played_again", _nothing),
    "a lobby is closed after a day": (cogs.match.membership, "IDLE_LOBBY", 24 * 3600),
    "a deleted table is not sent again": (Publisher, "bring_back", lambda publisher, number: None),
    "digests hold no pings back": (cogs.transport.pings, "in_digest", lambda match, person, news: False),
}
"""Bugs that are one replaced part: of what, its name, and what stands there instead."""


def _replace(owner: Any, name: str, value: Any) -> SeededBug:
    return lambda patch: patch.setattr(owner, name, value)


SEEDED_BUGS.update({description: _replace(*part) for description, part in _REPLACED.items()})


# Votes.


@seeded_bug("half of the votes are enough")
def _by_half(patch: pytest.MonkeyPatch) -> None:
    needed = cogs.match.votes.needed

    def half(match: Match, choice: Choice) -> int:
        asked = len(cogs.match.votes.voters(match, choice))
        return needed(match, choice) if choice.kind == "undo" else max(1, (asked + 1) // 2)

    patch.setattr(cogs.match.votes, "needed", half)
    patch.setattr(cogs.match.membership, "needed", half)


@seeded_bug("more than half of the votes take a move back")
def _undone_by_half(patch: pytest.MonkeyPatch) -> None:
    def more_than_half(match: Match, choice: Choice) -> int:
        return len(cogs.match.votes.voters(match, choice)) // 2 + 1

    patch.setattr(cogs.match.votes, "needed", more_than_half)
    patch.setattr(cogs.match.membership, "needed", more_than_half)


@seeded_bug("what happens in a rated match decides whether it counts")
def _counts_as_it_is(patch: pytest.MonkeyPatch) -> None:
    def now(match: Match) -> bool:
        return match.rated and match.started_at is not None and len(match.people) == len(match.chairs)

    patch.setattr(cogs.match.votes, "matters", now)


# Reminders.


@seeded_bug("a reminder comes early")
def _hasty_reminders(patch: pytest.MonkeyPatch) -> None:
    for module in (cogs.match.positions, cogs.match.reminders):
        patch.setattr(module, "WAITS", (23 * 3600, 3 * 24 * 3600))


# The clock.


@seeded_bug("a deadline rings early")
def _early(patch: pytest.MonkeyPatch) -> None:
    left = cogs.match.clocks.seconds_left
    patch.setattr(cogs.match.clocks, "seconds_left", lambda clock, now: left(clock, now) - 40)


@seeded_bug("a nudge comes early")
def _nudged_early(patch: pytest.MonkeyPatch) -> None:
    nudge = cogs.match.time_controls.next_nudge
    patch.setattr(cogs.match.clocks, "next_nudge", lambda left, terms: min(2 * nudge(left, terms), max(0, left - 1)))


@seeded_bug("a decision adds no reserve")
def _no_growth(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.match.clocks, "reserve_after", lambda left, reserve, terms: max(0, min(reserve, left)))


@seeded_bug("time is extended again and again")
def _endless(patch: pytest.MonkeyPatch) -> None:
    longer = Clocks.longer
    patch.setattr(Clocks, "longer", lambda keeper, clock, terms, stage: longer(keeper, clock, terms, clock.stage))


@seeded_bug("a clock runs on while the match rests")
def _no_rest(patch: pytest.MonkeyPatch) -> None:
    def running(keeper: Clocks, clock: SeatClock) -> SeatClock:
        return clock

    patch.setattr(Clocks, "stopped", running)


@seeded_bug("time in which the bot was down is not credited")
def _kept_time(patch: pytest.MonkeyPatch) -> None:
    async def never(service: MatchService, number: int, until: int, **_: bool) -> bool:
        return False

    patch.setattr(cogs.match.deadlines, "give_back", never)


@seeded_bug("computers play on alone")
def _computers_alone(patch: pytest.MonkeyPatch) -> None:
    def any_seat(moves: AutomaticMoves, match: Match) -> Seat | None:
        gone = {chair.number for chair in cogs.match.clocks.away(match)}
        asked = service_of(moves).state(match).to_move() if match.running else frozenset()
        return next((seat for seat in sorted(asked) if match.chairs[seat].user is None or seat in gone), None)

    patch.setattr(AutomaticMoves, "next_seat", any_seat)


@seeded_bug("a clock runs on a day off")
def _no_day_off(patch: pytest.MonkeyPatch) -> None:
    ends, used = cogs.match.time_controls.runs_out, cogs.match.time_controls.used

    def without(hours: Hours) -> Hours:
        return replace(hours, days_off=frozenset())

    patch.setattr(cogs.match.clocks, "runs_out", lambda left, since, hours: ends(left, since, without(hours)))
    patch.setattr(cogs.match.clocks, "used", lambda since, until, hours: used(since, until, without(hours)))


# Moves.


@seeded_bug("a button from before an undo still acts")
def _branchless(patch: pytest.MonkeyPatch) -> None:
    for module in (cogs.match.positions, cogs.match.service, cogs.match.undo):
        patch.setattr(module, "token", lambda match, state, seat: state.turn(seat))


@seeded_bug("the position in memory is not the stored one")
def _stale(patch: pytest.MonkeyPatch) -> None:
    usual = cogs.match.positions.turned

    def one_behind(match: Match, before: AnyState, after: AnyState, now: int) -> Match:
        moved = usual(match, before, after, now)
        return replace(moved, state=before.to_json()) if moved.moves % 7 == 6 else moved

    for module in (cogs.match.positions, cogs.match.undo):
        patch.setattr(module, "turned", one_behind)


# Messages and pings.


@seeded_bug("pings ignore quiet hours")
def _in_quiet_hours(patch: pytest.MonkeyPatch) -> None:
    async def never(pings: Pings, match: Match, user: int) -> bool:
        return False

    patch.setattr(Pings, "is_quiet", never)


@seeded_bug("a player is pinged twice for one turn")
def _twice(patch: pytest.MonkeyPatch) -> None:
    show = HandMessages.bring_up_to_date

    async def forgetful(
        hands: HandMessages, match: Match, person: Person, chair: Chair, post: HandPost, content: Content | None
    ) -> HandPost:
        return await show(hands, match, person, chair, replace(post, pinged=None), content)

    patch.setattr(HandMessages, "bring_up_to_date", forgetful)


@seeded_bug("no player is mentioned")
def _silent(patch: pytest.MonkeyPatch) -> None:
    async def none(pings: Pings, match: Match, table: TablePost, people: Mapping[int, Person]) -> TablePost:
        return table

    patch.setattr(Pings, "mention", none)


@seeded_bug("the ping setting of one table is ignored")
def _one_way(patch: pytest.MonkeyPatch) -> None:
    def of_the_person(chair: Chair, person: Person) -> PingPreference:
        return person.ping

    for module in (cogs.transport.pings, cogs.transport.hand_messages):
        patch.setattr(module, "way_of", of_the_person)


@seeded_bug("digests ignore quiet hours")
def _digest_at_night(patch: pytest.MonkeyPatch) -> None:
    send = Digests.send_due

    async def sleepless(digests: Digests, user: int, now: int) -> None:
        with pytest.MonkeyPatch.context() as awake:
            awake.setattr(service_of(digests).clocks, "quiet_until", _nothing)
            await send(digests, user, now)

    patch.setattr(Digests, "send_due", sleepless)
