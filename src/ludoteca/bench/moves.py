"""The section of durable moves: every protocol that can be driven, as multiples of bare echoes in the same run."""

import importlib
import pkgutil
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

from ludoteca import games
from ludoteca.bench import players
from ludoteca.bench.figures import Figure
from ludoteca.bench.players.house import HouseDriver
from ludoteca.bench.traffic import Case, Driver, Yardstick, measure, typical_us, yardstick

SECTION = "Durable moves: server CPU, as a multiple of a bare uvloop JSON-line echo (50 tables of two)"
MOVES = 40
# Aims of protocols that have one.
AIMS = {"multisweeper": 4.0, "santorini": 5.0}


def _house_driver(game: str, path: str, _data: Path) -> Driver:
    return HouseDriver(game, path)


def _seed_drivers() -> dict[str, Any]:
    """The players that speak the protocol of a game's seed, by game."""
    found = {}
    for module in pkgutil.iter_modules(players.__path__):
        if module.name in games.names():
            found[module.name] = importlib.import_module(f"{players.__name__}.{module.name}")
    return found


def cases() -> list[Case]:
    """Every game over its seed's protocol, where there is a player for it, and over Ludoteca's own."""
    found = []
    for name, module in _seed_drivers().items():
        driver: Callable[..., Driver] = module.Driver
        found.append(Case(f"{name}, its own lines", name, driver, module.MOVES, AIMS.get(name)))
        path = f"/ws/{name}"
        found.append(
            Case(f"{name}, its own lines over WebSocket", "http", partial(driver, path=path), module.MOVES)
        )
    for name in games.names():
        found.append(Case(f"{name}, house protocol", "house", partial(_house_driver, name, ""), MOVES))
    return found


async def figures(rounds: int) -> AsyncIterator[Figure]:
    """One figure for each case, and what the echoes themselves cost."""
    async with (
        yardstick("json") as by_json,
        yardstick("lines") as by_lines,
        yardstick("socket", "/") as by_socket,
    ):
        yield Figure(SECTION, "JSON-line echo", await _alone(by_json, rounds), "us CPU", note="the unit")
        for case in cases():
            sockets = [by_socket] if case.listener == "http" else []
            spent = await measure(case, [by_json, by_lines, *sockets], rounds)
            cost, unit, bare, *socket = map(typical_us, spent)
            note = f"{cost:.0f} us; {cost / bare:.1f} x an echo that does not even read JSON"
            if socket:
                note += f"; {cost / socket[0]:.1f} x an aiohttp WebSocket echo"
            yield Figure(SECTION, case.name, cost / unit, "x", case.aim, note=note)


async def _alone(one: Yardstick, rounds: int) -> float:
    return typical_us([await one.measure() for _ in range(rounds + 1)][1:])


async def click_us(rounds: int) -> float:
    """What a durable click of Multisweeper over its own lines costs, alone."""
    case = next(case for case in cases() if case.listener == "multisweeper")
    return typical_us((await measure(case, [], rounds))[0])
