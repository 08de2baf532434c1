"""Full Circle: a circle of four cards whose colours touch, and a hand to get rid of. 2 to 4 players.

The deck (48). Six colours: blue (B), red (R), yellow (Y), green (G), orange (O), purple (P). Two cards of each single
colour ("B"), one of every ordered pair of different colours ("RB" and "BR" are two cards), six wilds ("W").

The circle has four quadrants, clockwise TL, TR, BR, BL. A card is a quarter of a disc: "RB" shows R on its
counter-clockwise edge and B on its clockwise edge wherever it lies, so TL's second letter touches TR's first. A
one-colour card shows its colour on both edges, and so does a wild the colour named when it is played ("W:G").

A round. Each player gets six cards; the first colour card turned up starts in TL, wilds turned up before it go under
the pile (F1). A play covers any quadrant, empty or filled, except the one with the marker. At least one touching edge
must be of the same colour on a filled neighbour; a one-colour card also fits on one of the same colour (F2). The marker
moves to the card played (F3). A player who can play must. A player who cannot draws one card, plays it at once if it
fits, and else keeps it (F4).

- Double Match: both neighbours are filled and both edges match: the player may take another turn (F5).
- Full Circle: the play makes all six colours visible, wilds not counted: another turn, or give a card away (F6).
- In an extra turn the player plays a card or stops; there is no drawing (F7).
- Colour Trap: a colour card after which all four quadrants, no wild among them, show one common colour. The marker is
  taken off, and every other player in turn, once, must play a card that shows the colour or draw and keep (F8, F11).
  A player cannot set traps in two turns running (F9). After a Double Match that also sets a trap, the setter has the
  extra turn, which may take the trap off again (F10).

The last card in a hand lies face up (F12). When a card must be drawn and the pile is empty, the covered cards become
the new pile; without those the player passes, and when all pass in a row the round has no winner (F13). An emptied hand
wins the round at once (F14). The others count 4 a colour and 10 a wild; the second and each further win in a row takes
4 off the winner's total (F15). When a player has `target` or more, the lowest total wins; a tie is played off (F16).

Variant: F1 to F17 also settle what the rulebook leaves open; the code names each ruling that it follows. A drawn card
that fits is shown at once, because it must be played (F17 hides only a card that is kept).

Chance (rules.core.chance). Every deal and every new pile is the next ordinal, from 0. A deal shuffles the deck; its
first six cards are the first participant's, and so on by seat; the rest is the pile, its first card on top. A new pile
shuffles the covered cards, sorted.

The state records what seats know of others' hands: cards given, last cards that lay open, wilds drawn from the pile's
bottom, and which cards were in hand before a pile was renewed and so cannot be of it. It leaves out what follows only
by deduction, for example from a card drawn because none fitted, or from a secret gift of one of several known cards.

Modules, each of which uses those before it: types, circle, view, knowledge, rounds, position, state, computer, hints,
figures, game, lesson.
"""

from rules.full_circle.game import GAME

__all__ = ["GAME"]
