"""Photosynthesis: its pictures and its words."""

from rendering.core.renderer import Renderer
from rendering.photosynthesis import choices, ending, narration, picture, stage, teaching
from rules.photosynthesis import Move, PhotosynthesisView


class Photosynthesis(Renderer[PhotosynthesisView, Move]):
    """The functions of picture.py, narration.py, choices.py, teaching.py and ending.py."""

    slug = "photosynthesis"
    COLOURS = picture.COLOURS
    PALETTE_SIZE = 110  # more shades make larger files, and look no better
    LESSON_TURNS = 3  # the first trees, and two rounds
    SEVERAL_MOVES_A_TURN = True

    paint = staticmethod(picture.paint)
    paint_cover = staticmethod(picture.paint_cover)
    paint_last = staticmethod(picture.paint_last)
    ground = staticmethod(stage.woods)

    describe = staticmethod(narration.describe)
    transcript = staticmethod(narration.transcript)
    last_text = staticmethod(narration.last_text)
    narrate = staticmethod(narration.narrate)
    story = staticmethod(ending.story)
    score = staticmethod(narration.score)
    margin = staticmethod(narration.margin)

    coach = staticmethod(teaching.coach)
    legend = staticmethod(teaching.legend)
    callouts = staticmethod(teaching.callouts)

    prompt = staticmethod(choices.prompt)
    move_label = staticmethod(choices.move_label)


RENDERER: Renderer[PhotosynthesisView, Move] = Photosynthesis()
