"""The interface of a game's renderer, and its defaults.

A game's package ends in `RENDERER: Renderer[V, M] = ...`, with V the game's View and M its moves. It is an object of a
subclass of `Renderer` that defines the abstract functions and the functions whose default does not suit the game. mypy
then checks each function against the view and the moves. A subclass that lacks an abstract function cannot be
instantiated.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias, TypeVar

from PIL import Image

from rendering.core import lettering, theme
from rendering.core.art import art, stage
from rendering.core.callouts import explained
from rendering.core.canvas import WIDTH, Page
from rendering.core.chrome import NIGHT, place_people, place_title
from rendering.core.discs import disc
from rendering.core.emoji import Emoji
from rendering.core.film import Quality, film
from rendering.core.formatting import ALT_TEXT_LIMIT, fit_text, score_lines, winners
from rendering.core.labels import Labels
from rendering.core.layers import layered
from rendering.core.motion import animate
from rendering.core.profile import Showing, paint_profile
from rendering.core.prompts import Choice, Prompt, in_ranges, without_single_steps
from rendering.core.race import Lane, Marks, paint_round, place_figures
from rendering.core.result import WINNER_AT, lay, paint_result, step
from rendering.core.sprites import Colour, Point, Sprite
from rendering.core.statistics import Statistics, paint_statistics
from rendering.core.story import Story
from rules.core.game import Event, Move, View

DUSK: Colour = (96, 106, 150)
"""What the colours of a story are multiplied with, in 255ths, before the light falls on it."""
PAGE_BREAK = "---"
"""A line of this alone in `rules.text` begins the second page of the rules."""

V = TypeVar("V", bound=View, contravariant=True)
M = TypeVar("M", bound=Move, contravariant=True)


class Renderer(Protocol[V, M]):
    """Pictures and words of one game. What a function returns depends on its arguments alone."""

    slug: str

    COLOURS: tuple[Colour, ...] = theme.COLOURS
    """The colours that the game's palettes have exactly: rendering/palettes/<slug>.bin and one for each of `LIGHTS`."""

    PALETTE_SIZE: int = 256
    """How many colours the palette has: at most 256, and more than the 60 (or the number of `COLOURS`, if that is
    larger) that keep their exact value, for the shades of edges."""

    LIGHTS: tuple[str, ...] = ()
    """The lights of its stage that have palettes of their own, rendering/palettes/<slug>_<light>.bin."""

    STORY_LIGHT: str = ""
    """The one of `LIGHTS` that `ground` has; "" for the light of the first palette."""

    SEAT_COLOURS: tuple[Colour, ...] = ()
    """The colour of each seat's disc in every picture of a match, if seats have colours in the game; else discs keep
    the colours of the lobby, in which players have no seats yet. `paint` and `paint_last` take them from `coloured`."""

    FACE: str = lettering.DISPLAY
    """The face of its large words."""

    FLOOR: str = ""
    """The sprite of what stands in front of all after a match or a round, if its stage has none: it has their words."""

    AFAR: int = 0
    """How much farther away than the winner, in rows, the others stand after a match."""

    DARK: Colour = NIGHT
    """The colour of the soft dark round words on its stage."""

    EMOJI: Emoji = MappingProxyType({})
    """The signs of its buttons as pictures (emoji.py). Without any, labels keep the signs of the texts."""

    LESSON_TURNS: int = 2
    """In how many turns of their first match hands show a person `coach`, and a button for `legend`."""

    SEVERAL_MOVES_A_TURN: bool = False
    """Whether the part of a turn token after its dot counts moves within one turn. If not, each token is a turn."""

    DRAWN: tuple[type, ...] = ()
    """The events of which a hand does not tell what happened, because its picture shows them as long as they count."""

    # Pictures

    @abstractmethod
    def paint(self, view: V, labels: Labels, focus: Sequence[str] = ()) -> Page:
        """Return a page, 1,200 pixels wide. For an onlooker's view it shows the table; for a seat's view, the seat's
        hand and what the seat needs of the table. `focus` is the path of the current choice (see `prompt`), which the
        page lights up."""
        ...

    def paint_cover(self, labels: Labels) -> Page:
        """Return the picture of a lobby. Default: the title over the tagline."""
        page = Page(self.palette, 640, self.ground)
        page.place(art("common/vignette", 280), WIDTH / 2, 24, "mt")
        place_title(page, labels, 372, self.FACE, self.DARK)
        return page

    def paint_last(self, view: V, labels: Labels) -> Page | None:
        """Return the last trick or reveal, or None if there is none to look back at. Default: None."""
        return None

    def ground(self, width: int, height: int) -> Image.Image:
        """Return what lies behind the default cover and behind the result. Default: a table by
        evening."""
        return stage("common/table")(width, height)

    def pillar(self, name: str, width: int, height: int) -> Sprite:
        """Return what stands for a figure in a server's statistics, `height` pixels high and at most `width` wide;
        `name`: one of `Game.charts`. Default: a step of a profile.
        """
        return step(self, width, height)

    def place_figure(
        self, page: Page, labels: Labels, seat: int, x: float, foot: float, size: int, *, lit: bool
    ) -> float:
        """Place what stands for a seat, its foot at (x, foot), so many pixels high, with its disc; `lit`: in the light.
        Return where its head is. Default: the disc alone.
        """
        face = disc(labels, seat, size * 3 // 4)
        lay(page, face, x, foot, lit=lit)
        return foot - face.size[1]

    def place_score(self, page: Page, labels: Labels, lane: Lane) -> Marks:
        """Place what stands for a place's score after a round, and return where its crown and its flag belong. Default:
        `place_figure`, the larger the higher the score.
        """
        return place_figures(page, self, labels, lane)

    @property
    def palette(self) -> str:
        """The palette of `ground`."""
        return f"{self.slug}_{self.STORY_LIGHT}" if self.STORY_LIGHT else self.slug

    def coloured(self, labels: Labels) -> Labels:
        """Return the labels with `SEAT_COLOURS`."""
        return replace(labels, colours=self.SEAT_COLOURS)

    def paint_result(self, story: Story, labels: Labels) -> Page:
        """Return the page that tells how a match went."""
        return paint_result(self, story, self.coloured(labels))

    def paint_round(self, story: Story, labels: Labels) -> Page:
        """Return the page that tells how a match stands after a round."""
        return paint_round(self, story, self.coloured(labels))

    def bar(self, kind: str, name: str, labels: Labels) -> str:
        """Return the label of a figure in a server's statistics, for one of the names of `Game.charts`. Default: the
        text `stats.<kind>_<name>`.
        """
        return labels.say(f"stats.{kind}_{name}")

    def paint_statistics(self, statistics: Statistics, labels: Labels) -> Page:
        """Return the page of what a server has played of the game."""
        return paint_statistics(self, statistics, labels)

    def paint_profile(self, showing: Showing, labels: Labels) -> Page:
        """Return the page of what a person's finished matches amount to."""
        return paint_profile(self, showing, labels)

    # Words

    @abstractmethod
    def describe(self, view: V, labels: Labels) -> str:
        """Return the alt text: all that the picture says. At most 1,024 characters (see rendering.core.formatting)."""
        ...

    def transcript(self, view: V, labels: Labels) -> str:
        """Return the same without a limit, for players who cannot see pictures. Default: the alt text."""
        return self.describe(view, labels)

    def last_text(self, view: V, labels: Labels) -> str:
        """Return what `paint_last` shows, in words; "" if that is nothing. A renderer that defines `paint_last` defines
        this function too."""
        return ""

    @abstractmethod
    def narrate(self, event: Event, labels: Labels) -> str:
        """Return a sentence about an event; "" if the event needs none."""
        ...

    def narrate_briefly(self, event: Event, labels: Labels) -> str:
        """Return the sentence beside a hand's picture, which shows the rest. Default: the whole one."""
        return self.narrate(event, labels)

    def score(self, view: V, labels: Labels) -> str:
        """Return a line for each seat or side, the winner's first and marked 🏆. Default: the names."""
        return score_lines(winners(view), [0] * view.seats, labels.who)

    def margin(self, view: V, labels: Labels) -> str:
        """Return by how much the winners of a match that is over are ahead: "3 points"; "" if a tie was broken, or no
        figure says it. Default: "".
        """
        return ""

    def rules(self, deck: Mapping[str, Any], labels: Labels) -> str:
        """Return the rules in Discord's markdown, at most 3,500 characters, with this deck table's values.

        Default: the text `rules.text`, with the deck table's values filled in by name.
        """
        return labels.say("rules.text", **deck)

    def rules_pages(self, deck: Mapping[str, Any], labels: Labels) -> tuple[str, str]:
        """Return `rules` in two pages: a turn in full, then options, values and the rest; "" if there is no second one.

        The text has a line `---` between them. Footnotes end the second page. They end the first page too, if they
        explain a mark on it.
        """
        first, _, second = self.rules(deck, labels).partition(f"\n\n{PAGE_BREAK}\n\n")
        notes = [line for line in second.splitlines() if line[:2] in ("† ", "‡ ") and line[0] in first]
        return "\n\n".join([first, "\n".join(notes)]).rstrip(), second

    def story(self, view: V, events: Sequence[Event], labels: Labels) -> Story | None:
        """Return how a match went, or how it stands, from the onlooker's view and all events; None if the position
        tells it. Default: None. (It is shown in words and in a picture: of rendering/core/result.py at the match's end,
        of race.py after a round.)
        """
        return None

    def round_story(self, view: V, events: Sequence[Event], recent: Sequence[Event], labels: Labels) -> Story | None:
        """Return how the match stands if it goes on and a round ended with the newest events, also if no player has
        scored in it; else None. `events` are all events, `recent` the newest of them.
        """
        if view.outcome or (newest := self.story(view, recent, labels)) is None:
            return None
        return self.story(view, events, labels) if newest.places[0].course[1:] else None

    def moment(self, view: V, events: Sequence[Event]) -> Point | None:
        """Return from where the table's picture turns into this view's, if the last move, which made these events, is
        worth a picture that moves; else None. Only a few moments of a match are. Default: none.
        """
        return None

    # For a newcomer

    def summary(self, labels: Labels) -> str:
        """Return the rules in at most 60 words: the goal, a turn, how to win. Default: the text `rules.summary` or, if
        the game has none, its tagline.
        """
        return labels.say("rules.summary" if "rules.summary" in labels.texts else "game.tagline")

    def callouts(self, view: V, labels: Labels) -> str:
        """Return what the things on the page of `paint_explained` are, a line each."""
        return "\n".join(self._told(self._usual(view, labels), labels).values())

    def paint_explained(self, view: V, labels: Labels) -> Page:
        """Return the page of `paint` between texts that say what the things are that it names."""
        page = self._usual(view, labels)
        return explained(page, self._told(page, labels))

    def _told(self, page: Page, labels: Labels) -> dict[str, str]:
        """Return the text of each thing that a page names, from the left to the right."""
        things = sorted(page.named.items(), key=lambda thing: thing[1].middle)
        return {name: labels.say(f"callout.{name}", **thing.values) for name, thing in things}

    def _usual(self, view: V, labels: Labels) -> Page:
        """Return the page of `paint` in the usual size for everyone."""
        return self.paint(view, replace(labels, large=False))

    def coach(self, view: V, labels: Labels) -> str:
        """Return two lines for a seat: what it is after and, if it is to move, what to do now. The second stands in
        place of the question. From the view alone, without a search. Default: none.
        """
        return ""

    def legend(self, view: V, labels: Labels) -> str:
        """Return the signs that are in a seat's picture and on its buttons now in words: a short line for each, which
        is equal as long as the sign means the same. Default: none.
        """
        return ""

    # Moves

    def prompt(self, view: V, moves: Sequence[M], path: tuple[str, ...], labels: Labels) -> Prompt:
        """Return these legal moves as a question (see rendering/core/prompts.py). Default: all at once."""
        choices = [Choice(self.move_label(view, move, labels), str(move)) for move in moves]
        return Prompt(labels.say("prompt.move"), in_ranges(choices, path))

    def question(self, view: V, moves: Sequence[M], path: tuple[str, ...], labels: Labels) -> Prompt:
        """Return the prompt without the steps that leave no choice: the button before such a step makes the move."""

        def ask(path: tuple[str, ...]) -> Prompt:
            return self.prompt(view, moves, path, labels)

        return without_single_steps(ask(path), ask)

    def move_label(self, view: V, move: M, labels: Labels) -> str:
        """Return a move in the game's words, at most 80 characters, for a button or a list. Default: its notation."""
        return str(move)

    def terms(self, move: M, labels: Labels) -> Mapping[str, Sequence[str]]:
        """Return what alt texts, buttons and the log call the parts of a move, by the part of its notation: "B9" is
        "Blue 9". Players may type these words for the part. Default: nothing.
        """
        return {}

    # Files: every game's pages become files in the same way

    def draw(self, view: V, labels: Labels, focus: Sequence[str] = ()) -> bytes:
        """Return the page of `paint` as a PNG."""
        return _finished(self.paint(view, labels, focus), labels).png()

    def draw_moving(self, before: V, view: V, centre: Point, labels: Labels) -> bytes:
        """Return the page of `paint` that spreads from `centre` over the page of the view before, as a WebP. It has the
        colours of the files of both, which were drawn before, so only little is composed.
        """
        old, new = self.paint(before, labels), self.paint(view, labels)
        return animate(old.flat(), new.flat(), centre)

    def draw_film(self, shown: Sequence[tuple[V, Labels]], quality: Quality) -> tuple[bytes, str]:
        """Return the pages of these views one after the other, and their heights: see rendering/core/film.py."""
        return film((_finished(self.paint(view, labels), labels).flat() for view, labels in shown), quality)

    def draw_layers(self, shown: Sequence[tuple[V, Labels]], known: Collection[str], quality: int) -> tuple[bytes, str]:
        """Return the pages of these views as what lies on them: see rendering/core/layers.py."""
        return layered((_finished(self.paint(view, labels), labels) for view, labels in shown), known, quality)

    def draw_explained(self, view: V, labels: Labels) -> bytes:
        """Return the page of `paint_explained` as a PNG."""
        return self.paint_explained(view, labels).png()

    def cover(self, labels: Labels, seats: int = 0) -> bytes:
        """Return the page of `paint_cover` as a PNG, below with the discs of all who have names, and with free places
        up to `seats`.
        """
        page = self.paint_cover(labels)
        place_people(page, labels, seats)
        return page.png()

    def last(self, view: V, labels: Labels) -> tuple[bytes, str] | None:
        """Return the page of `paint_last` as a PNG, and its alt text; None if there is no page."""
        page = self.paint_last(view, labels)
        if page is None:
            return None
        return _finished(page, labels).png(), fit_text(
            ALT_TEXT_LIMIT, labels, lambda labels: self.last_text(view, labels)
        )

    def draw_round(self, story: Story, labels: Labels) -> bytes:
        """Return the picture of how a match stands after a round, as a PNG."""
        return self.paint_round(story, labels).png()

    def draw_statistics(self, statistics: Statistics, labels: Labels) -> bytes:
        """Return the picture of what a server has played of the game, as a PNG."""
        return _finished(self.paint_statistics(statistics, labels), labels).png()

    def draw_profile(self, showing: Showing, labels: Labels) -> bytes:
        """Return the picture of what a person's finished matches amount to, as a PNG."""
        return _finished(self.paint_profile(showing, labels), labels).png()

    def draw_story(self, story: Story, labels: Labels) -> bytes:
        """Return the picture of a story as a PNG."""
        return self.paint_result(story, labels).png()

    def draw_moving_story(self, story: Story, labels: Labels) -> bytes:
        """Return the picture of a story over which light spreads from the winner, as a WebP."""
        image = self.paint_result(story, labels).image
        return animate(image.point([value * part // 255 for part in DUSK for value in range(256)]), image, WINNER_AT)


AnyRenderer: TypeAlias = Renderer[Any, Any]
"""What the pictures that all games have take: its stage, its people, and how its words look."""


def _finished(page: Page, labels: Labels) -> Page:
    if labels.plain:
        page.leave_stage()
    return page
