"""Verifies that an ended match was dealt as promised and that its computers made their own moves. Exports the match, so
that players can verify it without the bot.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Any

from cogs.match.automatic_moves import MADE_DO, Thinker, ThreadThinker
from cogs.match.positions import is_stored, replay, steps
from cogs.match.refusals import Reason, Refused, check_released
from cogs.match.searches import Kind, Searches, Sought
from cogs.match.seating import draw, fits, gone_round
from cogs.match.service import MatchService
from data.records.match import DEPARTED, Chair, LoggedMove, Match
from data.records.seasons import Season, SeasonTable, StoredSeasons
from rules.core.chance import Shuffled, commitment, shuffle, table_before, table_secret
from rules.core.computer import LEVELS, VERSION, Thought, decision_seed
from rules.core.game import AnyGame, AnyState, Seat

MOST_SECONDS = 20.0
"""The most seconds of thinking in which the moves of computers are recomputed."""
MOST_WAITED = 600.0
"""The most seconds that this may take with the waits for a worker: Discord takes the answer for 15 minutes."""


@dataclass(frozen=True, slots=True)
class Computers:
    """What recomputing the moves of computers found."""

    right: int = 0
    """How many moves are those that a computer of that level makes there."""
    wrong: tuple[int, ...] = ()
    """The numbers of the moves that are not."""
    made_do: int = 0
    """How many default moves were made because the thinking failed."""
    unchecked: int = 0
    """How many moves another version of the computers made, or were left when MOST_SECONDS were over."""


NONE_MOVED = Computers()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `/verify` finds."""

    secret: str
    commitment: str
    """The commitment to the secret, which the players saw before the match."""
    seed: str
    """The seed of all deals, made of the secret and the cuts."""
    deals: tuple[Shuffled, ...]
    faults: tuple[int, ...]
    """Ordinals of the deals that do not follow from the seed; empty if all do."""
    seats: bool | None
    """Whether the seats are as drawn; None: they went round, as they must, or an older version seated the players."""
    same_end: bool
    """Whether replaying the log leads to the stored position."""
    computers: Computers
    export: bytes
    """JSON that docs/verify.py checks."""

    @property
    def good(self) -> bool:
        """Whether deals, seats, position and the moves of computers are all as they should be."""
        return not self.faults and self.seats is not False and self.same_end and not self.computers.wrong


class Verifier:
    """Verifies a service's matches. `think` None: a thread of this process recomputes computers' moves. `seasons`: of
    which they may be tables; None: of none.
    """

    def __init__(
        self,
        service: MatchService,
        think: Thinker | None = None,
        searches: Searches | None = None,
        seasons: StoredSeasons | None = None,
    ) -> None:
        self._service = service
        self._think = think or ThreadThinker()
        self._searches = searches or Searches()
        self._seasons = seasons

    async def verify(self, number: int) -> Verdict:
        """Recompute every deal and every computer's move of an ended match. Refused while the seed is secret, and as
        `Searches.run` does.
        """
        match = await self._service.load(number)
        if match.open or match.state is None:
            raise Refused(Reason.NOT_OVER)
        check_released(match)

        async def verify() -> Verdict:
            game, log = self._service.game(match), await self._service.log(number)
            before = None if match.previous is None else await self._service.find(match.previous)
            season = None if self._seasons is None or not match.season else await self._seasons.of_match(number)
            computers = await check_computers(game, match, log, self._think)
            return await asyncio.to_thread(verdict, game, match, log, computers, before, season)

        return await self._searches.run(Sought(Kind.VERIFY, number), match.guild, verify)


def verdict(
    game: AnyGame,
    match: Match,
    log: Sequence[LoggedMove],
    computers: Computers = NONE_MOVED,
    before: Match | None = None,
    season: tuple[Season, SeasonTable] | None = None,
) -> Verdict:
    """Recompute the seats and every deal of a match, and replay its log. `computers`: what recomputing their moves
    found. `before`: the match after which the seats went round, if it is still stored. `season`: that of which it is a
    table.
    """
    history, end = replay(game, match, log)
    deals = tuple(logged.event for logged in history if isinstance(logged.event, Shuffled) and not logged.undone)
    return Verdict(
        secret=match.secret,
        commitment=commitment(match.secret),
        seed=match.seed,
        deals=deals,
        faults=tuple(d.ordinal for d in deals if shuffle(match.seed, d.ordinal, d.before) != d.after),
        seats=_seats_as_drawn(game, match),
        same_end=is_stored(game, end, match.state),
        computers=computers,
        export=json.dumps(_export(game, match, deals, end, log, before, season), ensure_ascii=False, indent=1).encode(),
    )


async def check_computers(game: AnyGame, match: Match, log: Sequence[LoggedMove], think: Thinker) -> Computers:
    """Compute again every move that a computer made, from what its seat knew and the seed that follows from the match's
    secret. That takes about as long as the computers took, and at most about MOST_SECONDS of thinking.
    """
    right, made_do, unchecked = 0, 0, 0
    wrong: list[int] = []
    ends, spent, begun = monotonic() + MOST_WAITED, 0.0, 0.0

    def begin() -> None:
        nonlocal begun
        begun = monotonic()

    for move, before, _, _ in await asyncio.to_thread(list, steps(game, match, log)):
        if move.computer is None:
            continue
        seat, (made_by, _, version) = Seat(move.seat), move.computer.partition(" ")
        level = next((name for name in LEVELS if name == made_by), None)
        seed = decision_seed(match.seed, seat, move.turn)
        known = before.redeal_unseen(seat, seed)
        if made_by == MADE_DO:
            thought = Thought(known.default_move(seat))
        elif level is not None and version == str(VERSION) and spent < MOST_SECONDS and monotonic() < ends:
            begin()  # a thinker calls it once more when it has waited for a worker
            thought = await think(game, known, seat, seed, level, begin)
            spent += monotonic() - begun
        else:
            thought = None
        if thought is None or thought.made_do:
            unchecked += 1
        elif str(thought.move) != move.text:
            wrong.append(move.number)
        elif made_by == MADE_DO:
            made_do += 1
        else:
            right += 1
    return Computers(right, tuple(wrong), made_do, unchecked)


def _seats_as_drawn(game: AnyGame, match: Match) -> bool | None:
    came = [chair.came for chair in match.chairs if chair.came is not None]
    if not came:
        return None
    in_the_lobby = [match.chairs[came.index(place)] for place in sorted(came)]
    sat = [chair.sat for chair in in_the_lobby if chair.sat is not None]
    if sat:
        return None if gone_round(sat) == tuple(came) else False
    cuts = [chair.cut for chair in in_the_lobby if chair.cut is not None]
    chosen, teams = [chair.team for chair in in_the_lobby], game.teams(len(match.chairs), match.options)
    return fits(chosen, teams) and draw(match.secret, cuts, chosen, teams) == tuple(came)


def _export(
    game: AnyGame,
    match: Match,
    deals: Sequence[Shuffled],
    end: AnyState,
    log: Sequence[LoggedMove],
    before: Match | None,
    season: tuple[Season, SeasonTable] | None,
) -> dict[str, Any]:
    """Return the whole match without users' ids. Names are those that the table shows, in the order of the seats: for
    the match before those at its end, by which the seats go round, for this match those at its beginning and its end.
    """
    outcome = end.outcome()
    drawn = any(chair.came is not None and chair.sat is None for chair in match.chairs)
    number, name = table_before(match.secret), _names()
    order = [] if before is None else [name(_who(chair)) for chair in before.chairs]
    began = [_began(match, chair) for chair in match.chairs]
    return {
        "game": game.slug,
        "rules": match.rules,
        "table": match.id,
        "options": match.options,
        "previous": None if drawn else {"table": number or match.previous or 0, "players": order},  # 0: it was deleted
        "season": None if season is None else _season(match, *season),
        "commitment": commitment(match.secret),
        "secret": match.secret,
        "seed": match.seed,
        "teams": list(game.teams(len(match.chairs), match.options)),
        "players": [
            {
                "name": name(who),
                "at_end": None if who == _who(chair) else name(_who(chair)),
                "came": chair.came,
                "sat": chair.sat,
                "cut": chair.cut,
                "team": chair.team,
            }
            for who, chair in zip(began, match.chairs, strict=True)
        ],
        "deals": [{"number": d.ordinal, "before": d.before, "after": d.after} for d in deals],
        "moves": [
            {
                "seat": m.seat,
                "move": m.text,
                "taken_back": m.undone_at is not None,
                "undone_at": m.undone_at,
                "turn": m.turn,
                "by": m.computer,
            }
            for m in log
        ],
        "outcome": None if outcome is None else outcome.to_json(),
    }


def _who(chair: Chair) -> tuple[int | None, str]:
    return chair.user, chair.name


def _began(match: Match, chair: Chair) -> tuple[int | None, str]:
    """Return who sat there when the match began: they have cut, and were listed in the lobby."""
    change = next((change for change in match.seat_changes if change.seat == chair.number), None)
    if change is None:
        return _who(chair)
    return (change.user, change.name) if change.kind.leaves else (None, change.computer)


def _names() -> Callable[[tuple[int | None, str]], str]:
    """Return what names people and computers: if two have the same name, the second one with a number."""
    taken = dict[str, int | str]()

    def name(who: tuple[int | None, str]) -> str:
        user, own = who
        if own == DEPARTED:
            return "departed"
        key = own if user is None else user
        names = (own if number == 1 else f"{own} ({number})" for number in count(1))
        found = next(each for each in names if taken.get(each, key) == key)
        taken[found] = key
        return found

    return name


def _season(match: Match, season: Season, table: SeasonTable) -> dict[str, Any] | None:
    """Return what shows that the match's secret follows from the season's, which stays secret as long as a match is
    dealt from it; None: an older version gave the table a secret of its own.
    """
    counts = range(season.restores + 1)
    made = (n for n in counts if table_secret(season.secret, table.round, table.number, n) == match.secret)
    restores = next(made, None)
    if restores is None:
        return None
    return {
        "commitment": commitment(season.secret),
        "secret": season.secret if season.tells_secret else None,
        "round": table.round,
        "table": table.number,
        "restores": restores,
    }
