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


class Reason(StrEnum):
    """Why a table refuses. The text is `refused.<value>` in data/locales/<language>/common.toml."""

    NO_GAME = "no_game"
    NO_LESSON = "no_lesson"
    NO_PERIOD = "no_period"
    IN_LESSON = "in_lesson"
    ALONE = "alone"
    ALONE_FULL = "alone_full"
    ONLY_IN_SERVERS = "only_in_servers"
    PERMISSIONS = "permissions"
    NEEDS_MANAGE_SERVER = "needs_manage_server"
    SETUP_IN_SERVERS = "setup_in_servers"
    CHANNEL_NOT_HERE = "channel_not_here"
    GAME_NOT_HERE = "game_not_here"
    CLOCK_NOT_HERE = "clock_not_here"
    CLOCK_LATELY = "clock_lately"
    ROLE_NEEDED = "role_needed"
    ROLE_GONE = "role_gone"
    ROLE_NOT_ORDINARY = "role_not_ordinary"
    ROLE_HAS_POWERS = "role_has_powers"
    ROLE_ABOVE = "role_above"
    ROLE_NEEDS_PERMISSION = "role_needs_permission"
    SERVER_FULL = "server_full"
    OPENED_MANY = "opened_many"
    SERVER_OPENED_MANY = "server_opened_many"
    PERSON_FULL = "person_full"
    THREADS_NEVER = "threads_never"
    THREADS_ALWAYS = "threads_always"
    PAUSED = "paused"
    NO_MATCH = "no_match"
    LOST = "lost"
    DAMAGED = "damaged"
    OTHER_RULES = "other_rules"
    UNCHECKED = "unchecked"
    NO_TABLE = "no_table"
    NO_NEXT = "no_next"
    UNKNOWN_BUTTON = "unknown_button"
    SEATED = "seated"
    NOT_SEATED = "not_seated"
    NO_LONGER_SEATED = "no_longer_seated"
    NOT_AT_END = "not_at_end"
    NO_DECISIONS = "no_decisions"
    WAITING = "waiting"
    WAITING_FULL = "waiting_full"
    NOT_JOINED = "not_joined"
    SEAT_TAKEN = "seat_taken"
    SEAT_KEPT = "seat_kept"
    REMOVED = "removed"
    REMOVED_HERE = "removed_here"
    INVITED_ONLY = "invited_only"
    NOT_INVITED = "not_invited"
    NOT_YOURSELF = "not_yourself"
    NOT_THERE = "not_there"
    WAS_REMOVED = "was_removed"
    GUESTS_FULL = "guests_full"
    NO_PEOPLE = "no_people"
    DEPARTED_SINCE = "departed_since"
    DEPARTED_REMOVED = "departed_removed"
    PLAYERS_OPEN = "players_open"
    WAS_ELSEWHERE = "was_elsewhere"
    RESTS = "rests"
    NO_END = "no_end"
    NO_PAUSE = "no_pause"
    NO_RESUME = "no_resume"
    NO_REMOVE = "no_remove"
    NOT_REMOVABLE = "not_removable"
    NO_UNDO = "no_undo"
    FULL = "full"
    TOO_FEW = "too_few"
    BAD_SEATS = "bad_seats"
    BAD_OPTION = "bad_option"
    TEAM_FULL = "team_full"
    NOT_THEIR_TEAM = "not_their_team"
    OPTIONS_DO_NOT_FIT = "options_do_not_fit"
    NO_COMPUTER = "no_computer"
    STARTED = "started"
    NOT_STARTED = "not_started"
    NO_HINTS = "no_hints"
    NO_ADVICE = "no_advice"
    NOT_REVIEWED = "not_reviewed"
    FIRST_HINT = "first_hint"
    FIRST_REVIEW = "first_review"
    FIRST_VERIFY = "first_verify"
    FIRST_FILE = "first_file"
    TOOK_TOO_LONG = "took_too_long"
    NOT_REPLAYED = "not_replayed"
    OLD_RULES = "old_rules"
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_STEP = "no_such_step"
    HELD = "held"
    SAME_DEALS = "same_deals"
    NO_CUT = "no_cut"
    OTHER_TABLE = "other_table"
    DUPLICATES_BEGUN = "duplicates_begun"
    DUPLICATES_FULL = "duplicates_full"
    DUPLICATE_RULES = "duplicate_rules"
    NOT_DUPLICATED = "not_duplicated"
    DUPLICATE_HERE = "duplicate_here"
    NOT_SHOWN_HERE = "not_shown_here"
    NOTHING_TO_DECIDE = "nothing_to_decide"
    NOT_HOST = "not_host"
    ONLY_HOST = "only_host"
    SEASON_REMOVED = "season_removed"
    SEASON_NOT_THERE = "season_not_there"
    SEASON_MANAGER_PLAYS = "season_manager_plays"
    BAD_START = "bad_start"
    BAD_START_TIME = "bad_start_time"
    NO_TIME_OF_DAY = "no_time_of_day"
    START_NOW = "start_now"
    NOT_HOST_MOVES = "not_host_moves"
    HERE_ALREADY = "here_already"
    OTHER_SERVER = "other_server"
    NOT_SEEN = "not_seen"
    NOT_OPENED = "not_opened"
    JUST_MOVED = "just_moved"
    CANCEL_OWN = "cancel_own"
    CANCEL_COUNTED = "cancel_counted"
    NOT_MANAGER = "not_manager"
    MANAGER_PLAYS = "manager_plays"
    GIVE_COUNTED = "give_counted"
    NOT_AHEAD = "not_ahead"
    SEAT_GIVEN = "seat_given"
    NOT_IN_SERVER = "not_in_server"
    NOT_OVER = "not_over"
    HAS_CUT = "has_cut"
    IS_OVER = "is_over"
    IS_CANCELLED = "is_cancelled"
    IS_RESTORED = "is_restored"
    IS_STOPPED = "is_stopped"
    IS_AWAY = "is_away"
    IS_LESSON = "is_lesson"
    OUT_OF_DATE = "out_of_date"
    UNDONE = "undone"
    UNDONE_OFTEN = "undone_often"
    SEALED_OFTEN = "sealed_often"
    MAY_NOT_UNDO = "may_not_undo"
    DECIDED = "decided"
    NO_REPLACE = "no_replace"
    NO_CLOCK = "no_clock"
    NO_POLICY = "no_policy"
    VOTE_CLOSED = "vote_closed"
    NUDGE_TIMED = "nudge_timed"
    NUDGE_YOURS = "nudge_yours"
    NUDGED = "nudged"
    NUDGE_EARLY = "nudge_early"
    NUDGE_NONE = "nudge_none"
    BAD_ZONE = "bad_zone"
    WHICH_ZONE = "which_zone"
    BAD_TIME = "bad_time"
    QUIET_WHOLE_DAY = "quiet_whole_day"
    QUIET_TOO_LONG = "quiet_too_long"
    QUIET_HALF = "quiet_half"
    TOO_MANY_DAYS_OFF = "too_many_days_off"
    BAD_DAYS_OFF = "bad_days_off"
    BAD_DATE = "bad_date"
    HOLIDAY_HALF = "holiday_half"
    HOLIDAY_BACKWARDS = "holiday_backwards"
    HOLIDAY_PAST = "holiday_past"
    HOLIDAY_FAR = "holiday_far"
    HOLIDAY_TOO_LONG = "holiday_too_long"
    NO_SEASON = "no_season"
    SEASON_SEATS = "season_seats"
    SEASON_THERE = "season_there"
    SEASON_BEGUN = "season_begun"
    SEASON_OVER = "season_over"
    SEASON_JOINED = "season_joined"
    SEASON_NOT_JOINED = "season_not_joined"
    SEASON_FULL = "season_full"
    SEASON_TOO_FEW = "season_too_few"
    SEASON_RUN = "season_run"
    BUSY = "busy"
    SLOW = "slow"
    NOT_STORED = "not_stored"


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
    """Raise Refused in place of NotStored or Conflict: the change inside counts only if the database stores it."""
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
    check_with_others(match)


def check_with_others(match: Match) -> None:
    """Raise Refused if one player is alone there, in a match against computers or a lesson."""
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
    if former is not None and former.removed:
        return Refused(Reason.REMOVED)
    if not match.open:  # there is no seat to get any more
        return Refused(Reason.NOT_AT_END)
    return Refused(Reason.NOT_SEATED if former is None else Reason.NO_LONGER_SEATED)


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
