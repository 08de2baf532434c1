"""What all messages of the tables are made of: names and texts, pictures, and sentences about what happened.

Public content is a function of what an onlooker may know, private content of what its seat may know. Both get only a
View, and events that `seen_by` returned.
"""

from __future__ import annotations

from collections.abc import Sequence

from cogs.match.lobby import Lobby
from cogs.match.replay import LoggedEvent
from cogs.match.service import MatchService, Played
from cogs.messages.content import MOST_TEXT, Picture, shortened
from cogs.messages.drawing import Drawing
from cogs.messages.names import names_at, written
from cogs.messages.narration import newest, sentences
from data.content.texts import language, texts
from data.records.match import Match
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import IllegalMove, Seat, View

MOST_SENTENCES, MOST_HAPPENED = 3, 300
"""What just happened has at most that many lines and characters, so that a phone shows the table in one and a half
screens; *Log* has the rest.
"""
MOST_EVENTS = 100
"""The number of events, the newest, from which these sentences are made."""


class Presenter:
    """Words and draws what the messages of one service's tables have in common."""

    def __init__(self, service: MatchService, lobbies: Lobby) -> None:
        self.service = service
        self.lobbies = lobbies
        self.drawing = Drawing()

    def labels(self, match: Match, locale: str | None = None) -> Labels:
        """Return names and texts for this match, in its own language or that of `locale`.

        They are the common texts alone if this program lacks the match's game, as with some quarantined matches.
        """
        found = texts(language(locale or match.locale), match.game if match.game in self.service.games else None)
        names = names_at(match, found["departed"])
        return Labels(names, found, tuple(f"**{written(name)}**" for name in names))

    def title(self, match: Match, labels: Labels) -> str:
        """Return a table's name, also if this program lacks its game."""
        game = self.service.games.get(match.game)
        return labels.say("table", game=match.game if game is None else game.title, number=match.id)

    def link(self, match: Match, labels: Labels) -> str:
        """Return a table's name as a link to the place where it is."""
        return f"[{self.title(match, labels)}]({table_link(match)})"

    async def picture(
        self, name: str, slug: str, view: View, labels: Labels, locale: str, path: tuple[str, ...] = ()
    ) -> Picture:
        """Return the picture of the view with its alt text. It highlights the steps of `path`, a choice under way."""
        drawn = renderer(slug)
        key = (slug, view, labels.names, path, language(locale))
        png = await self.drawing.picture(key, lambda: drawn.draw(view, labels, path))
        return Picture(name, png, drawn.describe(view, labels))

    def sentences(
        self, match: Match, story: Sequence[LoggedEvent], seat: int | None, labels: Labels, most: int | None = None
    ) -> list[str]:
        """Return the last `most` sentences of what this viewer saw and may still look back at, oldest first."""
        return sentences(self.service.game(match), match, story, seat, labels, most)

    async def happened(self, match: Match, labels: Labels) -> str:
        """Return what just happened, as an onlooker saw it, a line for each event."""
        recent = (await self.service.events_of(match))[-MOST_EVENTS:]
        return "\n".join(newest(self.sentences(match, recent, None, labels, MOST_SENTENCES), MOST_HAPPENED))

    def move_labels(self, match: Match, user: int, locale: str) -> dict[str, str]:
        """Return a player's legal moves in a running match: notation to label, which is plain text with names in it."""
        seat = match.seat_of(user)
        if seat is None or not match.running:
            return {}
        state, labels, drawn = self.service.state(match), self.labels(match, locale), renderer(match.game)
        view = state.view(Seat(seat))
        return {str(move): drawn.move_label(view, move, labels) for move in state.legal_moves(Seat(seat))}

    def decided(self, played: Played, done: str, user: int, locale: str) -> str:
        """Return the sentence that a decision was recorded. `done` is "made" or "undone"."""
        labels = self.labels(played.match, locale)
        if played.before is not None and played.move is not None:
            view = played.before.state.view(played.move.seat)
            label = renderer(played.match.game).move_label(view, played.move, labels)
        else:
            label = self.move_labels(played.match, user, locale).get(played.text, played.text)
        return labels.say("move.again" if played.again else f"move.{done}", move=written(label))

    def refusal(self, match: Match, user: int, error: IllegalMove, locale: str) -> str:
        """Return why a move was refused, and which moves are legal."""
        labels = self.labels(match, locale)
        seat = match.seat_of(user)
        state = self.service.state(match)
        moves = state.legal_moves(Seat(seat)) if seat is not None else ()
        why = labels.refusal(error)
        if not moves:
            return why
        legal = shortened(", ".join(self.move_labels(match, user, locale).values()), 900)
        return f"{why}\n{labels.say('refused.legal', moves=written(legal))}"


def table_link(match: Match) -> str:
    """Return the address of the channel or thread where the table is."""
    return f"https://discord.com/channels/{match.guild}/{match.place}"


def fitting(text: str, parts: Sequence[str | Picture]) -> str:
    """Return a picture's transcript for a message, cut to the room that the message's other parts leave."""
    room = MOST_TEXT - sum(len(part) for part in parts if isinstance(part, str))
    return shortened(written(text), room)
