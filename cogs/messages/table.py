"""What each message says: a lobby, a table, a hand, a log. Matches and views go in, `Content` comes out.

Public content is a function of what an onlooker may know, private content of what its seat may know; both only ever
get a View and events that `seen_by` gave. Pictures are drawn in one worker thread and kept by what they show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from cogs.match.catchup import missed
from cogs.match.clocks import EXTENDED, RETURNED, VOTING, absent, clock_of
from cogs.match.lobby import COMPUTERS, Lobby
from cogs.match.quarantine import Fault
from cogs.match.refusals import paused_until
from cogs.match.replay import LoggedEvent
from cogs.match.restored import mark
from cogs.match.service import MatchService
from cogs.match.verification import Verdict
from cogs.messages import clock as clockface
from cogs.messages import fairness
from cogs.messages import lobby as lobbyface
from cogs.messages.catchup import catch_up_button, paragraph
from cogs.messages.content import MOST_TEXT, Button, Content, Id, Picture, Row, prompt_rows, shortened
from cogs.messages.drawing import Drawing
from cogs.messages.names import names_at, written
from cogs.messages.narration import newest, pages, sentences
from cogs.messages.players import offer_row, people_lines, people_rows, waiting_line
from data.content.texts import language, texts
from data.records.match import Match, RestoreCheck, Status
from data.records.people import Person
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.example import example
from rules.core.game import IllegalMove, Seat

_LATE = {EXTENDED: "clock.extended", VOTING: "clock.voted_on", RETURNED: "clock.returned"}
MOST_HAPPENED = 1200
"""Letters at the table of what just happened, and the sentences that these are cut from, out of so many events."""
MOST_SENTENCES, MOST_EVENTS = 12, 100


class Messages:
    """Makes every message of the tables of one host."""

    def __init__(self, host: MatchService, lobby: Lobby) -> None:
        self._host = host
        self._lobby = lobby
        self._drawing = Drawing()

    def warm_up(self) -> None:
        """Have each game's cover drawn before somebody waits for it."""
        self._drawing.warm_up(self._host.games)

    def close(self) -> None:
        self._drawing.close()

    def labels(self, match: Match, locale: str | None = None) -> Labels:
        """Names and texts for this match, in its own language or that of `locale`.

        Without its game, as a held match may be, they are the common texts.
        """
        found = texts(language(locale or match.locale), match.game if match.game in self._host.games else None)
        names = names_at(match, found["departed"])
        return Labels(names, found, tuple(f"**{written(name)}**" for name in names))

    def title(self, match: Match, labels: Labels) -> str:
        """A table's name, also where this program lacks its game."""
        game = self._host.games.get(match.game)
        return labels.say("table", game=match.game if game is None else game.title, number=match.id)

    def link(self, match: Match, labels: Labels) -> str:
        """A table's name that leads to where it stands."""
        return f"[{self.title(match, labels)}]({table_link(match)})"

    async def lobby(self, match: Match, people: Mapping[int, Person]) -> Content:
        """The lobby of a match that has not begun."""
        self._drawing.rehearse(match.game)
        labels, game, options = self.labels(match), self._host.game(match), self._lobby.options(match)
        drawn, spoken = renderer(match.game), language(match.locale)
        cover = await self._drawing.picture(("cover", match.game, spoken), lambda: drawn.cover(labels))
        server = await self._host.policy.of(match.guild)
        return lobbyface.lobby(match, game, options, people, server, labels, cover)

    def closed(self, match: Match) -> Content:
        """What is left of a lobby that was called off, or of one whose table has a thread of its own."""
        return lobbyface.closed(match, self._host.game(match), self.labels(match))

    async def table(self, match: Match, votes: Mapping[int, str]) -> Content:
        """The table as everybody may see it: what just happened, whose turn it is, who is absent, what its people vote
        on, and which seats can be taken over.
        """
        self._drawing.rehearse(match.game)
        labels, drawn = self.labels(match), renderer(match.game)
        say, state = labels.say, self._host.state(match)
        view = state.view(None)
        spoken = language(match.locale)
        png = await self._drawing.picture((match.game, view, labels.names, spoken), lambda: drawn.draw(view, labels))
        story = await self._host.story(match)
        recent = self.sentences(match, story[-MOST_EVENTS:], None, labels, MOST_SENTENCES)
        happened = "\n".join(newest(recent, MOST_HAPPENED))
        lines = [f"## {self.title(match, labels)}"]
        if happened:
            lines.append(happened)
        picture = Picture("table.png", png, drawn.describe(view, labels))
        standing = self._status_line(match, labels)
        rows = self._table_rows(match, labels)
        if match.status is Status.PLAYING:
            lines_of_all = (*clockface.absence(match, labels), *people_lines(match, votes, labels))
            standing = "\n".join([standing, *lines_of_all])
            rows += people_rows(match, votes, labels)
        else:
            waiting = waiting_line(match, labels) if match.waiting else ""
            standing = "\n".join(filter(None, (standing, fairness.cut_with(match, labels), waiting)))
        foot = f"-# {say('mark', mark=mark(match, state, story))}"
        return Content(("\n".join(lines), picture, standing), rows, foot=foot)

    def held(self, match: Match, why: Fault) -> Content:
        """The table of a match that cannot be played on: that it is so, whatever else is wrong with it."""
        labels = Labels((), texts(language(match.locale)))
        return Content((f"## {self.title(match, labels)}\n{labels.say(f'refused.{why.key}', code=why.code)}",))

    def call(self, match: Match) -> Content | None:
        """The call for substitutes; None where nobody looks for one. Seats that computers hold are had at the table."""
        labels = self.labels(match)
        offered = [chair for chair in match.people if chair.offered] if match.status is Status.PLAYING else []
        row = offer_row(match, offered, labels)
        if not row:
            return None
        who = labels.list([labels.who(chair.number) for chair in offered])
        return Content((labels.say("seat.call", table=self.link(match, labels), who=who),), (row,))

    def _status_line(self, match: Match, labels: Labels) -> str:
        """Whose turn it is and since when; or how it ended, with the secret."""
        say = labels.say
        if match.status is Status.CANCELLED:
            return say("end.cancelled")
        if match.status is Status.STOPPED:
            return f"{say(f'end.{match.ending}')}\n{fairness.opened(match, self._host.game(match), labels)}".rstrip()
        state = self._host.state(match)
        outcome = state.outcome()
        if outcome is not None:
            winners = labels.list([labels.who(seat) for seat in sorted(outcome.winners)])
            key = "end.won" if outcome.winners else "end.nobody"
            return (
                f"### {say(key, winners=winners)}\n{_sentence(say(f'outcome.{outcome.reason}'))}\n"
                f"{renderer(match.game).score(state.view(None), labels)}\n"
                f"{fairness.opened(match, self._host.game(match), labels)}"
            ).rstrip()
        waited = [
            clockface.with_end(
                match, chair.number, labels.who(chair.number) if chair.user is None else f"<@{chair.user}>", labels
            )
            for chair in match.chairs
            if Seat(chair.number) in state.to_move()
        ]
        turn = say(clockface.turn_key(match, "waits"), who=labels.list(waited), since=clockface.waited_since(match))
        if match.rests_since is not None:
            turn = say(_rest_key(match), since=clockface.relative(match.rests_since))
        # Until the first move the commitment and the cuts stand here; anybody may note them down.
        return turn if match.moves else f"{turn}\n{fairness.promise(match, self._host.game(match), labels)}".rstrip()

    def _table_rows(self, match: Match, labels: Labels) -> tuple[Row, ...]:
        say = labels.say
        if match.status in (Status.CANCELLED, Status.STOPPED, Status.OVER):
            return (
                (
                    Button(say("button.log"), Id(match.id, "log")),
                    Button(say("button.verify"), Id(match.id, "verify")),
                    Button(say("button.again"), Id(match.id, "again"), "success"),
                ),
            )
        return (
            (
                Button(say("button.hand"), Id(match.id, "hand"), "primary"),
                Button(say("button.board"), Id(match.id, "board")),
                Button(say("button.last"), Id(match.id, "last")),
                Button(say("button.rules"), Id(match.id, "rules")),
                Button(say("button.log"), Id(match.id, "log")),
            ),
        )

    async def hand(
        self,
        match: Match,
        person: Person,
        path: Sequence[str] = (),
        notice: str = "",
        passing: tuple[Button, ...] = (),
    ) -> Content:
        """One person's own hand with the moves that they may make now, and a note where there is news.

        It speaks the person's language, as the answer to a press and as a direct message. `path` is the way into a
        choice of several steps; `notice` and `passing` belong to the answer alone. The person is seated.
        """
        seat = match.seat_of(person.user)
        assert seat is not None
        labels, drawn, state = self.labels(match, person.locale), renderer(match.game), self._host.state(match)
        view, me = state.view(Seat(seat)), Seat(seat)
        moves = state.legal_moves(me) if match.running else ()
        turn = self._host.turn(match, me)
        path, spoken = tuple(path), language(person.locale or match.locale)
        shown = (match.game, view, labels.names, path, spoken)
        png = await self._drawing.picture(shown, lambda: drawn.draw(view, labels, path))
        parts: list[str | Picture] = [self._hand_head(match, labels, me)]
        parts.append(Picture("hand.png", png, drawn.describe(view, labels)))
        rows: list[Row] = []
        if moves:
            prompt = drawn.prompt(view, moves, path, labels)
            parts.append(prompt.question)
            rows += prompt_rows(prompt, match.id, turn)
        if person.wants_text:
            parts.insert(2, _fitting(drawn.transcript(view, labels), [*parts, notice]))
        ways_back = [Button(labels.say("button.back"), Id(match.id, "path", turn))] if moves and path else []
        ways_back += await self._ways_back(match, person, me, labels)
        if ways_back:
            rows.append(tuple(ways_back))
        rows.append(
            (
                Button(labels.say("button.table"), url=table_link(match)),
                Button(labels.say("button.last"), Id(match.id, "last")),
                Button(labels.say("button.log"), Id(match.id, "log")),
                Button(labels.say("button.rules"), Id(match.id, "rules")),
                *([Button(labels.say("button.settings"), Id(match.id, "mine"))] if match.open else []),
            )
        )
        return Content(tuple(parts), tuple(rows), person.user, notice, passing)

    async def _ways_back(self, match: Match, person: Person, seat: Seat, labels: Labels) -> list[Button]:
        """To before the last move, to the table after an absence, and to what has happened since."""
        ways = []
        if await self._host.person_may_take_back(match, seat):
            ways.append(Button(labels.say("button.undo"), Id(match.id, "undo", self._host.turn(match, seat))))
        if seat in {chair.number for chair in absent(match)}:
            ways.append(Button(labels.say("clock.back"), Id(match.id, "here"), "success"))
        if missed(match, await self._host.story(match), person.user).much(match):
            ways.append(catch_up_button(match, labels))
        return ways

    def _hand_head(self, match: Match, labels: Labels, seat: Seat) -> str:
        say, state = labels.say, self._host.state(match)
        lines = [f"### {self.link(match, labels)}"]
        if not match.open:
            lines.append(self._status_line(match, labels))
        elif match.paused:
            lines.append(say("turn.paused", until=f"<t:{paused_until(match)}:D>"))
        elif match.rests_since is not None:
            lines.append(say(_rest_key(match), since=clockface.relative(match.rests_since)))
        elif (clock := clock_of(match, seat)) is not None and clock.away is not None:
            lines.append(say("clock.you_are_away"))
        elif clock is not None and clock.ends is not None:
            last = "clock.last" if self._host.is_last(match, seat) else "clock.yours"
            key = _LATE.get(clock.stage, last)
            lines.append(say(key, ends=clockface.relative(clock.ends)))
        elif seat in state.to_move():
            key = "turn.last" if self._host.is_last(match, seat) else "turn.yours"
            lines.append(say(key, since=clockface.waited_since(match)))
        else:
            waited = [clockface.with_end(match, s, labels.who(s), labels) for s in sorted(state.to_move())]
            lines.append(say("turn.not_yours", who=labels.list(waited), since=clockface.waited_since(match)))
        return "\n".join(lines)

    async def board(self, match: Match, person: Person, locale: str) -> Content:
        """The table for one person, as an onlooker sees it whoever they are: what just happened, whose turn it is, how
        it stands.
        """
        labels, drawn = self.labels(match, locale), renderer(match.game)
        view = self._host.state(match).view(None)
        spoken = language(locale)
        png = await self._drawing.picture((match.game, view, labels.names, spoken), lambda: drawn.draw(view, labels))
        recent = (await self._host.story(match))[-MOST_EVENTS:]
        happened = "\n".join(newest(self.sentences(match, recent, None, labels, MOST_SENTENCES), MOST_HAPPENED))
        head = f"### {self.link(match, labels)}\n{happened}".rstrip()
        parts: list[str | Picture] = [head, Picture("table.png", png, drawn.describe(view, labels))]
        parts += [self._status_line(match, labels)] if match.open else []
        parts.append(drawn.score(view, labels))
        if person.wants_text:
            parts[0] = head.splitlines()[0]  # what happened is told at the table: here the room is the transcript's
            parts.append(_fitting(drawn.transcript(view, labels), parts))
        row = (Button(labels.say("button.refresh"), Id(match.id, "board")),)
        return Content(tuple(parts), (row,), person.user)

    async def last(self, match: Match, user: int, locale: str) -> Content:
        """The last trick or reveal, where the rules let everybody look back at it."""
        labels, view = self.labels(match, locale), self._host.state(match).view(None)
        found = await self._drawing.run(renderer(match.game).last, view, labels)
        if found is None:
            return Content((labels.say("last.none"),), user=user)
        png, words = found
        return Content((written(words), Picture("last.png", png, words)), user=user)

    async def catch_up(self, match: Match, person: Person) -> Content:
        """What has happened since somebody's own last move: in one paragraph, as far as the rules let their seat look
        back, and in one picture. That is the last trick or reveal where it was in the meantime, else their hand.
        """
        seat = match.seat_of(person.user)
        assert seat is not None
        labels, state = self.labels(match, person.locale), self._host.state(match)
        found = missed(match, await self._host.story(match), person.user)
        told = paragraph(self._host.game(match), match, found, seat, labels) or labels.say("catch_up.nothing")
        parts: list[str | Picture] = [f"### {self.link(match, labels)}\n{told}"]
        before = (await self._host.position(match, found.since)).view(None)
        last = renderer(match.game).last
        shown = await self._drawing.run(last, state.view(None), labels)
        if shown is not None and shown != await self._drawing.run(last, before, labels):
            png, words = shown
            parts.append(Picture("last.png", png, words))
        else:
            hand = await self.hand(match, person)
            parts += [part for part in hand.parts if isinstance(part, Picture)]
            words = renderer(match.game).transcript(state.view(Seat(seat)), labels)
        if person.wants_text:
            parts.append(_fitting(words, parts))
        return Content(tuple(parts), ((Button(labels.say("button.log"), Id(match.id, "log")),),), person.user)

    async def log(self, match: Match, user: int, locale: str, page: int) -> Content:
        """What has happened, as far as the rules let this person look back; the last page first (0)."""
        labels = self.labels(match, locale)
        seat = match.seat_of(user)
        lines = self.sentences(match, await self._host.story(match), seat, labels)
        found = pages(lines)
        page = min(max(page, 0), len(found) - 1)
        shown = found[-1 - page] if found else labels.say("log.empty")
        title = labels.say("log.title", game=self._host.game(match).title, number=match.id)
        row = (
            Button(labels.say("log.older"), Id(match.id, "log", rest=str(page + 1)), disabled=page + 1 >= len(found)),
            Button(labels.say("log.newer"), Id(match.id, "log", rest=str(page - 1)), disabled=page == 0),
        )
        return Content((f"### {title}", shown), (row,) if len(found) > 1 else (), user)

    async def rules(self, slug: str, user: int, locale: str, match: Match | None = None) -> Content:
        """The rules of a game in our own words, with the values of its deck table, or of the one a match began with.

        With it comes a turn to look at: the table and a hand of a match that nobody has played.
        """
        game, drawn, spoken = self._host.games[slug], renderer(slug), language(locale)
        deck = (match.options.get("deck") if match is not None else None) or self._lobby.deck(slug)
        state, seats, seat = await self._drawing.run(example, game, deck)
        labels = Labels(COMPUTERS[:seats], texts(spoken, slug))
        parts: list[str | Picture] = [f"## {game.title}", drawn.rules(deck, labels)]
        for name, viewer in (("table", None), ("hand", seat)):
            view = state.view(viewer)
            png = await self._drawing.picture((slug, view, labels.names, spoken), partial(drawn.draw, view, labels))
            parts.append(labels.say(f"rules.{name}", name=labels.name(seat)))
            parts.append(Picture(f"{name}.png", png, drawn.describe(view, labels)))
        return Content(tuple(parts), user=user)

    def verdict(self, match: Match, user: int, locale: str, verdict: Verdict) -> Content:
        """What `/verify` found, deal by deal."""
        return fairness.report(match, self._host.game(match), user, self.labels(match, locale), verdict)

    def sentences(
        self, match: Match, story: Sequence[LoggedEvent], seat: int | None, labels: Labels, most: int | None = None
    ) -> list[str]:
        """What happened, oldest first, as far as this viewer saw it and may still look back at it; the last `most`."""
        return sentences(self._host.game(match), match, story, seat, labels, most)

    def refusal(self, match: Match, user: int, error: IllegalMove, locale: str) -> str:
        """Why a move was refused, and what would be legal."""
        labels = self.labels(match, locale)
        seat = match.seat_of(user)
        state = self._host.state(match)
        moves = state.legal_moves(Seat(seat)) if seat is not None else ()
        why = labels.refusal(error)
        if not moves:
            return why
        words = shortened(", ".join(self.words(match, user, locale).values()), 900)
        return f"{why}\n{labels.say('refused.legal', moves=written(words))}"

    def words(self, match: Match, user: int, locale: str) -> dict[str, str]:
        """The legal moves of a person in a running match, by their notation, in the game's words: plain text, which
        may hold names.
        """
        seat = match.seat_of(user)
        if seat is None or not match.running:
            return {}
        state, labels, drawn = self._host.state(match), self.labels(match, locale), renderer(match.game)
        view = state.view(Seat(seat))
        return {str(move): drawn.word(view, move, labels) for move in state.legal_moves(Seat(seat))}


def table_link(match: Match) -> str:
    return f"https://discord.com/channels/{match.guild}/{match.place}"


def left_behind(match: Match, title: str, labels: Labels) -> Content:
    """Return the message at the place that a table has left: where the table is now."""
    return Content((f"## {title}\n{labels.say('table_moved', place=f'<#{match.place}>')}",))


def _rest_key(match: Match) -> str:
    """The key of the sentence that says that a match rests, and why."""
    return "turn.behind" if match.doubt is RestoreCheck.BEHIND else "turn.rests"


def _fitting(text: str, parts: Sequence[str | Picture]) -> str:
    """What a picture says in words, for a message, as far as its other parts leave room."""
    room = MOST_TEXT - sum(len(part) for part in parts if isinstance(part, str))
    return shortened(written(text), room)


def _sentence(text: str) -> str:
    """The text with a capital letter: what follows a colon elsewhere stands in a line of its own here."""
    return text[:1].upper() + text[1:]
