"""Figures of finished matches: counted here a second time, from views and moves, and made of what all players saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from rules import GAMES
from rules.core.game import AnyState, Event, Move, chosen_options
from rules.core.tally import Measure
from rules.photosynthesis.types import BOARD

GENERIC = {"seat", "option", "moves", "length"}
"""The kinds that every game has."""
Figures = dict[tuple[str, str], tuple[int, int]]
"""By kind and name: `of` and `hits`."""


class Step(NamedTuple):
    """A move in a match: the onlooker's views before and after it, and its events."""

    before: Any
    move: Move
    after: Any
    events: tuple[Event, ...]


class Played(NamedTuple):
    steps: tuple[Step, ...]
    events: tuple[Event, ...]
    end: AnyState
    figures: Figures


def written(tallies: Any) -> Figures:
    found = {(tally.kind, tally.name): (tally.of, tally.hits) for tally in tallies}
    assert len(found) == len(tallies), "each name once"
    return found


@cache
def played(slug: str, seats: int, number: int = 0) -> Played:
    """A match of players who know a little, so that rounds are won and trees are collected."""
    seed, game = f"figures {slug} {seats} {number}", GAMES[slug]
    print(f"moves by seed {seed}")
    random, state = Random(seed), game.new(seats, chosen_options(game, seats, {}), seed)
    steps, events = [], [*state.opening()]
    while awaited := sorted(state.to_move()):
        seat = random.choice(awaited)
        sensible = random.random() < 0.7
        move = game.rollout_move(state, seat, random.randrange(2**32)) if sensible else None
        move = move if move is not None else random.choice(state.legal_moves(seat))
        after, new = state.apply(move)
        steps.append(Step(state.view(None), move, after.view(None), tuple(new)))
        events += new
        state = after
    return Played(tuple(steps), tuple(events), state, written(game.tallies(events, state)))


SOLO = ("sea_change", 1)
"""The Tide's cards are events of the player's moves: see test_the_tide_takes_tricks_too."""
MATCHES = [(slug, seats) for slug, game in GAMES.items() if game.charts for seats in game.seats]


@pytest.mark.parametrize(("slug", "seats"), MATCHES)
def test_figures_are_of_the_kinds_and_names_that_the_charts_show(slug: str, seats: int) -> None:
    charts, match = GAMES[slug].charts, played(slug, seats)
    assert 2 <= len(charts) <= 3 and not GENERIC & set(charts)
    figures = match.figures
    assert {kind for kind, _ in figures} <= set(charts)
    for (kind, name), (of, hits) in figures.items():
        assert name in charts[kind].names
        assert of > 0 and hits >= 0
        assert hits <= of or charts[kind].measure is Measure.MEAN, (kind, name)
        assert not hits or charts[kind].measure is not Measure.SHARE


@pytest.mark.parametrize(("slug", "seats"), MATCHES)
def test_figures_need_nothing_but_what_an_onlooker_saw(slug: str, seats: int) -> None:
    match = played(slug, seats)
    public = [seen for event in match.events if (seen := event.seen_by(None)) is not None]
    hidden = match.end.redeal_unseen(None, "another")
    assert written(GAMES[slug].tallies(public, hidden)) == match.figures


def both(of: Counter[str], hits: Counter[str], kind: str) -> Figures:
    return {(kind, name): (of[name], hits[name]) for name in of if of[name]}


def sea_change(match: Played) -> Figures:
    """From the tricks that views show."""
    trump, dealt, there, took = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    rounds, hits = Counter[str](), Counter[str]()
    trumps: list[str] = []
    for step in match.steps:
        view = step.after
        over = len(step.before.lays) + 1 == step.before.seats
        now = view.last_trick.trump if over else view.trump
        trumps += [] if trumps and trumps[-1] == now else [now]
        if not over:
            continue
        suits = {card[0] for _, card in view.last_trick.lays if card[0] == now} or {view.last_trick.lays[0].card[0]}
        took.update(suits)
        there.update(view.suits)
        rounds["changed"] += 1
        hits["changed"] += len(trumps) > 1
        trumps = [now]
        if view.last_round != step.before.last_round:
            result = view.last_round
            dealt.update(view.suits)
            trump[result.trump] += 1
            rounds["shared"] += 1
            hits["shared"] += len(result.winners) >= 2
            taker = [side for side, cards in enumerate(result.captured) if f"{result.trump}0" in cards]
            rounds["zero"] += len(taker)
            hits["zero"] += bool(set(taker) & set(result.winners))
            trumps = []
    return {**both(dealt, trump, "trump"), **both(there, took, "suit"), **both(rounds, hits, "round")}


def full_sun(match: Played) -> Figures:
    """From the tricks that views show."""
    species, scored, there, took, tricks, right = (Counter[str]() for _ in range(6))
    for step in match.steps:
        view = step.after
        if len(step.before.lays) + 1 < step.before.seats:
            continue
        lays = {seat: card.rstrip("0123456789") for seat, card in view.last_trick.lays}
        there.update(lays.values())
        took[lays[view.last_trick.winner]] += 1
        if view.last_round != step.before.last_round:
            result = view.last_round
            for seat in range(view.seats):
                won = "5" if result.tricks[seat] > 4 else str(result.tricks[seat])
                point = result.tricks[seat] == result.pips[seat]
                species[lays[seat]] += 1
                scored[lays[seat]] += point
                tricks[won] += 1
                right[won] += point
    return {**both(species, scored, "species"), **both(there, took, "taker"), **both(tricks, right, "tricks")}


def full_circle(match: Played) -> Figures:
    """From the moves and the events' names."""
    special, traps, won = Counter[str](), Counter[str](), Counter[str]()
    rounds = 0
    for step in match.steps:
        names = Counter(type(event).__name__ for event in step.events)
        text = str(step.move)
        special["double"] += names["DoubleMatched"]
        special["full"] += names["FullCircled"]
        special["gift"] += text.startswith("give ")
        if step.after.trap and step.after.trap != step.before.trap:
            traps[step.after.trap.colour] += 1
        elif names["TrapSet"]:  # and the round is over, or the trap is
            traps.update(event.colour for event in step.events if type(event).__name__ == "TrapSet")
        if names["RoundScored"]:
            rounds += 1
            (scored,) = [event for event in step.events if type(event).__name__ == "RoundScored"]
            face = text.split()[1] if text.startswith(("play", "give")) else ""
            how = "gift" if text.startswith("give") else "wild" if face[:1] == "W" else ("", "one", "two")[len(face)]
            won[how if scored.result.winner is not None else "none"] += 1
    special["trap"] = sum(traps.values())
    of = {("special", name): (rounds, special[name]) for name in ("double", "full", "gift", "trap")}
    return of | both(traps, Counter(), "trap") | both(won, Counter(), "last")


def photosynthesis(match: Played) -> Figures:
    """From the light that views show, and the hexes' distance from the middle."""
    soil, turns, light = Counter[str](), Counter[str](), Counter[str]()
    verbs = {"buy": "buy", "plant": "plant", "grow": "grow", "collect": "collect"}
    for step in match.steps:
        verb, *hexes = str(step.move).split()
        seats = step.before.seats
        if verb in verbs:
            light[verb] += sum(step.before.light) - sum(step.after.light)
        else:  # the sun may shine: what does not arrive is lost
            gained = [event.sunlight.gained for event in step.events if type(event).__name__ == "LightCollected"]
            arrived = sum(step.after.light) - sum(step.before.light)
            light["lost"] += sum(map(sum, gained)) - arrived if gained else 0
        if verb == "collect":
            distance = BOARD.distance("D4", hexes[0])
            soil[str(min(4 - distance, 3 if seats == 2 else 4))] += 1
            turns[str(-(-step.before.round // 6))] += 1
    found = {("soil", str(n)): (1, soil[str(n)]) for n in range(1, 4 if match.end.view(None).seats == 2 else 5)}
    found |= {("revolution", str(n)): (1, turns[str(n)]) for n in (1, 2, 3)}
    return found | both(light, Counter(), "light")


def siege_of_sunfall(match: Played) -> Figures:
    """From the reveals and the armies that views show."""
    faced, repelled, armies, survivors = (Counter[str]() for _ in range(4))
    for step in match.steps:
        revealed = [event.reveal for event in step.events if type(event).__name__ == "PledgesRevealed"]
        for reveal in revealed:
            strength = reveal.card.strength
            if strength:
                name = ("weak", "medium", "strong", "fierce")[(strength > 3) + (strength > 5) + (strength > 7)]
                faced[name] += 1
                repelled[name] += reveal.total >= strength
        gained = sum(step.after.armies) - sum(step.before.armies)
        if step.after.last_round != step.before.last_round:
            result = step.after.last_round
            armies["end"] += sum(result.gained)
            gained -= sum(result.gained)
            survivors[str(len(result.survivors))] += 1
        taken = [event.card.kind.value for event in step.events if type(event).__name__ == "CardTaken"]
        cards = 3 * taken.count("armies")
        armies["card"] += cards
        armies["set"] += gained - cards
    return both(faced, repelled, "attack") | both(armies, Counter(), "armies") | both(survivors, Counter(), "survivors")


COUNTED: dict[str, Callable[[Played], Figures]] = {
    "sea_change": sea_change,
    "full_sun": full_sun,
    "full_circle": full_circle,
    "photosynthesis": photosynthesis,
    "siege_of_sunfall": siege_of_sunfall,
}


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("slug", "seats"), [case for case in MATCHES if case[0] in COUNTED and case != SOLO])
def test_figures_are_what_another_count_finds(slug: str, seats: int, number: int) -> None:
    match = played(slug, seats, number)
    assert match.figures == COUNTED[slug](match)


def test_every_figure_is_met() -> None:
    """So the counts above are compared for all of them."""
    for slug, game in GAMES.items():
        met = {key for seats in game.seats for number in range(3) for key in played(slug, seats, number).figures}
        rare = {("revolution", "4"), *(("survivors", str(n)) for n in range(7)), ("last", "none"), ("last", "gift")}
        assert {(kind, name) for kind, chart in game.charts.items() for name in chart.names} - met <= rare


def test_the_tide_takes_tricks_too() -> None:
    """In the solo game ten tricks a round count, no matter which side takes them."""
    figures = played("sea_change", 1).figures
    rounds = figures["round", "shared"][0]
    assert figures["round", "changed"][0] == 10 * rounds
    taken = {name: hits for (kind, name), (_, hits) in figures.items() if kind == "suit"}
    assert sum(taken.values()) == 10 * rounds


def test_a_game_without_figures_has_none() -> None:
    plain = type(GAMES["full_sun"])(
        slug="plain",
        title="Plain",
        seats=(2,),
        new=None,
        from_json=None,
        parse=None,  # type: ignore[arg-type]
    )
    assert plain.tallies((), None) == () and plain.charts == {}
