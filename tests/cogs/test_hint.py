"""A hint says privately which moves are best by what the player sees. It changes nothing that others see."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.match.coaching import Coaching
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.service import MatchService
from cogs.messages.hand import hand_message
from cogs.messages.hint import distinct, hint, hints_used, is_plan, line, ranked
from cogs.messages.lookups import log
from cogs.messages.presenter import Presenter
from data.content.texts import languages, texts
from rendering import renderer
from rendering.core.labels import Labels
from rules import GAMES
from rules.core import coach
from rules.core.coach import EQUAL, LITTLE, SHARE, WORSE, Advised, advise, compare
from rules.core.game import Seat
from rules.core.telling import Reason
from tests.cogs.test_hand_replies import Hands
from tests.rules.playing_photosynthesis import position
from tests.support import apicheck
from tests.support.matches import ANN, BEN, CLEO, begun, mover, play, play_on, refusal
from tests.support.published import PUBLISHED
from tests.support.simulation import Simulation, raw, words
from tests.support.table import Table


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "SEARCHED", 40)
    monkeypatch.setattr(coach, "REPEATED", 12)


@pytest.fixture
def coaching(service: MatchService) -> Coaching:
    return Coaching(service)


@pytest.mark.parametrize("slug", GAMES)
async def test_advice_follows_from_what_the_seat_sees(service: MatchService, slug: str) -> None:
    if 3 not in GAMES[slug].seats:
        pytest.skip(f"{slug} is not for 3")
    match = await begun(service, ANN, BEN, CLEO, game=slug)
    seat, _ = mover(service, match)
    state, game = service.state(match), GAMES[slug]
    found = advise(game, state, seat, "seed")
    assert found == advise(game, state.redeal_unseen(seat, "another"), seat, "seed")
    assert all(advised.move in state.legal_moves(seat) for advised in found)
    assert found[0].verdict == EQUAL
    assert [advised.verdict for advised in found] == sorted(advised.verdict for advised in found)


def test_a_move_that_is_surely_worse_is_not_called_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worse move pledges all coins for the first card, the better one a share of its strength."""
    monkeypatch.setattr(coach, "REPEATED", 40)
    game = GAMES["siege_of_sunfall"]
    state = game.new(3, {}, "clear")
    everything, share = state.legal_moves(Seat(0))[-1], state.legal_moves(Seat(0))[3]
    found = compare(game, state, Seat(0), "seed", [everything, share])
    assert [advised.move for advised in found] == [share, everything], "all coins for one card"
    assert [advised.verdict for advised in found] == [EQUAL, WORSE]
    assert found[0].reasons, "it says why"


async def test_a_hint_is_counted_once_a_decision(service: MatchService, coaching: Coaching) -> None:
    match = await begun(service, ANN, BEN, CLEO)
    seat, user = mover(service, match)
    _, _, first = await coaching.hint(match.id, user)
    _, _, again = await coaching.hint(match.id, user)
    assert first == again, "asking again brings nothing new"
    assert [chair.hints for chair in (await service.load(match.id)).chairs] == [int(s == seat) for s in range(3)]


async def test_who_may_not_have_a_hint(service: MatchService, coaching: Coaching) -> None:
    match = await begun(service, ANN, BEN, CLEO)
    seat, _ = mover(service, match)
    waiting = match.chairs[(seat + 1) % 3].player
    for user, why in ((waiting, "nothing_to_decide"), (999, "not_seated")):
        assert await refusal(coaching.hint(match.id, user)) == why
    without = await begun(service, ANN, BEN, CLEO, game="full_sun", options={"hints": "off"})
    assert await refusal(coaching.hint(without.id, mover(service, without)[1])) == "no_hints"


async def test_the_end_says_how_many_each_had(service: MatchService, coaching: Coaching, messages: Presenter) -> None:
    match = await begun(service, ANN, BEN, CLEO)
    _, user = mover(service, match)
    match, *_ = await coaching.hint(match.id, user)
    name = next(chair.name for chair in match.chairs if chair.user == user)
    assert hints_used(match, messages.labels(match, "en")) == f"Hints: **{name}** 1."


async def test_the_hints_of_a_player_who_has_left_are_told_too_and_only_after_the_end(
    service: MatchService, coaching: Coaching, messages: Presenter
) -> None:
    match, lobby = await begun(service, ANN, BEN, CLEO), Lobby(service)
    _, user = mover(service, match)
    match, *_ = await coaching.hint(match.id, user)
    match = await Membership(service, lobby).give_seat_to_computer(match.id, user)
    told = f"Hints: <@{user}> 1."
    assert hints_used(match, messages.labels(match, "en")) == told
    other = next(person for person in (ANN, BEN, CLEO) if person != user)
    assert told not in str((await log(messages, match, other, "en", 0)).parts), "it would tell of a decision"
    match = await lobby.cancel(match.id, other, manager=True)
    assert str((await log(messages, match, other, "en", 0)).parts[-1]).endswith(f"-# {told}")


async def test_only_the_player_sees_it_and_the_table_stays(sim: Simulation, siege: Table) -> None:
    match, state = await siege.now()
    seat = min(state.to_move())
    player = sim.by_id(match.chairs[seat].player)
    before = json.dumps(raw(sim.board()))
    said = await sim.slash(player, "hint", siege.channel)
    assert "💡" in said and "you win the match" in said
    await sim.caught_up()
    assert json.dumps(raw(sim.board())) == before, "in a sealed phase no other player learns of it"


@pytest.mark.parametrize("where", ["direct message", "channel"])
async def test_it_stands_in_the_hand_for_its_decision(sim: Simulation, where: str) -> None:
    """In the message pressed, also when others change it; *Play it* makes the move, and the hint is gone."""
    people = sim.join_server("ann", "ben", "cleo")
    hands = Hands(await Table.begin(sim, "siege_of_sunfall", people, seed="hint"))
    ann, others, coach = people[0], people[1:], "equally|best move|opponent"
    if where == "channel":
        await hands.open(ann)

    def body() -> Any:
        return hands.body(ann) if hands.opened else raw(sim.hand(ann))

    def text() -> str:
        return "\n".join(words(body()))

    async def press(what: str) -> None:
        await (hands.press(ann, what) if hands.opened else sim.press(ann, sim.hand(ann), what))

    messages = len(sim.dms(ann))
    await press("Hint")
    assert re.search(coach, text()) and len(sim.dms(ann)) == messages, "no message of its own"
    before = await sim.match()
    for person in others[:1]:
        await sim.slash(person, "move", move="pledge 1")
    await sim.caught_up()
    assert re.search(coach, text()), "another player's pledge leaves it there"
    plays = [part for part in apicheck.components(body()) if "/anyway/" in part.get("custom_id", "")]
    assert plays
    await press(plays[0]["custom_id"])
    assert (await sim.match()).moves == before.moves + 2
    for person in others[1:]:
        await sim.slash(person, "move", move="pledge 1")
    await sim.caught_up()
    assert not re.search(coach, text()), "it goes with its decision"


def two_actions(state: Any, seat: Seat) -> Iterator[tuple[Any, ...]]:
    """Turns of Photosynthesis with two actions that can also be made the other way round, and the end of the turn."""
    for first, second in itertools.permutations(state.legal_moves(seat), 2):
        after, _ = state.apply(first)
        if second in after.legal_moves(seat):
            yield from (
                (first, second, move) for move in after.apply(second)[0].legal_moves(seat) if str(move) == "end"
            )


async def test_play_it_plays_the_turn_that_the_hint_names(sim: Simulation) -> None:
    """Each action can be taken back as the player's own, and a second press plays nothing. Of several turns that are
    equally good each button names the action that it plays.
    """
    people = sim.join_server("ann", "ben", "cleo")
    await Table.begin(sim, "photosynthesis", people, seed="turn")
    moves: tuple[Any, ...] = ()
    while not moves:
        match = await sim.play_on(1, 1)
        seat, user = mover(sim.service, match)
        moves = next(two_actions(sim.service.state(match), seat), ())
    turns = [Advised(turn, {}, 0.0, EQUAL, ()) for turn in (moves, moves[1:])]
    labels = sim.app.messages.labels(match, "en")
    _, (play,) = hint(sim.app.messages, match, seat, turns[:1], labels)
    _, several = hint(sim.app.messages, match, seat, turns, labels)
    assert [button.label for button in several] == [
        renderer("photosynthesis").move_label(sim.service.state(match).view(seat), move, labels) for move in moves[:2]
    ]
    assert [button.custom_id.rsplit("/", 1)[1] for button in several] == [*map(str, moves[:2])]
    player = sim.by_id(user)
    where = {"message": sim.hand(player).id, "channel": player.user.dm_channel.id}
    assert play.label == "Play it"
    for _ in range(2):
        await sim.forge(player, play.custom_id, **where)
        await sim.caught_up()
        played = await sim.match()
        assert [move.text for move in (await sim.service.log(1))[match.moves :]] == [*map(str, moves)]
        assert mover(sim.service, played)[0] != seat
    for left in (2, 1, 0):
        await sim.press(player, sim.hand(player), "Undo")
        kept = [move for move in (await sim.service.log(1))[match.moves :] if move.undone_at is None]
        assert len(kept) == left


async def test_a_hint_is_counted_only_for_others_to_see(service: MatchService, messages: Presenter) -> None:
    """A player alone has no others; the end tells the hints of a table."""
    match = await begun(service, ANN, BEN, CLEO)
    seat, _ = mover(service, match)
    best, labels = (Advised(service.state(match).legal_moves(seat)[:1], {}, 0.0, EQUAL, ()),), messages.labels(match)
    told = [hint(messages, m, seat, best, labels)[0] for m in (match, replace(match, guild=0))]
    assert ["everyone sees how many hints" in text for text in told] == [True, False]


async def test_each_move_stands_under_a_heading_and_says_why(service: MatchService, messages: Presenter) -> None:
    match = await begun(service, ANN, BEN, CLEO)
    seat, _ = mover(service, match)
    first, second, third = service.state(match).legal_moves(seat)[:3]

    def told(*advice: Advised[Any]) -> str:
        return hint(messages, match, seat, advice, messages.labels(match, "en"))[0]

    why = (Reason("trick_won", 0.744, -1.72),)
    best, equal = (Advised((move,), {"win": 0.541}, 0.0, EQUAL, why) for move in (first, second))
    little, worse = (Advised((third,), {"win": 0.3}, 0.2, verdict, ()) for verdict in (LITTLE, WORSE))
    headings = (
        "The best move:",
        "equally good",
        "Perhaps a little worse:",
        "Not as good:",
        "Do not always do the same",
    )
    for advice, expected in (
        ((best, worse), (0, 3)),
        ((best, equal, little), (1, 2)),
        ((best, little, worse), (0, 2, 3)),
    ):
        said = told(*advice)
        assert [heading in said for heading in headings] == [at in expected for at in range(5)]
        assert said.count("you win the match: 54\u00a0%") == 1  # moves that are equally good share it
        assert said.count("you take this trick: 74\u00a0% (points in it: about −1.7)") == 1 + (equal in advice)
    mixed = (replace(move, outlook={SHARE: 0.5, **move.outlook}) for move in (best, equal))
    said = told(*mixed, worse)
    assert "same here, or the others can count on it (you win the match: 54\u00a0%):" in said
    assert said.count("• 5 of 10 times: **") == 2 == said.count("** – you take this trick") and "** 30\u00a0%" in said


def told_of(slug: str, *reasons: Reason, **outlook: float) -> tuple[str, str]:
    """Return the line of a move with these reasons, which compare it with another move, and that move's name."""
    game = GAMES[slug]
    known, labels = game.new(3, {}, "reason"), Labels(("Ann", "Ben", "Cleo"), texts("en", slug))
    move, other = known.legal_moves(min(known.to_move()))[:2]
    why = tuple(reason._replace(beside=(other,)) for reason in reasons)
    told = line(slug, known, Advised((move,), outlook, 0.0, EQUAL, why), [*outlook], labels)
    return told.replace("\xa0", " "), renderer(slug).move_label(known.view(move.seat), other, labels)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (Reason("next_fits", 0.89, 1.0, 0.69, 1.0), "a card fits in your next turn: 89 %, against 69 % with *stop*"),
        (Reason("next_fits", 0.891, 1.0, 0.889, 1.0), "a card fits in your next turn: 89 %"),
        (Reason("next_fits", 1.0, 1.0), "a card fits in your next turn: 99 %"),
        (Reason("next_fits", 0.4, 1.0, 0.001, 1.0), "a card fits in your next turn: 40 %, against 1 % with *stop*"),
        (Reason("next_out", 1.0, 1.0, certain=True), "you go out in this turn: 100 %"),
        (Reason("points_shed", 1.0, 8.0, 1.0, 4.0), "you get rid of 8 points, against 4 with *stop*"),
        (Reason("wild_kept", 1.0, 1.0, 0.5, 1.0), "you keep the wild for later"),
        (Reason("extra_double", 1.0, 1.0), "a Double Match"),
        (Reason("extra_double", 1.0, 1.0, instead=True), "with *stop*: a Double Match"),
        (Reason("wild_used", 1.0, 1.0, instead=True), "you keep one wild more than with *stop*"),
        (Reason("next_stuck", 0.6, 1.0, 0.79), "you must draw in your next turn: only 60 %, against 79 % with *stop*"),
        (Reason("none", 1.0, 1.0), "no single fact tells why"),
    ],
)
def test_a_reason_comes_after_the_figure_and_says_what_the_next_best_move_has(reason: Reason, expected: str) -> None:
    told, name = told_of("full_circle", reason, win=0.5)
    assert told.partition("** – ")[2] == f"you win the match: 50 % · {expected.replace('stop', name)}"


def test_another_turn_is_called_by_the_moves_that_tell_it_apart() -> None:
    """Or, if it is the own one without some of its moves, by all of its moves."""
    game = GAMES["photosynthesis"]
    state, text = position("D5=O1"), Labels((), texts("en", "photosynthesis"))
    moves = {name: game.parse(Seat(0), name) for name in ("buy small", "grow D5", "buy medium", "end")}
    for own, other, expected in (
        (("grow D5", "end"), ("end",), "End the turn"),
        (("end",), ("grow D5", "end"), "Grow D5 to a medium tree (2 light)"),
        (
            ("buy small", "grow D5", "end"),
            ("buy medium", "grow D5", "end"),
            f"{renderer('photosynthesis').move_label(state.view(Seat(0)), moves['buy medium'], text)}",
        ),
        (("buy small", "grow D5", "end"), ("grow D5", "end"), "Grow D5 to a medium tree (2 light), End the turn"),
    ):
        turns = [tuple([moves[name] for name in turn]) for turn in (own, other)]
        reason = Reason("light", 1.0, 5.0, 1.0, 3.0, beside=turns[1])
        told = line(game.slug, state, Advised(turns[0], {}, 0.0, EQUAL, (reason,)), [], text)
        assert told.endswith(f"you have about 5 light next round, against 3 with *{expected}*")


def test_of_how_often_and_of_the_number_that_which_differs_more_is_compared() -> None:
    """Or both. A number stands beside a number: "99 % (points in it: about 1.3), against 0.5" would read as 0.5 %."""
    for share, number, expected in (
        (0.98, 0.5, "1.3, against 0.5 with *stop*)"),
        (0.3, 1.2, "1.3), against 30 % with *stop*"),
        (0.79, -1.0, "1.3), against 79 % (−1) with *stop*"),
    ):
        told, name = told_of("sea_change", Reason("trick_lost", 1.0, 1.3, share, number))
        assert told.endswith(f"takes this trick: 99 % (points in it: about {expected.replace('stop', name)}")


@pytest.mark.parametrize("language", languages())
def test_numbers_of_facts_with_a_chance_stand_in_brackets_at_the_end(language: str) -> None:
    """There they are compared."""
    for slug in PUBLISHED:
        why = {key: text for key, text in texts(language, slug).items() if key.startswith("hint.why.")}
        assert all(
            re.search(r"\([^(]*: [^(:]*\{number\}\)$", text.replace("\u00a0", " "))
            for text in why.values()
            if "{percent}" in text and "{number}" in text
        )


@pytest.mark.parametrize(
    ("lead", "start", "number"),
    [(0.4, "points ahead of", ": about 0.4"), (-0.04, "about level with", ""), (-1.3, "points behind", ": about 1.3")],
)
def test_a_lead_below_0_is_told_as_points_behind(lead: float, start: str, number: str) -> None:
    told, _ = told_of("photosynthesis", lead=lead)
    assert told.endswith(f"{start} the best other player at the end{number}")


def test_the_one_player_whose_last_card_does_not_fit_is_named() -> None:
    assert "Cleo’s open last card" in told_of("full_circle", Reason("shut_one", 1.0, 2.0))[0]


@pytest.mark.parametrize("language", languages())
def test_how_many_cards_are_left_does_not_read_as_the_card_that_is(language: str) -> None:
    """ "You keep 0 of it" was read as keeping the 0."""
    words = texts(language, "sea_change")
    assert all(words[f"hint.why.trump_{suit}"].endswith(": {number})") for suit in "BGRPY")


def test_what_is_not_as_good_shows_the_numbers_of_the_figures_that_rank() -> None:
    """Those in which all moves look the same do not rank. What a number is was said of the best move."""
    game = GAMES["siege_of_sunfall"]
    known = game.new(3, {}, "lost")
    moves = known.legal_moves(Seat(0))
    for best, others, expected in (
        ((0.12, 0.5, 5.1), ((0.04, 0.97, 1.0), (0.03, 0.9, 1.0)), ("you win the match: 12 %", "4 %", "3 %")),
        ((0.0, 0.5, 5.1), ((0.0, 0.2, 6.0),), ("you last the round: 50 %", "20 %")),
        ((0.2, 0.5, 5.1), ((0.2, 0.3, 1.0), (0.1, 0.6, 1.0)), ("match: 20 % · you last the round: 50 %", "20 %, 30 %")),
    ):
        figures = [dict(zip(("win", "survives", "armies"), each, strict=True)) for each in (best, *others)]
        verdicts = (EQUAL, WORSE, WORSE)
        advice = [Advised((moves[at],), each, 0.0, verdicts[at], ()) for at, each in enumerate(figures)]
        first, worse = ranked(game.slug, known, advice, Labels((), texts("en", game.slug)))
        told = [first, *worse.replace("\xa0", " ").split(" · ")]
        assert all(part.replace("\xa0", " ").endswith(end) for part, end in zip(told, expected, strict=False)), told


async def test_of_turns_of_several_moves_a_hand_tells_the_best_and_one_more(service: MatchService) -> None:
    """Each with one reason, since each fills several lines on a phone; the question is answered by the plan."""
    presenter = Presenter(service, Lobby(service))
    presenter.coaching = coaching = Coaching(service)
    match = await begun(service, ANN, BEN, game="photosynthesis")
    match = await play_on(service, match, 20, random=Random("plans"))
    while len(service.state(match).legal_moves(mover(service, match)[0])) < 4:
        match = await play(service, match)
    _, user = mover(service, match)
    person = await service.people.get(user)
    asked = [part for part in (await hand_message(presenter, match, person)).parts if "light**" in str(part)]
    match, _, given = await coaching.hint(match.id, user)
    assert is_plan(given) and len(given) > 1
    hand = await hand_message(presenter, match, person)
    assert asked and not set(asked) & set(hand.parts)
    assert len(hand.note.splitlines()) <= 4 and hand.note.count("💡") == 1
    labels = presenter.labels_for(match, person)
    assert labels.say("hint.counted") in hand.note


def test_plans_that_differ_only_in_the_order_of_their_moves_are_told_once() -> None:
    game = GAMES["photosynthesis"]
    state = game.new(2, {}, "order")
    one, two = state.legal_moves(Seat(0))[:2]
    best = [Advised(turn, {}, 0.0, EQUAL, ()) for turn in ((one, two), (two, one), (two,))]
    told = [*best, Advised((two, one), {}, 1.0, WORSE, ())]
    assert distinct(told) == [best[0], best[2], told[3]], "the better order first; what is worse is another plan"
    labels = Labels(("Ann", "Ben"), texts("en", "photosynthesis"))
    assert len(ranked("photosynthesis", state, best[:2], labels)) == 1
