"""Full Circle: its pictures and its words."""

from rendering.core.labels import Labels
from rendering.core.renderer import Renderer
from rendering.full_circle import choices, emoji, ending, hand, looks, narration, picture, stage, teaching
from rules.full_circle.types import Move
from rules.full_circle.view import FullCircleView


class FullCircle(Renderer[FullCircleView, Move]):
    """The functions of picture.py, hand.py, narration.py, choices.py, teaching.py and ending.py."""

    slug = "full_circle"
    COLOURS = picture.COLOURS
    EMOJI = emoji.EMOJI
    FACE = stage.FACE
    DARK = stage.DARK
    PALETTE_SIZE = 176  # more shades make larger files
    LIGHTS = (*filter(None, stage.LIGHTS), "story")
    STORY_LIGHT = "story"

    paint = staticmethod(hand.paint)
    paint_cover = staticmethod(looks.paint_cover)
    paint_last = staticmethod(looks.paint_last)
    moment = staticmethod(picture.moment)
    ground = staticmethod(stage.dark)
    FLOOR = "full_circle/floor"
    pillar = staticmethod(ending.pillar)

    def bar(self, kind: str, name: str, labels: Labels) -> str:
        """Traps have the names of their colours."""
        return labels.say(f"colour.{name}") if kind == "trap" else super().bar(kind, name, labels)

    describe = staticmethod(narration.describe)
    transcript = staticmethod(narration.transcript)
    last_text = staticmethod(narration.last_text)
    narrate = staticmethod(narration.narrate)
    story = staticmethod(ending.story)
    place_figure = staticmethod(ending.place_figure)
    place_score = staticmethod(ending.place_score)
    score = staticmethod(narration.score)
    margin = staticmethod(narration.margin)

    coach = staticmethod(teaching.coach)
    legend = staticmethod(teaching.legend)

    prompt = staticmethod(choices.prompt)
    move_label = staticmethod(choices.move_label)
    terms = staticmethod(choices.terms)


RENDERER: Renderer[FullCircleView, Move] = FullCircle()
