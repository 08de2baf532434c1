"""Hints say what a player can believe: what ranks is what is shown, and every move has a reason. Seeds are printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, cycle
from operator import gt, lt, mul
from random import Random
from typing import Any

import pytest

from data.content.texts import texts
from rules import GAMES, LESSONS
from rules.core import coach
from rules.core.coach import EQUAL, LITTLE, MUCH, SHARE, WORSE, Advised, advise, better, compare, ranking
from rules.core.game import AnyState, Game, Playout, Seat
from rules.core.telling import ALONE, NEAR, NOTHING_TELLS, TELLING, Reason
from tests.rules.test_lessons import as_advised
from tests.support.published import PUBLISHED

COUNTS = [pytest.param(24, id="some"), pytest.param(300, id="many", marks=pytest.mark.long)]
"""How many positions of a game are looked at."""


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "SEARCHED", 40)
    monkeypatch.setattr(coach, "LOOKED_AT", 40)
    monkeypatch.setattr(coach, "REPEATED", 10)


@pytest.fixture
def searched_once(hasty: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint and a review search the same position alike: once is enough."""
    search, last = coach.foreseen, dict[Any, Any]()

    def foreseen(game: Game, state: AnyState, seat: Seat, seed: str, playouts: int) -> Any:
        asked = state, seat, seed, playouts
        if asked not in last:
            last.clear()
            last[asked] = search(game, state, seat, seed, playouts)
        return dict(last[asked])

    monkeypatch.setattr(coach, "foreseen", foreseen)


def decisions(game: Game, seed: str, count: int, seats: int | None = None) -> Iterator[tuple[AnyState, Seat]]:
    """Yield positions of matches that are played by rules of thumb, each with a seat that has a choice in it."""
    print(f"seed {seed!r}")
    random = Random(seed)
    while count > 0:
        state = game.new(seats or random.choice(game.seats), {}, f"{seed} {count}")
        while state.to_move():
            asked = [seat for seat in sorted(state.to_move()) if len(state.legal_moves(seat)) > 1]
            if asked and random.random() < 0.05 and count > 0:
                count -= 1
                yield state, random.choice(asked)
            seat = random.choice(sorted(state.to_move()))
            state, _ = state.apply(game.rollout_move(state, seat, random.getrandbits(32)))


def shown(game: Game, advised: Advised[Any]) -> dict[str, int]:
    """The figures as a hint writes them: chances in hundredths, other numbers in tenths."""
    return {key: round((10 if key in game.amounts else 100) * figure) for key, figure in advised.outlook.items()}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.games("slug", short=["full_circle", "sea_change"], long=PUBLISHED)
def test_hints_and_reviews_say_what_ranks_and_what_tells_moves_apart(
    slug: str, count: int, searched_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, facts, seen, told = GAMES[slug], dict[Any, Mapping[str, Reason]](), set[str](), 0
    plainly = coach.Compared.reasons

    def noted(tried: Any) -> Mapping[str, Reason]:
        facts[tried.turn[0]] = plainly(tried)
        return facts[tried.turn[0]]

    monkeypatch.setattr(coach.Compared, "reasons", noted)
    for number, (state, seat) in enumerate(decisions(game, f"hints {slug}", count)):
        found = advise(game, state, seat, f"hint {number}")
        ends = [game.carry_out(state, advised.move) for advised in found]
        assert len({game.likeness(state, advised.move) for advised in found}) == len(found)
        assert all(one != other for one, other in combinations(ends, 2)), "one turn is advised in two orders"
        check_that_what_is_shown_ranks(game, number, found)
        seen |= check_that_what_is_told_is_true(game, number, found, facts)
        if not number % 8:
            assert found == advise(game, state.redeal_unseen(seat, "another"), seat, f"hint {number}")
        moves = state.legal_moves(seat)
        if found := better(game, state, seat, f"hint {number}", moves[number % len(moves)]):
            told += 1
            check_that_a_review_tells_what_is_much_better_at_first_sight(game, number, found)
    assert "otherwise" in seen and (told or count < 100)


def check_that_what_is_shown_ranks(game: Game, number: int, found: Sequence[Advised[Any]]) -> None:
    words, ranks = texts("en", game.slug), ranking(game, found)
    verdicts = [advised.verdict for advised in found]
    mixed = [advised for advised in found if SHARE in advised.outlook]
    assert mixed == list(found[: len(mixed)]) and len(mixed) != 1
    shares = [round(10 * advised.outlook[SHARE], 6) for advised in mixed]
    assert sum(shares) in (0, 10) and {share % 1 for share in shares} <= {0}
    figures = [[shown(game, advised)[key] for key in ranks] for advised in found]
    whole = [sum(map(mul, shares, column)) / 10 for column in zip(*figures[: len(mixed)], strict=True)]
    figures[: len(mixed)] = [whole] * len(mixed)  # those of a mixture are told once
    for upper, lower in combinations(figures, 2):
        assert upper[0] >= lower[0] and (upper == lower or any(map(gt, upper, lower))), (number, figures)
    for advised, told in zip(found, figures, strict=True):
        if advised.verdict == WORSE and verdicts.count(WORSE) == 1:
            apart = next(one - own for one, own in zip(figures[0], told, strict=True) if one != own)
            assert mixed or apart > NEAR, ("nothing that is told says that it is surely worse", number, figures)
        same = [other for other, figures_ in zip(verdicts, figures, strict=True) if figures_ == told]
        assert {*same} == {advised.verdict}, ("what looks the same is as good", number, figures)
        if advised.verdict == EQUAL and not mixed:
            assert all(abs(own - one) <= NEAR for one, own in zip(figures[0], told, strict=True)), (number, figures)
        explains = advised.verdict == EQUAL and (not found[1:] or (WORSE in verdicts and not ranks[1:]))
        assert explains <= len(advised.reasons) <= 1, (number, advised)
        assert all({f"hint.why.{reason.key}", f"hint.{reason.key}"} & words.keys() for reason in advised.reasons)
        assert all(f"hint.{key}" in words for key in advised.outlook)


def check_that_what_is_told_is_true(
    game: Game, number: int, found: Sequence[Advised[Any]], facts: Mapping[Any, Mapping[str, Reason]]
) -> set[str]:
    """A fact is compared with that of a move that is shown and not as good, one and the same for all facts of a move;
    no move that is shown is better in what speaks for another, and what speaks against that move does not come about
    with the move itself. No trick that costs points is a reason to take it, and nothing that is rare is one.
    """
    seen = set()
    worse = [advised for advised in found if advised.verdict != EQUAL]
    assert all(game.leanings.get(why.key, 0) * why.number <= 0 for one in worse for why in one.reasons), (number, worse)
    for advised in [advised for advised in found if advised.verdict == EQUAL]:
        others = [facts[other.move] for other in found if other is not advised]
        assert len({reason.beside for reason in advised.reasons if reason.beside}) <= 1, (number, advised)
        for reason in [reason for reason in advised.reasons if reason.key not in (ALONE, NOTHING_TELLS)]:
            where = number, advised, others
            if reason.key in advised.outlook:
                own_, otherwise = (
                    (reason.number, reason.number_otherwise) if reason.key in game.amounts else reason[1:4:2]
                )
                assert own_ > otherwise and reason.beside == worse[0].turn, where
                continue
            leaning = game.leanings.get(reason.key, 0)
            own = facts[advised.move].get(reason.key)
            if reason.instead:
                assert reason.beside in [one.turn for one in worse], where
                assert own is None or own.share < TELLING, where
                continue
            assert own
            if leaning > 0 and own.number < 0:
                assert reason.number_otherwise < own.number or reason.share_otherwise > own.share, where
            assert max(own.share, reason.share_otherwise) >= TELLING, where
            if reason.share_otherwise:
                seen.add("otherwise")
                assert reason.beside in [one.turn for one in worse], where
                beside = facts[reason.beside[0]][reason.key]
                assert reason.share_otherwise in (beside.share, own.share), where
                assert reason.number_otherwise in (beside.number, own.number), where
            elif worse:
                beside_ = facts[worse[0].move].get(reason.key)
                assert beside_ is None or beside_.share <= own.share + NEAR / 100, where
            named = [facts[reason.beside[0]]] if reason.beside else others
            numbers = [facts_[reason.key].number for facts_ in named if reason.key in facts_]
            shares = [facts_[reason.key].share for facts_ in named if reason.key in facts_]
            if reason.key in game.amounts:
                assert all(leaning * (one - own.number) < 0.5 for one in numbers), where
            elif own.number == 1 and {*numbers} <= {1.0} and leaning >= 0:
                assert all(share - own.share <= NEAR / 100 + 1e-9 for share in shares), where
    return seen


def check_that_a_review_tells_what_is_much_better_at_first_sight(
    game: Game, number: int, found: Sequence[Advised[Any]]
) -> None:
    *best, lower = [shown(game, advised) for advised in found]
    first = next(iter(lower))
    assert all(upper[first] - lower[first] >= MUCH - 1 for upper in best), (number, found)  # they are rounded


Told = dict[str, float]
Facts = Mapping[str, float | Iterator[float]]
"""The number of each; or those of one playout after the other, 0 in which it does not come about."""


def compared(
    *moves: tuple[Told, Facts], leanings: Mapping[str, int] | None = None, best_first: bool = False
) -> list[Advised[Any]]:
    """Compare the first moves of a match, each of which always brings these figures and these facts."""

    def reasons(playout: Playout[Any], move: Any) -> Told:
        facts = {key: fact if isinstance(fact, float) else next(fact) for key, fact in told[move][1].items()}
        return {key: number for key, number in facts.items() if number}

    base = GAMES["sea_change"]
    state = base.new(3, {}, "compared")
    seat = min(state.to_move())
    legal = state.legal_moves(seat)
    told = dict(zip(legal, moves, strict=False))
    game = replace(
        base,
        outlook=lambda playout, move: told[move][0],
        reasons=reasons,
        amounts=frozenset({"armies", "left", "left_B", "left_R"}),
        leanings=leanings or {},
    )
    found = compare(game, state, seat, "seed", legal[: len(moves)])
    return [*found] if best_first else sorted(found, key=lambda advised: legal.index(advised.move))


@pytest.mark.parametrize(
    ("best", "other", "verdict"),
    [
        ({"win": 0.4, "armies": 2.0}, {"win": 0.2, "armies": 2.0}, WORSE),
        ({"win": 0.4, "armies": 2.0}, {"win": 0.39, "armies": 3.0}, LITTLE),
        ({"win": 0.0, "armies": 2.0}, {"win": 0.0, "armies": 0.0}, WORSE),
        ({"win": 0.4, "armies": 2.0}, {"win": 0.4, "armies": 2.0}, EQUAL),
    ],
)
def test_the_first_figure_that_looks_different_decides(best: Told, other: Told, verdict: int) -> None:
    assert [advised.verdict for advised in compared((best, {}), (other, {}))] == [EQUAL, verdict]


def test_equally_good_moves_are_told_by_what_a_worse_one_lacks() -> None:
    good = {"trick_lost": 1.0, "end": 1.0}
    *equal, worse = compared(({"win": 0.5}, good), ({"win": 0.5}, good), ({"win": 0.2}, {"trick_lost": 1.0}))
    assert [[reason.key for reason in advised.reasons] for advised in equal] == [["end"], ["end"]]
    assert worse.reasons == (), "the trick is lost with all of them"


def test_of_a_fact_that_is_told_without_how_often_its_number_tells() -> None:
    """Of the points that are left in hand a hint does not say how often they are left."""
    for number, expected in ((10.0, "fits"), (13.0, "left")):
        sometimes = {"left": cycle([10.0, 0.0]), "fits": cycle([1.0, 0.0, 0.0, 0.0])}
        (told, _) = compared(({"win": 0.5}, sometimes), ({"win": 0.2}, {"left": number}), leanings={"left": -1})
        assert [reason.key for reason in told.reasons] == [expected]


def test_if_no_fact_tells_a_move_apart_it_is_one_that_is_not_certain_for_all() -> None:
    for lost, expected in ((1.0, [NOTHING_TELLS]), (cycle([1.0, 0.0]), ["trick_lost"])):
        (told, _) = compared(({"win": 0.5}, {"trick_lost": lost}), ({"win": 0.2}, {"trick_lost": lost}))
        assert [reason.key for reason in told.reasons] == expected
    often = {"trick_lost": cycle([1.0, 1.0, 0.0]), "end": cycle([1.0, 0.0])}
    (told, _) = compared(({"win": 0.5}, often), ({"win": 0.2}, often), leanings={"end": 0})
    assert [reason.key for reason in told.reasons] == ["end"], "the game had rather tell it"


def test_what_no_other_move_has_is_told_of_a_good_one_and_that_it_is_the_only_one() -> None:
    told = compared(({"win": 0.5}, {"left": 4.0}), ({"win": 0.2}, {}), leanings={"left": 1})
    assert [[reason.key for reason in advised.reasons] for advised in told] == [["left"], []]
    (told_alone,) = compared(({"win": 0.5}, {"left": 4.0}))
    assert [reason.key for reason in told_alone.reasons] == [ALONE]


def test_what_speaks_for_a_move_is_told_before_what_merely_happens() -> None:
    good = {"trick_won": cycle([1.0, 0.0]), "fits": 1.0}
    (told, _) = compared(({"win": 0.5}, good), ({"win": 0.2}, {"fits": cycle([1.0, 0.0])}), leanings={"fits": 1})
    assert [reason.key for reason in told.reasons] == ["fits"]


def test_a_chance_that_all_playouts_agree_on_is_not_told_as_certain() -> None:
    """Unless the turn itself settles it: the last card of a round that leaves a hand empty wins it."""
    (told, _) = compared(({"win": 1.0}, {}), ({"win": 0.5}, {}))
    assert told.outlook["win"] < 0.995
    game, settled = GAMES["full_circle"], 0
    for number, (state, seat) in enumerate(decisions(game, "settled", 200, 2)):
        out = [move for move in state.legal_moves(seat) if state.apply(move)[0].round.number > state.round.number]
        for told in compare(game, state, seat, f"settled {number}", out):
            assert told.outlook["round"] == 1
            settled += 1
    assert settled


@pytest.mark.parametrize("win", [0.0, 0.5])
def test_of_moves_that_look_the_same_the_one_with_better_facts_stands_first(win: float) -> None:
    moves = [({"win": win}, {"left": left, "fits": fits}) for left, fits in ((14.0, 0.0), (10.0, 0.0), (10.0, 1.0))]
    told = compared(*moves, leanings=LEANINGS, best_first=True)
    first, *_ = compared(*moves, leanings=LEANINGS)
    assert told[-1] == first and {advised.verdict for advised in told} == {EQUAL}
    assert [reason.key for reason in told[0].reasons] == ["fits"]


def test_what_another_move_has_as_much_of_is_no_reason() -> None:
    """Of facts of which only the number counts those of a kind are compared: to make another colour trump is as good if
    as many cards of it are left.
    """
    for other, expected in (("left_R", [NOTHING_TELLS]), ("left_B", ["left_B"])):
        told = compared(({"win": 0.5}, {"left_B": 2.0}), ({"win": 0.2}, {other: 2.0 - (other == "left_B")}))
        assert [reason.key for reason in told[0].reasons] == expected
    merely = {"trick_lost": 1.0}
    told = compared(({"win": 0.5}, merely), ({"win": 0.5}, merely), ({"win": 0.5}, {"trick_won": 1.0}))
    assert [[reason.key for reason in one.reasons] for one in told] == [[], [], ["trick_won"]]
    told = compared(({"win": 0.5}, {"left_B": 1.0}), ({"win": 0.2}, {}))
    assert [reason.key for reason in told[0].reasons] == [NOTHING_TELLS]
    for number, expected in ((1.0, [NOTHING_TELLS]), (2.0, ["armies"])):
        told = compared(({"win": 0.5}, {"armies": number}), ({"win": 0.2}, {}), leanings={"armies": 1})
        assert [reason.key for reason in told[0].reasons] == expected, "the least that there is says nothing alone"
    fewer = compared(({"win": 0.5}, {"left": 10.0}), ({"win": 0.5}, {"left": 14.0}), leanings={"left": -1})
    assert {one.reasons for one in fewer} == {()}, "that it is less than another would not be told"
    told = compared(({"win": 0.5}, {"trick": -0.5}), ({"win": 0.5}, {}), leanings={"trick": 1})
    assert not told[0].reasons, "a trick that costs points"


LEANINGS = {"fits": 1, "stuck": -1, "left": -1, "trick": 1}


@pytest.mark.parametrize(
    ("good", "bad", "expected", "against"),
    [
        ({"fits": 1.0}, {"stuck": 1.0}, ["fits"], ["stuck"]),
        ({"left": 10.0}, {"left": 14.0, "fits": 1.0}, ["left"], ["left"]),
        ({"left": 14.0, "stuck": 1.0}, {"left": 10.0, "fits": 1.0}, [NOTHING_TELLS], []),
        ({"fits": 1.0}, {"fits": 1.0}, [NOTHING_TELLS], []),
        ({"same": 1.0}, {"same": 1.0, "stuck": 1.0}, ["stuck"], ["stuck"]),
        ({"trick": -1.0, "same": 1.0}, {"trick": -3.0, "same": 1.0}, ["trick"], ["trick"]),
        ({"stuck": cycle([1.0, 0.0])}, {"stuck": 1.0}, ["stuck"], ["stuck"]),
        ({"trick": 2.0, "same": 1.0}, {"trick": 1.0, "same": 1.0}, ["trick"], []),
    ],
)
def test_a_reason_speaks_for_a_good_move_and_against_a_bad_one(
    good: Facts, bad: Facts, expected: list[str], against: list[str]
) -> None:
    """If little speaks for it, what speaks against the other stands there; if only figures do, the hint says so."""
    told = compared(({"win": 0.5}, good), ({"win": 0.2}, bad), leanings=LEANINGS)
    assert [[reason.key for reason in advised.reasons] for advised in told] == [expected, against]
    for reason in told[0].reasons:
        assert reason.instead == (reason.key in bad and reason.key not in good)
        assert reason.instead or reason.key not in bad or reason.share_otherwise, "what both have is told of both"


def test_that_a_costly_trick_is_taken_less_often_is_told_with_how_often_it_is_otherwise() -> None:
    seldom, often = {"trick": cycle([-9.0] + [0.0] * 9)}, {"trick": cycle([-9.0, 0.0])}
    told, _ = compared(({"win": 0.5}, seldom), ({"win": 0.2}, often), leanings=LEANINGS)
    assert [reason._replace(beside=()) for reason in told.reasons] == [Reason("trick", 0.1, -9.0, 0.5, -9.0)]


def test_a_reason_tells_a_move_apart_from_the_next_best_one() -> None:
    """Or, if that one has all that speaks for it too, by a number from the one after that, which is named then."""
    good, bad, worst = {"left": 10.0, "fits": 1.0}, {"left": 14.0, "fits": 1.0}, {"left": 10.0}
    for moves, expected in (
        ((good, bad, worst), Reason("left", 1.0, 10.0, 1.0, 14.0)),
        ((good, good, good), Reason(NOTHING_TELLS, 1.0, 1.0)),
        ((good, good, worst), Reason(NOTHING_TELLS, 1.0, 1.0)),
        ((good, good, bad), Reason("left", 1.0, 10.0, 1.0, 14.0)),
        ((good, worst, bad), Reason("fits", 1.0, 1.0)),
    ):
        figures = ({"win": 0.5}, {"win": 0.3}, {"win": 0.2})
        told, *_ = compared(*zip(figures, moves, strict=True), leanings=LEANINGS)
        assert [reason._replace(beside=()) for reason in told.reasons] == [expected]


def test_beside_moves_that_are_as_good_a_fact_is_told_of_those_that_have_most_of_it() -> None:
    """And without an "otherwise", as this would say that another one is not as good."""
    for numbers, most in (((4.0, 2.0, 1.0), 1), ((4.0, 4.0, 1.0), 2), ((4.0, 4.0, 4.0), 0)):
        told = compared(*[({"win": 0.5}, {"armies": number}) for number in numbers], leanings={"armies": 1})
        assert [advised.reasons for advised in told] == [(Reason("armies", 1.0, 4.0),)] * most + [()] * (3 - most)


def test_a_move_that_nothing_compares_with_says_what_speaks_for_it() -> None:
    """Not what speaks against it. Beside others that are alike, this would be no reason."""
    for moves, expected in ((1, (Reason("fits", 1.0, 1.0),)), (2, ())):
        told = compared(*[({"win": 0.5}, {"stuck": 1.0, "fits": 1.0})] * moves, leanings=LEANINGS)
        assert {advised.reasons for advised in told} == {expected}


@pytest.mark.parametrize("count", [pytest.param(24, id="some"), pytest.param(120, id="many", marks=pytest.mark.long)])
def test_moves_that_are_mixed_look_so(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each says what speaks for it, also the one that wins a little less often. None looks worse than another that is
    made less often, none is made rarely, and what looks like them is not called worse.
    """
    monkeypatch.setattr(coach, "SEARCHED", 200)
    monkeypatch.setattr(coach, "REPEATED", 40)
    game = GAMES["siege_of_sunfall"]
    against = {key for key, leaning in game.leanings.items() if leaning < 0}
    mixtures = 0
    for number, (state, seat) in enumerate(decisions(game, "mixed", count)):
        found = advise(game, state, seat, f"mixed {number}")
        mixed = [advised for advised in found if SHARE in advised.outlook]
        mixtures += len(mixed) > 1
        for reason in [reason for advised in mixed for reason in advised.reasons if reason.key in against]:
            assert reason.instead or reason.share < reason.share_otherwise or reason.number < reason.number_otherwise
        looks = [[*shown(game, advised).values()][1:] for advised in mixed]
        for one, other in combinations(looks, 2):
            assert other[0] < one[0] or sum(map(gt, other, one)) <= sum(map(lt, other, one)), (number, looks)
        assert all(advised.outlook[SHARE] >= coach.RARELY for advised in mixed)
        assert not [one for one in found[len(mixed) :] if [*shown(game, one).values()] in looks]
    assert mixtures


def test_what_pledging_nothing_would_bring_is_told_too() -> None:
    """Unless it looks as good as what is mixed."""
    game, told = GAMES["siege_of_sunfall"], 0
    for number, (state, seat) in enumerate(decisions(game, "least", 24)):
        found = advise(game, state, seat, f"least {number}")
        least = state.legal_moves(seat)[0]
        listed = least in [advised.move for advised in found]
        assert listed or len(state.to_move()) == 1 or SHARE in found[0].outlook
        told += listed and found[0].move != least
    assert told


def test_who_has_sealed_changes_no_advice() -> None:
    game = GAMES["siege_of_sunfall"]
    state = game.new(4, {}, "sealed")
    first = advise(game, state, Seat(1), "seed")
    for other, coins in ((3, 12), (0, 0), (2, 5)):
        state, _ = state.apply(game.parse(Seat(other), f"pledge {coins}"))
        assert advise(game, state, Seat(1), "seed") == first


@pytest.mark.parametrize("slug", PUBLISHED)
def test_a_hint_names_the_turn_that_computers_make(slug: str) -> None:
    game = GAMES[slug]
    for state, seat in decisions(game, f"turns {slug}", 12):
        for move in game.candidates(state, seat):
            after = state
            for made in (turn := game.turn(state, move)):
                assert made in after.legal_moves(seat)
                after, _ = after.apply(made)
            assert turn[0] == move
            assert after.view(None) == game.carry_out(state, move).view(None)


@pytest.mark.parametrize(
    ("slug", "step", "move", "expected"),
    [
        ("sea_change", "bad_idea", "play B8", "trick_won"),
        ("full_sun", "third", "play L7", "end_S"),
        ("full_circle", "trapped", "play W:Y TL", "extra_double"),
        ("full_circle", "set_trap", "play OR BR", "trap"),
        ("siege_of_sunfall", "award", "award 0", "card_won"),
        ("siege_of_sunfall", "siege_end", "pledge 0", "wall_out"),
        ("photosynthesis", "grow", "grow D1", "ahead"),
    ],
)
def test_why_is_what_a_player_sees(
    slug: str, step: str, move: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In situations of the first lessons, beside the move that these advise or another one."""
    monkeypatch.setattr(coach, "REPEATED", 160)
    game, moment = GAMES[slug], next(m for m in as_advised(slug) if m.at.step is not None and m.at.step.key == step)
    seat = LESSONS[slug].seat
    own = game.parse(seat, move)
    other = next(m for m in (moment.at.advised, *reversed(moment.state.legal_moves(seat))) if m != own)
    found = compare(game, moment.state, seat, "seed", [own, other])
    told = next(advised for advised in found if advised.move == own)
    assert [reason.key for reason in told.reasons] == [expected], told.reasons
