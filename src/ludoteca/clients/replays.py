"""Matches that were played: where to find them, and executing them again step by step."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from ludoteca import games
from ludoteca.clients.address import Address
from ludoteca.clients.link import plainly
from ludoteca.core import JournalError, LudotecaError, Refused
from ludoteca.core.notices import TableInfo
from ludoteca.journal import Match, Record, Replay, Step, replay
from ludoteca.journal.records import Opened, SatDown, is_whisper
from ludoteca.journal.replay import empty, keep, perform


class Finished(msgspec.Struct, frozen=True):
    """A finished match as its house lists it."""

    table: TableInfo
    outcome: dict[str, Any] | None
    closed_ms: int

    @property
    def id(self) -> str:
        """Its name."""
        return self.table.id

    @property
    def line(self) -> str:
        """One line about it."""
        when = datetime.fromtimestamp(self.closed_ms / 1000)
        return f"{when:%d %b %H:%M} {self._title}: {', '.join(self.table.names)}"

    @property
    def result(self) -> str:
        """Who won, behind that line; nothing where nobody did."""
        ranks = (self.outcome or {}).get("ranks") or ()
        winners = [name for name, rank in zip(self.table.names, ranks, strict=False) if rank == 1]
        return f" ({' and '.join(winners)} won)" if winners else ""

    @property
    def _title(self) -> str:
        """What was played; a game that is here no longer, or not yet, has only its name."""
        name = self.table.game
        return games.load(name).title if name in games.names() else name

    @property
    def facts(self) -> list[str]:
        """What is known without stepping through it."""
        outcome = self.outcome or {}
        ranks = outcome.get("ranks") or ()
        places = [f"  {rank}. {name}" for rank, name in sorted(zip(ranks, self.table.names, strict=False))]
        return [self._title, *places, "", str(outcome.get("reason", "not finished"))]


class RecordsError(LudotecaError):
    """The matches of a house cannot be had."""


def stored_matches(folder: Path, count: int = 50) -> tuple[Finished, ...]:
    """The finished matches of a data folder, newest first. Raises StoreError."""
    from ludoteca.server.journal_reader import JournalReader
    from ludoteca.server.schema import journal_in

    if not journal_in(folder).exists():
        return ()  # Nobody has played there yet.
    found = JournalReader(folder).matches(count=count, private=True)
    return tuple(msgspec.json.decode(line, type=Finished) for line in found)


def stored_replay(folder: Path, match: str) -> Replay:
    """A match of a data folder, executed again."""
    from ludoteca.server.journal_reader import JournalReader

    lines = JournalReader(folder).lines(match)
    if not lines:
        raise Refused(f"there is no match {match!r}", "gone")
    return replay(lines, games.load)


async def house_matches(address: Address) -> tuple[Finished, ...]:
    """The finished matches of a house on the network; a house spoken to by lines does not list them."""
    if address.lines:
        return ()
    return msgspec.json.decode(await fetch(address, "/api/v1/matches"), type=tuple[Finished, ...])


async def house_replay(address: Address, match: str) -> Replay:
    """A match of a house on the network, executed again."""
    if address.lines:
        raise RecordsError("records are served over HTTP: give the address of the web page")
    data = await fetch(address, f"/api/v1/matches/{match}/record")
    try:
        return execute(msgspec.json.decode(data, type=list[Record]))
    except msgspec.ValidationError as error:
        raise RecordsError(f"the house speaks of what this version does not know: {error}") from None


async def fetch(address: Address, path: str) -> bytes:
    """What a house answers over HTTP. Raises RecordsError."""
    return (await fetch_part(address, path))[0]


async def fetch_part(address: Address, path: str) -> tuple[bytes, str]:
    """What a house answers over HTTP, and the query under which a list goes on, "" at its end. Raises
    RecordsError."""
    if address.lines:
        raise RecordsError("this is told over HTTP: give the address of the web page")
    import aiohttp

    try:
        tls = address.tls() or True
        async with (
            aiohttp.ClientSession() as session,
            session.get(address.page_url + path, ssl=tls, headers=address.headers) as response,
        ):
            data: bytes = await response.read()
            if response.status != 200:
                reason = msgspec.json.decode(data).get("reason", f"status {response.status}")
                raise RecordsError(reason)
            following = response.links.get("next")
            return data, str(following["url"].query_string) if following else ""  # type: ignore[union-attr]
    except (aiohttp.ClientError, msgspec.DecodeError) as error:
        raise RecordsError(f"{address} cannot be reached: {await plainly(error, address)}") from None


def execute(records: Iterable[Record]) -> Replay:
    """Records without their digests, executed again: what a house hands out carries none."""
    match: Match | None = None
    opened: Opened | None = None
    names: list[str] = []
    steps = []
    state = None
    for record in records:
        given = record.input
        if isinstance(given, Opened):
            opened, match, names = given, empty(given, games.load), [""] * given.seats
        if match is None or opened is None:
            raise JournalError("the first record does not open a table")
        if isinstance(given, SatDown):
            names[given.seat] = given.name
        events = perform(match, record, match.perform)
        if not is_whisper(given):  # An older house hands them out.
            state = keep(match, record, state)
            steps.append(Step(record, events, state))
    if match is None or opened is None:
        raise JournalError("the record is empty")
    return Replay(match.game, opened, tuple(names), tuple(steps), outcome=match.outcome)
