"""Check a finished match of Sundial: python docs/verify.py match-1.json [the fingerprint you copied]

It plays the whole match again from its secret, cuts, options and moves. So it needs, beside Python 3.11, the folder
rules/ of the bot's repository beside the folder of this file: `git clone` brings both, and neither needs the bot. What
the secret, the cuts and the shuffles must be is computed here a second time, without rules/.

It prints "ok" before each claim that holds, else "NO"; the exit code is 0 if all hold, 1 if not, and 2 if the file
cannot be read. fair-deals.md explains the claims. All text of the file is printed in ASCII, so it can pretend nothing.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

MOST_BYTES = 4_000_000
MADE_UP = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
"""What options of the wrong kind can lead to in rules/."""


class BadFile(Exception):
    """The file is not that of a match."""


# The arithmetic, as fair-deals.md describes it.


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


# The claims: each function returns sentences, and whether they are true.


def the_secret_is_the_promised_one(match, promised):
    secret = match["secret"]
    return {f"the secret {shown(secret)} has the SHA-256 {shown(promised)}": hashed(secret) == promised}


def the_seed_follows_from_secret_and_cuts(match):
    cuts = cuts_of(match["players"])
    seed = seed_of(match["secret"], cuts)
    return {f"with the cuts {cuts!a} the seed is {shown(match['seed'])}": seed == match["seed"]}


def the_seats_are_as_drawn(match, teams):
    """The first match of a table has its seats drawn, and also one whose players chose teams. In all others they go
    round. `teams`: of each seat, from 0.
    """
    players, before = match["players"], match["previous"]
    came = [player["came"] for player in players]  # by seat: the player's place in the lobby
    if None in came or sorted(came) != list(range(len(came))):
        return {"each player has a place in the lobby": False}
    lobby = sorted(players, key=lambda player: player["came"])
    told = ", ".join(shown(player["name"]) for player in lobby)
    claims = {f"the lobby listed, in this order: {told}": True}
    chosen = [player["team"] for player in lobby]
    if not teams and chosen != [None] * len(chosen):
        return {"the game as chosen has teams": False}
    if before is not None and chosen == [None] * len(chosen):
        if not before["players"]:
            return claims | {"the file carries the match before, after which the seats went round": False}
        sat = [player["sat"] for player in lobby]  # their seats in the match before; -1: none
        places = [seat for seat in sat if seat is not None and seat >= 0]
        whole = None not in sat and len({*places}) == len(places) and max(places, default=0) < len(before["players"])
        whole = whole and all(is_the_same(player, before["players"], players) for player in players)
        names = ", ".join(map(shown, before["players"]))
        claim = f"the seats went round after table {before['table']}, where these sat in this order: {names}"
        return claims | {claim: whole and came == gone_round(sat)}
    if any(player["sat"] is not None for player in lobby):
        return {"the seats were drawn, so no seat in a match before counts": False}
    seed, seats = seed_of(match["secret"], cuts_of(lobby)) + ":seats", range(len(came))
    draws = (deal(seed, n, [*seats]) for n in range(10**5))
    fitting = (d for d in draws if all(chosen[d[s]] is None or chosen[d[s]] == teams[s] for s in seats if teams))
    names = ["any" if team is None else "ABCD"[team] for team in chosen]
    return claims | {
        f"the seats are as drawn; teams chosen in the lobby: {' '.join(names)}": came == next(fitting, None)
    }


def is_the_same(player, before, players):
    """Return whether the player can have had that seat in the match before. A name that stands in both lists is the
    same player; one that stands in one list alone may have changed.
    """
    known = [seat for seat, name in enumerate(before) if name == player["name"]]
    if known:
        return player["sat"] in known
    return player["sat"] < 0 or before[player["sat"]] not in [other["name"] for other in players]


def gone_round(sat):
    """Return, for each seat, the place in the lobby of the player who sits there. The second seat of the match before
    begins, and so on; then its first one; then the newcomers, in the order of the lobby. `sat`: by place.
    """
    first = [place for place, seat in enumerate(sat) if seat == 0]
    order = sorted((place for place, seat in enumerate(sat) if seat > 0), key=lambda place: sat[place])
    newcomers = [place for place, seat in enumerate(sat) if seat < 0]
    return [*order, *first, *newcomers] if order else [*newcomers, *first]


def every_deal_follows(match, dealt):
    """`dealt`: number, deck and result of each shuffle that the moves lead to, by the rules."""
    claims, seed = {}, seed_of(match["secret"], cuts_of(match["players"]))
    told = [(each["number"], each["before"], each["after"]) for each in match["deals"]]
    for n, before, after in dealt:
        claims[f"deal {n}: {' | '.join(map(shown, after))}"] = (
            after == deal(seed, n, [*before]) and told.count((n, before, after)) == 1
        )
    return claims | {f"the file lists these {len(dealt)} deals and no other, in this order": told == dealt}


# The match, played again by the rules.


def played(match, game):
    """Return the deals and the final position. Raises BadFile if a move was not possible, or was not taken back as the
    table takes moves back: the latest first, and none that dealt.
    """
    from rules.core.chance import Shuffled
    from rules.core.game import IllegalMove, Seat

    first = game.new(len(match["players"]), match["options"], match["seed"])
    stack = [(None, first, first.opening())]
    moves = match["moves"]
    for number in range(len(moves) + 1):
        while stack[-1][0] is not None and moves[stack[-1][0]]["undone_at"] == number:
            at, _, events = stack.pop()
            if any(isinstance(event, Shuffled) for event in events):
                raise BadFile(f"move {at} dealt cards, so it cannot have been taken back")
        if number == len(moves):
            break
        move, text = moves[number], moves[number]["move"]
        if move["taken_back"] and move["undone_at"] is None:
            continue  # files of older versions do not say when
        try:
            state, events = stack[-1][1].apply(game.parse(Seat(move["seat"]), text))
        except IllegalMove as error:
            raise BadFile(f"move {number}, {shown(text)} of seat {move['seat']}: {error.reason.value}") from None
        stack.append((number, state, events))
    for number, move in enumerate(moves):
        standing = any(number == at for at, _, _ in stack)
        if standing is bool(move["taken_back"]):
            raise BadFile(f"move {number} is not marked as it was made and taken back")
    dealt = [e for _, _, events in stack for e in events if isinstance(e, Shuffled)]
    return [(e.ordinal, [*e.before], [*e.after]) for e in dealt], stack[-1][1]


def claims_of(match, promised):
    from rules import GAMES
    from rules.core.game import BadOption

    game = GAMES.get(match["game"])
    if game is None:
        return {f"this copy of rules/ knows {shown(match['game'])}": False}
    rules, seats, options = match["rules"], len(match["players"]), match["options"]
    if rules not in (None, game.version):
        return {f"this copy of rules/ has version {rules} of the rules of {game.title}; it has {game.version}": False}
    claims = the_secret_is_the_promised_one(match, promised or match["commitment"])
    claims |= {
        "the file names the fingerprint that you copied": match["commitment"] == (promised or match["commitment"])
    }
    claims |= the_seed_follows_from_secret_and_cuts(match)
    try:
        dealt, end = played(match, game)
        claims |= the_seats_are_as_drawn(match, list(game.teams(seats, options)))
    except BadOption as error:
        return claims | {f"the options fit the game: {shown(error)}": False}
    except BadFile as error:
        return claims | {f"every move was possible: {error}": False}
    claims |= every_deal_follows(match, dealt)
    outcome = end.outcome()
    told = json.dumps(None if outcome is None else outcome.to_json(), sort_keys=True)
    names = [shown(player["name"]) for player in match["players"]]
    ending = (
        "the match was ended before it had an outcome"
        if outcome is None
        else f"won by {', '.join(names[seat] for seat in sorted(outcome.winners))}, scores {[*outcome.scores]}"
    )
    stand = sum(not move["taken_back"] for move in match["moves"])
    claims |= {
        f"the {stand} moves that stand lead to this end: {ending}": json.dumps(match["outcome"], sort_keys=True) == told
    }
    return claims | {f"compare with what the table showed: options {shown(json.dumps(options, sort_keys=True))}": True}


# The file.


def hashed(text):
    return sha256(text.encode()).hexdigest()


def shown(value):
    """Return the text in ASCII, with everything else written out, so that no terminal obeys it."""
    return ascii(str(value))[1:-1]


def of_kind(value, kind, what):
    if (kind is int and isinstance(value, bool)) or not isinstance(value, kind):
        raise BadFile(f"{what} is missing or of another kind")
    return value


def text(value, what):
    found = of_kind(value, str, what)
    if len(found) > 100_000:
        raise BadFile(f"{what} is too long")
    found.encode()  # UnicodeEncodeError, a ValueError, for half a character
    return found


def number_or_none(value, what):
    if value is None:
        return None
    if not -1 <= of_kind(value, int, what) < 10**9:
        raise BadFile(f"{what} is out of range")
    return value


def once(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise BadFile("a name stands twice in one object")
    return dict(pairs)


def refuse(constant):
    raise BadFile(f"{constant} is no number")


def read(path):
    """Return the match in the file: all that is checked of it, each of the right kind. Raises BadFile or OSError."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BadFile("the file is too large")
    try:
        raw = json.loads(data.decode(), object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise BadFile("the file is not JSON in UTF-8") from None
    raw = of_kind(raw, dict, "the match")
    players = [of_kind(each, dict, "a player") for each in of_kind(raw.get("players"), list, "players")]
    moves = [of_kind(each, dict, "a move") for each in of_kind(raw.get("moves"), list, "moves")]
    deals = [of_kind(each, dict, "a deal") for each in of_kind(raw.get("deals"), list, "deals")]
    before = raw.get("previous")
    if before is not None:
        before = before if isinstance(before, dict) else {"players": []}
        names = [text(name, "a name") for name in of_kind(before.get("players"), list, "previous")]
        before = {"table": number_or_none(before.get("table"), "previous"), "players": names}
    if not 0 < len(players) <= 100:
        raise BadFile("there are no players")
    return {
        **{name: text(raw.get(name), name) for name in ("game", "commitment", "secret", "seed")},
        "rules": number_or_none(raw.get("rules"), "rules"),
        "options": of_kind(raw.get("options"), dict, "options"),
        "previous": before,
        "outcome": raw.get("outcome"),
        "players": [
            {
                "name": text(each.get("name"), "a name"),
                "cut": None if each.get("cut") is None else text(each["cut"], "a cut"),
                "came": number_or_none(each.get("came"), "came"),
                "sat": number_or_none(each.get("sat"), "sat"),
                "team": team(each.get("team")),
            }
            for each in players
        ],
        "moves": [
            {
                "seat": seat(each.get("seat"), len(players)),
                "move": text(each.get("move"), "a move"),
                "taken_back": of_kind(each.get("taken_back"), bool, "taken_back"),
                "undone_at": undone_at(each),
            }
            for each in moves
        ],
        "deals": [
            {
                "number": number_or_none(each.get("number"), "number"),
                "before": [text(card, "a card") for card in of_kind(each.get("before"), list, "before")],
                "after": [text(card, "a card") for card in of_kind(each.get("after"), list, "after")],
            }
            for each in deals
        ],
    }


def seat(value, seats):
    if not 0 <= of_kind(value, int, "a seat") < seats:
        raise BadFile("a seat is out of range")
    return value


def undone_at(move):
    found = number_or_none(move.get("undone_at"), "undone_at")
    if "undone_at" in move and (found is not None) is not move["taken_back"]:
        raise BadFile("a move does not say when it was taken back")
    return found


def team(value):
    if value not in (None, 0, 1, 2, 3) or isinstance(value, bool):
        raise BadFile("a team is out of range")
    return value


def main(path, promised=None):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    try:
        import rules  # noqa: F401
    except ImportError:
        print("NO  the folder rules/ is not beside the folder of this file: take both from the bot's repository")
        return 2
    try:
        match = read(path)
    except (BadFile, OSError, ValueError) as error:
        print(f"NO  {shown(error)}")
        return 2
    try:
        claims = claims_of(match, promised)
    except MADE_UP as error:
        claims = {f"the match can be played again: {shown(type(error).__name__)}": False}
    print(*(f"{'ok' if true else 'NO'}  {claim}" for claim, true in claims.items()), sep="\n")
    return 0 if all(claims.values()) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) > 1 else __doc__)
