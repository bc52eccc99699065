"""Journals of earlier versions, kept whole: today's house executes them, takes them up and plays
them to their ends."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.hall.play import House, Person
from tests.journal.corpus.write import corpora, unpacked

from ludoteca import games
from ludoteca.core import Seat
from ludoteca.core.notices import Declined
from ludoteca.core.requests import Act, Enter, Join, Return
from ludoteca.hall import Table
from ludoteca.journal import decode, verify
from ludoteca.journal.records import Acted, Opened, RulesChanged, SatDown, Spoke, Started
from ludoteca.server import stories
from ludoteca.server.journal_reader import JournalReader

CORPORA = list(corpora())
MOVES_MAX = 3000
# Tables that a rule changed on purpose has made unplayable since: (corpus, table), each with its
# reason beside it.
SET_ASIDE: set[tuple[str, str]] = set()


class Corpus:
    """One version's journal in a folder of its own."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.name = path.name
        self.index = {entry["table"]: entry for entry in unpacked(path, folder)}
        self.archive = JournalReader(folder)
        self.live = set(self.archive.live())

    def tables(self) -> Iterator[tuple[str, list[bytes]]]:
        """The tables that these rules are to execute, with their records."""
        for table in self.archive.ids():
            if (self.name, table) not in SET_ASIDE:
                yield table, self.archive.lines(table)

    def inputs(self) -> Iterator[Any]:
        """Everything that ever went in."""
        for _, lines in self.tables():
            for line in lines:
                yield decode(line)[0].input


@pytest.fixture(params=CORPORA, ids=lambda path: path.name)
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Corpus:
    return Corpus(request.param, tmp_path)


def test_a_corpus_holds_its_games_in_every_way_to_play(corpus: Corpus) -> None:
    """Those that there were; that the newest one has all of them is asked below."""
    held = {entry["game"] for entry in corpus.index.values()}
    assert set(corpus.index) == set(corpus.archive.ids())
    kinds = Counter(type(given).__name__ for given in corpus.inputs())
    assert {
        "Opened",
        "SatDown",
        "StoodUp",
        "Started",
        "Acted",
        "WentAway",
        "CameBack",
        "Spoke",
        "Closed",
    } <= {*kinds}
    played = {(given.game, given.seats) for given in corpus.inputs() if isinstance(given, Opened)}
    assert played >= {(name, seats) for name in held for seats in games.load(name).seats}
    terms = [given.terms for given in corpus.inputs() if isinstance(given, Opened)]
    assert {one.absence for one in terms} == {"end", "wait", "bot"}
    assert {one.private for one in terms} == {True, False}
    protocols = {given.protocol for given in corpus.inputs() if isinstance(given, SatDown)}
    assert protocols == {"house", "bot", *held.intersection(rig.spoken())}
    assert {given.to is None for given in corpus.inputs() if isinstance(given, Spoke)} == {True, False}
    assert any(len(given.actions) > 1 for given in corpus.inputs() if isinstance(given, Acted))
    phases = {(entry["game"], table in corpus.live) for table, entry in corpus.index.items()}
    assert phases == {(game, live) for game in held for live in (True, False)}


def test_the_rules_of_today_are_those_of_a_corpus(tmp_path: Path) -> None:
    """Else nobody would notice that they change: `make corpus` writes one, see corpus/README.md."""
    known = set()
    for path in CORPORA:
        for given in Corpus(path, tmp_path / path.name).inputs():
            if isinstance(given, Opened):
                known.add((given.game, given.version))
    missing = {(game.name, game.version) for game in games.load_all()} - known
    assert not missing, "make corpus ARGS=tests/journal/corpus/VERSION"


def test_every_record_is_whole_and_comes_out_as_it_did_under_the_same_rules(corpus: Corpus) -> None:
    for table, lines in corpus.tables():
        match = verify(lines, games.load)
        about = f"{table}, {corpus.index[table]}"
        assert match.unexplained == 0, f"the rules changed and kept their version: {about}"
        # Matches from before there were versions were played by the rules that became version 1.
        assert match.changed == 0 or match.game.version > 1, f"the rules are not those of before: {about}"


def test_every_finished_match_can_be_looked_at_again(corpus: Corpus) -> None:
    for table, lines in corpus.tables():
        if table in corpus.live:
            continue
        for eyes in (None, Seat(0)):
            assert stories.tell(lines, eyes), corpus.index[table]


def test_every_live_table_is_taken_up_and_played_to_its_end(corpus: Corpus) -> None:
    # The corpus does not bring along the secret that its addresses were hashed with.
    house = House(return_by_name="anyone")
    recovered = {}
    for table, lines in corpus.tables():
        if table in corpus.live:
            house.lines[table] = list(lines)
            recovered[table] = house.hall.recover(lines, house.now)
    house.collect()
    assert len(recovered) > 50
    dice = random.Random(1)
    for table, there in recovered.items():
        about = f"{table}, {corpus.index[table]}"
        come_back(house, there, corpus.index[table]["tokens"])
        fill(house, there)
        assert there.phase == "playing", about
        play_out(house, there, dice)
        assert house.fates[table] == "over"
        match = verify(house.lines[table], games.load)
        assert (match.version, match.unexplained) == (match.game.version, 0), about
        inputs = [decode(line)[0].input for line in house.lines[table]]
        assert sum(isinstance(given, RulesChanged | Started) for given in inputs) >= 1


def come_back(house: House, table: Table, tokens: dict[str, str]) -> None:
    """Everybody returns: by token, or by name where the protocol knows none."""
    for seat, chair in list(table.taken()):
        if chair.bot:
            continue
        if str(seat) in tokens:
            person = house.guest(chair.protocol).ask(Return(table.id, tokens[str(seat)]))
        else:
            person = house.guest(chair.protocol).ask(Enter(chair.given, chair.protocol != "multisweeper"))
        assert person.guest.table == table.id, person.heard


def fill(house: House, table: Table) -> None:
    """Strangers take the free chairs."""
    while table.phase == "open":
        stranger = house.named(f"stranger {len(house.hall.guests)}").ask(Join(table.id))
        assert stranger.guest.table == table.id, stranger.heard


def play_out(house: House, table: Table, dice: random.Random) -> None:
    """Whoever is asked decides, at random, until the end."""
    for _ in range(MOVES_MAX):
        if table.phase == "over":
            return
        seat = next(iter(table.asked))
        pending = table.asked.get(seat)
        assert pending is not None
        chair = table.chair(seat)
        number = chair.guest or chair.stand_in
        assert number is not None
        guest = house.hall.desk.guest(number)
        assert guest is not None
        options = pending.question.choices
        person = Person(house, guest)
        person.ask(Act((options[dice.randrange(len(options))],), at=pending.number))
        assert person.count(Declined) == 0, person.last(Declined)
    raise AssertionError(f"the match at {table.id} does not end")
