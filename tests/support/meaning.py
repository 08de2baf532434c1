"""What people read and can press, judged against the matches as they are. All that the bot shows stands in the
simulated Discord, and `Reader.contradictions` reads every message there.

A sentence is known by its key in the texts, so its words are free. `CLAIMS` says of each sentence about the present
when it is true. A picture is about the present too: its alt text must be that of the position as it is now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from cogs.match.reminders import may_nudge, nudge_from
from cogs.messages.content import Id, exact
from cogs.messages.replay import STEP
from data.content.texts import DEFAULT, texts
from data.records.match import Match, Status
from rendering import renderer
from rules import GAMES
from rules.core.game import Seat
from tests.support import apicheck
from tests.support.shown import BUTTON, SELECT, words
from tests.support.simulation import Simulation

PRESENT = re.compile(r"/(?:hand|table)\.(?:png|webp)")
"""The files of pictures that show a position as it is."""
LOOKING_BACK = {STEP, "rulebook"}
"""Actions that are offered only by messages about the past, or about an example."""
ASKS_FIRST = {
    "cancel/sure": "cancel",
    "cancel/lobby": "cancel",
    "vote_sure/end": "vote//end",
    "vote_sure/together": "vote//end",
    "give_seat/": "resign",
}
"""The buttons below a question, each with the button that leads to that question."""
STILL = texts(DEFAULT)["turn.still"]
"""A hand that is kept up to date no more says so."""
_TABLE = re.compile(rf"(?:{'|'.join(game.title for game in GAMES.values())}) · table (\d+)")
_ADDRESS = re.compile(r"(?<!\]\()https?://\S+")
"""An address that is no link with a name."""
_MENTION = re.compile(r"<@(\d+)>")


class Control(NamedTuple):
    """A button, or an entry of a select, which then has a value."""

    id: Id
    value: str | None
    label: str

    @property
    def key(self) -> tuple[str, str | None]:
        return str(self.id), self.value


@dataclass(frozen=True)
class Standing:
    """A message of the bot that can be seen now. `viewer`: the only one who sees it; None: all members. Most messages
    stand there after many steps: what is in one is looked for once.
    """

    number: int
    channel: int
    viewer: int | None
    body: dict[str, Any]
    answers: bool
    """Whether it answers a press or a command."""

    @cached_property
    def parts(self) -> tuple[Mapping[str, Any], ...]:
        """All components, nested ones too."""
        return tuple(apicheck.components(self.body))

    @cached_property
    def text(self) -> str:
        return "\n".join(words(self.body))

    def controls(self) -> tuple[Control, ...]:
        """Return what can be pressed or chosen in it."""
        return self._controls

    @cached_property
    def _controls(self) -> tuple[Control, ...]:
        return tuple(self._found())

    def _found(self) -> Iterator[Control]:
        for part in self.parts:
            found = Id.parse(part.get("custom_id", ""))
            if found is None or part.get("disabled"):
                continue
            if part["type"] == BUTTON:
                yield Control(found, None, part.get("label") or "")
            elif part["type"] == SELECT:
                for option in part["options"]:
                    yield Control(found, option["value"], option["label"])

    def pictures(self) -> Iterator[tuple[str, str]]:
        """Yield the address and the alt text of each picture."""
        for part in self.parts:
            if part["type"] == apicheck.GALLERY:
                for item in part["items"]:
                    yield item["media"]["url"], item.get("description") or ""

    @cached_property
    def matches(self) -> frozenset[int]:
        named = {int(number) for number in _TABLE.findall(self.text)}
        return frozenset(named | {found.id.match for found in self._controls if found.id.match})


_READ: WeakKeyDictionary[Simulation, dict[int, Standing]] = WeakKeyDictionary()
"""The messages of each simulation as they were last read, by number."""


def standing(sim: Simulation) -> Iterator[Standing]:
    """Yield all messages of the bot that can be seen, those of each channel in their order."""
    backend, read = sim.env.backend, _READ.setdefault(sim, {})
    own = {channel: user for user, channel in backend.dm_channels.items()}
    for channel in backend.channels.values():
        for message in backend.messages.get(channel.id, {}).values():
            if sim.bot.user is None or message.author_id != sim.bot.user.id:
                continue
            body = {"content": message.content, "components": message.components}
            if (found := read.get(message.id)) is not None and found.body == body:
                yield found
                continue
            asked = (message.interaction_metadata or {}).get("user", {}).get("id") if message.is_ephemeral else None
            viewer = own.get(channel.id) or (None if asked is None else int(asked))
            found = Standing(message.id, channel.id, viewer, body, message.interaction_metadata is not None)
            read[message.id] = found
            yield found


# What a sentence claims.


class Facts(NamedTuple):
    """A match now, and who reads a sentence about it. `filled`: what stands in the sentence's places. `turn`: that of
    the reader when the sentence was first read.
    """

    sim: Simulation
    match: Match
    reader: int | None
    filled: dict[str, str]
    turn: str

    @property
    def to_move(self) -> set[int]:
        if not self.match.running:
            return set()
        return {int(seat) for seat in self.sim.service.state(self.match).to_move()}


Claim = Callable[[Facts], bool]


def is_lobby(facts: Facts) -> bool:
    return facts.match.status is Status.LOBBY


def is_played(facts: Facts) -> bool:
    return facts.match.status is Status.PLAYING


def rests(facts: Facts) -> bool:
    return is_played(facts) and facts.match.rests_since is not None


def waits_for_reader(facts: Facts) -> bool:
    return any(facts.match.chairs[seat].user == facts.reader for seat in facts.to_move)


def is_undecided(facts: Facts) -> bool:
    """The reader still has the decision that they had when they first read it."""
    seat = facts.match.seat_of(facts.reader or 0)
    if seat is None or not facts.match.running or turn_of(facts.sim, facts.match, facts.reader) != facts.turn:
        return False
    return bool(facts.sim.service.state(facts.match).legal_moves(Seat(seat)))


def turn_of(sim: Simulation, match: Match, reader: int | None) -> str:
    """Return the turn of that user; "" if there is none."""
    seat = match.seat_of(reader or 0)
    return sim.service.turn(match, Seat(seat)) if seat is not None and match.state is not None else ""


def waits_for(facts: Facts) -> bool:
    """The players named are those to move."""
    who, chairs = facts.filled["who"], facts.match.chairs
    named = {chair.number for chair in chairs if f"<@{chair.user}>" in who or chair.name in who}
    return named == facts.to_move != set()


def is_called(facts: Facts) -> bool:
    """The players mentioned are to move."""
    called = {int(user) for user in _MENTION.findall(facts.filled["who"])}
    return called <= {facts.match.chairs[seat].user for seat in facts.to_move}


def is_offered(facts: Facts) -> bool:
    return is_played(facts) and any(chair.user == facts.reader and chair.offered for chair in facts.match.chairs)


def has_left(facts: Facts) -> bool:
    return is_played(facts) and facts.match.seat_of(facts.reader or 0) is None


def is_waiting(facts: Facts) -> bool:
    return any(who.user == facts.reader for who in facts.match.waiting)


def is_nudged_from(facts: Facts) -> bool:
    """The players may nudge from that instant on."""
    match = facts.match
    return match.running and bool(match.reminders) and facts.filled["time"] == exact(nudge_from(match))


_CLAIMS: dict[Claim, str] = {
    is_lobby: """lobby.ready lobby.ready_alone lobby.ready_host lobby.ready_full lobby.wants_start lobby.waiting
        lobby.more_head door.head_open door.head_closed computers.head team.head start.at start.missed_too_few
        start.missed_other cancel.ask duplicate.ask door.invitation invitation start.reminder alone.lobby done.declined
        games.lobby""",
    is_played: """cancel.ask_running resign.ask votes.ping votes.ask_end votes.ask_end_now seat.head seat.ask_reseat
        seat.call""",
    rests: "turn.rests games.rests",
    waits_for: "turn.waits clock.waits turn.not_yours games.waits lesson.not_yours",
    waits_for_reader: """turn.yours turn.last clock.yours clock.last clock.extended clock.returned games.yours
        games.yours_until""",
    is_undecided: """hint.best hint.equal hint.mixed hint.little hint.behind lesson.advised move.which
        move.which_of_many move.which_alike""",
    is_called: "ping ping_last nudge.reminder",
    is_offered: "done.offered",
    has_left: "done.resigned",
    is_waiting: "done.waits",
    is_nudged_from: "nudge.from",
}
CLAIMS = {key: claim for claim, keys in _CLAIMS.items() for key in keys.split()}
"""When each sentence about the present is true."""


@cache
def patterns() -> list[tuple[str, re.Pattern[str], Claim]]:
    """Return what recognises each sentence of `CLAIMS` in a line of a message."""
    worded = dict.fromkeys((key, texts(DEFAULT, game)[key]) for key in CLAIMS for game in GAMES)
    return [(key, _pattern(text), CLAIMS[key]) for key, text in worded]


def _pattern(text: str) -> re.Pattern[str]:
    places: list[str] = []

    def place(found: re.Match[str]) -> str:
        places.append(found[1])
        return f"(?P<{found[1]}>.+?)" if places.count(found[1]) == 1 else f"(?P={found[1]})"

    return re.compile(re.sub(r"\\\{(\w+)\\\}", place, re.escape(text)) + r"(?=$|\s)")


@cache
def claims(line: str) -> list[tuple[str, Claim, dict[str, str]]]:
    """Return the sentences of `CLAIMS` in a line of a message, each with what stands in its places. Most lines stand
    there after many steps.
    """
    return [(key, claim, told.groupdict()) for key, pattern, claim in patterns() if (told := pattern.search(line))]


@cache
def is_refusal(text: str) -> bool:
    """Return whether a text says only why something was refused. With a code it is for the operator, and stays."""
    return any(pattern.fullmatch(text.strip()) for pattern in _refusals())


@cache
def _refusals() -> list[re.Pattern[str]]:
    said = texts(DEFAULT).items()
    return [_pattern(text) for key, text in said if key.startswith("refused.") and "{code}" not in text]


class Reader:
    """Reads all messages again and again, and remembers what it has read before."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self._seen: dict[int, set[str]] = {}
        """The alt texts of all positions that each match has had."""
        self._first: dict[tuple[int, str], str] = {}
        """The reader's turn when a line of a message was first read, of the lines that stand there still."""
        self._lost: dict[int, dict[str, Any]] = {}

    def forget_answers(self) -> None:
        """Expect nothing of the answers that stand now until they show something else: the bot was started again."""
        self._lost = {message.number: message.body for message in standing(self.sim) if message.answers}

    async def contradictions(self) -> list[str]:
        """Return what the messages that can be seen now say of matches and is not so. Call it often: an alt text is
        known to be of the past if the position was once read.
        """
        sim, found = self.sim, list[str]()
        told = [message for message in standing(sim) if self._lost.get(message.number) != message.body]
        there = {(message.number, line) for message in told for line in message.text.splitlines()}
        self._first = {line: turn for line, turn in self._first.items() if line in there}
        matches = {
            n: m
            for n in sorted(set[int]().union(*(message.matches for message in told)))
            if (m := await sim.matches.get(n))
        }
        now = {number: self._alt_texts(match) for number, match in matches.items()}
        for message in told:
            numbers = message.matches & matches.keys()
            found += self._nudges(message, matches)
            found += [f"an address without a name: {raw}{_where(message)}" for raw in _ADDRESS.findall(message.text)]
            for line in message.text.splitlines():
                about = {int(number) for number in _TABLE.findall(line)} & matches.keys() or numbers
                if len(about) == 1:
                    found += self._judged(message, line, matches[next(iter(about))])
            if not {control.id.action for control in message.controls()} & LOOKING_BACK and STILL not in message.text:
                for number in numbers:
                    past = self._seen.get(number, set()) - now[number]
                    found += [
                        f"a picture of the past: {alt!r}{_where(message)}"
                        for url, alt in message.pictures()
                        if PRESENT.search(url) and alt in past
                    ]
        for number, alts in now.items():
            self._seen.setdefault(number, set()).update(alts)
        return found

    def _nudges(self, message: Standing, matches: dict[int, Match]) -> Iterator[str]:
        """Yield which buttons that nudge can be pressed before they work, and which cannot although they would work."""
        for part in message.parts:
            button = Id.parse(part.get("custom_id", ""))
            if button is None or button.action != "nudge" or button.match not in matches:
                continue
            works, match = may_nudge(matches[button.match], self.sim.service.now()), matches[button.match]
            if works == bool(part.get("disabled")):
                yield f"a button nudges: {not works}, of match {match.id}, which may be: {works}{_where(message)}"

    def _judged(self, message: Standing, line: str, match: Match) -> list[str]:
        """Return what a line says of a match and is not so. A mention in a channel is of its moment, as all talk there:
        it is to be true when it is first read, and goes when the next one comes, or with the match.
        """
        spoken = message.viewer is None and (message.number, line) in self._first
        turn = self._first.setdefault((message.number, line), turn_of(self.sim, match, message.viewer))
        return [
            f"{key} of match {match.id}, which is {match.status}: {line!r}{_where(message)}"
            for key, claim, filled in claims(line)
            if not (spoken and claim is is_called and match.open)
            and not claim(Facts(self.sim, match, message.viewer, filled, turn))
        ]

    def _alt_texts(self, match: Match) -> set[str]:
        if match.state is None:
            return set()
        messages, state = self.sim.app.messages, self.sim.service.state(match)
        labels = messages.halted(match, messages.labels(match))
        views = [state.view(None), *(state.view(Seat(chair.number)) for chair in match.chairs)]
        return {renderer(match.game).describe(view, labels) for view in views}


def _where(message: Standing) -> str:
    return f" in message {message.number} for {message.viewer or 'all'}"
