"""What players type for a move: every label, notation and bare form that is offered is understood, in each language."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from cogs.messages.typed_moves import TypedMoves, words_of
from data.content.texts import languages, texts
from rendering import renderer
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import AnyState, Move, Seat
from tests.contract.play import option_sets
from tests.support.simulation import Simulation, offers
from tests.support.table import Table, fewest_seats

NAMES = ("Ann", "Ben Ö.", "Cleo", "Дима", "Al", "2", "play", "Zoë")
"""Also short ones, in other letters, and names that look like a part of a move."""
GAMES_EACH = 4


def positions(slug: str) -> Iterator[tuple[AnyState, Seat]]:
    """Yield a third of the positions of some random games, with a seat that may move: every number of seats and kind of
    options.
    """
    game = GAMES[slug]
    for number in range(GAMES_EACH):
        random = Random(f"typed {slug} {number}")
        seats = game.seats[number % len(game.seats)] if number else game.seats[-1]
        state = game.new(seats, random.choice(list(option_sets(game, seats))), f"typed {number}")
        while awaited := sorted(state.to_move()):
            seat = random.choice(awaited)
            if state.ply % 3 == number % 3:
                yield state, seat
            state, _ = state.apply(random.choice(state.legal_moves(seat)))


def labels_of(slug: str, state: AnyState, seat: Seat, code: str) -> dict[str, str]:
    drawn, labels = renderer(slug), Labels(NAMES[: state.view(None).seats], texts(code, slug))
    view = state.view(seat)
    return {str(move): drawn.move_label(view, move, labels) for move in state.legal_moves(seat)}


def typed_moves(slug: str, state: AnyState, seat: Seat, code: str = "en") -> TypedMoves:
    spoken = (code, *(other for other in languages() if other != code))
    told = [labels_of(slug, state, seat, other) for other in spoken]
    return TypedMoves({text: tuple(labels[text] for labels in told) for text in told[0]}, NAMES)


def shouted(text: str) -> str:
    return f" ** {text.upper().replace(' ', '   ')}  ** "


@pytest.mark.parametrize("slug", GAMES)
def test_every_offered_label_and_notation_is_that_move(slug: str) -> None:
    verbs = set[str]()
    for state, seat in positions(slug):
        found, game = typed_moves(slug, state, seat), GAMES[slug]
        spelled = [labels_of(slug, state, seat, code) for code in languages()]
        for move in state.legal_moves(seat):
            notation = str(move)
            verbs.add(notation.partition(" ")[0])
            forms = [notation, shouted(notation)]
            for labels in spelled:
                label = labels[notation]
                plain = "".join(ch for ch in label if ch.isalnum() or ch in " :")
                forms += [label, shouted(label), plain, label.replace("ä", "ae").replace("ü", "ue").replace("ö", "oe")]
            for form in forms:
                assert found.notations(game, seat, form) == (notation,), form
    assert verbs


@pytest.mark.parametrize("slug", GAMES)
def test_the_arguments_alone_are_that_move_or_one_of_those_they_fit(slug: str) -> None:
    alone = several = 0
    for state, seat in positions(slug):
        found, moves = typed_moves(slug, state, seat), state.legal_moves(seat)
        for move in moves:
            _, _, bare = str(move).partition(" ")
            if not bare:
                continue
            same = tuple(str(other) for other in moves if str(other).partition(" ")[2] == bare)
            for form in (bare, bare.lower(), f" {bare} "):
                assert found.notations(GAMES[slug], seat, form) == same
            alone, several = alone + (len(same) == 1), several + (len(same) > 1)
    assert alone
    print(f"{slug}: {alone} bare forms are one move, {several} fit several")


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("code", languages())
def test_the_verb_of_each_language_goes_with_the_arguments(slug: str, code: str) -> None:
    """As in "setze 3" or "3 setzen": a word of the label and the arguments, in this order or the other."""
    tried = 0
    for state, seat in positions(slug):
        found, labels = typed_moves(slug, state, seat), labels_of(slug, state, seat, code)
        for notation, label in labels.items():
            bare = notation.partition(" ")[2]
            words = [word for word in words_of(label) if len(word) > 2 and not any(ch.isdigit() for ch in word)]
            words = [word for word in words if word not in words_of(f"{bare} {' '.join(NAMES)}")]
            if not bare or not words:
                continue
            verb = max(words, key=len)
            for form in (f"{verb} {bare}", f"{bare} {verb}"):
                meant = found.notations(GAMES[slug], seat, form)
                assert notation in meant, form
                tried += 1
    print(f"{slug}: {tried} forms with a word of {code}")


@pytest.mark.parametrize("slug", GAMES)
def test_what_is_listed_narrows_by_every_form(slug: str) -> None:
    for state, seat in positions(slug):
        found, moves = typed_moves(slug, state, seat, "de"), state.legal_moves(seat)
        assert {move.notation for move in found.listed("")} == {str(move) for move in moves}
        assert next(move.label for move in found.listed("")) in labels_of(slug, state, seat, "de").values()
        for move in Random(str(state.ply)).sample(moves, min(3, len(moves))):
            for code in languages():
                label = labels_of(slug, state, seat, code)[str(move)]
                for form in (str(move), str(move).partition(" ")[2] or str(move), label):
                    first, half = found.listed(form)[0], found.listed(form[: len(form) // 2 + 1])
                    assert len(found.meant(form)) > 1 or first.notation == str(move), form
                    assert str(move) in {one.notation for one in half} or not words_of(form[: len(form) // 2 + 1])


def test_all_kinds_of_moves_are_among_the_first_of_a_long_list() -> None:
    labels = {f"plant A{n}": (f"Plant A{n}",) for n in range(40)} | {"end": ("End the turn",), "buy seed": ("Buy",)}
    first = [move.notation for move in TypedMoves(labels).listed("")][:25]
    assert {"end", "buy seed", "plant A0"} <= set(first)


NIM = TypedMoves(
    {
        "take 1": ("Take 1 coin (2 left)", "1 Münze nehmen"),
        "take 2": ("Take 2 coins (1 left)", "2 Münzen nehmen"),
        "give A1 2": ("Give A1 to Al", "A1 an Al geben"),
        "give A2 3": ("Give A2 to 2", "A2 an 2 geben"),
        "pass": ("Pass a turn", "Passen"),
    },
    ("Ann", "Ben", "Al", "2"),
)


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("muenzen 2", ["take 2"]),
        ("Münzen", ["take 2"]),
        ("munze", ["take 1"]),
        ("2", ["take 2"]),
        ("take", ["take 1", "take 2"]),
        ("give", ["give A1 2", "give A2 3"]),
        ("geben a1", ["give A1 2"]),
        ("al", ["give A1 2"]),
        ("2 a1", []),
        ("A1 2", ["give A1 2"]),
        ("a", []),
        ("an", []),
        ("left", ["take 1", "take 2"]),
        ("take 1 2", []),
        ("don't pass", []),
        ("⭐", []),
        ("", []),
        ("pass " * 500, []),
    ],
)
def test_some_words_mean_a_move_and_numbers_keep_their_order(typed: str, means: list[str]) -> None:
    assert [move.notation for move in NIM.meant(typed)] == means


async def a_table(sim: Simulation, game: str) -> tuple[Table, list[Move]]:
    people = sim.join_server(*("alice", "bob", "carol")[: fewest_seats(game)])
    table = await Table.open(sim, game, people, seed=f"typed {game}")
    await table.start()
    _, state = await table.now()
    return table, list(state.legal_moves(sorted(state.to_move())[0]))


@pytest.mark.parametrize("game", GAMES)
async def test_a_move_is_made_by_its_bare_form(sim: Simulation, plain: None, game: str) -> None:
    table, moves = await a_table(sim, game)
    match, state = await table.now()
    seat = sorted(state.to_move())[0]
    person = sim.by_id(match.chairs[seat].player)
    bare = [str(move).partition(" ")[2] for move in moves]
    move, form = next((m, b) for m, b in zip(moves, bare, strict=True) if bare.count(b) == 1 and b)
    listed = await person.autocomplete(sim.channel, "move", "move", "")
    assert {choice["value"] for choice in listed} <= {str(move) for move in moves}
    assert len(listed) == min(25, len(moves))
    assert "✓ Done: " in await sim.slash(person, "move", move=form.lower())
    (logged,) = await sim.host._matches.moves(match.id)
    assert (logged.seat, logged.text) == (seat, str(move))


async def test_a_text_that_fits_several_moves_is_answered_with_buttons(sim: Simulation, plain: None) -> None:
    """Full Circle: the place alone, where several cards fit."""
    table, moves = await a_table(sim, "full_circle")
    match, state = await table.now()
    person = sim.by_id(match.chairs[sorted(state.to_move())[0]].player)
    places = [str(move).split()[2] for move in moves if str(move).startswith("play ")]
    place = next(place for place in places if places.count(place) > 1)
    cursor = sim.cursor
    said = await sim.slash(person, "move", move=place)
    assert f"“{place}” fits more than one move" in said
    assert (await sim.match()).moves == 0
    (answer,) = sim.shown(cursor)
    assert answer.viewer == person.id
    meant = offers(answer.body)
    told = [offer.value or offer.custom_id for offer in meant]
    fitting = [str(move) for move in moves if str(move).endswith(f" {place}")]
    assert [text.rpartition("/")[2] for text in told] == fitting
    turn = sim.host.turn(match, sorted(state.to_move())[0])
    assert "✓ Done: " in await sim.forge(person, f"1/1/move/{turn}/{fitting[0]}")


async def test_a_refusal_names_a_move_that_works(sim: Simulation, plain: None) -> None:
    table, moves = await a_table(sim, "sea_change")
    _, person, _ = await table.asked()
    said = await sim.slash(person, "move", move="nonsense")
    assert f"For example, type `{moves[0]}`." in said
    assert "✓ Done: " in await sim.slash(person, "move", move=str(moves[0]))


async def test_a_bare_card_that_is_not_legal_is_refused_for_the_right_reason(sim: Simulation, plain: None) -> None:
    table, moves = await a_table(sim, "sea_change")
    _, person, _ = await table.asked()
    missing = next(f"B{n}" for n in range(13) if f"play B{n}" not in map(str, moves))
    assert f"You do not hold {missing}." in await sim.slash(person, "move", move=missing.lower())
