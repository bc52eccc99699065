"""Production: the powers a player can use together, what they take and what they give."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import cast

from ludoteca.games.renaissance.actions import Power, UseBasic, UseLeader, UseSlot
from ludoteca.games.renaissance.data import CARDS, LEADERS, NOTHING, ONE, RESOURCES, SLOTS, Stock
from ludoteca.games.renaissance.state import Board, Tabletop

# Every use of the basic power, with what it takes.
BASIC: tuple[tuple[UseBasic, Stock], ...] = tuple(
    (UseBasic(spend, gain), ONE[spend[0]].plus(ONE[spend[1]]))
    for spend in combinations_with_replacement(RESOURCES, 2)
    for gain in RESOURCES
)
SLOT_USES: tuple[UseSlot, ...] = tuple(UseSlot(slot) for slot in range(SLOTS))
LEADER_USES: dict[str, tuple[UseLeader, ...]] = {
    leader: tuple(UseLeader(leader, gain) for gain in RESOURCES)
    for leader, facts in LEADERS.items()
    if facts.kind == "production"
}


def power_choices(board: Board, used: tuple[Power, ...], left: Stock) -> tuple[Power, ...]:
    """The powers not used yet that what is left can pay for."""
    return _power_choices(board.slots, board.played, used, left)


@lru_cache(maxsize=16384)  # The same few cards and stocks again and again, in all matches.
def _power_choices(
    slots: tuple[tuple[str, ...], ...], played: tuple[str, ...], used: tuple[Power, ...], left: Stock
) -> tuple[Power, ...]:
    basic_used, taken = False, set[int | str]()
    for power in used:
        match power:
            case UseBasic():
                basic_used = True
            case UseSlot(slot):
                taken.add(slot)
            case UseLeader(leader):
                taken.add(leader)
    found: list[Power] = []
    for use in SLOT_USES:
        cards = slots[use.slot]
        if cards and use.slot not in taken and left.covers(CARDS[cards[-1]].takes):
            found.append(use)
    for leader in played:
        if leader in LEADER_USES and leader not in taken and left.covers(ONE[LEADERS[leader].resource]):
            found += LEADER_USES[leader]
    if not basic_used:
        found += [use for use, takes in BASIC if left.covers(takes)]
    return tuple(found)


def takes(board: Board, power: Power) -> Stock:
    """What a power asks for."""
    match power:
        case UseBasic((first, second)):
            return ONE[first].plus(ONE[second])
        case UseSlot(slot):
            return CARDS[board.slots[slot][-1]].takes
        case UseLeader(leader):
            return ONE[LEADERS[leader].resource]


def gives(board: Board, power: Power) -> tuple[Stock, int]:
    """The resources and the faith that a power gives."""
    match power:
        case UseBasic(_, gain):
            return ONE[gain], 0
        case UseSlot(slot):
            card = CARDS[board.slots[slot][-1]]
            return card.gives, card.faith
        case UseLeader(_, gain):
            return ONE[gain], 1


def taken_together(board: Board, powers: Iterable[Power]) -> Stock:
    """What several powers ask for."""
    total = NOTHING
    for power in powers:
        total = total.plus(takes(board, power))
    return total


def given_together(board: Board, powers: Iterable[Power]) -> tuple[Stock, int]:
    """What several powers give. Everything is paid before: nothing gained here pays for another power."""
    total, faith = NOTHING, 0
    for power in powers:
        gained, more = gives(board, power)
        total, faith = total.plus(gained), faith + more
    return total, faith


def drafted_powers(tabletop: Tabletop) -> tuple[Power, ...]:
    """The powers chosen so far."""
    draft = tabletop.draft
    # Whoever produces takes no other steps.
    return cast("tuple[Power, ...]", draft) if draft and isinstance(draft[0], Power) else ()
