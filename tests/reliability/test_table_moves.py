"""A match always has one table: moves of it are cut off at each request and transaction; and random schedules."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import cogs.transport.table_message
from cogs.match.host_rights import REMINDER, SOONEST
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.senders import Handles
from cogs.transport.table_message import TableMessage
from data.records import post_rows, post_store
from data.records.match import Match, Status
from data.records.post import Invitation, OldTable, Post, TablePost
from data.records.post_store import PostStore
from tests.reliability.report import empty_folder
from tests.reliability.table_moves import CHANNELS, FORGOTTEN, Schedule, schedule, trial

HERE, THERE, ELSEWHERE = CHANNELS
TRIALS = 30
"""Random schedules of every test run; `python -m tests.reliability moving` plays more."""
REQUESTS, TRANSACTIONS = 4, 8
"""The requests and the transactions of a table that moves."""
REVIVING = 3
"""The further requests if it leaves an archived thread."""
ENDS = [("down", "down", "down"), ("lost",), ("lost", "down", "down"), ("done and dies",)]


def lobby(made: Schedule) -> None:
    made.open()
    made.wait(5)


def inviting_lobby(made: Schedule) -> None:
    lobby(made)
    made.invite()
    made.wait(5)


def running(made: Schedule) -> None:
    lobby(made)
    made.start()
    made.wait(5)


def thread(made: Schedule) -> None:
    """A lobby whose match opens a thread at its start."""
    made.open(thread=True)
    made.wait(5)


def in_thread(made: Schedule) -> None:
    thread(made)
    made.start()
    made.wait(5)


def in_archived_thread(made: Schedule) -> None:
    in_thread(made)
    made.set_threads(archived=True)


def in_locked_thread(made: Schedule) -> None:
    in_thread(made)
    made.set_threads(archived=True, locked=True)


def move(made: Schedule) -> None:
    made.move_to(THERE)


def start(made: Schedule) -> None:
    made.start()


def invite(made: Schedule) -> None:
    made.invite()


def bury(made: Schedule) -> None:
    made.chat()
    made.play()


def replace(made: Schedule) -> None:
    made.delete(next(message for message in made.messages() if message.match == 1))
    made.play()


def lose_thread(made: Schedule) -> None:
    made.delete_thread()
    made.play()


def nothing(made: Schedule) -> None:
    pass


def back(made: Schedule) -> None:
    made.move_to(HERE)


def on(made: Schedule) -> None:
    made.move_to(ELSEWHERE)


def to_and_fro(made: Schedule) -> None:
    for place in (HERE, THERE, HERE):
        made.move_to(place)
        made.wait(0.2)


def much_later(made: Schedule) -> None:
    made.wait(FORGOTTEN)
    made.play()


BEGUN: list[tuple[Callable[[Schedule], None], Callable[[Schedule], None]]] = [
    (lobby, move),
    (lobby, invite),
    (inviting_lobby, start),
    (inviting_lobby, move),
    (running, move),
    (running, bury),
    (running, replace),
    (thread, start),
    (in_thread, move),
    (in_thread, lose_thread),
]
MEANWHILE = [nothing, back, on, to_and_fro, much_later]


def failing(words: tuple[str, ...]) -> Callable[[Schedule], None]:
    return lambda made: made.fail(*words)


def dying(transaction: int) -> Callable[[Schedule], None]:
    return lambda made: made.die_at(transaction)


def breaks(requests: int) -> Iterator[Callable[[Schedule], None]]:
    """Yield each way to cut off the bot's next action, which makes this number of requests."""
    for before in range(requests):
        for words in ENDS:
            yield failing(("well",) * before + words)
    for before in range(TRANSACTIONS):
        yield dying(before)


@pytest.mark.parametrize(
    ("before", "begun", "meanwhile"),
    [
        pytest.param(*each, meanwhile, marks=[] if (number + other) % (2 * len(MEANWHILE)) == 0 else pytest.mark.long)
        for number, each in enumerate(BEGUN)
        for other, meanwhile in enumerate(MEANWHILE)
    ],
)
def test_what_breaks_off_leaves_one_table(
    tmp_path: Path,
    before: Callable[[Schedule], None],
    begun: Callable[[Schedule], None],
    meanwhile: Callable[[Schedule], None],
) -> None:
    """A third of the cuts for each: every cut meets every beginning, and everything that happens meanwhile."""
    third = (BEGUN.index((before, begun)) + MEANWHILE.index(meanwhile)) % 3
    assert not broken(tmp_path, before, begun, meanwhile, third)


@pytest.mark.parametrize(
    ("before", "meanwhile", "third"),
    [
        (in_archived_thread, nothing, 0),
        *(
            pytest.param(before, meanwhile, third, marks=pytest.mark.long)
            for before in (in_archived_thread, in_locked_thread)
            for meanwhile in (nothing, back)
            for third in range(3)
            if (before, meanwhile, third) != (in_archived_thread, nothing, 0)
        ),
    ],
)
def test_a_closed_thread_says_where_the_table_is_as_soon_as_it_can(
    tmp_path: Path, before: Callable[[Schedule], None], meanwhile: Callable[[Schedule], None], third: int
) -> None:
    assert not broken(tmp_path, before, move, meanwhile, third)


def broken(
    folder: Path,
    before: Callable[[Schedule], None],
    begun: Callable[[Schedule], None],
    meanwhile: Callable[[Schedule], None],
    third: int | None = None,
) -> str:
    """Begin the action, cut it off in each way, and let something else happen. Return what is wrong then. `third`: 0 to
    2 for only every third way, from this one on; None for all.
    """
    found = []
    requests = REQUESTS + REVIVING * (before in (in_archived_thread, in_locked_thread))
    for number, break_off in enumerate(breaks(requests)):
        if third is not None and number % 3 != third:
            continue
        with schedule(empty_folder(folder / "schedule"), f"breaks {number}") as made:
            before(made)
            break_off(made)
            begun(made)
            made.wait(0.7)
            meanwhile(made)
            if wrong := made.faults():
                found.append("\n  ".join([*wrong, *made.log]))
    return "\n".join(found)


def test_random_schedules_leave_one_table(tmp_path: Path) -> None:
    seed = secrets.randbelow(10**6)
    print(f"python -m tests.reliability moving --seed {seed}")
    for number in range(TRIALS):
        wrong, log = trial(tmp_path / "schedule", f"moving {seed} {number}")
        assert not wrong, "\n  ".join([f"--only {number}", *wrong, *log])


def soon_reminded(made: Schedule) -> None:
    lobby(made)
    made.start_in(REMINDER + 3)
    made.wait(2)


def soon_started(made: Schedule) -> None:
    lobby(made)
    made.start_in(SOONEST)
    made.wait(SOONEST - 1)


def its_time_comes(made: Schedule) -> None:
    made.wait(30)


@pytest.mark.parametrize("before", [soon_started, pytest.param(soon_reminded, marks=pytest.mark.long)])
def test_a_start_time_reminds_once_and_starts_once(tmp_path: Path, before: Callable[[Schedule], None]) -> None:
    for number, break_off in enumerate(breaks(REQUESTS)):
        with schedule(empty_folder(tmp_path / "schedule"), f"starts {number}") as made:
            before(made)
            break_off(made)
            its_time_comes(made)
            wrong = made.faults()
            started = made.match().status is Status.PLAYING
            assert started == (before is soon_started), made.log
            reminders = made.reminders()
            assert len(reminders) <= 1 and not wrong, [*wrong, *made.log]
            assert reminders or started, made.log


# Seeded bugs.


def nothing_is_noted_before_a_send(patch: pytest.MonkeyPatch) -> None:
    async def unnoted(posts: PostStore, unknown: OldTable) -> bool:
        return True

    patch.setattr(PostStore, "begin_sending", unnoted)


def old_tables_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    save = PostStore.note

    async def without(store: PostStore, *posts: Post, old: Any = (), gone: Any = ()) -> None:
        await save(store, *posts, gone=gone)

    patch.setattr(PostStore, "note", without)


def a_lost_edit_is_taken_for_none(patch: pytest.MonkeyPatch) -> None:
    """A table that comes back before it was sent elsewhere counts as up to date."""
    leave = TableMessage.leave

    async def unchanged(table: TableMessage, match: Match, post: TablePost) -> TablePost:
        left = await leave(table, match, post)
        await table.posts.note(post)
        return left

    patch.setattr(TableMessage, "leave", unchanged)


def archived_threads_are_left(patch: pytest.MonkeyPatch) -> None:
    async def left(handles: Handles, channel: int) -> None:
        raise DiscordFailure(Failure.ARCHIVED)

    patch.setattr(Handles, "revive", left)


def refusals_are_for_good(patch: pytest.MonkeyPatch) -> None:
    async def none(posts: PostStore, channel: int | None = None) -> list[int]:
        return []

    patch.setattr(PostStore, "forget_refusals", none)


@pytest.mark.parametrize(
    ("bug", "before"),
    [
        (archived_threads_are_left, in_archived_thread),
        pytest.param(refusals_are_for_good, in_locked_thread, marks=pytest.mark.long),
    ],
)
def test_planted_bugs_of_threads_are_found(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bug: Callable[[pytest.MonkeyPatch], None],
    before: Callable[[Schedule], None],
) -> None:
    bug(monkeypatch)
    assert broken(tmp_path, before, move, nothing)


def channels_are_not_looked_through(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cogs.transport.table_message, "MOST_LOOKED_AT", 0)


@pytest.mark.parametrize(
    "bug",
    [
        nothing_is_noted_before_a_send,
        *(
            pytest.param(bug, marks=pytest.mark.long)
            for bug in (old_tables_are_forgotten, a_lost_edit_is_taken_for_none, channels_are_not_looked_through)
        ),
    ],
)
def test_seeded_bugs_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: Callable[[pytest.MonkeyPatch], None]
) -> None:
    bug(monkeypatch)
    assert any(broken(tmp_path, running, move, meanwhile) for meanwhile in (back, on))


def invitations_stay(patch: pytest.MonkeyPatch) -> None:
    for module in (post_rows, post_store):
        patch.setattr(module, "withdraw_invitations", lambda c, number: None)


def an_invitation_follows_the_table(patch: pytest.MonkeyPatch) -> None:
    """If the answer to it was lost, it is sent again where the table is now."""

    async def nowhere(posts: PostStore, number: int) -> None:
        return None

    patch.setattr(PostStore, "inviting", nowhere)


def an_invitation_is_not_noted_before_it_is_sent(patch: pytest.MonkeyPatch) -> None:
    save = PostStore.note_invitations

    async def sent(posts: PostStore, number: int, users: Any, message: int | Invitation, *where: int) -> None:
        if message is not Invitation.SENDING:
            await save(posts, number, users, message, *where)

    patch.setattr(PostStore, "note_invitations", sent)


@pytest.mark.parametrize(
    ("bug", "before", "begun"),
    [
        (invitations_stay, inviting_lobby, start),
        *(
            pytest.param(bug, lobby, invite, marks=pytest.mark.long)
            for bug in (an_invitation_follows_the_table, an_invitation_is_not_noted_before_it_is_sent)
        ),
    ],
)
def test_seeded_bugs_of_invitations_are_found(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bug: Callable[[pytest.MonkeyPatch], None],
    before: Callable[[Schedule], None],
    begun: Callable[[Schedule], None],
) -> None:
    bug(monkeypatch)
    assert any(broken(tmp_path, before, begun, meanwhile) for meanwhile in (nothing, on))
