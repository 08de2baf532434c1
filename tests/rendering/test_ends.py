"""Pictures of the end, and the chart of scores, say who won and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from PIL import ImageStat

from data.content.texts import languages, texts
from rendering import renderer
from rendering.core import chrome, lettering, profile, race, result, theme
from rendering.core.art import toned
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import VICTORY, victory
from rendering.core.discs import COLOURS, disc, first_fit
from rendering.core.labels import Labels
from rendering.core.paper import balanced, wrapped
from rendering.core.result import BESIDE, chart_titles
from rendering.core.score_chart import Chart, drawn, spread
from rendering.core.story import Honour, Place, Story, describe_round, places
from rendering.photosynthesis import forest
from rendering.photosynthesis.trees import thing
from rules import GAMES
from rules.core.game import Event, chosen_options
from rules.photosynthesis.types import Collected, SunMoved
from tests.goldens.case import labels as people
from tests.goldens.views_photosynthesis import VIEWS as FORESTS
from tests.rendering.play import LONG, STRANGE, game, labels
from tests.support.pixels import lettering_of
from tests.support.published import PUBLISHED

# The end


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("names", [(), LONG, STRANGE], ids=["usual", "long", "strange"])
@pytest.mark.parametrize("slug", PUBLISHED)
def test_the_title_of_a_match_that_is_over_says_who_won(
    slug: str, names: tuple[str, ...], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the largest text but for figures and ribbons, at the top, whole, and nothing else repeats it."""
    lines: list[tuple[str, float, int]] = []
    text = Page.text

    def noted(
        page: Page, x: float, y: float, said: str, size: int, ink: Any, width: int, anchor: str = "lm",
        face: str = lettering.TEXT, *halo: Any, **more: Any,
    ) -> int:  # fmt: skip
        lines.append((said, y, size))
        assert y > 60 or lettering.shorten(said, size, width, face) == lettering.drawable(said), said
        return text(page, x, y, said, size, ink, width, anchor, face, *halo, **more)

    monkeypatch.setattr(Page, "text", noted)
    for seats in (min(GAMES[slug].seats), max(GAMES[slug].seats)):
        states, _ = game(slug, seats, "who won")
        view = states[-1].view(None)
        assert view.outcome is not None
        found = labels(slug, seats, names, language)
        lines.clear()
        renderer(slug).paint(view, found)
        wins = "wins!" if language == "en" else "gewinnt!"
        (title,) = [line for line in lines if line[0].endswith((wins, wins.replace("wins", "win"), "gewinnen!"))]
        said, y, size = title
        assert y < 60 and size >= VICTORY[1]
        won = sorted(view.outcome.winners) or [1]
        assert names or all(found.name(seat).split()[0] in said for seat in won)


@pytest.mark.parametrize("names", [(), LONG, STRANGE], ids=["usual", "long", "strange"])
def test_the_title_fits_with_any_winners(names: tuple[str, ...]) -> None:
    winners = ((), (1,), (0, 2), (0, 1, 2, 3), range(8))
    for won, team, width in product(winners, ("", "Team A"), (430, 520, 1140)):
        text, size = victory(labels("sea_change", 8, names), won, width, team if len(won) > 1 else "")
        assert lettering.width(text, size) <= width, text
        assert VICTORY[1] <= size <= VICTORY[0], text
        assert any(word in text for word in ("win!", "wins!", "wins.", "A shared win")), text


@pytest.mark.parametrize("count", range(1, 5))
@pytest.mark.parametrize("slug", GAMES)
def test_a_result_says_that_they_won_however_long_their_names_are(slug: str, count: int) -> None:
    shown = tuple(Place((seat,), 1, seat < count, "3 points", (0, 3)) for seat in range(4))
    page = renderer(slug).paint_result(Story(shown, "", (), "1 round"), labels(slug, 4, LONG))
    said = [words.args[0] for stroke in page.strokes if (words := lettering_of(stroke.what)) is not None]
    assert any(line.endswith(" wins!" if count == 1 else " win!") for line in said), said


@pytest.mark.parametrize("winner", range(4))
def test_a_winner_s_crown_hides_no_words(winner: int) -> None:
    """It lies on the page as a whole."""
    view = FORESTS["table_4_over"]
    view = view._replace(outcome=replace(view.outcome, winners=frozenset({winner})))
    page = renderer("photosynthesis").paint(view, people("photosynthesis", 4))
    (crown,) = [stroke for stroke in page.strokes if stroke.what is chrome.crown(56)]
    assert crown.top >= 0
    for stroke in page.strokes:
        if (words := lettering_of(stroke.what)) is not None:
            box = words().getbbox()
            assert box is not None
            left, top, right, foot = (at + (stroke.left, stroke.top)[side % 2] for side, at in enumerate(box))
            assert left >= crown.right or right <= crown.left or top >= crown.bottom or foot <= crown.top


@pytest.mark.parametrize("language, parts", [("en", ("57 from trees", "+2 light")), ("de", ("57 geerntet",))])
@pytest.mark.parametrize("tie", [False, True])
def test_the_stalls_of_a_forest_that_is_over_say_what_brought_the_points(
    tie: bool, language: str, parts: tuple[str, ...], written: list[str]
) -> None:
    """The pieces on the board stand there, in place of the light, if they decided."""
    view = FORESTS["table_4_over"]
    assert view.outcome is not None
    if tie:
        view = view._replace(outcome=replace(view.outcome, reason="pieces"))
    renderer("photosynthesis").paint(view, labels("photosynthesis", 4, language=language))
    assert set(parts[:1] if tie else parts) <= set(written)
    found = labels("photosynthesis", 4, language=language)
    assert tie == ({found.count("pieces", number) for number in view.on_board} <= set(written))


def test_an_empty_pile_is_a_dark_slice_with_its_leaves_and_a_nought(written: list[str]) -> None:
    view = FORESTS["table_4_over"]
    page = renderer("photosynthesis").paint(view, people("photosynthesis", 4))
    gone = [leaves for leaves, tokens in enumerate(view.piles, 1) if not tokens]
    assert gone == [2, 3, 4]
    assert written.count("0") == len(gone)
    looks = set()
    for leaves in gone:
        face = thing(f"token_{leaves}", forest.PILE)
        place = toned(face, forest.EMPTY)
        assert any(stroke.what is place for stroke in page.strokes)
        assert ImageStat.Stat(place.image.convert("L")).mean[0] < 0.6 * ImageStat.Stat(face.image.convert("L")).mean[0]
        looks.add(place.image.tobytes())
    assert len(looks) == len(gone)


# The chart of scores


def test_lines_of_equal_scores_are_all_seen() -> None:
    courses = tuple((colour, (0, 0, 0, 2, 2)) for colour in COLOURS)
    chart = Chart(560, 284, courses)
    seen = {colour for _, colour in drawn(chart).image.getcolors(560 * 284) or []}
    assert set(COLOURS) <= seen


def test_lines_lie_at_their_scores_side_by_side() -> None:
    """Those of equal scores are four pixels apart, so that all eight are seen."""
    courses = tuple((colour, (0, at // 3, 2)) for at, colour in enumerate(COLOURS))
    chart = Chart(560, 284, courses)
    for (_, course), line in zip(courses, chart.lines, strict=True):
        assert all(abs(y - chart.line_of(value)) <= 14 for (_, y), value in zip(line, course, strict=True))


SCORES = [(3, 2, 2, 1), (3, 2, 1, 0), (3, 0, 0, 0, 0, 0), (3, 2, 1, 1, 1, 0), (3,) * 5, (3, 3, 2, 2, 1)]


@pytest.mark.parametrize("scores", SCORES)
def test_who_shares_a_place_stands_together(scores: tuple[int, ...]) -> None:
    won = [at for at, score in enumerate(scores) if score == 3]
    shown = places(people("sea_change", 8), "points", scores, [scores], won)
    steps = result.steps_of(shown)
    on_steps = [place for step in steps for place in step]
    assert len(steps) <= (4 if len(scores) < 5 else 3) and on_steps == list(shown[: len(on_steps)])
    assert len(scores) > 4 or on_steps == list(shown), "four stand side by side"
    assert on_steps[-1].rank not in [place.rank for place in shown[len(on_steps) :]]
    assert len({step[0].rank for step in steps}) == len(steps), "a tie shares a step"
    assert all(len({place.rank for place in step}) == 1 for step in steps)


@pytest.mark.parametrize("count", range(2, 9))
@pytest.mark.parametrize("slug", GAMES)
def test_a_result_s_coins_and_discs_lie_on_the_page(slug: str, count: int) -> None:
    """However many stand in a row, and share a rank there."""
    count, found = min(count, max(GAMES[slug].seats)), labels(slug, 8)
    small = {chrome.rank_of(rank) for rank in range(1, 9)}
    discs = {disc(renderer(slug).coloured(found), seat, size) for seat in range(count) for size in range(40, 130)}
    for ranks in ([1] + [2] * (count - 1), [*range(1, count + 1)], [1, *(2 + at // 2 for at in range(count - 1))]):
        shown = tuple(Place((seat,), rank, rank == 1, "3 points", (0, 9 - rank)) for seat, rank in enumerate(ranks))
        page = renderer(slug).paint_result(Story(shown, "", (), "1 round"), found)
        laid = [stroke for stroke in page.strokes if stroke.what in small | discs]
        assert laid and all(stroke.left >= 0 and stroke.right <= WIDTH for stroke in laid), ranks


def test_a_result_calls_a_player_by_one_name(written: list[str]) -> None:
    """But for the headline, which has the name in full."""
    found = people("sea_change", 8)
    shown = places(found, "victory_points", range(8, 0, -1), [range(8, 0, -1)], [0])
    honours = tuple(Honour("best_round", (seat,), "Best round", "9 points") for seat in (6, 1, 0))
    renderer("sea_change").paint_result(Story(shown, "", honours, "1 round"), found)
    assert sum("Hans" in line for line in written) == 2 and not any("von" in line for line in written)


@pytest.mark.parametrize("apart", [5, 40])
def test_what_is_spread_keeps_its_order_and_its_bounds(apart: int) -> None:
    found = spread([90, 10, 12, 12, 95], apart, 8, 260)
    order = sorted(range(5), key=lambda at: found[at])
    assert order == [1, 2, 3, 0, 4]
    assert all(found[b] - found[a] >= apart for a, b in pairwise(order))
    assert found[1] >= 8 and found[4] <= 260


@pytest.mark.parametrize("slug", PUBLISHED)
def test_the_winner_is_on_top_of_the_chart(slug: str) -> None:
    """This holds also if the lowest score wins."""
    seats = max(GAMES[slug].seats)
    states, events = game(slug, seats, "chart")
    story = renderer(slug).story(states[-1].view(None), events, labels(slug, seats))
    assert story is not None
    chart = Chart(
        560, 284, tuple((COLOURS[at], place.course) for at, place in enumerate(story.places)), story.lowest_wins
    )
    heights = [chart.line_of(place.course[-1]) for place in story.places]
    assert heights[0] == min(heights)
    assert 0 in chart.marked


@pytest.mark.parametrize(("slug", "language"), [*product(PUBLISHED, languages())])
def test_the_date_of_a_match_fits_beside_an_honour(slug: str, language: str) -> None:
    """Also if the headline says how a tie was broken and the date stands above the chart."""
    told, day = Labels((), texts(language, slug)), date(2026, 9, 30)
    story = Story((), "a tie", (), told.count("rounds", 12), told.date(day), told.short_date(day))
    found = first_fit(chart_titles(story, told), theme.SMALL, BESIDE)
    assert lettering.width(found, theme.SMALL) <= BESIDE and "30" in found and "2026" in found
    lowest = replace(story, lowest_wins=True)
    found = first_fit(chart_titles(lowest, told), theme.SMALL, BESIDE)
    assert lettering.width(found, theme.SMALL) <= BESIDE and "30" in found and "2026" in found


def test_the_highest_medal_of_a_profile_leaves_the_heading_free() -> None:
    """With a single game it stands right below."""
    assert profile.HEADING + theme.SMALL / 2 <= profile.FOOT - profile.HIGHEST + 12 - profile.VIGNETTE


def test_a_round_in_which_nobody_scores_is_told_too() -> None:
    rules, drawn_by, told = GAMES["full_sun"], renderer("full_sun"), labels("full_sun", 4)
    random, state = Random("no points"), rules.new(4, chosen_options(rules, 4, {}), "no points")
    every, changes, rounds = list[Event](), list[bool](), 0
    while awaited := sorted(state.to_move()):
        state, newest = state.apply(random.choice(state.legal_moves(awaited[0])))
        every += newest
        view = state.view(None)
        story, shown = drawn_by.story(view, every, told), drawn_by.round_story(view, every, newest, told)
        ended = 0 if story is None else len(story.places[0].course) - 1
        assert (shown is not None) == (ended > rounds and view.outcome is None)
        if shown is not None:
            changes.append(any(place.course[-1] != place.course[-2] for place in shown.places))
        rounds = ended
    assert {*changes} == {True, False}


def test_a_round_of_a_forest_stands_as_its_stalls_say() -> None:
    """After each round of a match, and at its end; it is told if a tree was collected in it."""
    rules, drawn_by, told = GAMES["photosynthesis"], renderer("photosynthesis"), labels("photosynthesis", 3)
    random, state = Random("a forest"), rules.new(3, chosen_options(rules, 3, {}), "a forest")
    every, harvests, rounds = list[Event](), list[bool](), 0
    while awaited := sorted(state.to_move()):
        state, newest = state.apply(random.choice(state.legal_moves(awaited[0])))
        every += newest
        view = state.view(None)
        story = drawn_by.story(view, every, told)
        assert story is not None
        over = view.outcome is not None
        if over or any(isinstance(event, SunMoved) for event in newest):
            rounds += 1
            assert story.rounds == told.count("rounds", rounds)
            assert {place.seats[0]: place.course[-1] for place in story.places} == dict(enumerate(view.scores))
            since = every[: -len(newest)]
            harvest = any(isinstance(event, Collected) for event in since[_last_round(since) :] + list(newest))
            assert over or (drawn_by.round_story(view, every, newest, told) is not None) == harvest
            harvests.append(harvest)
    assert rounds == view.round == view.rounds and {*harvests} == {True, False}


def _last_round(events: Sequence[Event]) -> int:
    return max((at for at, event in enumerate(events) if isinstance(event, SunMoved)), default=0)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("count", range(1, 9))
def test_a_round_s_lanes_lie_side_by_side(slug: str, count: int) -> None:
    """Of 1 to 8 places, in the order of the seats. All that belongs to one lies on the page, below its two lines."""
    shown = tuple(Place((seat,), 1 + seat // 2, False, "3 points", (0, seat)) for seat in range(count))
    game = renderer(slug)
    story, found = Story(shown, "", (), "1 round", goal=9), labels(slug, 8)
    lanes = race.lanes_of(story, found)
    assert [lane.place for lane in lanes] == list(shown)
    for one, other in pairwise(lanes):
        assert one.foot == other.foot and one.x + one.width / 2 <= other.x - other.width / 2
    for lane in lanes if count <= max(GAMES[slug].seats) else ():
        page = Page(slug, race.HEIGHT, game.ground)
        game.place_score(page, game.coloured(found), lane)
        assert page.strokes and all(stroke.top > 120 and stroke.bottom <= page.height for stroke in page.strokes)


@pytest.mark.parametrize("lowest", [True, False])
def test_who_leads_has_the_highest_thing(lowest: bool) -> None:
    shown = (Place((0,), 1, False, "2", (0, 2)), Place((1,), 2, False, "9", (0, 9)))
    story = Story(shown if lowest else shown[::-1], "", (), "1 round", lowest_wins=lowest, goal=10)
    first, second = race.lanes_of(story, labels("full_circle", 2))
    assert (first.part > second.part) == lowest


def test_a_flag_tells_what_a_round_added(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(race, "place_flag", lambda page, x, y, text, right: said.append(text))
    courses = ((3, 9), (9, 3), (4, 4))
    shown = tuple(Place((at,), 1 + at, False, f"{course[-1]}", course) for at, course in enumerate(courses))
    race.paint_round(renderer("photosynthesis"), Story(shown, "", (), "2 rounds"), labels("photosynthesis", 3))
    assert said == ["+6", "−6"]


@pytest.mark.parametrize("gain", [0, 2])
def test_flags_are_explained_if_one_is_flown(gain: int, written: list[str]) -> None:
    shown = tuple(Place((at,), 1, False, "3", (3, 3 + gain * at)) for at in range(3))
    race.paint_round(renderer("photosynthesis"), Story(shown, "", (), "2 rounds"), labels("photosynthesis", 3))
    assert any("flags" in line for line in written) == bool(gain)


@pytest.mark.parametrize("names", [("Maximilian", "田中さくら", "Zoë"), ("Hans-Jürgen", "Maximilian", "Li")])
def test_no_name_on_a_shared_step_is_cut_that_fits_in_another_line(names: tuple[str, ...], written: list[str]) -> None:
    found = replace(labels("siege_of_sunfall", 5), names=("Ann", "Børge", *names))
    shown = tuple(
        Place((seat,), min(seat, 2) + 1, not seat, f"{score}", (0, score)) for seat, score in enumerate((3, 2, 0, 0, 0))
    )
    renderer("siege_of_sunfall").paint_result(Story(shown, "", (), "1 round"), found)
    assert set(names) <= {name for line in written for name in line.split(" · ")}


@pytest.mark.parametrize(("scores", "crowns"), [((0, 0, 0), 0), ((4, 4, 4), 0), ((4, 4, 1), 2), ((4, 1, 1), 1)])
def test_nobody_wears_a_crown_while_all_are_level(
    scores: tuple[int, ...], crowns: int, monkeypatch: pytest.MonkeyPatch, written: list[str]
) -> None:
    worn: list[int] = []
    monkeypatch.setattr(race, "crown", lambda width: worn.append(width) or chrome.crown(width))
    shown = tuple(
        Place((seat,), 1 + sum(score < other for other in scores), False, f"{score}", (0, score))
        for seat, score in enumerate(scores)
    )
    race.paint_round(renderer("siege_of_sunfall"), Story(shown, "", (), "1 round"), labels("siege_of_sunfall", 3))
    assert len(worn) == crowns and ("3 share the lead" in written) == (not crowns)
    assert any(line.endswith("no points this round") for line in written) == (not any(scores))


@pytest.mark.parametrize("width", range(300, 700, 20))
def test_no_line_begins_with_a_sign_that_follows_a_no_break_space(width: int) -> None:
    for lines in (of("Ann a fait la plus belle récolte\xa0: 17 points\xa0!", 42, width) for of in (wrapped, balanced)):
        assert "récolte\xa0:" in " ".join(lines) and not [line for line in lines if line[0] in ":!"]


@pytest.mark.parametrize("lowest", [True, False])
def test_a_round_s_title_says_if_the_lowest_wins(lowest: bool, written: list[str]) -> None:
    shown = (Place((0,), 1, False, "3 points", (0, 3)),)
    story, found = Story(shown, "", (), "2 rounds", lowest_wins=lowest), labels("full_circle", 2)
    renderer("full_circle").paint_round(story, found)
    assert any(line.startswith("After 2 rounds · lowest wins") for line in written) == lowest
    assert describe_round(story, found).startswith("After 2 rounds · lowest wins" if lowest else "After 2 rounds:")
