"""Full Circle: its pictures and its words."""

from rendering.core.renderer import Renderer
from rendering.full_circle import choices, picture, words
from rules.full_circle import FullCircleView
from rules.full_circle.facts import Move


class FullCircle(Renderer[FullCircleView, Move]):
    """The functions of picture.py, words.py and choices.py."""

    slug = "full_circle"
    COLOURS = picture.COLOURS

    paint = staticmethod(picture.paint)
    paint_cover = staticmethod(picture.paint_cover)
    paint_last = staticmethod(picture.paint_last)

    describe = staticmethod(words.describe)
    transcript = staticmethod(words.transcript)
    last_text = staticmethod(words.last_text)
    tell = staticmethod(words.tell)
    score = staticmethod(words.score)

    prompt = staticmethod(choices.prompt)
    word = staticmethod(choices.word)


RENDERER: Renderer[FullCircleView, Move] = FullCircle()
