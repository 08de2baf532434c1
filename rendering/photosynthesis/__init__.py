"""Photosynthesis: its pictures and its words."""

from rendering.core.renderer import Renderer
from rendering.photosynthesis import choices, picture, words
from rules.photosynthesis import Move, PhotosynthesisView


class Photosynthesis(Renderer[PhotosynthesisView, Move]):
    """The functions of picture.py, words.py and choices.py."""

    slug = "photosynthesis"
    COLOURS = picture.COLOURS
    PALETTE_SIZE = 132

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


RENDERER: Renderer[PhotosynthesisView, Move] = Photosynthesis()
