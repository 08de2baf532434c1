"""Sea Change: its pictures and its words."""

from rendering.core.renderer import Renderer
from rendering.sea_change import choices, picture, words
from rules.core.tricks import Play
from rules.sea_change import SeaChangeView


class SeaChange(Renderer[SeaChangeView, Play]):
    """The functions of picture.py, words.py and choices.py."""

    slug = "sea_change"
    COLOURS = picture.COLOURS

    paint = staticmethod(picture.paint)
    paint_cover = staticmethod(picture.paint_cover)
    paint_last = staticmethod(picture.paint_last)

    describe = staticmethod(words.describe)
    transcript = staticmethod(words.transcript)
    last_text = staticmethod(words.last_text)
    tell = staticmethod(words.tell)
    score = staticmethod(words.score)
    rules = staticmethod(words.rules)

    prompt = staticmethod(choices.prompt)
    word = staticmethod(choices.word)


RENDERER: Renderer[SeaChangeView, Play] = SeaChange()
