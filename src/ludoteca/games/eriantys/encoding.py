"""Actions, islands and schools as numbers, for those who learn to play."""

from itertools import product

from ludoteca.core import Seat
from ludoteca.games.eriantys import actions
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.data import ASSISTANTS, CHARACTERS, CHARACTERS_IN_PLAY, COLOURS, ISLANDS, STEPS
from ludoteca.games.eriantys.state import NOBODY, CharacterCard, Island, Player
from ludoteca.games.eriantys.view import View

# The Messenger's extra steps.
WALK_MAX = max(STEPS) + 2
CLOUDS_MAX = 4
_PHASES = ("planning", "action", "ended")


def vocabulary(_options: object, _seats: int) -> list[Action]:
    """Assistants, students to islands and tables, walks, clouds, characters and all that these ask for."""
    islands, pairs = range(ISLANDS), [*product(COLOURS, repeat=2)]
    return [
        *(actions.PlayAssistant(value) for value in ASSISTANTS),
        *(actions.MoveToIsland(colour, island) for colour in COLOURS for island in islands),
        *(actions.MoveToDining(colour) for colour in COLOURS),
        *(actions.Walk(steps) for steps in range(1, WALK_MAX + 1)),
        *(actions.TakeCloud(cloud) for cloud in range(CLOUDS_MAX)),
        actions.EndTurn(),
        *(actions.BuyCharacter(character) for character in CHARACTERS),
        *(actions.SendFromCard(colour, island) for colour in COLOURS for island in islands),
        *(actions.ResolveIsland(island) for island in islands),
        *(actions.ForbidIsland(island) for island in islands),
        *(actions.SwapWithCard(taken, given) for taken, given in pairs),
        *(actions.SilenceColour(colour) for colour in COLOURS),
        *(actions.SwapWithDining(seated, taken) for seated, taken in pairs),
        *(actions.SeatFromCard(colour) for colour in COLOURS),
        *(actions.ReturnColour(colour) for colour in COLOURS),
        actions.StopSwapping(),
    ]


def tensor(view: View, seat: Seat) -> bytes:
    """Twelve places of islands, filled from mother nature on; then the schools from the own one on; then
    professors, clouds, characters and how far the round is."""
    seats = len(view.players)
    around = [(seat + place) % seats for place in range(seats)]
    numbers: list[int] = []
    groups = len(view.islands)
    for place in range(ISLANDS):
        # Islands are answered by their number, so that number goes with each.
        island = (view.mother_nature + place) % groups
        numbers += _island(view, view.islands[island], island, around) if place < groups else _NO_ISLAND
    for player in around:
        numbers += _school(view.players[player])
        numbers.append(view.current == player)
        numbers += [holder == player for holder in view.professors]
    for place in range(CLOUDS_MAX):
        numbers += view.clouds[place] if place < len(view.clouds) else NOBODY
    for place in range(CHARACTERS_IN_PLAY):
        numbers += _card(view.characters[place]) if place < len(view.characters) else _NO_CARD
    numbers += [view.character == character for character in CHARACTERS]
    numbers += [view.active is not None and view.active.colour == colour for colour in COLOURS]
    numbers += [view.phase == phase for phase in _PHASES]
    numbers += (view.moved, view.walked, view.swaps, min(255, view.round), view.last_round)
    numbers += view.bag
    return bytes(numbers)


def _island(view: View, group: Island, number: int, around: list[int]) -> list[int]:
    owners = [group.tower is not None and view.players[player].tower == group.tower for player in around]
    return [number + 1, len(group.tiles), *group.students, group.no_entry, *_padded(owners)]


def _padded(flags: list[bool]) -> list[bool]:
    return flags + [False] * (4 - len(flags))


_NO_ISLAND = [0] * (2 + len(COLOURS) + 1 + 4)


def _school(player: Player) -> list[int]:
    hand = [value in player.hand for value in ASSISTANTS]
    return [
        player.towers,
        min(255, player.coins),
        player.assistant or 0,
        *hand,
        *player.entrance,
        *player.dining,
    ]


def _card(card: CharacterCard) -> list[int]:
    kinds = [card.character == character for character in CHARACTERS]
    return [*kinds, card.price, *(card.students or NOBODY), card.no_entry or 0]


_NO_CARD = [0] * (len(CHARACTERS) + 1 + len(COLOURS) + 1)
