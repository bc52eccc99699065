"""From the command line to the end of an evening: where the house is, which mode fits this
terminal, and the run."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from ludoteca import games
from ludoteca.clients import linear
from ludoteca.clients.address import Address, parse
from ludoteca.clients.desks.desk import Desk
from ludoteca.clients.desks.house import HouseTable
from ludoteca.clients.visit import Look, Play, Sit, Visit, Watch, Wish
from ludoteca.core import LudotecaError, Refused

_LOBBY_HELP = "play GAME [BOTS [LEVEL]], sit TABLE, watch TABLE, tables, quit"
ANSWER_S = 10.0


class Mode(msgspec.Struct, frozen=True):
    """How to show things. `colours` is "auto", "256", "16" or "none"; `ca` is a file of certificates that
    are trusted besides those of this machine, `key` what opens a house that is not open to all."""

    linear: bool = False
    ascii: bool = False
    colours: str = "auto"
    ca: str = ""
    key: str = ""


def fitting_mode(*, wants_linear: bool, wants_ascii: bool, colours: str, ca: str = "") -> Mode:
    """What was asked for, and what this terminal needs: pipes get lines, terminals
    without UTF-8 get ASCII."""
    terminal = os.environ.get("TERM", "")
    # The screen is drawn on standard error, as its library does.
    piped = not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if colours == "auto":
        colours = _colours_of(terminal)
    return Mode(
        linear=wants_linear or piped or terminal == "dumb",
        ascii=wants_ascii or not encoding.startswith("utf") or terminal in ("linux", "dumb", "vt100"),
        colours=colours,
        ca=ca,
    )


def _colours_of(terminal: str) -> str:
    if os.environ.get("NO_COLOR"):
        return "none"
    if terminal in ("dumb", "vt100", "vt220"):
        return "none"
    many = "256" in terminal or "kitty" in terminal or os.environ.get("COLORTERM")
    return "256" if many else "16"


@contextlib.asynccontextmanager
async def house_at(server: str, ca: str = "", key: str = "") -> AsyncIterator[tuple[Address, str]]:
    """The named house, or a private one, and what is to be said about it."""
    if server:
        address = parse(server, ca)
        address = msgspec.structs.replace(address, key=key or address.key)
        address.tls()
        yield address, ""
        return
    from ludoteca.clients.private import private_house

    async with private_house() as found:
        yield found


async def visit_linear(server: str, name: str, wish: Wish, mode: Mode) -> None:
    """A whole visit, line by line."""
    async with house_at(server, mode.ca, mode.key) as (address, note):
        visit = Visit(address, str(address) if server else "", name, wish)
        if note:
            linear.write_line(f"! {note}")
        typed = linear.Typed(sys.stdin)
        running = asyncio.create_task(visit.link.run())
        try:
            await _tour(visit, typed, mode)
        finally:
            await visit.link.close()
            running.cancel()


async def _tour(visit: Visit, typed: linear.Typed, mode: Mode) -> None:
    """Lobby, table, lobby, ..., until the person quits or stops typing. Raises LudotecaError."""
    desks: asyncio.Queue[HouseTable] = asyncio.Queue()
    refused: asyncio.Queue[str] = asyncio.Queue()
    visit.sat = desks.put_nowait
    visit.noted = refused.put_nowait
    visit.name_declined = refused.put_nowait
    came_for = visit.wish
    while True:
        if isinstance(visit.wish, Look):
            await _connected(visit, refused)
            if not await _lobby(visit, typed):
                return
        try:
            desk = await _seat(desks, refused)
        except LudotecaError as error:
            if visit.wish is came_for:
                raise
            linear.write_line(f"! {error}")
            visit.wish = Look()
            continue
        if not await linear.Linear(desk, typed, linear.write_line, ascii_only=mode.ascii).run():
            return
        visit.leave_desk()


async def _seat(desks: "asyncio.Queue[HouseTable]", refused: "asyncio.Queue[str]") -> HouseTable:
    """Wait for a seat. Raises LudotecaError when the house says no."""
    sitting, failing = asyncio.ensure_future(desks.get()), asyncio.ensure_future(refused.get())
    await asyncio.wait({sitting, failing}, return_when=asyncio.FIRST_COMPLETED)
    if sitting.done():
        failing.cancel()
        return sitting.result()
    sitting.cancel()
    raise LudotecaError(failing.result())


async def _connected(visit: Visit, refused: "asyncio.Queue[str]") -> None:
    """Wait until the house is there. Raises LudotecaError when it is not."""
    while not visit.link.connected:
        if not refused.empty():
            raise LudotecaError(refused.get_nowait())
        await asyncio.sleep(0.02)


async def _lobby(visit: Visit, typed: linear.Typed) -> bool:
    """Choose what to do next; false to end."""
    write = linear.write_line
    write(f"You are {visit.link.name}, in the lobby. Games: {', '.join(games.names())}.")
    write(f"Say: {_LOBBY_HELP}.")
    while (line := await typed.line()) is not None:
        verb, *words = line.casefold().removeprefix("/").split() or [""]
        try:
            match verb, words:
                case (("quit" | "q" | "exit" | "leave"), _):
                    return False
                case "play", [game, *more]:
                    visit.do(_wish(game, more, private=not visit.house))
                    return True
                case "sit", [table]:
                    visit.do(Sit(table))
                    return True
                case "watch", [table]:
                    visit.do(Watch(table))
                    return True
                case "tables", []:
                    await _list_tables(visit)
                case "", _:
                    continue
                case _:
                    write(f"! Say: {_LOBBY_HELP}.")
        except Refused as refusal:
            write(f"! {refusal.reason[:1].upper()}{refusal.reason[1:]}.")
    return False


def _wish(game: str, more: list[str], *, private: bool) -> Play:
    found = games.load(game)
    bots = int(more[0]) if more and more[0].isdecimal() else 1 if private else None
    if bots is not None and bots + 1 not in found.seats:
        raise Refused(f"{found.title} is for {found.seats[0]} to {found.seats[-1]} players", "seats")
    return Play(game, bots, more[1] if len(more) > 1 else "")


async def _list_tables(visit: Visit) -> None:
    answered = asyncio.Event()
    visit.changed = answered.set
    visit.list_tables()
    await asyncio.wait_for(answered.wait(), ANSWER_S)
    for info in visit.tables:
        people = ", ".join(name or "free" for name in info.names)
        linear.write_line(f"{info.label}: {info.game}, {info.phase}: {people} ({info.id})")
    linear.write_line(f"{len(visit.tables)} table{'' if len(visit.tables) == 1 else 's'}.")


async def desk_linear(desk: Desk, mode: Mode) -> None:
    """One desk, line by line, until it is left."""
    await linear.Linear(desk, linear.Typed(sys.stdin), linear.write_line, ascii_only=mode.ascii).run()


def private_data() -> Path:
    """Where private matches are kept."""
    from ludoteca.clients.private import folder

    return folder()
