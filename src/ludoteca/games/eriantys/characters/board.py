"""What turns and characters both do to the board: drawing, seating, professors, resolving, ending."""

from operator import mul
from typing import Literal

import msgspec

from ludoteca.core import Outcome, Seat
from ludoteca.games.eriantys import events
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.data import COIN_SEATS, COLOUR_INDEX, COLOURS, GROUPS_AT_END, Colour
from ludoteca.games.eriantys.events import Event, Students
from ludoteca.games.eriantys.state import CHANGES, Island, State, Tabletop


class Board(msgspec.Struct, gc=False):
    """A state while one action is carried out, the character in force, and what has happened so far."""

    state: State
    character: Character
    events: list[Event] = []

    @property
    def tabletop(self) -> Tabletop:
        """What lies on the table now."""
        return self.state.tabletop

    def tell(self, event: Event) -> Tabletop:
        """Let an event happen; the tabletop after it."""
        self.events.append(event)
        state = self.state
        # As `happen` does it, without a hop: bots play millions of moves.
        state.tabletop = tabletop = CHANGES[type(event)](state.tabletop, event)
        return tabletop

    def check_bag(self) -> None:
        """Whoever drew the last student announces the last round, which stays so if students return."""
        if not any(self.state.tabletop.bag):
            self.announce_last_round("bag")

    def announce_last_round(self, reason: Literal["bag", "assistants"]) -> None:
        """The game ends with this round; said once."""
        if not self.state.tabletop.last_round:
            self.tell(events.LastRoundAnnounced(reason))

    def refill(self, character: int) -> None:
        """Draw a student onto a card; with an empty bag it stays short."""
        bag = poured(self.state.tabletop.bag)
        if bag:
            colour = COLOURS[bag[self.state.dice.below(len(bag))]]
            self.tell(events.CardRefilled(character, colour))
            self.check_bag()

    def check_seat(self, seat: Seat, colour: Colour) -> None:
        """A student was seated: coin and professor follow."""
        tabletop = self.state.tabletop
        if tabletop.supply and tabletop.players[seat].dining[COLOUR_INDEX[colour]] in COIN_SEATS:
            self.tell(events.CoinEarned(seat))
        self.check_professor(colour)

    def check_professor(self, colour: Colour) -> None:
        """Whoever has strictly the most students of a colour takes its professor; on a tie nothing moves."""
        tabletop = self.state.tabletop
        place = COLOUR_INDEX[colour]
        counts = [player.dining[place] for player in tabletop.players]
        most = max(counts)
        if not most:
            return
        if self.character.wins_ties and counts[tabletop.current] == most:
            taker = tabletop.current
        elif counts.count(most) == 1:
            taker = Seat(counts.index(most))
        else:
            return
        if taker != tabletop.professors[place]:
            self.tell(events.ProfessorTaken(taker, colour))

    def resolve(self, island: int) -> None:
        """Work out the influence on a group, build or swap towers, join groups, and end the
        game if that does."""
        tabletop = self.state.tabletop
        group = tabletop.islands[island]
        if group.no_entry:
            self.tell(events.NoEntryLifted(island))
            return
        counts = influence(tabletop, group, self.character)
        self.tell(events.InfluenceCounted(island, tuple(counts)))
        most = max(counts)
        if not most or counts.count(most) > 1:
            return
        conqueror = counts.index(most)
        if tabletop.players[conqueror].tower == group.tower:
            return
        self._conquer(island, conqueror)
        self._join_neighbours(island)
        tabletop = self.state.tabletop
        if not tabletop.players[conqueror].towers:
            self.end("the last tower of a colour was built")
        elif len(tabletop.islands) <= GROUPS_AT_END:
            self.end("only three groups of islands are left")

    def _conquer(self, island: int, conqueror: int) -> None:
        tabletop = self.state.tabletop
        group = tabletop.islands[island]
        player = tabletop.players[conqueror]
        size = len(group.tiles)
        # With too few towers all that are left are built, which wins the game.
        built = min(size, player.towers)
        returned = 0 if group.tower is None else size
        self.tell(events.IslandConquered(island, player.tower, built, group.tower, returned))

    def _join_neighbours(self, island: int) -> None:
        islands = self.state.tabletop.islands
        tower = islands[island].tower
        before = (island - 1) % len(islands)
        if islands[before].tower == tower:
            islands = self.tell(events.IslandsJoined(before, island)).islands
            island = min(before, island)
        after = (island + 1) % len(islands)
        if after != island and islands[after].tower == tower:
            self.tell(events.IslandsJoined(island, after))

    def end(self, reason: str) -> None:
        """End the game: fewest towers at home, then most professors; who is still level shares the rank.

        Whoever built the last tower has none at home while everybody else has some, so that win needs no
        case of its own.
        """
        tabletop = self.state.tabletop
        teams = tabletop.teams
        professors = [0] * teams
        for holder in tabletop.professors:
            if holder is not None:
                professors[holder % teams] += 1
        standing = [
            (player.towers, -professors[seat % teams]) for seat, player in enumerate(tabletop.players)
        ]
        ranks = tuple(1 + sum(other < own for other in standing) for own in standing)
        self.state.outcome = Outcome(ranks, reason)
        self.tell(events.GameEnded(ranks, reason))


def influence(tabletop: Tabletop, group: Island, character: Character) -> list[int]:
    """The influence of every team on a group, as a character in force lets it count."""
    teams = tabletop.teams
    counts = [0] * teams
    students = group.students
    for place, holder in enumerate(tabletop.professors):
        if holder is not None:
            counts[holder % teams] += students[place]
    if tabletop.active and tabletop.active.colour:
        silenced = COLOUR_INDEX[tabletop.active.colour]
        holder = tabletop.professors[silenced]
        if holder is not None:
            counts[holder % teams] -= students[silenced]
    if group.tower is not None and character.towers_count:
        counts[tabletop.team(group.tower)] += len(group.tiles)
    if character.extra_influence:
        counts[tabletop.current % teams] += character.extra_influence
    return counts


_EACH = tuple(bytes([colour]) for colour in range(len(COLOURS)))


def poured(bag: Students) -> bytearray:
    """The students of a bag in a row, by colour; each is the number of its colour."""
    return bytearray().join(map(mul, _EACH, bag))
