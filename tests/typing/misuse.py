"""Mistakes that mypy must refuse, each with the code of its error. Nothing here runs."""

from __future__ import annotations

from cogs.messages.drawing import picture as picture_job
from rendering import Renderer, full_sun, renderer, sea_change
from rendering.core.canvas import Page
from rendering.core.film import Quality
from rendering.core.labels import Labels
from rendering.full_sun import picture
from rules import GAMES
from rules.core.computer import choose
from rules.core.game import AnyState, Game, Seat
from rules.core.tricks import Play
from rules.full_circle.state import FullCircleState
from rules.full_sun.state import FullSunState
from rules.full_sun.types import FullSunView
from rules.photosynthesis.state import PhotosynthesisState
from rules.sea_change.game import GAME as SEA_CHANGE
from rules.sea_change.state import SeaChangeState, from_json
from rules.sea_change.types import SeaChangeView
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import Pledge


def a_state_is_no_view(
    circle: FullCircleState,
    sun: FullSunState,
    forest: PhotosynthesisState,
    sea: SeaChangeState,
    siege: SiegeState,
    state: AnyState,
    labels: Labels,
) -> None:
    renderer("full_circle").draw(circle, labels)  # error: arg-type
    renderer("full_sun").draw(sun, labels)  # error: arg-type
    renderer("photosynthesis").draw(forest, labels)  # error: arg-type
    renderer("sea_change").draw(sea, labels)  # error: arg-type
    renderer("siege_of_sunfall").draw(siege, labels)  # error: arg-type
    renderer("sea_change").draw(state, labels)  # error: arg-type
    renderer("sea_change").draw(GAMES["sea_change"].new(3, {}, "seed"), labels)  # error: arg-type
    renderer("sea_change").transcript(state, labels)  # error: arg-type
    sea_change.RENDERER.draw(sea, labels)  # error: arg-type


def no_job_draws_a_state(state: AnyState, sea: SeaChangeState, view: SeaChangeView, labels: Labels) -> None:
    picture_job("sea_change", Renderer.draw, state, labels)  # error: arg-type
    picture_job("sea_change", Renderer.draw, sea, labels)  # error: arg-type
    picture_job("sea_change", Renderer.draw, view)  # error: arg-type
    picture_job("sea_change", Renderer.draw_movng, view, labels)  # error: attr-defined
    picture_job("sea_change", Renderer.draw_explained, state, labels)  # error: arg-type
    picture_job("sea_change", Renderer.last, state, labels)  # error: arg-type
    picture_job("sea_change", Renderer.draw_moving, state, view, (0, 0), labels)  # error: arg-type
    picture_job("sea_change", Renderer.draw_film, [(state, labels)], Quality(1, 1))  # error: arg-type
    picture_job("sea_change", Renderer.describe, view, labels, ())  # error: arg-type


def a_view_of_another_game(view: FullSunView, labels: Labels) -> None:
    sea_change.RENDERER.draw(view, labels)  # error: arg-type
    sea_change.RENDERER.describe(view, labels)  # error: arg-type


def a_move_of_another_game(view: SeaChangeView, state: SeaChangeState, siege: SiegeState, labels: Labels) -> None:
    pledge = Pledge(Seat(0), 1)
    sea_change.RENDERER.move_label(view, pledge, labels)  # error: arg-type
    sea_change.RENDERER.prompt(view, [pledge], (), labels)  # error: list-item
    state.apply(pledge)  # error: arg-type
    choose(SEA_CHANGE, siege, Seat(0), "seed")  # error: misc


def no_function_of_a_renderer(view: SeaChangeView, labels: Labels) -> None:
    sea_change.RENDERER.paint_table(view, labels)  # error: attr-defined
    renderer("sea_change").alt_text(view, labels)  # error: attr-defined


class Incomplete(Renderer[SeaChangeView, Play]):
    """It cannot tell what happened."""

    slug = "incomplete"

    def paint(self, view: SeaChangeView, labels: Labels, focus: object = ()) -> Page:
        raise NotImplementedError

    def describe(self, view: SeaChangeView, labels: Labels) -> str:
        return ""


class Mistaken(Renderer[SeaChangeView, Play]):
    """It paints the views of another game, and words are not what it says."""

    paint = staticmethod(picture.paint)  # error: assignment

    def describe(self, view: SeaChangeView, labels: Labels) -> bytes:  # error: override
        return b""


INCOMPLETE: Renderer[SeaChangeView, Play] = Incomplete()  # error: abstract
OTHER: Renderer[SeaChangeView, Play] = full_sun.RENDERER  # error: assignment

MOVES: Game[SeaChangeState, Pledge, SeaChangeView] = SEA_CHANGE  # error: assignment
VIEWS: Game[SeaChangeState, Play, FullSunView] = Game(
    slug="sea_change",
    title="Sea Change",
    seats=(3,),
    new=SEA_CHANGE.new,
    from_json=from_json,  # error: arg-type
    parse=SEA_CHANGE.parse,
)
