"""A player's private hand: their picture, the moves that they may make now, and the ways on from there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cogs.match.agenda import Missed, is_last, missed
from cogs.match.clocks import absent, clock_of
from cogs.match.positions import LoggedEvent, steps, token
from cogs.match.refusals import paused_until
from cogs.match.undo import last_open_move
from cogs.match.votes import Choice, asked, open_votes, tally
from cogs.messages import clock as clock_texts
from cogs.messages.alone import lobby_alone
from cogs.messages.choices import ahead_line
from cogs.messages.content import Button, Content, Id, Picture, Row, exact, in_rows, prompt_rows, relative
from cogs.messages.end import ended_hand, own_result
from cogs.messages.hint import hint, is_plan
from cogs.messages.lesson import EXPLAINS, explained, lesson_end
from cogs.messages.lesson import status as lesson_status
from cogs.messages.names import in_lists, written
from cogs.messages.narration import (
    MOST_BRIEF,
    MOST_TAUGHT,
    brief,
    catch_up_button,
    moved_since,
    sentences,
    since_own_move,
)
from cogs.messages.players import nudger_of, vote_button, vote_buttons, vote_question
from cogs.messages.presenter import Presenter, fitting
from cogs.messages.season import season_lines
from data.records.deadlines import Stage
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.core.story import Place, Story
from rules.core.coach import Advised
from rules.core.game import AnyState, Move, Seat, View

FORCED = 3
"""After so many moves without a choice the player is offered that the bot makes them."""
_LATE = {Stage.EXTENDED: "clock.extended", Stage.VOTING: "clock.voted_on", Stage.RETURNED: "clock.returned"}
"""The key of the sentence about the player's time, by the stage of their clock."""


async def hand_message(
    presenter: Presenter,
    match: Match,
    person: Person,
    path: Sequence[str] = (),
    notice: str = "",
    passing: tuple[Button, ...] = (),
    refreshable: bool = False,
    reason: str = "",
    pings: bool = False,
    answers: bool = False,
    opened: str = "",
) -> Content:
    """Return a seated player's own hand, with the moves that they may make now.

    It speaks the player's language, as the answer to a press and as a direct message. `path`: the steps made so far in
    a choice of several steps. `notice`, `reason` and `passing` belong to the answer to one press alone. `reason`: why
    a lesson advises another move; it stands beside the moves, in place of the advice. `refreshable`: the hand has a
    button that shows it as it is when pressed; a direct message needs none, since it is always kept up to date.
    `pings`: a ping for it is still to come, with which it is shown again. `answers`: it answers a press or a command,
    and offers to catch up after a long wait too. `opened`: the action of the button whose page stands open in it, which
    the same button closes: "signs" or "lookups".
    """
    seat = match.seat_of(person.user)
    assert seat is not None
    if match.state is None:
        return await lobby_alone(presenter, match, person, notice, passing)
    if match.lesson and not match.open:
        return await lesson_end(presenter, match, person, notice)
    if not match.open and not match.held and not reason:
        return await ended_hand(presenter, match, person, notice)
    labels = await presenter.with_faces(match, presenter.labels_for(match, person))
    hand = _Hand(presenter, match, person, Seat(seat), labels, tuple(path))
    picture = await presenter.picture("hand.png", match.game, hand.view, presenter.halted(match, labels), hand.path)
    above, advice = list[str](), ""
    if match.lesson:
        above, advice = await explained(presenter, match, person, hand.seat, labels, hand.path)
    votes, answering = await _votes(presenter, match, person, hand.seat, labels)
    head = await hand.head(advised=bool(advice and hand.moves), shown=refreshable or pings)
    first, news = await is_first(presenter, match, person), await hand.news()
    taught = first_turns(match, person, hand.view, labels, hand.turn, news.story) if first else []
    legend = renderer(match.game).legend(hand.view, labels).splitlines() if first else []
    happened, is_cut = hand.happened(news, bool(taught))
    above += [happened] if happened else []
    if legend and hand.moves and not taught:
        above += await _new_signs(presenter, match, person, hand.seat, labels, legend)
    # The way back leads to the end of the round, and what is to be chosen fits on the screen.
    over, standing = ([], []) if hand.path else (news.over, news.standing)
    parts: list[str | Picture] = ["\n".join((head, *votes, *over)), *standing, *above, *taught, picture]
    question, controls = hand.question() if hand.moves else ("", ())
    # What a newcomer is told to do now, and what a lesson explains, says it already.
    asked = taught or any(text.startswith(EXPLAINS) for text in above)
    parts += [] if not hand.moves or (asked and not hand.path) else [question]
    parts += [advice] if advice and hand.moves else []
    if person.wants_text:
        words = renderer(match.game).transcript(hand.view, labels)
        parts.insert(parts.index(picture) + 1, fitting(words, [*parts, notice, reason]))
    ways = await hand.ways()
    if news.much or (news.missed is not None and is_cut and not taught):
        ways.append(catch_up_button(match, labels))
    elif answers and news.missed is not None and news.missed.long_ago(match, int(presenter.service.now())):
        passing = (catch_up_button(match, labels), *passing)
    signs_there = signs_button(match, labels, opened)
    if legend and taught:  # later it is behind *More …* alone
        ways.append(signs_there)
        passing = tuple(button for button in passing if button != signs_there)
    if not match.lesson and len(hand.moves) == 1 and await offers_forced(presenter, match, person, hand.seat):
        ways.append(Button(labels.say("button.forced"), Id(match.id, "forced")))
    if refreshable and match.open:
        ways.append(refresh_button(match, labels))
    more = Button(labels.say("lobby.more"), Id(match.id, "lookups"), closes=opened == "lookups")
    rows = (*controls, *([answering] if answering else []), *in_rows([*ways, more]))
    instead = parts.index(advice) if reason and advice else None
    note = reason or notice
    if note or not (hinted := hand.hinted()):
        return Content(tuple(parts), rows, person.user, note, passing, instead=instead)
    note, plays = hint(presenter, match, hand.seat, hinted, labels)
    if is_plan(hinted):  # it says what to do in this turn, at a length of its own
        parts = [part for part in parts if part != question]
    return Content(tuple(parts), rows, person.user, note, (*plays, *passing), instead=instead, last=True)


@dataclass(frozen=True, slots=True)
class _News:
    """What has happened since the player's last move, as far as their hand tells it. `over`, `standing`: a line and a
    picture of how the match stands if a round has ended; `told`: how many events of the story these tell, the first.
    """

    story: Sequence[LoggedEvent]
    missed: Missed | None
    """None in a lesson."""
    much: bool
    """Whether it is so much that *What happened?* stands in the hand."""
    over: list[str]
    standing: list[str | Picture]
    told: int


class _Hand:
    """A hand in the making: what its parts ask of the match, worked out once."""

    def __init__(
        self, presenter: Presenter, match: Match, person: Person, seat: Seat, labels: Labels, path: tuple[str, ...]
    ) -> None:
        self._presenter, self._match, self._person, self._labels = presenter, match, person, labels
        self._drawn, self._state = renderer(match.game), presenter.service.state(match)
        self.seat, self.path = seat, path
        self.view, self.turn = self._state.view(seat), token(match, self._state, seat)
        # In a lesson a sealed decision stands.
        decides = match.running and (seat in self._state.to_move() or not match.lesson)
        self.moves = self._state.legal_moves(seat) if decides else ()

    async def head(self, *, advised: bool, shown: bool) -> str:
        """Return the lines above all else. `advised`: advice says whose turn it is. `shown`: the hand answers a press,
        or a ping with which it is shown again is still to come.
        """
        match, labels = self._match, self._labels
        lines = [f"### {self._presenter.link(match, labels)}"]
        if not match.open:
            lines.append(await own_result(self._presenter, match, self.seat, labels))
            lines.append(self._drawn.score(self._state.view(None), in_lists(match, labels)))
        elif not advised:
            lines.append(_status(self._presenter, match, labels, self.seat, self._state))
        # A direct message without a ping to come would keep the line for longer than it is true.
        concerns = match.running and not match.private and shown
        clocks = self._presenter.service.clocks
        if concerns and (until := await clocks.quiet_at(match, self._person.user)) is not None:
            lines.append(labels.say("turn.off", until=exact(until)))
        if match.chairs[self.seat].ahead is not None and match.running:
            lines.append(ahead_line(self._presenter, match, self.seat, labels))
        if match.season:
            lines += await season_lines(self._presenter, match, labels, over=True)
        return "\n".join(lines)

    async def news(self) -> _News:
        """Return what has happened since the player's last move."""
        match, person = self._match, self._person
        story = () if match.lesson else await self._presenter.service.events_of(match)
        left_out, much = None, False
        if not match.lesson:
            left_out = missed(match, story, person.user)
            much = left_out.much(match) and not match.private
            if all(isinstance(it.event, self._drawn.DRAWN) for it in left_out.story if it.move >= 0):
                much = False  # others sealed, and the hand's picture shows that
        over, standing, told = await _round_over(self._presenter, match, person, self.seat, self._labels, story)
        return _News(story, left_out, much, over, standing, told)

    def happened(self, news: _News, taught: bool) -> tuple[str, bool]:
        """Return a sentence or two about the news, "" if there is nothing to tell, and whether these leave some out.
        `taught`: the hand explains the game too.
        """
        match, user = self._match, self._person.user
        # Of much *What happened?* tells.
        silent = taught and (news.much or _brought_nothing(news.story, user))
        if not match.running or match.lesson or silent:
            return "", False
        since = max(moved_since(news.story, user), news.story[news.told - 1].move + 1 if news.told else 0)
        untold = since_own_move(news.story[news.told :], user)
        own = [it for it in untold if not isinstance(it.event, self._drawn.DRAWN)]
        game = self._presenter.service.game(match)
        lines = sentences(game, match, own, self.seat, self._labels, since=since, briefly=True)
        return brief(lines, self._labels, MOST_TAUGHT if taught else MOST_BRIEF)

    def question(self) -> tuple[str, Sequence[Row]]:
        """Return what is asked of the player now, and the controls that answer it."""
        prompt = self._drawn.question(self.view, self.moves, self.path, self._labels)
        rows = prompt_rows(prompt, self._match.id, self.turn, self._labels.say("prompt.choose"))
        return prompt.question, self._presenter.signs.on(rows, self._match.game, self._labels, self.seat)

    def hinted(self) -> Sequence[Advised[Move]]:
        """Return the hint that the player has for this decision; none while they choose a move in steps."""
        coaching = self._presenter.coaching
        if not self.moves or self.path or coaching is None:
            return ()
        return coaching.given(self._match, self.seat) or ()

    async def ways(self) -> list[Button]:
        """Return the buttons that show the board of a held table, take the last move back, ask for a hint, name a move
        ahead and end an absence, each only if it applies. First the one that leads out of a choice in steps.
        """
        match, labels, service = self._match, self._labels, self._presenter.service
        seat, state, awaited = self.seat, self._state, self._state.to_move()
        ways = [Button(labels.say("button.back"), Id(match.id, "path", self.turn))] if self.moves and self.path else []
        if match.held:  # its table does not show the board
            ways.append(Button(labels.say("button.board"), Id(match.id, "board")))
        if state.may_take_back(seat) and await service.person_may_take_back(match, seat):
            ways.append(Button(labels.say("button.undo"), Id(match.id, "undo", self.turn)))
        elif match.private and not match.lesson and seat in awaited:  # no other player is asked
            last = await last_open_move(service, match)
            choice = () if last is None else (Id(match.id, "vote", rest=str(Choice("undo", last.number))),)
            ways += [Button(labels.say("button.undo"), pressed) for pressed in choice]
        if not self.path and match.running and (match.hints or match.lesson) and len(state.legal_moves(seat)) > 1:
            ways.append(Button(labels.say("button.hint"), Id(match.id, "hint")))
        by_people = any(match.chairs[other].user is not None for other in awaited)  # computers are too fast for it
        waits = match.running and not match.private and seat not in awaited and by_people
        gone = seat in {chair.number for chair in absent(match)}
        if waits and not gone and service.games[match.game].ahead(state, seat):
            ways.append(Button(labels.say("button.ahead"), Id(match.id, "ahead")))
        if gone:
            ways.append(Button(labels.say("clock.back"), Id(match.id, "here"), "success"))
        return ways


def refresh_button(match: Match, labels: Labels, style: Literal["primary", "secondary"] = "secondary") -> Button:
    """Return the button that shows the hand as it is when pressed."""
    return Button(labels.say("button.refresh"), Id(match.id, "refresh"), style)


def signs_button(match: Match, labels: Labels, opened: str = "") -> Button:
    """Return the button that says the signs in the player's hand in words; `opened` as for `hand_message`."""
    return Button(labels.say("button.signs"), Id(match.id, "signs"), closes=opened == "signs")


def _status(presenter: Presenter, match: Match, labels: Labels, seat: Seat, state: AnyState) -> str:
    say, service, clock = labels.say, presenter.service, clock_of(match, seat)
    if match.paused:
        return say("turn.paused", until=f"<t:{paused_until(match)}:D>")
    if match.rests_since is not None:
        return say(clock_texts.rest_key(match), since=relative(match.rests_since))
    if clock is not None and clock.away is not None:
        return clock_texts.all_away(match, labels) or say("clock.you_are_away")
    if clock is not None and clock.ends is not None:
        last = "clock.last" if is_last(service, match, seat) else "clock.yours"
        return say(_LATE.get(clock.stage, last), ends=relative(clock.ends))
    since, asked = relative(match.waits_since), state.to_move()
    if match.private:
        return lesson_status(seat in asked, labels.list([labels.who(other) for other in sorted(asked)]), labels)
    if seat in asked:
        turn = say("turn.last" if is_last(service, match, seat) else "turn.yours", since=since)
        nudger = nudger_of(match, seat, labels)
        return f"{turn} · {say('nudge.yours', name=nudger)}" if nudger else turn
    labels = in_lists(match, labels)
    others = [(other, labels.who(other)) for other in sorted(asked)]
    waited = clock_texts.with_ends(match, others, labels) if match.clocks else labels.list([who for _, who in others])
    return say("turn.not_yours", who=waited, since=since)


async def _votes(
    presenter: Presenter, match: Match, person: Person, seat: Seat, labels: Labels
) -> tuple[list[str], Row]:
    """Return a text about the open votes that others have begun and the player may decide, if there are any, and the
    buttons that answer the newest of them. While the match rests and no vote to resume it is open, another begins one.
    """
    resume = Choice("resume")
    rests = match.open and match.rests_since is not None and str(resume) not in open_votes(match)
    begins = (vote_button(match, resume, labels),) if rests else ()
    begun = [(vote, Choice.parse(vote.choice)) for vote in asked(match, seat)] if match.proposals else []
    if not begun:
        return [], begins
    votes = await presenter.service.votes(match.id)
    count = tally(match, votes)
    open_ = [(vote, choice) for vote, choice in begun if choice is not None and vote.choice != votes.get(person.user)]
    lines = [vote_question(match, choice, count.get(choice, 0), labels) for _, choice in open_]
    row = vote_buttons(match, open_[0][1], labels, alone=len(open_) == 1, in_hand=True) if open_ else ()
    return (["\n".join(lines)] if lines else []), (*row, *begins)


async def _round_over(
    presenter: Presenter, match: Match, person: Person, seat: Seat, labels: Labels, story: Sequence[LoggedEvent]
) -> tuple[list[str], list[str | Picture], int]:
    """Return a line and a picture of how the match stands if a round has ended since the player's last move or with it,
    and changed the scores; and how many events of the story that and the hand's picture tell, the first ones: all up to
    the move that ended the round, which also begins the next one.
    """
    if not match.running:
        return [], [], 0
    own = [logged.move for logged in story if (logged.seat, logged.user) == (seat, person.user) and not logged.undone]
    since = own[-1] if own else match.chairs[seat].since
    first = next((at for at, logged in enumerate(story) if logged.move >= since), len(story))
    told = presenter.round_story(match, labels, story, story[first:])
    if told is None:
        return [], [], 0
    last = len(story) - 1
    while presenter.round_story(match, labels, story, story[last:]) is None:
        last -= 1
    place = next(place for place in told.places if seat in place.seats)
    line = round_line(told, place, labels)
    shown = await presenter.standing(match, told, labels)
    words = [fitting(shown.alt, [line])] if person.wants_text else []
    return [line], [shown, *words], sum(logged.move <= story[last].move for logged in story)


def round_line(told: Story, own: Place, labels: Labels) -> str:
    """Return the line about the end of a round: what it brought its player, and who won it, if rounds have a winner."""
    gained = [place.course[-1] - place.course[-2] for place in told.places]
    best = min(gained) if told.lowest_wins else max(gained)
    winners = [place for place, gain in zip(told.places, gained, strict=True) if gain == best]
    facts = {"gain": signed(own.course[-1] - own.course[-2]), "own": own.score}
    if len(winners) == len(told.places) or not told.rounds_are_won:
        return labels.say("turn.round", **facts)
    if winners == [own]:
        return labels.say("turn.round_won", **facts)
    names = labels.list([labels.name(seat) for place in winners for seat in place.seats])
    return labels.say("turn.round_by", who=written(names), best=signed(best), **facts)


def _brought_nothing(story: Sequence[LoggedEvent], user: int) -> bool:
    """Return whether the last thing that happened is that user's move alone."""
    return bool(story) and story[-1].user == user and all(it.move != story[-1].move for it in story[-2:-1])


async def offers_forced(presenter: Presenter, match: Match, person: Person, seat: Seat) -> bool:
    """Return whether a player without a choice is offered that the bot makes such moves: if they have made FORCED of
    them at this table already.
    """
    service, chair = presenter.service, match.chairs[seat]
    if chair.plays_forced or service.seat_may_take_back(match, seat):
        return False
    key = match.id, seat, person.user
    if key not in presenter.forced_often:  # once they have, they always have: no log is read again
        log = await service.log(match.id)

        def forced() -> int:
            found = steps(service.game(match), match, log)
            own = (before for move, before, _, _ in found if (move.seat, move.user) == (seat, person.user))
            return sum(len(before.legal_moves(seat)) == 1 for before in own)

        if await asyncio.to_thread(forced) < FORCED:
            return False
        presenter.forced_often[key] = True
    return True


async def is_first(presenter: Presenter, match: Match, person: Person) -> bool:
    """Return whether the player is in their first match of the game and wants help with it. A lesson explains more
    (lesson.py).
    """
    if not person.wants_help or not match.running or match.lesson:
        return False
    return await presenter.service.index.is_first(match, person.user)


def first_turns(
    match: Match, person: Person, view: View, labels: Labels, turn: str, story: Sequence[LoggedEvent]
) -> list[str]:
    """Return the part of a newcomer's hand that explains the game to them in their first turns: their aim, and what to
    do now.
    """
    drawn, seat = renderer(match.game), view.viewer
    assert seat is not None
    if turns_had(match, story, person.user, seat, turn) >= drawn.LESSON_TURNS:
        return []
    coach = drawn.coach(view, labels)
    return [coach] if coach else []


async def _new_signs(
    presenter: Presenter, match: Match, person: Person, seat: Seat, labels: Labels, legend: Sequence[str]
) -> list[str]:
    """Return a text about those of these signs that were not in the player's hand at their decisions before; none if
    all were. `legend`: a line about each sign.
    """
    service, drawn, key = presenter.service, renderer(match.game), (match.id, seat, person.user)
    known = presenter.signs_had.get(key) or frozenset()
    if not known.issuperset(legend):  # otherwise no log is read: what they had once they have had
        log = await service.log(match.id)

        def had() -> set[str]:
            return {
                line
                for move, before, _, _ in steps(service.game(match), match, log)
                if (move.seat, move.user) == (seat, person.user)
                for line in drawn.legend(before.view(seat), labels).splitlines()
            }

        known = presenter.signs_had[key] = known | await asyncio.to_thread(had)
    new = [f"-# {line}" for line in legend if line not in known]
    return ["\n".join(new)] if new else []


def turns_had(match: Match, story: Sequence[LoggedEvent], user: int, seat: Seat, present: str) -> int:
    """Return how many turns the player has had there before the one of that token; a turn may be several moves."""
    several = renderer(match.game).SEVERAL_MOVES_A_TURN

    def name(token: str) -> str:
        turn = token.partition("-")[0]  # without the branch
        return turn.partition(".")[0] if several else turn

    own = {logged.turn for logged in story if (logged.seat, logged.user) == (seat, user)}
    return len({*map(name, own)} - {name(present)})
