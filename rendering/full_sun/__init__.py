"""Full Sun: its pictures and its words (see rendering/__init__.py)."""

from rendering.full_sun.picture import COLOURS, PALETTE_SIZE, cover, draw, last, paint, paint_cover, paint_last
from rendering.full_sun.words import describe, playable, prompt, rules, score, tell, transcript, word

__all__ = [
    "COLOURS",
    "PALETTE_SIZE",
    "cover",
    "describe",
    "draw",
    "last",
    "paint",
    "paint_cover",
    "paint_last",
    "playable",
    "prompt",
    "rules",
    "score",
    "tell",
    "transcript",
    "word",
]
