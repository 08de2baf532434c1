"""A first evening of five people who know neither the bot nor the games, played as they would play it: presses and
messages are counted, and what a phone shows is measured in Chromium.

A press is a command sent, a button pressed or an entry chosen. Two of the five type their moves.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from cogs.messages.content import Content
from cogs.transport import senders
from data.records.match import Match, Status
from data.records.people import PingPreference
from rules import GAMES
from rules.core.game import Seat
from tests.support.phone import SCREEN, Phone
from tests.support.simulation import Simulation, offers, raw
from tests.support.table import fewest_seats, shortest_options

NAMES = ("ann", "ben", "cleo", "dan", "eva")
TYPING = ("dan", "eva")
"""They type their moves, from the list that `/move` offers."""
ALONE, FRIEND = 5, 2
"""The most presses from nothing to the first move: of one person with computers, and of a friend who joins."""
MOST_PRESSES = {"full_sun": 1, "sea_change": 1, "siege_of_sunfall": 2, "full_circle": 2, "photosynthesis": 3}
"""The most presses of a move: two with boosts in Siege of Sunfall, three to plant from one of many trees."""
TURN, ACTIONS = 12, 5
"""The most presses of a turn of that many actions. Seen: 7.2 in Photosynthesis; in the other games a move takes one,
but for each wild of Full Circle and each boost of Siege of Sunfall, which take two. Nothing is scrolled in any.
"""
TABLE = 1.5
"""The most screens of a phone that a lobby or a table takes."""
HAND = 700
"""The most pixels that a hand takes, with the help of a first match."""
PAGE = 1.75
"""The most screens that a private page takes."""
LOOKS = ("Log", "Rules", "Players", "Scores", "🔒 Fair deal")
"""Buttons of the table that open a private page."""
MOST_MOVES = 2_000
PRESSED = 40
"""How many moves five friends press or type; the rest of their match is played without messages."""
OUTPUT = Path(__file__).parents[1] / "output" / "evening"
"""Where screenshots are left."""


class Evening:
    """One match of an evening. `presses` counts those of each person. `in_channel`: they play there alone, each in the
    private answer to *My hand*.
    """

    def __init__(self, sim: Simulation, game: str, *, in_channel: bool = False) -> None:
        self.sim, self.game, self.in_channel = sim, game, in_channel
        self.opened: dict[str, InteractionResult] = {}
        self.scrolls = 0
        """How many presses were in a hand below which another message stood."""
        self.random = Random(f"evening {game}")
        self.presses: Counter[str] = Counter()
        self.moves: Counter[int] = Counter()
        """How many moves took so many presses."""

    def name(self, person: MemberActor) -> str:
        return next(name for name, other in self.sim.people.items() if other is person)

    async def command(self, person: MemberActor, command: str, **options: Any) -> str:
        self.presses[self.name(person)] += 1
        return await self.sim.slash(person, command, **options)

    async def press(self, person: MemberActor, message: Any, what: str, value: str | None = None) -> Any:
        self.presses[self.name(person)] += 1
        return await self.sim.press(person, message, what, value)

    async def now(self) -> Match:
        return await self.sim.match()

    async def move(self, person: MemberActor) -> None:
        """Make a move of this person, who is to move: in their direct message, or typed."""
        await self.sim.caught_up()  # a computer may have moved at this moment
        before, presses = (await self.now()).moves, self.presses[self.name(person)]
        if self.name(person) in TYPING:
            choices = await person.autocomplete(self.sim.channel, "move", "move", "")
            assert choices, "the list shows moves without a letter typed"
            said = await self.command(person, "move", move=self.random.choice(choices)["value"])
            assert (await self.now()).moves > before, said
            return
        if self.in_channel and self.name(person) not in self.opened:
            self.opened[self.name(person)] = await self.press(person, self.sim.board(), "My hand")
            presses = self.presses[self.name(person)]
        for _ in range(4):
            hand = self.opened[self.name(person)].response if self.in_channel else self.sim.hand(person)
            body, channel = self.shown(person)
            if not offers(body):  # after a quarter of an hour
                await self.press(person, hand, "Refresh")
                body, channel = self.shown(person)
            self.scrolls += max(self.sim.env.backend.messages[channel]) > self.message(person)[1]
            offer = self.random.choice(offers(body))
            await self.press(person, hand, offer.custom_id, offer.value)
            if (await self.now()).moves > before:
                self.moves[self.presses[self.name(person)] - presses] += 1
                return
        raise AssertionError("too many presses for a move")

    def message(self, person: MemberActor) -> tuple[int, int]:
        """Return the channel and the number of the message that shows this person's hand."""
        if not self.in_channel:
            hand = self.sim.hand(person)
            return hand.channel.id, hand.id
        opened = self.opened[self.name(person)]
        response: Any = opened.response
        return self.sim.channel.id, response.id

    def shown(self, person: MemberActor) -> tuple[dict[str, Any], int]:
        """Return the hand as it is now, and its channel."""
        channel, number = self.message(person)
        if not self.in_channel:
            return raw(self.sim.hand(person)), channel
        return {"components": self.sim.env.backend.messages[channel][number].components}, channel

    async def turn(self) -> bool:
        """Let one person who is to move do so. Return whether there was one; else time passes for a computer."""
        match = await self.now()
        seats = sorted(self.sim.service.state(match).to_move())
        users = [user for seat in seats if (user := match.chairs[Seat(seat)].user) is not None]
        if users:
            await self.move(self.sim.by_id(self.random.choice(users)))
        else:
            await self.sim.env.advance_time(3)
        return bool(users)

    async def to_the_end(self) -> None:
        for _ in range(MOST_MOVES):
            if (await self.now()).status is not Status.PLAYING:
                return
            await self.turn()
        raise AssertionError("the match does not end")


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("in_channel", [False, True])
@pytest.mark.games("game", short=["full_circle"], long=GAMES)
async def test_a_match_with_computers_takes_few_presses_and_no_scrolling(
    sim: Simulation, in_channel: bool, game: str
) -> None:
    """To the first move and to the end, by direct message alone and in the channel alone, there without mentions: a
    mention is a line below the hand.
    """
    (ann,) = sim.join_server("ann")
    evening = Evening(sim, game, in_channel=in_channel)
    await evening.command(ann, "play", game=game)
    if in_channel:
        await sim.service.people.change(ann.id, ping=PingPreference.NONE)
    for _ in range(fewest_seats(game) - 1):
        await evening.press(ann, sim.board(), "Add computer")
    for name, value in shortest_options(game, fewest_seats(game)).items():
        await sim.press(ann, sim.board(), f"1/1/option//{name}", value)
    await evening.press(ann, sim.board(), "Start")
    await sim.greeted()
    while not await evening.turn():
        pass
    assert evening.presses["ann"] - in_channel <= ALONE, evening.presses
    await evening.to_the_end()
    moves = evening.moves.total()
    print(game, "channel" if in_channel else "message", evening.moves, evening.scrolls)
    presses = sum(count * times for count, times in evening.moves.items()) / moves
    assert evening.scrolls == 0
    assert max(evening.moves) <= MOST_PRESSES[game] and presses <= TURN / ACTIONS, evening.moves


@pytest.mark.usefixtures("plain")
@pytest.mark.games("game", short=["full_circle"], long=GAMES)
async def test_five_friends_play_an_evening(sim: Simulation, game: str) -> None:
    people = sim.join_server(*NAMES)
    most = max(GAMES[game].seats)
    players, watching = people[:most], people[most:]
    evening, cursor = Evening(sim, game), sim.cursor
    await evening.command(players[0], "play", game=game)
    for person in players[1:]:
        await evening.press(person, sim.board(), "Join")
    for name, value in shortest_options(game, len(players)).items():
        await sim.press(players[0], sim.board(), f"1/1/option//{name}", value)
    await evening.press(players[0], sim.board(), "Start")
    await sim.greeted()
    moved: set[str] = set()
    for _ in range(MOST_MOVES):
        match = await evening.now()
        if match.status is not Status.PLAYING or (len(moved) == len(players) and match.moves >= PRESSED):
            break
        before = dict(evening.presses)
        await evening.turn()
        for name, count in evening.presses.items():
            if count != before[name] and name not in moved:
                moved.add(name)
                assert name == "ann" or count <= FRIEND, f"{name} needs {count} presses to the first move"
    await sim.play_on(random=evening.random)
    new = [shown for shown in sim.public(cursor) if shown.method == "POST" and shown.channel == sim.channel.id]
    # Without the pings of those not yet reached directly, and the one of the host, which goes at the start.
    passing = ("*My hand* there", "enough players are here")
    new = [shown for shown in new if not any(said in shown.text for said in passing)]
    assert not any(passing[1] in message.content for message in sim.channel.history())
    assert len(new) == 2, "one message, and the one that tells the end"
    assert "won" in new[-1].text
    end = sim.board()
    if watching:  # an onlooker has the same end before them, and may play the next one that a player opens
        assert "Only a player" in sim.said(await evening.press(watching[0], end, "Play again"))
        assert "table 2" in sim.said(await evening.press(players[0], end, "Play again"))
        assert "table 2" in sim.said(await evening.press(watching[0], end, "Play again"))
    assert max(evening.moves) <= MOST_PRESSES[game], evening.moves


@pytest.mark.games("game", short=[], long=["photosynthesis", "sea_change"])
async def test_what_a_phone_shows(sim: Simulation, phone: Phone, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """The lobby, what is behind *More …*, the first hands with their lesson, the table, and what its buttons open."""
    shown: list[Content] = []
    made = senders.layout_view

    def layout_view(content: Content, **how: Any) -> Any:
        shown.append(content)
        return made(content, **how)

    monkeypatch.setattr(senders, "layout_view", layout_view)
    people = sim.join_server(*NAMES)[: max(GAMES[game].seats)]
    evening = Evening(sim, game)
    await evening.command(people[0], "play", game=game)
    for person in people[1:]:
        await evening.press(person, sim.board(), "Join")
    lobby = [content for content in shown if content.user is None]
    await evening.press(people[0], sim.board(), "More …")
    await evening.press(people[0], sim.board(), "Start")
    await sim.greeted()
    await evening.turn()
    looked_from = len(shown)
    for look in LOOKS:  # after one turn, since a very short game may be over after some
        await evening.press(people[-1], sim.board(), look)
    looks = [content for content in shown[looked_from:] if content.user is not None]
    del shown[looked_from:]
    assert len(looks) == len(LOOKS)
    for _ in range(3):
        await evening.turn()
    public = [content for content in shown if content.user is None]
    private = [content for content in shown if content.user is not None]
    found = await phone.heights([*lobby, *public[len(lobby) :], *private], OUTPUT / game)
    looked = await phone.heights(looks, OUTPUT / f"{game} looks")
    tall = found[: len(lobby)], found[len(lobby) : len(public)], found[len(public) :], looked
    print([max(heights) for heights in tall], dict(zip(LOOKS, looked, strict=True)))
    assert max(tall[0]) <= SCREEN, "the lobby is one screen"
    assert max(tall[1]) <= TABLE * SCREEN, "the table is a screen and a half"
    pictured = [any(getattr(part, "name", "") == "hand.png" for part in content.parts) for content in private]
    hands = [height for height, is_hand in zip(tall[2], pictured, strict=True) if is_hand]
    assert hands and max(hands) <= HAND, "a hand with its help"
    assert max(*tall[2], *looked) <= PAGE * SCREEN, "what the buttons open"
