"""`/privacy`: what is stored about a user and for how long, all of it as a file, and its deletion.

A user whose data is deleted leaves every table first, as with `/leave`. The matches of other players stay
without that user: the moves have no name, and the seat says that its player has departed.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

from cogs.app import App, AppCog, slash
from cogs.match.refusals import Reason, Refused, stored
from cogs.messages.content import Button, Content, Document, Id
from cogs.transport.router import GlobalRoute, Press, Reply
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import personal
from data.records.match import Match, Status
from data.store.backup_files import DAYS

log = logging.getLogger(__name__)

DAY = 86_400


class PrivacyCommands(AppCog):
    """The command and the presses in its answer."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._privacy = app.privacy
        self._keep_days = app.settings.retention_days
        """Days for which finished matches are kept; 0: for ever."""
        self._watch = app.watch
        self._departing = asyncio.Lock()
        """Deletions run one after the other, so a backup that contains one also contains all those listed before it."""
        app.router.add(
            {
                "data": GlobalRoute(self._press, Reply.OWN_MESSAGE),
                "data/export": GlobalRoute(self._export, rate="picture"),
                "data/delete": GlobalRoute(self.delete_data, Reply.OWN_MESSAGE, "delete"),
            }
        )

    @slash(personal)
    async def privacy(self, interaction: Interaction) -> Answer:
        """`/privacy`: say what is stored about the user, and offer its export and its deletion."""
        return self._policy(interaction)

    async def _press(self, interaction: Interaction, press: Press) -> Content:
        """Handle a button of the answer. The rest of the id says which."""
        if press.rest == "ask":
            return await self._ask(interaction)
        if press.rest == "policy":
            return self._policy(interaction)
        raise Refused(Reason.UNKNOWN_BUTTON)

    def _policy(self, interaction: Interaction) -> Content:
        labels = self._interactions.labels(interaction)
        say, days = labels.say, labels.count("days", self._keep_days)
        kept = say("privacy.kept_days", days=days) if self._keep_days else say("privacy.kept_for_good")
        text = say("privacy.policy", kept=kept, backup_days=DAYS)
        row = (Button(say("privacy.export"), _id("export")), Button(say("privacy.delete"), _id("ask"), "danger"))
        return Content((text,), (row,), interaction.user.id)

    async def _export(self, interaction: Interaction, _: Press) -> Content:
        say = self._interactions.labels(interaction).say
        found = await self._privacy.everything(interaction.user.id)
        file = Document("my-data.json", _written(found), say("privacy.file_holds"))
        return Content((say("privacy.exported"), file), user=interaction.user.id)

    async def _ask(self, interaction: Interaction) -> Content:
        """Say what the deletion will do, and ask for confirmation."""
        say, user = self._interactions.labels(interaction).say, interaction.user.id
        tables = [self._finder.title(interaction, match) for match in await self._service.index.of_player(user)]
        leaves = say("privacy.leaves", tables=", ".join(tables)) if tables else say("privacy.leaves_none")
        row = (Button(say("privacy.delete_now"), _id("delete"), "danger"), Button(say("privacy.keep"), _id("policy")))
        return Content((say("privacy.ask", leaves=leaves, backup_days=DAYS),), (row,), user)

    async def delete_data(self, interaction: Interaction, _: Press) -> Content:
        """Delete the user's data. Nothing here may call `meet`, which would store the user again."""
        user = interaction.user.id
        done = Content((self._interactions.labels(interaction).say("privacy.deleted", backup_days=DAYS),), user=user)
        if not await self._privacy.is_stored(user):
            return done  # to rewrite the file delays all players, and the list of deletions only grows
        async with self._departing:
            await self._privacy.note_departure(user, int(self._service.now()))
            for match in await self._service.index.of_player(user):
                await self.leave(match, user)
            with stored():
                changed = await self._privacy.erase(user, int(self._service.now()))
        for number in changed:
            self._publisher.changed(number)
        log.info("a user had their data deleted")
        return done

    async def leave(self, match: Match, user: int) -> None:
        """Leave an open table. If the table refuses every action now, the deletion frees the seat in the database."""
        with self._service.announcer.after(match.id):
            try:
                if match.status is Status.LOBBY:
                    await self._lobby.leave(match.id, user)
                else:
                    await self._membership.give_seat_to_computer(match.id, user)
            except Refused as error:
                if error.reason is Reason.NOT_STORED:
                    raise
                log.info("a seat of match %d is given up as it stands: %s", match.id, error.reason)
                return
            changed = await self._service.find(match.id)
            assert changed is not None
            await self._publisher.hands.empty_stale(changed)

    async def sweep(self) -> None:
        """Delete old matches, and retry to remove deleted data from the file if an earlier try failed."""
        if self._keep_days and self._watch.confirmed:
            count = await self._privacy.erase_ended(int(self._service.now()) - self._keep_days * DAY)
            if count:
                log.info("matches deleted that ended more than %d days ago: %d", self._keep_days, count)
        await self._privacy.clean()


def _id(what: str) -> Id:
    return Id(0, "data", rest=what)


def _written(found: dict[str, Any]) -> bytes:
    """Return a JSON file with a line for each row."""
    lines = []
    for name, rows in found.items():
        inner = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
        lines.append(f"  {json.dumps(name)}: [\n{inner}\n  ]" if rows else f"  {json.dumps(name)}: []")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()
