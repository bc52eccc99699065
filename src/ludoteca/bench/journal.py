"""The load's own way to a journal: to know what a player must not, and to write tables
that are brought back."""

import contextlib
from pathlib import Path

from ludoteca import games
from ludoteca.core import Dice, Seat
from ludoteca.core.requests import Act, Enter, Join, Open
from ludoteca.hall import Hall
from ludoteca.journal import Match
from ludoteca.journal.records import Opened, SatDown, decode
from ludoteca.journal.replay import begin, execute
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.schema import connect, journal_in
from ludoteca.server.settings import GameDefaults, Settings
from ludoteca.server.sheets import lines_on

# A move that ends a match is not made; where all do, the table has fewer moves.
TRIES_MAX = 50


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


def write_tables(data: Path, game: str, tables: int, moves: int) -> None:
    """Fill the journal of a house that does not run with tables in the middle of a match."""
    dice = Dice(1)
    settings = Settings(data=str(data), tables_max=tables)
    hall = Hall(games.load, GameDefaults(settings), lambda: dice.below(1 << 64) << 64 | dice.below(1 << 64))
    store = JournalWriter(data, lambda _count: None, lambda _reason: None)
    try:
        for number in range(tables):
            _play_some(hall, game, f"{number}", dice, moves)
            entries, _ = hall.post.take()
            store.append(entries)
    finally:
        store.close()


def _play_some(hall: Hall, game: str, label: str, dice: Dice, moves: int) -> None:
    """Two people sit down and make so many moves, none that ends the match."""
    first, second = (hall.arrive("house") for _ in range(2))
    hall.handle(first, [Enter(f"first {label}"), Open(game, 2, label=label)], 0.0)
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
