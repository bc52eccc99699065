"""Actions and islands as numbers, for those who learn to play."""

from itertools import chain
from typing import Any, get_args

from ludoteca.core import Seat
from ludoteca.games.santorini.actions import (
    BLOCKS,
    DOMES,
    FINISH,
    MOVES,
    PLACES,
    ChooseColour,
    ChooseStart,
    OfferGod,
    TakeGod,
)
from ludoteca.games.santorini.data import CARDS, COLOURS, ROUND, SIDE, SPACES, TOP, Phase
from ludoteca.games.santorini.state import Options
from ludoteca.games.santorini.view import View

_GODS = {god: place for place, god in enumerate(CARDS)}
_PHASES: tuple[str, ...] = get_args(Phase)
_DOME = TOP + 1


def vocabulary(_options: Options, seats: int) -> list[Any]:
    """Gods, colours and seats of the setup; places; moves and builds to every neighbour, also around the
    edge; builds under oneself; the end of a turn."""
    pairs = [(source, target) for source in range(SPACES) for target in ROUND[source]]
    own = [(space, space) for space in range(SPACES)]
    return [
        *(OfferGod(god) for god in CARDS),
        *(TakeGod(god) for god in CARDS),
        *(ChooseStart(seat) for seat in range(seats)),
        *(ChooseColour(colour) for colour in COLOURS),
        *PLACES,
        *(MOVES[source][target] for source, target in pairs),
        *(BLOCKS[source][target] for source, target in pairs + own),
        *(DOMES[source][target] for source, target in pairs + own),
        FINISH,
    ]


def tensor(view: View, seat: Seat) -> bytes:
    """Five planes of spaces (levels 0 to 3, dome); for each player from the own one on four planes of
    workers, by the level they stand on, gods, whether still in, whether to decide, tokens; then what is on
    offer, and the phase."""
    seats = len(view.gods)
    levels = tuple(chain.from_iterable(view.levels))
    domes = tuple(chain.from_iterable(view.domes))
    planes = bytearray((_DOME + 1) * SPACES)
    for space, level in enumerate(levels):
        planes[(_DOME if domes[space] else level) * SPACES + space] = 1
    parts: list[bytes | bytearray] = [planes]
    for place in range(seats):
        player = (seat + place) % seats
        workers = bytearray((TOP + 1) * SPACES)
        for worker in view.workers:
            if worker.seat == player:
                space = worker.i * SIDE + worker.j
                workers[levels[space] * SPACES + space] = 1
        god = bytearray(len(_GODS))
        if view.gods[player]:
            god[_GODS[view.gods[player]]] = 1
        facts = (not view.out[player], view.seat == player, min(255, view.tokens[player]))
        parts += (workers, god, bytes(facts))
    parts.append(bytes(god in view.offered for god in CARDS))
    parts.append(bytes(view.phase == phase for phase in _PHASES))
    return b"".join(parts)
