"""What players type for a move: every label, notation and bare form that is offered is understood, in each language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial
from itertools import islice
from random import Random
from typing import Any

import pytest

from cogs.messages.typed_moves import MOST_ALIKE, TypedMoves, words_of
from data.content.texts import languages, texts
from rendering import renderer
from rendering.core.labels import Labels
from rendering.core.prompts import Prompt, ways_to
from rules import GAMES
from rules.core.game import AnyState, IllegalMove, Move, Seat
from tests.contract.play import option_sets
from tests.support.simulation import Simulation, offers
from tests.support.table import Table, fewest_seats

NAMES = ("Ann", "Ben Ö.", "Cleo", "Дима", "Al", "2", "play", "Zoë")
"""Also short ones, in other letters, and names that look like a part of a move."""
GAMES_EACH = 2


@cache
def positions(slug: str) -> tuple[tuple[AnyState, Seat], ...]:
    """Return a ninth of the positions of random games, each with a seat to move: all numbers of seats and options."""
    game, found = GAMES[slug], list[tuple[AnyState, Seat]]()
    for number in range(GAMES_EACH):
        random = Random(f"typed {slug} {number}")
        seats = game.seats[number % len(game.seats)] if number else game.seats[-1]
        state = game.new(seats, random.choice(list(option_sets(game, seats))), f"typed {number}")
        while awaited := sorted(state.to_move()):
            seat = random.choice(awaited)
            if state.ply % 9 == number:
                found.append((state, seat))
            state, _ = state.apply(random.choice(state.legal_moves(seat)))
    return tuple(found)


def labels_of(slug: str, state: AnyState, seat: Seat, code: str) -> dict[str, str]:
    drawn, labels = renderer(slug), Labels(NAMES[: state.view(None).seats], texts(code, slug))
    view = state.view(seat)
    return {str(move): drawn.move_label(view, move, labels) for move in state.legal_moves(seat)}


def typed_moves(slug: str, state: AnyState, seat: Seat, code: str = "en") -> TypedMoves:
    spoken = (code, *(other for other in languages() if other != code))
    told = [Labels(NAMES[: state.view(None).seats], texts(other, slug)) for other in spoken]
    return TypedMoves.of(renderer(slug), state.view(seat), state.legal_moves(seat), told)


def slipped(word: str, random: Random) -> str:
    """A word with one letter twice, left out or changed for its neighbour, as fingers do."""
    at = random.randrange(1, len(word) - 1)
    twice, without = f"{word[:at]}{word[at]}{word[at:]}", f"{word[:at]}{word[at + 1 :]}"
    return random.choice((twice, without, f"{word[: at - 1]}{word[at]}{word[at - 1]}{word[at + 1 :]}"))


def shouted(text: str) -> str:
    return f" ** {text.upper().replace(' ', '   ')}  ** "


@pytest.mark.games("slug", short=["full_sun"], long=GAMES)
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


@pytest.mark.games("slug", short=["full_sun"], long=GAMES)
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


@pytest.mark.games("slug", short=["siege_of_sunfall"], long=GAMES)
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


def prompt_of(drawn: Any, view: Any, moves: Sequence[Any], labels: Labels, path: tuple[str, ...]) -> Prompt:
    found: Prompt = drawn.prompt(view, moves, path, labels)
    return found


def is_another(slug: str, seat: Seat, text: str, move: Move) -> bool:
    try:
        return str(GAMES[slug].parse(seat, text)) != str(move)
    except IllegalMove:
        return False


def squeezed(text: str) -> str:
    return "".join(words_of(text))


def typings(text: str) -> list[str]:
    """The text, and the same with other blanks, hyphens, cases and accents."""
    words = words_of(text)
    return [
        text,
        text.upper(),
        *(["-".join(words), "_".join(words), "  ".join(words), squeezed(text)] if words else []),
    ]


@pytest.mark.parametrize("slug", GAMES)
def test_what_texts_and_buttons_call_a_move_is_understood_and_completed(slug: str) -> None:
    """In every language, all words that lead to a move mean it, or are answered by a question that lists it."""
    random, tried, several = Random(f"spoken {slug}"), 0, 0
    for state, seat in islice(positions(slug), 0, None, 9):
        found, view, moves = typed_moves(slug, state, seat), state.view(seat), state.legal_moves(seat)
        drawn, notations = renderer(slug), {squeezed(str(move)) for move in moves}
        notations |= {squeezed(str(move).partition(" ")[2]) for move in moves}
        chosen = {str(move): move for move in random.sample(moves, min(4, len(moves)))}
        for code in languages():
            labels = Labels(NAMES[: view.seats], texts(code, slug))
            said: dict[str, set[str]] = {notation: set() for notation in chosen}
            for notation, way in ways_to(partial(prompt_of, drawn, view, moves, labels)):
                if notation in said:
                    said[notation] |= {" ".join(way), way[-1]}
            for notation, move in chosen.items():
                verb, *parts = notation.split()
                called = drawn.terms(move, labels)
                assert set(called) <= set(parts), "terms are those of the notation"
                spoken = " ".join(called.get(part, (part,))[0] for part in parts)
                said[notation] |= {notation, f"{verb} {spoken}", *([spoken] if spoken else [])}
                for text in said[notation]:
                    for form in typings(text):
                        if squeezed(form) in notations - {squeezed(notation)} or is_another(slug, seat, form, move):
                            continue  # a player whose name is the number of another one's seat: a notation counts more
                        meant = found.notations(GAMES[slug], seat, form)
                        assert notation in meant, (code, notation, form, meant)
                        tried, several = tried + 1, several + (len(meant) > 1)
                    listed = found.listed(text)
                    assert notation in {one.notation for one in listed}, (code, notation, text)
                    for length in range(1, len(text), 3):
                        some = found.listed(text[:length])
                        assert notation in {one.notation for one in some} or not words_of(text[:length]), text[:length]
    print(f"{slug}: {tried} texts, {several} of them fit several moves")
    assert tried > 2 * several


@pytest.mark.parametrize("slug", ["sea_change", "full_sun", "full_circle"])
def test_a_card_of_the_alt_text_is_that_card_alone(slug: str) -> None:
    """Each legal card is named in the description of the hand, and that name alone is that card."""
    tried = 0
    for state, seat in islice(positions(slug), 0, None, 5):
        found, moves = typed_moves(slug, state, seat), state.legal_moves(seat)
        for code in languages():
            labels = Labels(NAMES[: state.view(None).seats], texts(code, slug))
            told = renderer(slug).describe(state.view(seat), labels)
            for move in moves:
                notation = str(move)
                if not notation.startswith("play "):
                    continue
                card = notation.split()[1]
                name, *others = renderer(slug).terms(move, labels)[card]
                assert any(one in told for one in (name, *others))
                same = [str(other) for other in moves if str(other).split()[1:2] == [card]]
                for form in typings(name) if len(notation.split()) == 2 else ():
                    assert found.notations(GAMES[slug], seat, form) == (notation,) == tuple(same), form
                    tried += 1
    print(f"{slug}: {tried} names of cards")


def test_what_is_not_legal_is_never_taken_for_something_like_it() -> None:
    """A card that is not held, or the reverse of one that is, means no other."""
    moves = TypedMoves(
        {"play GB TR": ("GB top right",), "play B9": ("B9",)},
        terms={"play GB TR": [{"GB": ("Green-Blue",), "TR": ("top right",)}], "play B9": [{"B9": ("Blue 9",)}]},
    )
    assert [move.notation for move in moves.meant("green blue top right")] == ["play GB TR"]
    assert [move.notation for move in moves.meant("BLUE-9")] == ["play B9"]
    for text in ("blue-green top right", "blue 8", "blue", "9 blue", "green 9", "blue 99", "green top left"):
        assert moves.meant(text) == (), text


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
    table = await Table.begin(sim, game, people, seed=f"typed {game}")
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
    (logged,) = await sim.matches.moves(match.id)
    assert (logged.seat, logged.text) == (seat, str(move))


@pytest.mark.parametrize("code", languages())
async def test_a_card_is_played_by_what_the_alt_text_calls_it(sim: Simulation, plain: None, code: str) -> None:
    """In any language, with a hyphen in place of the blank."""
    table, moves = await a_table(sim, "sea_change")
    match, state = await table.now()
    person = sim.by_id(match.chairs[sorted(state.to_move())[0]].player)
    card = str(moves[0]).split()[1]
    name = texts(code, "sea_change")[f"suit.{card[0]}"]
    listed = await person.autocomplete(sim.channel, "move", "move", name[:3].lower())
    assert str(moves[0]) in {choice["value"] for choice in listed}
    assert "✓ Done: " in await sim.slash(person, "move", move=f"{name.upper()}-{card[1:]}")
    (logged,) = await sim.matches.moves(match.id)
    assert logged.text == str(moves[0])


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
    turn = sim.service.turn(match, sorted(state.to_move())[0])
    assert "✓ Done: " in await sim.forge(person, f"1/1/move/{turn}/{fitting[0]}")


@pytest.mark.parametrize("slug", GAMES)
def test_what_only_resembles_moves_is_asked_and_never_made(slug: str) -> None:
    """What texts call a move, with an article, its words in another order, and a slip in a long one."""
    random, asked, tried = Random(f"slips {slug}"), 0, 0
    for state, seat in islice(positions(slug), 0, None, 4):
        found, game = typed_moves(slug, state, seat), GAMES[slug]
        view, moves = state.view(seat), {str(move): move for move in state.legal_moves(seat)}
        for notation in random.sample(sorted(moves), min(4, len(moves))):
            code = random.choice(languages())
            labels = Labels(NAMES[: view.seats], texts(code, slug))
            called = renderer(slug).terms(moves[notation], labels)
            words = [word for part in notation.split()[1:] for word in words_of(called.get(part, (part,))[0])]
            long = [word for word in words if len(word) >= 5 and word.isalpha()]
            if not long:
                continue
            at = words.index(random.choice(long))
            words[at] = slipped(words[at], random)
            random.shuffle(words)
            text = " ".join(("the", *words))
            assert found.notations(game, seat, text) == (text,), "no such text is a move"
            alike = [move.notation for move in found.alike(text)]
            tried, asked = tried + 1, asked + (notation in alike)
            assert len(alike) <= MOST_ALIKE
    assert asked >= tried * 0.9, f"{asked} of {tried}"


@pytest.mark.parametrize("slug", GAMES)
def test_what_resembles_no_move_asks_for_none(slug: str) -> None:
    for state, seat in islice(positions(slug), 0, None, 20):
        found, used = typed_moves(slug, state, seat), " ".join(map(str, state.legal_moves(seat))).casefold().split()
        for text in ("good luck", "all", "yes", "highest", "I win", "...", "", "the", "a", "un"):
            if text not in used:  # in this game it may be a word of a move
                assert found.notations(GAMES[slug], seat, text) == (text,)
                assert not found.alike(text), text


@pytest.mark.parametrize("slug", ["sea_change", "full_sun"])
def test_a_suit_may_be_its_sign(slug: str) -> None:
    tried = 0
    for state, seat in islice(positions(slug), 3):
        found = typed_moves(slug, state, seat)
        for notation, label in labels_of(slug, state, seat, "en").items():
            if suited := re.fullmatch(r"(\W+?) ?[A-Z](\d+)", label):
                for form in ("".join(suited.groups()), " ".join(suited.groups())):
                    assert found.notations(GAMES[slug], seat, form) == (notation,), form
                    tried += 1
    assert tried


async def test_what_is_no_legal_move_is_refused_with_one_that_works_or_is_asked(sim: Simulation, plain: None) -> None:
    """A word that is none; a card that is not held, for that reason; and a slip, of which only the press is a move."""
    table, moves = await a_table(sim, "sea_change")
    _, person, turn = await table.asked()
    assert f"For example, type `{moves[0]}`." in await sim.slash(person, "move", move="nonsense")
    number = str(moves[0])[6:]
    assert f"I do not know “{number}”. Is this what you mean?" in await sim.slash(person, "move", move=number)
    missing = next(f"B{n}" for n in range(13) if f"play B{n}" not in map(str, moves))
    assert f"You do not hold {missing}." in await sim.slash(person, "move", move=missing.lower())
    suit = texts("en", "sea_change")[f"suit.{str(moves[0])[5]}"]
    typed = f"the {str(moves[0])[6:]} of {suit.lower()}{suit[-1]}"
    said = await sim.slash(person, "move", move=typed)
    assert f"I do not know “{typed}”. Is this what you mean?" in said
    assert (await sim.match()).moves == 0
    assert "✓ Done: " in await sim.forge(person, f"1/1/move/{turn}/{moves[0]}")
    _, asked, _ = await table.asked()
    (waits,) = (one for one in table.people if one is not asked)
    _, state = await table.now()
    held = str(GAMES["sea_change"].ahead(state, Seat(1 - min(state.to_move())))[0])[5:]
    for early in (held, f"{texts('en', 'sea_change')[f'suit.{held[0]}']} {held[1:]}"):
        assert "It is not your turn" in await sim.slash(waits, "move", move=early)
    _, person, _ = await table.asked()
    move = str((await table.now())[1].legal_moves(min((await table.now())[1].to_move()))[0])
    assert "✓ Done: " in await sim.slash(person, "move", move=move)


async def test_a_player_may_be_mentioned(sim: Simulation, plain: None) -> None:
    table = await Table.begin(sim, "siege_of_sunfall", sim.join_server("alice", "bob", "carol"), seed="mentions")

    def awards(state: AnyState) -> list[str]:
        moves = (str(move) for seat in state.to_move() for move in state.legal_moves(seat))
        return [move for move in moves if move.startswith("award")]

    await sim.play_on(random=Random("mentions"), until=lambda state: bool(awards(state)))
    match, state = await table.now()
    king, to = match.chairs[min(state.to_move())], match.chairs[int(awards(state)[0].split()[1])]
    for typed in (f"<@!{to.player}>", f"award <@{to.player}>"):
        assert sim.app.messages.named(match, typed).endswith(to.name)
    assert "✓ Done: " in await sim.slash(sim.by_id(king.player), "move", move=f"award <@{to.player}>")


async def test_coins_can_be_told_in_words(sim: Simulation, plain: None) -> None:
    """The words for one are articles too: only a text that means nothing else tells the number by them."""
    table, _ = await a_table(sim, "siege_of_sunfall")
    match, state = await table.now()
    user, most = match.chairs[min(state.to_move())].player, len(state.legal_moves(min(state.to_move()))) - 1
    words = {
        0: "zero|null|cero|z\u00e9ro|0 coins|nothing|no coins|keine M\u00fcnze|rien|nada",
        1: "one|one coin|eine M\u00fcnze|eins|une pi\u00e8ce|una moneda|uma moeda",
        2: "two|zwei|deux",
        7: "seven|pledge seven|sieben M\u00fcnzen|sept pi\u00e8ces|siete monedas|sete moedas",
        most: "all in|all coins|alles setzen|everything|todo",
    }
    for coins, text in [(coins, text) for coins, several in words.items() for text in several.split("|")]:
        assert sim.app.messages.meant(match, user, "en-US", text) == (f"pledge {coins}",), text
    for text in ("a", "an", "un", "no", "the", "all"):
        assert not any(said.startswith("pledge") for said in sim.app.messages.meant(match, user, "en-US", text)), text
