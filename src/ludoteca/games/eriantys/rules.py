"""The rules of Eriantys: setting up, planning, the action turn with its three steps,
and buying characters."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from ludoteca.core import Dice, Outcome, Refused, Seat, Setup
from ludoteca.games.eriantys.actions import (
    Action,
    BuyCharacter,
    EndTurn,
    MoveToDining,
    MoveToIsland,
    PlayAssistant,
    TakeCloud,
    Walk,
)
from ludoteca.games.eriantys.characters import IN_FORCE, Board, has_room
from ludoteca.games.eriantys.data import (
    ASSISTANTS,
    CHARACTERS,
    CHARACTERS_IN_PLAY,
    COINS,
    COLOUR_INDEX,
    COLOURS,
    ISLAND_STUDENTS_PER_COLOUR,
    ISLANDS,
    NUMBERS,
    STEPS,
    STUDENTS_PER_COLOUR,
    TOWERS,
    Mode,
    Tower,
)
from ludoteca.games.eriantys.events import (
    AssistantPlayed,
    BrokenOff,
    CharacterBought,
    CharacterDone,
    CloudsFilled,
    CloudTaken,
    Event,
    MotherNatureWalked,
    OrderFixed,
    RoundBegan,
    StudentSeated,
    StudentSent,
    TurnBegan,
)
from ludoteca.games.eriantys.state import Card, Group, School, State


class Options(msgspec.Struct, frozen=True):
    """What a table of Eriantys agrees on."""

    mode: Annotated[
        Mode, msgspec.Meta(description="Basic, or Expert with coins and three of the twelve characters")
    ] = "Expert"


class Preferences(msgspec.Struct, frozen=True):
    """What a player of Eriantys may wish for."""

    tower: Annotated[
        Tower | None, msgspec.Meta(description="the colour of your towers; none means any that is left")
    ] = None


def agree(preferences: Sequence[Preferences | None]) -> None:
    """Opponents have different towers, partners the same, and gray ones are for three players."""
    teams = NUMBERS[len(preferences)].teams
    wishes: dict[str, int] = {}
    for seat, preference in enumerate(preferences):
        tower = preference.tower if preference else None
        if tower is None:
            continue
        if tower not in TOWERS[:teams]:
            raise Refused(f"there are no {tower} towers with {len(preferences)} players", "tower")
        if wishes.setdefault(tower, seat % teams) != seat % teams:
            raise Refused(f"the {tower} towers are taken", "taken")
    if len(set(wishes.values())) < len(wishes):
        raise Refused("partners have towers of the same colour", "taken")


def start(setup: Setup) -> tuple[State, list[Event]]:
    """Lay out the board, draw what is drawn at the start and begin the first round."""
    numbers = NUMBERS[setup.seats]
    dice = Dice(setup.seed)
    mother_nature = dice.below(ISLANDS)
    expert = setup.options.mode == "Expert"
    state = State(
        dice=dice,
        mode=setup.options.mode,
        tower_colours=_tower_colours(setup, numbers.teams),
        towers=[numbers.towers] * numbers.teams,
        schools=[School(list(ASSISTANTS), [0] * 5, [0] * 5, coins=int(expert)) for _ in range(setup.seats)],
        groups=[Group((tile,), [0] * 5) for tile in range(ISLANDS)],
        mother_nature=mother_nature,
        clouds=[[0] * 5 for _ in range(setup.seats)],
        bag=[STUDENTS_PER_COLOUR - ISLAND_STUDENTS_PER_COLOUR] * 5,
        professors=[None] * 5,
        first=Seat(0),
        order=(),
        supply=COINS - setup.seats if expert else 0,
    )
    students = [colour for colour in range(5) for _ in range(ISLAND_STUDENTS_PER_COLOUR)]
    dice.shuffle(students)
    for island, group in enumerate(state.groups):
        if island not in (mother_nature, (mother_nature + ISLANDS // 2) % ISLANDS):
            group.students[students.pop()] += 1
    board = Board(state, IN_FORCE[0])
    for school in state.schools:
        _draw_into(board, school.entrance, numbers.entrance)
    if expert:
        for number in sorted(dice.sample(list(CHARACTERS), CHARACTERS_IN_PLAY)):
            facts = CHARACTERS[number]
            card = Card(number, facts.price, [0] * 5, facts.no_entry)
            _draw_into(board, card.students, facts.students)
            state.cards.append(card)
    state.first = Seat(dice.below(setup.seats))
    _begin_round(board)
    ask(state)
    return state, board.events


def _tower_colours(setup: Setup, teams: int) -> tuple[Tower, ...]:
    """By team: the colour one of its players wished for, else the first that nobody else has."""
    wishes: dict[int, Tower] = {}
    for seat, preference in enumerate(setup.preferences):
        if preference is not None and preference.tower is not None:
            wishes.setdefault(seat % teams, preference.tower)
    left = [tower for tower in TOWERS[:teams] if tower not in wishes.values()]
    return tuple(wishes[team] if team in wishes else left.pop(0) for team in range(teams))


def _draw_into(board: Board, students: list[int], count: int) -> bool:
    """Draw so many students, or as many as there are; tells whether there were enough."""
    for _ in range(count):
        colour = board.draw()
        if colour is None:
            return False
        students[colour] += 1
    return True


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """Carry out what the player in turn chose, and work out the next question."""
    if state.outcome is not None:
        raise Refused("the match is over", "over")
    if seat != state.seat:
        raise Refused("it is not your turn", "turn")
    if action not in state.choices:
        raise Refused(_objection(state, action))
    board = Board(state, IN_FORCE[state.character])
    match action:
        case MoveToIsland() | MoveToDining():
            _move_student(board, action)
        case Walk():
            _walk(board, action.steps)
        case TakeCloud():
            _take_cloud(board, action.cloud)
        case PlayAssistant():
            _play_assistant(board, action.value)
        case BuyCharacter():
            _buy(board, _card(state, action.character))
        case EndTurn():
            _end_turn(board)
        case _:
            _use_character(board, action)
    ask(state)
    return board.events


def leave(state: State, seat: Seat) -> list[Event]:
    """A player who is gone for good takes the match along: the game knows no play with an empty chair."""
    if state.outcome is not None:
        return []
    state.phase = "ended"
    state.outcome = Outcome((), "a player left")
    ask(state)
    return [BrokenOff(seat)]


# Planning


def _begin_round(board: Board) -> None:
    state = board.state
    state.round += 1
    state.phase = "planning"
    seats = len(state.schools)
    state.order = tuple(Seat((state.first + place) % seats) for place in range(seats))
    for school in state.schools:
        school.assistant = 0
    board.events.append(RoundBegan(state.round, state.first))
    fill_clouds(board)
    _begin_turn(board, 0)


def fill_clouds(board: Board) -> None:
    """Draw students for every cloud, in order.

    If the bag cannot fill them all, nobody chooses one this round.
    """
    state = board.state
    count = NUMBERS[len(state.schools)].cloud_students
    filled = [_draw_into(board, cloud, count) for cloud in state.clouds]
    state.clouds_short = not all(filled)
    clouds = tuple((green, red, yellow, pink, blue) for green, red, yellow, pink, blue in state.clouds)
    board.events.append(CloudsFilled(clouds, state.clouds_short))
    board.check_bag()


def _play_assistant(board: Board, value: int) -> None:
    state = board.state
    school = state.schools[state.seat]
    school.hand.remove(value)
    school.assistant = value
    board.events.append(AssistantPlayed(state.seat, value))
    if not school.hand:
        board.announce_last_round("assistants")
    if state.turn + 1 < len(state.order):
        _begin_turn(board, state.turn + 1)
        return
    # Sorting is stable: between equal values whoever played earlier goes first.
    state.order = tuple(sorted(state.order, key=lambda seat: state.schools[seat].assistant))
    state.phase = "action"
    board.events.append(OrderFixed(state.order))
    _begin_turn(board, 0)


def _playable(state: State) -> list[int]:
    """The assistants that may be played: no value already on the table, unless there is nothing else."""
    hand = state.schools[state.seat].hand
    played = [school.assistant for school in state.schools]
    return [value for value in hand if value not in played] or hand


# The action turn


def _begin_turn(board: Board, turn: int) -> None:
    state = board.state
    state.turn = turn
    state.moved = 0
    state.walked = False
    state.character = 0
    state.swaps = 0
    state.silenced = None
    board.events.append(TurnBegan(state.seat))


def _move_student(board: Board, action: MoveToIsland | MoveToDining) -> None:
    state = board.state
    seat = state.seat
    colour = COLOUR_INDEX[action.colour]
    state.schools[seat].entrance[colour] -= 1
    state.moved += 1
    if isinstance(action, MoveToIsland):
        state.groups[action.island].students[colour] += 1
        board.events.append(StudentSent(seat, action.colour, action.island, "entrance"))
    else:
        board.events.append(StudentSeated(seat, action.colour, "entrance"))
        board.seat_student(seat, colour)


def _walk(board: Board, steps: int) -> None:
    state = board.state
    state.mother_nature = (state.mother_nature + steps) % len(state.groups)
    state.walked = True
    board.events.append(MotherNatureWalked(state.seat, steps, state.mother_nature))
    board.resolve(state.mother_nature)


def _take_cloud(board: Board, cloud: int) -> None:
    state = board.state
    entrance = state.schools[state.seat].entrance
    for colour, count in enumerate(state.clouds[cloud]):
        entrance[colour] += count
    state.clouds[cloud] = [0] * 5
    board.events.append(CloudTaken(state.seat, cloud))
    _end_turn(board)


def _end_turn(board: Board) -> None:
    state = board.state
    if state.turn + 1 < len(state.order):
        _begin_turn(board, state.turn + 1)
    elif state.last_round:
        board.end("the last round is over")
    else:
        state.first = state.order[0]
        _begin_round(board)


# Characters


def _buy(board: Board, card: Card) -> None:
    state = board.state
    price = card.price
    state.schools[state.seat].coins -= price
    state.supply += price
    if not card.bought:
        # One of the coins stays on the card and makes it dearer, once.
        card.bought = True
        card.price += 1
        state.supply -= 1
    state.character = card.character
    board.character = IN_FORCE[card.character]
    state.choosing = bool(board.character.choices(state, card))
    board.events.append(CharacterBought(state.seat, card.character, price, state.choosing))
    board.character.bought(board)


def _use_character(board: Board, action: Action) -> None:
    state = board.state
    done = board.character.use(board, _card(state, state.character), action)
    if done and state.outcome is None:
        state.choosing = False
        board.events.append(CharacterDone(state.seat, state.character))


def _card(state: State, character: int) -> Card:
    return next(card for card in state.cards if card.character == character)


def _unaffordable(state: State, card: Card) -> str:
    """Why the player in turn may not buy this card now; "" if nothing is wrong."""
    if state.character:
        return "you have used a character this turn"
    if state.schools[state.seat].coins < card.price:
        return f"it costs {card.price} and you have {state.schools[state.seat].coins}"
    return IN_FORCE[card.character].objection(state, card)


# Questions

# The records that are offered again and again, made once.
_PLAY = {value: PlayAssistant(value) for value in ASSISTANTS}
_WALK = tuple(Walk(steps) for steps in range(1, max(STEPS) + 3))
_TAKE = tuple(TakeCloud(cloud) for cloud in range(max(NUMBERS)))
_SEAT = tuple(MoveToDining(colour) for colour in COLOURS)
_BUY = {character: BuyCharacter(character) for character in CHARACTERS}
_END_TURN = EndTurn()
# By number of groups and colour.
_SEND = tuple(
    tuple(tuple(MoveToIsland(colour, island) for island in range(groups)) for colour in COLOURS)
    for groups in range(ISLANDS + 1)
)


def ask(state: State) -> None:
    """Work out what the player in turn is asked, with every legal answer."""
    options: list[Action]
    if state.outcome is not None:
        state.kind, state.choices = "", ()
        return
    if state.phase == "planning":
        state.kind, options = "assistant", [_PLAY[value] for value in _playable(state)]
    elif state.choosing:
        state.kind = CHARACTERS[state.character].name.lower()
        options = list(IN_FORCE[state.character].choices(state, _card(state, state.character)))
    else:
        state.kind, options = _turn_question(state)
        if not state.character:
            options += [_BUY[card.character] for card in state.cards if not _unaffordable(state, card)]
    state.choices = tuple(options)


def _turn_question(state: State) -> tuple[str, list[Action]]:
    school = state.schools[state.seat]
    if state.moved < NUMBERS[len(state.schools)].moves:
        options: list[Action] = []
        send = _SEND[len(state.groups)]
        for colour, count in enumerate(school.entrance):
            if count:
                options += send[colour]
                if has_room(school.dining, colour):
                    options.append(_SEAT[colour])
        return "student", options
    if not state.walked:
        steps = STEPS[school.assistant] + IN_FORCE[state.character].extra_steps
        return "mother nature", [*_WALK[:steps]]
    if state.clouds_short:
        return "end", [_END_TURN]
    return "cloud", [_TAKE[cloud] for cloud, students in enumerate(state.clouds) if any(students)]


def _objection(state: State, action: Action) -> str:
    """Why an action is not among the options, for people."""
    if isinstance(action, BuyCharacter) and state.phase == "action" and not state.choosing:
        for card in state.cards:
            if card.character == action.character:
                return f"{CHARACTERS[card.character].name}: {_unaffordable(state, card)}"
        return f"character {action.character} is not in this game"
    if type(action) not in {type(option) for option in state.choices}:
        return f"that is not asked now, but: {state.kind}"
    match action:
        case PlayAssistant():
            held = action.value in state.schools[state.seat].hand
            return f"{action.value} is already on the table" if held else f"you do not have {action.value}"
        case MoveToDining() | MoveToIsland():
            if not state.schools[state.seat].entrance[COLOUR_INDEX[action.colour]]:
                return f"there is no {action.colour} student in your entrance"
            if isinstance(action, MoveToDining):
                return f"the {action.colour} table is full"
            return f"islands are numbered 0 to {len(state.groups) - 1}"
        case Walk():
            return f"mother nature walks 1 to {len(state.choices)} steps"
        case TakeCloud():
            return "there are no students on that cloud"
    return "that is not possible"
