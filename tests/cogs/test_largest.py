"""Everything that is said at the largest table of every game, to people with the worst names that Discord takes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from random import Random

import pytest

from cogs.messages.content import MOST_TEXT, Button, Content, Id, Picture
from cogs.messages.fairness import report
from cogs.messages.hand import hand_message
from cogs.messages.lobby import open_lobby
from cogs.messages.lookups import board, catch_up, last, log, rules
from cogs.messages.names import clean
from cogs.messages.presenter import Presenter
from cogs.messages.table import substitute_notice, table_message
from cogs.transport.components import layout_view
from data.records.deadlines import SeatClock, Stage
from data.records.match import Match, Status, Waiting
from data.records.people import Person
from data.records.proposals import TableVote, VoteEnd
from data.records.terms import AbsencePolicy, Terms
from rendering import renderer
from rendering.core.prompts import MOST_CHOICES
from rules import GAMES
from rules.core.game import Seat
from tests.support import apicheck
from tests.support.simulation import Simulation, controls, words

LONG = ("W" * 32, "﷽" * 32, "@" * 32, "*_~`|>#[" * 4, "田" * 32, "🦄" * 32, "Ǆ" * 32, "\\" * 32)
"""As wide as can be, and as long as can be once it is written so that it does nothing."""
HOSTILE = (
    *("**bold** __u__ ||s||", "@everyone @here", "<@1> <@&2> <#3> </a:4>", "[a](https://b.c)"),
    *("\u202eevil\u202c \u2067x", "> q\n# h\n- l\n```x```", "\u3164\u2800\u200d\u115f\ufeff", "https://example.com/"),
)
PASSING = (Button("What happened?", Id(1, "catch_up", "9")), Button("Next table (99)", Id(1, "next"), "primary"))
"""As many buttons as an answer has besides."""
HARMFUL = re.compile(
    r"\*\*bold|__u|\|\|s|@everyone|@here|<@1>|<@&2|<#3|</a:4|\]\(https://b|^[>#] [qh]|```"
    r"|https?:(?!//discord.com/)|[\u202a-\u202e\u2066-\u2069]",
    re.MULTILINE,
)
"""What a name would do if it stood in a message as it is."""


async def largest(sim: Simulation, game: str, names: tuple[str, ...]) -> Match:
    """A lobby with as many people as the game takes, and the names as the bot keeps them."""
    app, where = sim.bot.app, {"guild": sim.guild.id, "channel": sim.channel.id, "terms": Terms(locale="en-US")}
    seats = max(GAMES[game].seats)
    met = [await app.people.meet(1000 + seat, clean(names[seat])) for seat in range(seats)]
    first, *rest = met
    match = await app.lobby.open(game, user=first.user, name=first.name, **where)
    for person in rest:
        match = await app.lobby.join(match.id, person.user, person.name)
    for person in met:
        match = await app.lobby.cut(match.id, person.user, person.name)
    return match


async def positions(sim: Simulation, match: Match, random: Random) -> AsyncIterator[Match]:
    """The match at a few of its plies, the first and the last one among them."""
    host = sim.service
    match = await sim.bot.app.lobby.start(match.id, match.host)
    every = 1
    while match.status is Status.PLAYING:
        if match.moves % every == 0:
            yield match
            every = max(1, match.moves // 2)
        state = host.state(match)
        seat = random.choice(sorted(state.to_move()))
        move = random.choice(state.legal_moves(seat))
        match = (await host.play(match.id, match.chairs[seat].player, None, str(move))).match
    yield match


async def contents(sim: Simulation, match: Match) -> AsyncIterator[Content]:
    """All that the bot says of this position, to everybody."""
    messages = sim.bot.app.messages
    yield await table_message(messages, match, {chair.user: "end" for chair in match.people if chair.user})
    # Everybody looks for a substitute, is to be removed, and waits for the next match.
    waiting = tuple(Waiting(2000 + chair.number, chair.name) for chair in match.chairs)
    restless = replace(match, chairs=tuple(replace(chair, offered=True) for chair in match.chairs), waiting=waiting)
    users = [chair.user for chair in match.people]
    wanted = zip(users, [*users[1:], *users[:1]], strict=True)
    yield await table_message(messages, restless, {user: f"remove {other}" for user, other in wanted if user})
    if (call := substitute_notice(messages, restless)) is not None:
        yield call
    # Half of them are late: some have been given up, of the others the table decides; it votes on all that there is.
    late = [
        SeatClock(chair.number, "1", 1, ends=2, due=2, stage=Stage.VOTING)
        for chair in match.people[len(match.people) // 2 :]
    ]
    gone = [replace(clock, away=1) if clock.seat % 2 else clock for clock in late]
    votes = dict(zip(users, ("pause", "end", "clock day_1", "replace", "remove 1"), strict=False))
    for clocks in (late, gone):
        shown = [TableVote(choice, user or 0, 1, 10**10, None, (users[0] or 0,)) for user, choice in votes.items()]
        shown += [TableVote(f"clock {name} vote", 0, 1, 10**10, VoteEnd.EXPIRED) for name in ("week", "day_2", "day_3")]
        absent = replace(restless, clock="day_1", absent=AbsencePolicy.VOTE, clocks=tuple(clocks))
        absent = replace(absent, proposals=tuple(shown))
        yield await table_message(messages, absent, {user: vote for user, vote in votes.items() if user})
    for chair in match.people:
        person = Person(chair.user or 0, chair.name, wants_text=True)
        for path in paths(messages, match, Seat(chair.number)):
            yield await hand_message(messages, match, person, path=path, notice="✓ Done: a move", passing=PASSING)
        yield await catch_up(messages, match, person)
    yield await board(messages, match, person, "en-US")
    yield await last(messages, match, person.user, "en-US")
    for page in range(99):
        yield (content := await log(messages, match, person.user, "en-US", page))
        if not content.rows or content.rows[0][0].disabled:
            break
    if match.status is Status.OVER:
        yield report(messages, match, person.user, "en-US", await sim.app.verifier.verify(match.id))


def paths(messages: Presenter, match: Match, seat: Seat) -> Iterator[tuple[str, ...]]:
    """Every way into the choices that a seat has now."""
    state, labels, drawn = messages.service.state(match), messages.labels(match), renderer(match.game)
    moves, left = state.legal_moves(seat), [()]
    while left:
        path = left.pop()
        yield path
        if moves:
            prompt = drawn.question(state.view(seat), moves, path, labels)
            assert 1 <= len(prompt.choices) <= MOST_CHOICES, path
            for choice in prompt.choices:
                assert 1 <= len(choice.label) <= 80
                assert len(choice.detail) <= 100
                if choice.move is None:
                    left.append(choice.path)


def check(content: Content, *, shortened: bool) -> None:
    """It fits into one message, and no name in it does anything; `shortened` where a part may be, for the names."""
    texts = [part for part in (*content.parts, content.note, content.foot) if isinstance(part, str)]
    assert sum(map(len, texts)) <= MOST_TEXT, f"{sum(map(len, texts))} characters: {texts}"
    body = {
        "components": layout_view(content).to_components(),
        "allowed_mentions": {"parse": []},
        "flags": apicheck.COMPONENTS_V2,
    }
    assert not apicheck.faults("POST", "/channels/1/messages", body)
    for part in content.parts:
        if isinstance(part, Picture):
            assert 1 <= len(part.alt) <= apicheck.MOST_ALT, part.alt
    for text in texts:
        assert shortened or not text.endswith("…"), text
        assert not HARMFUL.search(text), text
    for text in (*words(body), *controls(body)):
        assert not re.search(r"[\u202a-\u202e\u2066-\u2069]", text), text


@pytest.mark.parametrize(
    "names", [pytest.param(LONG, id="long names", marks=pytest.mark.long), pytest.param(HOSTILE, id="hostile names")]
)
@pytest.mark.games("game", short=["siege_of_sunfall"], long=GAMES)
async def test_every_message_fits_and_is_harmless(
    sim: Simulation, plain: None, game: str, names: tuple[str, ...]
) -> None:
    print(f"moves by seed {game}")
    lobby = await largest(sim, game, names)
    people = {chair.user: Person(chair.user or 0, chair.name, dm_works=False) for chair in lobby.people}
    assert all(person.name.strip() for person in people.values())
    check(await open_lobby(sim.bot.app.messages, lobby, people), shortened=False)
    async for match in positions(sim, lobby, Random(game)):
        async for content in contents(sim, match):
            check(content, shortened=names is LONG)
        for chair in match.people:
            for word in sim.bot.app.messages.move_labels(match, chair.user or 0, "en-US").values():
                assert 1 <= len(word) <= 100
    check(await rules(sim.bot.app.messages, game, 1, "en-US", match), shortened=False)
    assert match.status is Status.OVER
