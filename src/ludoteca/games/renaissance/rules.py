"""What happens: setup, turns, faith, Lorenzo, absence and the end.

An action is accepted exactly when it is a choice of the question asked; everything that follows is a list of
events, each of which changes the tabletop as it is written down.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from ludoteca.core import Dice, Outcome, Refused, Seat, Setup
from ludoteca.games.renaissance import actions, events
from ludoteca.games.renaissance.actions import Action, BuyCard, Pay
from ludoteca.games.renaissance.cards.depots import arranged, store_choices
from ludoteca.games.renaissance.cards.market import harvest
from ludoteca.games.renaissance.cards.powers import drafted_powers, given_together
from ludoteca.games.renaissance.cards.questions import questions
from ludoteca.games.renaissance.cards.reasons import refusal
from ludoteca.games.renaissance.cards.scoring import outcome
from ludoteca.games.renaissance.data import (
    CARDS,
    CARDS_TO_END,
    COLOURS,
    LAST_CELL,
    LEADERS,
    LEADERS_DEALT,
    LEVELS,
    MARBLES,
    REPORTS,
    START_FAITH,
    START_RESOURCES,
    TOKENS,
    Marble,
    Stock,
)
from ludoteca.games.renaissance.events import Event
from ludoteca.games.renaissance.state import CHANGES, Board, Pile, State, Tabletop, pile_of

# The cards of each deck, as the decks lie in the grid.
_PILES = tuple(
    tuple(card for card, facts in CARDS.items() if (facts.level, facts.colour) == (level, colour))
    for level in LEVELS
    for colour in COLOURS
)
# A decision in steps can be undone, but not for ever: a turn must end.
TAKE_BACKS = 3


def start(setup: Setup) -> tuple[State, list[Event]]:
    """A shuffled table; everybody chooses leaders."""
    dice = Dice(setup.seed)
    seats = setup.seats
    first = dice.below(seats)
    bag: list[Marble] = [marble for marble, count in MARBLES.items() for _ in range(count)]
    dice.shuffle(bag)
    decks = []
    for cards in _PILES:
        deck = list(cards)
        dice.shuffle(deck)
        decks.append(tuple(deck))
    leaders = dice.sample(list(LEADERS), LEADERS_DEALT * seats)
    boards = []
    for seat in range(seats):
        place = (seat - first) % seats
        dealt = tuple(sorted(leaders[LEADERS_DEALT * seat : LEADERS_DEALT * (seat + 1)]))
        boards.append(Board(dealt=dealt, due=START_RESOURCES[place], faith=START_FAITH[place]))
    tabletop = Tabletop(
        first=first,
        boards=tuple(boards),
        marbles=tuple(bag[:-1]),
        slide=bag[-1],
        grid=tuple(Pile(deck[-1], len(deck)) for deck in decks),
        current=first,
        cross=0 if seats == 1 else None,
    )
    state = State(tabletop, decks, _shuffled_tokens(dice) if seats == 1 else (), dice)
    ask(state)
    return state, []


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """Carry out one answer; Refused when it is none of the choices."""
    question = state.asked[seat]
    if question is None:
        over = state.outcome is not None
        raise Refused("the match is over", "over") if over else Refused("it is not your turn", "turn")
    if action not in question.choices:
        tabletop = state.tabletop
        raise Refused(refusal(tabletop, tabletop.boards[seat], question.kind, action))
    log = perform(state, seat, action)
    ask(state)
    return log


def perform(state: State, seat: Seat, action: Action) -> list[Event]:
    """Carry out what is known to be allowed, and do not ask what comes next: for who plays many turns on."""
    log: list[Event] = []
    _carry_out(state, log, seat, action)
    return log


def leave(state: State, seat: Seat) -> list[Event]:
    """A player is absent: incomplete decisions do not count, waiting resources are given
    up, turns are skipped."""
    tabletop = state.tabletop
    if state.outcome or not tabletop.boards[seat].here:
        return []
    log: list[Event] = []
    _tell(state, log, events.Departed(seat))
    if tabletop.phase != "turns":
        _go_on(state, log)
    elif seat == tabletop.current:
        if tabletop.waiting:
            discarded = _counted(tabletop.waiting)
            depots = tabletop.boards[seat].depots
            _tell(state, log, events.WarehouseArranged(seat, depots, discarded))
            _give_to_others(state, log, seat, sum(discarded))
        if not state.outcome and _players(state.tabletop):
            _pass_turn(state, log)
    ask(state)
    return log


def rejoin(state: State, seat: Seat) -> list[Event]:
    """An absent player is back, finishes the setup if need be, and plays when the turn comes round."""
    if state.outcome or state.tabletop.boards[seat].here:
        return []
    log: list[Event] = []
    _tell(state, log, events.Rejoined(seat))
    _go_on(state, log)
    ask(state)
    return log


def _tell(state: State, log: list[Event], event: Event) -> None:
    """Let an event happen."""
    # As `happen` does it, without a hop: bots play millions of moves.
    state.tabletop = CHANGES[type(event)](state.tabletop, event)
    log.append(event)


def _carry_out(state: State, log: list[Event], seat: Seat, action: Action) -> None:
    match action:
        case actions.Store():
            _tell(state, log, events.Drafted(seat, action))
            _arrange(state, log, seat)
        case BuyCard() | actions.UseBasic() | actions.UseSlot() | actions.UseLeader():
            _tell(state, log, events.Drafted(seat, action))
        case Pay():
            first = state.tabletop.draft[0]
            if isinstance(first, BuyCard):
                _buy(state, log, seat, first, action)
            else:
                _produce(state, log, seat, action)
        case actions.TakeLine():
            _take(state, log, seat, action)
        case actions.EndTurn():
            _end_turn(state, log)
        case actions.PlayLeader(leader):
            _tell(state, log, events.LeaderPlayed(seat, leader))
        case actions.DiscardLeader(leader):
            _tell(state, log, events.LeaderDiscarded(seat, leader))
            _move_faith(state, log, {seat: 1})
        case actions.TakeBack():
            state.take_backs -= 1
            _tell(state, log, events.TakenBack(seat))
        case actions.KeepLeaders(one, other):
            _tell(state, log, events.LeadersKept(seat, (one, other)))
            _go_on(state, log)
        case actions.ChooseResource(resource, depot):
            _tell(state, log, events.ResourceChosen(seat, resource, depot))
            _go_on(state, log)


# Setup, turns and absence


def _go_on(state: State, log: list[Event]) -> None:
    """Go on as far as those who are here allow; with nobody here everything stands still."""
    boards = state.tabletop.boards
    here = [board for board in boards if board.here]
    if state.outcome or not here:
        return
    if state.tabletop.phase == "leaders" and all(board.kept for board in here):
        _tell(state, log, events.ResourcesOpened())
    if state.tabletop.phase == "resources" and all(board.ready for board in here):
        _begin_turn(state, log, next(seat for seat in _in_order(state.tabletop) if boards[seat].here))
    elif (
        state.tabletop.phase == "turns"
        and not boards[state.tabletop.current].here
        and _players(state.tabletop)
    ):
        # Nobody could play until now: whoever is the first to come back has the turn, if the round still has
        # one for them.
        _pass_turn(state, log)


def _in_order(tabletop: Tabletop) -> list[int]:
    """The seats from the inkwell on."""
    seats = len(tabletop.boards)
    return [(tabletop.first + place) % seats for place in range(seats)]


def _players(tabletop: Tabletop) -> list[int]:
    """The seats that can play, from the one after the current on."""
    seats = len(tabletop.boards)
    following = [(tabletop.current + step) % seats for step in range(1, seats + 1)]
    return [seat for seat in following if tabletop.boards[seat].here and tabletop.boards[seat].ready]


def _begin_turn(state: State, log: list[Event], seat: int) -> None:
    state.take_backs = TAKE_BACKS
    _tell(state, log, events.TurnBegan(seat))


def _pass_turn(state: State, log: list[Event]) -> None:
    """The next seat that can play; in the last round nobody plays after the seat before the inkwell."""
    tabletop = state.tabletop
    order = _in_order(tabletop)
    seat = _players(tabletop)[0]
    if tabletop.last_round and order.index(seat) <= order.index(tabletop.current):
        _finish(state, log, outcome(tabletop, "the last round has been played"))
    else:
        _begin_turn(state, log, seat)


def _end_turn(state: State, log: list[Event]) -> None:
    if state.tabletop.cross is None:
        _pass_turn(state, log)
        return
    _turn_token(state, log)
    if not state.outcome:
        _begin_turn(state, log, state.tabletop.current)


# Main actions


def _take(state: State, log: list[Event], seat: int, action: actions.TakeLine) -> None:
    taken, faith = harvest(state.tabletop, state.tabletop.boards[seat], action)
    _tell(state, log, events.LineTaken(seat, action.line, action.index, taken))
    # The red marble counts at once, before the resources are placed.
    _move_faith(state, log, {seat: faith})


def _arrange(state: State, log: list[Event], seat: int) -> None:
    tabletop = state.tabletop
    board = tabletop.boards[seat]
    if store_choices(board, tabletop.waiting, tabletop.draft):
        return
    depots, discarded = arranged(board, tabletop.waiting, tabletop.draft)
    _tell(state, log, events.WarehouseArranged(seat, depots, discarded))
    _give_to_others(state, log, seat, sum(discarded))


def _buy(state: State, log: list[Event], seat: int, purchase: BuyCard, payment: Pay) -> None:
    following = _draw(state, pile_of(purchase.card))
    _tell(state, log, events.CardBought(seat, purchase.card, purchase.slot, payment, following))
    owned = sum(len(slot) for slot in state.tabletop.boards[seat].slots)
    if state.tabletop.cross is not None:
        # The loss comes first: it also holds when the seventh card is the last of its colour.
        _lose_a_colour(state, log)
        if owned >= CARDS_TO_END and not state.outcome:
            _finish(state, log, outcome(state.tabletop, "the seventh development card"))
    elif owned >= CARDS_TO_END:
        _begin_last_round(state, log, seat, "cards")


def _produce(state: State, log: list[Event], seat: int, payment: Pay) -> None:
    powers = drafted_powers(state.tabletop)
    gained, faith = given_together(state.tabletop.boards[seat], powers)
    _tell(state, log, events.Produced(seat, powers, payment, gained, faith))
    _move_faith(state, log, {seat: faith})


# Faith


def _give_to_others(state: State, log: list[Event], seat: int, count: int) -> None:
    """Faith for what a player gave up, all in one event."""
    if not count:
        return
    others = {other: count for other in range(len(state.tabletop.boards)) if other != seat}
    _move_faith(state, log, others, cross=count)


def _move_faith(state: State, log: list[Event], gains: Mapping[int, int], cross: int = 0) -> None:
    """One event: all markers move, then the reports that are due are judged on the final cells."""
    if not cross and not any(gains.values()):
        return
    tabletop = state.tabletop
    before = tuple([board.faith for board in tabletop.boards])
    cells = tuple([min(LAST_CELL, faith + gains.get(seat, 0)) for seat, faith in enumerate(before)])
    black = None if tabletop.cross is None else min(LAST_CELL, tabletop.cross + cross)
    if black == tabletop.cross and cells == before:
        return
    _tell(state, log, events.FaithMoved(cells, black))
    furthest = max(cells) if black is None else max(*cells, black)
    for number in range(tabletop.reports, len(REPORTS)):
        if furthest >= REPORTS[number].pope_space:
            kept = tuple(cell >= REPORTS[number].section for cell in cells)
            _tell(state, log, events.ReportHeld(number, kept))
    if black is None and LAST_CELL in cells:
        _begin_last_round(state, log, cells.index(LAST_CELL), "faith")
    elif black == LAST_CELL:
        _finish(state, log, outcome(state.tabletop, "Lorenzo reached the end of the faith track", lost=True))
    elif black is not None and LAST_CELL in cells:
        _finish(state, log, outcome(state.tabletop, "the end of the faith track"))


def _begin_last_round(state: State, log: list[Event], seat: int, reason: Literal["cards", "faith"]) -> None:
    if not state.tabletop.last_round:
        _tell(state, log, events.LastRoundBegan(seat, reason))


# Lorenzo


def _shuffled_tokens(dice: Dice) -> tuple[str, ...]:
    tokens = list(TOKENS)
    dice.shuffle(tokens)
    return tuple(tokens)


def _turn_token(state: State, log: list[Event]) -> None:
    *rest, token = state.stack
    facts = TOKENS[token]
    state.stack = _shuffled_tokens(state.dice) if facts.shuffles else tuple(rest)
    removed: list[str] = []
    following: list[str | None] = []
    if facts.colour is not None:
        column = COLOURS.index(facts.colour)
        for pile in reversed(range(column, len(state.decks), len(COLOURS))):
            while state.decks[pile] and len(removed) < 2:
                removed.append(state.decks[pile][-1])
                following.append(_draw(state, pile))
    _tell(state, log, events.TokenTurned(token, tuple(removed), tuple(following)))
    _move_faith(state, log, {}, cross=facts.cross)
    if removed:
        _lose_a_colour(state, log)


def _draw(state: State, pile: int) -> str | None:
    """Take the top card off a deck; the card that lies on top then."""
    deck = state.decks[pile] = state.decks[pile][:-1]
    return deck[-1] if deck else None


def _lose_a_colour(state: State, log: list[Event]) -> None:
    for column, colour in enumerate(COLOURS):
        if not any(state.decks[column :: len(COLOURS)]):
            _finish(state, log, outcome(state.tabletop, f"no {colour} cards are left", lost=True))
            return


# The end


def _finish(state: State, log: list[Event], result: Outcome) -> None:
    state.outcome = result
    _tell(state, log, events.Finished(result))


def ask(state: State) -> None:
    """Find what is asked of whom now."""
    seats = len(state.tabletop.boards)
    state.asked = (None,) * seats if state.outcome else questions(state.tabletop, state.take_backs)


def _counted(resources: Sequence[str]) -> Stock:
    return Stock(*(resources.count(resource) for resource in Stock._fields))
