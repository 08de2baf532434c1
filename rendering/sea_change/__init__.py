"""Sea Change: its pictures and its words."""

from rendering.core.labels import Labels
from rendering.core.renderer import Renderer
from rendering.sea_change import choices, emoji, ending, hand, narration, picture, pieces, stage, teaching
from rules.core.tricks import Play
from rules.sea_change.types import SeaChangeView


class SeaChange(Renderer[SeaChangeView, Play]):
    """The functions of picture.py, hand.py, narration.py, choices.py, teaching.py and ending.py."""

    slug = "sea_change"
    COLOURS = picture.COLOURS
    EMOJI = emoji.EMOJI

    paint = staticmethod(hand.paint)
    paint_cover = staticmethod(picture.paint_cover)
    paint_last = staticmethod(picture.paint_last)
    moment = staticmethod(picture.moment)
    ground = staticmethod(stage.ground)
    LIGHTS = (*filter(None, stage.LIGHTS), "story")
    STORY_LIGHT = "story"
    FACE = pieces.FACE
    DARK = stage.dark_of("Y")
    FLOOR = "sea_change/rail"
    AFAR = 58

    place_figure = staticmethod(ending.place_figure)
    pillar = staticmethod(pieces.pillar)

    def bar(self, kind: str, name: str, labels: Labels) -> str:
        """Suits have their names."""
        return labels.say(f"suit.{name}") if name in pieces.TINTS else super().bar(kind, name, labels)

    describe = staticmethod(narration.describe)
    transcript = staticmethod(narration.transcript)
    last_text = staticmethod(narration.last_text)
    narrate = staticmethod(narration.narrate)
    story = staticmethod(ending.story)
    place_score = staticmethod(ending.place_score)
    score = staticmethod(narration.score)
    margin = staticmethod(narration.margin)
    rules = staticmethod(narration.rules)

    coach = staticmethod(teaching.coach)
    legend = staticmethod(teaching.legend)

    prompt = staticmethod(choices.prompt)
    move_label = staticmethod(choices.move_label)
    terms = staticmethod(choices.terms)


RENDERER: Renderer[SeaChangeView, Play] = SeaChange()
