"""Siege of Sunfall: its pictures and its words."""

from rendering.core.renderer import Renderer
from rendering.siege_of_sunfall import choices, picture, words
from rules.siege_of_sunfall.facts import Move, SiegeView


class SiegeOfSunfall(Renderer[SiegeView, Move]):
    """The functions of picture.py, words.py and choices.py."""

    slug = "siege_of_sunfall"
    COLOURS = picture.COLOURS
    PALETTE_SIZE = 192

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


RENDERER: Renderer[SiegeView, Move] = SiegeOfSunfall()
