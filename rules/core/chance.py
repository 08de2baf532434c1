"""Fair chance from one seed: a shuffle that anyone can recompute in ten lines of any language.

The construction, fixed for ever:

- The stream of deal `n` under `seed` is SHA-256("{seed}:{n}:0"), SHA-256("{seed}:{n}:1"), … (UTF-8), read as
  unsigned 64-bit big-endian numbers, four a block.
- A number below `bound` is the next one that is smaller than the largest multiple of `bound` in 2**64, modulo
  `bound`; larger ones are skipped, so every value is equally likely.
- A shuffle is Fisher and Yates': for i from the last place down to 1, swap place i with a number below i + 1.

The seed is SHA-256 of the committed secret and the players' cuts, one a line. So knowing the secret is not enough to
choose the deals. Without cuts the secret is the seed.

The secret of a match whose seats go round after table 8 ends with "+8", and so does its commitment. So the bot cannot
say afterwards that the seats went round, or after which match.

Each chance event of a match is one deal: its ordinal counts up from 0. Every shuffle leaves a `Shuffled` event that no
viewer sees while the match runs. `/verify` recomputes it from the published seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import unpack
from typing import NamedTuple, TypeVar

from rules.core.game import Seat


def _numbers(seed: str, ordinal: int) -> Iterator[int]:
    block = 0
    while True:
        yield from unpack(">4Q", sha256(f"{seed}:{ordinal}:{block}".encode()).digest())
        block += 1


T = TypeVar("T")

FOLLOWS = "+"
"""In a secret: before the number of the table after which the seats go round."""


def shuffle(seed: str, ordinal: int, items: Sequence[T]) -> tuple[T, ...]:
    """Return the items in the order of deal `ordinal` under `seed`.

    >>> shuffle("a seed", 0, "ABCDE")
    ('A', 'E', 'D', 'B', 'C')
    """
    cards = list(items)
    numbers = _numbers(seed, ordinal)
    for i in range(len(cards) - 1, 0, -1):
        bound = i + 1
        limit = (1 << 64) - (1 << 64) % bound
        x = next(numbers)
        while x >= limit:
            x = next(numbers)
        j = x % bound
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def commitment(secret: str) -> str:
    """Return SHA-256 of the secret's text, in hexadecimal; behind it the end of the secret from its "+" on, if it has
    one.

    The bot shows it before the first cut. Players check it when the secret is published.

    >>> commitment("a secret")[:16], commitment("a secret+8")[-4:]
    ('984ca5162200734c', '7c+8')
    """
    _, mark, table = secret.partition(FOLLOWS)
    return sha256(secret.encode()).hexdigest() + mark + table


def following(secret: str, table: int) -> str:
    """Return the secret of a match whose seats go round after that table.

    >>> following("a secret", 8)
    'a secret+8'
    """
    return f"{secret}{FOLLOWS}{table}"


def table_before(secret: str) -> int | None:
    """Return the number of the table after which the seats go round; None: they are drawn.

    >>> table_before("a secret+8"), table_before("a secret")
    (8, None)
    """
    table = secret.partition(FOLLOWS)[2]
    return int(table) if table.isdecimal() else None


def without_table(secret: str) -> str:
    """Return the secret for a match whose seats are drawn after all."""
    return secret.partition(FOLLOWS)[0]


def seed_of(secret: str, cuts: Sequence[str]) -> str:
    """Return the seed made of the secret and these cuts (each a line of text), in their order.

    >>> seed_of("a secret", ["a cut", "another"])[:16]
    '4a852e9a911d6518'
    >>> seed_of("a secret", [])
    'a secret'
    """
    return sha256("\n".join((secret, *cuts)).encode()).hexdigest() if cuts else secret


def table_secret(secret: str, round_: int, table: int, restores: int = 0) -> str:
    """Return the secret of a season's table: it follows from the season's, of which the fingerprint was shown before
    anyone joined, and does not tell it.

    `round_` counts from 1, `table` from 0. `restores`: how often a backup was restored while the season was played.

    >>> table_secret("a secret", 1, 0)[:16]
    'd8fba73bccf8deac'
    """
    again = f":{restores}" if restores else ""
    return sha256(f"{secret}:table:{round_}:{table}{again}".encode()).hexdigest()


def drawn_seats(secret: str, cuts: Sequence[str], count: int, number: int = 0) -> tuple[int, ...]:
    """Draw the seating: return, for each seat, the place in the lobby's list of the player who sits there.

    `cuts` are in the order of that list. The draw uses a name that no deal has, so it tells nothing of the deals.
    `number`: which draw, from 0; a later one counts if all before it break up the teams that players have chosen.
    """
    return shuffle(f"{seed_of(secret, cuts)}:seats", number, range(count))


class Shuffled(NamedTuple):
    """A deal: the cards by notation, `before` in the order of `Game.deck_order`, `after` as the shuffle left them."""

    ordinal: int
    before: tuple[str, ...]
    after: tuple[str, ...]

    def seen_by(self, viewer: Seat | None) -> None:
        """Return None: no viewer sees a shuffle while the match runs."""
        return
