"""What turns and characters both do to the board: seating, professors, drawing, resolving, ending."""

from typing import Literal

from ludoteca.core import Outcome, Seat
from ludoteca.games.eriantys.characters.character import Character
from ludoteca.games.eriantys.data import COIN_SEATS, COLOURS, DINING_SEATS, GROUPS_AT_END
from ludoteca.games.eriantys.events import (
    CardRefilled,
    CoinEarned,
    Event,
    GameEnded,
    InfluenceCounted,
    IslandConquered,
    IslandsJoined,
    LastRoundAnnounced,
    NoEntryLifted,
    ProfessorTaken,
)
from ludoteca.games.eriantys.state import Card, Group, State

HERBALIST = 5


class Board:
    """A state while one action is carried out, the character in force, and what has happened so far."""

    __slots__ = ("character", "events", "state")

    def __init__(self, state: State, character: Character) -> None:
        self.state = state
        self.character = character
        self.events: list[Event] = []

    def draw(self) -> int | None:
        """Draw one student from the bag; None when it is empty."""
        bag = self.state.bag
        total = sum(bag)
        if not total:
            return None
        place = self.state.dice.below(total)
        colour = 0
        while place >= bag[colour]:
            place -= bag[colour]
            colour += 1
        bag[colour] -= 1
        return colour

    def check_bag(self) -> None:
        """Whoever drew the last student announces the last round, which stays so if students return."""
        if not any(self.state.bag):
            self.announce_last_round("bag")

    def announce_last_round(self, reason: Literal["bag", "assistants"]) -> None:
        """The game ends with this round; said once."""
        if not self.state.last_round:
            self.state.last_round = True
            self.events.append(LastRoundAnnounced(reason))

    def refill(self, card: Card) -> None:
        """Draw a student onto a card; with an empty bag it stays short."""
        colour = self.draw()
        if colour is not None:
            card.students[colour] += 1
            self.events.append(CardRefilled(card.character, COLOURS[colour]))
            self.check_bag()

    def seat_student(self, seat: Seat, colour: int) -> None:
        """Put a student, already taken from elsewhere, on the next seat of its table:
        coin and professor follow."""
        state = self.state
        school = state.schools[seat]
        school.dining[colour] += 1
        if school.dining[colour] in COIN_SEATS and state.supply:
            state.supply -= 1
            school.coins += 1
            self.events.append(CoinEarned(seat))
        self.check_professor(colour)

    def check_professor(self, colour: int) -> None:
        """Whoever has strictly the most students of a colour takes its professor; on a tie nothing moves."""
        state = self.state
        counts = [school.dining[colour] for school in state.schools]
        most = max(counts)
        if not most:
            return
        holder = state.professors[colour]
        if self.character.wins_ties and counts[state.seat] == most:
            taker = state.seat
        elif counts.count(most) == 1:
            taker = Seat(counts.index(most))
        else:
            return
        if taker != holder:
            state.professors[colour] = taker
            self.events.append(ProfessorTaken(taker, COLOURS[colour]))

    def resolve(self, island: int) -> None:
        """Work out the influence on a group, build or swap towers, join groups, and end the
        game if that does."""
        state = self.state
        group = state.groups[island]
        if group.no_entry:
            group.no_entry -= 1
            for card in state.cards:
                if card.character == HERBALIST:
                    card.no_entry += 1
            self.events.append(NoEntryLifted(island))
            return
        influence = self.influence(group)
        self.events.append(InfluenceCounted(island, tuple(influence)))
        most = max(influence)
        if not most or influence.count(most) > 1:
            return
        conqueror = influence.index(most)
        if conqueror == group.tower:
            return
        self._conquer(island, conqueror)
        self._join_neighbours(island)
        if not state.towers[conqueror]:
            self.end("the last tower of a colour was built")
        elif len(state.groups) <= GROUPS_AT_END:
            self.end("only three groups of islands are left")

    def influence(self, group: Group) -> list[int]:
        """The influence of every team on a group, as the character in force lets it count."""
        state = self.state
        teams = len(state.towers)
        influence = [0] * teams
        for colour, holder in enumerate(state.professors):
            if holder is not None and colour != state.silenced:
                influence[holder % teams] += group.students[colour]
        if group.tower is not None and self.character.towers_count:
            influence[group.tower] += len(group.tiles)
        if self.character.extra_influence:
            influence[state.seat % teams] += self.character.extra_influence
        return influence

    def _conquer(self, island: int, conqueror: int) -> None:
        state = self.state
        group = state.groups[island]
        size = len(group.tiles)
        former = group.tower
        if former is not None:
            state.towers[former] += size
        # With too few towers all that are left are built, which wins the game.
        built = min(size, state.towers[conqueror])
        state.towers[conqueror] -= built
        group.tower = conqueror
        self.events.append(
            IslandConquered(
                island,
                state.tower_colours[conqueror],
                built,
                None if former is None else state.tower_colours[former],
                0 if former is None else size,
            )
        )

    def _join_neighbours(self, island: int) -> None:
        groups = self.state.groups
        tower = groups[island].tower
        before = (island - 1) % len(groups)
        if groups[before].tower == tower:
            island = self._join(before, island)
        after = (island + 1) % len(groups)
        if after != island and groups[after].tower == tower:
            self._join(island, after)

    def _join(self, first: int, second: int) -> int:
        """Add the second group to the first, which it follows clockwise; tells the index of the new group."""
        state = self.state
        groups = state.groups
        one, other = groups[first], groups[second]
        kept, gone = min(first, second), max(first, second)
        groups[kept] = Group(
            one.tiles + other.tiles,
            [a + b for a, b in zip(one.students, other.students, strict=True)],
            one.tower,
            one.no_entry + other.no_entry,
        )
        del groups[gone]
        if state.mother_nature == gone:
            state.mother_nature = kept
        elif state.mother_nature > gone:
            state.mother_nature -= 1
        self.events.append(IslandsJoined(first, second))
        return kept

    def end(self, reason: str) -> None:
        """End the game: fewest towers at home, then most professors; who is still level shares the rank.

        Whoever built the last tower has none at home while everybody else has some, so that win needs no
        case of its own.
        """
        state = self.state
        teams = len(state.towers)
        professors = [0] * teams
        for holder in state.professors:
            if holder is not None:
                professors[holder % teams] += 1
        standing = [
            (state.towers[seat % teams], -professors[seat % teams]) for seat in range(len(state.schools))
        ]
        ranks = tuple(1 + sum(other < own for other in standing) for own in standing)
        state.phase = "ended"
        state.outcome = Outcome(ranks, reason)
        self.events.append(GameEnded(ranks, reason))


def has_room(dining: list[int], colour: int) -> bool:
    """Whether a table of the dining room has a free seat."""
    return dining[colour] < DINING_SEATS
