"""Check a finished match of Sundial: python docs/verify.py match-9.json [fingerprint] [match-8.json [fingerprint]] ...

The fingerprint is the one that you copied: that of the match or, if the match is a table of a season, the season's. If
the seats went round, the file of the match before can follow with its own fingerprint, and so on.

It plays the whole match again from its secret, cuts, options and moves. So it needs, beside Python 3.11, the folder
rules/ of the bot's repository beside the folder of this file: `git clone` brings both, and neither needs the bot. What
the secret, the cuts and the shuffles must be is computed here a second time, without rules/.

It prints "ok" before each claim that holds, "NO" before one that does not, and "??" before what only you can compare
with what you saw. The exit code is 0 without a "NO", 1 with one, and 2 if a file cannot be read. fair-deals.md explains
the claims. All text of a file is printed in ASCII, so it can pretend nothing.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

MOST_BYTES, MOST_MOVES = 4_000_000, 20_000
IN_A_LINE = 10
"""Moves that are printed in one line."""
MARKS = {True: "ok", False: "NO", None: "??"}


class BadFile(Exception):
    """The file is not that of a match."""


# The arithmetic, as fair-deals.md describes it.


def deal(seed, n, cards):
    numbers = (int(sha256(f"{seed}:{n}:{i // 4}".encode()).hexdigest()[i % 4 * 16 :][:16], 16) for i in range(10**6))
    for place in range(len(cards) - 1, 0, -1):
        other = next(x for x in numbers if x < 2**64 - 2**64 % (place + 1)) % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def hashed(text):
    return sha256(text.encode()).hexdigest()


def fingerprint(secret):
    return hashed(secret) + "".join(secret.partition("+")[1:])


def table_before(secret):
    number = secret.partition("+")[2]
    return int(number) if number.isdecimal() and len(number) < 10 else None


def cuts_of(players):
    return [player["cut"] for player in players if player["cut"] is not None]


def seed_of(secret, cuts):
    return hashed("\n".join([secret, *cuts])) if cuts else secret


def table_secret(season):
    again = f":{season['restores']}" if season["restores"] else ""
    return hashed(f"{season['secret']}:table:{season['round']}:{season['table']}{again}")


# The claims: each function returns sentences, and whether they are true; None: the reader must compare them.


def what_is_checked(match, game):
    version = "of a version that the file does not name" if match["rules"] is None else f"version {match['rules']}"
    claims = {f"this is table {match['table']}, played by the rules of {game.title}, {version}": None}
    if match["absent"]:
        claims |= {f"a bot before version 0.3 wrote the file, which does not say: {', '.join(match['absent'])}": None}
    return claims | {f"the options were {shown(json.dumps(match['options'], sort_keys=True))}": None}


def the_secret_is_the_promised_one(match, promised):
    secret, told, season = match["secret"], match["commitment"], match["season"]
    claims = {f"the secret {shown(secret)} has the fingerprint {shown(told)}": fingerprint(secret) == told}
    if promised is None:
        return {f"if you copied a fingerprint, it must be {shown(told)}": None} | claims
    for what, known in (("season", season and season["commitment"]), ("match", told)):
        if promised == known:
            return {f"the fingerprint that you gave is that of the {what}": True} | claims
    return {f"the fingerprint that you gave, {shown(promised)}, is that of the match, {shown(told)}": False} | claims


def the_secret_follows_from_the_season(match, promised):
    season = match["season"]
    if season is None:
        return {}
    place = f"table {season['table'] + 1} of round {season['round']}"
    claims = {f"*Fair deal* of the season shows the fingerprint {shown(season['commitment'])}": None}
    claims = ({} if promised == season["commitment"] else claims) | {f"in that season this was {place}": None}
    if season["restores"]:
        claims |= {f"*Fair deal* of the season tells of {season['restores']} or more restored backups": None}
    if season["secret"] is None:
        if promised == season["commitment"]:
            return claims | {
                "the season is over, so that its fingerprint can be checked: take the file again then": False
            }
        return claims | {"the season's secret is not told yet: take the file again when its last match is over": None}
    told = shown(season["secret"])
    return claims | {
        f"the season's secret {told} has the season's fingerprint": hashed(season["secret"]) == season["commitment"],
        f"the secret of {place} follows from it": table_secret(season) == match["secret"],
    }


def the_seed_follows_from_secret_and_cuts(match):
    players = match["players"]
    cuts = " | ".join(f"{shown(each['name'])}: {each['cut']!a}" for each in players if each["cut"] is not None)
    right = seed_of(match["secret"], cuts_of(players)) == match["seed"]
    told = f"with these cuts the seed is {shown(match['seed'])}"
    return {f"cuts, in the order of the seats: {cuts or 'none'}": None, told: right}


def the_seats_are_fair(match, teams):
    """The secret says with "+8" at its end that the seats go round after table 8. If it does not, or if players chose
    teams, the seats are drawn. `teams`: of each seat, from 0.
    """
    players, before, number = match["players"], match["previous"], table_before(match["secret"])
    if match["teams"] not in (None, teams):
        return {f"the teams of the seats are {teams}": False}
    came = [player["came"] for player in players]  # by seat: the player's place in the lobby
    if came == [None] * len(came):
        return {"the file says how the players were seated (if it began before version 0.3, it does not)": False}
    if None in came or sorted(came) != list(range(len(came))):
        return {"each player has a place in the lobby": False}
    lobby = sorted(players, key=lambda player: player["came"])
    chosen = [player["team"] for player in lobby]
    claims = {f"the lobby listed, in this order: {', '.join(shown(player['name']) for player in lobby)}": None}
    if not teams and chosen != [None] * len(chosen):
        return {"the game as chosen has teams": False}
    if teams:
        names = ["none" if team is None else "ABCD"[team] for team in chosen]
        claims |= {f"teams chosen in the lobby, in the same order: {', '.join(names)}": None}
    if number is not None and chosen == [None] * len(chosen):
        return claims | the_seats_went_round(came, lobby, before, number)
    if before is not None:
        drawn = "the seats were drawn, as they must be when players chose teams"
        round_ = f"the fingerprint ends with +{before['table']}, as it does if the seats go round after that table"
        return claims | {round_ if number is None else drawn: False}
    if any(player["sat"] is not None for player in lobby):
        return claims | {"no player has a seat in a match before, since the seats were drawn": False}
    seed, seats = seed_of(match["secret"], cuts_of(lobby)) + ":seats", range(len(came))
    draws = (deal(seed, n, [*seats]) for n in range(10**5))
    fitting = (d for d in draws if all(chosen[d[s]] is None or chosen[d[s]] == teams[s] for s in seats if teams))
    return claims | {"the seats are as drawn": came == next(fitting, None)}


def the_seats_went_round(came, lobby, before, number):
    if before is None or before["table"] != number:
        return {f"the seats went round after table {number}, as the fingerprint says": False}
    if not before["players"]:
        return {f"the file says who sat at table {number}, after which the seats went round": False}
    sat = [player["sat"] for player in lobby]  # their seats in the match before; -1: none
    places = [seat for seat in sat if seat is not None and seat >= 0]
    whole = None not in sat and len({*places}) == len(places) and max(places, default=0) < len(before["players"])
    whole = whole and all(is_the_same(player, before["players"], lobby) for player in lobby)
    claims = {f"at table {number} sat, in this order: {', '.join(map(shown, before['players']))}": None}
    names = [player["name"] for player in lobby]
    unknown = [name for name in before["players"] if name not in names or name == "departed"]
    for place, (name, seat) in enumerate(zip(names, sat, strict=True)) if whole else ():
        if name == "departed" or names.count(name) > 1 or before["players"].count(name) > 1:
            who = f"{shown(name)}, number {place + 1} of the lobby,"
        elif name not in before["players"] and unknown:
            who = shown(name)
        else:
            continue
        others = ", ".join(map(shown, unknown or before["players"]))
        was = f"none of {others}" if seat < 0 else f"{shown(before['players'][seat])} in seat {seat + 1}"
        claims |= {f"at table {number}, {who} was {was}": None}
    return claims | {f"after table {number} the seats went round": whole and came == gone_round(sat)}


def is_the_same(player, before, players):
    """Return whether the player can have had that seat in the match before. A name that stands in both lists is the
    same player; one that stands in one list alone may have changed. Players whose data was deleted have one name.
    """
    if player["name"] == "departed":
        return True
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


def the_moves_lead_to_the_end(match, end, made):
    """`made`: each move, as it is printed."""
    outcome = end.outcome()
    told = json.dumps(None if outcome is None else outcome.to_json(), sort_keys=True)
    names = [shown(player["name"]) for player in match["players"]]
    ending = (
        "the match was ended before it had an outcome"
        if outcome is None
        else f"won by {', '.join(names[seat] for seat in sorted(outcome.winners))}, scores {[*outcome.scores]}"
    )
    claims = {
        f"at the end {shown(player['at_end'])} sat in the seat of {shown(player['name'])}": None
        for player in match["players"]
        if player["at_end"] is not None
    }
    claims |= {
        f"moves {at + 1} to {min(at + IN_A_LINE, len(made))}: {' | '.join(made[at : at + IN_A_LINE])}": None
        for at in range(0, len(made), IN_A_LINE)
    }
    stand = sum(not move["taken_back"] for move in match["moves"])
    right = json.dumps(match["outcome"], sort_keys=True) == told
    return claims | {f"the {stand} moves that stand lead to this end: {ending}": right}


def the_match_before_is_that_one(match, before):
    """`before`: the file of the match before, which the reader has given."""
    told, names = match["previous"], [player["at_end"] or player["name"] for player in before["players"]]
    if told is None:
        return {"the seats went round, so that a match before can be checked": False}
    same = len(names) == len(told["players"]) and all(
        name == "departed" or without_number(name) == without_number(other)
        for name, other in zip(told["players"], names, strict=True)
    )
    claim = f"the file of table {before['table']}, which you gave, has these players in these seats"
    return {claim: same and before["table"] == told["table"]}


def without_number(name):
    """Return the name without the number that tells two players of one name apart."""
    own, mark, number = name.rpartition(" (")
    return own if mark and number[:-1].isdecimal() and number.endswith(")") else name


# The match, played again by the rules.


def played(match, game):
    """Return the deals, the final position and the moves as they are printed. Raises BadFile if a move was not
    possible, or was not taken back as the table takes moves back: the latest first, and none that dealt.
    """
    from rules.core.chance import Shuffled
    from rules.core.game import IllegalMove, Seat

    first = game.new(len(match["players"]), match["options"], match["seed"])
    stack, moves, made, undone = [(None, first, first.opening())], match["moves"], [], 0
    for number in range(len(moves) + 1):
        while stack[-1][0] is not None and moves[stack[-1][0]]["undone_at"] == number:
            at, _, events = stack.pop()
            undone += 1
            if any(isinstance(event, Shuffled) for event in events):
                raise BadFile(f"move {at + 1} dealt cards, so it cannot have been taken back")
        if number == len(moves):
            break
        move, text = moves[number], moves[number]["move"]
        if move["taken_back"] and move["undone_at"] is None:
            raise BadFile(f"the file does not say when move {number + 1} was taken back: take it from a newer bot")
        seat, state = Seat(move["seat"]), stack[-1][1]
        turn = state.turn(seat) + (f"-{undone}" if undone else "")
        try:
            state, events = state.apply(game.parse(seat, text))
        except IllegalMove as error:
            raise BadFile(f"move {number + 1}, {shown(text)} of seat {seat + 1}: {error.reason.value}") from None
        stack.append((number, state, events))
        made.append(printed(match, move, turn))
    stands = {at for at, _, _ in stack}
    for number, move in enumerate(moves):
        if (number in stands) is bool(move["taken_back"]):
            raise BadFile(f"move {number + 1} is not marked as it was made and taken back")
    dealt = [e for _, _, events in stack for e in events if isinstance(e, Shuffled)]
    return [(e.ordinal, [*e.before], [*e.after]) for e in dealt], stack[-1][1], made


def printed(match, move, turn):
    """Return a move as the reader compares it. `turn`: its token if no backup was restored."""
    notes = [] if move["by"] is None else [f"by the computer {shown(move['by'])}"]
    notes += [f"taken back before move {move['undone_at'] + 1}"] if move["taken_back"] else []
    notes += [] if move["turn"] in (None, turn) else [f"turn {shown(move['turn'])}"]
    return f"{shown(match['players'][move['seat']]['name'])} {shown(move['move'])}" + "".join(f" ({n})" for n in notes)


def claims_of(match, promised):
    from rules import GAMES
    from rules.core.game import BadOption

    game = GAMES.get(match["game"])
    if game is None:
        return {f"this copy of rules/ knows {shown(match['game'])}": False}
    rules, seats, options = match["rules"], len(match["players"]), match["options"]
    if rules not in (None, game.version):
        return {f"this copy of rules/ has version {rules} of the rules of {game.title}; it has {game.version}": False}
    claims = {}
    try:
        claims |= what_is_checked(match, game) | the_secret_is_the_promised_one(match, promised)
        claims |= the_secret_follows_from_the_season(match, promised) | the_seed_follows_from_secret_and_cuts(match)
        dealt, end, made = played(match, game)
        claims |= the_seats_are_fair(match, list(game.teams(seats, options)))
        return claims | every_deal_follows(match, dealt) | the_moves_lead_to_the_end(match, end, made)
    except BadOption as error:
        return claims | {f"the options fit the game: {shown(error)}": False}
    except BadFile as error:
        return claims | {f"every move was possible: {error}": False}
    except Exception as error:  # what is made up can raise anything in rules/
        return claims | {f"the match can be played again: {shown(type(error).__name__)}": False}


# The file.


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


def within(least, most):
    def read_number(value, what):
        if not least <= of_kind(value, int, what) <= most:
            raise BadFile(f"{what} is out of range")
        return value

    return read_number


def a(kind):
    return lambda value, what: of_kind(value, kind, what)


def anything(value, what):
    return value


def or_none(read):
    return lambda value, what: None if value is None else read(value, what)


def all_of(read, most=100_000):
    def read_all(values, what):
        if len(of_kind(values, list, what)) > most:
            raise BadFile(f"{what} are too many")
        return [read(value, f"one of {what}") for value in values]

    return read_all


def an_object(later=(), **fields):
    """Return what reads an object of these fields and no other. `later`: those that older files lack."""

    def read_fields(value, what):
        of_kind(value, dict, what)
        for name in value:
            if name not in fields:
                raise BadFile(f"{what} has a field that this script does not know: {shown(name)}")
        for name in fields:
            if name not in value and name not in later:
                raise BadFile(f"{what} has no {name}")
        found = {name: read(value.get(name), name) for name, read in fields.items() if name in value}
        return dict.fromkeys(later) | found | {"absent": [name for name in later if name not in value]}

    return read_fields


number, team = within(-1, 10**9 - 1), within(0, 3)


def previous(value, what):
    return {"table": number(value, what), "players": []} if isinstance(value, int) else BEFORE(value, what)


BEFORE = an_object(table=number, players=all_of(text))
SEASON = an_object(commitment=text, secret=or_none(text), round=number, table=number, restores=number)
PLAYER = an_object(
    ("sat", "at_end"),
    **{"name": text, "at_end": or_none(text), "came": or_none(number), "sat": or_none(number)},
    **{"cut": or_none(text), "team": or_none(team)},
)
MOVE = an_object(
    ("undone_at", "turn", "by"),
    **{"seat": number, "move": text, "taken_back": a(bool)},
    **{"undone_at": or_none(number), "turn": text, "by": or_none(text)},
)
DEAL = an_object(number=number, before=all_of(text), after=all_of(text))
MATCH = an_object(
    ("rules", "table", "teams", "season", "outcome"),
    **{"game": text, "rules": number, "table": number, "options": a(dict)},
    **{"previous": or_none(previous), "season": or_none(SEASON), "commitment": text, "secret": text, "seed": text},
    **{"teams": all_of(team), "players": all_of(PLAYER, 100), "moves": all_of(MOVE, MOST_MOVES)},
    **{"deals": all_of(DEAL), "outcome": anything},
)


def once(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise BadFile("a name stands twice in one object")
    return dict(pairs)


def refuse(constant):
    raise BadFile(f"{constant} is no number")


def read(path):
    """Return the match in the file, with each part of the right kind. Raises BadFile, OSError or ValueError."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BadFile("the file is too large")
    try:
        raw = json.loads(data.decode(), object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise BadFile("the file is not JSON in UTF-8") from None
    match = MATCH(raw, "the match")
    if not match["players"]:
        raise BadFile("there are no players")
    for move in match["moves"]:
        if move["seat"] not in range(len(match["players"])):
            raise BadFile("a seat is out of range")
        if "undone_at" not in move["absent"] and (move["undone_at"] is not None) is not move["taken_back"]:
            raise BadFile("a move does not say when it was taken back")
    inner = [name for each in (*match["players"], *match["moves"]) for name in each["absent"]]
    return match | {"absent": sorted({*match["absent"], *inner})}


def main(*arguments):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    if find_spec("rules") is None:
        print("NO  the folder rules/ is not beside the folder of this file: take both from the bot's repository")
        return 2
    given = []  # each file, with its fingerprint
    for argument in arguments:
        if given and given[-1][1] is None and not argument.endswith(".json"):
            given[-1] = (given[-1][0], argument.strip().lower())
        else:
            given.append((argument, None))
    try:
        matches = [read(path) for path, _ in given]
    except (BadFile, OSError, ValueError) as error:
        print(f"NO  {shown(error)}")
        return 2
    right = True
    for at, match in enumerate(matches):
        claims = claims_of(match, given[at][1])
        for before in matches[at + 1 : at + 2]:
            claims |= the_match_before_is_that_one(match, before)
        head = f"table {match['table']}: " if len(matches) > 1 else ""
        print(*(f"{MARKS[true]}  {head}{claim}" for claim, true in claims.items()), sep="\n")
        right = right and False not in claims.values()
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
