"""Correct use of games and renderers: mypy has nothing to say. Nothing here runs."""

from __future__ import annotations

from cogs.messages.drawing import picture as picture_job
from rendering import Renderer, full_circle, full_sun, photosynthesis, renderer, sea_change, siege_of_sunfall
from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.computer import choose
from rules.core.game import AnyGame, AnyState, Event, Game, Move, Seat, View
from rules.core.tricks import Play
from rules.full_circle.game import GAME as FULL_CIRCLE
from rules.full_sun.game import GAME as FULL_SUN
from rules.photosynthesis.game import GAME as PHOTOSYNTHESIS
from rules.sea_change.game import GAME as SEA_CHANGE
from rules.sea_change.state import SeaChangeState
from rules.sea_change.types import SeaChangeView
from rules.siege_of_sunfall.game import GAME as SIEGE_OF_SUNFALL


def each_renderer_takes_the_views_of_its_game(seat: Seat, labels: Labels) -> None:
    full_circle.RENDERER.draw(FULL_CIRCLE.new(3, {}, "seed").view(seat), labels)
    full_sun.RENDERER.draw(FULL_SUN.new(3, {}, "seed").view(seat), labels)
    photosynthesis.RENDERER.draw(PHOTOSYNTHESIS.new(3, {}, "seed").view(seat), labels)
    sea_change.RENDERER.draw(SEA_CHANGE.new(3, {}, "seed").view(seat), labels)
    siege_of_sunfall.RENDERER.draw(SIEGE_OF_SUNFALL.from_json({}).view(seat), labels)


def each_job_draws_a_view(slug: str, state: AnyState, seat: Seat, labels: Labels) -> None:
    picture_job(slug, Renderer.draw, state.view(seat), labels)
    picture_job(slug, Renderer.draw, state.view(None), labels, ("path",))
    picture_job(slug, Renderer.cover, labels, 3)


def each_renderer_takes_the_moves_of_its_game(seat: Seat, labels: Labels) -> None:
    circle, sun, forest = FULL_CIRCLE.new(3, {}, ""), FULL_SUN.new(3, {}, ""), PHOTOSYNTHESIS.new(3, {}, "")
    sea, siege = SEA_CHANGE.new(3, {}, ""), SIEGE_OF_SUNFALL.new(3, {}, "")
    full_circle.RENDERER.prompt(circle.view(seat), circle.legal_moves(seat), (), labels)
    full_sun.RENDERER.prompt(sun.view(seat), sun.legal_moves(seat), (), labels)
    photosynthesis.RENDERER.prompt(forest.view(seat), forest.legal_moves(seat), (), labels)
    sea_change.RENDERER.move_label(sea.view(seat), SEA_CHANGE.parse(seat, "play B9"), labels)
    siege_of_sunfall.RENDERER.move_label(siege.view(seat), choose(SIEGE_OF_SUNFALL, siege, seat, "seed"), labels)


def a_game_found_by_its_slug(slug: str, seat: Seat, labels: Labels) -> bytes:
    game: AnyGame = GAMES[slug]
    state: AnyState = game.new(3, {}, "seed")
    state, events = state.apply(choose(game, state, seat, "seed"))
    drawn: Renderer[View, Move] = renderer(slug)
    for event in events:
        drawn.narrate(event, labels)
    return drawn.draw(state.view(seat), labels)


def a_game_knows_its_types(game: Game[SeaChangeState, Play, SeaChangeView]) -> str | None:
    return game.new(3, {}, "seed").view(None).trump


GAME: Game[SeaChangeState, Play, SeaChangeView] = SEA_CHANGE


class Least(Renderer[SeaChangeView, Play]):
    """All that a renderer must have."""

    slug = "least"

    def paint(self, view: SeaChangeView, labels: Labels, focus: object = ()) -> Page:
        raise NotImplementedError

    def describe(self, view: SeaChangeView, labels: Labels) -> str:
        return f"{view.trump}"

    def narrate(self, event: Event, labels: Labels) -> str:
        return ""


LEAST: Renderer[SeaChangeView, Play] = Least()
