"""What a position is worth, weighed by hand: towers, professors, islands to come."""

from ludoteca.core import Seat
from ludoteca.games.eriantys.bot.search import lead
from ludoteca.games.eriantys.characters import IN_FORCE, influence
from ludoteca.games.eriantys.data import STEPS
from ludoteca.games.eriantys.state import State, Tabletop

# What things are worth, in tenths of a tower. Set by hand; halving or doubling most of them played no better.
TOWER = 10.0
PROFESSOR = 3.0
# For each student by which a table leads, and for each by which an island is led.
LEAD = 0.5
MARGIN = 0.5
COIN = 0.8
# For a student waiting in the entrance whose professor is held, or could be taken.
USEFUL = 0.3
PROMISING = 0.6
COINS_MAX = COUNTED_MAX = 3
# The part of a tower that is as good as built if mother nature stops there, by her distance.
SOON = (0.0, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.22, 0.2, 0.18, 0.16, 0.15, 0.15)
# The same for the best island that the player in turn can reach at once.
NOW = 0.9


def evaluate(state: State, seat: Seat) -> float:
    """How much better a position is for a seat's team than for the best of the others."""
    return lead(state, seat, opinion)


def opinion(state: State) -> list[float]:
    """How all stand; team mates, who stand alike, follow each other in the same order."""
    tabletop = state.tabletop
    teams = tabletop.teams
    values = [-TOWER * player.towers for player in tabletop.players[:teams]]
    _value_islands(tabletop, values)
    _value_schools(tabletop, values)
    return values * (len(tabletop.players) // teams)


def _value_islands(tabletop: Tabletop, values: list[float]) -> None:
    """Towers to come: who would take each island if mother nature stopped there, and how soon she may."""
    teams = len(values)
    mover = tabletop.current % teams
    towers = [player.tower for player in tabletop.players]
    islands = tabletop.islands
    now = IN_FORCE[tabletop.character]
    reach = 0
    if tabletop.phase == "action" and not tabletop.walked:
        reach = STEPS[tabletop.player.assistant or 0] + now.extra_steps
    best = -2.0 * TOWER
    for distance in range(1, len(islands) + 1):
        group = islands[(tabletop.mother_nature + distance) % len(islands)]
        size = len(group.tiles)
        owner = None if group.tower is None else towers.index(group.tower)
        counts = influence(tabletop, group, IN_FORCE[0])
        taker = _taker(counts, owner)
        if taker is not None:
            most = counts[taker]
            second = max(other for team, other in enumerate(counts) if team != taker)
            values[taker] += MARGIN * min(most - second, COUNTED_MAX)
            if taker != owner and not group.no_entry:
                values[taker] += SOON[distance] * TOWER * size
                if owner is not None:
                    values[owner] -= SOON[distance] * TOWER * size
        if distance <= reach:
            if tabletop.active:
                taker = _taker(influence(tabletop, group, now), owner)
            gain = 0
            if taker != owner and not group.no_entry:
                # What the mover's team wins or loses, and what the former owner loses.
                gain = size if taker == mover else -size
                if owner is not None:
                    gain += -size if owner == mover else size
            best = max(best, NOW * TOWER * gain)
    if reach:
        values[mover] += best


def _taker(counts: list[int], owner: int | None) -> int | None:
    """Who has an island once it is resolved."""
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else owner


def _value_schools(tabletop: Tabletop, values: list[float]) -> None:
    """Professors and how safe they are, students that wait for use, coins."""
    teams = len(values)
    for colour, holder in enumerate(tabletop.professors):
        tables = [player.dining[colour] for player in tabletop.players]
        mark = 0
        if holder is not None:
            mark = tables[holder]
            rival = max(count for seat, count in enumerate(tables) if seat % teams != holder % teams)
            values[holder % teams] += PROFESSOR + LEAD * min(mark - rival, COUNTED_MAX)
        for seat, player in enumerate(tabletop.players):
            waiting = min(player.entrance[colour], COUNTED_MAX)
            if seat == holder:
                values[seat % teams] += USEFUL * waiting
            elif waiting and tables[seat] + waiting > mark:
                values[seat % teams] += PROMISING
    for seat, player in enumerate(tabletop.players):
        values[seat % teams] += COIN * min(player.coins, COINS_MAX)
