"""The section of durable moves: every protocol that can be driven, as multiples of bare echoes
in the same run."""

import importlib
import pkgutil
from collections.abc import AsyncGenerator, Callable
from functools import partial
from pathlib import Path
from typing import Any

from ludoteca import games
from ludoteca.bench import players
from ludoteca.bench.figures import Figure
from ludoteca.bench.players.caller import CallerDriver
from ludoteca.bench.players.house import HouseDriver
from ludoteca.bench.processes import BenchError
from ludoteca.bench.traffic import Case, Driver, doubt, measure, together, typical_us, yardstick
from ludoteca.core import Refused

SECTION = "Durable moves: server CPU, as a multiple of a bare uvloop JSON-line echo (50 tables of two)"
MOVES = 40
# How the module of players that make remote calls ends.
REMOTE = "_rpc"
SLOW_ROUNDS_MAX = 3
# Aims: of games over their own lines, over WebSocket, over Ludoteca's own protocol; and beside the barest
# durable server. A turn of My Shelfie is one figure; one of Renaissance is three records, 8 for each.
AIMS = {"eriantys": 8.0, "multisweeper": 3.0, "renaissance": 24.0, "santorini": 4.5, "shelfie": 20.0}
SOCKET_AIMS = {"multisweeper": 5.0}
HOUSE_AIM = 4.5
DURABLE_AIMS = {"multisweeper": 1.5}


def _house_driver(game: str, path: str, _data: Path) -> Driver:
    return HouseDriver(game, path)


def _seed_drivers() -> dict[str, Any]:
    """The players that speak the protocol of a game's seed, by listener: the game, or the game and "-rpc"."""
    found = {}
    for module in pkgutil.iter_modules(players.__path__):
        game, remote, _ = module.name.partition(REMOTE)
        if game in games.names():
            listener = f"{game}-rpc" if remote else game
            found[listener] = importlib.import_module(f"{players.__name__}.{module.name}")
    return found


def _caller_driver(game: str, _data: Path) -> Driver:
    return CallerDriver(game)


def _has_client(game: str) -> bool:
    try:
        games.load_client(game)
    except Refused:
        return False
    return True


def cases() -> list[Case]:
    """Every game over its seed's protocol, where there is a player for it, and over Ludoteca's own."""
    found = []
    special = _seed_drivers()
    for name in games.names():
        if name in special:
            driver: Callable[..., Driver] = special[name].Driver
            count = special[name].MOVES
            found.append(Case(f"{name}, its own lines", name, driver, count, AIMS.get(name)))
            by_socket = partial(driver, path=f"/ws/{name}")
            found.append(
                Case(f"{name}, its own lines over WebSocket", "http", by_socket, count, SOCKET_AIMS.get(name))
            )
            if (java := getattr(special[name], "JavaDriver", None)) is not None:
                settings = special[name].JAVA_SETTINGS
                found.append(Case(f"{name}, Java objects", name, java, count, slow=True, settings=settings))
        elif _has_client(name):
            by_caller = partial(_caller_driver, name)
            aim = AIMS.get(name)
            # The games' own clients draw each board, and take long to sit down.
            found.append(
                Case(f"{name}, its own lines", name, by_caller, MOVES, aim, recorded=True, slow=True)
            )
        if (remote := special.get(f"{name}-rpc")) is not None:
            found.append(Case(f"{name}, remote calls", f"{name}-rpc", remote.Driver, remote.MOVES, slow=True))
            if (stream := getattr(remote, "StreamDriver", None)) is not None:
                found.append(
                    Case(f"{name}, one remote stream", f"{name}-rpc", stream, remote.MOVES, slow=True)
                )
        over_house = getattr(special.get(name), "OverHouse", None)
        if over_house is not None:
            found.append(Case(f"{name}, house protocol", "house", over_house, count, HOUSE_AIM))
        else:
            by_house = partial(_house_driver, name, "")
            found.append(Case(f"{name}, house protocol", "house", by_house, MOVES, HOUSE_AIM))
    return found


async def figures(rounds: int) -> AsyncGenerator[Figure, None]:
    """One figure for each case, and what the echoes themselves cost."""
    async with (
        yardstick("json") as by_json,
        yardstick("durable") as by_disk,
        yardstick("socket", "/") as by_socket,
    ):
        unit, bare = map(typical_us, await together([by_json, by_disk], rounds))
        yield Figure(SECTION, "JSON-line echo", unit, "us CPU", note="the unit")
        note = f"{bare:.0f} us: JSON lines to two players and a plain file, one fdatasync for all that wait"
        yield Figure(SECTION, "the barest durable server of two", bare / unit, "x", note=note)
        for case in cases():
            sockets = [by_socket] if case.listener == "http" else []
            count = min(rounds, SLOW_ROUNDS_MAX) if case.slow else rounds
            try:
                spent = await measure(case, [by_json, by_disk, *sockets], count)
            except (BenchError, TimeoutError, ConnectionError) as error:
                note = f"not measured: {str(error) or 'it took too long'}"
                yield Figure(SECTION, case.name, None, "x", case.aim, note=note)
                continue
            cost, unit, bare, *socket = map(typical_us, spent)
            note = f"{cost:.0f} us; {cost / bare:.2f} x the barest durable server"
            if socket:
                note += f"; {cost / socket[0]:.1f} x an aiohttp WebSocket echo"
            noise = doubt(spent[0], spent[1])
            yield Figure(SECTION, case.name, cost / unit, "x", case.aim, note=note, noise=noise)
            if case.listener in DURABLE_AIMS:
                name = f"{case.name}, beside the barest durable"
                yield Figure(SECTION, name, cost / bare, "x", DURABLE_AIMS[case.listener], noise=noise)


async def clicks(rounds: int) -> tuple[float, list[float]]:
    """What a durable click of Multisweeper over its own lines costs, alone, in microseconds; and how long it
    took from each until the other player was asked, in order."""
    case = next(case for case in cases() if case.listener == "multisweeper")
    (spent,) = await measure(case, [], rounds)
    return typical_us(spent), sorted(took_s for one in spent for took_s in one.took_s)
