"""The rules of Eriantys: setting up, planning, the action turn with its three steps,
and buying characters."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import msgspec

from ludoteca.core import Choices, Dice, Outcome, Refused, Seat, Setup
from ludoteca.games.eriantys import events
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
from ludoteca.games.eriantys.characters import IN_FORCE, Board, poured
from ludoteca.games.eriantys.data import (
    ASSISTANTS,
    CHARACTERS,
    CHARACTERS_IN_PLAY,
    COINS,
    COLOUR_INDEX,
    COLOURS,
    DINING_SEATS,
    ISLAND_STUDENTS_PER_COLOUR,
    ISLANDS,
    NUMBERS,
    STEPS,
    STUDENTS_PER_COLOUR,
    TOWERS,
    Mode,
    Tower,
)
from ludoteca.games.eriantys.events import Event, Students
from ludoteca.games.eriantys.state import NOBODY, CharacterCard, Island, Player, State, Tabletop, counted


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
    students = [colour for colour in range(len(COLOURS)) for _ in range(ISLAND_STUDENTS_PER_COLOUR)]
    dice.shuffle(students)
    islands = []
    for tile in range(ISLANDS):
        lying = [0] * len(COLOURS)
        if tile not in (mother_nature, (mother_nature + ISLANDS // 2) % ISLANDS):
            lying[students.pop()] = 1
        islands.append(Island((tile,), counted(lying), None, 0))
    bag = poured((STUDENTS_PER_COLOUR - ISLAND_STUDENTS_PER_COLOUR,) * 5)
    towers = _tower_colours(setup, numbers.teams)
    players = tuple(
        Player(
            tower=towers[seat % numbers.teams],
            towers=numbers.towers,
            coins=int(expert),
            hand=ASSISTANTS,
            assistant=None,
            entrance=_drawn(bag, dice, numbers.entrance),
            dining=NOBODY,
        )
        for seat in range(setup.seats)
    )
    characters = sorted(dice.sample(list(CHARACTERS), CHARACTERS_IN_PLAY)) if expert else []
    cards = tuple(_laid_out(character, bag, dice) for character in characters)
    first = Seat(dice.below(setup.seats))
    tabletop = Tabletop(
        mode=setup.options.mode,
        round=0,
        phase="planning",
        first=first,
        current=first,
        order=(),
        moved=0,
        walked=False,
        last_round=False,
        clouds_short=False,
        mother_nature=mother_nature,
        islands=tuple(islands),
        clouds=(NOBODY,) * setup.seats,
        professors=(None,) * len(COLOURS),
        players=players,
        bag=counted(map(bag.count, range(len(COLOURS)))),
        supply=COINS - setup.seats if expert else 0,
        characters=cards,
        active=None,
    )
    board = Board(State(tabletop, dice), IN_FORCE[0])
    _begin_round(board, first)
    ask(board.state)
    return board.state, board.events


def _tower_colours(setup: Setup, teams: int) -> tuple[Tower, ...]:
    """By team: the colour one of its players wished for, else the first that nobody else has."""
    wishes: dict[int, Tower] = {}
    for seat, preference in enumerate(setup.preferences):
        if preference is not None and preference.tower is not None:
            wishes.setdefault(seat % teams, preference.tower)
    left = [tower for tower in TOWERS[:teams] if tower not in wishes.values()]
    return tuple(wishes[team] if team in wishes else left.pop(0) for team in range(teams))


def _laid_out(character: int, bag: bytearray, dice: Dice) -> CharacterCard:
    facts = CHARACTERS[character]
    students = _drawn(bag, dice, facts.students) if facts.students else None
    return CharacterCard(character, facts.price, False, students, facts.no_entry or None)


def _drawn(bag: bytearray, dice: Dice, count: int) -> Students:
    """So many students out of a bag, or as many as there are."""
    counts = [0] * len(COLOURS)
    left = len(bag)
    for throw in dice.throws(min(count, left)):
        counts[bag.pop(throw * left >> 64)] += 1
        left -= 1
    return counted(counts)


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """Carry out what the player in turn chose, and work out the next question."""
    if state.outcome is not None:
        raise Refused("the match is over", "over")
    tabletop = state.tabletop
    if seat != tabletop.current:
        raise Refused("it is not your turn", "turn")
    if action not in state.choices:
        raise Refused(_objection(state, action))
    active = tabletop.active
    board = Board(state, IN_FORCE[active.character if active else 0])
    if type(action) is MoveToIsland:
        board.tell(events.StudentSent(seat, action.colour, action.island, "entrance"))
    elif type(action) is MoveToDining:
        board.tell(events.StudentSeated(seat, action.colour, "entrance"))
        board.check_seat(seat, action.colour)
    elif type(action) is PlayAssistant:
        _play_assistant(board, seat, action.value)
    elif type(action) is Walk:
        _walk(board, seat, action.steps)
    elif type(action) is TakeCloud:
        board.tell(events.CloudTaken(seat, action.cloud))
        _end_turn(board)
    elif type(action) is BuyCharacter:
        _buy(board, seat, tabletop.card(action.character))
    elif type(action) is EndTurn:
        _end_turn(board)
    else:
        _use_character(board, seat, action)
    ask(state)
    return board.events


def leave(state: State, seat: Seat) -> list[Event]:
    """A player who is gone for good takes the match along: the game knows no play with an empty chair."""
    if state.outcome is not None:
        return []
    state.outcome = Outcome((), "a player left")
    board = Board(state, IN_FORCE[0])
    board.tell(events.BrokenOff(seat))
    ask(state)
    return board.events


# Planning


def _begin_round(board: Board, first: Seat) -> None:
    board.tell(events.RoundBegan(board.state.tabletop.round + 1, first))
    fill_clouds(board)
    board.tell(events.TurnBegan(first))


def fill_clouds(board: Board) -> None:
    """Draw students for every cloud, in order.

    If the bag cannot fill them all, nobody chooses one this round.
    """
    seats = len(board.state.tabletop.players)
    count = NUMBERS[seats].cloud_students
    bag = poured(board.state.tabletop.bag)
    short = len(bag) < seats * count
    clouds = tuple(_drawn(bag, board.state.dice, count) for _ in range(seats))
    board.tell(events.CloudsFilled(clouds, short))
    board.check_bag()


def _play_assistant(board: Board, seat: Seat, value: int) -> None:
    tabletop = board.tell(events.AssistantPlayed(seat, value))
    if not tabletop.players[seat].hand:
        board.announce_last_round("assistants")
    if seat != tabletop.order[-1]:
        _pass_turn(board)
        return
    # Sorting is stable: between equal values whoever played earlier goes first.
    played = [player.assistant or 0 for player in tabletop.players]
    order = tuple(sorted(tabletop.order, key=played.__getitem__))
    board.tell(events.OrderFixed(order))
    board.tell(events.TurnBegan(order[0]))


def _playable(tabletop: Tabletop) -> Sequence[int]:
    """The assistants that may be played: no value already on the table, unless there is nothing else."""
    hand = tabletop.players[tabletop.current].hand
    played = [player.assistant for player in tabletop.players if player.assistant is not None]
    return [value for value in hand if value not in played] or hand if played else hand


# The action turn


def _walk(board: Board, seat: Seat, steps: int) -> None:
    tabletop = board.state.tabletop
    island = (tabletop.mother_nature + steps) % len(tabletop.islands)
    board.tell(events.MotherNatureWalked(seat, steps, island))
    board.resolve(island)


def _end_turn(board: Board) -> None:
    tabletop = board.state.tabletop
    if tabletop.current != tabletop.order[-1]:
        _pass_turn(board)
    elif tabletop.last_round:
        board.end("the last round is over")
    else:
        _begin_round(board, tabletop.order[0])


def _pass_turn(board: Board) -> None:
    tabletop = board.state.tabletop
    order = tabletop.order
    board.tell(events.TurnBegan(order[order.index(tabletop.current) + 1]))


# Characters


def _buy(board: Board, seat: Seat, card: CharacterCard) -> None:
    board.character = IN_FORCE[card.character]
    choosing = bool(board.character.choices(board.state.tabletop, card))
    board.tell(events.CharacterBought(seat, card.character, card.price, choosing))
    board.character.bought(board)


def _use_character(board: Board, seat: Seat, action: Action) -> None:
    character = board.state.tabletop.character
    done = board.character.use(board, board.state.tabletop.card(character), action)
    if done and board.state.outcome is None:
        board.tell(events.CharacterDone(seat, character))


def _unaffordable(tabletop: Tabletop, card: CharacterCard) -> str:
    """Why the player in turn may not buy this card now; "" if nothing is wrong."""
    if tabletop.active:
        return "you have used a character this turn"
    if tabletop.player.coins < card.price:
        return f"it costs {card.price} and you have {tabletop.player.coins}"
    return IN_FORCE[card.character].objection(tabletop, card)


# Questions

# The records that are offered again and again, made once.
_PLAY = {value: PlayAssistant(value) for value in ASSISTANTS}
_WALK = tuple(Walk(steps) for steps in range(1, max(STEPS) + 3))
_TAKE = tuple(TakeCloud(cloud) for cloud in range(max(NUMBERS)))
_END_TURN = EndTurn()
_SEAT = tuple(MoveToDining(colour) for colour in COLOURS)
# By number of groups and colour.
_SEND = tuple(
    tuple(tuple(MoveToIsland(colour, island) for island in range(groups)) for colour in COLOURS)
    for groups in range(ISLANDS + 1)
)


def ask(state: State) -> None:
    """Work out what the player in turn is asked, with every legal answer."""
    tabletop = state.tabletop
    active = tabletop.active
    if state.outcome is not None:
        state.kind, state.choices = "", ()
    elif tabletop.phase == "planning":
        state.kind, state.choices = "assistant", tuple([_PLAY[value] for value in _playable(tabletop)])
    elif active and active.choosing:
        state.kind = CHARACTERS[active.character].name.lower()
        state.choices = tuple(IN_FORCE[active.character].choices(tabletop, tabletop.card(active.character)))
    else:
        state.kind, state.choices = _turn_question(tabletop)


def _turn_question(tabletop: Tabletop) -> tuple[str, tuple[Action, ...]]:
    player = tabletop.players[tabletop.current]
    # Nothing is free, and coins are rare: most of the time nobody has to look at the cards.
    buys = _affordable(tabletop, player.coins) if player.coins and not tabletop.active else ()
    if tabletop.moved < NUMBERS[len(tabletop.players)].moves:
        green, red, yellow, pink, blue = player.entrance
        colours = (green > 0, red > 0, yellow > 0, pink > 0, blue > 0)
        # A dining room without a full table is as good as an empty one, and asked about more often.
        tables = player.dining if DINING_SEATS in player.dining else NOBODY
        return "student", _student_choices(len(tabletop.islands), colours, tables, buys)
    choices: tuple[Action, ...]
    if not tabletop.walked:
        steps = STEPS[player.assistant or 0] + IN_FORCE[tabletop.character].extra_steps
        kind, choices = "mother nature", _WALK[:steps]
    elif tabletop.clouds_short:
        kind, choices = "end", (_END_TURN,)
    else:
        left = [_TAKE[cloud] for cloud, students in enumerate(tabletop.clouds) if students != NOBODY]
        kind, choices = "cloud", tuple(left)
    return kind, choices + tuple(map(BuyCharacter, buys)) if buys else choices


def _affordable(tabletop: Tabletop, coins: int) -> tuple[int, ...]:
    """The characters that the player in turn may buy, who has bought none yet."""
    return tuple(
        [
            card.character
            for card in tabletop.characters
            if card.price <= coins and not IN_FORCE[card.character].objection(tabletop, card)
        ]
    )


# The same few tuples serve all matches: an entrance has one to five colours.
@lru_cache(maxsize=2048)
def _student_choices(
    groups: int, colours: tuple[bool, ...], dining: Students, buys: tuple[int, ...]
) -> Choices[Action]:
    """Where a student of these colours may go, and which characters may be bought instead."""
    choices: list[Action] = []
    for place, here in enumerate(colours):
        if here:
            choices += _SEND[groups][place]
            if dining[place] < DINING_SEATS:
                choices.append(_SEAT[place])
    return Choices([*choices, *map(BuyCharacter, buys)])


def _objection(state: State, action: Action) -> str:
    """Why an action is not among the choices, for people."""
    tabletop = state.tabletop
    choosing = tabletop.active and tabletop.active.choosing
    if isinstance(action, BuyCharacter) and tabletop.phase == "action" and not choosing:
        for card in tabletop.characters:
            if card.character == action.character:
                return f"{CHARACTERS[card.character].name}: {_unaffordable(tabletop, card)}"
        return f"character {action.character} is not in this game"
    if type(action) not in {type(choice) for choice in state.choices}:
        return f"that is not asked now, but: {state.kind}"
    match action:
        case PlayAssistant():
            held = action.value in tabletop.player.hand
            return f"{action.value} is already on the table" if held else f"you do not have {action.value}"
        case MoveToDining() | MoveToIsland():
            if not tabletop.player.entrance[COLOUR_INDEX[action.colour]]:
                return f"there is no {action.colour} student in your entrance"
            if isinstance(action, MoveToDining):
                return f"the {action.colour} table is full"
            return f"islands are numbered 0 to {len(tabletop.islands) - 1}"
        case Walk():
            return f"mother nature walks 1 to {len(state.choices)} steps"
        case TakeCloud():
            return "there are no students on that cloud"
    return "that is not possible"
