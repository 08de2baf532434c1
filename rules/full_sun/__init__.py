"""Full Sun: tricks for trees, each of which wants its own share of the light. 3 to 5 players.

The deck. Four trees, Beech (B, 1 pip), Redbud (R, 2), Sycamore (S, 3) and Black Locust (L, 4), with the numbers 1 to
17, and two Weather cards (W): Rain, number 0 with no pips, and Sun, number 18 with 5 pips. Three players use the
numbers up to 7 and get 8 cards each, four up to 11 and get 10, five all and get 12. Both Weather cards are always in.

Backs. The suit is printed on the back, so the suits of every hand and of the undealt fan are public at all times, the
numbers are not. Rain and Sun share a back (S1).

A trick. Each player plays one card. The leader plays anything; each other player follows the suit of the card played
just before theirs, Weather included, or plays anything without that suit (S2). The highest number takes the trick, of
equal numbers the one with more pips; there is no trump (S3). The dealer leads the first trick, the winner of each the
next. Play goes clockwise in odd rounds and the other way in even ones; the first dealer is seat 0, the next sits to the
left (S4).

A round has 8, 10 or 12 tricks with three, four or five players. From the second round on, a player is dealt one more
card for each point behind the leader. If the deck is too small for that, extra cards are capped for all at the largest
number for which it suffices. A player lays aside the cards left at the end, face down; they count for nothing (S5).

Species. The card played to the last trick makes its player a tree of that suit. A player who has won exactly as many
tricks as that card has pips, the last trick included, scores a point. Any number of players may score (S6).

The first player with `target` points wins the match. If several get there in one round, each takes the one trick they
won this round that has the most cards of their own species, and the most such cards win; a player without a trick
counts 0; still equal is a shared win (S7).

Looking back. The number of tricks that each player has won is public. Players may look at the last complete trick, but
not at earlier ones, nor at the cards laid aside (S9).

Chance (rules.core.chance). Deal r - 1 shuffles the deck of round r, which lies by suit, numbers ascending, Rain and Sun
last. Its first cards go to seat 0 until that hand is complete, the next to seat 1 and so on; what remains is the fan.

Modules, each of which uses those before it: types, state, computer, hints, figures, game, lesson.
"""

from rules.full_sun.game import GAME

__all__ = ["GAME"]
