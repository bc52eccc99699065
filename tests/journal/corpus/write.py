"""Writes a corpus: the journal of an evening on which every game is played in every way, and who sat where.

    python -m tests.journal.corpus.write FOLDER

The house runs in this process and everybody comes over real sockets, so the journal is what a house of this
version writes. See README.md beside this file.
"""

import asyncio
import contextlib
import gzip
import itertools
import json
import random
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import rig
from tests.journal.corpus.players import HousePlayer, Player, RemotePlayer, SeedPlayer

from ludoteca import games
from ludoteca.server import logs, rpc
from ludoteca.server.settings import Settings

# Moves of a match that is to go on, and as many as are ever needed.
SOME, ALL = 12, 100_000
SEEDS_SEATS = {
    "eriantys": (2, 3),
    "multisweeper": (2,),
    "renaissance": (1, 2, 3),
    "santorini": (2, 3),
    "shelfie": (2, 4),
}
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "eriantys": [{"mode": "Basic"}],
    "multisweeper": [
        {"width": 9, "height": 7, "mines": 5, "spread": "four", "safe_first_click": False},
        {"rotate_start": True, "final_loser": 1, "lost_player": "forfeit"},
    ],
    "renaissance": [],
    "santorini": [{"gods": "none"}, {"gods": "original"}, {"gods": "all"}],
    "shelfie": [{"open_points": False}],
}
# Where a random click ends a match soon, one on which it does not.
CALM: dict[str, dict[str, Any]] = {"multisweeper": {"width": 16, "height": 16, "mines": 20, "pause_s": 0}}
PREFERENCES: dict[str, list[dict[str, Any]]] = {
    "eriantys": [{"tower": "white"}, {"tower": "black"}],
    "santorini": [{"birth_date": "1990.02.03"}, {"birth_date": "2001.11.12"}],
}


class Evening:
    """One house and everybody in it; `index` grows by one entry for each table."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.dice = random.Random(20261115)
        self.index: list[dict[str, Any]] = []
        self.players: list[Player] = []
        self._tables: dict[str, str] = {}
        self._names = (
            f"{name}{number}" for number in itertools.count(1) for name in ("Ada", "Bob", "Cleo", "Dan")
        )

    def name(self) -> str:
        """A name that nobody has."""
        return next(self._names)

    def note(self, game: str, way: str, *players: Player) -> None:
        """A table is as it is to be found. Of players without tokens the record knows the seats."""
        table = players[0].table or self._table_of(players[0].name)
        tokens = {
            str(p.seat): p.token for p in players if p.token and p.seat is not None and p.table == table
        }
        self.index.append({"table": table, "game": game, "way": way, "tokens": tokens})

    def _table_of(self, name: str) -> str:
        for table in self.server.house.hall.tables:
            if any(chair.name == name for _, chair in table.taken()):
                return str(table.id)
        return self._tables[name]

    def remember_tables(self) -> None:
        """Where everybody sits: of a match that is over the hall knows nothing any more."""
        for table in self.server.house.hall.tables:
            self._tables.update((chair.name, table.id) for _, chair in table.taken())

    async def house_player(self) -> HousePlayer:
        """Somebody who has said hello."""
        player = HousePlayer(self.name(), self.dice)
        self.players.append(await player.enter(self.server))
        return player

    async def table(
        self, game: str, seats: int, *, people: int | None = None, bots: tuple[str, ...] = (), **opening: Any
    ) -> list[HousePlayer]:
        """A table with so many people at it (as many as there are chairs, if nothing is said) and bots."""
        players: list[HousePlayer] = []
        wishes = PREFERENCES.get(game, [])
        opening.setdefault("options", CALM.get(game))
        for place in range(seats - len(bots) if people is None else people):
            player = await self.house_player()
            player.game = game
            wish = wishes[place] if place < len(wishes) and seats == 2 else None
            if place == 0:
                await player.sit(type="open", game=game, seats=seats, preference=wish, **opening)
                for level in bots:
                    await player.say(type="bot", level=level)
            else:
                await player.sit(type="sit", table=players[0].table, preference=wish)
            players.append(player)
        return players

    async def play(self, players: Any, moves: int) -> None:
        """Play on by so many decisions, or fewer where that might be the end, or to the end."""
        if any(player.game in CALM for player in players):
            moves = min(moves, 2) if moves != ALL else ALL
        if moves == ALL:
            for player in players:
                player.moves = ALL
                if isinstance(player, HousePlayer):
                    await player.go_on()
            for player in players:
                await player.until_over()
            return
        for _ in range(moves):
            before = [player.made for player in players]
            for player in players:
                player.moves = 1
                if isinstance(player, HousePlayer):
                    await player.go_on()
            await self._until_made(players, before)
            if any(player.over for player in players):
                return
        for player in players:
            player.moves = 0

    async def _until_made(self, players: list[Player], before: list[int]) -> None:
        async with asyncio.timeout(30):
            while not any(p.made > b or p.over for p, b in zip(players, before, strict=True)):
                await asyncio.sleep(0.005)

    async def settled(self) -> None:
        """Wait until everything that was said has been carried out and told."""
        for player in self.players:
            if isinstance(player, HousePlayer) and player.listens:
                await player.settled()


async def numbers(evening: Evening, game: str) -> None:
    """Every number of players, a match that goes on and one that is over."""
    for seats in games.load(game).seats:
        for moves, way in ((SOME, "running"), (ALL, "finished")):
            players = await evening.table(game, seats, terms={"absence": "wait", "grace_s": 3600})
            await evening.play(players, moves)
            while way == "running" and any(player.over for player in players):
                # Luck may end a match early, in Multisweeper with the second click.
                evening.note(game, f"{seats} people, soon over", *players)
                players = await evening.table(game, seats, terms={"absence": "wait", "grace_s": 3600})
                await evening.play(players, 2)
            await players[0].say(type="say", text="well played, all!")
            evening.note(game, f"{seats} people, {way}", *players)


async def options(evening: Evening, game: str) -> None:
    """Options other than the usual."""
    for chosen in OPTIONS.get(game, []):
        players = await evening.table(game, 2, options=chosen)
        await evening.play(players, SOME // 2)
        evening.note(game, f"options {json.dumps(chosen)}", *players)


async def bots(evening: Evening, game: str) -> None:
    """Every kind of bot, and a table of bots alone that nobody came back to."""
    for level in ("random", *games.load(game).bots):
        players = await evening.table(game, 2, bots=(level,))
        await evening.play(players, 4)
        evening.note(game, f"against the bot {level}", *players)
    players = await evening.table(game, 2, bots=("random",), terms={"absence": "bot", "grace_s": 3600})
    await evening.play(players, 3)
    players[0].client.cut()
    evening.note(game, "against a bot, lost connection, a bot is to hold the chair", *players)


async def absences(evening: Evening, game: str) -> None:
    """Connections that are lost under all terms, people who leave, and people who return."""
    seats = max(2, min(3, games.load(game).seats[-1]))
    for absence in ("wait", "end", "bot"):
        players = await evening.table(game, seats, terms={"absence": absence, "grace_s": 0.3})
        await evening.play(players, 5)
        players[-1].client.cut()
        await asyncio.sleep(0.6)
        await evening.play(players[:-1], 2 if absence == "bot" else 0)
        evening.note(game, f"lost connection, absence {absence}", *players)
    players = await evening.table(game, seats, terms={"absence": "wait", "grace_s": 3600})
    await evening.play(players, 5)
    players[0].client.cut()
    await asyncio.sleep(0.1)
    back = HousePlayer(players[0].name, evening.dice)
    back.token = players[0].token
    evening.players.append(await back.enter(evening.server))
    players[0] = back
    await evening.play(players, 4)
    evening.note(game, "lost connection and back in time", *players)
    players = await evening.table(game, seats)
    await evening.play(players, 6)
    await players[-1].say(type="leave")
    evening.note(game, "left for good", *players)
    players = await evening.table(game, 2, terms={"move_s": 0.4})
    await evening.play(players, 3)
    await asyncio.sleep(0.8)
    evening.note(game, "the time for a decision ran out", *players)


async def came_back(evening: Evening) -> None:
    """Somebody whom the rules had been told to be gone takes part again, where a game knows that."""
    players = await evening.table("renaissance", 3, terms={"absence": "wait", "grace_s": 0.3})
    await evening.play(players, 9)
    players[2].client.cut()
    await asyncio.sleep(0.6)
    await evening.play(players[:2], 2)
    back = HousePlayer(players[2].name, evening.dice)
    back.token = players[2].token
    evening.players.append(await back.enter(evening.server))
    await evening.play([*players[:2], back], 6)
    evening.note("renaissance", "gone for the rules and back", *players[:2], back)


async def words(evening: Evening, game: str) -> None:
    """A private table with chat, whispers and a spectator, before and in the match."""
    anna, bruno = await evening.table(game, 2, terms={"private": True}, label="casa")
    watcher = await evening.house_player()
    await watcher.sit(type="watch", table=anna.table)
    await anna.say(type="say", text="è l'ora del tè 🍵")
    await bruno.say(type="say", text="between us", to=anna.name)
    await watcher.say(type="say", text="good luck from the side")
    await evening.play([anna, bruno], 5)
    await watcher.say(type="say", text="you should not have", to=bruno.name)
    await evening.settled()
    evening.note(game, "private, with chat, whispers and a spectator", anna, bruno)


async def rematch(evening: Evening, game: str) -> None:
    """Once more with the same people: the first match over, the second begun."""
    players = await evening.table(game, 2)
    await evening.play(players, 3)
    await players[1].say(type="leave")
    await evening.settled()
    evening.note(game, "one left, the other may want a rematch", *players)
    if not players[0].over:
        return  # A game in which one can play on alone.
    first = players[0].table
    await players[0].say(type="rematch")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(5):
            while players[0].table == first:
                await asyncio.sleep(0.02)
    evening.note(game, "a rematch that waits for a second player", players[0])
    third = await evening.house_player()
    await third.sit(type="sit", table=players[0].table)
    await evening.play([players[0], third], 4)
    evening.index[-1]["tokens"][str(third.seat)] = third.token
    evening.index[-1]["way"] = "a rematch, with another guest"


async def seeds(evening: Evening, game: str) -> None:
    """The game's own protocol."""
    for seats in SEEDS_SEATS[game]:
        for moves, way in ((SOME, "running"), (ALL, "finished")):
            while True:
                players = await seed_table(evening, game, seats)
                await evening.play(players, moves)
                lucky = way == "finished" or not any(player.over for player in players)
                evening.note(game, f"own protocol, {seats} people, {way if lucky else 'soon over'}", *players)
                if lucky:
                    break


async def seed_table(evening: Evening, game: str, seats: int) -> list[SeedPlayer]:
    """A match that has begun, all of its players over the game's own protocol."""
    players = []
    for place in range(seats):
        player = SeedPlayer(game, evening.name(), evening.dice, seats, place == 0)
        evening.players.append(player)
        players.append(await player.enter(evening.server))
        await asyncio.sleep(0.3)
    for player in players:
        await player.until_begun()
    evening.remember_tables()
    return players


async def same_names(evening: Evening) -> None:
    """Two of the same name where names identify nobody."""
    players = []
    for place in range(2):
        player = SeedPlayer("multisweeper", "Ada", evening.dice, 2, place == 0)
        evening.players.append(player)
        players.append(await player.enter(evening.server))
        await asyncio.sleep(0.2)
    for player in players:
        await player.until_begun()
    evening.remember_tables()
    await evening.play(players, 1)
    evening.note("multisweeper", "own protocol, two of the same name", *players)


async def calls(evening: Evening) -> None:
    """My Shelfie through remote calls."""
    for moves, way in ((3, "running"), (ALL, "finished")):
        players = [RemotePlayer(evening.name(), evening.dice, 2) for _ in range(2)]
        for player in players:
            player.moves = moves
            evening.players.append(player)
            await player.enter(evening.server)
            await asyncio.sleep(0.2)
        for player in players:
            await player.until_begun()
        evening.remember_tables()
        for player in players:
            await player.until_made(moves)
        evening.note("shelfie", f"remote calls, {way}", *players)


async def together(evening: Evening, game: str) -> None:
    """The game's own protocol, Ludoteca's and a bot at one table."""
    seats = min(3, games.load(game).seats[-1])
    (anna,) = await evening.table(
        game, seats, people=1, bots=("random",) if seats == 3 else (), label="mixed"
    )
    raw = SeedPlayer(game, evening.name(), evening.dice, seats, False)
    evening.players.append(raw)
    await raw.enter(evening.server)
    await raw.until_begun()
    await evening.play([anna, raw], 4)
    evening.note(game, "three kinds of players at one table", anna)


async def waiting(evening: Evening, game: str) -> None:
    """Open tables: one that waits, and one that somebody got up from."""
    seats = games.load(game).seats[-1]
    (anna,) = await evening.table(game, seats, people=1, terms={"grace_s": 3600})
    await anna.say(type="say", text="anybody?")
    evening.note(game, "open", anna)
    if seats < 3:
        return  # the passer would begin the match
    people = await evening.table(
        game, seats, people=min(2, seats - 2), terms={"absence": "end", "private": True}
    )
    passer = await evening.house_player()
    await passer.sit(type="sit", table=people[0].table)
    await passer.say(type="leave")
    await evening.settled()
    evening.note(game, "private and open, one got up again", *people)


async def deserted(folder: Path, more: dict[str, Any]) -> list[dict[str, Any]]:
    """Matches that nobody came back to, in a house that does not wait for long."""
    async with rig.house(folder, "house", **more, deserted_s=0.5) as server:
        evening = Evening(server)
        for game in games.names():
            players = await evening.table(game, 2, terms={"grace_s": 3600})
            await evening.play(players, 3)
            evening.note(game, "nobody came back", *players)
            for player in players:
                await player.close()
        async with asyncio.timeout(20):
            while list(server.house.hall.tables):
                await asyncio.sleep(0.1)
    return evening.index


async def spend(folder: Path) -> list[dict[str, Any]]:
    """The whole evening; the index of its tables."""
    logs.configure("console", "warning")
    defaults = {"players": 2, **CALM["multisweeper"]}
    more = {"bot_s": 0.02, "bot_workers": 0, "rate_per_s": 100_000, "rate_burst": 100_000, "default": {}}
    more["default"] = {f"multisweeper.{key}": value for key, value in defaults.items()}
    # All come from one address here. Versions differ in what they limit.
    more |= {
        key: 10_000 for key in Settings.__struct_fields__ if "_per_address" in key or "_per_guest" in key
    }
    before = await deserted(folder, more)
    async with rig.house(folder, "house", *rig.spoken(), *rpc.listeners(), **more) as server:
        evening = Evening(server)
        for game in games.names():
            for scene in (numbers, options, bots, absences, words, rematch):
                await scene(evening, game)
            if game in rig.spoken():
                await seeds(evening, game)
                await together(evening, game)
        await came_back(evening)
        await same_names(evening)
        await calls(evening)
        for game in games.names():
            await waiting(evening, game)
        await evening.settled()
    for player in evening.players:
        await player.close()
    return before + evening.index


def packed(path: Path) -> bytes:
    """The file alone, as small as it gets; the same bytes for the same content."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("VACUUM")
    return gzip.compress(path.read_bytes(), 9, mtime=0)


def unpacked(corpus: Path, folder: Path) -> list[dict[str, Any]]:
    """Put the journal of a corpus into a data folder; the index of its tables."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ludoteca.sqlite3").write_bytes(gzip.decompress((corpus / "journal.sqlite3.gz").read_bytes()))
    index: list[dict[str, Any]] = json.loads((corpus / "index.json").read_text())
    return index


def corpora() -> Iterator[Path]:
    """The folders of all versions whose journals are kept."""
    return (path.parent for path in sorted(Path(__file__).parent.glob("*/index.json")))


def main() -> None:
    """Write a corpus into the folder that is named."""
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        index = asyncio.run(spend(Path(name)))
        (target / "journal.sqlite3.gz").write_bytes(packed(Path(name) / "ludoteca.sqlite3"))
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in index)
    (target / "index.json").write_text(f"[\n{lines}\n]\n")
    print(f"{len(index)} tables in {target}")


if __name__ == "__main__":
    main()
