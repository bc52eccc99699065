"""The rules: the setup, the turn and its end. What gods change is asked of their hooks (see gods/god.py)."""

from functools import lru_cache

from ludoteca.core import Outcome, Refused, Seat, Setup
from ludoteca.games.santorini import events
from ludoteca.games.santorini.actions import (
    FINISH,
    PLACES_AMONG,
    Action,
    ChooseColour,
    ChooseStart,
    Finish,
    OfferGod,
    Place,
    TakeGod,
)
from ludoteca.games.santorini.data import (
    CARDS,
    CATALOGUES,
    COLOURS,
    EVERYWHERE,
    NOWHERE,
    NUMBERS,
    Catalogue,
    Phase,
)
from ludoteca.games.santorini.events import Event
from ludoteca.games.santorini.gods import GODS
from ludoteca.games.santorini.gods.ahead import as_demanded, builds_in_vain, walks_in_vain
from ludoteca.games.santorini.gods.god import DONE
from ludoteca.games.santorini.gods.powers import Powers, act, choices_of, next_seat, powers_of, tell, win
from ludoteca.games.santorini.state import Preferences, State, Turn, replaced, turn_began

# A turn that begins, with nobody asleep or held.
FRESH = Turn()

# What the house asks of every game


def start(setup: Setup) -> tuple[State, list[Event]]:
    """Seat the youngest first and let them, as the Challenger, decide."""
    order = _seating(setup)
    state = State.empty(setup.options, order)
    log: list[Event] = []
    _call(state, order[0], "gods" if CATALOGUES[setup.options.gods] else "start", log)
    return state, log


def _seating(setup: Setup) -> tuple[int, ...]:
    """The youngest player is the Challenger, the others follow by age; among equals, who registered first."""
    given = [preference or Preferences() for preference in setup.preferences]
    dates = [preference.birth_date for preference in given] or [""] * setup.seats
    return tuple(sorted(setup.order or range(setup.seats), key=lambda seat: dates[seat], reverse=True))


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """Carry out one of the choices that `seat` has, and all that follows from it."""
    if state.outcome is not None or seat != state.seat or action not in state.choices:
        raise _refusal(state, seat)
    log: list[Event] = []
    if state.phase == "play":
        powers = powers_of(state, seat)
        if type(action) is Finish:
            powers = _end_turn(state, powers, log)
        else:
            act(state, powers, action, log)
        if state.outcome is None:
            _proceed(state, powers, log)
    else:
        _set_up(state, action, log)
    return log


def _refusal(state: State, seat: Seat) -> Refused:
    if state.outcome is not None:
        return Refused("the match is over", "over")
    if seat != state.seat:
        return Refused("it is not your turn", "turn")
    return Refused("that is not possible here", "illegal")


def resume(state: State, seat: int) -> list[Event]:
    """Let a seat begin its turn on the island as it stands: for problems, studies and tests."""
    log: list[Event] = []
    state.survey()
    _proceed(state, _begin_turn(state, powers_of(state, seat), log), log)
    return log


def leave(state: State, seat: Seat) -> list[Event]:
    """A player leaves for good: the match is broken off, unless the player was out already."""
    if state.outcome is not None or state.out[seat]:
        return []
    log: list[Event] = []
    tell(state, log, events.BrokenOff(seat))
    state.outcome = Outcome((), "a player left")
    state.choices = ()
    return log


# Setup


def _call(state: State, seat: int, phase: Phase, log: list[Event]) -> None:
    """Let a seat decide in the setup."""
    tell(state, log, events.TurnBegan(seat, phase))
    state.choices = _setup_choices(state)


def _setup_choices(state: State) -> tuple[Action, ...]:
    match state.phase:
        case "gods":
            return _offers(state.options.gods, state.offered, len(state.order))
        case "god":
            return tuple(TakeGod(name) for name in state.offered if name not in state.gods)
        case "start":
            return tuple(ChooseStart(seat) for seat in state.order)
        case "colour":
            return tuple(ChooseColour(colour) for colour in COLOURS if colour not in state.colours)
        case "place":
            allowed = GODS[state.gods[state.seat]].places
            free = PLACES_AMONG[EVERYWHERE ^ state.taken]
            if allowed is None:
                return free
            return tuple([place for place in free if allowed(state, state.seat, NUMBERS[place.cell])])
    return ()


@lru_cache(maxsize=4096)
def _offers(catalogue: Catalogue, offered: tuple[str, ...], seats: int) -> tuple[OfferGod, ...]:
    """The gods that can join those already on the table."""
    return tuple(
        OfferGod(name)
        for name in CATALOGUES[catalogue]
        if seats <= CARDS[name].seats_max
        and not any(other == name or other in CARDS[name].shuns for other in offered)
    )


def _set_up(state: State, action: Action, log: list[Event]) -> None:
    """One decision of the setup, and who decides next."""
    seat = state.seat
    challenger = state.order[0]
    match action:
        case OfferGod(god=god):
            tell(state, log, events.GodOffered(seat, god))
            if len(state.offered) < len(state.order):
                state.choices = _setup_choices(state)
            else:
                _call(state, state.order[1], "god", log)
        case TakeGod(god=god):
            tell(state, log, events.GodTaken(seat, god))
            # The others choose in seating order; what is left is for the Challenger.
            if seat == challenger:
                _call(state, challenger, "start", log)
            else:
                _call(state, _next(state, seat), "god", log)
        case ChooseStart(seat=first):
            tell(state, log, events.StartChosen(first))
            _call(state, first, "colour", log)
        case ChooseColour(colour=colour):
            tell(state, log, events.ColourChosen(seat, colour))
            following = _next(state, seat)
            _call(state, following, "place" if following == state.start else "colour", log)
        case Place(cell=cell):
            second = state.workers[2 * seat] != NOWHERE
            tell(state, log, events.Placed(seat, 1 + second, cell))
            if not second:
                state.choices = _setup_choices(state)
            elif (following := _next(state, seat)) != state.start:
                _call(state, following, "place", log)
            else:
                _proceed(state, _begin_turn(state, powers_of(state, following), log), log)


def _next(state: State, seat: int) -> int:
    """The seat after this one that is still in the game."""
    return next_seat(state.order, state.out, seat)


# The turn


def _begin_turn(state: State, powers: Powers, log: list[Event]) -> Powers:
    """The powers that matter in the turn."""
    turn_began(state, powers.began)
    log.append(powers.began)
    state.turn = FRESH
    if powers.lulls or powers.holds:
        asleep = held = 0
        for lulls, owner in powers.lulls:
            asleep |= lulls(state, owner)
        for holds, owner in powers.holds:
            held |= holds(state, owner)
        state.turn = Turn(asleep=asleep, held=held)
    if powers.own.begins is not None:
        tell(state, log, powers.own.begins(state))
    return powers


def _proceed(state: State, powers: Powers, log: list[Event]) -> None:
    """Ask what may come next; end the turn where nothing can, and the game of who cannot do
    what must be done."""
    while state.outcome is None:
        step = powers.own.steps(state)
        choices = choices_of(state, powers, step) if step is not DONE else ()
        in_vain = False
        if choices and step.movers:
            if state.turn.moves:
                in_vain = walks_in_vain(state, powers, choices[-1])
            elif builds_in_vain(state, powers, choices):
                choices = ()
        if choices and not in_vain:
            if powers.demands:
                choices = as_demanded(state, powers, choices)
            state.choices = (*choices, FINISH) if step.end else choices
            return
        if step.end:
            powers = _end_turn(state, powers, log)
        else:
            reason = "cannot move" if step.movers and not choices else "cannot build"
            powers = _lose(state, powers, reason, log)


def _end_turn(state: State, powers: Powers, log: list[Event]) -> Powers:
    """The powers that matter in the next turn."""
    seat, rose = state.seat, state.turn.rose
    if state.risen[seat] != rose:
        state.risen = replaced(state.risen, seat, rose)
    return _begin_turn(state, powers.everybody[powers.following], log)


def _lose(state: State, powers: Powers, reason: str, log: list[Event]) -> Powers:
    """The loser's workers leave the island and the loser's god has no more say; the last one left wins."""
    seat = state.seat
    following = _next(state, seat)
    tell(state, log, events.Lost(seat, reason))
    if state.out.count(False) == 1:
        win(state, following, "nobody else could go on", log)
        return powers
    return _begin_turn(state, powers_of(state, following), log)
