"""Sea Change: tricks, and a trump that turns in the middle of them. 1 to 8 players.

The deck. Five suits, blue water (B), green seaweed (G), red flags (R), purple helms (P) and yellow suns (Y), each with
one card of every value in play; a higher card beats a lower one of its suit. Up to three players use three suits, four
players four, more all five; if fewer than five are used, chance picks them once for the whole match (C1). Values are 0
and 4 to 12; 3 to 13 with six players, 2 to 14 with seven, 0 to 15 with eight. Each player gets ten cards (C2).

A trick. Each player plays one card. The first card sets the lead suit. A player who has a card of it must play one, or
a card that equals the value of the card played just before it in this trick. A player without the lead suit may play
anything (C5). The first card of a round also makes its suit trump; trump lasts from trick to trick, never from round to
round (C3).

A sea change. A card that equals the value of the card just before it in the same trick makes its own suit trump, wanted
or not, even if it follows suit. The lead suit stays what it was (C4).

Taking it. When all have played, the highest card of the trump now in force takes the trick; if there is none, the
highest of the lead suit (C6). The winner lays the cards face down and leads the next. The number of cards that each
side has captured is public, their worth is not before the round's end; players may look at the last trick only (C7).

A round ends when the hands are empty. Each captured card counts the points of the deck table; of the 0s only that of
the suit that is trump at the end counts. The highest total, even a negative one, earns one victory point, and so does
every side that ties for it (C8). The deal passes to the left; the player to the left of the dealer leads.

The first side with `target` victory points wins the match. If several get there in one round, the one that captured the
trump's 0 in it wins; if none did, the one with the fewest cards captured in it; if these are equal too, they share the
win (C9).

Two players have ten cards each and draw one from the other ten after every card they play, while they last: fifteen
tricks (C10). A single player meets an AI that has twenty cards face down: it leads its next card to each of ten tricks,
the player answers, it plays its next, bound by no rule. The player wins the round only with more points than the AI and
at least one 8; otherwise the AI does (C11). Four and more players may play in teams, seated alternately, that pool what
they capture and earn; team-mates do not see each other's hands (C12).

Chance (rules.core.chance). Deal 0 shuffles BGRPY and the first suits of it are in play; with all five in play there is
no such deal. Deal r shuffles the deck of round r: the first ten cards are seat 0's, the next ten seat 1's and so on;
what remains is the pile, its first card on top.

Modules, each of which uses those before it: types, cards, voids, rounds, state, computer, hints, figures, game, lesson.
"""

from rules.sea_change.game import GAME

__all__ = ["GAME"]
