"""Names: each player at a table is seen there, whatever they call themselves."""

from __future__ import annotations

import random
import re
import string
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

import pytest

from cogs.messages.content import MOST_TEXT
from cogs.messages.door import door_message
from cogs.messages.duplicates import compared
from cogs.messages.history import Listed, Turn, history_message
from cogs.messages.leaderboard import leaderboard_message
from cogs.messages.lobby import lobby_message
from cogs.messages.names import (
    apart,
    clean,
    in_text,
    isolated,
    known_as,
    labels_at,
    names_at,
    of_players,
    written,
)
from cogs.messages.narration import sentences
from cogs.messages.profile import profile_lines
from cogs.messages.season import remove_question
from data.content.texts import languages, texts
from data.records.histories import Page, Past, Placed, Profile, Rival
from data.records.leaderboards import Leaderboard, Ranked
from data.records.match import Chair, Guest, GuestState, Match, SeatChange, SeatChangeKind, Status, Waiting
from data.records.seasons import Entrant, SeasonStatus
from data.records.visibility import Sought
from rendering.core.alike import looks, shapes
from rendering.core.formatting import fit_text
from rendering.core.labels import Labels
from rendering.core.lettering import drawable, fit, mask
from rules import GAMES
from rules.core.game import Outcome
from tests.cogs.seasons.test_standings import played
from tests.cogs.test_seat_changes import a_match
from tests.support.simulation import Simulation
from tests.support.table import Table, fewest_seats


@pytest.mark.parametrize(
    "name",
    ["", " \n", "\u034f", "\ufe0f\ufe0f", "\u17b4\u17b5", "\U000e0100", "\u0301 \u0302", "\u200b\ufe0f", "\U0001d159"],
    ids=ascii,
)
def test_each_name_shows_something(name: str) -> None:
    """Marks alone show nothing, or hang on what stands before."""
    assert clean(name) == "?"


@pytest.mark.parametrize(
    "name",
    [
        *("Ann", "Zo\u00eb", "\u0e01\u0e47\u0e14\u0e35\u0e49", "\u05e9\u05b8\u05c1\u05dc", "\u2764\ufe0f"),
        *("\u0928\u092e\u0938\u094d\u0924\u0947", "1", "~", "田"),
    ],
)
def test_a_name_that_shows_something_stays(name: str) -> None:
    assert clean(name) == name


@pytest.mark.parametrize(
    "marks", ["\u0301", "\u0336\u0338", "".join(map(chr, range(0x300, 0x330))), "\u20dd\u0489\u0301"]
)
@pytest.mark.parametrize("letter", ["Z", "\u05e9", "\u0e01"])
def test_marks_upon_marks_cover_no_other_line(marks: str, letter: str) -> None:
    """A tower of them would reach into the names above and below in a list."""
    tower = letter + marks * 9
    for name in (tower, f"Ann {tower}", tower + tower):
        found = unicodedata.normalize("NFD", clean(name))
        marked = "".join("m" if unicodedata.category(ch) in ("Mn", "Me") else "." for ch in found)
        assert letter in found and 0 < max(map(len, re.findall("m+", marked))) <= 5
        assert clean(found) == clean(name)


POOL = (
    "Alex",
    "alex",
    "\u0410\u043b\u0435\u0445",
    "\u0391lex",
    "A\u200blex",
    "\U0001d400lex",
    "\uff21lex",
    "\u24b6lex",
    "A1ex",
    "AIex",
    "\u2460Alex",
    "\u2461Alex",
    "\u05d0\u05dc\u05db\u05e1",
    "\u0639\u0644\u064a",
    "\U0001fae8",
    "\u1d00\u029f\u1d07x",
    "\u15e9\u144e\u144e\u15e9",
    "B" * 32,
    "B" * 31 + "C",
    "?",
    "Bob",
    "B0b",
    "**Bob**",
    "\u0939\u093f\u0928\u094d\u0926\u0940",
)


def alike(names: Iterable[str]) -> bool:
    return any(looks(one) & looks(other) for one, other in combinations(names, 2))


def test_no_two_players_of_a_table_have_names_that_look_alike() -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    for _ in range(500):
        found = apart([clean(name) for name in chance.choices(POOL, k=chance.randint(2, 8))])
        assert not alike(found), found
        assert all(len(name) <= 32 for name in found)
        assert not alike(map(drawable, found)), found
        shown = [isolated(name) for name in found]
        assert all(name.count("\u2068") == name.count("\u2069") for name in shown)


ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u043a\u043b\u043c\u043d\u043e\u043f\u0440\u0441\u0442\u0443\u0445\u044f",
    "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8\u03b9\u03ba\u03bb\u03bc\u03bd\u03be\u03bf\u03c0\u03c1\u03c3\u03c4\u03c5\u03c7\u03c9",
    "\u05d0\u05d1\u05d2\u05d3\u05d4\u05d5\u05d6\u05d7\u05d8\u05d9\u05db\u05dc\u05de\u05e0\u05e1\u05e2\u05e4\u05e6\u05e7\u05e8\u05e9\u05ea",
    "\u0915\u0916\u0917\u091a\u091c\u091f\u0921\u0924\u0926\u0928\u092a\u092c\u092e\u092f\u0930\u0932\u0935\u0936\u0938\u0939",
)
SAME = defaultdict[str, list[str]](list)
"""Letters of each shape, by the table that Unicode's makes."""
for code, shape in shapes().items():
    if len(shape) == 1:
        SAME[shape].append(chr(code))
TOGETHER = (("m", "rn"), ("w", "vv"), ("W", "VV"), ("d", "cl"), ("O", "0"), ("l", "1"), ("I", "l"), ("l", "|"))
UNSEEN = "\u200b\u200d\u2060\u00ad\ufe0f\u034f\u0301\u0336\u202e\u3164"
SLIGHT = " .,'`\u2019\u201c\"-\u2010\u2013\u2014_\u00b7\u2022\u2605\u2606\u2740\ua9c1~*"


def imitation(name: str, chance: random.Random) -> str:
    """Return the name after some edits that hardly show."""
    if chance.random() < 0.3:
        name = chance.choice((str.upper, str.lower, str.title))(name)
    letters = list(name)
    for _ in range(chance.randint(0, 4)):
        at = chance.randrange(len(letters))
        kind = chance.randrange(6)
        if kind == 0:
            letters[at] += chance.choice(UNSEEN)
        elif kind == 1:
            letters[at] += chance.choice(SLIGHT)
        elif kind == 2 and at:
            letters[at] = dict(TOGETHER).get(letters[at], letters[at])
        elif kind == 3 and letters[at] in map(chr, range(0x21, 0x7F)):
            letters[at] = chr(ord(letters[at]) + 0xFEE0)  # full width
        elif kind == 4 and len(letters[at]) == 1 and letters[at].isascii() and letters[at].isalpha():
            start = chance.choice((0x1D400, 0x1D5D4, 0x1D63C, 0x1D670)) - (6 if letters[at].islower() else 0)
            letters[at] = chr(start + ord(letters[at]) - ord("A"))  # mathematical; six signs stand between Z and a
        else:
            letters[at] = chance.choice(SAME[letters[at].translate(shapes())] or [letters[at]])
    marks = ("", "", "\u2460", "\u2461", "\u2776", "\u24f5", "\u2605")
    return chance.choice(marks) + "".join(letters)


def test_an_imitation_is_told_apart_from_the_name_in_texts_and_at_a_table() -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    for _ in range(2000):
        name = "".join(chance.choices(chance.choice(ALPHABETS), k=chance.randint(2, 11))).title()
        one, other = known_as(name, "a"), known_as(imitation(name, chance), "b")
        if other == "b":
            continue
        told = f"{one!a} and {other!a}"
        assert all(
            mark in text for text, mark in zip(in_text([(1, one), (2, other)]), ("<@1>", "<@2>"), strict=True)
        ), told
        found = apart(["Zoe Zoe", one, chance.choice(("", "", "1\u00b7", "1 ")) + other])
        assert [ch[0] for ch in found] == ["Z", "\u2461", "\u2462"], told
        assert [drawable(ch)[:2] for ch in found] == ["Zo", "2\u00b7", "3\u00b7"], told


def test_a_shape_is_that_of_itself() -> None:
    assert len(shapes()) > 5000
    for code, shape in shapes().items():
        assert shape.translate(shapes()) == shape, chr(code)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anna"), ("Lucia", "Luda"), ("Han", "Nan"), ("Vera", "Nera"), ("12", "34"), ("\U0001f431", "\U0001f436")],
)
def test_names_that_only_resemble_each_other_bear_no_mark(one: str, other: str) -> None:
    assert apart([one, other]) == (one, other)


def test_a_name_that_is_cut_keeps_what_tells_it_apart() -> None:
    names = tuple(isolated(name) for name in apart(["\u05d0" * 32, "\u05d0" * 32, "B" * 31 + "C", "B" * 32]))
    seen: list[tuple[str, ...]] = []

    def write(labels: Labels) -> str:
        seen.append(labels.names)
        return " " * 99

    fit_text(9, Labels(names, {}), write)
    for cut in seen:
        assert not alike(cut)
        assert all(name.count("\u2068") == name.count("\u2069") for name in cut)


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("\u1d00\u0274\u0274\u1d00", "ANNA"),
        ("\u15e9\u144e\u144e\u15e9", "ANNA"),
        ("\U0001f170\U0001f17d\U0001f17d\U0001f170", "ANNA"),
        ("\U0001f1e6\U0001f1f3", "AN"),
        ("\U0001d400nn", "Ann"),
        ("\ua4ee\ua4e0\ua4e0", "ANN"),
        ("\U00010415\U00010404", "CO"),
        ("\u2605\ua9c1Ann\ua9c2\u2605", "Ann"),
        ("\u2740 Ann \u2740", "Ann"),
        ("\U000131a9Ann\U000131aa", "\u00b7Ann\u00b7"),
        ("Ann \U0001f44d\U0001f3fd", "Ann \U0001f44d"),
        ("\u20b3\u20bfC", "ABC"),
        ("\ua35f\ua224", "EN"),
    ],
)
def test_styled_letters_are_drawn_as_plain_ones(name: str, drawn: str) -> None:
    assert drawable(clean(name)) == drawn


@pytest.mark.parametrize("first", [0x24B6, 0x1F130, 0x1F150, 0x1F170, 0x1F1E6], ids=hex)
def test_a_styled_alphabet_is_drawn_as_the_alphabet(first: int) -> None:
    assert "".join(drawable(f"x{chr(first + at)}")[1:] for at in range(26)) == string.ascii_uppercase


def test_an_emoji_newer_than_the_fonts_stays_and_keeps_a_place_in_pictures() -> None:
    assert clean("Ann\U0001fae8") == "Ann\U0001fae8"
    assert len(drawable("Ann\U0001fae8")) == 4


def test_a_vowel_sign_of_devanagari_stands_before_its_consonant() -> None:
    assert fit("\u0939\u093f", 40, 500) == "\u093f\u0939"


def test_the_username_stands_in_for_a_name_that_cannot_be_written() -> None:
    assert known_as("\u200b", "ann_92") == "ann_92"
    assert known_as("\ua984\ua985", "ann_92") == "ann_92"  # Javanese
    assert known_as("Ann", "ann_92") == "Ann"
    assert known_as("\U000168d8 Ann", "ann_92") == "\U000168d8 Ann"  # an ornament
    assert known_as("\U000168d8\U000168d8", "ann_92") == "ann_92"
    assert known_as("\u20bb\u20bc", "ann_92") == "ann_92"  # currencies that no face has
    assert known_as("\u2605\u2740\u2605", "ann_92") == "ann_92"
    assert known_as("\u2460 \u2776", "ann_92") == "ann_92"  # our marks alone
    assert known_as("\u1019\u103c\u1014\u103a", "ann_92") == "ann_92"  # Burmese: a consonant around another


def test_the_number_that_tells_names_apart_stands_by_itself_in_pictures() -> None:
    assert drawable("\u2460Alex, \u2461Alex") == "1·Alex, 2·Alex"


def test_lam_and_alef_are_one_sign() -> None:
    assert fit("\u0644\u0627", 40, 500) == "\ufefb"
    assert fit("\u0628\u0644\u0627\u0644", 40, 500) == "\ufedd\ufefc\ufe91"


@pytest.mark.parametrize("name", ["\u0639\u0644\u064a", "\u0645", "\u0939\u0941", "Jg"])
def test_no_letter_is_cut_at_the_bottom(name: str) -> None:
    drawn, plain = (mask(fit(text, 60, 500), 60) for text in (name, "Ann"))
    box = drawn.getbbox()
    assert box[3] < plain.height or drawn.height > plain.height


@pytest.mark.parametrize("code", languages())
def test_a_name_that_is_a_word_of_ours_is_marked(code: str) -> None:
    ours = texts(code, "full_sun")
    for word in (ours["picture.you"], ours["departed"], ours["setup.everybody"]):
        match = a_match(chairs=(Chair(0, 1, "Ann"), Chair(1, 2, word)))
        assert names_at(match, ours) == ("Ann", f"\u2461{word}")


def test_a_player_named_as_a_computer_at_the_table_is_told_apart() -> None:
    match = a_match(chairs=(Chair(0, 1, "ada"), Chair(1, None, "Ada")))
    assert names_at(match, texts("en")) == ("\u2460ada", "\u2461🤖Ada")


def test_no_player_bears_the_sign_of_computers() -> None:
    assert (known_as("🤖Ada", "ann"), known_as("🤖", "ann")) == ("Ada", "ann")


def test_players_who_have_left_are_told_apart() -> None:
    left = SeatChange(0, 1, SeatChangeKind.LEFT, 2, "Alex", "Ada")
    match = a_match(left, chairs=(Chair(0, 1, "Alex"), Chair(1, None, "Ada")))
    labels = labels_at(match, texts("en", "sea_change"))
    assert of_players(match, labels).name(1) == "\u2461Alex"
    assert "**\u2461Alex**" in sentences(GAMES["sea_change"], match, (), None, labels)[0]

    over = SeatChange(0, 1, SeatChangeKind.TOOK_OVER, 3, "Alex", "Ada")
    match = a_match(left, over, chairs=(Chair(0, 1, "Ben"), Chair(1, 3, "Alex")))
    told = sentences(GAMES["sea_change"], match, (), None, labels_at(match, texts("en", "sea_change")))[-1]
    assert "(<@2>)" in told
    assert "(<@3>)" in told


def test_histories_and_profiles_tell_people_apart() -> None:
    rival = Rival(2, "\u0410lex", 3, 2, 1)
    places = tuple(Placed(0, 1, 3, None, computer=False, user=user, name="Alex") for user in (1, 2))
    page = Page((Past(1, 1, 1, "sea_change", 1, 1, None, places),), newer=False, older=False)
    listed = Listed(Sought(1, 1, 1, None, 2), page, rival)
    profile = Profile("Alex", matches=3, wins=2, rivals=(rival,))
    head = str(history_message(listed, Turn(1), "en-US").parts[0]).splitlines()
    for line in head[:2]:
        assert "(<@1>)" in line
        assert "(<@2>)" in line
    assert "(<@2>)" in "".join(profile_lines(profile, 1, Labels((), texts("en")), "en"))


def test_entrants_of_a_season_are_told_apart() -> None:
    alex, other, ben = Entrant(0, 1, "Alex"), Entrant(1, 2, "alex"), Entrant(2, 3, "Ben")
    season = replace(played(players=0), status=SeasonStatus.OPEN, entrants=(alex, other, ben))
    labels = Labels((), texts("en"))
    for who, marked in ((alex, True), (other, True), (ben, False)):
        asked = str(remove_question(season, who, 9, labels).parts[0])
        assert (f"(<@{who.user}>)" in asked) is marked


def test_those_who_held_the_same_cards_are_told_apart() -> None:
    tables = [a_match(chairs=(Chair(0, user, name),)) for user, name in ((1, "Alex"), (2, "\u0410lex"), (3, "Ben"))]
    outcomes: list[Outcome | None] = [Outcome(frozenset(), (3,), "points") for _ in tables]
    (seat,) = compared(tables, outcomes, Labels((), texts("en")))
    assert [at.name for at in seat] == ["**Alex** (<@1>)", "**\u0410lex** (<@2>)", "**Ben**"]


@pytest.mark.parametrize("name", ["*", "@", "W", "\u05d0"])
@pytest.mark.parametrize("code", languages())
def test_a_list_of_the_longest_names_names_each(name: str, code: str) -> None:
    name *= 32
    users = range(10**18, 10**18 + 25)
    chairs = tuple(Chair(seat, 10**18 + 50 + seat, name) for seat in range(8))
    guests = [Guest(user, name, GuestState.INVITED) for user in users]
    waiting = tuple(Waiting(10**18 + 30 + at, name) for at in range(25))
    match = replace(a_match(chairs=chairs), status=Status.LOBBY, host=chairs[0].player, guests=tuple(guests))
    labels = labels_at(match, texts(code, "sea_change"))
    lines = tuple(Ranked(user, name, 1500, 1000, 1000, 20, 20, 9) for user in users[:20])
    board = Leaderboard(lines, replace(lines[0], user=1, line=99), 1000)
    lobby = lobby_message(
        replace(match, waiting=waiting), GAMES["sea_change"], (), {}, labels, b"", same_deals="A" * 200
    )
    for content, named in (
        (lobby, [*users, *(who.user for who in waiting[:8])]),
        (door_message(match, "Sea Change", 1, labels), users),
        (leaderboard_message(board, "sea_change", "2026-11", 20, 1, code), [*users[:20], 1]),
    ):
        told = [part for part in content.parts if isinstance(part, str)]
        assert sum(map(len, told)) <= MOST_TEXT
        assert all(f"<@{user}>" in "".join(told) for user in named)


@pytest.mark.usefixtures("plain")
@pytest.mark.games("game", short=["siege_of_sunfall"], long=GAMES)
async def test_two_who_look_alike_are_told_apart_wherever_they_are_shown(
    sim: Simulation, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In all texts, alt texts, labels and options that anyone sees, and in pictures."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    one = "".join(chance.choices("bcdfghjklmnpqrstvwxz", k=8)).title()
    tried = (known_as(imitation(one, chance), "b") for _ in range(1000))
    other = next(name for name in tried if name not in (one, "b") and written(name) == name)
    for user, name in (("user_a", one), ("user_b", other)):
        sim.people[user] = sim.guild.add_member(sim.env.create_user(user, global_name=name))
    people = [*sim.people.values(), *sim.join_server(*["carol"][: fewest_seats(game) - 2])]
    drawn: list[tuple[str, ...]] = []
    only_drawn = Labels.only_drawn.fget
    monkeypatch.setattr(Labels, "only_drawn", property(lambda self: drawn.append(self.names) or only_drawn(self)))
    table = await Table.begin(sim, game, people, seed="alike")
    since, left = sim.cursor, 12
    drawn.clear()

    def enough(match: Match, state: object) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    await table.play(enough)
    running = (await table.now())[0].running  # a small game is over: then the head of a history names one person alone
    for person in people[:2]:
        for command in ("hand", "games", *(("history", "profile") if running else ())):
            await person.slash(table.channel, command)
        if running:
            await sim.press(person, sim.board(table.channel), "Players")
    match, _ = await table.now()
    marked = {
        chair.name: f"{chr(0x2460 + chair.number)}{chair.name}" for chair in match.chairs if chair.name != "carol"
    }
    assert marked.keys() == {one, other}
    either = "|".join(map(re.escape, sorted(marked, key=len, reverse=True)))  # one may be the end of the other
    for text in [shown.all_text for shown in sim.shown(since)]:
        for found in re.finditer(either, text):
            name, before, after = found[0], text[: found.start()], text[found.end() :]
            # One may be the other and a sign that the sentence has, too.
            meant = [each for each in marked if name.startswith(each)]
            told = any(f"{before}{each}".endswith(marked[each]) for each in meant)
            assert told or re.match(r"[*]* [(]<@", after), (name, text)
    assert drawn
    assert all(set(marked.values()) <= set(names) for names in drawn)
