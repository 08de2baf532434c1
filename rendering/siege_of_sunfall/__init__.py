"""Siege of Sunfall: its pictures and its words."""

from rendering.core.renderer import Renderer
from rendering.siege_of_sunfall import choices, emoji, ending, narration, own, past, picture, pieces, stage, teaching
from rendering.siege_of_sunfall.scene import DARK, FACE
from rules.siege_of_sunfall.events import CardFaced, Sealed
from rules.siege_of_sunfall.types import Move, SiegeView


class SiegeOfSunfall(Renderer[SiegeView, Move]):
    """The functions of picture.py, own.py, past.py, narration.py, choices.py, teaching.py and ending.py."""

    slug = "siege_of_sunfall"
    EMOJI = emoji.EMOJI
    COLOURS = picture.COLOURS
    FACE, DARK = FACE, DARK
    FLOOR = "siege_of_sunfall/ledge"
    PALETTE_SIZE = 160  # more shades make larger files, and look no better
    LIGHTS = (*filter(None, stage.LIGHTS), "story")
    STORY_LIGHT = "story"
    SEVERAL_MOVES_A_TURN = True  # a player may seal again until all have
    DRAWN = (Sealed, CardFaced)

    paint = staticmethod(own.paint)
    paint_cover = staticmethod(past.paint_cover)
    paint_last = staticmethod(past.paint_last)
    moment = staticmethod(picture.moment)
    ground = staticmethod(stage.dusk)
    pillar = staticmethod(pieces.pillar)

    describe = staticmethod(narration.describe)
    transcript = staticmethod(narration.transcript)
    last_text = staticmethod(narration.last_text)
    narrate = staticmethod(narration.narrate)
    narrate_briefly = staticmethod(narration.narrate_briefly)
    story = staticmethod(ending.story)
    place_figure = staticmethod(ending.place_figure)
    place_score = staticmethod(ending.place_score)
    score = staticmethod(narration.score)
    margin = staticmethod(narration.margin)
    rules = staticmethod(narration.rules)

    coach = staticmethod(teaching.coach)
    legend = staticmethod(teaching.legend)

    prompt = staticmethod(choices.prompt)
    move_label = staticmethod(choices.move_label)
    terms = staticmethod(choices.terms)


RENDERER: Renderer[SiegeView, Move] = SiegeOfSunfall()
