"""The picture of how a match stands after a round: a lane for each place, in it a thing that grows with its score."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rendering.core import theme
from rendering.core.art import dimmed
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import crown, place_flag, place_head
from rendering.core.discs import first_words
from rendering.core.formatting import drawable_name, signed
from rendering.core.labels import Labels
from rendering.core.result import LINE, by_turns, names_of, place_floor, place_row, spread
from rendering.core.sprites import Point
from rendering.core.story import MOST_PLACES, Place, Story, after

if TYPE_CHECKING:
    from rendering.core.renderer import AnyRenderer

HEIGHT = 600
"""The height of the page."""
DOWN = 160
"""The line on which things stand lies so far above the foot of the page."""
TOP = 206
"""Nothing but a crown or a flag stands higher."""


class Lane(NamedTuple):
    """The part of the page that a place has."""

    place: Place
    x: float
    width: int
    foot: int
    room: int
    """How high a thing may be that stands on the line `foot`."""
    goal: int
    """The score at which the match ends; 0 if it ends otherwise."""
    part: float
    """How far it has come, from 0 to 1: to the goal or, if there is none, to the best score."""
    name: str

    @property
    def leads(self) -> bool:
        """Whether it stands in the light."""
        return self.place.rank == 1

    @property
    def score(self) -> float:
        """Its score now."""
        return self.place.course[-1]

    @property
    def near(self) -> float:
        """How much nearer than others those stand who lead, whom one sees first."""
        return 1.0 if self.leads else BACK

    def middles(self, apart: float) -> list[float]:
        """Return the middles of its seats' figures, that far from each other."""
        count = len(self.place.seats)
        apart = min(apart, self.width / count)
        return [self.x + (number - (count - 1) / 2) * apart for number in range(count)]


class Marks(NamedTuple):
    """Where a thing carries the crown of who leads, and the flag with what the round added: their feet."""

    crown: Point
    flag: Point


def paint_round(game: AnyRenderer, story: Story, labels: Labels) -> Page:
    """Return the page of a match that goes on: who leads, and a lane for each place."""
    lanes = lanes_of(story, labels)
    leaders = [lane for lane in lanes if lane.leads]
    lights = tuple((round(lane.x), max(120, lane.width * 5 // 9), lane.foot) for lane in leaders)
    page = Page(game.palette, HEIGHT, dimmed(game.ground, lights=lights))
    place_floor(page, game, lanes[0].foot, HEIGHT)
    ahead = len(leaders) < len(lanes)
    sentences = _leads([lane.place for lane in leaders], labels, ahead=ahead)
    told = after(story, labels)
    came = labels.say("story.flags" if any(map(_gain, lanes)) else "story.level")
    place_head(page, sentences, (), (f"{told} · {came}", told), face=game.FACE, dark=game.DARK)
    behind = sorted(lanes, key=lambda lane: lane.part)
    marks = {lane: game.place_score(page, labels, lane) for lane in behind}
    for lane in lanes:
        worn, (x, y) = marks[lane]
        if lane.leads and ahead:
            page.place(crown(min(80, lane.width // 2)), *worn, "mb")
        if gain := _gain(lane):
            place_flag(page, x, y, signed(gain), lane.x + lane.width / 2 - 3)
    place_row(page, game, lanes[0].foot, lanes[0].width, [(lane.place.score, lane.name, lane.leads) for lane in lanes])
    return page


def _gain(lane: Lane) -> float:
    """Return what the round added."""
    return lane.score - lane.place.course[-2]


def lanes_of(story: Story, labels: Labels) -> list[Lane]:
    """Return the lanes, in the order of the seats from the left. If names are too wide for lanes, every second one is a
    line lower, unless they would be cut even so.
    """
    shown = sorted(story.places[:MOST_PLACES], key=lambda place: place.seats)
    far = max(1, story.goal or max(place.course[-1] for place in shown))
    each = min((WIDTH - 2 * theme.MARGIN) // len(shown), 480)
    names = names_of(labels, shown, each)
    foot, lanes = HEIGHT - DOWN - LINE * by_turns(names, each), []
    for place, name, x in zip(shown, names, spread(len(shown), each), strict=True):
        part = min(max(place.course[-1] / far, 0), 1)
        part = 1 - part if story.lowest_wins else part
        lanes.append(Lane(place, x, each, foot, foot - TOP, story.goal, part, name))
    return lanes


def _leads(leaders: list[Place], labels: Labels, *, ahead: bool) -> list[str]:
    """Return who leads, ever shorter; if all are level, so that nobody is `ahead`, how many share the lead."""
    many = labels.say("story.lead_many", count=len(leaders))
    if not ahead:
        return [many]
    seats = [seat for place in leaders for seat in place.seats]
    if len(seats) == 1:
        return [
            labels.say("story.leads", name=name)
            for name in (drawable_name(labels, seats[0]), *first_words(labels, seats))
        ]
    names = [[drawable_name(labels, seat) for seat in seats], first_words(labels, seats)]
    return [
        *(labels.say("story.lead", name=labels.list(one)) for one in names),
        many,
    ]


def place_figures(page: Page, game: AnyRenderer, labels: Labels, lane: Lane) -> Marks:
    """Place those whose score it is, the larger the higher it is; in the light if they lead and have scored."""
    seats, lit = lane.place.seats, lane.leads and lane.part > 0
    size = round(min(lane.room + 48, lane.width * 15 // 16) * (LEAST + (1 - LEAST) * lane.part) * lane.near)
    at = zip(seats, lane.middles(size * 0.7), strict=True)
    head = min(game.place_figure(page, labels, seat, x, lane.foot, size, lit=lit) for seat, x in at)
    return Marks((lane.x, head + 14), (lane.x + size * 0.14, lane.foot + 24))


LEAST, BACK = 0.6, 0.8
"""How large those without points are, as a part of the best, and those who do not lead, beside those who do."""
