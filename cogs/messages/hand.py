"""A player's private hand: their picture, the moves that they may make now, and the ways on from there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

from cogs.match.agenda import is_last, missed
from cogs.match.clocks import absent, clock_of
from cogs.match.positions import LoggedEvent, steps, token
from cogs.match.refusals import paused_until
from cogs.match.undo import last_open_move
from cogs.match.votes import Choice, asked, open_votes, tally
from cogs.messages import clock as clock_texts
from cogs.messages.alone import lobby_alone
from cogs.messages.choices import ahead_line
from cogs.messages.content import Button, Content, Id, Picture, Row, exact, in_rows, prompt_rows, relative
from cogs.messages.end import ended_hand, replay_button
from cogs.messages.hint import hint, is_plan
from cogs.messages.lesson import EXPLAINS, again_button, explained, lesson_end
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
from cogs.messages.presenter import Presenter, fitting, table_link
from cogs.messages.season import season_lines
from cogs.messages.table import status_line
from data.records.deadlines import Stage
from data.records.match import Match
from data.records.people import Person
from rendering import renderer
from rendering.core.formatting import signed
from rendering.core.labels import Labels
from rendering.core.story import Place, Story
from rules.core.game import AnyState, Seat, View

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
    drawn, state = renderer(match.game), presenter.service.state(match)
    view, me = state.view(Seat(seat)), Seat(seat)
    decides = match.running and (me in state.to_move() or not match.lesson)  # in a lesson a sealed decision stands
    moves = state.legal_moves(me) if decides else ()
    turn, path = token(match, state, me), tuple(path)
    picture = await presenter.picture("hand.png", match.game, view, presenter.halted(match, labels), path)
    above, advice = list[str](), ""
    if match.lesson:
        above, advice = await explained(presenter, match, person, me, labels, path)
    story = () if match.lesson else await presenter.service.events_of(match)
    left_out = None if match.lesson else missed(match, story, person.user)
    much = left_out is not None and left_out.much(match) and not match.private
    if left_out is not None and all(isinstance(it.event, drawn.DRAWN) for it in left_out.story if it.move >= 0):
        much = False  # others sealed, and the hand's picture shows that
    is_first = await _is_first(presenter, match, person)
    taught = first_turns(match, person, view, labels, turn, story) if is_first else []
    head = f"### {presenter.link(match, labels)}"
    if not (advice and moves):  # advice says whose turn it is
        head += f"\n{_status(presenter, match, labels, me, state)}"
    # A direct message without a ping to come would keep the line for longer than it is true.
    concerns = match.running and not match.private and (refreshable or pings)
    until = await presenter.service.clocks.quiet_at(match, person.user) if concerns else None
    if until is not None:
        head += f"\n{labels.say('turn.off', until=exact(until))}"
    if match.chairs[seat].ahead is not None and match.running:
        head += f"\n{ahead_line(presenter, match, me, labels)}"
    if match.season:
        head = "\n".join((head, *await season_lines(presenter, match, labels, over=True)))
    votes, answers_to = await _votes(presenter, match, person, Seat(seat), labels)
    over, before, told = await _round_over(presenter, match, person, me, labels, story)
    if path:  # the way back leads to it, and what is to be chosen fits on the screen
        over, before = [], []
    is_cut = False
    silent = taught and (much or _brought_nothing(story, person.user))  # of much *What happened?* tells
    if match.running and not match.lesson and not silent:
        since = max(moved_since(story, person.user), story[told - 1].move + 1 if told else 0)
        own = [it for it in since_own_move(story[told:], person.user) if not isinstance(it.event, drawn.DRAWN)]
        lines = sentences(presenter.service.game(match), match, own, me, labels, since=since, briefly=True)
        happened, is_cut = brief(lines, labels, MOST_TAUGHT if taught else MOST_BRIEF)
        above += [happened] if happened else []
    legend = _legend(presenter, match, person) if is_first else []
    if legend and moves and not taught:
        new = await _new_signs(presenter, match, person, me, labels, legend)
        above += ["\n".join(f"-# {line}" for line in new)] if new else []
    parts: list[str | Picture] = ["\n".join((head, *votes, *over)), *before, *above, *taught, picture]
    rows: list[Row] = []
    question = ""
    if moves:
        prompt = drawn.question(view, moves, path, labels)
        # What a newcomer is told to do now, and what a lesson explains, says it already.
        asked = taught or any(text.startswith(EXPLAINS) for text in above)
        question = prompt.question
        parts += [] if asked and not path else [question]
        parts += [advice] if advice else []
        controls = prompt_rows(prompt, match.id, turn, labels.say("prompt.choose"))
        rows += presenter.signs.on(controls, match.game, labels, me)
    if person.wants_text:
        parts.insert(parts.index(picture) + 1, fitting(drawn.transcript(view, labels), [*parts, notice, reason]))
    rows += [answers_to] if answers_to else []
    ways = [Button(labels.say("button.back"), Id(match.id, "path", turn))] if moves and path else []
    ways += await _ways_back(presenter, match, me, path, labels, state)
    if much or (left_out is not None and is_cut and not taught):
        ways.append(catch_up_button(match, labels))
    elif answers and left_out is not None and left_out.long_ago(match, int(presenter.service.now())):
        passing = (catch_up_button(match, labels), *passing)
    signs_there = signs_button(match, labels, opened)
    if legend and taught:  # later it is behind *More …* alone
        ways.append(signs_there)
        passing = tuple(button for button in passing if button != signs_there)
    if not match.lesson and len(moves) == 1 and await offers_forced(presenter, match, person, me):
        ways.append(Button(labels.say("button.forced"), Id(match.id, "forced")))
    if refreshable and match.open:
        ways.append(_refresh(match, labels))
    rows += in_rows([*ways, Button(labels.say("lobby.more"), Id(match.id, "lookups"), closes=opened == "lookups")])
    instead = parts.index(advice) if reason and advice else None
    note, hinted = reason or notice, False
    if not note and moves and not path and presenter.coaching is not None:
        given = presenter.coaching.given(match, me)
        if hinted := bool(given):
            note, plays = hint(presenter, match, me, given, labels)
            if is_plan(given):  # it says what to do in this turn, at a length of its own
                parts = [part for part in parts if part != question]
            passing = (*plays, *passing)
    return Content(tuple(parts), tuple(rows), person.user, note, passing, instead=instead, last=hinted)


async def still_hand(presenter: Presenter, match: Match, person: Person, *, pictured: bool) -> Content:
    """Return a seated player's own hand that is updated no more: it says so, offers no move, and *Refresh* comes first.

    `pictured`: with its picture, for which the match must be readable.
    """
    seat = match.seat_of(person.user)
    assert seat is not None
    labels = await presenter.with_faces(match, presenter.labels_for(match, person))
    parts: list[str | Picture] = [f"### {presenter.link(match, labels)}\n{labels.say('turn.still')}"]
    if pictured:
        view = presenter.service.state(match).view(Seat(seat))
        parts.append(await presenter.picture("hand.png", match.game, view, presenter.halted(match, labels)))
        if person.wants_text:
            parts.append(fitting(renderer(match.game).transcript(view, labels), parts))
    return Content(tuple(parts), ((_refresh(match, labels, "primary"),), lookups(match, labels)), person.user)


def left_seat(presenter: Presenter, match: Match, user: int, person: Person | None) -> Content:
    """Return what replaces the hand of a user who has left their seat. `person`: None if their data is deleted."""
    labels = presenter.labels(match, person.locale if person is not None else None)
    said, former = labels.say("dm.left", table=presenter.link(match, labels)), match.former_seat(user)
    if former is not None and former.removed:
        said += f" {labels.say('refused.removed')}"
    return Content((said,), user=user)


def _refresh(match: Match, labels: Labels, style: Literal["primary", "secondary"] = "secondary") -> Button:
    return Button(labels.say("button.refresh"), Id(match.id, "refresh"), style)


def lookups(match: Match, labels: Labels, *, signs: bool = False, past: bool = True) -> tuple[Button, ...]:
    """Return what *More …* adds to a hand: the buttons to the table, to what can be looked up, and to the player's
    settings at this table or, once everyone may see the match, to its replay. A private match has no table, and a
    button that ends it; a lesson has one to begin again. `signs`: there are signs to explain.
    `past`: there is something to look back at.
    """
    table = [] if match.private else [Button(labels.say("button.table"), url=table_link(match))]
    last = [Button(labels.say("button.settings"), Id(match.id, "mine"))]
    if match.lesson:
        last = [again_button(match, labels)]
    elif match.private:
        last.append(Button(labels.say("vote.end"), Id(match.id, "vote", rest="end")))
    ended = () if match.held or match.open else (replay_button(match, labels),)
    return (
        *table,
        *((Button(labels.say("button.last"), Id(match.id, "last")),) if past else ()),
        Button(labels.say("button.log"), Id(match.id, "log")),
        Button(labels.say("button.rules"), Id(match.id, "rules")),
        *((signs_button(match, labels),) if signs else ()),
        *(last if match.open else ended),
    )


def signs_button(match: Match, labels: Labels, opened: str = "") -> Button:
    """Return the button that says the signs in the player's hand in words; `opened` as for `hand_message`."""
    return Button(labels.say("button.signs"), Id(match.id, "signs"), closes=opened == "signs")


async def has_signs(presenter: Presenter, match: Match, person: Person) -> bool:
    """Return whether a seated player is in their first match of the game, wants help with it, and has signs in their
    hand.
    """
    return await _is_first(presenter, match, person) and bool(_legend(presenter, match, person))


async def _ways_back(
    presenter: Presenter, match: Match, seat: Seat, path: tuple[str, ...], labels: Labels, state: AnyState
) -> list[Button]:
    """Return the buttons that show the board of a held table, take the last move back, ask for a hint, and end an
    absence, each only if it applies.
    """
    ways = list[Button]()
    if match.held:  # its table does not show the board
        ways.append(Button(labels.say("button.board"), Id(match.id, "board")))
    if state.may_take_back(seat) and await presenter.service.person_may_take_back(match, seat):
        ways.append(Button(labels.say("button.undo"), Id(match.id, "undo", token(match, state, seat))))
    elif match.private and not match.lesson and seat in state.to_move():  # no other player is asked
        last = await last_open_move(presenter.service, match)
        choice = () if last is None else (Id(match.id, "vote", rest=str(Choice("undo", last.number))),)
        ways += [Button(labels.say("button.undo"), pressed) for pressed in choice]
    if not path and match.running and (match.hints or match.lesson) and len(state.legal_moves(seat)) > 1:
        ways.append(Button(labels.say("button.hint"), Id(match.id, "hint")))
    awaited = state.to_move()
    by_people = any(match.chairs[other].user is not None for other in awaited)  # computers are too fast for it
    waits = match.running and not match.private and seat not in awaited and by_people
    gone = seat in {chair.number for chair in absent(match)}
    if waits and not gone and presenter.service.games[match.game].ahead(state, seat):
        ways.append(Button(labels.say("button.ahead"), Id(match.id, "ahead")))
    if gone:
        ways.append(Button(labels.say("clock.back"), Id(match.id, "here"), "success"))
    return ways


def _status(presenter: Presenter, match: Match, labels: Labels, seat: Seat, state: AnyState) -> str:
    say, service, clock = labels.say, presenter.service, clock_of(match, seat)
    if not match.open:
        return status_line(presenter, match, labels)
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


async def _is_first(presenter: Presenter, match: Match, person: Person) -> bool:
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


async def _new_signs(
    presenter: Presenter, match: Match, person: Person, seat: Seat, labels: Labels, legend: Sequence[str]
) -> list[str]:
    """Return those of the lines about signs that were not in the player's hand at their decisions before."""
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
    return [line for line in legend if line not in known]


def signs(presenter: Presenter, match: Match, person: Person) -> str:
    """Return the signs in a seated player's hand in words, and where the help of the first turns is switched off."""
    off = presenter.labels_for(match, person).say("lesson.off")
    return "\n".join(f"-# {line}" for line in (*_legend(presenter, match, person), off))


def _legend(presenter: Presenter, match: Match, person: Person) -> list[str]:
    """Return a line about each sign in a seated player's hand."""
    seat = match.seat_of(person.user)
    assert seat is not None
    view = presenter.service.state(match).view(Seat(seat))
    return renderer(match.game).legend(view, presenter.labels_for(match, person)).splitlines()


def turns_had(match: Match, story: Sequence[LoggedEvent], user: int, seat: Seat, present: str) -> int:
    """Return how many turns the player has had there before the one of that token; a turn may be several moves."""
    several = renderer(match.game).SEVERAL_MOVES_A_TURN

    def name(token: str) -> str:
        turn = token.partition("-")[0]  # without the branch
        return turn.partition(".")[0] if several else turn

    own = {name(logged.turn) for logged in story if (logged.seat, logged.user) == (seat, user)}
    return len(own - {name(present)})
