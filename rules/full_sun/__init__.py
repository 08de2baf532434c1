"""Full Sun: tricks for trees, each of which wants its own share of the light. 3 to 5 players.

The deck. Four trees, Beech (B, 1 pip), Redbud (R, 2), Sycamore (S, 3) and Black Locust (L, 4), with the numbers 1 to
17, and two Weather cards (W): Rain, number 0 with no pips, and Sun, number 18 with 5 pips. Three players use the
numbers up to 7 and hold 8 cards each, four up to 11 and hold 10, five all and hold 12. Both Weather cards are always
in.

Backs. The suit is printed on the back, so the suits of every hand and of the undealt fan are public at all times, the
numbers are not. Rain and Sun share a back (S1).

A trick. Everybody plays one card. The leader plays anything; everybody else follows the suit of the card played just
before theirs, Weather included, or plays anything without that suit (S2). The highest number takes the trick, of equal
numbers the one with more pips; there is no trump (S3). The dealer leads the first trick, the winner of each the next.
Play goes clockwise in odd rounds and the other way in even ones; the first dealer is seat 0, the next sits to the left
(S4).

A round has as many tricks as the hand has cards: 8, 10 or 12. From the second round on, a player is dealt a card more
for each point behind the leader. If the cards do not suffice for that, nobody gets more than the largest number of
extra cards for which they do. What is left in hand at the end is laid aside, face down, and counts for nothing (S5).

Species. The card played to the last trick makes its player a tree of that suit: who has won exactly as many tricks as
that card has pips, the last trick included, scores a point. Any number of players may (S6).

The match goes to the first with `target` points. Of several, each takes the one trick they won this round that has the
most cards of their own species, and the most such cards win; no trick won is 0; still equal is a shared win (S7).

Looking back. How many tricks each has won is public; the last complete trick may be looked at, earlier ones may not,
nor the cards laid aside (S9).

Chance (rules.core.chance). Deal r - 1 shuffles the deck of round r, which lies by suit, numbers ascending, Rain and Sun
last: the first cards are seat 0's, as many as it gets, the next ones seat 1's and so on; what remains is the fan.

Modules, each of which uses those before it: facts, state, game.
"""

from rules.core.tricks import Card, Suit, TrickTaken
from rules.full_sun.game import GAME
from rules.full_sun.types import (
    SUITS,
    Backs,
    CardPlayed,
    Face,
    FullSunView,
    Lay,
    MatchWon,
    RoundBegan,
    RoundResult,
    RoundScored,
    TieBreak,
    Trick,
    suit_of,
)

__all__ = [
    "GAME", "SUITS", "Backs", "Card", "CardPlayed", "Face", "FullSunView", "Lay", "MatchWon", "RoundBegan",
    "RoundResult", "RoundScored", "Suit", "TieBreak", "Trick", "TrickTaken", "suit_of",
]  # fmt: skip
