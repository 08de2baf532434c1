"""Siege of Sunfall a second time: set-up of positions, and one card's pledges resolved by a deliberately naive reading.

`position` sets up a position through the game's documented JSON. `resolve` and `decide` follow the sentences of
rulings K3 to K11 one by one, share nothing with `rules/siege_of_sunfall`, and know of no rounds. `compare` plays
random pledges on random positions with both. More positions than the tests take:

    python -m tests.rules.naive_siege_of_sunfall 100000 "some seed"
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from rules.core.game import Seat
from rules.siege_of_sunfall import GAME
from rules.siege_of_sunfall.types import Award, Phase, Pledge

CARDS = {3: 8, 4: 10, 5: 10, 6: 12}
STARTING_COINS = {3: 12, 4: 12, 5: 10, 6: 10}
ROUNDS = {3: 6, 4: 5, 5: 5, 6: 4}
REPELLED = ("swords", "helmet", "bow")
STRENGTHS = (2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10)


def whole_deck() -> list[str]:
    """The 51 cards of the rules page, by notation."""
    return [f"{kind} {strength}" for kind in REPELLED for strength in STRENGTHS] + [
        kind for kind in ("boost", "gold", "armies", "crown") for _ in range(3)
    ]


def position(
    seats: int = 4,
    card: str = "swords 6",
    *,
    pile: Sequence[str] = ("bow 2", "end"),
    undealt: Sequence[str] = (),
    coins: Sequence[int] | None = None,
    armies: Sequence[int] | None = None,
    held: dict[int, Iterable[str]] | None = None,
    out: Iterable[int] = (),
    king: int = 0,
    round: int = 2,  # noqa: A002 - the rules' own word
) -> Any:
    """A position in which `card` is faced and no player has sealed. All 51 cards are in it, each once.

    `pile` is what is left of it, next card first; `undealt` names only the first cards of the next piles.
    """
    rest = whole_deck()
    mine = {seat: list(cards) for seat, cards in (held or {}).items()}
    for named in [card, *pile, *undealt, *(c for cards in mine.values() for c in cards)]:
        if named != "end":
            rest.remove(named)
    behind = len(whole_deck()) - round * CARDS[seats] - len(undealt)
    assert 0 <= behind <= len(rest), "too many cards for this round"
    data = GAME.new(seats, {}, "a position").to_json()
    data |= {
        "deals": round + 1,
        "phase": "pledge",
        "round": round,
        "card": card,
        "card_number": CARDS[seats] - (len(pile) - 1),
        "pile": list(pile),
        "undealt": [*undealt, *rest[:behind]],
        "discard": rest[behind:],
        "coins": list(coins or [STARTING_COINS[seats]] * seats),
        "armies": list(armies or [0] * seats),
        "held": [mine.get(seat, []) for seat in range(seats)],
        "alive": [seat not in set(out) for seat in range(seats)],
        "king": king,
        "sealed": [None] * seats,
        "seals": [0] * seats,
    }
    return GAME.from_json(json.loads(json.dumps(data)))


@dataclass
class Table:
    """What lies on the table, and what the last pledges did to it."""

    card: str
    king: int
    alive: list[bool]
    coins: list[int]
    armies: list[int]
    held: list[dict[str, int]]
    """Cards in front of each seat, counted by kind."""
    total: int = 0
    repelled: bool | None = None
    eliminated: list[int] = field(default_factory=list)
    taker: int | None = None
    choice: list[int] = field(default_factory=list)
    """Among whom the King decides; empty where nothing is to be decided."""


def left_of(table: Table, seat: int) -> int:
    """K7: the next seat clockwise still in the round; where no player is, the next seat."""
    seats = len(table.alive)
    for step in range(1, seats):
        if table.alive[(seat + step) % seats]:
            return (seat + step) % seats
    return (seat + 1) % seats


def resolve(before: Table, pledges: dict[int, tuple[int, int]]) -> Table:
    """The table after the pledges (coins, boosts) of all survivors were opened, up to a decision of the King."""
    table = deepcopy(before)
    worth = {}
    for seat, (coins, boosts) in pledges.items():
        worth[seat] = coins
        for _ in range(boosts):
            worth[seat] = worth[seat] + 2
        table.coins[seat] -= coins
        table.held[seat]["boost"] -= boosts
    table.total = sum(worth.values())
    most, least = max(worth.values()), min(worth.values())
    highest = [seat for seat in worth if worth[seat] == most]
    kind, _, strength = table.card.partition(" ")

    if kind in REPELLED:
        table.repelled = not table.total < int(strength)
        if not table.repelled:
            table.eliminated = [seat for seat in worth if worth[seat] == least]
            for seat in table.eliminated:
                table.alive[seat] = False
            if not table.alive[table.king]:
                table.king = left_of(table, table.king)
            return table
    elif most == 0:
        return table

    if len(highest) == 1:
        take(table, highest[0])
    elif kind == "crown" and table.king in highest:
        table.choice = sorted({seat for seat in highest if seat != table.king} | {left_of(table, table.king)})
    else:
        table.choice = highest
    return table


def decide(before: Table, to: int) -> Table:
    """The table after the King awarded the card, or the crown, to `to`."""
    table = deepcopy(before)
    table.choice = []
    kings_own = to == table.king
    take(table, to)
    if kings_own:  # K6: never with Take the Crown, which the King cannot give to himself
        table.king = left_of(table, table.king)
    return table


def take(table: Table, seat: int) -> None:
    kind = table.card.split(" ")[0]
    table.taker = seat
    if kind == "crown":
        table.king = seat
    elif kind == "armies":
        table.armies[seat] += 3
    else:
        table.held[seat][kind] += 1
        if kind in REPELLED and table.held[seat][kind] == 3:
            table.held[seat][kind] = 0
            table.armies[seat] += 1
            table.coins[seat] += 5


def table_of(state: Any) -> Table:
    """What the game shows to everybody, as a Table."""
    view = state.view(None)
    return Table(
        card=str(view.card),
        king=view.king,
        alive=list(view.alive),
        coins=list(view.coins),
        armies=list(view.armies),
        held=[held._asdict() for held in view.held],
    )


def random_position(dice: random.Random) -> Any:
    """A position before a card's pledges: few coins, so that ties, failures and zeros are common."""
    seats = dice.randint(3, 6)
    deck = whole_deck()
    dice.shuffle(deck)
    card = deck.pop()
    if dice.random() < 0.3:
        card, deck = next((c, [card, *deck[:i], *deck[i + 1 :]]) for i, c in enumerate(deck) if c in ("crown", "boost"))
    pile = [deck.pop(), deck.pop(), "end"]
    held: dict[int, list[str]] = {seat: [] for seat in range(seats)}
    for _ in range(dice.randint(0, 2 * CARDS[seats] - 3)):
        taken, seat = deck.pop(), dice.randrange(seats)
        kind = taken.split(" ")[0]
        of_kind = sum(c.startswith(kind) for c in held[seat])
        if kind in ("boost", "gold") or (kind in REPELLED and of_kind < 2):
            held[seat].append(taken)
    out = dice.sample(range(seats), min(dice.randint(0, seats - 1), dice.randint(0, seats - 1)))
    king = dice.choice([seat for seat in range(seats) if seat not in out])
    coins = [dice.randint(0, dice.choice((2, 5, 9))) for _ in range(seats)]
    armies = [dice.randint(0, 9) for _ in range(seats)]
    return position(seats, card, pile=pile, coins=coins, armies=armies, held=held, out=out, king=king)


def compare(positions: int = 1_000, seed: str = "siege of sunfall") -> dict[str, int]:
    """Play random pledges on that many positions with both; AssertionError where they differ. Counts what occurred."""
    print(f"naive_siege_of_sunfall: {positions} positions, seed {seed!r}")
    seen = dict.fromkeys(
        ("repelled", "failed", "all out", "king out", "awards", "crown passed", "sets", "discarded"), 0
    )
    for number in range(positions):
        dice = random.Random(f"{seed}:{number}")
        state = random_position(dice)
        table = table_of(state)
        survivors = [seat for seat, alive in enumerate(table.alive) if alive]
        pledges = {
            seat: (dice.randint(0, table.coins[seat]), dice.randint(0, table.held[seat]["boost"])) for seat in survivors
        }
        for seat in dice.sample(survivors, len(survivors)):
            state, _ = state.apply(Pledge(Seat(seat), *pledges[seat]))
        king, armies, what = table.king, sum(table.armies), f"position {number} of seed {seed!r}: {table}, {pledges}"
        table = resolve(table, pledges)
        _count(seen, table, king)
        if table.choice:
            assert state.view(None).phase is Phase.AWARD, what
            assert sorted(state.view(None).award_to) == table.choice, what
            _same_table(state, table, what)
            to = dice.choice(table.choice)
            king = table.king
            state, _ = state.apply(Award(Seat(king), Seat(to)))
            table = decide(table, to)
            seen["crown passed"] += to == king
        seen["sets"] += sum(table.armies) == armies + 1
        _same_reveal(state.view(None).last_reveal, table, what)
        if any(table.alive):
            _same_table(state, table, what)
        else:  # the round has ended and the next begun: the crown is what stays
            assert state.view(None).round == 3, what
            assert state.view(None).king == table.king, what
    return seen


def _count(seen: dict[str, int], table: Table, king: int) -> None:
    seen["repelled"] += table.repelled is True
    seen["failed"] += table.repelled is False
    seen["all out"] += not any(table.alive)
    seen["king out"] += king in table.eliminated
    seen["awards"] += bool(table.choice)
    seen["discarded"] += table.repelled is None and table.taker is None and not table.choice


def _same_reveal(reveal: Any, table: Table, what: str) -> None:
    assert reveal.total == table.total, what
    assert reveal.repelled == table.repelled, what
    assert sorted(reveal.eliminated) == table.eliminated, what
    assert reveal.taker == table.taker, what


def _same_table(state: Any, table: Table, what: str) -> None:
    now = table_of(state)
    for name in ("king", "alive", "coins", "armies", "held"):
        assert getattr(now, name) == getattr(table, name), f"{name}: {what}"


if __name__ == "__main__":
    print(compare(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000, sys.argv[2] if len(sys.argv) > 2 else "sunfall"))
