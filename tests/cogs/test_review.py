"""After a match a review tells a player privately when another move was much better, judged by what they saw."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import cogs.match.coaching as coaching_module
from cogs.match.automatic_moves import AutomaticMoves, ThreadThinker
from cogs.match.coaching import MOST_MOMENTS, MOST_REVIEWED, Coaching, Moment
from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from cogs.messages.content import Button, Picture
from cogs.messages.hint import ranked, review_message
from cogs.messages.presenter import Presenter
from cogs.workers.pool import Pool
from cogs.workers.thinking import PoolThinker
from data.content.texts import texts
from data.records.match import Match
from data.records.people import Person
from rendering.core.labels import Labels
from rules import GAMES, LESSONS
from rules.core import coach
from rules.core.coach import EQUAL, WORSE, Advised, better
from rules.core.game import AnyGame, AnyState, Move, Seat
from rules.core.telling import Reason
from tests.cogs.matches_over import stopped
from tests.rules.test_lessons import as_advised
from tests.support.ended import played
from tests.support.inside import coached_by
from tests.support.matches import ANN, PEOPLE, begun, lobby, refusal
from tests.support.simulation import Simulation, controls, raw
from tests.support.table import Table
from tests.support.traits import nearest_seats


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "SEARCHED", 24)
    monkeypatch.setattr(coach, "LOOKED_AT", 24)
    monkeypatch.setattr(coach, "REPEATED", 8)


class Critic:
    """Calls every move worse, except the one that it likes, and keeps its arguments."""

    def __init__(self) -> None:
        self.given: list[tuple[AnyState, Seat, str, str]] = []

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> tuple[Advised[Any], ...]:
        raise AssertionError("no player asked for a hint")

    async def better(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, played: Move
    ) -> tuple[Advised[Any], ...]:
        self.given.append((known, seat, seed, str(played)))
        other = next(move for move in known.legal_moves(seat) if move != played)
        behind = float(len(self.given) % 7)
        best, worse = Advised((other,), {}, 0.0, EQUAL, ()), Advised((played,), {}, behind, WORSE, ())
        return (best, worse) if behind else ()


@pytest.mark.parametrize("slug", GAMES)
async def test_it_looks_at_the_players_own_choices_alone(service: MatchService, slug: str) -> None:
    critic = Critic()
    coaching = Coaching(service, critic)
    match = await played(service, slug, slug, 40)
    match, seat, moments = await coaching.review(match.id, ANN)
    log = {move.number: move for move in await service.log(match.id)}
    assert critic.given and len(critic.given) <= MOST_REVIEWED
    assert {given[1] for given in critic.given} == {seat} == {match.seat_of(ANN)}
    assert all(
        log[moment.number].user == ANN and log[moment.number].text == str(moment.played.move) for moment in moments
    )
    assert 0 < len(moments) <= MOST_MOMENTS
    assert [moment.number for moment in moments] == sorted(moment.number for moment in moments)
    behind = sorted([float(n % 7) for n in range(1, len(critic.given) + 1)], reverse=True)
    assert sorted((moment.played.behind for moment in moments), reverse=True) == behind[: len(moments)]


@pytest.mark.parametrize("slug", GAMES)
async def test_it_thinks_about_what_the_seat_knew(service: MatchService, slug: str) -> None:
    """The thinker gets a redeal that the seat could not tell from the position at that time."""
    critic = Critic()
    coaching = Coaching(service, critic)
    match = await played(service, slug, slug, 40)
    _, seat, moments = await coaching.review(match.id, ANN)
    for moment in moments:
        state = await service.position(match, moment.number)
        assert moment.known.view(seat) == state.view(seat)
        assert any(known == state.redeal_unseen(seat, seed) for known, _, seed, _ in critic.given)


async def test_it_is_thought_out_once(service: MatchService) -> None:
    critic = Critic()
    coaching = Coaching(service, critic)
    match = await played(service, "sea_change", "once", 40)
    first = await coaching.review(match.id, ANN)
    count = len(critic.given)
    assert await coaching.review(match.id, ANN) == first and len(critic.given) == count


async def test_who_may_not_have_a_review(service: MatchService) -> None:
    coaching = Coaching(service, Critic())
    match = await played(service, "sea_change", "short", 5)
    assert await refusal(coaching.review(match.id, 999)) == "not_at_end"
    undecided = await played(service, "full_circle", "none", 0)
    assert await refusal(coaching.review(undecided.id, ANN)) == "no_decisions", "nor is it told that it played well"
    assert await refusal(coaching.review((await lobby(service, ANN, channel=11)).id, ANN)) == "not_reviewed"


@pytest.mark.parametrize("locale", ["en-GB", "de"])
@pytest.mark.parametrize("slug", GAMES)
async def test_the_message_shows_each_moment(
    service: MatchService, messages: Presenter, slug: str, locale: str
) -> None:
    coaching = Coaching(service, Critic())
    match = await played(service, slug, slug, 40)
    match, seat, moments = await coaching.review(match.id, ANN)
    found = texts(locale.split("-")[0])
    for page in range(len(moments)):
        content = await review_message(messages, match, Person(ANN, "P0", locale=locale), seat, moments, page)
        assert content.user == ANN
        assert sum(isinstance(part, Picture) for part in content.parts) == 1, "a screen, not three"
        said = "\n".join(part for part in content.parts if isinstance(part, str))
        assert found["review.some"] in said and said.count(found["review.played"]) == 1 and f"**{page + 1}.**" in said
        pages = [button.label for row in content.rows for button in row if isinstance(button, Button)]
        assert pages == [str(at + 1) for at in range(len(moments)) if moments[1:]]
    none = await review_message(messages, match, Person(ANN, "P0", locale=locale), seat, ())
    assert found["review.none"] in "\n".join(part for part in none.parts if isinstance(part, str))


async def test_of_a_played_move_no_facts_are_told_twice_nor_those_of_a_turn_that_may_have_gone_on_otherwise(
    service: MatchService, messages: Presenter
) -> None:
    match = await begun(service, *PEOPLE[:2], game="photosynthesis")
    known, why = service.state(match), (Reason("soil", 1.0, 6.0),)
    seat = min(known.to_move())
    first, second, third = known.legal_moves(seat)[:3]
    told = []
    for turn, reasons in (((second,), ()), ((second, third), ()), ((second,), why)):
        best, played = Advised((first,), {}, 0.0, EQUAL, reasons), Advised(turn, {}, 9.0, WORSE, why)
        moments = (Moment(1, known, (best,), played),)
        content = await review_message(messages, match, Person(ANN, "P0", locale="en"), seat, moments)
        told.append(
            "".join(part for part in content.parts if isinstance(part, str)).count("you plant or grow, in leaves: 6")
        )
    assert told == [1, 0, 1]


async def test_a_review_says_what_the_hint_of_that_decision_said(
    service: MatchService, messages: Presenter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although others have sealed between the hint and the move. Its reasons speak against the played move."""

    def without_reasons(match: Match, state: AnyState, advice: Sequence[Advised[Move]], labels: Labels) -> list[str]:
        return ranked(match.game, state, [replace(advised, reasons=()) for advised in advice], labels)

    for module, name, value in (
        (coach, "SURE", coach.CERTAIN),
        (coach, "MUCH", 0),
        (coaching_module, "MOST_MOMENTS", 24),
    ):
        monkeypatch.setattr(module, name, value)
    coaching, match, hinted = Coaching(service), await begun(service, *PEOPLE[:4], game="siege_of_sunfall"), {}
    labels, seat = messages.labels(match, "en"), Seat(match.seat_of(ANN) or 0)
    for _ in range(16):
        asked, number = sorted(service.state(match).to_move()), match.moves
        if seat in asked and len(service.state(match).legal_moves(seat)) > 1:
            _, _, advice = await coaching.hint(match.id, ANN)
            number += sum(other > seat for other in asked)
            hinted[number] = without_reasons(match, service.state(match), advice, labels)
        for other in reversed(asked):
            moves = service.state(match).legal_moves(other)
            move = str(moves[min(6 if other == seat else 2, len(moves) - 1)])
            match = (await service.play(match.id, match.chairs[other].player, None, move)).match
    match = await Lobby(service).cancel(match.id, ANN, manager=True)
    _, _, moments = await coaching.review(match.id, ANN)
    for moment in moments:
        heading, *best = without_reasons(match, moment.known, moment.best, labels)
        assert {*best} <= {*hinted[moment.number]}, (best, hinted[moment.number])
        assert heading == hinted[moment.number][0] or not best[1:], "the heading of a mixture"
    assert any(len(moment.best) > 1 for moment in moments), "one mixture at least"


def test_a_mistake_is_found_and_a_good_move_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rulebook's "Bad Idea", as the first lesson of Sea Change has it: an 8 on an 8."""
    monkeypatch.setattr(coach, "SEARCHED", 320)
    monkeypatch.setattr(coach, "REPEATED", 80)
    moment = next(m for m in as_advised("sea_change") if m.at.step is not None and m.at.step.key == "bad_idea")
    game, seat = GAMES["sea_change"], LESSONS["sea_change"].seat
    found = better(game, moment.state, seat, "seed", game.parse(seat, "play B8"))
    assert [str(told.move) for told in found][1:] == ["play B8"] and found[1].behind > 0
    assert better(game, moment.state, seat, "seed", found[0].move) == ()


@pytest.mark.games("slug", short=["sea_change"], long=GAMES)
async def test_a_worker_thinks_as_this_process_does(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, real = GAMES[slug], {"SEARCHED": 800, "LOOKED_AT": 160, "REPEATED": 160}
    for name, value in real.items():  # as in a worker, which the test does not patch
        monkeypatch.setattr(coach, name, value)
    state = game.new(nearest_seats(game, 3), {}, "pool")
    seat = min(state.to_move())
    known = state.redeal_unseen(seat, "luck")
    made = known.legal_moves(seat)[-1]
    pool = Pool(1)
    try:
        found = await PoolThinker(pool).better(game, known, seat, "seed", made)
        assert list(found) == list(await ThreadThinker().better(game, known, seat, "seed", made))
    finally:
        await pool.close()


async def test_without_advice_a_hint_is_refused_and_a_review_goes_on(service: MatchService) -> None:
    """Without advice a hint is refused, and a review leaves the decision out."""

    class Tired(Critic):
        async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> tuple[Advised[Any], ...]:
            return ()

        async def better(
            self, game: AnyGame, known: AnyState, seat: Seat, seed: str, played: Move
        ) -> tuple[Advised[Any], ...]:
            return ()

    coaching = Coaching(service, Tired())
    match = await played(service, "sea_change", "short", 3)
    assert (await coaching.review(match.id, ANN))[2] == ()
    running = await begun(service, ANN, computers=1, channel=11)
    while Seat(running.seat_of(ANN) or 0) not in service.state(running).to_move():
        made = await AutomaticMoves(service).play(running.id)
        running = made.match
    assert await refusal(coaching.hint(running.id, ANN)) == "no_advice"


async def test_the_end_offers_it_and_only_the_player_sees_it(sim: Simulation, tide: Table) -> None:
    coached_by(sim.app.coaching, Critic())
    await stopped(sim, 6)
    end = sim.board()
    assert "1/1/review//" in controls(raw(end))
    before = json.dumps(raw(end))
    shown = await sim.press(tide.people[0], end, "Review")
    assert texts("en")["review.some"] in sim.said(shown) and "**1.**" in sim.said(shown)
    turned = await sim.press(tide.people[0], shown.response, "1/1/review//1")
    assert "**2.**" in json.dumps(raw(shown.response.message)), (sim.said(turned), "in the same message")
    assert json.dumps(raw(sim.board())) == before
    (stranger,) = sim.join_server("carol")
    assert texts("en")["refused.not_at_end"] in sim.said(await sim.press(stranger, end, "Review"))
