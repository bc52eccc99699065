"""Who may know what: everything but the bag's order and, until the end, the personal goals of the others."""

from msgspec.structs import replace

from ludoteca.core import Dice, LocalError, Seat
from ludoteca.games.shelfie.data import PERSONAL_GOALS
from ludoteca.games.shelfie.events import Event
from ludoteca.games.shelfie.goals import in_place
from ludoteca.games.shelfie.state import State, Tabletop, happen, wishes_of

# What a seat sees is the tabletop itself, with None for every card it may not know.
View = Tabletop


def view(state: State, seat: Seat | None) -> View:
    """What one seat (or, for None, a spectator) may know."""
    tabletop = state.tabletop
    own = () if seat is None else tabletop.goals[seat]
    if _are_cards_up(tabletop):
        return replace(tabletop, seat=seat, wishes=own)
    cards = tuple([card if owner == seat else None for owner, card in enumerate(tabletop.cards)])
    return replace(tabletop, seat=seat, cards=cards, wishes=own, goals=())


def public(picture: View) -> View:
    """What everybody at the table knows of what somebody does."""
    if _are_cards_up(picture):
        return replace(picture, seat=None, wishes=())
    return replace(picture, seat=None, cards=(None,) * len(picture.cards), wishes=(), goals=())


def update(picture: View, event: Event) -> View:
    """The view after an event."""
    return happen(picture, event)


def reveal(state: State) -> View:
    """The table with all personal goals face up."""
    return state.tabletop


def redeal(state: State, seat: Seat | None, dice: Dice) -> State:
    """A state that this seat cannot tell from the true one: another order of the bag, other
    cards of the others."""
    dealt = state.clone()
    dice.shuffle(dealt.bag)
    tabletop = state.tabletop
    if not _are_cards_up(tabletop):
        cards = _redeal_cards(state, seat, dice)
        goals = tuple(map(wishes_of, cards, tabletop.shelves))
        dealt.tabletop = replace(tabletop, cards=cards, goals=goals)
    return dealt


def _are_cards_up(tabletop: Tabletop) -> bool:
    """The personal goals are turned up when they are counted, not when a match is broken off."""
    return tabletop.outcome is not None and bool(tabletop.outcome.ranks)


def _redeal_cards(state: State, seat: Seat | None, dice: Dice) -> tuple[int, ...]:
    """All different, the own one kept, and with open points as many tiles in place as everybody has seen."""
    tabletop = state.tabletop
    fitting = []
    for owner, card in enumerate(tabletop.cards):
        if owner == seat and card is not None:
            fitting.append([card])
            continue
        cards = list(PERSONAL_GOALS)
        if state.open_points:
            shelf = tabletop.shelf(owner)
            count = sum(wish.met for wish in tabletop.goals[owner])
            cards = [other for other in cards if in_place(other, shelf) == count]
        dice.shuffle(cards)
        fitting.append(cards)
    dealt = _all_different(fitting)
    if dealt is None:
        raise LocalError("the true cards fit, so some must")
    return dealt


def _all_different(fitting: list[list[int]]) -> tuple[int, ...] | None:
    """One of each list, none twice; None when that cannot be."""
    if not fitting:
        return ()
    *before, last = fitting
    for card in last:
        rest = _all_different([[other for other in cards if other != card] for cards in before])
        if rest is not None:
            return (*rest, card)
    return None
