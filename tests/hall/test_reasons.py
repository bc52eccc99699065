"""Why not, asked of the hall: who may ask, and that a game is shown nothing but the seat's own view."""

import msgspec
from tests.hall.play import House, Person

from ludoteca import games
from ludoteca.core import Seat
from ludoteca.core.notices import Asked, Declined, Reasoned
from ludoteca.core.requests import Act, Join, Open, Watch
from ludoteca.core.requests import Why as Ask
from ludoteca.core.why import NOT_NOW, Attempt, Reason, Why
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.shelfie.actions import FillColumn, TakeTiles
from ludoteca.games.shelfie.data import Cell


def two_at(house: House, game: str) -> tuple[Person, Person]:
    """Two people at a table: the one who is asked first, and the other."""
    anna = house.named("Anna").ask(Open(game, 2))
    bruno = house.named("Bruno").ask(Join(anna.guest.table))
    return (anna, bruno) if anna.count(Asked) else (bruno, anna)


def test_a_reason_comes_with_the_number_of_its_question_and_nothing_changes() -> None:
    anna, bruno = two_at(House(), "shelfie")
    asked, records = anna.last(Asked), len(anna.house.lines[anna.guest.table])
    take = asked.question.choices[0]
    anna.ask(Ask((TakeTiles((Cell(4, 4),)),), asked.number))
    assert anna.last(Reasoned).reason.code == "enclosed"
    assert anna.last(Reasoned).number == asked.number
    # What is legal has none, alone and as a whole turn.
    for actions in (
        (take,),
        (
            take,
            FillColumn(0, (anna.table.match.state.tabletop.room[take.cells[0].row][take.cells[0].column],)),
        ),
    ):
        anna.ask(Ask(actions))
        assert anna.last(Reasoned).reason is None
    assert len(anna.house.lines[anna.guest.table]) == records
    assert not bruno.count(Reasoned), "nobody else hears of it"
    anna.ask(Act((take,), asked.number))
    assert anna.count(Declined) == 0


def test_who_is_not_asked_gets_no_reason() -> None:
    house = House()
    anna, bruno = two_at(house, "multisweeper")
    watcher = house.named("Cleo").ask(Watch(anna.guest.table))
    for person, request, code in (
        (bruno, Ask((Click(0, 0),)), "turn"),
        (watcher, Ask((Click(0, 0),)), "seat"),
        (house.named("Dora"), Ask((Click(0, 0),)), "seat"),
        (anna, Ask((Click(0, 0),), 999), "stale"),
        (anna, Ask(()), "message"),
    ):
        person.ask(request)
        assert person.last(Declined).code == code
        assert not person.count(Reasoned)


def test_a_game_is_given_the_view_of_the_seat_that_asks_and_never_the_state() -> None:
    seen: list[Attempt] = []

    def spy(attempt: Attempt) -> Reason | None:
        seen.append(attempt)
        return None

    game = msgspec.structs.replace(games.load("shelfie"), why=Why(spy, lambda *_: ()))
    anna, _ = two_at(House(load=lambda _: game), "shelfie")
    anna.ask(Ask((TakeTiles((Cell(4, 4),)),)))
    (attempt,) = seen
    seat = anna.guest.seat
    assert seat is not None
    assert attempt.view == game.view(anna.table.match.state, Seat(seat))
    assert attempt.view.cards[1 - seat] is None, "the other's goal stays secret"
    assert not isinstance(attempt.view, type(anna.table.match.state))
    assert list(attempt.names) == list(anna.table.info().names)
    assert anna.last(Reasoned).reason == NOT_NOW, "a game that knows no reason"


def test_whoever_asks_for_reasons_without_end_harms_nobody() -> None:
    anna, bruno = two_at(House(), "multisweeper")
    for column in range(300):
        anna.ask(Ask((Click(column % 256, 255), Click(0, 0))))
    assert anna.count(Reasoned) == 300
    anna.ask(Act((Click(0, 0),)))
    assert anna.count(Declined) == 0
    assert anna.table.phase in ("playing", "over")
    assert not bruno.count(Reasoned)
