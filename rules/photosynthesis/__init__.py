"""Photosynthesis: plant, grow and fell trees by the light that other trees leave them. 2 to 4 players.

The board has 37 hexes in rows A to G (rules.core.hexes), D4 in the middle: soil of 4 leaves there, then rings of 3, 2
and 1 leaves. The sun stands at one of six corners, 0 to 5, clockwise: W, NW, NE, E, SE, SW; its light travels the other
way. A player has 6 seeds, 8 small, 4 medium and 2 large trees. Those in hand may be put on the board; the rest is
bought first, from the player's own board, the cheapest of each column first.

Setup. In seat order each places a small tree on the border, then a second; that is a whole turn (P2).

A round. First the sun moves a corner on, save in round 1, and every tree that is not shadowed gives its owner as much
light as it is high, 1 to 3. More than 20 light is lost (P3). A tree of height h shades h hexes behind it; a piece is
shadowed where a tree at least as high as itself does so, whatever stands between and whoever owns it. Then each takes a
turn, beginning with the first player, whose token goes one seat on after the round (P10).

A turn is any number of actions, then `end` (P4):

- buy a piece for its column's price;
- plant for 1 light: a seed from the hand, at most as many steps from an own tree as that is high, however the way bends
  and whatever stands on it (P6);
- grow for 1, 2 or 3 light: a piece becomes the next size, which must be in hand. The old one goes back to the player
  board, or out of the game if its column is full (P7);
- collect for 4 light: an own large tree goes back likewise, and its player takes the top token of the soil's pile, or
  of the next poorer one that has any. With none left it is worth nothing. With two players the middle counts as
  3-leaf soil (P8).

No hex is acted on twice in a turn: both of planting, that of growing and collecting (P5). Until `end` all of it may be
taken back, as nothing in it is hidden or left to chance.

The match lasts 18 rounds, with `revolutions` 4 it is 24. The sum of the tokens and 1 for every 3 light wins; of equals
who has more pieces, seeds too, on the board; still equal is a shared win (P12). With `shade` nothing is planted or
grown where it is, at that moment, shadowed (P11).

There is no chance and nothing is hidden: everybody sees all.

Modules, each of which uses those before it: facts, view, packed, position, refusals, state, computer, game.
"""

from rules.photosynthesis.game import GAME
from rules.photosynthesis.packed import lit_trees
from rules.photosynthesis.types import (
    BOARD,
    COLLECTING,
    HEXES,
    KINDS,
    LEAVES,
    MOST_LIGHT,
    PRICES,
    Bought,
    Buy,
    Collect,
    Collected,
    End,
    Final,
    FirstPlayerPassed,
    Grow,
    Grown,
    Hex,
    LightCollected,
    MatchWon,
    Move,
    Piece,
    Pieces,
    Place,
    Placed,
    Plant,
    Planted,
    Sunlight,
    SunMoved,
    Token,
    Turn,
    TurnEnded,
    Unable,
)
from rules.photosynthesis.view import PhotosynthesisView

__all__ = [
    "BOARD",
    "COLLECTING",
    "GAME",
    "HEXES",
    "KINDS",
    "LEAVES",
    "MOST_LIGHT",
    "PRICES",
    "Bought",
    "Buy",
    "Collect",
    "Collected",
    "End",
    "Final",
    "FirstPlayerPassed",
    "Grow",
    "Grown",
    "Hex",
    "LightCollected",
    "MatchWon",
    "Move",
    "PhotosynthesisView",
    "Piece",
    "Pieces",
    "Place",
    "Placed",
    "Plant",
    "Planted",
    "SunMoved",
    "Sunlight",
    "Token",
    "Turn",
    "TurnEnded",
    "Unable",
    "lit_trees",
]
