"""What all messages of the tables are made of: names and texts, pictures, and sentences about what happened.

Public content is a function of what an onlooker may know, private content of what its seat may know. Both get only a
View, and events that `seen_by` returned.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from cogs.match.coaching import Coaching
from cogs.match.lobby import Lobby
from cogs.match.positions import LoggedEvent
from cogs.match.records import Records
from cogs.match.refusals import seat_or_refuse
from cogs.match.service import MatchService, Played
from cogs.messages.content import MOST_TEXT, Content, EmojiTable, Picture
from cogs.messages.drawing import Drawing, picture
from cogs.messages.names import labels_at, written
from cogs.messages.narration import backwards, newest, sentences
from cogs.messages.typed_moves import TypedMoves, parsed, which_move
from cogs.workers.jobs import Job
from cogs.workers.pool import Pool, Urgency, urgency
from cogs.workers.process import Lost, WorkerFault
from data.content.texts import language, languages, texts
from data.lru import Lru
from data.records.match import Match, Status
from data.records.people import Person, PictureWish
from data.records.portraits import Portraits
from data.records.post import TablePost
from data.records.seasons import StoredSeasons
from rendering import Renderer, renderer
from rendering.core.formatting import shortened
from rendering.core.labels import Labels
from rendering.core.story import Story, describe_round, describe_story
from rules.core.game import IllegalMove, Seat, View

log = logging.getLogger(__name__)

MOST_SENTENCES, MOST_HAPPENED = 3, 300
"""What just happened has at most that many lines and characters, so that a phone shows the table in one and a half
screens; *Log* has the rest.
"""
Player = tuple[int, int, int]
"""A match, a seat and the user who has it."""
MOST_PLAYERS = 512
"""Players at most of whom something is remembered that their match's log tells."""
MOST_TABLES = 8192
"""Matches at most of which it is remembered what their tables have shown."""
MOST_UNDRAWABLE = 64
"""Moving pictures at most of which it is remembered that they cannot be drawn."""
MOST_EVENTS = 100
"""The number of events, the newest, from which these sentences are made."""


class Presenter:
    """Words and draws what the messages of one service's tables have in common."""

    def __init__(
        self,
        service: MatchService,
        lobbies: Lobby,
        pool: Pool | None = None,
        *,
        records: Records | None = None,
        portraits: Portraits | None = None,
        coaching: Coaching | None = None,
        seasons: StoredSeasons | None = None,
    ) -> None:
        """`pool`: the workers that draw; None: a thread draws. `records` remembers results; None: nothing is
        remembered. `portraits`: the avatars of players; None if the operator keeps none. `coaching`: the hints that
        players have had, which stand in their hands; None: there are none. `seasons`: those of the matches; None: no
        match belongs to one.
        """
        self.service = service
        self.lobbies = lobbies
        self.drawing = Drawing(pool)
        self.portraits = portraits
        self.coaching = coaching
        self.seasons = seasons
        self.signs = EmojiTable()
        self.records = records
        self.signs_had = Lru[Player, frozenset[str]](MOST_PLAYERS)
        """The lines about signs that players are known to have had in their hands at their decisions."""
        self.forced_often = Lru[Player, bool](MOST_PLAYERS)
        """The players of whom it is known that they have often made moves without a choice."""
        self._undrawn: dict[int, Job] = {}
        """The moving pictures that tables still lack, by their match."""
        self._last_public = Lru[int, int](MOST_TABLES)
        """The last move that players saw when a table was last shown, by its match; -1: none."""
        self._undrawable = Lru[Job, bool](MOST_UNDRAWABLE)
        """Moving pictures that could not be drawn: their tables stay still."""

    def labels(self, match: Match, locale: str | None = None) -> Labels:
        """Return names and texts for this match, in its own language or that of `locale`.

        They are the common texts alone if this program lacks the match's game, as with some quarantined matches.
        """
        found = texts(language(locale or match.locale), match.game if match.game in self.service.games else None)
        return labels_at(match, found)

    def labels_for(self, match: Match, person: Person) -> Labels:
        """Return names and texts for what one person sees alone, in their language and drawn as they want it."""
        return self.as_wished(self.labels(match, person.locale), person)

    def as_wished(self, labels: Labels, person: Person) -> Labels:
        """Return the labels with the person's wishes for pictures."""
        wishes = person.pictures
        return replace(labels, large=PictureWish.LARGE in wishes, plain=PictureWish.PLAIN in wishes)

    def halted(self, match: Match, labels: Labels) -> Labels:
        """Return the labels of a picture of the position as it is now: if no player can move, it says why."""
        if match.status in (Status.LOBBY, Status.OVER) or match.running:
            return labels
        return replace(labels, halt=labels.say("halt.rests" if match.open else "halt.ended"))

    async def with_faces(self, match: Match, labels: Labels) -> Labels:
        """Return the labels with the avatars of those who sit there. They are the same for all viewers."""
        if self.portraits is None:
            return labels
        people = await self.service.people.several([chair.player for chair in match.people])
        shown = [user for user, person in people.items() if PictureWish.SIGN not in person.pictures]
        faces = await self.portraits.several(shown)
        return replace(
            labels, faces=tuple(faces[chair.user][1] if chair.user in faces else b"" for chair in match.chairs)
        )

    async def face(self, user: int) -> bytes:
        """Return the user's avatar; b"" if they have none, or want none in pictures."""
        person = None if self.portraits is None else await self.service.people.get(user)
        if self.portraits is None or person is None or PictureWish.SIGN in person.pictures:
            return b""
        return (await self.portraits.get(person.user))[1]

    def title(self, match: Match, labels: Labels) -> str:
        """Return a table's name, also if this program lacks its game."""
        game = self.service.games.get(match.game)
        title = match.game if game is None else game.title
        return (
            labels.say("lesson.title", game=title) if match.lesson else labels.say("table", game=title, number=match.id)
        )

    def link(self, match: Match, labels: Labels, post: TablePost | None = None) -> str:
        """Return a table's name as a link to it, or to that post. A private match is only in its player's hand."""
        address = table_link(match) if post is None else message_link(match, post)
        return self.title(match, labels) if match.private else f"[{self.title(match, labels)}]({address})"

    async def picture(self, name: str, slug: str, view: View, labels: Labels, path: tuple[str, ...] = ()) -> Picture:
        """Return the picture of the view with its alt text. It highlights the steps of `path`, a choice under way."""
        png = await self.drawing.picture(picture(slug, Renderer.draw, view, labels, path))
        return Picture(name, png, renderer(slug).describe(view, labels))

    async def table_picture(self, match: Match, view: View, labels: Labels) -> Picture:
        """Return the picture of a table, which moves if the last move is worth it and no player wants it still.

        Until `draw_moving` has drawn a picture that moves, the table is still. The picture is drawn at once if no
        player waits for the table, as after a start, or if the table may move already: a change that players do not
        see must not stop it.
        """
        wanted = self._undrawn.pop(match.id, None)
        labels = self.halted(match, labels)
        latest = await self._public_moves(match, labels, 1)
        last, seen = (latest[-1].move if latest else -1), self._last_public.get(match.id)
        self._last_public[match.id] = last
        moves = [logged.event for logged in latest]
        drawn = renderer(match.game)
        centre = drawn.moment(view, moves) if match.open else None
        if centre is None or not await self._may_move(match):
            return await self.picture("table.png", match.game, view, labels)
        before = (await self.service.position(match, latest[0].move)).view(None)
        job = picture(match.game, Renderer.draw_moving, before, view, centre, labels)
        is_still = wanted == job or seen not in (None, last)
        webp = self.drawing.ready(job)
        if webp is None and is_still and urgency.get() is not Urgency.LATE and job not in self._undrawable:
            self._undrawn[match.id] = job
        elif webp is None:
            webp = await self._drawn(match.id, job, self.drawing.picture)
        if webp is None:
            return await self.picture("table.png", match.game, view, labels)
        return Picture("table.webp", webp, drawn.describe(view, labels))

    async def _drawn(self, number: int, job: Job, draw: Callable[[Job], Awaitable[bytes]]) -> bytes | None:
        """Return a match's moving picture; None if it cannot be drawn. It is not tried twice."""
        if job in self._undrawable:
            return None
        try:
            return await draw(job)
        except (Lost, WorkerFault) as error:
            log.warning("match %d: the picture that moves could not be drawn: %s", number, error.kind)
            self._undrawable[job] = True
            return None

    def lacks_motion(self, number: int) -> bool:
        """Return whether a match's table is still because its moving picture is not drawn yet."""
        return number in self._undrawn

    async def draw_moving(self, number: int) -> bool:
        """Draw the moving picture that a match's table lacks, behind all that players wait for. Return whether to show
        the table once more: it moves then, or stays still for good. False if it lacks none any more.
        """
        wanted = self._undrawn.get(number)
        if wanted is None:
            return False
        await self._drawn(number, wanted, self.drawing.picture_behind)
        if self._undrawn.get(number) is wanted:
            del self._undrawn[number]
        return True

    async def _public_moves(self, match: Match, labels: Labels, most: int) -> list[LoggedEvent]:
        """Return the events of the last `most` moves that told onlookers something, oldest first, as far as they did.

        A sealed decision that was changed tells them nothing. So it must change no picture either.
        """
        story = await self.service.events_of(match)
        found, whole = self._end_of(match, story[-MOST_EVENTS:], labels, most)  # mostly these are enough
        return found if whole or len(story) <= MOST_EVENTS else self._end_of(match, story, labels, most)[0]

    def _end_of(
        self, match: Match, story: Sequence[LoggedEvent], labels: Labels, most: int
    ) -> tuple[list[LoggedEvent], bool]:
        """Return what `_public_moves` does as far as it is in `story`, and whether that is all of it."""
        found: list[LoggedEvent] = []
        moves: set[int] = set()
        for logged, _ in backwards(self.service.game(match), match, story, None, labels, match.moves):
            if logged is None or logged.undone:
                continue
            moves.add(logged.move)
            if len(moves) > most:
                return found[::-1], True
            found.append(logged)
        return found[::-1], False

    async def _may_move(self, match: Match) -> bool:
        """Return whether pictures at this table may move: the server and all who sit there allow it."""
        if not (await self.service.policy.of(match.guild)).motion:
            return False
        people = await self.service.people.several([chair.player for chair in match.people])
        return not any(PictureWish.STILL in person.pictures for person in people.values())

    async def result(self, match: Match, view: View, labels: Labels) -> Picture:
        """Return the picture that tells how a match went, with its alt text; the last position if its game has none, or
        if the match was ended early.
        """
        if match.status is Status.OVER and (story := await self.final_story(match, labels)):
            if match.ended_at is not None:
                day = datetime.fromtimestamp(match.ended_at, UTC)
                story = replace(story, date=labels.date(day), short_date=labels.short_date(day))
            moving = await self._may_move(match)
            how = Renderer.draw_moving_story if moving else Renderer.draw_story
            data = await self.drawing.picture_behind(picture(match.game, how, story, labels))
            return Picture("end.webp" if moving else "end.png", data, describe_story(story, labels))
        return await self.picture("end.png", match.game, view, self.halted(match, labels))

    async def final_story(self, match: Match, labels: Labels) -> Story | None:
        """Return how a match that is over went; None if the last position tells it."""
        events = [logged.event for logged in await self.service.events_of(match) if not logged.undone]
        return renderer(match.game).story(self.service.state(match).view(None), events, labels)

    async def latest_round(self, match: Match, labels: Labels) -> Story | None:
        """Return how the match stands during the first turns after a round that changed the scores; else None."""
        recent = await self._public_moves(match, labels, len(match.chairs))
        return self.round_story(match, labels, await self.service.events_of(match), recent)

    def round_story(
        self, match: Match, labels: Labels, story: Sequence[LoggedEvent], recent: Sequence[LoggedEvent]
    ) -> Story | None:
        """Return how the match stands if a round that changed the scores ended with the `recent` events of its whole
        `story`; else None.
        """
        events, newest = ([logged.event for logged in told if not logged.undone] for told in (story, recent))
        return renderer(match.game).round_story(self.service.state(match).view(None), events, newest, labels)

    async def standing(self, match: Match, story: Story, labels: Labels) -> Picture:
        """Return the picture of how the match stands after a round, with its alt text."""
        png = await self.drawing.picture(picture(match.game, Renderer.draw_round, story, labels))
        return Picture("round.png", png, describe_round(story, labels))

    async def happened(self, match: Match, labels: Labels) -> str:
        """Return what just happened, as an onlooker saw it, a line for each event."""
        events = await self.service.events_of(match)
        recent = events[-MOST_EVENTS:]
        since = recent[0].move + 1 if len(recent) < len(events) else 0
        told = sentences(self.service.game(match), match, recent, None, labels, MOST_SENTENCES, since)
        return "\n".join(newest(told, MOST_HAPPENED))

    def move_labels(self, match: Match, user: int, locale: str) -> dict[str, str]:
        """Return a player's legal moves in a running match: notation to label, which is plain text with names in it."""
        seat = match.seat_of(user)
        if seat is None or not match.running:
            return {}
        state, labels, drawn = self.service.state(match), self.labels(match, locale), renderer(match.game)
        view = state.view(Seat(seat))
        return {str(move): drawn.move_label(view, move, labels) for move in state.legal_moves(Seat(seat))}

    def typed_moves(self, match: Match, user: int, locale: str) -> TypedMoves:
        """Return a player's legal moves in a running match as they may type them, in their own language or another."""
        seat = match.seat_of(user)
        if seat is None or not match.running:
            return TypedMoves({})
        state, drawn = self.service.state(match), renderer(match.game)
        view, moves = state.view(Seat(seat)), state.legal_moves(Seat(seat))
        return TypedMoves.of(drawn, view, moves, self._spoken(match, locale))

    def _spoken(self, match: Match, locale: str) -> list[Labels]:
        """Return the labels of a match in all languages, that of this locale first."""
        own = language(locale)
        return [self.labels(match, code) for code in (own, *(code for code in languages() if code != own))]

    def meant(self, match: Match, user: int, locale: str, text: str) -> tuple[str, ...]:
        """Return the notations of the moves that a player may mean by that text: see `TypedMoves.notations`."""
        seat = match.seat_of(user)
        if seat is None or match.state is None:
            return (text,)
        state, game = self.service.state(match), self.service.game(match)
        moves = state.legal_moves(Seat(seat))
        if text in {str(move) for move in moves}:
            return (text,)
        if moves or not match.running:
            return self.typed_moves(match, user, locale).notations(game, Seat(seat), text)
        # Too early: a card that the player holds is understood, and the rules say that it is not their turn.
        drawn, view, told = renderer(match.game), state.view(Seat(seat)), self._spoken(match, locale)
        early = game.ahead(state, Seat(seat))
        labels = {str(move): [drawn.move_label(view, move, labels) for labels in told] for move in early}
        terms = {str(move): [drawn.terms(move, labels) for labels in told] for move in early}
        meant = TypedMoves(labels, told[0].names, terms=terms).notations(game, Seat(seat), text)
        return meant if len(meant) == 1 else (text,)

    def alike(self, match: Match, user: int, locale: str, text: str) -> tuple[str, ...]:
        """Return the notations of the moves that a text resembles that means no move; none if the rules can read it."""
        seat = match.seat_of(user)
        if seat is None or match.state is None or parsed(self.service.game(match), Seat(seat), text) is not None:
            return ()
        return tuple(move.notation for move in self.typed_moves(match, user, locale).alike(text))

    def named(self, match: Match, text: str) -> str:
        """Return the text with the names of players in place of mentions of them."""
        names = self.labels(match).names
        for chair in match.people:
            for mention in (f"<@{chair.user}>", f"<@!{chair.user}>"):
                text = text.replace(mention, names[chair.number])
        return text

    def which_move(
        self, match: Match, user: int, locale: str, text: str, notations: Sequence[str], *, alike: bool = False
    ) -> Content:
        """Return the question which of these moves the player means by that text, or that it resembles (`alike`)."""
        seat = seat_or_refuse(match, user)
        moves = [move for move in self.typed_moves(match, user, locale).moves if move.notation in notations]
        turn = self.service.turn(match, Seat(seat))
        return which_move(moves, text, user, match.id, turn, self.labels(match, locale), alike=alike)

    def decided(self, played: Played, done: str, user: int, locale: str) -> str:
        """Return the sentence that a decision was recorded. `done` is "made" or "undone"."""
        labels = self.labels(played.match, locale)
        moves = ", ".join([self._decided(one, user, locale, labels) for one in (*played.earlier, played)])
        return labels.say("move.again" if played.again else f"move.{done}", move=written(moves))

    def _decided(self, played: Played, user: int, locale: str, labels: Labels) -> str:
        if played.before is None or played.move is None:
            return self.move_labels(played.match, user, locale).get(played.text, played.text)
        view = played.before.state.view(played.move.seat)
        return renderer(played.match.game).move_label(view, played.move, labels)

    def refusal(self, match: Match, user: int, error: IllegalMove, locale: str) -> str:
        """Return why a move was refused, and which moves are legal."""
        labels = self.labels(match, locale)
        why, found = labels.refusal(error), self.move_labels(match, user, locale)
        if not found:
            return why
        legal = shortened(", ".join(found.values()), 900)
        example = labels.say("refused.example", move=next(iter(found)))
        return f"{why}\n{labels.say('refused.legal', moves=written(legal))}\n{example}"


def table_link(match: Match) -> str:
    """Return the address of the channel or thread where the table is."""
    return f"https://discord.com/channels/{match.guild}/{match.place}"


def message_link(match: Match, post: TablePost) -> str:
    """Return the address of the table's message or, until that is sent, of its channel."""
    if post.message is None:
        return table_link(match)
    return f"https://discord.com/channels/{match.guild}/{post.channel}/{post.message}"


def fitting(text: str, parts: Sequence[str | Picture]) -> str:
    """Return a picture's transcript for a message, cut to the room that the message's other parts leave."""
    room = MOST_TEXT - sum(len(part) for part in parts if isinstance(part, str))
    return shortened(written(text), room)
