"""Photosynthesis conserves pieces, tokens and light; its events account for every change."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.game import Event, Json
from rules.photosynthesis import types as game

REDEALS_DIFFER = 0
"""Nothing is hidden."""

IN_ALL = (6, 8, 4, 2)
SPACES = (4, 4, 3, 2)
PRICES = ((1, 1, 2, 2), (2, 2, 3, 3), (3, 3, 4), (4, 5))
PILES = [[14, 14, 13, 13, 13, 12, 12, 12, 12], [17, 16, 16, 14, 14, 13, 13], [19, 18, 18, 17, 17], [22, 21, 20]]


def check(state: Json) -> None:
    """No piece more than there are; large trees, which always find a space, all there; each token in one place."""
    for seat, (hand, own, light) in enumerate(zip(state["hands"], state["player_boards"], state["light"], strict=True)):
        assert 0 <= light <= 20
        for height, (total, spaces) in enumerate(zip(IN_ALL, SPACES, strict=True)):
            placed = sum(piece == [seat, height] for piece in state["board"].values())
            assert 0 <= own[height] <= spaces
            assert hand[height] >= 0
            assert hand[height] + own[height] + placed <= total
            assert height < 3 or hand[height] + own[height] + placed == total
    piles = [*PILES[:3], []] if state["seats"] == 2 else PILES
    taken = [token for tokens in state["tokens"] for token in tokens if token != [0, 0]]
    for leaves, (pile, left) in enumerate(zip(piles, state["piles"], strict=True), start=1):
        gone = [points for soil, points in taken if soil == leaves]
        assert sorted(gone + left, reverse=True) == pile
        assert left == pile[len(gone) :], "taken from the top"
    assert (state["round"] == 0) == (state["sunlight"] is None)
    assert (state["mover"] is None) == (state["outcome"] is not None)


def check_step(before: Json, events: Sequence[Event], after: Json) -> None:
    """A ledger kept by the events alone agrees with the state."""
    board = dict(before["board"])
    light = list(before["light"])
    hands, own = [list(hand) for hand in before["hands"]], [list(pieces) for pieces in before["player_boards"]]
    piles, tokens = [list(pile) for pile in before["piles"]], [list(taken) for taken in before["tokens"]]
    first, round_, mover = before["first"], before["round"], before["mover"]
    for event in events:
        match event:
            case game.Placed(seat, hex_):
                hands[seat][1] -= 1
                board[hex_] = [seat, 1]
                mover = (seat + 1) % before["seats"]
            case game.Bought(seat, kind, price):
                height = game.KINDS.index(kind)
                assert price == PRICES[height][SPACES[height] - own[seat][height]]
                light[seat] -= price
                own[seat][height] -= 1
                hands[seat][height] += 1
            case game.Planted(seat, origin, target):
                assert board[origin][0] == seat
                assert target not in board
                light[seat] -= 1
                hands[seat][0] -= 1
                board[target] = [seat, 0]
            case game.Grown(seat, hex_, height, returned):
                assert board[hex_] == [seat, height - 1]
                light[seat] -= height
                hands[seat][height] -= 1
                own[seat][height - 1] += returned
                assert returned or own[seat][height - 1] == SPACES[height - 1]
                board[hex_] = [seat, height]
            case game.Collected(seat, hex_, leaves, token, returned):
                assert board.pop(hex_) == [seat, 3]
                assert returned, "there is always a space for a large tree"
                own[seat][3] += 1
                light[seat] -= 4
                assert token.leaves <= leaves
                assert not any(piles[token.leaves : leaves])
                tokens[seat].append(list(token))
                if token.leaves:
                    assert piles[token.leaves - 1].pop(0) == token.points
            case game.TurnEnded(seat):
                assert seat == mover
                mover = (seat + 1) % before["seats"]
            case game.FirstPlayerPassed(seat):
                assert seat == (first + 1) % before["seats"]
                first = mover = seat
            case game.SunMoved(number, sun):
                assert (number, sun) == (round_ + 1, round_ % 6)
                round_ += 1
            case game.LightCollected(sunlight, now):
                round_ = sunlight.round
                earned = [0] * before["seats"]
                for hex_, amount in sunlight.earned:
                    assert board[hex_][1] == amount
                    earned[board[hex_][0]] += amount
                assert earned == list(sunlight.gained)
                assert [a + g - s for a, g, s in zip(light, earned, sunlight.lost, strict=True)] == list(now)
                light = list(now)
            case game.MatchWon(winners, finals):
                mover = None
                assert after["outcome"]["winners"] == list(winners)
                assert after["outcome"]["scores"] == [final.tokens + final.light for final in finals]
                for number, final in enumerate(finals):
                    assert final.tokens == sum(points for _, points in tokens[number])
                    assert final.light == light[number] // 3
                    assert final.on_board == sum(owner == number for owner, _ in board.values())
            case _:
                raise AssertionError(f"no account of {event}")
    assert {hex_: list(piece) for hex_, piece in board.items()} == after["board"]
    assert (light, hands, own) == (after["light"], after["hands"], after["player_boards"])
    assert (piles, tokens) == (after["piles"], after["tokens"])
    assert (first, round_, mover) == (after["first"], after["round"], after["mover"])
