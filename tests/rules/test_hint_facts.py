"""The facts of which hints are made are what a player sees and counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from random import Random
from typing import Any

import pytest

from rules import GAMES
from rules.core.coach import advise
from rules.core.game import Playout, Seat
from rules.core.records import margin
from rules.core.telling import NOTHING_TELLS
from rules.core.tricks import TrickTaken
from rules.full_circle import hints as full_circle
from rules.full_circle.types import DoubleMatched
from rules.full_sun import hints as full_sun
from rules.photosynthesis import hints as photosynthesis
from rules.sea_change import hints as sea_change
from rules.siege_of_sunfall import hints as siege
from tests.rules.naive_siege_of_sunfall import position as siege_position
from tests.rules.playing import play as play_cards
from tests.rules.playing_full_circle import position as circle_position
from tests.rules.playing_full_sun import position as sun_position
from tests.rules.playing_photosynthesis import play, position
from tests.rules.playing_siege_of_sunfall import reveal
from tests.rules.test_hints import compared, decisions


def test_an_open_last_card_is_kept_from_fitting_if_its_player_cannot_play_it() -> None:
    game, seen = GAMES["full_circle"], set()
    for state, seat in decisions(game, "shut", 300, 2):
        for move in [move for move in state.legal_moves(seat) if str(move).startswith("play")]:
            after: Any = state.apply(move)[0]
            if after.mover == 1 - seat and len(after.hands[1 - seat]) == 1 and after.round.number == state.round.number:
                told = full_circle.reasons(Playout(state, after, after, (), ()), move)
                shut = {str(reply) for reply in after.legal_moves(Seat(1 - seat))} <= {"draw", "pass"}
                assert (told.get("shut_one") == 1 - seat) == shut, (state, move)
                seen.add(shut)
    assert seen == {False, True}


def told_in_full_circle(begin: Any, text: str, *then: str) -> dict[str, float]:
    """The facts of seat 0's move, after which the others make these."""
    game = GAMES["full_circle"]
    move = game.parse(Seat(0), text)
    after, own = begin.apply(move)
    end, later = after, ()
    for seat, reply in enumerate(then, 1):
        end, later = end.apply(game.parse(Seat(seat), reply))
    return dict(full_circle.reasons(Playout(begin, after, end, own, later), move))


def test_the_facts_of_full_circle_are_what_a_player_counts() -> None:
    """The hand is Blue, Red-Blue and a wild; Yellow-Red lies in the top left, Red top right."""
    begin = circle_position("YR R - -", ("B RB W", "O O"))
    for text, expected in (
        ("play RB TR", {"points_shed": 8.0, "fitting": 2.0, "wild_kept": 1.0}),
        ("play W:Y BL", {"points_shed": 10.0, "fitting": 1.0, "wild_used": 1.0}),
    ):
        told = told_in_full_circle(begin, text)
        assert {
            key: told[key] for key in ("points_shed", "fitting", "wild_kept", "wild_used") if key in told
        } == expected


def test_a_wild_is_kept_used_or_given_away() -> None:
    """Blue, Red-Blue and a wild in the hand; the other player has two cards."""
    begin = circle_position("YR R - -", ("B RB W", "O O"), phase="full")
    for text, expected in (
        ("play RB TR", {"wild_kept": 1.0}),
        ("play W:Y BL", {"wild_used": 1.0}),
        ("give RB 1", {"wild_kept": 1.0, "gift": 3.0}),
        ("give W 1", {"wild_given": 1.0, "gift": 3.0}),
    ):
        told = told_in_full_circle(begin, text)
        assert {key: told[key] for key in ("wild_kept", "wild_used", "wild_given", "gift") if key in told} == expected


def test_a_wild_is_not_kept_for_later_if_an_open_last_card_fits() -> None:
    """The round is over before the next turn."""
    seen = set()
    for begin in [circle_position("YR R - -", ("B RB W G", card, "O O")) for card in ("R", "P")]:
        for move in begin.legal_moves(Seat(0)):
            after: Any = begin.apply(move)[0]
            if after.mover == 1:
                ends = any(str(reply).startswith("play") for reply in after.legal_moves(Seat(1)))
                told = full_circle.reasons(Playout(begin, after, after, (), ()), move)
                assert ("wild_kept" in told or "wild_used" in told) != ends, move
                seen.add(ends)
    assert seen == {False, True}


def test_if_another_player_goes_out_their_total_tells() -> None:
    begin = circle_position("YR R - -", ("B RB W", "R", "O O"), totals=[4, 20, 8])
    told = told_in_full_circle(begin, "play RB TR", "play R TL")
    assert {key: told[key] for key in ("next_over", "points_left", "victor")} == {
        "next_over": 1.0,
        "points_left": 14.0,
        "victor": 20.0,
    }


def test_a_play_that_ends_the_round_says_so_and_nothing_of_cards_in_hand() -> None:
    begin = circle_position("YR R - -", ("RB", "O O"))
    assert told_in_full_circle(begin, "play RB TR") == {"next_out": 1.0, "rivals_left": 8.0}


def test_a_double_match_is_told_if_a_card_can_follow_it() -> None:
    game, seen = GAMES["full_circle"], set()
    for state, seat in decisions(game, "double", 150, 2):
        for move in state.legal_moves(seat):
            after, own = state.apply(move)
            if any(isinstance(event, DoubleMatched) for event in own):
                follows = any(str(reply).startswith("play") for reply in after.legal_moves(seat))
                told = full_circle.reasons(Playout(state, after, after, own, ()), move)
                assert ("extra_double" in told) == ("extra_soon" in told) == follows, (state, move)
                seen.add(follows)
    assert seen == {False, True}


def test_of_several_wilds_keeping_one_is_no_fact() -> None:
    for hand, told in (("B RB W", {"wild_kept"}), ("B RB W W", set())):
        begin = circle_position("YR R - -", (hand, "O O"))
        found = told_in_full_circle(begin, "play RB TR")
        assert {key for key in found if key.startswith("wild")} == told


def test_a_0_that_counts_is_given_away_with_its_card() -> None:
    game, seen = GAMES["sea_change"], set()
    for state, seat in decisions(game, "zeros", 60, 3):
        for move in [move for move in state.legal_moves(seat) if str(move).endswith("0") and "1" not in str(move)]:
            after, own = state.apply(move)
            end: Any = after
            later = list[Any]()
            while end.outcome() is None and end.round.number == state.round.number:
                end, events = end.apply(game.rollout_move(end, min(end.to_move()), 7))
                later += events
            card = str(move).removeprefix("play ")
            taken = next(event for event in (*own, *later) if isinstance(event, TrickTaken) and card in event.cards)
            spent = taken.winner != seat and end.round.last.trump == card[0]
            seen.add(spent)
            assert ("zero_lost" in sea_change.reasons(Playout(state, after, end, own, later), move)) == spent
    assert seen == {False, True}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plant D5 D4", {"soil": 3, "sprout": 4, "ready": 1, "light": 8}),
        ("grow D5", {"soil": 3, "ahead": 30, "light": 8}),
        ("collect G1", {"large": 0, "ahead": 6, "light": 2, "token": 14}),
        ("buy medium", {"light": 6}),
        ("buy large", {"light": 5}),
    ],
)
def test_the_facts_of_a_turn_are_what_it_changes(text: str, expected: dict[str, int]) -> None:
    """A small tree on D5 and a large one on G1, 5 light, and 4 of these trees for the next round. Two suns of six leave
    D4 in their shadow; a seed there can grow with what is in the hand, and so can the tree on D5, but not with one
    medium tree more.
    """
    without = {"shade": 0, "large": 1, "ready": 0, "ahead": 24, "token": 0}
    assert facts_of_a_turn(position("D5=O1 G1=O3", light=[5, 5]), text) == without | expected


def facts_of_a_turn(begin: Any, text: str) -> dict[str, int]:
    move = GAMES["photosynthesis"].parse(Seat(0), text)
    after, events = play(begin, text, "end")
    own = [event for event in events if getattr(event, "seat", None) == 0]
    return {
        key: round(fact)
        for key, fact in photosynthesis.reasons(Playout(begin, after, after, own, over(after)), move).items()
    }


def test_soil_counts_by_its_leaves() -> None:
    """Among two players, the centre counts as soil of 3 leaves."""
    for seats, leaves in ((2, 3), (3, 4)):
        assert facts_of_a_turn(position("D5=O1", seats), "plant D5 D4")["soil"] == leaves


def test_a_card_that_keeps_a_rival_from_winning_the_match_is_advised() -> None:
    """If seat 2 leads its Sycamore it scores, but seat 0, at 2 points of 3, keeps its Redbud and wins the match."""
    begin = sun_position(["R1 S2", "L5 L6", "R2 S6"], (2, 3, 1), points=[2, 0, 0], leader=2)
    best, other = advise(GAMES["full_sun"], begin, Seat(2), "rival")
    assert best.move.card == "R2" and best.outlook["win"] > other.outlook["win"] == 0
    assert best.outlook["scores"] == 0 and other.outlook["scores"] > 0.4  # the numbers of the other cards are unknown


@pytest.mark.parametrize(("kind", "turns"), [("seed", 5), ("small", 4), ("medium", 3), ("large", 2)])
def test_a_piece_is_bought_too_late_if_no_turn_is_left_to_harvest_it(kind: str, turns: int) -> None:
    """A seed that is bought is planted in the next turn, grows in three more and is collected in one."""
    for number, late in ((18 - turns, False), (19 - turns, True)):
        begin = position("D5=O1", round=number)
        assert ("late" in facts_of_a_turn(begin, f"buy {kind}")) == late


def test_light_is_counted_for_six_rounds_or_until_the_end() -> None:
    """One small tree gives one light in each round."""
    for number, told, left in ((12, "ahead", 6), (13, "rest", 5), (17, "rest", 1)):
        facts = facts_of_a_turn(position("D5=O1", round=number), "buy seed")
        assert {key: facts[key] for key in ("ahead", "rest") if key in facts} == {told: left}


def over(state: Any) -> list[Any]:
    """Return the events until the match is over: no player does any more."""
    events: list[Any] = []
    while state.to_move():
        state, more = play(state, "end")
        events += more
    return events


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_lead_is_that_over_the_best_other_player(seats: int) -> None:
    """Of a match that is over it is the difference of the scores."""
    game = GAMES["photosynthesis"]
    state: Any
    state, seat = next(decisions(game, f"lead {seats}", 1, seats))
    move = state.legal_moves(seat)[0]
    while state.to_move():
        state, _ = state.apply(game.rollout_move(state, min(state.to_move()), 7))
    outcome = state.outcome()
    assert outcome is not None
    told = photosynthesis.outlook(Playout(state, state, state, (), ()), move)
    assert told == pytest.approx({"lead": margin(seat, outcome.scores), "end": outcome.scores[seat]})


def test_of_first_trees_their_light_is_told_and_of_other_turns_points_only_once_they_are_certain() -> None:
    """An estimate of the points is some 30 too low in the first revolution, and some 20 too high in the second."""
    state = GAMES["photosynthesis"].new(2, {}, "first trees")
    assert {*advise(GAMES["photosynthesis"], state, Seat(0), "light")[0].outlook.items()} == {("ahead", 6.0)}
    for number, told in ((14, {"lead"}), (16, {"lead", "end"}), (18, {"lead", "end"})):
        begin = position("D5=O1 G1=O3", round=number)
        assert advise(GAMES["photosynthesis"], begin, Seat(0), "end")[0].outlook.keys() == told


@pytest.mark.parametrize(
    ("card", "pledges", "expected"),
    [
        ("swords 6", (2, 2, 2, 0), {"wall_holds": 1.0, "wall_safe": 10.0}),
        ("swords 6", (0, 3, 2, 1), {"wall_holds": 1.0, "wall_free": 1.0, "wall_safe": 12.0}),
        ("swords 6", (3, 1, 1, 1), {"wall_holds": 1.0, "wall_safe": 9.0, "card_won": 1.0}),
        ("swords 6", (1, 0, 1, 1), {"wall_spared": 1.0, "wall_safe": 11.0}),
        ("swords 6", (0, 1, 1, 1), {"wall_out": 1.0}),
        ("bow 6", (3, 1, 1, 1), {"wall_holds": 1.0, "wall_safe": 9.0, "card_second": 1.0}),
        ("helmet 6", (3, 1, 1, 1), {"wall_holds": 1.0, "wall_safe": 9.0, "card_set": 1.0}),
        ("gold", (0, 1, 0, 0), {"kept": 12.0}),
        ("gold", (1, 2, 0, 0), {"card_dear": 1.0, "card_vain": 1.0, "kept": 11.0}),
        ("gold", (2, 1, 0, 0), {"card_dear": 1.0, "card_won": 1.0, "kept": 10.0}),
        ("gold", (7, 1, 3, 0), {"card_dear": 4.0, "card_won": 1.0, "kept": 5.0}),
        ("crown", (2, 1, 0, 0), {"crown_dear": 1.0, "crown_won": 1.0, "kept": 10.0}),
        ("crown", (1, 2, 0, 0), {"crown_dear": 1.0, "crown_vain": 1.0, "kept": 11.0}),
    ],
)
def test_the_facts_of_a_pledge_are_what_comes_of_it(
    card: str, pledges: tuple[int, ...], expected: dict[str, float]
) -> None:
    """Seat 0 holds a bow and two helmets; seat 1 is King."""
    begin = siege_position(4, card, held={0: ["bow 2", "helmet 3", "helmet 4"]}, pile=("swords 9", "end"), king=1)
    move = GAMES["siege_of_sunfall"].parse(Seat(0), f"pledge {pledges[0]}")
    after, events = reveal(begin, *pledges)
    assert siege.reasons(Playout(begin, after, after, events, ()), move) == expected


def test_what_means_nothing_is_not_told_as_well() -> None:
    """That the crown goes with a player who is out, and a gold card in the last round."""
    for card, number, pledges, expected in (
        ("swords 6", 2, (0, 1, 1, 1), {"wall_out"}),
        ("swords 6", 2, (3, 1, 1, 1), {"wall_holds", "wall_safe", "card_won"}),
        ("gold", 5, (2, 1, 0, 0), {"card_dear", "kept"}),
    ):
        begin = siege_position(4, card, pile=("swords 9", "end"), king=0, round=number)
        move = GAMES["siege_of_sunfall"].parse(Seat(0), f"pledge {pledges[0]}")
        after, events = reveal(begin, *pledges)
        assert {*siege.reasons(Playout(begin, after, after, events, ()), move)} == expected


def test_a_king_learns_whose_set_the_card_completes() -> None:
    begin = siege_position(4, "bow 6", pile=("swords 9", "end"), held={2: ["bow 2", "bow 3"]}, armies=(0, 5, 3, 0))
    begin, _ = reveal(begin, 0, 3, 3, 0)
    for text, expected in (("award 1", {"rival": 5.0}), ("award 2", {"rival": 3.0, "rival_set": 1.0})):
        move = GAMES["siege_of_sunfall"].parse(Seat(0), text)
        after, events = begin.apply(move)
        assert siege.reasons(Playout(begin, after, after, events, ()), move) == expected


def test_the_tricks_from_this_one_on_and_their_8s_are_those_of_the_side() -> None:
    game, seen = GAMES["sea_change"], 0
    for state, seat in decisions(game, "later", 40, 4):
        begin: Any = state
        move = state.legal_moves(seat)[-1]
        end, own = begin.apply(move)
        later = list[Any]()
        while end.outcome() is None and end.round.number == begin.round.number:
            end, events = end.apply(game.rollout_move(end, min(end.to_move()), 7))
            later += events
        tricks = [event for event in (*own, *later) if isinstance(event, TrickTaken)]
        mine = [trick.cards for trick in tricks if trick.winner == seat]
        later_ones = mine[tricks[0].winner == seat :]  # the points of this trick tell of its 8s
        told = sea_change.reasons(Playout(begin, begin, end, own, later), move)
        assert told["trick_count"] == len(mine)
        assert told["eights"] == sum(card[1:] == "8" for cards in later_ones for card in cards)
        seen += told["eights"] > 0
    assert seen


def test_a_trick_that_another_takes_is_no_reason_for_a_score_that_needs_more_tricks() -> None:
    """Two tricks are left. Seat 0 loses the first of them; the Redbud with which it ends needs two tricks."""
    game = GAMES["full_sun"]
    for won, last, expected in (((1, 2, 3), "R7", -1.0), ((2, 2, 2), "R1", 1.0), ((0, 3, 3), "R7", 0.0)):
        begin: Any = sun_position([f"B1 {last}", "B6 S1", "S2 S3"], won)
        state, events = play_cards(begin, f"B1 B6 S2 S1 S3 {last}")
        told = full_sun.reasons(Playout(begin, state, state, events, ()), game.parse(Seat(0), "play B1"))
        assert told["trick_lost"] == expected


def test_in_full_sun_it_counts_who_else_scores_and_wins() -> None:
    """The last trick: seat 0 leads a Beech, and has taken one trick. Seat 1 has 2 points of 3."""
    for cards, expected in (
        ("B7 R1 S1", {"trick_won": 0.0, "others": 1.0, "lost": 1.0}),
        ("B1 R7 S1", {"trick_lost": 1.0, "others": 0.0, "lost_not": 1.0, "end_B": 1.0}),
    ):
        begin: Any = sun_position(cards.split(), (1, 2, 4), points=[0, 2, 0])
        state, events = play_cards(begin, cards)
        move = GAMES["full_sun"].parse(Seat(0), f"play {cards.split()[0]}")
        assert full_sun.reasons(Playout(begin, state, state, events, ()), move) == expected


def ways_on(game: Any, state: Any, seat: Seat, move: Any, seed: str) -> Iterator[Playout[Any]]:
    """Yield how it may go on after the move, whatever the others hold and do: they play any legal move."""
    random = Random(seed)
    for number in range(12):
        begin = state.redeal_unseen(seat, f"{seed} {number}")
        own: list[Any] = []
        later: list[Any] = []
        after = begin
        sealed = [random.choice(begin.legal_moves(other)) for other in sorted(begin.to_move()) if other != seat]
        for made in (*sealed, move):
            after, events = after.apply(made)
            own += events
        end = after
        while end.to_move() and game.goes_on(begin, end):
            end, events = end.apply(random.choice(end.legal_moves(min(end.to_move()))))
            later += events
        yield Playout(begin, after, end, own, later)


@pytest.mark.parametrize(
    ("slug", "seen"),
    [
        ("full_sun", {"trick_won", "trick_lost"}),
        ("sea_change", {"trick_lost"}),
        ("full_circle", {"next_out", "next_over"}),
        ("siege_of_sunfall", {"wall_safe", "wall_holds"}),
    ],
)
def test_what_is_certain_comes_about_whatever_the_others_hold_and_do(slug: str, seen: set[str]) -> None:
    """What the game calls certain of a move either comes about in all ways on, or in none; and these are called so
    before the trick or the round is over with the move.
    """
    game, early = GAMES[slug], set[str]()
    for number, (state, seat) in enumerate(decisions(game, f"certain {slug}", 40)):
        for move in state.legal_moves(seat)[:6]:
            ways = [*ways_on(game, state, seat, move, f"{number} {move}")]
            facts = [game.reasons(way, move) for way in ways]
            called = frozenset.intersection(*[frozenset(game.certain(way, move)) for way in ways])
            for key in called & {key for told in facts for key in told}:
                assert all(key in told for told in facts), (number, str(move), key, facts)
                if not any(isinstance(event, TrickTaken) for way in ways for event in way.own):
                    early.add(key)
    assert seen <= early


def test_what_pulls_the_other_way_is_no_reason() -> None:
    """Such as that the others repel the attack, if mostly they do not; a trick that is lost and yet needed; or a number
    that is poor alone.
    """
    holds, out = cycle([1.0, 0.0, 0.0, 0.0]), cycle([0.0, 1.0, 1.0, 1.0])
    wall = {"wall_holds": 1, "wall_out": -1}
    for good, leanings in (
        ({"wall_holds": holds, "wall_out": out}, wall),
        ({"trick_lost": -1.0}, {}),
        ({"left": 2.0}, {"left": 0.4}),
    ):
        (told, _) = compared(({"win": 0.5}, good), ({"win": 0.2}, {}), leanings=leanings)
        assert [reason.key for reason in told.reasons] == [NOTHING_TELLS]
    (told, _) = compared(({"win": 0.5}, {"wall_holds": 1.0}), ({"win": 0.2}, {"wall_out": 1.0}), leanings=wall)
    assert [reason.key for reason in told.reasons] == ["wall_holds"]


def test_what_merely_happens_is_no_reason_if_the_aim_is_reached_more_often_otherwise() -> None:
    """Such as a trick, if the player scores less often when it is taken."""
    for often, expected in ((0.2, NOTHING_TELLS), (0.9, "trick_won")):
        facts = [{"score": cycle([1.0, 1.0, 0.0]), "trick_won": cycle([won, 0.0])} for won in (often, 0.0)]
        (told, _) = compared(({"win": 0.5}, facts[0]), ({"win": 0.2}, facts[1]), leanings={"score": 0})
        assert [reason.key for reason in told.reasons] == [expected]


def test_a_trick_of_no_worth_is_no_reason() -> None:
    """Neither that it is taken, nor that with another move an opponent takes it."""
    leanings = {"trick_won": 1, "trick_lost": -1}
    for points, expected in ((0.1, [NOTHING_TELLS]), (-0.4, [NOTHING_TELLS]), (1.0, ["trick_won"])):
        (told, _) = compared(({"win": 0.5}, {"trick_won": points}), ({"win": 0.2}, {}), leanings=leanings)
        assert [reason.key for reason in told.reasons] == expected
    for points, expected in ((0.1, [NOTHING_TELLS]), (1.0, ["trick_lost"])):
        (told, _) = compared(({"win": 0.5}, {}), ({"win": 0.2}, {"trick_lost": points}), leanings=leanings)
        assert [reason.key for reason in told.reasons] == expected


def test_touching_cards_of_a_hand_are_the_same_advice() -> None:
    """With each of them the same player takes the trick, whatever the others hold and play."""
    game, twins = GAMES["full_sun"], 0
    for number, (state, seat) in enumerate(decisions(game, "twins", 120)):
        begin: Any = state
        alike: dict[object, list[Any]] = {}
        for move in begin.legal_moves(seat):
            alike.setdefault(game.likeness(begin, move), []).append(move)
        for moves in alike.values():
            for deal in range(6 if moves[1:] else 0):
                takers = set()
                for move in moves:
                    random, ends = Random(f"{number} {deal}"), begin.redeal_unseen(seat, f"{number} {deal}")
                    ends, events = ends.apply(move)
                    while not any(isinstance(event, TrickTaken) for event in events):
                        ends, events = ends.apply(random.choice(ends.legal_moves(ends.mover)))
                    takers.add(next(event.winner for event in events if isinstance(event, TrickTaken)))
                assert len(takers) == 1, (number, [*map(str, moves)])
                twins += 1
    assert twins > 60


def test_of_touching_cards_one_is_advised() -> None:
    """Seat 0 leads. A Redbud 2 lies between its 1 and its 3, none between its 3 and its 4."""
    game, begin = GAMES["full_sun"], sun_position(["R1 R3 B5 R4", "B1 S6 R7", "S2 S3 R2"], (2, 2, 1))
    for told in (game, replace(game, likeness=lambda state, move: move)):
        cards = [advised.move.card for advised in advise(told, begin, Seat(0), "touching")]
        assert ({"R3", "R4"} <= {*cards}) == (told is not game), cards
    likes = [game.likeness(begin, move) for move in begin.legal_moves(Seat(0))]
    assert len({*likes}) == 3, "B5, R1, and the other two"


def test_a_number_stands_beside_one_that_comes_about_about_as_often() -> None:
    for share, otherwise in ((cycle([-1.0, 0.0]), -1.0), (cycle([-1.0, *[0.0] * 9]), -3.0)):
        told, _ = compared(({"win": 0.5}, {"trick": -3.0}), ({"win": 0.2}, {"trick": share}), leanings={"trick": -1})
        assert [(reason.key, reason.number_otherwise) for reason in told.reasons] == [("trick", otherwise)]
