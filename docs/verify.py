"""Check a finished match of Sundial with Python alone: python verify.py match-1.json [the SHA-256 that was promised]"""

import json
import re
import sys
from hashlib import sha256
from pathlib import Path

ORDER = {  # how a deck lies before it is shuffled: by kind, then by number
    "sea_change": [*"BGRPY"],
    "full_sun": [*"BRSL", "Rain", "Sun"],
    "siege_of_sunfall": ["swords", "helmet", "bow", "boost", "gold", "armies", "crown", ""],
    "full_circle": [a if a == b else a + b for a in "BRYGOP" for b in "BRYGOP"] + ["W"],
}


def deal(seed, n, cards):
    hashes = (sha256(f"{seed}:{n}:{block}".encode()).digest() for block in range(1_000_000))
    numbers = (int.from_bytes(digest[at : at + 8], "big") for digest in hashes for at in (0, 8, 16, 24))
    cards = list(cards)
    for place in range(len(cards) - 1, 0, -1):
        other = next(x for x in numbers if x < 2**64 - 2**64 % (place + 1)) % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


match = json.loads(Path((sys.argv[1:] or sys.exit(__doc__))[0]).read_text(encoding="utf-8"))
secret, players, promised, seeds = match["secret"], match["players"], (*sys.argv[2:], match["commitment"])[0], []
for order in (players, sorted(players, key=lambda player: player["came"] or 0)):  # by seat, and as the lobby lists them
    lines = [secret, *(player["cut"] for player in order if player["cut"] is not None)]
    seeds.append(sha256("\n".join(lines).encode()).hexdigest() if lines[1:] else secret)
came, drawn = [player["came"] for player in players], deal(f"{seeds[1]}:seats", 0, range(len(players)))
found = {f"the secret {secret} has the SHA-256 {promised}": sha256(secret.encode()).hexdigest() == promised}
found[f"with the cuts {[p['cut'] for p in players]!a} the seed is {match['seed']}"] = seeds[0] == match["seed"]
found["the seats were not drawn" if None in came else "the seats are as drawn"] = came in (drawn, [None] * len(came))
for n, d in enumerate(match["deals"], match["deals"][0]["number"] if match["deals"] else 0):
    lie = [(ORDER[match["game"]].index(re.sub(r"[ \d]", "", c)), int("0" + re.sub(r"\D", "", c))) for c in d["before"]]
    found[f"deal {n}: {' | '.join(d['after'])}"] = lie == sorted(lie) and deal(seeds[0], n, d["before"]) == d["after"]
print("\n".join(f"{'ok' if holds else 'NO'}  {claim}" for claim, holds in found.items()))  # noqa: T201
sys.exit(not all(found.values()))
