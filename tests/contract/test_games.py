"""The contract of `rules/core/game.py`, held by every game in `rules.GAMES`. A new game is tested by being there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from itertools import product
from random import Random
from typing import Any

import pytest

from rules.core.chance import Shuffled, shuffle
from rules.core.game import AnyGame, AnyState, BadOption, IllegalMove, Move, Refusal, Seat
from rules.core.records import SEATS
from tests.contract.conftest import conservation_of
from tests.contract.play import (
    Played,
    Setting,
    copy_of,
    option_sets,
    seats,
    stored,
    through_text,
    viewers,
    without_seed,
)

OFTEN = {"seats", "place", "clock", "absent", "deck"}
"""What a lobby offers for every game, by these names."""
MOST_VALUES = 25
"""Discord's limit of options in a select."""
LONGEST_MOVE = 46
"""Letters of a move's notation: a button's id has 100, and says too which table, what, and whose turn."""
GARBAGE = ("", " ", "nonsense", "\0", "0", "-1", "🌞", "play", "draw draw", "x" * 5_000, "None", "{}", "../..")


def refused(state: AnyState, move: Move) -> IllegalMove:
    """The refusal of a move that must be refused."""
    with pytest.raises(IllegalMove) as caught:
        state.apply(move)
    assert isinstance(caught.value.reason, StrEnum)
    assert str(caught.value) == caught.value.reason.value, "the exception's text may reach a log: the reason alone"
    return caught.value


# --- what a game says of itself


def test_a_game_is_named_by_its_module_and_lists_its_seats(game: AnyGame) -> None:
    assert re.fullmatch(r"[a-z_]+", game.slug)
    assert game.title
    assert game.seats[0] >= 1
    assert game.seats[-1] <= len(SEATS)
    assert game.seats[0] <= 3 and game.seats[-1] >= 2, "the tests seat two or three people at a table of every game"
    assert game.seats == tuple(range(game.seats[0], game.seats[-1] + 1)), "a lobby between two numbers could not start"
    assert __import__(f"rules.{game.slug}", fromlist=["GAME"]).GAME is game


def test_every_offered_option_has_its_default_among_its_values(game: AnyGame) -> None:
    for number in game.seats:
        for chosen in option_sets(game, number):
            for option in game.options(number, chosen):
                assert option.name not in OFTEN
                assert len(option.values) <= MOST_VALUES
                assert option.default in option.values
                assert len(set(option.values)) == len(option.values)
                assert {type(value) for value in option.values} == {type(option.default)}


def test_a_match_begins_with_the_number_of_seats_alone(game: AnyGame) -> None:
    for number in game.seats:
        assert game.new(number) == game.new(number, None) == game.new(number, {}, "") == game.new(number, options={})


def test_a_game_shows_as_its_slug_and_seats(game: AnyGame) -> None:
    assert re.fullmatch(rf"<Game {game.slug}, (\d-)?\d players?>", repr(game))
    assert repr(replace(game, seats=(2,))) == f"<Game {game.slug}, 2 players>"
    assert repr(replace(game, seats=(1, 2, 3))) == f"<Game {game.slug}, 1-3 players>"
    assert repr(replace(game, seats=(1,))) == f"<Game {game.slug}, 1 player>"


def test_bad_seats_and_options_are_refused_by_name(game: AnyGame) -> None:
    for number in (0, -1, game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(BadOption) as caught:
            game.new(number, {}, "seed")
        assert caught.value.option == "seats"
    with pytest.raises(BadOption) as caught:
        game.new(game.seats[0], {"no_such_option": 1}, "seed")
    assert caught.value.option == "no_such_option"
    everywhere = {option.name for number in game.seats for option in game.options(number, {})}
    for number in game.seats:
        offered = game.options(number, {})
        for name in everywhere - {option.name for option in offered}:
            with pytest.raises(BadOption) as caught:
                game.new(number, {name: "none"}, "seed")
            assert caught.value.option == name
        for option in offered:
            wrong: list[object] = [None, "no such value", -1, 10_000, 1.5, [], str(option.default)]
            wrong += [] if option.default is True else [True]
            if numbers := [value for value in option.values if type(value) is int]:
                wrong += [min(numbers) - 1, max(numbers) + 1, float(numbers[0])]
            for value in wrong:
                if any(value == v and type(value) is type(v) for v in option.values):
                    continue
                with pytest.raises(BadOption) as caught:
                    game.new(number, {option.name: value}, "seed")
                assert caught.value.option == option.name


def test_the_deck_table_is_data_and_complete(game: AnyGame) -> None:
    assert through_text(dict(game.deck)) == dict(game.deck)
    assert game.check_deck({}) == dict(game.deck)
    assert game.check_deck(game.deck) == dict(game.deck)
    number = game.seats[0]
    assert game.new(number, {"deck": game.check_deck({})}, "seed") == game.new(number, {}, "seed")


def spoilt(value: Any) -> Iterator[Any]:
    """A part of a deck table with one entry in it that is no number, has another name, or is one too many."""
    yield from (None, "5", 1.5, True)
    if isinstance(value, dict):
        yield from ({**value, key: wrong} for key in value for wrong in spoilt(value[key]))
        yield {**value, "no such key": 1}
    if isinstance(value, list):
        yield from (value[1:], [*value, value[0]], ["5", *value[1:]], [1.5, *value[1:]], [True, *value[1:]])


def test_a_deck_table_that_is_none_is_refused_and_the_games_own_stays(game: AnyGame) -> None:
    own = through_text(dict(game.deck))
    makes: list[Callable[[Any], object]] = [
        game.check_deck,
        lambda deck: game.new(game.seats[0], {"deck": deck}, "seed"),
    ]
    for deck, make in product(spoilt(own) if own else (), makes):
        with pytest.raises(BadOption) as caught:
            make(deck)
        assert caught.value.option == "deck", deck
    assert through_text(dict(game.deck)) == own


# --- chance


def test_equal_seeds_give_equal_games_and_others_do_not(game: AnyGame) -> None:
    for number in game.seats:
        first, again = game.new(number, {}, "one"), game.new(number, {}, "one")
        assert first == again
        assert first.opening() == again.opening()
        if any(isinstance(event, Shuffled) for event in first.opening()):
            others = [game.new(number, {}, f"other {n}") for n in range(5)]
            assert all(without_seed(other) != without_seed(first) for other in others)


def test_every_shuffle_can_be_recomputed_and_no_player_sees_it(played: Played) -> None:
    shuffles = [event for event in played.events if isinstance(event, Shuffled)]
    for event in shuffles:
        assert event.after == shuffle(played.setting.seed, event.ordinal, event.before)
        assert all(event.seen_by(viewer) is None for viewer in viewers(played.setting))
    ordinals = [event.ordinal for event in shuffles]
    assert ordinals == sorted(set(ordinals)), "each deal has an ordinal of its own, counting up"


def test_a_deal_lies_in_the_order_that_the_game_lists(played: Played) -> None:
    setting = played.setting
    for event in played.events:
        if isinstance(event, Shuffled):
            order = setting.game.deck_order(event.ordinal, setting.seats, dict(setting.options))
            assert order, f"{setting.slug} deals, so GAME needs deck_order: docs/fair-deals.md lists it for players"
            rest = iter(order)
            assert all(card in rest for card in event.before), f"deal {event.ordinal} is not in that order"


def test_the_seed_is_in_no_view_no_event_and_no_repr(played: Played, looked_at: tuple[int, ...]) -> None:
    seed = played.setting.seed
    for ply in looked_at:
        assert seed not in repr(played.states[ply]), "a repr may reach a log"
        for viewer in viewers(played.setting):
            assert seed not in repr(played.states[ply].view(viewer))
    assert not any(seed in repr(event) for event in played.events)


# --- the course of a game


def test_a_game_goes_on_until_it_has_an_outcome(played: Played) -> None:
    assert played.steps
    for ply, state in enumerate(played.states):
        assert state.ply == ply
        awaited, over = state.to_move(), state.outcome() is not None
        assert (not awaited) == over
        assert awaited <= frozenset(seats(played.setting))
        for seat in seats(played.setting):
            may_act = bool(state.legal_moves(seat))
            assert may_act or seat not in awaited
            assert not (may_act and over)
    outcome = played.end.outcome()
    assert outcome is not None
    assert outcome.winners <= frozenset(seats(played.setting))
    assert len(outcome.scores) == played.setting.seats
    assert outcome.reason
    assert type(outcome).from_json(through_text(outcome.to_json())) == outcome


def test_a_stored_state_comes_back_equal(played: Played) -> None:
    for state, data in zip(played.states, stored(played.setting), strict=True):
        loaded = through_text(data)
        assert loaded == data
        assert played.setting.game.from_json(loaded) == state


def test_the_record_alone_gives_the_same_game(played: Played) -> None:
    setting = played.setting
    state = setting.new()
    for step in played.steps:
        state, events = state.apply(setting.game.parse(step.move.seat, str(step.move)))
        assert events == step.events
        assert [type(event) for event in events] == [type(event) for event in step.events]
    assert state == played.end


def test_apply_changes_nothing_of_its_input(played: Played, looked_at: tuple[int, ...]) -> None:
    for ply in looked_at[:-1]:
        step = played.steps[ply]
        before = copy_of(played.setting, step.state)
        assert step.state.apply(step.move) == step.state.apply(step.move)
        assert step.state == before
        assert step.state.to_json() == before.to_json()


def test_cards_and_tokens_are_conserved(played: Played) -> None:
    law = conservation_of(played.setting.game)
    check_step = getattr(law, "check_step", None)
    states = stored(played.setting)
    law.check(states[0])
    for step, before, after in zip(played.steps, states, states[1:], strict=False):
        law.check(after)
        if check_step:
            check_step(before, step.events, after)


def test_default_moves_are_legal_and_lead_to_an_end(setting: Setting) -> None:
    state = setting.new()
    for _ in range(20_000):
        for seat in seats(setting):
            if moves := state.legal_moves(seat):
                assert state.default_move(seat) in moves
        awaited = sorted(state.to_move())
        if not awaited:
            break
        state, _ = state.apply(state.default_move(awaited[0]))
    assert state.outcome() is not None


# --- moves


def test_the_notation_of_every_legal_move_parses_back(played: Played, looked_at: tuple[int, ...]) -> None:
    game = played.setting.game
    for ply in looked_at:
        state = played.states[ply]
        for seat in seats(played.setting):
            moves = state.legal_moves(seat)
            assert moves == state.legal_moves(seat) == copy_of(played.setting, state).legal_moves(seat)
            assert len({str(move) for move in moves}) == len(moves)
            for move in moves:
                assert move.seat == seat
                assert str(move).isascii()
                assert len(str(move)) <= LONGEST_MOVE
                assert game.parse(seat, str(move)) == move
                assert game.parse(seat, str(move).upper()) == move
                assert game.parse(seat, str(move).lower()) == move
                assert game.parse(seat, f"  {str(move).replace(' ', '   ')} ") == move


def test_words_that_name_no_move_are_refused_as_such(played: Played) -> None:
    game = played.setting.game
    texts = sorted({str(move) for seat in seats(played.setting) for move in played.states[0].legal_moves(seat)})
    broken = [t for text in texts for t in (text[1:], text + "x", text.replace(" ", "") + "_", text + " " + text)]
    for text in (*GARBAGE, *broken):
        with pytest.raises(IllegalMove) as caught:
            game.parse(Seat(0), text)
        assert caught.value.reason is Refusal.UNPARSABLE


def test_what_parses_is_the_notation_itself(played: Played) -> None:
    """Nothing is guessed: a parsed move's notation is the text that was typed, but for case and spaces."""
    game, random = played.setting.game, Random(str(played.setting))
    texts = sorted({str(step.move) for step in played.steps})
    for text in random.sample(texts, min(12, len(texts))):
        for mutation in (text.replace(" ", " 0"), text.replace(" ", " +"), text.replace("1", "¹"), *mutations(text)):
            try:
                move = game.parse(Seat(0), mutation)
            except IllegalMove as refusal:
                assert refusal.reason is Refusal.UNPARSABLE
            else:
                assert str(move).casefold() == " ".join(mutation.split()).casefold()


def mutations(text: str) -> list[str]:
    """The text with each digit written in another script, and each character doubled or left out."""
    wide = [text.replace(digit, chr(0xFF10 + int(digit))) for digit in "0123456789" if digit in text]
    doubled = [text[:at] + text[at] + text[at:] for at in range(len(text))]
    return [*wide, *doubled, *(text[:at] + text[at + 1 :] for at in range(len(text)))]


def test_illegal_moves_are_refused_and_change_nothing(played: Played, looked_at: tuple[int, ...]) -> None:
    game, random = played.setting.game, Random(str(played.setting))
    known = sorted({str(move) for ply in looked_at for move in legal_somewhere(played, ply)})
    for ply in (*looked_at[::2], looked_at[-1]):
        state = played.states[ply]
        before = copy_of(played.setting, state)
        for seat in seats(played.setting):
            legal = {str(move) for move in state.legal_moves(seat)}
            illegal = [text for text in known if text not in legal]
            other = state.redeal_unseen(seat, f"redeal {ply}")
            for text in random.sample(illegal, min(4, len(illegal))):
                refusal = refused(state, game.parse(seat, text))
                same = refused(other, game.parse(seat, text))
                assert (same.reason, same.facts) == (refusal.reason, refusal.facts), "a refusal tells nothing hidden"
                assert refusal.reason is not Refusal.UNPARSABLE
                if state.outcome() is not None:
                    assert refusal.reason is Refusal.GAME_OVER
        assert state == before
        assert state.to_json() == before.to_json()


def legal_somewhere(played: Played, ply: int) -> tuple[Move, ...]:
    return tuple(move for seat in seats(played.setting) for move in played.states[ply].legal_moves(seat))


def test_a_move_out_of_turn_is_refused(played: Played, looked_at: tuple[int, ...]) -> None:
    game = played.setting.game
    for ply in looked_at[:-1]:
        step = played.steps[ply]
        for seat in seats(played.setting):
            if not step.state.legal_moves(seat):
                refused(step.state, game.parse(seat, str(step.move)))


def test_what_a_seat_does_unawaited_no_other_learns(played: Played) -> None:
    """A seat that may act without being awaited replaces a sealed choice: the others see and hear nothing of it."""
    for step, after in zip(played.steps, played.states[1:], strict=True):
        if step.move.seat in step.state.to_move():
            continue
        for viewer in viewers(played.setting):
            if viewer == step.move.seat:
                continue
            assert after.view(viewer) == step.state.view(viewer)
            assert all(event.seen_by(viewer) is None for event in step.events)
            if viewer is not None:
                assert after.turn(viewer) == step.state.turn(viewer)
                assert after.legal_moves(viewer) == step.state.legal_moves(viewer)


# --- tokens and undo


def test_a_turn_token_is_short_and_is_new_when_the_seat_is_asked_again(played: Played) -> None:
    asked: dict[Seat, set[str]] = {seat: set() for seat in seats(played.setting)}
    for step, after in zip(played.steps, played.states[1:], strict=True):
        mover = step.move.seat
        for seat in seats(played.setting):
            assert re.fullmatch(r"[a-z0-9.]{1,20}", step.state.turn(seat))
        asked[mover].add(step.state.turn(mover))
        if after.legal_moves(mover):
            assert after.turn(mover) not in asked[mover], "an old button would act on a new question"


def test_only_who_moved_last_may_take_back(played: Played) -> None:
    assert not any(played.states[0].may_take_back(seat) for seat in seats(played.setting))
    for step, after in zip(played.steps, played.states[1:], strict=True):
        may = {seat for seat in seats(played.setting) if after.may_take_back(seat)}
        assert may <= {step.move.seat}
        assert not (may and after.outcome()), "what ended the game is no longer one player's own affair"
        if any(isinstance(event, Shuffled) for event in step.events):
            assert not may
