"""The people of `bot-rivals`: they press again if the process that heard them dies, or cannot answer or store now."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Any

from data.content.texts import texts
from tests.reliability.discord_players import DiscordPlayers
from tests.reliability.history import Press
from tests.reliability.message_controls import Control

_SAID = texts("en")
TRY_AGAIN = tuple(
    _SAID[f"refused.{key}"].partition("{")[0] for key in ("busy", "not_stored", "restarting", "unnoted", "discord")
)
"""Answers that say that nothing was recorded, or that this is not known: their reader presses again."""
ACKNOWLEDGED, ANSWERED = 3.0, 4.0
"""Seconds until Discord says that a press has failed, and, from then on, until its user presses again."""
SLOW = 4
"""How much more time the bots have than on a quiet machine: tests are not red because the machine is slow. Yet all
faults of a round are told before a test that waits for this harness takes it for hung.
"""
PAUSE = 0.4
"""Seconds until they do."""
SERVED = 60.0
"""Seconds within which one of the presses must be answered: the bound for showing everything again."""


class MessageGone(Exception):
    """The message of a press that had no answer was deleted."""


class RivalPlayers(DiscordPlayers):
    """People who press again."""

    def __init__(self, *given: Any, **how: Any) -> None:
        super().__init__(*given, **how)
        self.discord.patience = ACKNOWLEDGED
        self.calm_since: float | None = 0.0
        """Since when no process is killed any more; None in a storm, in which they press as long as it takes."""
        self.again = 0
        """Presses that were made again."""
        self.hasty = False
        """Whether a bug is seeded, so that there will be a fault in any case."""

    def patience(self, seconds: float) -> float:
        """Return how long to wait for what takes so many seconds at most on a quiet machine."""
        return seconds if self.hasty else SLOW * seconds

    async def _pressed(self, user: int, message: Any, control: Control) -> tuple[str, int]:
        """Press until there is an answer. Raises MessageGone."""
        begun = perf_counter()
        while self.calm_since is None or perf_counter() - max(begun, self.calm_since) < self.patience(SERVED):
            found = await self._answer_to(user, message, control, ANSWERED)
            if found is not None and not any(text in found[0] for text in TRY_AGAIN):
                return found
            if message.id not in self.discord.backend.messages[message.channel_id]:
                raise MessageGone
            self.again += 1
            await asyncio.sleep(PAUSE)
        self.violations.append(f"silent for {self.patience(SERVED):.0f} s: {control}")
        raise MessageGone

    async def make_move(self, press: Press, message: Any, control: Control) -> None:
        try:
            await super().make_move(press, message, control)
        except MessageGone:
            self.lost_presses.add(press)
            self.unanswered.pop(press.user, None)

    async def play(self, user: int) -> None:
        """Let this person press without end."""
        while True:
            try:
                await super().play(user)
            except MessageGone:  # of a press that was no move
                await asyncio.sleep(PAUSE)
