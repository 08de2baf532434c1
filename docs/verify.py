"""Check a finished match of Sundial with Python alone: python verify.py match-1.json [the fingerprint you copied]

It prints "ok" before each claim that holds, else "NO"; the exit code is 0 if all hold. fair-deals.md explains them.
"""

import json
import sys
from hashlib import sha256


def deal(seed, n, cards):
    numbers = (int(sha256(f"{seed}:{n}:{i // 4}".encode()).hexdigest()[i % 4 * 16 :][:16], 16) for i in range(10**6))
    for place in range(len(cards) - 1, 0, -1):
        other = next(x for x in numbers if x < 2**64 - 2**64 % (place + 1)) % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def cuts_of(players):
    return [player["cut"] for player in players if player["cut"] is not None]


def seed_of(secret, cuts):
    return sha256("\n".join([secret, *cuts]).encode()).hexdigest() if cuts else secret


# The cards of deal number n before they are shuffled, in the order that fair-deals.md gives for each game.


def sea_change(match, n):
    if n == 0:
        return [*"BGRPY"]  # which suits are in play
    players = len(match["players"])
    suits = "BGRPY" if players > 4 else match["deals"][0]["after"][: max(3, players)]
    values = [0, *range(min(4, 9 - players), max(13, players + 8))]
    return [f"{suit}{value}" for suit in "BGRPY" if suit in suits for value in values]


def siege_of_sunfall(match, n):
    if n > 0:
        return [*"0123456"[: 4 + len(match["players"]) // 2]]  # how many cards lie above Siege End
    table = match["options"]["deck"]
    fighters = [f"{kind} {strength}" for kind in ("swords", "helmet", "bow") for strength in table["strengths"][kind]]
    return fighters + [kind for kind in ("boost", "gold", "armies", "crown") for _ in range(table[kind])]


def full_sun(match, n):
    highest = {3: 7, 4: 11, 5: 17}[len(match["players"])]
    return [f"{tree}{number}" for tree in "BRSL" for number in range(1, highest + 1)] + ["Rain", "Sun"]


def full_circle(match, n):
    pairs = [(one, other) for one in "BRYGOP" for other in "BRYGOP"]
    return [card for a, b in pairs for card in ([a, a] if a == b else [a + b])] + ["W"] * 6


def photosynthesis(match, n):
    return []  # nothing is dealt


DECKS = {deck.__name__: deck for deck in (sea_change, siege_of_sunfall, full_sun, full_circle, photosynthesis)}


# The team of each seat, by the option "teams" of Sea Change.

TEAMS = {"2v2": "ABAB", "2v2v1": "ABCAB", "3v2": "ABABA", "2v2v2": "ABCABC", "3v3": "ABABAB"}
TEAMS |= {"2v2v2v1": "ABCDABC", "3v2v2": "ABACABC", "2v2v2v2": "ABCDABCD", "4v4": "ABABABAB"}


# The claims: each returns sentences, and whether they are true.


def the_secret_is_the_promised_one(match, promised):
    secret = match["secret"]
    return {f"the secret {secret} has the SHA-256 {promised}": sha256(secret.encode()).hexdigest() == promised}


def the_seed_follows_from_secret_and_cuts(match):
    cuts = cuts_of(match["players"])
    return {f"with the cuts {cuts!a} the seed is {match['seed']}": seed_of(match["secret"], cuts) == match["seed"]}


def the_seats_are_as_drawn(match):
    came = [player["came"] for player in match["players"]]  # by seat: the player's place in the lobby
    teams = TEAMS.get(match["options"].get("teams"), "")  # of each seat
    lobby = sorted(match["players"], key=lambda player: player["came"] or 0)
    chosen = [player.get("team") if teams else None for player in lobby]  # files from older versions have no teams
    went_round = match["previous"] is not None and came == [None] * len(came)  # after "Play again"
    if not went_round:
        seed, places = seed_of(match["secret"], cuts_of(lobby)) + ":seats", range(len(came))
        draws = (deal(seed, n, [*places]) for n in range(10**5))
        fitting = (d for d in draws if all(chosen[d[s]] in (None, "ABCD".find(teams[s : s + 1])) for s in places))
        came = came == next(fitting, None)  # the first draw that keeps the teams which players chose
    names = ["any" if team is None else "ABCD"[team] for team in chosen]
    return {f"the seats are as drawn, or went round; teams chosen in the lobby: {' '.join(names)}": bool(came)}


def every_deal_follows_from_the_seed(match):
    game, deals, seed = match["game"], match["deals"], seed_of(match["secret"], cuts_of(match["players"]))
    claims = {"there are deals if the game has any": bool(deals) == bool(DECKS[game](match, 0))}
    all_suits = game == "sea_change" and len(match["players"]) > 4  # then no suits are drawn, and deal 0 is left out
    for n, dealt in enumerate(deals, 1 if all_suits else 0):
        before, deck = dealt["before"], DECKS[game](match, n)
        whole = before == deck
        if game == "full_circle" and n > 0:  # or it is a new pile: the covered cards alone, in the same order
            rest = iter(deck)
            whole = all(card in rest for card in before)
        claims[f"deal {n}: {' | '.join(dealt['after'])}"] = whole and dealt["after"] == deal(seed, n, [*before])
    return claims


def main(path, promised=None):
    with open(path, encoding="utf-8") as file:
        match = json.load(file)
    claims = {f"this verify.py knows how {match['game']} is dealt": match["game"] in DECKS}
    if all(claims.values()):
        claims |= the_secret_is_the_promised_one(match, promised or match["commitment"])
        claims |= the_seed_follows_from_secret_and_cuts(match)
        claims |= the_seats_are_as_drawn(match)
        claims |= every_deal_follows_from_the_seed(match)
    print(*(f"{'ok' if true else 'NO'}  {claim}" for claim, true in claims.items()), sep="\n")
    return 0 if all(claims.values()) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) > 1 else __doc__)
