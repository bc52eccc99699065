"""What a player or spectator of Eriantys may know: everything but the order of the bag.

So there is one view for all. Students are counted in tuples of five, in the order of `data.COLOURS`; islands
and clouds are counted from 0.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, assert_never

import msgspec
from msgspec.structs import replace

from ludoteca.core import Dice, Seat
from ludoteca.games.eriantys.data import CHARACTERS, COLOUR_INDEX, COLOURS, Colour, Mode, Phase, Tower
from ludoteca.games.eriantys.events import (
    AssistantPlayed,
    BrokenOff,
    CardRefilled,
    CardSwapped,
    CharacterBought,
    CharacterDone,
    CloudsFilled,
    CloudTaken,
    CoinEarned,
    ColourReturned,
    ColourSilenced,
    DiningSwapped,
    Event,
    GameEnded,
    InfluenceCounted,
    IslandConquered,
    IslandsJoined,
    LastRoundAnnounced,
    MotherNatureWalked,
    NoEntryLifted,
    NoEntryPlaced,
    OrderFixed,
    ProfessorTaken,
    RoundBegan,
    Students,
    StudentSeated,
    StudentSent,
    TurnBegan,
)
from ludoteca.games.eriantys.state import State

NOBODY: Students = (0, 0, 0, 0, 0)
HERBALIST = 5


class Player(msgspec.Struct, frozen=True):
    """A player's school. `towers` are at home, with the team's if there are teams; `hand` is in order."""

    tower: Tower
    towers: int
    coins: int
    hand: tuple[int, ...]
    assistant: int | None
    entrance: Students
    dining: Students


class Island(msgspec.Struct, frozen=True):
    """A group of one or more islands; its tiles are numbered clockwise and never change their place."""

    tiles: tuple[int, ...]
    students: Students
    tower: Tower | None
    no_entry: int


class CharacterCard(msgspec.Struct, frozen=True):
    """A character in play, with its present price; `students` or `no_entry` are None where it holds none."""

    character: int
    price: int
    coin: bool
    students: Students | None
    no_entry: int | None


class Active(msgspec.Struct, frozen=True):
    """The character of this turn: the pairs swapped, the colour named, and whether it waits for a choice."""

    character: int
    seat: Seat
    swaps: int
    colour: Colour | None
    choosing: bool


class View(msgspec.Struct, frozen=True):
    """The whole table. `moved` and `walked` tell how far the turn of `current` is."""

    mode: Mode
    round: int
    phase: Phase
    first: Seat
    current: Seat
    order: tuple[Seat, ...]
    moved: int
    walked: bool
    last_round: bool
    clouds_short: bool
    mother_nature: int
    islands: tuple[Island, ...]
    clouds: tuple[Students, ...]
    professors: tuple[Seat | None, ...]
    players: tuple[Player, ...]
    bag: Students
    supply: int
    characters: tuple[CharacterCard, ...]
    active: Active | None


def view(state: State, _seat: Seat | None) -> View:
    """What anybody may know."""
    teams = state.teams
    colours = state.tower_colours
    return View(
        mode=state.mode,
        round=state.round,
        phase=state.phase,
        first=state.first,
        current=state.seat,
        order=state.order,
        moved=state.moved,
        walked=state.walked,
        last_round=state.last_round,
        clouds_short=state.clouds_short,
        mother_nature=state.mother_nature,
        islands=tuple(
            Island(
                group.tiles,
                _students(group.students),
                None if group.tower is None else colours[group.tower],
                group.no_entry,
            )
            for group in state.groups
        ),
        clouds=tuple(_students(cloud) for cloud in state.clouds),
        professors=tuple(state.professors),
        players=tuple(
            Player(
                colours[seat % teams],
                state.towers[seat % teams],
                school.coins,
                tuple(school.hand),
                school.assistant or None,
                _students(school.entrance),
                _students(school.dining),
            )
            for seat, school in enumerate(state.schools)
        ),
        bag=_students(state.bag),
        supply=state.supply,
        characters=tuple(
            CharacterCard(
                card.character,
                card.price,
                card.bought,
                _students(card.students) if CHARACTERS[card.character].students else None,
                card.no_entry if CHARACTERS[card.character].no_entry else None,
            )
            for card in state.cards
        ),
        active=_active(state),
    )


def _active(state: State) -> Active | None:
    if not state.character:
        return None
    colour = None if state.silenced is None else COLOURS[state.silenced]
    return Active(state.character, state.seat, state.swaps, colour, state.choosing)


def _students(counts: Sequence[int]) -> Students:
    green, red, yellow, pink, blue = counts
    return (green, red, yellow, pink, blue)


def redeal(state: State, _seat: Seat | None, dice: Dice) -> State:
    """The same table with other luck to come."""
    other = state.clone()
    other.dice = dice.fork()
    return other


def update(view: View, event: Event) -> View:
    """The view after an event."""
    match event:
        case StudentSent():
            view = _taken(view, event.seat, event.colour, event.origin == "card")
            return _island(view, event.island, event.colour)
        case StudentSeated():
            view = _taken(view, event.seat, event.colour, event.origin == "card")
            dining = _add(view.players[event.seat].dining, event.colour)
            return _player(view, event.seat, dining=dining)
        case CoinEarned():
            coins = view.players[event.seat].coins + 1
            return replace(_player(view, event.seat, coins=coins), supply=view.supply - 1)
        case ProfessorTaken():
            return replace(view, professors=_put(view.professors, COLOUR_INDEX[event.colour], event.seat))
        case MotherNatureWalked():
            return replace(view, mother_nature=event.island, walked=True)
        case IslandConquered():
            return _conquered(view, event)
        case IslandsJoined():
            return _joined(view, event)
        case CloudTaken():
            return _cloud_taken(view, event)
        case RoundBegan() | CloudsFilled() | AssistantPlayed() | OrderFixed() | TurnBegan():
            return _round_update(view, event)
        case LastRoundAnnounced():
            return replace(view, last_round=True)
        case GameEnded() | BrokenOff():
            return replace(view, phase="ended")
        case InfluenceCounted():
            return view
        case _:
            return _character_update(view, event)


def _round_update(
    view: View, event: RoundBegan | CloudsFilled | AssistantPlayed | OrderFixed | TurnBegan
) -> View:
    match event:
        case RoundBegan(number, first):
            seats = len(view.players)
            order = tuple(Seat((first + place) % seats) for place in range(seats))
            players = tuple(replace(player, assistant=None) for player in view.players)
            return replace(view, round=number, first=first, phase="planning", order=order, players=players)
        case CloudsFilled(clouds, short):
            drawn = [sum(counts) for counts in zip(*clouds, strict=True)]
            bag = _students([had - gone for had, gone in zip(view.bag, drawn, strict=True)])
            return replace(view, clouds=clouds, clouds_short=short, bag=bag)
        case AssistantPlayed(seat, value):
            hand = tuple(held for held in view.players[seat].hand if held != value)
            return _player(view, seat, hand=hand, assistant=value)
        case OrderFixed(order):
            return replace(view, phase="action", order=order)
        case TurnBegan(seat):
            return replace(view, current=seat, moved=0, walked=False, active=None)
    assert_never(event)


def _character_update(
    view: View,
    event: CharacterBought
    | CharacterDone
    | CardRefilled
    | NoEntryLifted
    | NoEntryPlaced
    | CardSwapped
    | DiningSwapped
    | ColourSilenced
    | ColourReturned,
) -> View:
    match event:
        case CharacterBought():
            return _bought(view, event)
        case CharacterDone():
            return _active_now(view, choosing=False)
        case CardRefilled(character, colour):
            return _card(replace(view, bag=_add(view.bag, colour, -1)), character, colour=colour)
        case NoEntryPlaced(_, island):
            return _card(_island(view, island, no_entry=1), HERBALIST, no_entry=-1)
        case NoEntryLifted(island):
            return _card(_island(view, island, no_entry=-1), HERBALIST, no_entry=1)
        case CardSwapped(seat, taken, given):
            assert view.active
            character = view.active.character
            entrance = _add(_add(view.players[seat].entrance, taken), given, -1)
            view = _card(_card(view, character, colour=taken, count=-1), character, colour=given)
            return _swapped(_player(view, seat, entrance=entrance))
        case DiningSwapped(seat, seated, taken):
            school = view.players[seat]
            entrance = _add(_add(school.entrance, seated, -1), taken)
            dining = _add(_add(school.dining, taken, -1), seated)
            return _swapped(_player(view, seat, entrance=entrance, dining=dining))
        case ColourSilenced(_, colour):
            return _active_now(view, colour=colour)
        case ColourReturned(_, colour, returned):
            players = tuple(
                replace(player, dining=_add(player.dining, colour, -count))
                for player, count in zip(view.players, returned, strict=True)
            )
            return replace(view, players=players, bag=_add(view.bag, colour, sum(returned)))
    assert_never(event)


def _bought(view: View, event: CharacterBought) -> View:
    coins = view.players[event.seat].coins - event.price
    supply = view.supply + event.price
    characters = view.characters
    for place, card in enumerate(characters):
        if card.character == event.character and not card.coin:
            # The first buyer's coin stays on the card, which is dearer from now on.
            characters = _put(characters, place, replace(card, coin=True, price=card.price + 1))
            supply -= 1
    active = Active(event.character, event.seat, 0, None, event.choosing)
    return replace(
        _player(view, event.seat, coins=coins), supply=supply, characters=characters, active=active
    )


def _conquered(view: View, event: IslandConquered) -> View:
    change = {event.tower: -event.built}
    if event.former is not None:
        change[event.former] = event.returned
    players = tuple(
        replace(player, towers=player.towers + change.get(player.tower, 0)) for player in view.players
    )
    island = replace(view.islands[event.island], tower=event.tower)
    return replace(view, players=players, islands=_put(view.islands, event.island, island))


def _joined(view: View, event: IslandsJoined) -> View:
    one, other = view.islands[event.first], view.islands[event.second]
    kept, gone = sorted((event.first, event.second))
    joined = Island(
        one.tiles + other.tiles,
        _students([a + b for a, b in zip(one.students, other.students, strict=True)]),
        one.tower,
        one.no_entry + other.no_entry,
    )
    islands = _put(view.islands, kept, joined)
    mother_nature = kept if view.mother_nature == gone else view.mother_nature - (view.mother_nature > gone)
    return replace(view, islands=islands[:gone] + islands[gone + 1 :], mother_nature=mother_nature)


def _cloud_taken(view: View, event: CloudTaken) -> View:
    entrance = view.players[event.seat].entrance
    cloud = view.clouds[event.cloud]
    entrance = _students([had + got for had, got in zip(entrance, cloud, strict=True)])
    return replace(
        _player(view, event.seat, entrance=entrance), clouds=_put(view.clouds, event.cloud, NOBODY)
    )


# The smallest changes

_T = TypeVar("_T")


def _put(items: tuple[_T, ...], place: int, item: _T) -> tuple[_T, ...]:
    return (*items[:place], item, *items[place + 1 :])


def _add(students: Students, colour: Colour, count: int = 1) -> Students:
    place = COLOUR_INDEX[colour]
    return _students(_put(students, place, students[place] + count))


def _player(view: View, seat: Seat, **changes: Any) -> View:
    return replace(view, players=_put(view.players, seat, replace(view.players[seat], **changes)))


def _island(view: View, place: int, colour: Colour | None = None, no_entry: int = 0) -> View:
    island = view.islands[place]
    students = _add(island.students, colour) if colour else island.students
    island = replace(island, students=students, no_entry=island.no_entry + no_entry)
    return replace(view, islands=_put(view.islands, place, island))


def _card(
    view: View, character: int, colour: Colour | None = None, count: int = 1, no_entry: int = 0
) -> View:
    characters = view.characters
    for place, card in enumerate(characters):
        if card.character == character:
            if colour and card.students is not None:
                card = replace(card, students=_add(card.students, colour, count))
            if card.no_entry is not None:
                card = replace(card, no_entry=card.no_entry + no_entry)
            characters = _put(characters, place, card)
    return replace(view, characters=characters)


def _taken(view: View, seat: Seat, colour: Colour, from_card: bool) -> View:
    """A student left the card of the character in force, or the entrance, which counts as one
    of the turn's moves."""
    if from_card:
        assert view.active
        return _card(view, view.active.character, colour=colour, count=-1)
    entrance = _add(view.players[seat].entrance, colour, -1)
    return replace(_player(view, seat, entrance=entrance), moved=view.moved + 1)


def _active_now(view: View, **changes: Any) -> View:
    assert view.active
    return replace(view, active=replace(view.active, **changes))


def _swapped(view: View) -> View:
    assert view.active
    return _active_now(view, swaps=view.active.swaps + 1)
