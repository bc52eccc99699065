"""What a position is worth, learned from matches of bots: see training/eriantys.py.

The same traits as made by hand (towers, professors, islands to come), weighed by how such matches ended, and
quickly: what an island or a table of one colour is worth is worked out once.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ludoteca.core import Seat
from ludoteca.games.eriantys.bot import weights as made
from ludoteca.games.eriantys.bot.search import lead
from ludoteca.games.eriantys.characters import IN_FORCE, influence
from ludoteca.games.eriantys.data import ISLANDS, STEPS, Tower
from ludoteca.games.eriantys.events import Students
from ludoteca.games.eriantys.state import State, Tabletop

COINS_MAX = COUNTED_MAX = 3
TOWERS_MAX = 8

# Where the weights of each kind stand.
TOWERS = 0
PROFESSOR = TOWERS + TOWERS_MAX + 1
LEAD = PROFESSOR + 1
MARGIN = LEAD + 1
HELD = MARGIN + 1
SOON = HELD + 1
NOW = SOON + ISLANDS
COIN = NOW + 1
USEFUL = COIN + 1
PROMISING = USEFUL + 1
SEATED = PROMISING + 1
COUNT = SEATED + 1

Professors = tuple[Seat | None, ...]

WEIGHTS: Sequence[float] = made.WEIGHTS


@lru_cache(maxsize=100_000)
def _resolved(
    students: Students, owner: int, size: int, professors: Professors, teams: int
) -> tuple[int, int]:
    """Who has an island once it is resolved (-1: nobody), and by how many students at least."""
    counts = [0] * teams
    for place, holder in enumerate(professors):
        if holder is not None:
            counts[holder % teams] += students[place]
    if owner >= 0:
        counts[owner] += size
    most = max(counts)
    if not most or counts.count(most) > 1:
        return owner, 0
    taker = counts.index(most)
    counts[taker] = -1
    return taker, min(most - max(counts), COUNTED_MAX)


@lru_cache(maxsize=100_000)
def _table(
    seated: tuple[int, ...], waiting: tuple[int, ...], holder: int | None, teams: int
) -> tuple[tuple[int, int, float], ...]:
    """What one colour is worth: a team, the place of a weight, and how often that counts."""
    found: list[tuple[int, int, float]] = []
    mark = 0
    if holder is not None:
        mark = seated[holder]
        rival = max(count for seat, count in enumerate(seated) if seat % teams != holder % teams)
        found += [(holder % teams, PROFESSOR, 1.0), (holder % teams, LEAD, min(mark - rival, COUNTED_MAX))]
    for seat, waits in enumerate(waiting):
        team = seat % teams
        if seat == holder:
            found.append((team, USEFUL, min(waits, COUNTED_MAX)))
        elif waits and seated[seat] + min(waits, COUNTED_MAX) > mark:
            found.append((team, PROMISING, 1.0))
        found.append((team, SEATED, seated[seat]))
    return tuple(found)


@lru_cache(maxsize=100_000)
def _table_worth(
    seated: tuple[int, ...], waiting: tuple[int, ...], holder: int | None, teams: int
) -> tuple[float, ...]:
    values = [0.0] * teams
    for team, place, times in _table(seated, waiting, holder, teams):
        values[team] += WEIGHTS[place] * times
    return tuple(values)


def opinion(state: State) -> list[float]:
    """How all teams stand."""
    tabletop = state.tabletop
    teams = tabletop.teams
    players, professors, weights = tabletop.players, tabletop.professors, WEIGHTS
    values = [
        weights[TOWERS + player.towers] + weights[COIN] * min(player.coins, COINS_MAX)
        for player in players[:teams]
    ]
    towers = {player.tower: team for team, player in enumerate(players[:teams])}
    margin, held = weights[MARGIN], weights[HELD]
    islands, place = tabletop.islands, tabletop.mother_nature
    count = len(islands)
    for distance in range(1, count + 1):
        group = islands[(place + distance) % count]
        size = len(group.tiles)
        owner = -1 if group.tower is None else towers[group.tower]
        taker, lead = _resolved(group.students, owner, size, professors, teams)
        if taker < 0:
            continue
        if taker == owner:
            values[taker] += held * lead * size
        else:
            values[taker] += margin * lead
            if not group.no_entry:
                soon = weights[SOON + distance - 1] * size
                values[taker] += soon
                if owner >= 0:
                    values[owner] -= soon
    for colour, holder in enumerate(professors):
        seated = tuple([player.dining[colour] for player in players])
        waiting = tuple([player.entrance[colour] for player in players])
        for team, worth in enumerate(_table_worth(seated, waiting, holder, teams)):
            values[team] += worth
    now = _now(tabletop, towers)
    if now:
        values[tabletop.current % teams] += weights[NOW] * now
    return values


def _now(tabletop: Tabletop, towers: Mapping[Tower, int]) -> int:
    """The most towers that who is in turn gains on the others by the next walk."""
    if tabletop.phase != "action" or tabletop.walked:
        return 0
    teams, islands = tabletop.teams, tabletop.islands
    mover, now = tabletop.current % teams, IN_FORCE[tabletop.character]
    best = -2 * len(islands)
    for distance in range(1, min(STEPS[tabletop.player.assistant or 0] + now.extra_steps, len(islands)) + 1):
        group = islands[(tabletop.mother_nature + distance) % len(islands)]
        size = len(group.tiles)
        owner = -1 if group.tower is None else towers[group.tower]
        if tabletop.active:
            counts = influence(tabletop, group, now)
            most = max(counts)
            taker = counts.index(most) if most and counts.count(most) == 1 else owner
        else:
            taker = _resolved(group.students, owner, size, tabletop.professors, teams)[0]
        gain = 0
        if taker != owner and not group.no_entry:
            # What the mover's team wins or loses, and what the former owner loses.
            gain = size if taker == mover else -size
            if owner >= 0:
                gain += -size if owner == mover else size
        best = max(best, gain)
    return best


def evaluate(state: State, seat: Seat) -> float:
    """How much better a position is for a seat's team than for the best of the others."""
    return lead(state, seat, opinion)


def use(weights: Sequence[float]) -> None:
    """Judge by these weights from now on, for those who learn."""
    global WEIGHTS
    WEIGHTS = weights
    _table_worth.cache_clear()


def traits(state: State) -> list[list[float]]:
    """What `opinion` adds up for each team, as how often each weight counts."""
    tabletop = state.tabletop
    teams, players = tabletop.teams, tabletop.players
    found = [[0.0] * COUNT for _ in range(teams)]
    for team, player in enumerate(players[:teams]):
        found[team][TOWERS + player.towers] = 1.0
        found[team][COIN] = min(player.coins, COINS_MAX)
    towers = {player.tower: team for team, player in enumerate(players[:teams])}
    islands = tabletop.islands
    for distance in range(1, len(islands) + 1):
        group = islands[(tabletop.mother_nature + distance) % len(islands)]
        size = len(group.tiles)
        owner = -1 if group.tower is None else towers[group.tower]
        taker, lead = _resolved(group.students, owner, size, tabletop.professors, teams)
        if taker >= 0 and taker == owner:
            found[taker][HELD] += lead * size
        elif taker >= 0:
            found[taker][MARGIN] += lead
            if not group.no_entry:
                found[taker][SOON + distance - 1] += size
                if owner >= 0:
                    found[owner][SOON + distance - 1] -= size
    for colour, holder in enumerate(tabletop.professors):
        seated = tuple(player.dining[colour] for player in players)
        waiting = tuple(player.entrance[colour] for player in players)
        for team, place, times in _table(seated, waiting, holder, teams):
            found[team][place] += times
    found[tabletop.current % teams][NOW] += _now(tabletop, towers)
    return found
