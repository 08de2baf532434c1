"""Siege of Sunfall: pledges sealed all at once, to hold the city and to gain by it. 3 to 6 players.

Every round a small pile of cards is dealt to the middle, each player gets the same few coins, and the cards are turned
up one at a time. For each card every player still in the round seals a pledge: any number of their coins, and any
number of their boost cards (2 more each). When the last one has sealed, all pledges are opened and paid.

- Swords, helmets and bows attack. Pledges that together reach the card's strength repel it, and the highest pledge
  takes the card; three of a kind are turned in at once for an army and 5 coins. Pledges that fall short lose the card,
  and the players who pledged least are out of the round.
- Boost, gold, armies and crown do not attack. The highest pledge of at least 1 takes them: a boost is added to some
  later pledge, a gold card is 3 more coins at the start of some later round, armies are 3 armies at once, the crown
  makes its taker King.
- The King decides between players who pledged the same. Taking a card himself costs him the crown, which passes to his
  left, and for a crown card he must name another player.

Somewhere in the lower half of the pile lies Siege End. When it is turned up, or no player is left, the round is over:
survivors gain an army and one more for each coin they kept. When no whole pile can be dealt any more, most armies win;
a tie goes to the first of the tied clockwise from the King, the King himself first.

Variant: the game of 2015, 51 cards. Its rulebook states neither the distribution nor the strengths of the cards: those
below are the house's. Boosts are chosen when sealing, not after all have sealed. The code names the rulings K1 to K16
at the lines that apply them; the ones that the rulebook does not settle:

- K1 Siege End is equally likely at each place below the upper half of the pile, the very bottom included.
- K2 A player who has sealed may seal again until the last one has; the others do not learn of it.
- K6, K7, K9 The crown passes to the next player clockwise who is still in the round; without one, to the next seat.
- K8 A King among the tied for a crown card gives the crown to another of them or to the survivor on his left.
- K10 The eliminated keep the armies they have won and the cards they hold.
- K12 Gold cards are used, all at once and sealed, before a round's first card is turned up.
- K13 Coins kept by the eliminated count for nothing. A lone survivor plays on until Siege End.

The 51 cards are the card faced, the pile, the undealt, the players' cards and the discard. The discard begins with the
skipped cards, which were never turned up. Siege End is a 52nd card: it is in the pile until it is turned up or no
player is left.

Modules, each of which uses those before it: types, events, deck, resolution, refusals, state, computer, hints, figures,
game, lesson.
"""

from rules.siege_of_sunfall.game import GAME

__all__ = ["GAME"]
