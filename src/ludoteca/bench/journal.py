"""The load's own way to a journal: to know what a player must not, and to write tables
that are brought back."""

import contextlib
import threading
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from msgspec.structs import replace

from ludoteca import games
from ludoteca.core import Dice, Seat
from ludoteca.core.requests import Act, Enter, Join, Open, Terms
from ludoteca.hall import Entry, Hall
from ludoteca.hall import slip as slips
from ludoteca.journal import Match
from ludoteca.journal.records import Opened, SatDown, decode, encode, encode_body
from ludoteca.journal.replay import begin, execute
from ludoteca.journal.seal import CHAIN_BYTES, CHAIN_START, chain
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.schema import connect, journal_in
from ludoteca.server.settings import GameDefaults, Settings
from ludoteca.server.sheets import lines_on

# A move that ends a match is not made; where all do, the table has fewer moves.
TRIES_MAX = 50
# So many tables are played, and so many at the same time.
PLAYED_MAX = 200
TOGETHER = 100


def record_count(data: Path) -> int:
    """How many records a house has written so far."""
    with contextlib.closing(connect(journal_in(data))) as connection:
        return sum(len(lines_on(lines)) for (lines,) in connection.execute("SELECT lines FROM sheets"))


class JournalReader:
    """Reads what was written since the last time."""

    def __init__(self, data: Path) -> None:
        self._path = journal_in(data)
        self._sheet = 0

    def read(self) -> dict[str, tuple[Match, Seat]]:
        """The match and seat of every player who sat down at a new table, by name."""
        tables: dict[str, list[bytes]] = {}
        with contextlib.closing(connect(self._path)) as connection:
            rows = connection.execute(
                "SELECT number, lines FROM sheets WHERE number > ? ORDER BY number", (self._sheet,)
            )
            for self._sheet, lines in rows:
                for each in lines_on(lines):
                    tables.setdefault(each.table, []).append(each.record)
        found = {}
        for lines in tables.values():
            if not isinstance(decode(lines[0])[0].input, Opened):
                continue  # an old table's last words
            match, _ = begin(lines, games.load)
            for number, line in enumerate(lines, 1):
                record, _ = execute(match, line, number)
                if isinstance(record.input, SatDown):
                    found[record.input.name] = (match, Seat(record.input.seat))
        return found


def write_tables(data: Path, names: Sequence[str], tables: int, moves: int) -> None:
    """Fill the journal of a house that does not run with tables in the middle of a match, of these games in
    turn. Some are played, all others are like one of them."""
    dice = Dice(1)
    settings = Settings(data=str(data), tables_max=tables)
    hall = Hall(games.load, GameDefaults(settings), lambda: dice.below(1 << 64) << 64 | dice.below(1 << 64))
    played: list[list[Entry]] = []
    for number in range(min(tables, PLAYED_MAX)):
        _play_some(hall, names[number % len(names)], f"{number}", dice, moves)
        played.append(hall.post.take()[0])
    written = threading.Event()
    store = JournalWriter(data, lambda _count: written.set(), lambda _reason: None, durability="off")
    try:
        for first in range(0, tables, TOGETHER):
            some = [
                played[number] if number < len(played) else _like(played[number % len(played)], number)
                for number in range(first, min(first + TOGETHER, tables))
            ]
            # As if they were played at the same time: their records come by turns, one commit for each.
            for turn in zip_longest(*some):
                written.clear()
                store.append([entry for entry in turn if entry is not None])
                written.wait()
    finally:
        store.close()


def _like(entries: list[Entry], number: int) -> list[Entry]:
    """The same match at a table of its own."""
    digest, made = CHAIN_START, []
    name, mark = f"c{number:011x}", f"{number:08x}"
    for entry in entries:
        record, body, seal = decode(entry.line)
        given = record.input
        if isinstance(given, Opened):
            given = replace(given, id=name, label=f"{number}")
        elif isinstance(given, SatDown):
            given = replace(given, name=f"{given.name} {mark}", key=given.key[:-8] + mark)
        body = encode_body(replace(record, input=given))
        digest = chain(digest, body)
        slip = slips.decode(entry.slip)
        if slip is not None:
            places = tuple(
                place._replace(
                    sat=replace(place.sat, name=f"{place.sat.name} {mark}", key=place.sat.key[:-8] + mark)
                )
                for place in slip.places
            )
            opened = replace(slip.opened, id=name, label=f"{number}")
            slip = replace(slip, opened=opened, places=places)
        made.append(
            replace(
                entry,
                table=name,
                line=encode(body, digest + seal[CHAIN_BYTES:]),
                summary=entry.summary and replace(entry.summary, table=replace(entry.summary.table, id=name)),
                slip=slips.encode(slip) if slip is not None else b"",
            )
        )
    return made


def _play_some(hall: Hall, game: str, label: str, dice: Dice, moves: int) -> None:
    """Two people sit down and make so many moves, none that ends the match."""
    first, second = (hall.arrive("house") for _ in range(2))
    # Nobody comes back to them in this time, and none is given up for that.
    terms = Terms(absence="wait", grace_s=3600.0)
    hall.handle(first, [Enter(f"first {label}"), Open(game, 2, terms=terms, label=label)], 0.0)
    hall.handle(second, [Enter(f"second {label}"), Join(label, game)], 0.0)
    table = hall.tables.find(first.table)
    for _ in range(moves):
        for _ in range(TRIES_MAX):
            seat, question = next(iter(table.match.state.questions.items()))
            action = dice.choice(question.choices)
            trial = table.match.state.clone()
            table.game.apply(trial, Seat(seat), action)
            if trial.outcome is None:
                hall.handle((first, second)[table.chair(seat).guest == second.id], [Act((action,))], 0.0)
                break
