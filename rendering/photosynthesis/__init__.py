"""Photosynthesis: its pictures and its words (see rendering/__init__.py)."""

from rendering.photosynthesis.picture import COLOURS, PALETTE_SIZE, cover, draw, last, paint, paint_cover, paint_last
from rendering.photosynthesis.words import describe, prompt, rules, score, tell, transcript, word

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
    "prompt",
    "rules",
    "score",
    "tell",
    "transcript",
    "word",
]
