"""The games that the project publishes: those that have a picture for the README, docs/<slug>.png.

The README has a row for each of them. A game in development has no picture there yet.
"""

from __future__ import annotations

from pathlib import Path

from rules import GAMES

DOCS = Path(__file__).parents[2] / "docs"
PUBLISHED = [slug for slug in GAMES if (DOCS / f"{slug}.png").exists()]
