"""While a computer thinks, its match goes on: players need not wait, and a thought that comes too late is void."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cogs.match.automatic_moves import (
    PACES,
    SLOW_FOR,
    AutomaticMoves,
    Begun,
    Decision,
    Pace,
    ThreadThinker,
    all_know_it,
)
from cogs.match.coaching import Coaching
from cogs.match.deadlines import pause
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.restored import settle
from cogs.match.service import MatchService, Played
from cogs.match.table_options import set_seat_preferences
from cogs.match.verification import Computers, check_computers
from cogs.messages import fairness
from cogs.transport.computer_moves import PAUSE, USUAL
from data.content.texts import texts
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.store.backup_files import finish
from data.store.database import Database
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.coach import EQUAL, Advised
from rules.core.computer import LEVELS, Level, Thought, choose, decision_seed
from rules.core.game import AnyGame, AnyState, Seat
from tests.month.virtual_time import VirtualLoop
from tests.process.loopback import until
from tests.support.hung import HUNG
from tests.support.inside import database_of, stored_matches
from tests.support.matches import ANN, BEN, CLEO, NAMES, begun, play
from tests.support.table import fast_computers


class Thinker:
    """Thinks until the test lets it answer, and keeps its arguments. `then`, if set, returns the answer."""

    def __init__(self) -> None:
        self.asked: list[tuple[AnyState, Seat, str]] = []
        self.may = asyncio.Event()
        self.made_do = False
        self.then: ThreadThinker | None = None

    async def __call__(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: str, begun: Begun
    ) -> Thought[Any]:
        begun()
        self.asked.append((known, seat, seed))
        await self.may.wait()
        if self.then is not None:
            return await self.then(game, known, seat, seed, level, begun)
        return Thought(known.default_move(seat) if self.made_do else known.legal_moves(seat)[-1], self.made_do)

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> tuple[Advised[Any], ...]:
        self.asked.append((known, seat, seed))
        return (Advised((known.default_move(seat),), {}, 0.0, EQUAL, ()),)


@pytest.fixture
async def thinker(service: MatchService) -> Thinker:
    for user in (ANN, BEN, CLEO):
        await service.people.meet(user, NAMES[user])
    return Thinker()


@asynccontextmanager
async def thinking(service: MatchService, thinker: Thinker, number: int) -> AsyncIterator[asyncio.Task[Played | None]]:
    """Run the block while a computer of that match thinks; then let it answer, and wait until it has."""
    task = asyncio.create_task(AutomaticMoves(service, thinker).play(number))
    assert await until(lambda: thinker.asked)
    yield task
    thinker.may.set()
    await asyncio.wait_for(asyncio.shield(task), HUNG)


async def to_a_computer(service: MatchService, match: Match) -> Match:
    """Play until a computer is to move."""
    while AutomaticMoves(service).next_seat(match) is None:
        match = await play(service, match, 0)
    return match


async def waiting(service: MatchService, *users: int, game: str = "sea_change") -> Match:
    return await to_a_computer(service, await begun(service, *users, game=game, computers=4 - len(users)))


async def test_a_match_is_not_locked_while_a_computer_thinks(service: MatchService, thinker: Thinker) -> None:
    match = await waiting(service, ANN, BEN)
    async with thinking(service, thinker, match.id) as task:
        changing = set_seat_preferences(service, match.id, ANN, lambda chair: replace(chair, plays_forced=True))
        changed = await asyncio.wait_for(changing, HUNG)
        assert changed.version > match.version
    played = task.result()
    assert played is not None and played.match.moves == match.moves + 1
    assert len(thinker.asked) == 1, "what the seat knows has not changed"


async def test_a_computer_is_told_what_its_seat_knows(service: MatchService, thinker: Thinker) -> None:
    match = await waiting(service, ANN, BEN)
    async with thinking(service, thinker, match.id):
        ((known, seat, seed),) = thinker.asked
    state = service.game(match).from_json(match.state)
    assert seed == decision_seed(match.seed, seat, state.turn(seat))
    assert known == state.redeal_unseen(seat, seed)
    assert choose(service.game(match), known, seat, seed) == choose(service.game(match), state, seat, seed)


@pytest.mark.parametrize("way", ["end", "person", "removed"])
async def test_a_thought_that_comes_too_late_is_void(way: str, service: MatchService, thinker: Thinker) -> None:
    membership = Membership(service, Lobby(service))
    match = await waiting(service, ANN, BEN)
    (seat,) = service.state(match).to_move()
    async with thinking(service, thinker, match.id) as task:
        if way == "end":
            for user in (ANN, BEN):
                match = (await membership.vote(match.id, user, "end")).match
            assert match.status is Status.STOPPED
        elif way == "person":
            match = await membership.take_seat(match.id, CLEO, NAMES[CLEO], seat)
        else:
            await pause(service, match.id)
            match = await service.load(match.id)
            assert match.paused
    assert task.result() is None
    assert (await service.load(match.id)).moves == match.moves


async def test_a_move_taken_back_is_thought_about_again(service: MatchService, thinker: Thinker) -> None:
    """Photosynthesis hides nothing: only the branch in the turn token makes it another decision."""
    match = await waiting(service, ANN, BEN, game="photosynthesis")
    membership = Membership(service, Lobby(service))
    async with thinking(service, thinker, match.id) as task:
        before = match.moves
        for user in (ANN, BEN):
            voted = await membership.vote(match.id, user, f"undo {before - 1}")
        assert voted.match.undone == 1
        match = voted.match
        match = await to_a_computer(service, match)
    played = task.result()
    assert played is not None and played.match.moves == match.moves + 1
    assert len(thinker.asked) == 2
    assert thinker.asked[0][2] != thinker.asked[1][2], "another decision has another seed"


async def test_a_backup_restored_while_a_computer_thinks_has_it_make_the_same_move(
    service: MatchService, thinker: Thinker, tmp_path: Path
) -> None:
    """The thought is lost with the process. The next one thinks from the same seed: a restart is no second chance."""
    match, backup = await waiting(service, ANN, BEN), tmp_path / "backup.db"
    await database_of(stored_matches(service)).engine.copy_to(backup)
    thinker.then = ThreadThinker()
    async with thinking(service, thinker, match.id) as task:
        finish(backup)
        database = await Database.open(backup)
        try:
            restored = MatchService(Matches(database), People(database), GAMES)
            moves = AutomaticMoves(restored)
            assert await moves.play(match.id) is None, "not before it is compared with what Discord shows"
            await settle(restored, match.id, behind=False, ended=False)
            again = await moves.play(match.id)
            assert again is not None and again.match.moves == match.moves + 1
            await restored.quarantine.check(await restored.load(match.id))
        finally:
            await database.close()
    first = task.result()
    assert first is not None and first.move == again.move


async def test_simultaneous_requests_make_one_move_for_a_decision(service: MatchService, thinker: Thinker) -> None:
    match = await waiting(service, ANN)
    thinker.may.set()
    await asyncio.gather(*(AutomaticMoves(service, thinker).play(match.id) for _ in range(3)))
    log = await service.log(match.id)
    assert len({(move.seat, move.turn) for move in log}) == len(log)
    await service.quarantine.check(await service.load(match.id))


async def test_another_players_sealed_decision_leaves_a_thought_or_has_it_made_again(
    service: MatchService, thinker: Thinker
) -> None:
    """In Siege all decide at once. The thought is valid if the seat still knows the same; the log then has the move
    that the computer would choose in the position in which it moved.
    """
    match = await begun(service, ANN, game="siege_of_sunfall", computers=2)
    moves = AutomaticMoves(service, thinker)
    me = Seat(match.seat_of(ANN))
    while moves.next_seat(match) is None or me not in service.state(match).to_move():
        played = await moves.play(match.id) if moves.next_seat(match) is not None else None
        match = played.match if played is not None else await play(service, match, 0)
    async with thinking(service, thinker, match.id) as task:
        match = (await service.play(match.id, ANN, None, str(service.state(match).legal_moves(me)[0]))).match
        before = service.state(match)
    played = task.result()
    assert played is not None and played.move is not None
    known, seat, seed = thinker.asked[-1]
    assert known == before.redeal_unseen(seat, seed)


async def test_a_move_without_a_thought_is_noted(service: MatchService, thinker: Thinker) -> None:
    match = await waiting(service, ANN, BEN)
    thinker.made_do = True
    async with thinking(service, thinker, match.id) as task:
        before = service.state(match)
        (seat,) = before.to_move()
        default = before.default_move(seat)
    played = task.result()
    assert played is not None and played.made_do and played.move == default
    found = await check_computers(service.game(match), played.match, await service.log(match.id), ThreadThinker())
    assert (found.made_do, found.wrong) == (1, ()), "/verify tells it"
    log = await service.log(match.id)
    others = [move for move in before.legal_moves(seat) if move != default]
    forged = [*log[:-1], replace(log[-1], text=str(others[0]))]
    assert (await check_computers(service.game(match), match, forged, ThreadThinker())).wrong == (len(log) - 1,)


def test_verify_says_that_a_computer_could_not_think() -> None:
    said = fairness.computers(Computers(right=2, made_do=3), Labels((), texts("en")))
    assert len(said) == 2 and "3" in said[1] and "thinking failed" in said[1]


async def test_a_hint_is_thought_out_from_what_the_seat_knows(service: MatchService, thinker: Thinker) -> None:
    match = await begun(service, ANN, BEN)
    (seat,) = service.state(match).to_move()
    user = match.chairs[seat].player
    await Coaching(service, thinker).hint(match.id, user)
    ((known, asked, seed),) = thinker.asked
    assert asked == seat and known == service.state(match).redeal_unseen(seat, seed)


async def test_a_thought_is_made_known_after_the_pace(service: MatchService, thinker: Thinker) -> None:
    match = await waiting(service, ANN, BEN)
    thinker.may.set()
    loop = asyncio.get_running_loop()
    since = loop.time()
    assert await AutomaticMoves(service, thinker).play(match.id, Pace(0.2 / PACES["friend"])) is not None
    assert loop.time() - since >= 0.2


def decision(level: Level, made_do: bool = False, forced: bool = False) -> Decision:
    return Decision(Seat(0), level, "", GAMES["full_sun"].new(3), forced, level, Thought(None, made_do))


def durations(waits: list[tuple[float, ...]], level: Level = "friend", **how: bool) -> list[float]:
    """Return how long moves take in virtual time, given for each its wait in the queue and its thinking time; or the
    thinking times of several that are made together.
    """

    async def paced() -> list[float]:
        pace, loop, found = Pace(), asyncio.get_running_loop(), []
        for queue, *thoughts in waits:
            since = loop.time()

            async def think(begun: Begun, queue: float = queue, thoughts: list[float] = thoughts) -> list[Decision]:
                await asyncio.sleep(queue)
                for thinking in thoughts:
                    begun()
                    await asyncio.sleep(thinking)
                return [decision(level, **how)] * len(thoughts)

            await pace.keep(think)
            found.append(round(loop.time() - since, 6))
        return found

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(paced())


@pytest.mark.parametrize("level", LEVELS)
def test_each_move_of_a_level_takes_equally_long(level: Level) -> None:
    pace = PACES[level]
    assert durations([(0, 0), (0, 0.3 * pace), (0, 0.99 * pace)], level) == [pace] * 3


def test_moves_that_no_player_can_come_between_share_a_pace() -> None:
    assert durations([(0, 0.3, 0.3, 0.3), (0, 0, 0, 0, 0)]) == [1.2, 1.2]
    assert durations([(0, 0.5, 0.5, 0.5), (0, 0, 0, 0), (0, 0, 0)]) == [2.4, 2.4, 1.2], "three of them, later two"


@pytest.mark.parametrize("level", LEVELS)
def test_what_all_know_to_be_forced_takes_equally_long_at_all_levels(level: Level) -> None:
    assert durations([(0, 0), (2, 0)], level, forced=True) == [1.2, 3.2]


def test_a_person_waits_six_seconds_at_most_for_a_trick_of_three_strong_computers() -> None:
    assert 3 * (PAUSE * USUAL + PACES["strong"]) <= 6


@pytest.mark.parametrize("slug", sorted(GAMES))
async def test_with_a_pace_computers_make_the_same_moves_and_at_once_those_of_a_turn_and_sealed_ones(
    service: MatchService, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    """Only their own further actions and what they seal at once: a person sees each other move alone."""
    fast_computers(monkeypatch)
    match = await begun(service, ANN, game=slug, computers=min(2, GAMES[slug].seats[-1] - 1))
    moves, together = AutomaticMoves(service), list[int]()
    for _ in range(24):
        if not match.running:
            break
        if moves.next_seat(match) is None:
            match = await play(service, match, 0)
            continue
        before = service.state(match)
        played = await moves.play(match.id, Pace(0))
        made, match = (await service.log(match.id))[match.moves :], played.match
        together.append(len(made))
        for number, move in enumerate(made):
            seat = Seat(move.seat)
            others = before.to_move() - {seat}
            assert move.text == str(
                choose(
                    GAMES[slug],
                    before.redeal_unseen(seat, seed := decision_seed(match.seed, seat, move.turn)),
                    *(seat, seed, match.level_of(seat)),
                )
            )
            before, _ = before.apply(GAMES[slug].parse(seat, move.text))
            if number < len(made) - 1:
                assert before.to_move() == others or (before.to_move() == {seat} and before.may_take_back(seat))
    if slug in ("photosynthesis", "siege_of_sunfall"):
        assert max(together) > 1
    elif slug in ("full_circle", "full_sun", "sea_change"):
        assert set(together) == {1}


def test_only_what_an_onlooker_can_tell_counts_as_forced() -> None:
    """The last card of a hand is; a hand's only card of the suit that was led is not."""
    game, hidden = GAMES["sea_change"], 0
    state = game.new(4, None, "forced")
    for card in range(40):
        seat = min(state.to_move())
        legal, told = len(state.legal_moves(seat)), all_know_it(state, seat, "seed")
        assert told == all_know_it(state.redeal_unseen(None, "other"), seat, "seed"), "it says nothing of the hands"
        assert told == (card >= 36), "the cards of the last trick"
        hidden += legal == 1 and not told
        state, _ = state.apply(state.default_move(seat))
    assert hidden


def test_the_wait_for_a_worker_does_not_add_to_what_a_thought_tells() -> None:
    """The wait depends on other tables: if the pace included it, a medium thought would show after a long wait."""
    assert durations([(3, 0), (3, 1.1)]) == [4.2, 4.2]


def test_a_thought_beyond_the_pace_slows_all_down_for_a_while() -> None:
    """Then the moves after it tell nothing; a machine that is always too slow shows one long thought in that while."""
    again = int(SLOW_FOR / 2.4) + 1
    assert durations([(0, 0), (0, 1.3), (0, 0), (0, 2.3)]) == [1.2, 2.4, 2.4, 2.4]
    assert durations([(0, 1.3), *[(0, 0)] * again])[-2:] == [2.4, 1.2], "the hurry has passed"
    assert durations([(0, 1.3), *[(0, 1.3)] * again, (0, 0)]) == [2.4] * (again + 2), "it has not"
    assert durations([(0, 3), (0, 0)]) == [4.8, 4.8]
    assert durations([(0, 5), (0, 0)]) == [9.6, 4.8], "after a machine stood still no move waits that long again"


def test_a_failed_thought_does_not_lengthen_the_pace() -> None:
    assert durations([(0, 40), (0, 0)], made_do=True) == [40, 1.2]
