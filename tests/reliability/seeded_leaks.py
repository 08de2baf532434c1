"""Seeded leaks: a hand gets out in a way that is easily overlooked. The harness must find each of them.

Most leaks give away the hand of seat 0. That is no leak to that seat itself, nor in Photosynthesis, which has no hands.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

import cogs.match.agenda
import cogs.match.playback
import cogs.messages.hand
import cogs.messages.lookups
import cogs.messages.replay_animation
import cogs.messages.replay_page
import cogs.messages.table
import cogs.transport.pings
import cogs.transport.table_message
from cogs.match.automatic_moves import AutomaticMoves, Pace
from cogs.match.playback import Ply, Step
from cogs.match.service import MatchService
from cogs.messages.content import Button, Content, Id, Picture
from cogs.messages.hand import hand_message
from cogs.messages.presenter import Presenter
from cogs.messages.replay_steps import Scene
from cogs.messages.table import table_message
from cogs.runtime.metrics import KNOWN
from cogs.transport.digests import Digests
from cogs.transport.hand_messages import HandMessages
from cogs.transport.hand_replies import LiveReplies, LiveReply
from cogs.transport.senders import edit, nonce, send_public
from cogs.transport.table_message import TableMessage
from data.records.match import Match
from data.records.people import Person
from data.records.pings import Ping
from data.records.privacy import Privacy
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.computer import Thought
from rules.core.game import Seat
from tests.support.inside import database_of, service_of

log = logging.getLogger(__name__)


class Leak(StrEnum):
    NONE = "none"
    ALT = "alt"
    """The alt text of the table's picture names a card of a hand."""
    GERMAN = "german"
    """The same, only at German tables."""
    LIVE = "live"
    """The same, only at tables at which a turn takes minutes."""
    FORCED = "forced"
    """The same, only at tables at which the bot makes a player's forced moves."""
    FILE = "file"
    """The name of the table's picture file depends on a hand."""
    BUTTON = "button"
    """The id of a button at the table depends on a hand."""
    PIXEL = "pixel"
    """The last pixel of the table's picture depends on a hand."""
    EDIT = "edit"
    """The table's message is edited though nothing in it has changed, as when a player seals again."""
    PRIVATE = "private"
    """A private hand is edited though nothing in it has changed, as when another player seals again."""
    COUNTER = "counter"
    """The table shows the number of moves, which counts decisions that a player seals again."""
    NONCE = "nonce"
    """The nonce of a table's message depends on the match's version."""
    LOG = "log"
    """A line of the bot's log has a hand."""
    PAGE = "page"
    """An older page of the match's log has a hand."""
    COMPLETION = "completion"
    """The completion of moves offers another player's moves."""
    DELAY = "delay"
    """The number of requests depends on a hand."""
    REFUSAL = "refusal"
    """The refusal of a move depends on a hand."""
    LAST = "last"
    """Whether a player is told that they are the last one to decide depends on a hand."""
    DIGEST = "digest"
    """A digest depends on hands."""
    SUBSTITUTE = "substitute"
    """The hand of a substitute depends on what the others see."""
    FALLBACK = "fallback"
    """A hand that cannot be sent is shown at the table."""
    METRIC = "metric"
    """The label of a metric depends on a hand."""
    EXPORT = "export"
    """A user's data export has the length of all logs, which counts what others have sealed again."""

    REPLAY = "replay"
    """A replay has a step for each move, also for decisions that others seal again."""
    REPLAY_PAGE = "replay_page"
    """The page of a replay describes a hand that its viewer did not see."""
    ANIMATION = "animation"
    """How long an animation's last picture stays depends on a hand."""
    LESSON = "lesson"
    """A newcomer's help ends by the length of the whole log, which counts what others have sealed again."""
    HASTE = "haste"
    """A computer moves as soon as it has thought."""
    PEEK = "peek"
    """A computer's move depends on what is hidden from it."""
    AHEAD = "ahead"
    """The table says that a player has named a move ahead."""
    ALONE = "alone"
    """The hand of a match of no server tells with what has happened what another seat has."""


def seed_leak(patch: pytest.MonkeyPatch, leak: Leak) -> None:
    if leak in _OF_TABLE:
        _table(patch, _OF_TABLE[leak])
    elif leak is not Leak.NONE:
        _OTHERS[leak](patch)


def _hidden(service: MatchService, match: Match) -> str:
    """Return a word that depends on what only seat 0 may know."""
    return sha256(repr(service.state(match).view(Seat(0)).to_json()).encode()).hexdigest()[:6]


# In the table's message.

Change = Callable[[MatchService, Match, Content], Content]


def _table(patch: pytest.MonkeyPatch, change: Change) -> None:
    usual = cogs.messages.table.table_message

    async def table(messages: Presenter, match: Match, votes: Any) -> Content:
        return change(messages.service, match, await usual(messages, match, votes))

    patch.setattr(cogs.messages.table, "table_message", table)


def _picture(content: Content, **changed: Any) -> Content:
    parts = (replace(part, **changed) if isinstance(part, Picture) else part for part in content.parts)
    return replace(content, parts=tuple(parts))


def _said(content: Content, what: object) -> Content:
    return replace(content, parts=(*content.parts, f"-# {what}"))


def _pixel(service: MatchService, match: Match, content: Content) -> Content:
    picture = next(part for part in content.parts if isinstance(part, Picture))
    image = Image.open(BytesIO(picture.png)).convert("RGB")
    image.putpixel((image.width - 1, image.height - 1), (0, 0, int(_hidden(service, match), 16) % 256))
    file = BytesIO()
    image.save(file, "PNG")
    return _picture(content, png=file.getvalue())


def _button(service: MatchService, match: Match, content: Content) -> Content:
    button = Button("?", Id(match.id, "rules", rest=_hidden(service, match)))
    return replace(content, rows=(*content.rows, (button,)))


def _alt(fits: Callable[[Match], bool]) -> Change:
    """Put a hand into the alt text at the tables that `fits`."""

    def changed(service: MatchService, match: Match, content: Content) -> Content:
        return _picture(content, alt=f"The table. {_hidden(service, match)}") if fits(match) else content

    return changed


_OF_TABLE: dict[Leak, Change] = {
    Leak.ALT: _alt(lambda match: True),
    Leak.GERMAN: _alt(lambda match: match.locale == "de"),
    Leak.LIVE: _alt(lambda match: match.clock.startswith("live")),
    Leak.FORCED: _alt(lambda match: any(chair.plays_forced for chair in match.chairs)),
    Leak.FILE: lambda service, match, content: _picture(content, name=f"table-{_hidden(service, match)}.png"),
    Leak.COUNTER: lambda service, match, content: _said(content, match.moves),
    Leak.AHEAD: lambda service, match, content: _said(content, any(chair.ahead for chair in match.chairs)),
    Leak.BUTTON: _button,
    Leak.PIXEL: _pixel,
}

# Elsewhere.


def _edit(patch: pytest.MonkeyPatch) -> None:
    usual = TableMessage.put

    async def put(table: TableMessage, match: Match, post: Any, content: Content, *, resend: bool = False) -> Any:
        return await usual(table, match, replace(post, digest=""), content, resend=resend)

    patch.setattr(TableMessage, "put", put)


def _private(patch: pytest.MonkeyPatch) -> None:
    usual = LiveReplies.show

    async def show(replies: LiveReplies, reply: LiveReply, match: Match, person: Person) -> bool:
        reply.digest = ""
        return await usual(replies, reply, match, person)

    patch.setattr(LiveReplies, "show", show)


def _nonce(patch: pytest.MonkeyPatch) -> None:
    usual = TableMessage.put

    async def put(table: TableMessage, match: Match, post: Any, content: Content, *, resend: bool = False) -> Any:
        with pytest.MonkeyPatch.context() as within:
            within.setattr(cogs.transport.table_message, "nonce", lambda *facts: nonce(*facts, match.version))
            return await usual(table, match, post, content, resend=True)

    patch.setattr(TableMessage, "put", put)


def _log(patch: pytest.MonkeyPatch) -> None:
    usual = cogs.match.agenda.ping_owed

    def ping_owed(service: MatchService, match: Match, seat: int) -> Ping | None:
        log.info("seat 0 of match %d holds %s", match.id, _hidden(service, match))
        return usual(service, match, seat)

    patch.setattr(cogs.transport.pings, "ping_owed", ping_owed)


def _page(patch: pytest.MonkeyPatch) -> None:
    usual = cogs.messages.lookups.log

    async def log(messages: Presenter, match: Match, user: int, locale: str, page: int) -> Content:
        content = await usual(messages, match, user, locale, page)
        return replace(content, parts=(*content.parts, _hidden(messages.service, match))) if page else content

    patch.setattr(cogs.messages.lookups, "log", log)


def _completion(patch: pytest.MonkeyPatch) -> None:
    usual = Presenter.move_labels

    def move_labels(messages: Presenter, match: Match, user: int, locale: str) -> dict[str, str]:
        others = [c.user for c in match.people if c.user != user]
        return {
            text: word for other in [user, *others] for text, word in usual(messages, match, other or 0, locale).items()
        }

    patch.setattr(Presenter, "move_labels", move_labels)


def _delay(patch: pytest.MonkeyPatch) -> None:
    usual = TableMessage.show

    async def show(table: TableMessage, match: Match, posts: Any, people: Any) -> None:
        post = posts.table
        await usual(table, match, posts, people)
        if int(_hidden(service_of(table), match), 16) % 2 and post.message is not None:
            content = await table_message(table.messages, match, {})
            await edit(table.handles.message(match.guild, post.channel, post.message), content)

    patch.setattr(TableMessage, "show", show)


def _refusal(patch: pytest.MonkeyPatch) -> None:
    usual = Presenter.refusal

    def refusal(messages: Presenter, match: Match, user: int, error: Any, locale: str) -> str:
        return f"{usual(messages, match, user, error, locale)} {_hidden(messages.service, match)}"

    patch.setattr(Presenter, "refusal", refusal)


def _last(patch: pytest.MonkeyPatch) -> None:
    usual = cogs.match.agenda.is_last

    def is_last(service: MatchService, match: Match, seat: int) -> bool:
        if usual(service, match, seat):
            return True
        owed = cogs.match.agenda.ping_owed(service, match, seat)
        return owed is not None and bool(int(_hidden(service, match), 16) % 2)

    for module in (cogs.messages.hand, cogs.transport.pings):
        patch.setattr(module, "is_last", is_last)


def _digest(patch: pytest.MonkeyPatch) -> None:
    usual = Digests.text

    def text(digests: Digests, head: str, waiting: Any, labels: Any, locale: str | None) -> str:
        told = [_hidden(service_of(digests), table.match) for table in waiting]
        return f"{usual(digests, head, waiting, labels, locale)} {told}"

    patch.setattr(Digests, "text", text)


def _substitute(patch: pytest.MonkeyPatch) -> None:
    usual = cogs.messages.hand.hand_message

    async def hand(messages: Presenter, match: Match, person: Any, *path: Any, **how: Any) -> Content:
        content = await usual(messages, match, person, *path, **how)
        if match.chairs[match.seat_of(person.user) or 0].since == 0:
            return content
        others = [repr(messages.service.state(match).view(Seat(chair.number)).to_json()) for chair in match.chairs]
        return replace(content, parts=(*content.parts, sha256("".join(others).encode()).hexdigest()))

    patch.setattr(cogs.messages.hand, "hand_message", hand)


def _fallback(patch: pytest.MonkeyPatch) -> None:
    usual = HandMessages.after_failure

    async def in_trouble(hands: HandMessages, match: Match, person: Any, before: Any, trouble: Any) -> Any:
        content = replace(await hand_message(hands.messages, match, person), user=None)
        channel = hands.handles.channel(match.guild, match.place)
        await send_public(channel, content, nonce=nonce("instead", match.id, person.user))
        return await usual(hands, match, person, before, trouble)

    patch.setattr(HandMessages, "after_failure", in_trouble)


def _metric(patch: pytest.MonkeyPatch) -> None:
    usual = TableMessage.show

    async def show(table: TableMessage, match: Match, posts: Any, people: Any) -> None:
        kinds = sorted(KNOWN["interactions_total"].values)
        kind = kinds[sum(map(ord, str(_hidden(service_of(table), match)))) % len(kinds)]
        table.handles.client.metrics.count("interactions_total", kind)
        await usual(table, match, posts, people)

    patch.setattr(TableMessage, "show", show)


def _export(patch: pytest.MonkeyPatch) -> None:
    usual = Privacy.everything

    async def everything(privacy: Privacy, user: int) -> dict[str, Any]:
        length = await database_of(privacy).read(lambda c: c.execute("SELECT sum(moves) FROM match").fetchone()[0])
        return {**await usual(privacy, user), "log": [{"length": length}]}

    patch.setattr(Privacy, "everything", everything)


def _replay(patch: pytest.MonkeyPatch) -> None:
    def seen(plies: Sequence[Ply], seats: int, eyes: int) -> tuple[Step, ...]:
        return tuple(Step(ply.state, ply.move, (), False) for ply in plies)

    patch.setattr(cogs.match.playback, "seen", seen)


def _replay_page(patch: pytest.MonkeyPatch) -> None:
    usual = cogs.messages.replay_page.seen_by

    def viewer(slug: str, shown: Sequence[Scene], eyes: int, labels: Labels) -> dict[str, Any]:
        found, last = usual(slug, shown, eyes, labels), shown[-1]
        return {**found, "alts": [*found["alts"][:-1], renderer(slug).describe(last.step.view(0), labels)]}

    patch.setattr(cogs.messages.replay_page, "seen_by", viewer)


def _animation(patch: pytest.MonkeyPatch) -> None:
    usual = cogs.messages.replay_animation.durations

    def weights(shown: Sequence[Scene]) -> list[int]:
        hand = repr(shown[-1].step.view(0).to_json())
        return [*usual(shown)[:-1], 1 + sha256(hand.encode()).digest()[0] % 9]

    patch.setattr(cogs.messages.replay_animation, "durations", weights)


def _alone(patch: pytest.MonkeyPatch) -> None:
    async def shown(messages: Presenter, match: Match, person: Person, *given: Any, **how: Any) -> Content:
        content = await hand(messages, match, person, *given, **how)
        hidden = f"-# {_hidden(messages.service, match)}"
        return replace(content, parts=(*content.parts, hidden)) if match.private else content

    hand = cogs.messages.hand.hand_message
    patch.setattr(cogs.messages.hand, "hand_message", shown)


def _lesson(patch: pytest.MonkeyPatch) -> None:
    def turns_had(match: Match, *_: Any) -> int:
        return match.moves % 3

    patch.setattr(cogs.messages.hand, "turns_had", turns_had)


def _haste(patch: pytest.MonkeyPatch) -> None:
    async def keep(pace: Pace, think: Callable[[Callable[[], None]], Any]) -> Any:
        return await think(lambda: None)

    patch.setattr(Pace, "keep", keep)


def _peek(patch: pytest.MonkeyPatch) -> None:
    usual = AutomaticMoves.play

    async def play(moves: AutomaticMoves, number: int, pace: Any = None) -> Any:
        state = service_of(moves).state(await service_of(moves).load(number))

        async def think(game: Any, known: Any, seat: Seat, *how: Any) -> Thought[Any]:
            moves, whole = state.legal_moves(seat), sha256(repr(state.to_json()).encode()).digest()
            return Thought(moves[whole[0] % len(moves)])

        with pytest.MonkeyPatch.context() as within:
            within.setattr(moves, "_think", think)
            return await usual(moves, number, pace)

    patch.setattr(AutomaticMoves, "play", play)


_OTHERS: dict[Leak, Callable[[pytest.MonkeyPatch], None]] = {
    Leak.EDIT: _edit,
    Leak.PRIVATE: _private,
    Leak.NONCE: _nonce,
    Leak.LOG: _log,
    Leak.PAGE: _page,
    Leak.COMPLETION: _completion,
    Leak.DELAY: _delay,
    Leak.REFUSAL: _refusal,
    Leak.LAST: _last,
    Leak.DIGEST: _digest,
    Leak.SUBSTITUTE: _substitute,
    Leak.FALLBACK: _fallback,
    Leak.METRIC: _metric,
    Leak.EXPORT: _export,
    Leak.REPLAY: _replay,
    Leak.REPLAY_PAGE: _replay_page,
    Leak.ANIMATION: _animation,
    Leak.LESSON: _lesson,
    Leak.ALONE: _alone,
    Leak.HASTE: _haste,
    Leak.PEEK: _peek,
}
