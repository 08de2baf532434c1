"""The contract of `rules/core/game.py`, held by every game: views, and what they keep to themselves."""

from __future__ import annotations

import json
from math import isfinite
from random import Random

from rules.core.game import AnyState, Seat
from tests.contract.conftest import conservation_of
from tests.contract.play import Played, Setting, copy_of, seats, through_text, to_the_end, viewers, without_seed

# --- views and what they keep to themselves


def test_a_view_prints_as_a_board(played: Played, looked_at: tuple[int, ...]) -> None:
    """At a Python prompt: some lines of ASCII that say who is to move, and what is in the viewer's own hand."""
    for ply in looked_at:
        state = played.states[ply]
        for viewer in viewers(played.setting):
            view = state.view(viewer)
            lines = str(view).splitlines()
            assert str(view).isascii()
            assert len(lines) > 3
            assert all(line == line.rstrip() and 0 < len(line) <= 120 for line in lines)
            you = "You look on." if viewer is None else f"You are seat {viewer}."
            then = "Won by" if state.outcome() else f"To move: {' '.join(map(str, sorted(state.to_move())))}"
            assert any(line.startswith(f"{you} {then}") for line in lines)
            hand = getattr(view, "hand", ())
            assert not hand or any(line.split()[-len(hand) :] == list(hand) for line in lines)


def test_views_are_data_and_say_whose_they_are(played: Played, looked_at: tuple[int, ...]) -> None:
    for ply in looked_at:
        state = played.states[ply]
        again = copy_of(played.setting, state)
        for viewer in viewers(played.setting):
            view = state.view(viewer)
            data = view.to_json()
            assert view.viewer == viewer
            assert through_text(data) == data
            assert view == again.view(viewer)
            assert view.seats == played.setting.seats
            assert view.outcome == state.outcome()
            assert not hasattr(state, "viewer"), "mypy tells views from states by it"


def test_what_a_viewer_sees_of_an_event_is_all_of_it_to_that_viewer(played: Played) -> None:
    for event in played.events:
        for viewer in viewers(played.setting):
            seen = event.seen_by(viewer)
            assert seen is None or seen.seen_by(viewer) == seen
            if viewer is None and seen is not None:
                assert all(event.seen_by(seat) is not None for seat in seats(played.setting))


def test_what_is_recalled_is_what_happened_place_by_place(played: Played) -> None:
    game = played.setting.game
    events = played.events
    for length in {0, 1, len(events) // 3, len(events) // 2, len(events)}:
        visible = game.visible_history(events[:length])
        assert len(visible) == length
        assert list(game.visible_history(events[length // 2 : length])) == list(visible[length // 2 :])
        for event, again in zip(events, visible, strict=False):
            assert again is None or type(again) is type(event)


def test_evaluations_are_numbers_for_every_seat(played: Played, looked_at: tuple[int, ...]) -> None:
    game = played.setting.game
    for ply in looked_at[::5]:
        state = played.states[ply]
        for seat in seats(played.setting):
            assert isfinite(game.evaluate(state, seat))


def test_a_redeal_cannot_be_told_from_the_state(played: Played, looked_at: tuple[int, ...]) -> None:
    """The leak test: what a viewer is shown is the same in another state that fits what that viewer may know."""
    law = conservation_of(played.setting.game)
    for ply in looked_at:
        state = played.states[ply]
        before = copy_of(played.setting, state)
        for viewer in viewers(played.setting):
            other = state.redeal_unseen(viewer, f"redeal {ply}")
            same_to(viewer, state, other)
            law.check(other.to_json())
        # Of the last redeal: it is a state like any other, and follows from the state and the seed.
        assert copy_of(played.setting, other) == other
        assert other == state.redeal_unseen(viewer, f"redeal {ply}")
        assert state == before


def same_to(viewer: Seat | None, state: AnyState, other: AnyState) -> None:
    """Nothing that is shown to this viewer differs between the two states."""
    assert other.view(viewer) == state.view(viewer)
    assert other.view(None) == state.view(None)
    assert other.to_move() == state.to_move()
    assert other.outcome() == state.outcome()
    if viewer is None:
        return
    moves = state.legal_moves(viewer)
    assert other.legal_moves(viewer) == moves
    assert other.turn(viewer) == state.turn(viewer)
    assert other.may_take_back(viewer) == state.may_take_back(viewer)
    if moves:
        assert other.default_move(viewer) == state.default_move(viewer), "the clock's move tells nothing hidden"


def test_a_redealt_game_can_be_played_to_its_end(played: Played) -> None:
    random = Random(str(played.setting))
    for _ in range(6):
        ply = random.randrange(len(played.steps))
        for viewer in random.sample(viewers(played.setting), 2):
            end = to_the_end(played.states[ply].redeal_unseen(viewer, f"redeal {ply}"), random)
            assert end.outcome() is not None


def test_redeals_differ_from_the_state(played: Played) -> None:
    """The leak test has teeth: most redeals are other positions, and none tells the chance to come.

    Looked at all over the game: near a round's end little is hidden.
    """
    law = conservation_of(played.setting.game)
    differ: list[bool] = []
    for ply in range(0, len(played.steps), max(1, len(played.steps) // 12)):
        state = played.states[ply]
        for viewer in viewers(played.setting):
            other = state.redeal_unseen(viewer, f"redeal {ply}")
            differ.append(without_seed(other) != without_seed(state))
            if law.REDEALS_DIFFER:
                assert played.setting.seed not in json.dumps(other.to_json()), "who has the redeal knows the next deal"
    assert sum(differ) >= law.REDEALS_DIFFER * len(differ)


def test_at_the_start_every_viewers_redeals_differ(setting: Setting) -> None:
    if not conservation_of(setting.game).REDEALS_DIFFER:
        return
    state = setting.new()
    for viewer in viewers(setting):
        redeals = [without_seed(state.redeal_unseen(viewer, f"redeal {n}")) for n in range(4)]
        assert all(redeal != without_seed(state) for redeal in redeals)
        assert any(redeal != redeals[0] for redeal in redeals)
