"""A match with programs of others: a house of its own on this machine, where they sit down like anybody.

A program is given the house's address, its name and the game behind its command line, or where the command
says {address}, {name} and {game}. It says hello by that name, takes the free chair or opens a table, plays,
and ends. Who does not come, ends too early, gives up or lets the others wait too long has lost.
"""

import asyncio
import contextlib
import os
import secrets
import shlex
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, Any

import msgspec
import structlog

from ludoteca import bots
from ludoteca.arena.matches import Clocks, Pairing, Played, budget, lost_by, name_of, shares, too_long
from ludoteca.arena.records import Decision, packed
from ludoteca.bots.hope import Despair, hope
from ludoteca.core import Dice, LocalError, Outcome, Seat, Setup
from ludoteca.core.converting import convert
from ludoteca.hall import Table
from ludoteca.journal.records import Acted, Started, decode
from ludoteca.play import load
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.serve import Server
from ludoteca.server.settings import Settings
from ludoteca.server.world import World

SEEDS = (1 << 63) - 1
LOOK_S = 0.01
# How long a program may take to start and sit down.
ARRIVAL_S = 30.0
# How long a program that has played may take to end by itself.
FAREWELL_S = 2.0
LINE_BYTES_MAX = 1 << 22


class Forfeit(Exception):
    """A seat has lost by what its player did, or did not do."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat


async def play_in_a_house(pairing: Pairing) -> Played:
    """Open a house, have both sit down, and watch until it is over."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = Server(_settings(pairing, folder), World(bits=_dealing(pairing.seed)))
        await server.start()
        players: list[Program | Local] = []
        try:
            table, outcome, clocks = await _play(pairing, server, players)
        finally:
            for player in players:
                await player.close()
            await server.stop()
        lines = JournalReader(Path(folder)).lines(table.id) if table is not None else []
    record = _record(pairing, lines, clocks, outcome)
    return clocks.played(shares(outcome, len(pairing.levels)), outcome.reason, record)


def _settings(pairing: Pairing, folder: str) -> Settings:
    options = {f"{pairing.game}.{key}": value for key, value in (pairing.options or {}).items()}
    return Settings(
        data=folder,
        only=["house"],
        port={"house": 0},
        default=options,
        durability="off",
        # Programs may be as quick as they are.
        rate_per_s=1e9,
        rate_burst=1e9,
        rate_per_address_per_s=1e9,
        rate_per_address_burst=1e9,
    )


def _dealing(seed: int) -> Any:
    """Chance for a house whose matches all begin with this seed: it takes the lowest bits for that."""

    def bits(count: int) -> int:
        drawn = secrets.randbits(count)
        return drawn & ~SEEDS | seed & SEEDS if count > SEEDS.bit_length() else drawn

    return bits


async def _play(
    pairing: Pairing, server: Server, players: "list[Program | Local]"
) -> tuple[Table | None, Outcome, Clocks]:
    clocks = Clocks(len(pairing.levels))
    table: Table | None = None
    try:
        for seat, level in enumerate(pairing.levels):
            command = pairing.programs.get(level)
            player: Program | Local
            player = Program(seat, level, command) if command else Local(seat, level, pairing, server, clocks)
            players.append(player)
            await player.come(*server.addresses["house"], pairing.game, table)
            table = await _seated(pairing, server, player)
        assert table is not None
        return table, await _followed(pairing, table, players), clocks
    except Forfeit as forfeit:
        return table, lost_by(forfeit.seat, str(forfeit)), clocks


async def _seated(pairing: Pairing, server: Server, player: "Program | Local") -> Table:
    """The table, as soon as this player sits at it."""
    until = time.monotonic() + ARRIVAL_S
    while True:
        for table in server.house.hall.desk.tables:
            chair = table.chairs[player.seat] if player.seat < len(table.chairs) else None
            if chair is not None and chair.ready:
                if table.game.name != pairing.game or len(table.chairs) != len(pairing.levels):
                    raise Forfeit(player.seat, f"{player.level} opened another table than was asked for")
                return table
        player.check()
        if time.monotonic() > until:
            raise Forfeit(player.seat, f"{player.level} did not sit down")
        await asyncio.sleep(LOOK_S)


async def _followed(pairing: Pairing, table: Table, players: "list[Program | Local]") -> Outcome:
    """How it ends."""
    waited: dict[int, tuple[int, float]] = {}
    while table.phase != "over":
        now = time.monotonic()
        if table.ledger.number - table.ledger.spoken > pairing.decisions_max + len(players) + 2:
            return Outcome((), too_long(pairing))
        for player in players:
            player.check()
            pending = table.asked.get(player.seat)
            # The same question under the same number: talking does not stop the clock.
            if pending is None or waited.get(player.seat, (0, 0.0))[0] != pending.number:
                waited[player.seat] = (pending.number if pending else 0, now)
            elif isinstance(player, Program) and now - waited[player.seat][1] > pairing.patience_s:
                raise Forfeit(player.seat, f"{player.level} did not answer within {pairing.patience_s:g} s")
        await asyncio.sleep(LOOK_S)
    outcome = table.match.outcome
    for player in players:
        if (outcome is None or not outcome.ranks) and table.chair(Seat(player.seat)).left:
            raise Forfeit(player.seat, f"{player.level} gave up")
    return outcome or Outcome((), "the match was broken off")


def _record(pairing: Pairing, lines: list[bytes], clocks: Clocks, outcome: Outcome) -> bytes:
    """What was played, as a file; also how long programs took, by the times that were written down."""
    game = load(pairing.game)
    setup = game.setup(len(pairing.levels), pairing.seed, pairing.options)
    found: list[Decision] = []
    before_ms = 0
    for line in lines:
        record = decode(line)[0]
        given = record.input
        if isinstance(given, Started):
            options = msgspec.convert(given.options, game.options)
            wishes = tuple(msgspec.convert(wish, game.preferences) for wish in given.preferences)
            setup = Setup(given.seats, given.seed, options, wishes, given.order)
        elif isinstance(given, Acted):
            found.append((given.seat, tuple(convert(one, game.actions) for one in given.actions)))
            if pairing.levels[given.seat] in pairing.programs:
                clocks.count(given.seat, (record.at_ms - before_ms) / 1000)
        before_ms = record.at_ms
    return packed(name_of(pairing), game, setup, pairing.levels, found, outcome)


class Program:
    """A program of somebody else, in a process of its own."""

    def __init__(self, seat: int, level: str, command: str) -> None:
        self.seat, self.level, self._command = seat, level, command
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115

    async def come(self, host: str, port: int, game: str, _table: Table | None) -> None:
        """Start it. Raises LocalError where there is no such program."""
        given = {"{address}": f"{host}:{port}", "{name}": self.level, "{game}": game}
        words = shlex.split(self._command)
        if not any(mark in word for word in words for mark in given):
            words += given
        for mark, value in given.items():
            words = [word.replace(mark, value) for word in words]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                start_new_session=True,
            )
        except OSError as error:
            raise LocalError(f"{self.level} cannot be started: {words[0]}: {error.strerror}") from None

    def check(self) -> None:
        """Raises Forfeit if it has ended."""
        code = self._process.poll() if self._process is not None else None
        if code is not None:
            self._complaints.seek(0)
            said = self._complaints.read(1 << 20).decode(errors="replace").strip().splitlines()
            told = f": {said[-1][:200]}" if said else ""
            raise Forfeit(self.seat, f"{self.level} ended with code {code}{told}")

    async def close(self) -> None:
        """Let it end, or make it, with all that it started."""
        process = self._process
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(process.wait, FAREWELL_S)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await asyncio.to_thread(process.wait)
        self._complaints.close()


class Local:
    """A bot of this house's, at the same table: it thinks about the true match as far as it may know it."""

    def __init__(self, seat: int, level: str, pairing: Pairing, server: Server, clocks: Clocks) -> None:
        self.seat, self.level = seat, level
        self._pairing, self._server, self._clocks = pairing, server, clocks
        self._dice, self._despair = Dice(pairing.seed), Despair()
        self._writer: asyncio.StreamWriter | None = None
        self._task: asyncio.Task[None] | None = None

    async def come(self, host: str, port: int, game: str, table: Table | None) -> None:
        """Open the table, or sit down at the one there is."""
        reader, self._writer = await asyncio.open_connection(host, port, limit=LINE_BYTES_MAX)
        wish: dict[str, Any] = {"type": "open", "game": game, "seats": len(self._pairing.levels)}
        if table is not None:
            wish = {"type": "sit", "table": table.id, "seat": self.seat}
        self._say({"type": "hello", "name": self.level, "options_max": 0}, wish)
        self._task = asyncio.create_task(self._play(reader))

    def _say(self, *messages: Any) -> None:
        assert self._writer is not None
        self._writer.write(b"".join(msgspec.json.encode(message) + b"\n" for message in messages))

    async def _play(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            message = msgspec.json.decode(line)
            if message["type"] == "question":
                self._say(
                    {"type": "act", "action": self._thought(message["number"]), "at": message["number"]}
                )
            elif message["type"] == "declined":
                raise LocalError(f"{self.level} was declined: {message['reason']}")

    def _thought(self, number: int) -> Any:
        (table,) = self._server.house.hall.desk.tables
        game, seat = table.game, Seat(self.seat)
        private = game.redeal(table.match.state, seat, self._dice)
        if self._pairing.adjudicated and self._despair.grows(number, hope(game, private, seat)):
            raise Forfeit(self.seat, f"{self.level} has no hope left")
        began = time.process_time()
        action = bots.choose(game, self.level, private, seat, self._dice, budget(self._pairing))
        self._clocks.count(self.seat, time.process_time() - began)
        return action

    def check(self) -> None:
        """Raises what went wrong: that is a bug of ours, and nobody's defeat."""
        if self._task is not None and self._task.done():
            self._task.result()

    async def close(self) -> None:
        """Get up."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._writer is not None:
            self._writer.close()
