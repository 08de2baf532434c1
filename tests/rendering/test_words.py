"""Every game has a renderer and words for all that can happen in it; texts keep Discord's limits."""

from __future__ import annotations

import inspect
import re
import sys
import typing
from dataclasses import is_dataclass, replace
from enum import StrEnum
from random import Random
from types import ModuleType
from typing import Any

import pytest

from data.content.texts import languages, texts
from rendering.core.prompts import MOST_CHOICES, Prompt
from rendering.sea_change.narration import playable
from rules import GAMES
from rules.core.chance import Shuffled
from rules.core.events import PublicEvent
from rules.core.game import Event, IllegalMove, Refusal
from rules.siege_of_sunfall.types import Reason
from tests.rendering.play import LONG, STRANGE, TABLES, drawn, game, labels, viewers
from tests.rules.naive_siege_of_sunfall import position
from tests.support.traits import nearest_seats

STEPS = (
    *("", "#", "#0", "#1", "#-1", "#x", "#²", "#99999999999999999999", "²", "٣", "-1", "99", "A1", "Z9", "RB", "W"),
    "W:G",
)
"""Of ways to a choice that no player is offered."""


def modules(slug: str) -> list[ModuleType]:
    """The game's module, or its package and all modules in it."""
    return [module for name, module in sys.modules.items() if f"{name}.".startswith(f"rules.{slug}.")]


def reasons_of(slug: str) -> set[StrEnum]:
    """All members of the enums that the game refuses moves with."""
    refused = re.compile(r"(?:IllegalMove|refusal)\((?:\w+, )*(\w+)\.[A-Z]")
    return {
        reason
        for module in modules(slug)
        for name in refused.findall(inspect.getsource(module))
        for reason in getattr(module, name)
    }


@pytest.mark.parametrize(
    ("slug", "keys"),
    [
        (None, ("refused.full", "refused.bad_seats", "refused.options_do_not_fit")),
        ("sea_change", ("alt.pile", "alt.points", "score.points")),
        ("photosynthesis", ("alt.player", "score.seat", "prompt.origin")),
        ("siege_of_sunfall", ("event.armies_paid",)),
    ],
)
def test_what_may_be_one_is_said_without_a_plural(slug: str | None, keys: tuple[str, ...]) -> None:
    """Never "1 players". Where a noun follows, `Labels.count` chooses between two texts."""
    for key in keys:
        assert not re.search(r"\}\**( free)? [a-z]+s\b", texts("en", slug)[key]), key


@pytest.mark.parametrize("language", languages())
def test_an_instant_reads_as_discord_says_it(language: str) -> None:
    """Discord says "3 hours ago", which stands after no "since"."""
    for key, text in texts(language).items():
        assert not re.search(r"\b(since|seit) \{", text, re.IGNORECASE), key


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("slug", GAMES)
def test_every_refusal_option_and_rule_has_words(slug: str, language: str) -> None:
    words = texts(language, slug)
    for reason in (*Refusal, *reasons_of(slug)):
        assert f"refusal.{reason.value}" in words
    for seats in GAMES[slug].seats:
        for option in GAMES[slug].options(seats, {}):
            assert len(words[f"option.{option.name}.label"]) <= 100
            assert len(words[f"option.{option.name}.detail"]) <= 100
            if isinstance(option.default, str):
                for value in option.values:
                    assert f"option.{option.name}.value.{str(value).lower()}" in words
    assert words["game.tagline"] and len(words["game.cover"]) <= 1024


@pytest.mark.parametrize("slug", GAMES)
def test_the_rules_fit_a_message(slug: str) -> None:
    page = drawn(slug).rules(GAMES[slug].deck, labels(slug, 0))
    assert "{" not in page
    assert len(page) <= 3500
    assert "†" in page or not GAMES[slug].deck, "house values are marked"


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_every_event_has_a_sentence(slug: str, seats: int) -> None:
    states, events = game(slug, seats, "words")
    found = labels(slug, seats, STRANGE)
    kinds = set()
    for event in events:
        for viewer in viewers(seats):
            seen = event.seen_by(viewer)
            if seen is None:
                continue
            kinds.add(type(seen))
            assert drawn(slug).narrate(seen, found), seen
    assert kinds and Shuffled not in kinds
    outcome = states[-1].outcome()
    assert outcome is not None
    assert found.say(f"outcome.{outcome.reason}")


def event_types(slug: str) -> set[type]:
    """The types with `seen_by` in the game's modules: its events."""
    return {
        value
        for module in modules(slug)
        for value in vars(module).values()
        if isinstance(value, type) and hasattr(value, "seen_by") and value not in (Event, PublicEvent, Shuffled)
    }


@pytest.mark.parametrize("slug", GAMES)
def test_no_event_is_without_words(slug: str) -> None:
    source = inspect.getsource(drawn(slug).narrate)
    assert event_types(slug)
    assert {kind.__name__ for kind in event_types(slug) if f"case {kind.__name__}()" not in source} == set()


@pytest.mark.parametrize("slug", GAMES)
def test_every_word_for_an_outcome_is_of_this_game(slug: str) -> None:
    """That an outcome has words is seen where games are played; here that none of the words is a dead one."""
    source = "".join(map(inspect.getsource, modules(slug)))
    reasons = [key.removeprefix("outcome.") for key in texts("en", slug) if key.startswith("outcome.")]
    assert reasons and [reason for reason in reasons if f'"{reason}"' not in source] == []


@pytest.mark.parametrize("slug", GAMES)
def test_refusals_fill_in(slug: str) -> None:
    """Each refusal that random words and other seats' moves bring about is said in full. They include those that every
    game has, except if all players decide at once: then no move is out of turn.
    """
    states, _ = game(slug, max(GAMES[slug].seats), "refusals")
    found = labels(slug, max(GAMES[slug].seats))
    said = set()
    moves = {str(move) for state in states for seat in state.to_move() for move in state.legal_moves(seat)}
    for state in (*states[:: max(1, len(states) // 12)], states[-1]):
        for text in (*sorted(moves)[:: max(1, len(moves) // 12)], "pledge 99", "pledge 0 boost 9", "nonsense"):
            for seat in range(max(GAMES[slug].seats)):
                try:
                    state.apply(GAMES[slug].parse(typing.cast(Any, seat), text))
                except IllegalMove as error:
                    sentence = found.refusal(error)
                    assert "{" not in sentence
                    said.add(error.reason)
    assert said >= {Refusal.UNPARSABLE, Refusal.GAME_OVER}, said


def test_a_refusal_names_seats() -> None:
    found = labels("siege_of_sunfall", 4)
    assert found.refusal(IllegalMove(Reason.NOT_KING, king=2)) == "Only the King, Chloë, decides that."


def check_prompt(prompt: Prompt, slug: str, state: Any, viewer: Any, found: Any, legal: set[str]) -> set[str]:
    """Walks every way through a prompt; gives the moves that it offers."""
    offered: set[str] = set()
    assert 0 < len(prompt.choices) <= MOST_CHOICES
    assert len(prompt.question) <= 1000
    for choice in prompt.choices:
        assert 0 < len(choice.label) <= 80
        assert len(choice.detail) <= 100
        if choice.move is not None:
            assert choice.move in legal
            offered.add(choice.move)
        else:
            assert choice.path
            moves = state.legal_moves(viewer)
            further = drawn(slug).prompt(state.view(viewer), moves, choice.path, found)
            offered |= check_prompt(further, slug, state, viewer, found, legal)
    return offered


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_prompts_offer_every_legal_move(slug: str, seats: int) -> None:
    states, _ = game(slug, seats, "prompts")
    for state in states[:: max(1, len(states) // 25)]:
        for viewer in viewers(seats):
            moves = () if viewer is None else state.legal_moves(viewer)
            if not moves:
                continue
            view, found = state.view(viewer), labels(slug, seats, LONG)
            prompt = drawn(slug).prompt(view, moves, (), found)
            legal = {str(move) for move in moves}
            assert check_prompt(prompt, slug, state, viewer, found, legal) == legal
            for move in moves:
                assert 0 < len(drawn(slug).move_label(view, move, found)) <= 80


@pytest.mark.parametrize("slug", GAMES)
def test_a_forged_way_leads_to_no_fault(slug: str) -> None:
    """An id in a press may be anybody's making: then there may be nothing to choose, but there is an answer."""
    print(f"ways by seed {slug}")
    random, seats, by = Random(slug), max(GAMES[slug].seats), drawn(slug)
    states, _ = game(slug, seats, "forged")
    found = labels(slug, seats)
    for state in random.sample(states, min(40, len(states))):
        for viewer in sorted(state.to_move()):
            view, moves = state.view(viewer), state.legal_moves(viewer)
            steps = {step for choice in by.prompt(view, moves, (), found).choices for step in choice.path}
            steps |= {step for move in moves for step in str(move).split()} | set(STEPS)
            for _ in range(30):
                path = tuple(random.choices(sorted(steps), k=random.choice((1, 1, 2, 3))))
                for choice in by.prompt(view, moves, path, found).choices:
                    assert choice.move is None or choice.move in map(str, moves), path


@pytest.mark.parametrize("slug", GAMES)
def test_a_score_names_the_winner_first(slug: str) -> None:
    """Even if another score is higher: a tie-break or a play-off may have decided."""
    seats = nearest_seats(GAMES[slug], 3)
    states, _ = game(slug, seats, "winner")
    view, found = states[-1].view(None), labels(slug, seats)
    for seat in range(seats):
        outcome = replace(view.outcome, winners=frozenset({seat}))
        won = replace(view, outcome=outcome) if is_dataclass(view) else view._replace(outcome=outcome)
        first = drawn(slug).score(won, found).splitlines()[0]
        assert "🏆" in first and found.name(seat) in first


@pytest.mark.parametrize("names", [LONG, STRANGE, ("x" * 32,)], ids=["long", "strange", "plain"])
@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_descriptions_keep_the_limit(slug: str, seats: int, names: tuple[str, ...]) -> None:
    states, _ = game(slug, seats, "limits")
    found = labels(slug, seats, names)
    for state in (*states[:: max(1, len(states) // 15)], states[-1]):
        for viewer in viewers(seats):
            view = state.view(viewer)
            assert 0 < len(drawn(slug).describe(view, found)) <= 1024
            assert drawn(slug).transcript(view, found)
            assert drawn(slug).score(view, found).count("\n") < 12
    view = states[-1].view(None)
    assert drawn(slug).last_text(view, found) or drawn(slug).paint_last(view, found) is None


def test_the_hand_shows_as_playable_what_the_rules_allow() -> None:
    for seats in (1, 2, 5, 8):
        states, _ = game("sea_change", seats, "playable")
        for state in states:
            for seat in state.to_move():
                legal = tuple(move.card for move in state.legal_moves(seat))
                assert playable(state.view(seat)) == legal


def test_the_rounds_first_leader_is_told_that_the_card_sets_the_trump() -> None:
    """C3."""
    states, _ = game("sea_change", 3, "first lead")
    view = states[0].view(1)
    question = drawn("sea_change").prompt(view, states[0].legal_moves(1), (), labels("sea_change", 3)).question
    assert question == "You lead the round: the suit of your card becomes trump."


def test_the_tide_has_no_hand() -> None:
    """C11: what the AI still has is its stack."""
    states, _ = game("sea_change", 1, "tide")
    told = drawn("sea_change").transcript(states[0].view(None), labels("sea_change", 1))
    assert "The Tide: 0 VP, 19 face down, 0 captured" in told
    assert "Ann: 0 VP, 10 in hand, 0 captured" in told


@pytest.mark.parametrize(("pledges", "told"), [((2, 2, 0), "you cannot keep it"), ((0, 2, 2), "who gets it?")])
def test_a_king_among_the_tied_for_the_crown_is_told_to_give_it_away(pledges: tuple[int, ...], told: str) -> None:
    """K8."""
    state = position(3, "crown")
    for seat, coins in enumerate(pledges):
        state, _ = state.apply(GAMES["siege_of_sunfall"].parse(typing.cast(Any, seat), f"pledge {coins}"))
    prompt = drawn("siege_of_sunfall").prompt(state.view(0), state.legal_moves(0), (), labels("siege_of_sunfall", 3))
    assert told in prompt.question


def test_one_coin_is_no_coins() -> None:
    state = position(3, coins=[1, 2, 3], armies=[0, 1, 2])
    told = drawn("siege_of_sunfall").describe(state.view(None), labels("siege_of_sunfall", 3))
    assert "Ann: 1 coin, 0 armies" in told
    assert "Ben: 2 coins, 1 army" in told


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("slug", GAMES)
def test_no_sentence_makes_bold_what_is_bold(slug: str, code: str) -> None:
    """Names in a message are bold already: stars around them would end their boldness and show."""
    seats = nearest_seats(GAMES[slug], 3)
    _, events = game(slug, seats, "bold")
    named = labels(slug, seats)
    bold = replace(named, texts=texts(code, slug), written=tuple(f"\ue000{name}" for name in named.names))
    told = [line for event in events for line in drawn(slug).narrate(event, bold).splitlines()]
    assert told
    before = [line[:at] for line in told for at, letter in enumerate(line) if letter == "\ue000"]
    assert not [part for part in before if part.count("**") % 2]
