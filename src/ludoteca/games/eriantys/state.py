"""What stands on the table in a match of Eriantys."""

from collections.abc import Mapping

import msgspec

from ludoteca.core import Dice, Outcome, Question, Seat
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.data import Mode, Phase, Tower


class School(msgspec.Struct):
    """One player's own things; students are counted by colour, `assistant` is 0 until one is played."""

    hand: list[int]
    entrance: list[int]
    dining: list[int]
    assistant: int = 0
    coins: int = 0

    def clone(self) -> "School":
        """An independent copy."""
        return School(self.hand[:], self.entrance[:], self.dining[:], self.assistant, self.coins)


class Group(msgspec.Struct):
    """One island, or several that were joined: the tiles clockwise, and the team whose towers stand there."""

    tiles: tuple[int, ...]
    students: list[int]
    tower: int | None = None
    no_entry: int = 0

    def clone(self) -> "Group":
        """An independent copy."""
        return Group(self.tiles, self.students[:], self.tower, self.no_entry)


class Card(msgspec.Struct):
    """A character card in play; `bought` once a coin lies on it."""

    character: int
    price: int
    students: list[int]
    no_entry: int = 0
    bought: bool = False

    def clone(self) -> "Card":
        """An independent copy."""
        return Card(self.character, self.price, self.students[:], self.no_entry, self.bought)


class State(msgspec.Struct):
    """A match. Seats of one team are congruent modulo the number of teams: white, black, white, black.

    The bag is a number of students by colour; the dice decide which of them is drawn, so the dice are all
    that is hidden. `kind` and `options` are the pending question, worked out by the rules after each action.
    """

    dice: Dice
    mode: Mode
    # By team: the colour of the towers, and how many are still at home.
    tower_colours: tuple[Tower, ...]
    towers: list[int]
    schools: list[School]
    groups: list[Group]
    mother_nature: int
    clouds: list[list[int]]
    bag: list[int]
    # By colour: the seat that controls the professor.
    professors: list[Seat | None]
    first: Seat
    order: tuple[Seat, ...]
    supply: int = 0
    cards: list[Card] = []
    round: int = 0
    phase: Phase = "planning"
    # Whose turn it is, as an index into the order.
    turn: int = 0
    moved: int = 0
    walked: bool = False
    # The character bought in this turn (0: none), whether it still waits for a choice, pairs
    # swapped, colour named.
    character: int = 0
    choosing: bool = False
    swaps: int = 0
    silenced: int | None = None
    last_round: bool = False
    clouds_short: bool = False
    kind: str = ""
    choices: tuple[Action, ...] = ()
    outcome: Outcome | None = None

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.order[self.turn]

    @property
    def teams(self) -> int:
        """How many teams play; with two or three players everybody is a team."""
        return len(self.towers)

    @property
    def questions(self) -> Mapping[Seat, Question]:
        """What the player in turn is asked."""
        if self.outcome is not None:
            return {}
        return {self.seat: Question(self.kind, self.choices)}

    def clone(self) -> "State":
        """An independent copy."""
        return State(
            self.dice.clone(),
            self.mode,
            self.tower_colours,
            self.towers[:],
            [school.clone() for school in self.schools],
            [group.clone() for group in self.groups],
            self.mother_nature,
            [cloud[:] for cloud in self.clouds],
            self.bag[:],
            self.professors[:],
            self.first,
            self.order,
            self.supply,
            [card.clone() for card in self.cards],
            self.round,
            self.phase,
            self.turn,
            self.moved,
            self.walked,
            self.character,
            self.choosing,
            self.swaps,
            self.silenced,
            self.last_round,
            self.clouds_short,
            self.kind,
            self.choices,
            self.outcome,
        )
