"""What the house proposes after a market: it keeps most, moves least, and can be sent as it is."""

from typing import Literal

import msgspec
import pytest
from msgspec.structs import replace
from tests.hall.play import House, Person

from ludoteca import games
from ludoteca.core import Dice, Seat
from ludoteca.core.notices import Asked, Declined, Seated, Shown
from ludoteca.core.requests import Act, AddBot, Open
from ludoteca.games.renaissance.actions import Store
from ludoteca.games.renaissance.cards.depots import arranged, proposed, store_choices
from ludoteca.games.renaissance.data import PLACES, Resource
from ludoteca.games.renaissance.events import EMPTY, Depot
from ludoteca.games.renaissance.state import Board
from ludoteca.wire import messages as m
from ludoteca.wire.house import HouseConversation

GAME = games.load("renaissance")


def board(*depots: Depot) -> Board:
    return replace(Board(dealt=(), due=0, faith=0), depots=depots)


@pytest.mark.parametrize(
    ("depots", "waiting", "expected", "lost"),
    [
        # What lies there stays, and its kind joins it.
        (
            (EMPTY, Depot("coins", 1), EMPTY),
            ("coins", "stones", "stones", "stones"),
            (EMPTY, Depot("coins", 2), Depot("stones", 3)),
            0,
        ),
        # A depot is changed where more is kept by that.
        ((EMPTY, Depot("coins", 2), EMPTY), ("coins",), (EMPTY, EMPTY, Depot("coins", 3)), 0),
        # Four kinds never fit.
        ((EMPTY, EMPTY, EMPTY), ("coins", "stones", "servants", "shields"), None, 1),
    ],
)
def test_it_keeps_most_and_moves_least(
    depots: tuple[Depot, ...], waiting: tuple[Resource, ...], expected: tuple[Depot, ...] | None, lost: int
) -> None:
    mine = board(*depots)
    found, given_up = arranged(mine, waiting, proposed(mine, waiting))
    assert sum(given_up) == lost
    assert expected is None or found == expected


def test_no_arrangement_keeps_more() -> None:
    """Against all there are, for many harvests."""
    dice = Dice(5)
    kinds: list[Resource | None] = ["coins", "stones", "servants", "shields", None]
    for _ in range(40):
        drawn = [dice.choice(kinds) for _ in PLACES]
        held = [kind if kind not in drawn[:place] else None for place, kind in enumerate(drawn)]
        mine = board(
            *(
                Depot(kind, 1 + dice.below(room)) if kind else EMPTY
                for kind, room in zip(held, PLACES, strict=True)
            )
        )
        waiting: tuple[Resource, ...] = tuple(
            dice.choice(["coins", "stones", "servants", "shields"]) for _ in range(1 + dice.below(4))
        )
        _, given_up = arranged(mine, waiting, proposed(mine, waiting))
        assert sum(given_up) == _least(mine, waiting, [])


def _least(mine: Board, waiting: tuple[Resource, ...], draft: list[Store]) -> int:
    choices = store_choices(mine, waiting, draft)
    if not choices:
        return sum(arranged(mine, waiting, draft)[1])
    return min(_least(mine, waiting, [*draft, choice]) for choice in choices)


def test_those_who_follow_views_are_asked_with_the_proposal_which_is_taken_as_it_is() -> None:
    house = House()
    anna = house.named("Anna").ask(Open("renaissance", 2), AddBot("random"))
    seat = Seat(anna.guest.seat or 0)
    for _ in range(40):
        asked = anna.last(Asked)
        if asked.question.kind == "place":
            break
        assert _told(anna, asked, "views").proposal is msgspec.UNSET, "only where placing is asked for"
        questions = anna.table.match.questions
        mover = seat if seat in questions else next(iter(questions))
        if mover == seat:
            lines = [choice for choice in asked.question.choices if type(choice).__name__ == "TakeLine"]
            anna.ask(Act(((lines or asked.question.choices)[0],)))
        else:
            bot = anna.table.chair(mover).guest
            assert bot is not None
            anna.table.act(bot, mover, Act((questions[mover].choices[-1],)), house.now)
            house.collect()
    assert _told(anna, asked, "events").proposal is msgspec.UNSET
    proposal = _told(anna, asked, "views").proposal
    assert proposal is not msgspec.UNSET
    anna.ask(Act(proposal, asked.number))
    assert anna.count(Declined) == 0
    assert anna.table.match.questions[seat].kind == "end"


def _told(anna: Person, asked: Asked, follow: Literal["events", "views"]) -> m.Question:
    """A question as somebody hears it who sees the table now."""
    seat = Seat(anna.guest.seat or 0)
    conversation = HouseConversation(games.load)
    conversation.hear(m.Hello("Anna", follow=follow), 0.0)
    table = anna.table
    for notice in (
        Seated(table.info(), seat, ""),
        Shown(table.ledger.number, table.game.view(table.match.state, seat)),
    ):
        conversation.tell(notice, 0.0)
    (question,) = conversation.tell(asked, 0.0)
    assert isinstance(question, m.Question)
    return question
