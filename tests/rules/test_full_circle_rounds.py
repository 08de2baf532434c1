"""Full Circle, ruling by ruling: the last card, the end of a round and of the game, who sees what (F12 to F17)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rules.core.game import AnyState, Event, Refusal, Seat
from rules.full_circle import GAME
from rules.full_circle.types import (
    CardDrawn,
    CardGiven,
    GameWon,
    LastCard,
    Passed,
    PileRenewed,
    RoundBegan,
    RoundScored,
    TrapEnded,
    Unplayable,
)
from tests.rules.playing import only, some
from tests.rules.playing_full_circle import DECK, FILLER, PLAY_OFF, RED, SPRINGS, do, legal, mover, position, refused

# --- F12: the last card


def test_F12_the_last_card_lies_open() -> None:
    state, events = do(position("RB - - -", ["BY GP", "G O"], pile=FILLER), "play BY TR")
    assert only(events, LastCard) == LastCard(Seat(0), "GP")
    assert all(state.view(viewer).open_cards == ("GP", None) for viewer in (None, 0, 1))


def test_F12_it_goes_back_when_a_second_joins_it() -> None:
    state = position("RB - - -", ["P", "G O"], pile="GO")
    assert state.view(None).open_cards == ("P", None)
    state, _ = do(state, "draw")
    assert state.view(None).open_cards == (None, None)
    state, _ = do(position("RB BO YG -", ["GP BR O", "G", "R R"]), "play GP BL; give BR 1")
    assert state.view(None).open_cards == ("O", None, None)


def test_F12_who_gives_down_to_one_shows_it() -> None:
    _, events = do(position("RB BO YG -", ["GP BR O", "G G"]), "play GP BL; give BR 1")
    assert only(events, LastCard) == LastCard(Seat(0), "O")


# --- F13: the pile runs out


def test_F13_the_covered_cards_become_the_pile() -> None:
    state = position("Y/W:G/RB O/BY - -", ["P", "G"], marker="TR")
    state, events = do(state, "draw")
    assert only(events, PileRenewed).cards == 3
    assert state.to_json()["circle"] == [["RB"], ["BY"], [], []]
    drawn = only(events, CardDrawn)
    assert Counter([drawn.card, *state.to_json()["pile"]]) == Counter(["Y", "W", "O"])


def test_F13_every_covered_card_is_drawn_in_the_end() -> None:
    data = position("G/GO/OG/RB BY - -", ["P", "PO"], marker="TR").to_json()
    first = [do(GAME.from_json(data | {"seed": f"{n}"}), "draw")[1] for n in range(20)]
    assert {only(events, CardDrawn).card for events in first} == {"G", "GO", "OG"}


def test_F13_who_draws_in_a_trap_draws_from_the_new_pile() -> None:
    trap = {"colour": "R", "setter": 0}
    state = position("O/RB OR RG YR", ["G G", "BO P", "G G"], mover=1, trap=trap)
    state, events = do(state, "draw")
    assert only(events, PileRenewed).cards == 1
    assert only(events, CardDrawn) == CardDrawn(Seat(1), "O", True)
    assert (mover(state), state.view(None).pile) == (2, 0)


def test_F13_without_pile_or_covered_cards_one_passes() -> None:
    state = position("RB - - -", ["P", "BY G"])
    assert legal(state) == {"pass"}
    assert refused(state, "draw").reason is Unplayable.NOTHING_TO_DRAW
    state, events = do(state, "pass")
    assert only(events, Passed).seat == 0
    assert not some(events, RoundScored)
    assert refused(state, "pass").reason is Unplayable.CAN_PLAY


def test_F13_no_player_passes_who_can_draw() -> None:
    assert refused(position("RB - - -", ["P", "G"], pile="GO"), "pass").reason is Unplayable.CAN_DRAW
    assert refused(position("O/RB - - -", ["P", "G"]), "pass").reason is Unplayable.CAN_DRAW


def test_F13_all_passing_in_a_row_ends_the_round_without_winner() -> None:
    _, events = do(position("RB - - -", ["P", "G RP", "OP"], starter=1), "pass; pass; pass")
    result = only(events, RoundScored).result
    assert result.winner is None
    assert result.totals == (4, 12, 8)
    assert only(events, RoundBegan).starter == 2


def test_F13_a_play_between_breaks_the_row() -> None:
    state, events = do(position("RB - - -", ["P P", "BY G"]), "pass; play BY TR; pass")
    assert not some(events, RoundScored)
    state, events = do(state, "pass")
    assert only(events, RoundScored).result.winner is None


def test_F13_who_can_neither_obey_a_trap_nor_draw_passes() -> None:
    state = position(RED, ["G G", "BO P"], mover=1, trap={"colour": "R", "setter": 0})
    assert legal(state) == {"pass"}
    state, events = do(state, "pass")
    assert only(events, TrapEnded).freed is False
    assert mover(state) == 0


# --- F14: the round is won


def test_F14_the_last_card_played_wins_at_once() -> None:
    state, events = do(position("RB - YG -", ["BY", "G"], pile=FILLER), "play BY TR")
    assert only(events, RoundScored).result.winner == 0
    assert (state.view(None).round, state.view(None).phase, mover(state)) == (2, "turn", 0)


def test_F14_giving_the_last_card_away_wins() -> None:
    _, events = do(position("RB BO YG -", ["GP BR", "G", "R"]), "play GP BL; give BR 2")
    result = only(events, RoundScored).result
    assert result.winner == 0
    assert [sorted(hand) for hand in result.hands] == [[], ["G"], ["BR", "R"]]
    assert result.points == (0, 4, 12)


def test_F14_a_full_circle_with_the_last_card_leaves_nothing_to_give() -> None:
    state, events = do(position("RB BO YG -", ["GP", "G", "R"]), "play GP BL")
    assert only(events, RoundScored).result.winner == 0
    assert state.view(None).round == 2


def test_F14_a_drawn_card_does_not_empty_a_hand() -> None:
    state, events = do(position("RB - - -", ["P", "G"], pile="BY"), "draw; play BY TR")
    assert not some(events, RoundScored)
    assert state.view(None).open_cards[0] == "P"


def test_F14_marker_trap_and_bar_end_with_the_round() -> None:
    state, events = do(position(SPRINGS, ["YR", "G G"]), "play YR BL")
    assert only(events, RoundScored).result.winner == 0
    view = state.view(None)
    assert (view.marker, view.trap, view.barred) == (None, None, ())
    assert state.to_json()["passes"] == 0


# --- F15: scoring


def test_F15_what_cards_count() -> None:
    _, events = do(position("RB - - -", ["BY", "G RP W", "W W"]), "play BY TR")
    result = only(events, RoundScored).result
    assert result.points == (0, 22, 20)
    assert (result.bonus, result.totals) == (0, (0, 22, 20))


def test_F15_the_second_win_in_a_row_takes_four_off() -> None:
    state, events = do(position("RB - - -", ["BY", "G"], totals=[10, 0], streak=[0, 1]), "play BY TR")
    result = only(events, RoundScored).result
    assert (result.bonus, result.totals) == (4, (6, 4))
    assert state.view(None).streak == (0, 2) == only(events, RoundScored).streak
    assert only(events, RoundScored).broken is None


def test_F15_each_further_win_too_and_below_zero() -> None:
    state, events = do(position("RB - - -", ["BY", "G"], totals=[-4, 0], streak=[0, 2]), "play BY TR")
    result = only(events, RoundScored).result
    assert (result.bonus, result.totals) == (4, (-8, 4))
    assert state.view(None).streak == (0, 3)


def test_F15_another_winner_begins_a_new_streak() -> None:
    state, events = do(position("RB - - -", ["BY", "G"], totals=[10, 0], streak=[1, 3]), "play BY TR")
    scored = only(events, RoundScored)
    assert (scored.result.totals, scored.streak, scored.broken) == ((10, 4), (0, 1), (1, 3))
    assert state.view(None).streak == (0, 1)


def test_F15_a_round_without_winner_breaks_the_streak() -> None:
    state, events = do(position("RB - - -", ["P", "G"], totals=[1, 2], streak=[0, 2], starter=1), "pass; pass")
    result = only(events, RoundScored).result
    assert (result.bonus, result.totals) == (0, (5, 6))
    assert (only(events, RoundScored).streak, only(events, RoundScored).broken) == (None, (0, 2))
    assert state.view(None).streak is None
    assert only(events, RoundBegan).starter == 0


# --- F16: the game is won


def test_F16_the_lowest_total_wins_when_the_target_is_reached() -> None:
    state, events = do(position("RB - - -", ["BY", "G", "O"], totals=[20, 0, 46]), "play BY TR")
    outcome = state.outcome()
    assert only(events, GameWon) == GameWon(Seat(1), False)
    assert (outcome.winners, outcome.scores) == ({1}, (20, 4, 50))
    assert state.to_move() == frozenset()
    assert state.view(None).phase == "over"
    assert state.legal_moves(Seat(0)) == ()
    assert refused(state, "play BY TR").reason is Refusal.GAME_OVER


def test_F16_one_short_of_the_target_plays_on() -> None:
    state, _ = do(position("RB - - -", ["BY", "G", "O"], totals=[20, 0, 45]), "play BY TR")
    assert state.outcome() is None
    assert state.view(None).round == 2


def test_F16_the_target_is_an_option() -> None:
    state, _ = do(position("RB - - -", ["BY", "RP W"], target=10), "play BY TR")
    assert (state.outcome().winners, state.outcome().scores) == ({0}, (0, 18))


def test_F16_the_lowest_tied_play_off() -> None:
    state, events = do(position("RB - - -", ["BY", "G", "OP"], totals=[4, 0, 45]), "play BY TR")
    assert state.outcome() is None
    began = only(events, RoundBegan)
    assert (began.play_off, began.players, began.starter) == (True, (0, 1), 0)
    assert state.view(None).hand_sizes == (6, 6, 0)
    data = state.to_json()
    assert Counter(sum(data["hands"], data["pile"] + data["circle"][0])) == Counter(DECK)
    assert state.view(None).open_cards == (None, None, None)


def test_F16_a_starter_who_takes_no_part_hands_on_clockwise() -> None:
    state = position("RB - - -", ["P", "G", "BY", "OP"], mover=2, totals=[0, 0, 20, 48])
    state, events = do(state, "play BY TR")
    began = only(events, RoundBegan)
    assert (began.players, began.starter) == ((0, 1), 0)
    state = position("RB - - -", ["P", "BY", "G", "OP"], mover=1, totals=[0, 20, 0, 48])
    state, events = do(state, "play BY TR")
    began = only(events, RoundBegan)
    assert (began.players, began.starter) == ((0, 2), 2)


def test_F16_a_round_without_winner_may_reach_the_target() -> None:
    state, events = do(position("RB - - -", ["P", "G", "O"], totals=[40, 40, 46], starter=1), "pass; pass; pass")
    began = only(events, RoundBegan)
    assert (began.play_off, began.players, began.starter) == (True, (0, 1), 0)
    state, events = do(position("RB - - -", ["P", "G", "O"], totals=[40, 39, 46]), "pass; pass; pass")
    assert only(events, GameWon) == GameWon(Seat(1), False)
    assert state.outcome().scores == (44, 43, 50)


def test_F16_three_may_play_off() -> None:
    _, events = do(position("RB - - -", ["BY", "G", "O", "OP"], totals=[4, 0, 0, 45]), "play BY TR")
    assert only(events, RoundBegan).players == (0, 1, 2)


def test_F16_the_play_offs_winner_wins_the_game_without_a_change_of_totals() -> None:
    state, events = do(position("RB - - -", ["BY", "", "G", ""], **PLAY_OFF), "play BY TR")
    result = only(events, RoundScored).result
    assert (result.play_off, result.winner, result.totals, result.bonus) == (True, 0, (4, 20, 4, 56), 0)
    assert only(events, GameWon) == GameWon(Seat(0), True)
    assert (state.outcome().winners, state.outcome().scores) == ({0}, (4, 20, 4, 56))


def test_F16_a_play_off_without_winner_is_played_again() -> None:
    state, events = do(position("RB - - -", ["P", "", "G", ""], **PLAY_OFF), "pass; pass")
    began = only(events, RoundBegan)
    assert (began.play_off, began.players, began.starter) == (True, (0, 2), 2)
    assert state.outcome() is None
    assert state.view(None).totals == (4, 20, 4, 56)


def test_F16_the_others_take_no_part() -> None:
    state, _ = do(position("RB BO YG -", ["GP BR O", "", "G G", ""], **PLAY_OFF), "play GP BL")
    assert {move for move in legal(state) if move.startswith("give")} == {"give BR 2", "give O 2"}
    assert refused(state, "give O 1").reason is Unplayable.NOT_TO_GIVE_TO
    state, _ = do(position(SPRINGS, ["YR P O", "", "G G", ""], pile=FILLER, **PLAY_OFF), "play YR BL")
    assert mover(state) == 2
    state, events = do(state, "draw")
    assert only(events, TrapEnded).setter == 0
    assert mover(state) == 0


# --- F17: who sees what


def others_see(state: AnyState, events: Sequence[Event], viewers: Iterable[int | None]) -> list[Any]:
    seen = [[event.seen_by(None if v is None else Seat(v)) for event in events] for v in viewers]
    return [seen, [state.view(None if v is None else Seat(v)).to_json() for v in viewers]]


def test_F17_what_is_public() -> None:
    state = position("Y/W:G/RB O/BY - -", ["P O", "G", "OP W R"], marker="TR", pile="GO OG", totals=[1, 2, 3])
    for viewer in (None, Seat(0), Seat(1), Seat(2)):
        view = state.view(viewer)
        assert [quadrant and (quadrant.face, quadrant.covered) for quadrant in view.circle] == [
            ("RB", 2),
            ("BY", 1),
            None,
            None,
        ]
        assert (view.marker, view.hand_sizes, view.open_cards) == ("TR", (2, 1, 3), (None, "G", None))
        assert (view.pile, view.totals) == (2, (1, 2, 3))
    assert state.view(None).hand == ()
    assert Counter(state.view(Seat(2)).hand) == Counter(["OP", "W", "R"])


def test_F17_hands_and_pile_are_hidden() -> None:
    a = position("RB - - -", ["P O", "G O", "OP W R"], pile="GO OG")
    b = position("RB - - -", ["Y BR", "G O", "B B B"], pile="PG PY")
    assert a.view(Seat(1)).to_json() == b.view(Seat(1)).to_json()
    a, b = (position("RB - - -", hands, pile="GO OG", mover=1) for hands in (["P O", "G O"], ["Y BR", "B B"]))
    assert a.view(None).to_json() == b.view(None).to_json()


def test_F17_a_drawn_card_that_was_kept_is_hidden() -> None:
    a, b = (do(position("RB - - -", ["P O", "G O", "O O"], pile=pile), "draw") for pile in ("GO OG", "PG OG"))
    assert others_see(*a, [None, 1, 2]) == others_see(*b, [None, 1, 2])
    assert others_see(*a, [0]) != others_see(*b, [0])
    assert only(a[1], CardDrawn).seen_by(None) == CardDrawn(Seat(0), None, True)


def test_F17_the_order_of_a_new_pile_is_hidden() -> None:
    start = position("G/GO/OG/RB BY - -", ["P", "PO"], marker="TR").to_json()
    seen = set()
    for number in range(20):
        after = do(GAME.from_json(start | {"seed": f"{number}"}), "draw")
        assert PileRenewed(3) in after[1]
        seen.add(repr(others_see(*after, [None, 1])))
    assert len(seen) == 1


def test_F17_a_given_card_is_known_to_giver_and_receiver_alone() -> None:
    start = position("RB BO YG -", ["GP BR O P", "G G", "R R", "Y Y"])
    a, b = (do(start, f"play GP BL; give {card} 2") for card in ("BR", "O"))
    assert others_see(*a, [None, 1, 3]) == others_see(*b, [None, 1, 3])
    gift = only(a[1], CardGiven)
    assert gift.seen_by(None) == gift.seen_by(Seat(1)) == gift.seen_by(Seat(3)) == CardGiven(Seat(0), Seat(2), None)
    assert gift.seen_by(Seat(0)) == gift.seen_by(Seat(2)) == CardGiven(Seat(0), Seat(2), "BR")
    assert "BR" not in json.dumps([a[0].view(None).to_json(), a[0].view(Seat(1)).to_json()])


def test_F17_only_giver_and_receiver_can_tell_where_the_card_is() -> None:
    start = position("RB BO YG -", ["GP BR O P", "G G", "R R", "Y Y"], pile="GO OG PG")
    state, _ = do(start, "play GP BL; give BR 2")
    for viewer, sure in ((0, True), (2, True), (1, False), (3, False), (None, False)):
        seat = None if viewer is None else Seat(viewer)
        others = [state.redeal_unseen(seat, f"{n}") for n in range(40)]
        assert all(other.view(seat).to_json() == state.view(seat).to_json() for other in others)
        assert all("BR" in other.to_json()["hands"][2] for other in others) == sure, viewer


def test_F17_all_know_who_draws_a_wild_that_was_turned_up_first() -> None:
    """It went under the pile for all to see (F1), and a trap lets it be kept (F8)."""
    trap = {"colour": "R", "setter": 0}
    state = position(RED, ["G G", "BO P", "G O"], mover=1, trap=trap, pile="W", sunk=1)
    state, _ = do(state, "draw")
    for viewer in (None, Seat(0), Seat(2)):
        others = [state.redeal_unseen(viewer, f"{n}").to_json() for n in range(20)]
        assert all("W" in other["hands"][1] for other in others)


def test_F17_what_was_held_before_a_new_pile_is_known_not_to_be_of_it() -> None:
    state, _ = do(position("G/GO/OG/RB BY - -", ["P PG", "PO PB"], marker="TR"), "draw")
    for n in range(20):
        other = state.redeal_unseen(None, f"{n}").to_json()
        assert set(other["hands"][1]) <= {"P", "PG", "PO", "PB"}
        assert len({"G", "GO", "OG"} & set(other["hands"][0])) == 1
        assert set(other["pile"]) <= {"G", "GO", "OG"}


def test_F17_the_text_of_a_gift_names_the_card() -> None:
    """So it may go to giver and receiver only: the events are what the others are told by."""
    state, _ = do(position("RB BO YG -", ["GP BR O", "G G"]), "play GP BL")
    gift = GAME.parse(Seat(0), "give BR 1")
    assert str(gift) == "give BR 1"
    assert "BR" not in repr(state)
    after, _ = state.apply(gift)
    assert not after.may_take_back(Seat(0))


def test_F17_nothing_that_was_drawn_is_taken_back() -> None:
    for pile in ("GO", "BY"):
        state, _ = do(position("RB - - -", ["P", "G"], pile=pile), "draw")
        assert not any(state.may_take_back(Seat(seat)) for seat in (0, 1))
