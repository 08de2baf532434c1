"""Photosynthesis: plant, grow and fell trees by the light that other trees leave them. 2 to 4 players.

The board has 37 hexes in rows A to G (rules.core.hexes), D4 in the middle: soil of 4 leaves there, then rings of 3, 2
and 1 leaves. The sun stands at one of six corners, 0 to 5, clockwise: W, NW, NE, E, SE, SW; its light travels the other
way. A player has 6 seeds, 8 small, 4 medium and 2 large trees. A player may put those in hand on the board, and buys
the rest first, from the player's own board, the cheapest of each column first.

Setup. In seat order each player places a small tree on the border, then a second; that is a whole turn (P2).

A round. First the sun moves a corner on, except in round 1, and every tree that is not shadowed gives its owner as much
light as it is high, 1 to 3. More than 20 light is lost (P3). A tree of height h shades h hexes behind it. A piece is
shadowed if a tree at least as high shades its hex, even across other pieces, and even if both have the same owner. Then
each player takes a turn, beginning with the first player, whose token goes one seat on after the round (P10).

A turn is any number of actions, then `end` (P4):

- buy a piece for its column's price;
- plant for 1 light: a seed from the hand, at most as many steps from an own tree as that is high; the way may bend and
  may pass over other pieces (P6);
- grow for 1, 2 or 3 light: a piece becomes the next size, which must be in hand. The old one goes back to the player
  board, or out of the game if its column is full (P7);
- collect for 4 light: an own large tree goes back likewise, and its player takes the top token of the soil's pile, or
  of the next poorer one that has any. If none has, the tree is worth nothing. With two players the middle counts as
  3-leaf soil (P8).

No hex is acted on twice in a turn: planting uses two hexes, growing and collecting one (P5). Until `end` the player may
take back any action, because no action hides anything or depends on chance.

The match lasts 18 rounds, with `revolutions` 4 it is 24. The sum of the tokens and 1 for every 3 light wins; of equals
the player with more pieces on the board, seeds too; still equal is a shared win (P12). With `shade` no player plants or
grows on a hex that is shadowed at that moment (P11).

There is no chance, and all players see everything.

Modules, each of which uses those before it: types, view, packed, position, refusals, state, planning, computer, hints,
figures, game, lesson.
"""

from rules.photosynthesis.game import GAME

__all__ = ["GAME"]
