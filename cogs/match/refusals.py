"""`Refused`, the reasons for which a table refuses a change, and the checks that several changes share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from data.records.match import Conflict, Match, RestoreCheck, Status
from data.records.match_index import MatchIndex
from data.store.database import NotStored

PAUSE = 30 * 86_400
"""Seconds that a match waits for the bot to be added to its server again."""


Reason = StrEnum(
    "Reason",
    """
    NO_GAME NO_LESSON NO_PERIOD IN_LESSON ALONE ALONE_FULL ONLY_IN_SERVERS PERMISSIONS NEEDS_MANAGE_SERVER
    SETUP_IN_SERVERS CHANNEL_NOT_HERE GAME_NOT_HERE CLOCK_NOT_HERE CLOCK_LATELY ROLE_NEEDED ROLE_GONE
    ROLE_NOT_ORDINARY ROLE_HAS_POWERS ROLE_ABOVE ROLE_NEEDS_PERMISSION SERVER_FULL PERSON_FULL THREADS_NEVER
    THREADS_ALWAYS PAUSED NO_MATCH LOST DAMAGED OTHER_RULES UNCHECKED NO_TABLE NO_NEXT UNKNOWN_BUTTON SEATED
    NOT_SEATED NO_LONGER_SEATED WAITING WAITING_FULL NOT_JOINED SEAT_TAKEN SEAT_KEPT REMOVED REMOVED_HERE
    INVITED_ONLY NOT_INVITED NOT_YOURSELF NOT_THERE WAS_REMOVED GUESTS_FULL NO_PEOPLE DEPARTED_SINCE
    DEPARTED_REMOVED PLAYERS_OPEN WAS_ELSEWHERE RESTS NO_END NO_PAUSE NO_RESUME NO_REMOVE NOT_REMOVABLE NO_UNDO FULL
    TOO_FEW BAD_SEATS BAD_OPTION TEAM_FULL NOT_THEIR_TEAM OPTIONS_DO_NOT_FIT NO_COMPUTER STARTED NOT_STARTED
    NO_HINTS NO_ADVICE NOT_REVIEWED FIRST_HINT FIRST_REVIEW FIRST_VERIFY FIRST_FILE TOOK_TOO_LONG NOT_REPLAYED
    OLD_RULES NO_SUCH_SEAT NO_SUCH_STEP HELD SAME_DEALS NO_CUT OTHER_TABLE DUPLICATES_BEGUN DUPLICATES_FULL
    DUPLICATE_RULES NOT_DUPLICATED DUPLICATE_HERE NOT_SHOWN_HERE NOTHING_TO_DECIDE NOT_HOST ONLY_HOST SEASON_REMOVED
    SEASON_NOT_THERE SEASON_MANAGER_PLAYS BAD_START BAD_START_TIME NO_TIME_OF_DAY START_NOW NOT_HOST_MOVES
    HERE_ALREADY OTHER_SERVER NOT_SEEN JUST_MOVED CANCEL_OWN CANCEL_COUNTED NOT_MANAGER MANAGER_PLAYS GIVE_COUNTED
    NOT_AHEAD SEAT_GIVEN NOT_IN_SERVER NOT_OVER HAS_CUT IS_OVER IS_CANCELLED IS_RESTORED IS_STOPPED IS_AWAY IS_LESSON
    OUT_OF_DATE UNDONE UNDONE_OFTEN SEALED_OFTEN MAY_NOT_UNDO DECIDED NO_REPLACE NO_CLOCK NO_POLICY VOTE_CLOSED
    NUDGE_TIMED NUDGE_YOURS NUDGED NUDGE_EARLY NUDGE_NONE BAD_ZONE WHICH_ZONE BAD_TIME QUIET_WHOLE_DAY
    QUIET_TOO_LONG QUIET_HALF TOO_MANY_DAYS_OFF BAD_DAYS_OFF BAD_DATE HOLIDAY_HALF HOLIDAY_BACKWARDS HOLIDAY_PAST
    HOLIDAY_FAR HOLIDAY_TOO_LONG NO_SEASON SEASON_SEATS SEASON_THERE SEASON_BEGUN SEASON_OVER SEASON_JOINED
    SEASON_NOT_JOINED SEASON_FULL SEASON_TOO_FEW SEASON_RUN BUSY SLOW NOT_STORED
    """,
)
"""Why a table refuses. Each value is its name in small letters; the text is `refused.<value>` in
data/locales/<language>/common.toml.
"""


class Refused(Exception):
    """The table refuses a change. `facts` fill the placeholders of the reason's text."""

    def __init__(self, reason: Reason, **facts: object) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.facts = facts


class BadHours(Refused):
    """These hours are not allowed, or that time is none. Its facts may be what a player has typed."""


@contextmanager
def stored() -> Iterator[None]:
    """Raise Refused in place of NotStored, and of Conflict if another process was faster: the change inside counts only
    if the database stores it.
    """
    try:
        yield
    except Conflict as error:
        raise Refused(Reason.BUSY) from error
    except NotStored as error:
        raise Refused(Reason.NOT_STORED) from error


def paused_until(match: Match) -> int:
    """Return when a paused match ends if the bot is not added again before, in seconds since 1970."""
    assert match.paused_at is not None
    return match.paused_at + PAUSE


def check_there(match: Match) -> None:
    """Raise Refused while the bot is not in the match's server, and while the match comes from a restored backup that
    is not yet compared with what Discord shows.
    """
    if match.paused:
        raise Refused(Reason.PAUSED, until=f"<t:{paused_until(match)}:D>")
    if match.doubt is RestoreCheck.UNCHECKED:
        raise Refused(Reason.UNCHECKED)


def check_playing(match: Match) -> None:
    """Raise Refused unless the match is being played. It may rest by a vote."""
    check_there(match)
    if match.status is not Status.PLAYING:
        raise Refused(Reason.NOT_STARTED if match.status is Status.LOBBY else Reason(f"is_{match.ending}"))


def check_at_table(match: Match) -> None:
    """Raise Refused unless the match is being played at a table, so that its players can decide things together."""
    check_playing(match)
    if match.private:
        raise Refused(Reason.IN_LESSON if match.lesson else Reason.ALONE)


def check_lobby(match: Match) -> None:
    """Raise Refused unless the match is a lobby."""
    check_there(match)
    if match.status is not Status.LOBBY:
        raise Refused(Reason.STARTED if match.status is Status.PLAYING else Reason(f"is_{match.ending}"))


def check_host(match: Match, user: int) -> None:
    """Raise Refused unless the user is the lobby's host and sits there: at a new duplicate its host does not. A private
    lobby has no host, since no other person comes.
    """
    if match.private:
        raise Refused(Reason.ALONE)
    if match.host != user or match.seat_of(user) is None:
        raise Refused(Reason.ONLY_HOST)


def check_may_cut(match: Match, user: int) -> None:
    """Raise Refused unless the user sits in the lobby, has not cut yet, and no other table has the same deals."""
    check_lobby(match)
    if match.duplicate is not None:
        raise Refused(Reason.NO_CUT)
    if match.chairs[seat_or_refuse(match, user)].cut is not None:
        raise Refused(Reason.HAS_CUT)


def check_shown(match: Match, user: int) -> None:
    """Raise Refused if nothing is dealt yet, or the match is held and the user does not sit there."""
    if match.state is None:
        raise Refused(Reason.NOT_STARTED)
    if match.seat_of(user) is None:
        check_released(match)


def check_released(match: Match) -> None:
    """Raise Refused if the match is held: not even its players see the other hands and the secret."""
    if match.held:
        raise Refused(Reason.HELD)


async def missing(index: MatchIndex, number: int) -> Refused:
    """Return the Refused for a number of which no match is stored."""
    return Refused(Reason.LOST if await index.is_lost(number) else Reason.NO_MATCH)


def unseated(match: Match, user: int) -> Refused:
    """Return the Refused for a user who does not sit at that match: never seated, removed, or no longer seated."""
    former = match.former_seat(user)
    if match.status is Status.LOBBY:
        return Refused(Reason.NOT_JOINED)
    return Refused(
        Reason.NOT_SEATED if former is None else Reason.REMOVED if former.removed else Reason.NO_LONGER_SEATED
    )


def seat_or_refuse(match: Match, user: int) -> int:
    """Return the user's seat. Refused if they do not sit there."""
    seat = match.seat_of(user)
    if seat is None:
        raise unseated(match, user)
    return seat


def check_seated(match: Match, user: int) -> None:
    """Raise Refused if the user does not sit there."""
    seat_or_refuse(match, user)


def check_hand(match: Match, user: int) -> None:
    """Raise Refused if the user has no hand there."""
    check_seated(match, user)
    if match.state is None:
        raise Refused(Reason.NOT_STARTED)
