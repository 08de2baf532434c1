"""Check a finished match of Sundial with Python alone: python verify.py match-1.json [the SHA-256 that was promised]"""

import json
import sys
from hashlib import sha256


def deal(seed, n, cards):
    numbers = (int(sha256(f"{seed}:{n}:{i // 4}".encode()).hexdigest()[i % 4 * 16 :][:16], 16) for i in range(10**6))
    for place in range(len(cards) - 1, 0, -1):
        other = next(x for x in numbers if x < 2**64 - 2**64 % (place + 1)) % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def deck(game, n, k, on, own):  # the cards of deal n in their order, for k players, with these suits or this deck table
    if game == "siege_of_sunfall":
        row = [f"{c} {s}" for c in ("swords", "helmet", "bow") for s in own["strengths"][c]]
        return [*"0123456"[: 4 + k // 2]] if n else sum([own[c] * [c] for c in "boost gold armies crown".split()], row)
    if game == "full_sun":
        return [f"{s}{v}" for s in "BRSL" for v in range(1, [8, 12, 18][k - 3])] + ["Rain", "Sun"]
    if game == "full_circle":
        return [c for a in "BRYGOP" for b in "BRYGOP" for c in ([a + b] if a != b else [a, a])] + ["W"] * 6
    return [f"{s}{v}" for s in "BGRPY" if s in on for v in ([0, *range(min(4, 9 - k), max(13, k + 8))] if n else [""])]


match = json.load(open((sys.argv[1:] or sys.exit(__doc__))[0], encoding="utf-8"))
secret, players, game, deals, options = (match[name] for name in ("secret", "players", "game", "deals", "options"))
came, promised, k = [p["came"] for p in players], (*sys.argv[2:], match["commitment"])[0], len(players)
cuts = [[p["cut"] for p in o if p["cut"] is not None] for o in (players, sorted(players, key=lambda p: p["came"] or 0))]
seeds = [sha256("\n".join([secret, *cut]).encode()).hexdigest() if cut else secret for cut in cuts]
drawn = came if match["previous"] is not None and came == [None] * k else deal(f"{seeds[1]}:seats", 0, [*range(k)])
found = {f"the secret {secret} has the SHA-256 {promised}": sha256(secret.encode()).hexdigest() == promised}
found[f"with the cuts {cuts[0]!a} the seed is {match['seed']}"] = seeds[0] == match["seed"]
found["the seats are as drawn, or went round"] = came == drawn and bool(deals) == (game != "photosynthesis")
for n, d in enumerate(deals, int(game == "sea_change" and k > 4)):
    it = iter(full := deck(game, n, k, deals[0]["after"][: max(3, k)] if n and k < 5 else "BGRPY", options.get("deck")))
    whole = d["before"] == full or (game == "full_circle" and n > 0 and all(card in it for card in d["before"]))
    found[f"deal {n}: {' | '.join(d['after'])}"] = whole and deal(seeds[0], n, d["before"]) == d["after"]
sys.exit(print(*(f"{'ok' if x else 'NO'}  {claim}" for claim, x in found.items()), sep="\n") or not all(found.values()))
