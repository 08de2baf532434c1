"""Photosynthesis: its pictures and its words."""

from collections.abc import Sequence

from PIL import Image

from rendering.core.art import stage as painted
from rendering.core.art import standing
from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rendering.core.race import HEIGHT as ROUND
from rendering.core.renderer import Renderer
from rendering.core.sprites import Sprite
from rendering.core.story import Story
from rendering.photosynthesis import choices, emoji, ending, narration, picture, teaching, trees
from rendering.photosynthesis.stage import LIGHTS
from rules.core.game import Event
from rules.photosynthesis.types import Move
from rules.photosynthesis.view import PhotosynthesisView


class Photosynthesis(Renderer[PhotosynthesisView, Move]):
    """The functions of picture.py, narration.py, choices.py, teaching.py and ending.py."""

    slug = "photosynthesis"
    EMOJI = emoji.EMOJI
    COLOURS = picture.COLOURS
    SEAT_COLOURS = trees.TINTS
    LIGHTS = (*LIGHTS, "story")
    STORY_LIGHT = "story"
    FACE = picture.FACE
    FLOOR = "photosynthesis/bank"
    DARK = trees.EVENING
    PALETTE_SIZE = 112  # more shades make larger files, and look no better
    LESSON_TURNS = 3  # the first trees, and two rounds
    SEVERAL_MOVES_A_TURN = True

    paint_cover = staticmethod(picture.paint_cover)

    def paint(self, view: PhotosynthesisView, labels: Labels, focus: Sequence[str] = ()) -> Page:
        """Return the page of picture.py, on which each disc has the colour of its player's trees."""
        return picture.paint(view, self.coloured(labels), focus)

    def paint_last(self, view: PhotosynthesisView, labels: Labels) -> Page | None:
        """Return the page of picture.py with the same discs."""
        return picture.paint_last(view, self.coloured(labels))

    def ground(self, width: int, height: int) -> Image.Image:
        """Return the grove; on the low page of a round without the tops of its trees, so that its grass is seen."""
        up = 180 * (height <= ROUND)
        return painted("photosynthesis/grove")(width, height + up).crop((0, up, width, height + up))

    def pillar(self, name: str, width: int, height: int) -> Sprite:
        """Return a tree, of another kind for each figure."""
        return standing(f"photosynthesis/grown_{sum(map(ord, name)) % 4}", height)

    def round_story(
        self, view: PhotosynthesisView, events: Sequence[Event], recent: Sequence[Event], labels: Labels
    ) -> Story | None:
        """Return how the match stands if a round ended in which a tree was collected: light alone comes and goes."""
        return super().round_story(view, events, recent, labels) if ending.has_harvest(events, recent) else None

    describe = staticmethod(narration.describe)
    transcript = staticmethod(narration.transcript)
    last_text = staticmethod(narration.last_text)
    narrate = staticmethod(narration.narrate)
    story = staticmethod(ending.story)
    place_figure = staticmethod(ending.place_figure)
    score = staticmethod(narration.score)
    margin = staticmethod(narration.margin)

    coach = staticmethod(teaching.coach)
    legend = staticmethod(teaching.legend)

    prompt = staticmethod(choices.prompt)
    move_label = staticmethod(choices.move_label)
    terms = staticmethod(choices.terms)


RENDERER: Renderer[PhotosynthesisView, Move] = Photosynthesis()
