"""An evening of people who press at random whatever stands before them, also what has stood there for long."""

from __future__ import annotations

from random import Random
from typing import Any

import discord
from simcord.actors import MemberActor

from data.records.match import Match, Status
from rules.core.game import Seat
from tests.support.meaning import ASKS_FIRST, Control, Reader, Standing, is_refusal, standing
from tests.support.simulation import Simulation
from tests.support.table import fewest_seats, shortest_options

NAMES = ("ann", "ben", "cleo", "mia")
"""Mia manages the server."""
APART = {"data", "setup", "season", "setting", "hours", "file", "film", "share", "learn", "open", "invite", "duplicate"}
"""Actions that are about no match, or take long."""
COMMANDS = ("cancel", "leave", "board", "hint", "games", "hand", "join", "log", "settings")
MOST_OPEN = 2
MINUTE, DAY = 60, 86_400


class RandomEvening:
    """Its choices follow from the seed. `done` tells each step in words, the last one last."""

    def __init__(self, sim: Simulation, game: str, seed: str, *, restarts: bool = False) -> None:
        print(f"an evening of {game} by seed {seed!r}")
        self.restarts = restarts
        self.sim, self.game = sim, game
        self.random = Random(seed)
        self.reader = Reader(sim)
        self.done: list[str] = []
        self.people: list[MemberActor] = []
        self._refused: dict[int, set[int]] = {}
        """By user, the messages that told them in answer to their last press or command why it was refused."""

    async def play(self, steps: int) -> list[str]:
        """Play so many steps. Return what was wrong after the first step with which something was; else nothing."""
        role = self.sim.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
        self.people = self.sim.join_server(*NAMES[:-1])
        self.people += self.sim.join_server(NAMES[-1], roles=[role])
        for _ in range(steps):
            wrong = await self.step()
            await self.sim.caught_up()
            if wrong := wrong + await self.reader.contradictions():
                return wrong
        return []

    async def step(self) -> list[str]:
        doings = (self.go_on, self.press_something, self.command, self.wait, self.restart)
        return await self.random.choices(doings, (20, 20, 6, 2, self.restarts))[0]()

    # What people do.

    async def matches(self) -> list[Match]:
        numbers = set().union(*(message.matches for message in standing(self.sim)))
        found = [await self.sim.matches.get(number) for number in sorted(numbers)]
        return [match for match in found if match is not None and match.open]

    async def go_on(self) -> list[str]:
        """Let a match go on: people join, it begins, a player moves."""
        open_ = await self.matches()
        if not open_:
            return await self.open(self.people[0])
        match = self.random.choice(open_)
        if match.status is Status.LOBBY:
            seated = [person for person in self.people if match.seat_of(person.id) is not None]
            wanted = self.random.choice(("join", "join", "add", "start", "start", "more"))
            who = self.people if wanted == "join" else seated
        else:
            state = self.sim.service.state(match)
            who = [p for p in self.people if (s := match.seat_of(p.id)) is not None and s in state.to_move()]
            wanted = "move"
        found = [
            (person, message, control)
            for person in who
            for message, control in self._offered_to(person)
            if control.id.match == match.id and _action(control) in (wanted, "path" if wanted == "move" else wanted)
        ]
        if wanted == "move":
            turns = {self.sim.service.turn(match, Seat(s)) for p in who if (s := match.seat_of(p.id)) is not None}
            found = [one for one in found if one[2].id.turn in turns]
            if not found and who and match.running:
                return await self._slash(self.random.choice(who), "hand", table=match.id)
        return await self._press(*self.random.choice(found)) if found else await self.wait()

    async def press_something(self) -> list[str]:
        """Press any control that stands anywhere: first draw what it does, so that rare ones are pressed too."""
        found: dict[str, list[tuple[MemberActor, Standing, Control]]] = {}
        for person in self.people:
            for message, control in self._offered_to(person):
                if control.id.action not in APART and not control.id.rest.endswith("fresh"):
                    found.setdefault(_action(control), []).append((person, message, control))
        if not found:
            return await self.go_on()
        return await self._press(*self.random.choice(found[self.random.choice(sorted(found))]))

    async def command(self) -> list[str]:
        person, name = self.random.choice(self.people), self.random.choice(COMMANDS)
        open_ = await self.matches()
        if self.random.random() < 0.2 and len(open_) < MOST_OPEN:
            return await self.open(person)
        needs = name in ("settings", "hint", "cancel") and open_
        return await self._slash(person, name, **({"table": self.random.choice(open_).id} if needs else {}))

    async def open(self, person: MemberActor) -> list[str]:
        """Open a table, for all or for another person; its match is as short as its game allows."""
        guest = self.random.choice([other for other in self.people if other is not person])
        invited = {"with": guest} if self.random.random() < 0.3 else {}
        wrong = await self._slash(person, "play", game=self.game, **invited)
        number = max((match.id for match in await self.matches()), default=0)
        for name, value in shortest_options(self.game, fewest_seats(self.game)).items():
            await self.sim.forge(person, f"1/{number}/option//{name}", values=[value])
        return wrong

    async def wait(self) -> list[str]:
        seconds = self.random.choice((2, MINUTE, 20 * MINUTE, DAY))
        self.done.append(f"{seconds} s pass")
        await self.sim.env.advance_time(seconds)
        return []

    async def restart(self) -> list[str]:
        self.done.append("the bot is started again")
        await self.sim.restart()
        self.reader.forget_answers()
        self._refused.clear()
        return []

    def _offered_to(self, person: MemberActor) -> list[tuple[Standing, Control]]:
        seen = [message for message in standing(self.sim) if message.viewer in (None, person.id)]
        return [(message, control) for message in seen for control in message.controls()]

    async def _slash(self, person: MemberActor, name: str, **options: Any) -> list[str]:
        self.done.append(f"{person.user.name}: /{name} {options}")
        before = {message.number for message in standing(self.sim)}
        said = await self.sim.slash(person, name, **options)
        return self._went_on(person, before) + ([] if said.strip() else [f"/{name} has no answer"])

    # Judged.

    async def _press(self, person: MemberActor, message: Standing, control: Control) -> list[str]:
        """Press, and return what was wrong with it."""
        sim, match = self.sim, await self.sim.matches.get(control.id.match)
        name = f"{control.id.action}/{control.id.rest}"
        question = ""
        if match is not None and name in ASKS_FIRST:
            question = await self._asked_now(person, message, control, ASKS_FIRST[name])
        self.done.append(
            f"{person.user.name}: {control.label!r} ({control.id} {control.value or ''}) in {message.number}"
        )
        values = None if control.value is None else [control.value]
        before = {message.number for message in standing(sim)}
        result = sim.raw_press(person, str(control.id), message=message.number, channel=message.channel, values=values)
        await sim.env.settle()
        told = "\n".join(answer.text for answer in sim.answers(result)).strip()
        after = None if match is None else await sim.matches.get(match.id)
        wrong = self._went_on(person, before)
        if not result.acknowledged:
            wrong.append("the press is not acknowledged")
        now = next((other for other in standing(sim) if other.number == message.number), None)
        changed = now is None or now.body != message.body
        if not told and not changed and result.modal is None and _facts(match) == _facts(after):
            wrong.append("the press has no answer, and nothing has changed")
        if question and _gist(question) != _gist(message.text) and _facts(match) != _facts(after):
            wrong.append(f"{message.text!r} was answered, and today's question is {question!r}")
        return wrong

    def _went_on(self, person: MemberActor, before: set[int]) -> list[str]:
        """Return what that person is still told of their press or command before the last one, though it was refused.
        `before`: the messages that stood before the last one.
        """
        now = {
            message.number: message.text
            for message in standing(self.sim)
            if message.answers and message.viewer == person.id and is_refusal(message.text)
        }
        left = [text for number, text in now.items() if number in self._refused.get(person.id, ())]
        self._refused[person.id] = now.keys() - before
        return [f"{person.user.name} is still told {text!r}" for text in left]

    async def _asked_now(self, person: MemberActor, message: Standing, control: Control, asks: str) -> str:
        """Return what would be asked today before that is done."""
        action, _, rest = asks.partition("//")
        result = self.sim.raw_press(
            person, f"1/{control.id.match}/{action}//{rest}", message=message.number, channel=message.channel
        )
        await self.sim.env.settle()
        return "\n".join(answer.text for answer in self.sim.answers(result))


def _action(control: Control) -> str:
    if control.id.action == "pick":
        return {"m": "move", "p": "path"}.get((control.value or "")[:1], "pick")
    return control.id.action


def _facts(match: Match | None) -> object:
    """Return what a press can change in a match."""
    return match and (
        *(match.status, match.moves, match.chairs, match.proposals, match.waiting, match.rests_since, match.options),
    )


def _gist(text: str) -> str:
    return " ".join(line for line in text.split("\n") if line.strip())
