"""People who play a whole match on a `Simulation`; they choose at random among the moves that the bot offers.

After every decision the table checks that the bot recorded the move, that no person saw another player's secret, and
that the bot pinged exactly the players whom the table waits for.
"""

from __future__ import annotations

import re
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

import rules.core.coach
import rules.core.computer
from cogs.messages.names import in_lists
from data.records.match import Match, Status
from rendering import renderer
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.chance import Shuffled
from rules.core.game import AnyState, Seat
from tests.support.hasty import HASTY_COACH, hasty_levels
from tests.support.shown import Offer, Shown, offers, raw
from tests.support.simulation import Simulation

DM, MY_HAND, WORDS = "by direct message", "through My hand", "in words"
OWN = re.compile(r"1/\d+/(move|path|pick|undo)/|[Yy]ou have chosen |[Yy]ou pledged |[Pp]ledge \d|Your hand:")
"""Texts that appear only in a person's own hand."""
MOST_MOVES = 1_000


def fewest_seats(slug: str) -> int:
    """Return the fewest seats, at least two, of a match of this game."""
    return next(seats for seats in GAMES[slug].seats if seats > 1)


def shortest_options(slug: str, seats: int) -> dict[str, str]:
    """Return the options that make a match short: the smallest value of each numeric option."""
    options = GAMES[slug].options(seats, {})
    return {
        option.name: str(min(int(value) for value in option.values))
        for option in options
        if type(option.default) is int
    }


def secret_cards(state: AnyState, labels: Labels) -> dict[Seat, list[re.Pattern[str]]]:
    """Return what only one seat may read now: the cards of its hand that exist once, such as "B9" or "Blue 9"."""
    found = {}
    for seat in map(Seat, range(len(labels.names))):
        cards = [card for card in getattr(state.view(seat), "hand", ()) if re.fullmatch(r"[A-Z]\d+", card)]
        suits = {card: labels.texts.get(f"suit.{card[0]}", card[0]) for card in cards}
        found[seat] = [re.compile(rf"\b({card}|{suits[card]} {card[1:]})\b") for card in cards]
    return found


def secret_sentences(slug: str, state: AnyState, labels: Labels) -> dict[Seat, set[str]]:
    """Return the sentences that only one seat's view says, and that others cannot know ("Your hand: Red, Wild."): in a
    redeal that the others cannot tell apart, the view says something else.
    """
    seats = [Seat(seat) for seat in range(len(labels.names))]
    redeals = [state.redeal_unseen(None, f"redeal {number}") for number in range(2)]
    told = {viewer: view_sentences(slug, state.view(viewer), labels) for viewer in (*seats, None)}
    found = {}
    for seat in seats:
        known = set.intersection(*(view_sentences(slug, other.view(seat), labels) for other in redeals))
        found[seat] = told[seat].difference(known, *(told[viewer] for viewer in told if viewer != seat))
    return found


def view_sentences(slug: str, view: Any, labels: Labels) -> set[str]:
    """Return the sentences of a view that state a fact: "Your hand: Red, Wild.", but not "Play a card."."""
    drawn = renderer(slug)
    told = "\n".join(tell(view, labels) for tell in (drawn.describe, drawn.transcript, drawn.score))
    return {sentence for sentence in re.split(r"\n|(?<=[.!?]) ", told) if ": " in sentence}


class Table:
    """One match with its people. `ways`: how each person makes decisions; the default is by direct message."""

    def __init__(self, sim: Simulation, number: int, seed: str, ways: dict[str, str] | None = None) -> None:
        print(f"choices by seed {seed}")
        self.sim = sim
        self.number = number
        self.random = Random(seed)
        self.ways = ways or {}
        self.known_turns: dict[int, str] = {}
        """The turn that each user knows of: by a ping, or by the answer to a press."""
        self.commitment = ""
        self.cursor = 0

    @classmethod
    async def open(
        cls,
        sim: Simulation,
        game: str,
        people: list[MemberActor],
        *,
        seed: str,
        computers: int = 0,
        options: dict[str, str] | None = None,
        ways: dict[str, str] | None = None,
    ) -> Table:
        """Open a table, from /play to a lobby that is ready to start."""
        host, *others = people
        said = await sim.slash(host, "play", game=game)
        table = cls(sim, int(re.findall(r"table (\d+)", said)[0]), seed, ways)
        for person in others:
            await sim.press(person, sim.board(), "Join")
        await sim.greeted()
        for _ in range(computers):
            await sim.press(host, sim.board(), "Add computer")
        for option, value in (options or {}).items():
            await sim.press(host, sim.board(), f"1/{table.number}/option//{option}", value)
        said = sim.said(await sim.press(host, sim.board(), "🔒 Fair deal"))
        (table.commitment,) = re.findall(r"`([0-9a-f]{64})`", said)
        return table

    @classmethod
    async def begin(cls, *where: Any, **how: Any) -> Table:
        """Open a table and start its match. `how`: that of `open`."""
        table = await cls.open(*where, **how)
        await table.start()
        return table

    async def start(self) -> None:
        """Press Start. All people who take direct messages get their hand that way, which pings the players to move."""
        self.cursor = self.sim.cursor
        await self.sim.press(self.people[0], self.sim.board(), "Start")
        match, state = await self.now()
        assert match.status is Status.PLAYING
        due_turns = self.due_turns(match, state)
        for person in self.people:
            if await self._reached_by_dm(person.id):
                assert self.sim.hand(person)
        assert sorted(self.sim.pings(self.cursor)) == sorted(due_turns)
        self.known_turns = due_turns
        await self.check_secrecy(match, state)

    @property
    def people(self) -> list[MemberActor]:
        return list(self.sim.people.values())

    async def now(self) -> tuple[Match, AnyState]:
        match = await self.sim.match(self.number)
        return match, self.sim.service.state(match)

    async def mover(self) -> MemberActor:
        """Return the person of the first seat to move."""
        match, state = await self.now()
        return self.sim.by_id(match.chairs[min(state.to_move())].player)

    async def asked(self) -> tuple[Seat, MemberActor, str]:
        """Return the only seat to move, its person, and the turn token."""
        match, state = await self.now()
        (seat,) = state.to_move()
        return seat, self.sim.by_id(match.chairs[seat].player), self.sim.service.turn(match, seat)

    @property
    def channel(self) -> ChannelHandle:
        """Return the place of the table: the channel, or the table's thread."""
        return next(
            (thread for thread in self.sim.channel.threads if str(self.number) in (thread.name or "")), self.sim.channel
        )

    # Playing.

    async def play(self, until: Any = lambda match, state: False) -> Match:
        """Play on until `until` returns true, or to the end."""
        for _ in range(MOST_MOVES):
            match, state = await self.now()
            if match.status is not Status.PLAYING or until(match, state):
                return match
            await self.step(match, state)
        raise AssertionError("the match does not end")

    async def step(self, match: Match, state: AnyState) -> None:
        """Make one decision of a player to move, or now and then change that of a player who may."""
        seats = {Seat(chair.number): self.sim.by_id(chair.user) for chair in match.people if chair.user is not None}
        to_move = sorted(seat for seat in seats if seat in state.to_move())
        may_change = [seat for seat in seats if seat not in to_move and state.legal_moves(seat)]
        again = bool(may_change) and self.random.random() < 0.15
        seat = self.random.choice(may_change if again else to_move)
        self.cursor = self.sim.cursor
        result = await self.decide(seats[seat])
        before, (after, state) = state, await self.now()
        assert after.moves > match.moves
        assert "✓ Done: " in self.sim.said(result) or not after.open, "an ending tells no move"
        at_once = await self._know_of_next_turn(match, before, seat)
        if after.status is Status.OVER:
            self._check_told(after, seat if at_once.outcome() is not None else None)
        else:
            self._check_pings(after, state, self._left_alone(match, before, at_once))
        await self.check_secrecy(after, state)
        if again:
            others = [shown for shown in self.sim.shown(self.cursor) if shown.viewer != seats[seat].id]
            assert not others, f"a changed decision is shown to others: {others}"

    async def decide(self, person: MemberActor) -> InteractionResult:
        """Make one decision in this person's way."""
        way = self.ways.get(person.name, DM)
        if way == WORDS:
            return await self._decide_in_words(person)
        if way == MY_HAND:
            shown = await self.sim.press(person, self.sim.board(self.channel), "My hand")
            assert shown.response is not None and shown.response.ephemeral
            hand: Any = shown.response
        else:
            hand = self.sim.hand(person)
        for _ in range(5):
            offer = self.random.choice(self._offers(hand))
            result = await self.press(person, hand, offer)
            if offer.action == "move":
                return result
            if way == DM:
                hand = self.sim.hand(person)
        raise AssertionError("too many steps to a move")

    async def press(self, person: MemberActor, hand: Any, offer: Offer) -> InteractionResult:
        return await self.sim.press(person, hand, offer.custom_id, offer.value)

    async def substitute(self, person: MemberActor, name: str) -> MemberActor:
        """Let a new member of that name take the seat, which that person offers; return the new player."""
        match, _ = await self.now()
        (new,) = self.sim.join_server(name)
        await self.sim.forge(person, f"1/{match.id}/offer//1")
        await self.sim.forge(new, f"1/{match.id}/take//{match.seat_of(person.id)}")
        return new

    def _offers(self, hand: Any) -> list[Offer]:
        found = offers({"components": hand.components} if not hasattr(hand, "guild") else raw(hand))
        assert found, "the hand of a player to move offers no move"
        return found

    async def _decide_in_words(self, person: MemberActor) -> InteractionResult:
        """Use /move with a choice of its completion: its value, or its name as the list shows it."""
        choices = await person.autocomplete(self.channel, "move", "move", "", table=self.number)
        choice = self.random.choice(choices)
        assert choice in await person.autocomplete(self.channel, "move", "move", choice["name"], table=self.number)
        typed = choice[self.random.choice(("name", "value"))]
        return await person.slash(self.channel, "move", move=typed, table=self.number)

    # Checks.

    def due_turns(self, match: Match, state: AnyState) -> dict[int, str]:
        """Return the users that the table waits for, each with the turn."""
        return {
            chair.user: state.turn(Seat(chair.number))
            for chair in match.people
            if chair.user is not None and Seat(chair.number) in state.to_move()
        }

    async def _reached_by_dm(self, user: int) -> bool:
        person = await self.sim.service.people.get(user)
        return person is not None and bool(person.dm_works)

    async def _know_of_next_turn(self, match: Match, before: AnyState, seat: Seat) -> AnyState:
        """Check that a player who must decide again sees so in the answer. Return the position after the decision."""
        decision = (await self.sim.matches.moves(self.number))[match.moves]
        at_once, _ = before.apply(self.sim.service.game(match).parse(seat, decision.text))
        if seat in at_once.to_move():
            user = match.chairs[seat].user
            assert user is not None, "a person has decided"
            self.known_turns[user] = at_once.turn(seat)
        return at_once

    def _left_alone(self, match: Match, before: AnyState, at_once: AnyState) -> list[int]:
        """Return the user, if any, who is the last of several that the table waits for since this decision."""
        was, left = self.due_turns(match, before), self.due_turns(match, at_once)
        return [user for user, turn in left.items() if len(left) == 1 < len(was) and was.get(user) == turn]

    def _check_told(self, match: Match, mover: Seat | None) -> None:
        """Check that the end is told in one new public message, and pings each player once; not the one who saw it in
        the answer to their own move.
        """
        told = [shown for shown in self.sim.public(self.cursor) if "again//end" in shown.all_text]
        assert [shown.method for shown in told] == ["POST"], told
        due = [chair.user for chair in match.people if chair.number != mover]
        assert sorted(self.sim.pings(self.cursor)) == sorted(user for user in due if user is not None)

    def _check_pings(self, match: Match, state: AnyState, alone: list[int]) -> None:
        """Check that each turn pings each player to move once, the last one once more, and no other user."""
        due_turns = self.due_turns(match, state) if match.status is Status.PLAYING else {}
        due = [user for user, turn in due_turns.items() if self.known_turns.get(user) != turn] + alone
        assert sorted(self.sim.pings(self.cursor)) == sorted(due)
        self.known_turns.update(due_turns)

    async def check_secrecy(self, match: Match, state: AnyState) -> None:
        """Check that no person saw, or can see, another player's cards, and that no hand is public."""
        labels = self.sim.app.messages.labels(match)
        cards, sentences = secret_cards(state, labels), secret_sentences(match.game, state, labels)
        deals = sum(isinstance(told.event, Shuffled) for told in await self.sim.service.events_of(match))
        shown = [(shown.viewer, shown.all_text) for shown in self.sim.shown(self.cursor)]
        standing = [(person.id, text) for person in self.people for text in self.sim.visible(person)]
        for viewer, text in [*shown, *standing]:
            assert viewer is not None or not OWN.search(text), text
        for chair in match.people:
            seat = Seat(chair.number)
            # Newly dealt cards may have been another player's before, and appear in their old messages.
            for viewer, text in [*shown, *standing] if deals < 2 else ():
                for pattern in cards[seat] if viewer != chair.user else ():
                    assert not pattern.search(text), f"{chair.name}'s {pattern.pattern} before {viewer}: {text}"
            # Only new messages: an old one may have what its reader was allowed to know then.
            for viewer, text in shown:
                for sentence in sentences[seat] if viewer != chair.user else ():
                    assert sentence not in text, f"{chair.name}'s {sentence!r} before {viewer}: {text}"

    async def check_end(self) -> None:
        """Check that the message that tells the end shows the result, and *Fair deal* the seed that the bot had
        committed to.
        """
        sim, (match, state) = self.sim, await self.now()
        assert match.status is Status.OVER
        outcome = state.outcome()
        assert outcome is not None
        text = Shown(None, "", 0, raw(sim.board(self.channel))).text
        for winner in outcome.winners:
            assert winner >= len(match.chairs) or match.chairs[winner].name in text
        labels = in_lists(match, sim.app.messages.labels(match))
        assert renderer(match.game).score(state.view(None), labels) in text
        assert labels.say(f"outcome.{outcome.reason}").lower() in text.lower()
        fair = sim.said(await sim.press(self.people[0], sim.board(self.channel), "🔒 Fair deal"))
        assert self.commitment in fair
        seed = re.findall(r"here is the secret:\n`([0-9a-f]+)`", fair)[0]
        assert sha256(seed.encode()).hexdigest() == self.commitment
        said = await sim.slash(self.people[0], "verify", self.channel, table=self.number)
        assert "✓ Everything checks out: the seed is the promised one" in said
        assert seed in said
        assert "✗" not in said


def fast_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let computers and advice try only a few playouts."""
    monkeypatch.setattr(rules.core.computer, "LEVELS", hasty_levels())
    for name, few in HASTY_COACH.items():
        monkeypatch.setattr(rules.core.coach, name, few)
