"""The facts of Eriantys: colours, numbers of pieces, assistants and the twelve character cards."""

from typing import Any, Literal

import msgspec

Colour = Literal["green", "red", "yellow", "pink", "blue"]
Tower = Literal["white", "black", "gray"]
Mode = Literal["Basic", "Expert"]
Phase = Literal["planning", "action", "ended"]

# Students are counted in lists of five numbers, always in this order.
COLOURS: tuple[Colour, ...] = ("green", "red", "yellow", "pink", "blue")
COLOUR_INDEX: dict[str, int] = {"green": 0, "red": 1, "yellow": 2, "pink": 3, "blue": 4}
CREATURES: dict[Colour, str] = {
    "green": "frog",
    "red": "dragon",
    "yellow": "gnome",
    "pink": "fairy",
    "blue": "unicorn",
}
TOWERS: tuple[Tower, ...] = ("white", "black", "gray")

STUDENTS_PER_COLOUR = 26
# Two students of each colour are laid on the islands before the bag is filled.
ISLAND_STUDENTS_PER_COLOUR = 2
ISLANDS = 12
DINING_SEATS = 10
COIN_SEATS = (3, 6, 9)
COINS = 20
CHARACTERS_IN_PLAY = 3
# The game ends when so few groups of islands are left.
GROUPS_AT_END = 3

ASSISTANTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
# How far mother nature may walk, by the assistant's value.
STEPS: tuple[int, ...] = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5)


class Numbers(msgspec.Struct, frozen=True):
    """What depends on the number of players. Towers are counted for each team."""

    teams: int
    cloud_students: int
    moves: int
    entrance: int
    towers: int


NUMBERS: dict[int, Numbers] = {
    2: Numbers(teams=2, cloud_students=3, moves=3, entrance=7, towers=8),
    3: Numbers(teams=3, cloud_students=4, moves=4, entrance=9, towers=6),
    4: Numbers(teams=2, cloud_students=3, moves=3, entrance=7, towers=8),
}


class CharacterFacts(msgspec.Struct, frozen=True):
    """What is printed on a character card; `students` and `no_entry` lie on it at the start."""

    name: str
    price: int
    effect: str
    students: int = 0
    no_entry: int = 0


CHARACTERS: dict[int, CharacterFacts] = {
    1: CharacterFacts("Monk", 1, "Send one student of this card to any island.", students=4),
    2: CharacterFacts("Farmer", 2, "This turn a tie is enough to take a professor."),
    3: CharacterFacts("Herald", 3, "Resolve any island as if mother nature had stopped there."),
    4: CharacterFacts("Messenger", 1, "This turn mother nature may walk two steps more."),
    5: CharacterFacts("Herbalist", 2, "Put a no-entry tile on any island.", no_entry=4),
    6: CharacterFacts("Centaur", 3, "This turn towers give no influence."),
    7: CharacterFacts("Jester", 1, "Swap up to three students of this card with your entrance.", students=6),
    8: CharacterFacts("Knight", 2, "This turn you have two more influence everywhere."),
    9: CharacterFacts("Mushroom seller", 3, "This turn students of one colour give no influence."),
    10: CharacterFacts("Minstrel", 1, "Swap up to two students between entrance and dining room."),
    11: CharacterFacts("Princess", 2, "Seat one student of this card in your dining room.", students=4),
    12: CharacterFacts("Thief", 3, "Everybody returns up to three students of one colour to the bag."),
}

# Whose no-entry tiles come back to the card.
HERBALIST = 5

# What is printed on cards and boards, for programs elsewhere.
PRINTED: dict[str, Any] = {
    "assistants": {value: {"steps": STEPS[value]} for value in ASSISTANTS},
    "characters": {number: msgspec.to_builtins(card) for number, card in CHARACTERS.items()},
    "players": {players: msgspec.to_builtins(numbers) for players, numbers in NUMBERS.items()},
    "islands": ISLANDS,
    "students_per_colour": STUDENTS_PER_COLOUR,
    "dining_seats": DINING_SEATS,
    "coin_seats": COIN_SEATS,
    "coins": COINS,
}
