"""Full Sun: its pictures and its words."""

from rendering.core.labels import Labels
from rendering.core.renderer import Renderer
from rendering.full_sun import choices, emoji, ending, glade, narration, picture, pieces, teaching
from rules.core.tricks import Play
from rules.full_sun.types import FullSunView


class FullSun(Renderer[FullSunView, Play]):
    """The functions of picture.py, narration.py, choices.py, teaching.py and ending.py."""

    slug = "full_sun"
    COLOURS = picture.COLOURS
    EMOJI = emoji.EMOJI
    LIGHTS = ("Rain", "Sun", "cover", "story")
    STORY_LIGHT = "story"
    FACE = pieces.FACE
    FLOOR = "full_sun/floor"
    AFAR = 40
    DARK = glade.NIGHT

    paint = staticmethod(picture.paint)
    paint_cover = staticmethod(picture.paint_cover)
    paint_last = staticmethod(picture.paint_last)
    ground = staticmethod(glade.evening)
    pillar = staticmethod(glade.pillar)

    def bar(self, kind: str, name: str, labels: Labels) -> str:
        """Trees and Weather cards have their names."""
        if kind == "tricks":
            return super().bar(kind, name, labels)
        return labels.say(f"suit.{name}" if name in pieces.TINTS else f"card.{name}")

    describe = staticmethod(narration.describe)
    transcript = staticmethod(narration.transcript)
    last_text = staticmethod(narration.last_text)
    narrate = staticmethod(narration.narrate)
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


RENDERER: Renderer[FullSunView, Play] = FullSun()
