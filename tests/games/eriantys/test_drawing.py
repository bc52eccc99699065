"""Eriantys on a screen: the ring, and what its places mean."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.clients import stage
from tests.clients.test_board import overheard, place_of, ready

from ludoteca.clients.completion import about
from ludoteca.clients.widgets.board import Picture
from ludoteca.core import Drawing, Room, Seat, Setup, Sight
from ludoteca.games.eriantys import GAME
from ludoteca.games.eriantys.actions import Walk
from ludoteca.games.eriantys.state import Active

LARGE = (Room(91, 30), Room(171, 48))


def table(seats: int = 2) -> Any:
    state, _ = GAME.start(Setup(seats, 4, GAME.settle(GAME.options(), seats), (GAME.preferences(),) * seats))
    return state


def drawn(view: Any, room: Room, before: Any = None) -> Drawing:
    names = ("Ann", "Ben", "Cleo", "Dan")[: len(view.players)]
    drawing = GAME.text.board(Sight(view, names, 0, before), room)
    assert drawing is not None
    return drawing


@pytest.mark.parametrize("room", LARGE, ids=lambda room: f"{room.columns}")
def test_the_islands_go_around_clockwise(room):
    spots = [spot for spot in drawn(table().tabletop, room).spots if spot.words[0].startswith("to ")][:12]
    top, right, bottom, left = spots[:4], spots[3:7], spots[6:10], [*spots[9:], spots[0]]
    assert len({spot.row for spot in top}) == 1
    assert [spot.column for spot in top] == sorted(spot.column for spot in top)
    assert len({spot.column for spot in right}) == 1
    assert [spot.row for spot in right] == sorted(spot.row for spot in right)
    assert [spot.column for spot in bottom] == sorted((spot.column for spot in bottom), reverse=True)
    assert [spot.row for spot in left] == sorted((spot.row for spot in left), reverse=True)


@pytest.mark.parametrize("room", LARGE, ids=lambda room: f"{room.columns}")
def test_joined_islands_are_one_place_wherever_one_points(room):
    view = table().tabletop
    first, second, *others = view.islands
    joined = replace(first, tiles=first.tiles + second.tiles, tower="white")
    drawing = drawn(replace(view, islands=(joined, *others)), room)
    assert "joined to 1" in "\n".join(drawing.rows)
    assert "▲▲ white" in "\n".join(drawing.rows)
    assert sum("to 1" in spot.words for spot in drawing.spots) == 2


def test_an_island_is_where_mother_nature_would_walk():
    view = replace(table().tabletop, mother_nature=10)
    answers = [GAME.text.write(Walk(steps)) for steps in range(1, 6)]
    for room in LARGE:
        spots = [spot for spot in drawn(view, room).spots if "to 2" in spot.words]
        assert [about(answers, [spot.words]) for spot in spots] == [["walk 3"]]


def test_the_jester_swaps_a_student_of_the_card_for_one_of_the_entrance():
    view = table().tabletop
    card = replace(view.characters[0], character=7, students=(1, 1, 1, 1, 2))
    active = Active(7, Seat(0), 0, None, True)
    ann = replace(view.players[0], entrance=(1, 1, 1, 1, 3))
    view = replace(
        view, characters=(card, *view.characters[1:]), active=active, players=(ann, *view.players[1:])
    )
    answers = [f"take {taken} for {given}" for taken in ("red", "blue") for given in ("red", "blue")]
    for room in LARGE:
        spots = drawn(view, room).spots
        taken = next(spot for spot in spots if "take red" in spot.words)
        given = next(spot for spot in spots if "for blue" in spot.words)
        assert about(answers, [taken.words, given.words]) == ["take red for blue"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=lambda size: f"{size[0]}")
async def test_a_cloud_is_clicked(size):
    desk = stage.staged("eriantys", steps=5)
    steps = 5
    while desk.prompt is None or not desk.prompt.answers[0].startswith("cloud"):
        steps += 1
        desk = stage.staged("eriantys", steps=steps)
    sent = overheard(desk)
    async with stage.desk_screen(desk, size=size) as (app, pilot):
        screen, _ = await ready(app, pilot)
        await pilot.click(Picture, offset=place_of(screen, desk.prompt.answers[0]))
        await stage.until(pilot, lambda: sent)
        assert sent == [desk.prompt.answers[0]]
