"""What stands on the table in a match of Eriantys, and what each event changes there.

The rules and the views follow the same events with the same function, `happen`. Only the dice are hidden, so
everybody looks at the true tabletop. Students are counted in tuples of five, in the order of `data.COLOURS`;
islands and clouds are counted from 0.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

import msgspec
from msgspec.structs import replace

from ludoteca.core import Dice, Outcome, Question, Seat
from ludoteca.games.eriantys import events
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.data import COLOUR_INDEX, HERBALIST, NUMBERS, Colour, Mode, Phase, Tower
from ludoteca.games.eriantys.events import Students

NOBODY: Students = (0, 0, 0, 0, 0)
_TEAMS = {seats: numbers.teams for seats, numbers in NUMBERS.items()}


class Player(msgspec.Struct, frozen=True, gc=False):
    """A player's school. `towers` are at home, with the team's if there are teams; `hand` is in order."""

    tower: Tower
    towers: int
    coins: int
    hand: tuple[int, ...]
    assistant: int | None
    entrance: Students
    dining: Students


class Island(msgspec.Struct, frozen=True, gc=False):
    """A group of one or more islands; its tiles are numbered clockwise and never change their place."""

    tiles: tuple[int, ...]
    students: Students
    tower: Tower | None
    no_entry: int


class CharacterCard(msgspec.Struct, frozen=True, gc=False):
    """A character in play, with its present price; `students` or `no_entry` are None where it holds none."""

    character: int
    price: int
    coin: bool
    students: Students | None
    no_entry: int | None

    @property
    def held(self) -> Students:
        """The students on the card."""
        return self.students or NOBODY


class Active(msgspec.Struct, frozen=True, gc=False):
    """The character of this turn: the pairs swapped, the colour named, and whether it waits for a choice."""

    character: int
    seat: Seat
    swaps: int
    colour: Colour | None
    choosing: bool


class Tabletop(msgspec.Struct, frozen=True, gc=False):
    """The whole table. `moved` and `walked` tell how far the turn of `current` is.

    Seats of one team are congruent modulo the number of teams: white, black, white, black.
    """

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

    @property
    def teams(self) -> int:
        """How many teams play; with two or three players everybody is a team."""
        return _TEAMS[len(self.players)]

    @property
    def player(self) -> Player:
        """Whose turn it is."""
        return self.players[self.current]

    @property
    def character(self) -> int:
        """The character bought in this turn; 0 while there is none."""
        return self.active.character if self.active else 0

    @property
    def swaps(self) -> int:
        """The pairs that this character has swapped."""
        return self.active.swaps if self.active else 0

    def team(self, tower: Tower) -> int:
        """The team whose towers have this colour."""
        for seat, player in enumerate(self.players):
            if player.tower == tower:
                return seat
        raise ValueError(f"nobody has {tower} towers")

    def card(self, character: int) -> CharacterCard:
        """A character that is in play."""
        return next(card for card in self.characters if card.character == character)


class State(msgspec.Struct):
    """A match: the tabletop, and the dice that decide what is drawn from the bag.

    `kind` and `choices` are the pending question, worked out by the rules after each action.
    """

    tabletop: Tabletop
    dice: Dice
    kind: str = ""
    choices: tuple[Action, ...] = ()
    outcome: Outcome | None = None

    @property
    def questions(self) -> Mapping[Seat, Question]:
        """What the player in turn is asked."""
        if self.outcome is not None:
            return {}
        return {self.tabletop.current: Question(self.kind, self.choices)}

    def clone(self) -> "State":
        """An independent copy: all but the dice is never changed in place."""
        return State(self.tabletop, self.dice.clone(), self.kind, self.choices, self.outcome)


def happen(tabletop: Tabletop, event: events.Event) -> Tabletop:
    """The tabletop after an event."""
    return CHANGES[type(event)](tabletop, event)


# The round


def _round_began(tabletop: Tabletop, event: events.RoundBegan) -> Tabletop:
    seats = len(tabletop.players)
    return replace(
        tabletop,
        round=event.round,
        first=event.first,
        phase="planning",
        order=tuple([Seat((event.first + place) % seats) for place in range(seats)]),
        players=tuple([replace(player, assistant=None) for player in tabletop.players]),
    )


def _clouds_filled(tabletop: Tabletop, event: events.CloudsFilled) -> Tabletop:
    bag = tabletop.bag
    for cloud in event.clouds:
        bag = _sum(bag, cloud, -1)
    return replace(tabletop, clouds=event.clouds, clouds_short=event.short, bag=bag)


def _assistant_played(tabletop: Tabletop, event: events.AssistantPlayed) -> Tabletop:
    player = tabletop.players[event.seat]
    hand = list(player.hand)
    hand.remove(event.value)
    player = replace(player, hand=tuple(hand), assistant=event.value)
    return replace(tabletop, players=_put(tabletop.players, event.seat, player))


def _order_fixed(tabletop: Tabletop, event: events.OrderFixed) -> Tabletop:
    return replace(tabletop, phase="action", order=event.order)


def _turn_began(tabletop: Tabletop, event: events.TurnBegan) -> Tabletop:
    return replace(tabletop, current=event.seat, moved=0, walked=False, active=None)


def _last_round_announced(tabletop: Tabletop, _event: events.LastRoundAnnounced) -> Tabletop:
    return replace(tabletop, last_round=True)


def _ended(tabletop: Tabletop, _event: events.GameEnded | events.BrokenOff) -> Tabletop:
    return replace(tabletop, phase="ended")


# The turn


def _student_sent(tabletop: Tabletop, event: events.StudentSent) -> Tabletop:
    colour = event.colour
    island = tabletop.islands[event.island]
    island = replace(island, students=_add(island.students, colour, 1))
    islands = _put(tabletop.islands, event.island, island)
    if event.origin == "card":
        tabletop = _on_card(tabletop, tabletop.character, colour, -1)
        return replace(tabletop, islands=islands)
    # From the entrance it is one of the turn's moves.
    player = tabletop.players[event.seat]
    player = replace(player, entrance=_add(player.entrance, colour, -1))
    players = _put(tabletop.players, event.seat, player)
    return replace(tabletop, islands=islands, players=players, moved=tabletop.moved + 1)


def _student_seated(tabletop: Tabletop, event: events.StudentSeated) -> Tabletop:
    player = tabletop.players[event.seat]
    dining = _add(player.dining, event.colour)
    if event.origin == "card":
        tabletop = _on_card(tabletop, tabletop.character, event.colour, -1)
        return _player(tabletop, event.seat, dining=dining)
    player = replace(player, dining=dining, entrance=_add(player.entrance, event.colour, -1))
    return replace(tabletop, players=_put(tabletop.players, event.seat, player), moved=tabletop.moved + 1)


def _coin_earned(tabletop: Tabletop, event: events.CoinEarned) -> Tabletop:
    coins = tabletop.players[event.seat].coins + 1
    return replace(_player(tabletop, event.seat, coins=coins), supply=tabletop.supply - 1)


def _professor_taken(tabletop: Tabletop, event: events.ProfessorTaken) -> Tabletop:
    return replace(tabletop, professors=_put(tabletop.professors, COLOUR_INDEX[event.colour], event.seat))


def _mother_nature_walked(tabletop: Tabletop, event: events.MotherNatureWalked) -> Tabletop:
    return replace(tabletop, mother_nature=event.island, walked=True)


def _influence_counted(tabletop: Tabletop, _event: events.InfluenceCounted) -> Tabletop:
    return tabletop


def _island_conquered(tabletop: Tabletop, event: events.IslandConquered) -> Tabletop:
    players = list(tabletop.players)
    for seat, player in enumerate(players):
        if player.tower == event.tower:
            players[seat] = replace(player, towers=player.towers - event.built)
        elif player.tower == event.former:
            players[seat] = replace(player, towers=player.towers + event.returned)
    return replace(_island(tabletop, event.island, tower=event.tower), players=tuple(players))


def _islands_joined(tabletop: Tabletop, event: events.IslandsJoined) -> Tabletop:
    one, other = tabletop.islands[event.first], tabletop.islands[event.second]
    kept, gone = sorted((event.first, event.second))
    joined = Island(
        one.tiles + other.tiles,
        _sum(one.students, other.students),
        one.tower,
        one.no_entry + other.no_entry,
    )
    islands = _put(tabletop.islands, kept, joined)
    place = tabletop.mother_nature
    place = kept if place == gone else place - (place > gone)
    return replace(tabletop, islands=islands[:gone] + islands[gone + 1 :], mother_nature=place)


def _cloud_taken(tabletop: Tabletop, event: events.CloudTaken) -> Tabletop:
    player = tabletop.players[event.seat]
    player = replace(player, entrance=_sum(player.entrance, tabletop.clouds[event.cloud]))
    return replace(
        tabletop,
        players=_put(tabletop.players, event.seat, player),
        clouds=_put(tabletop.clouds, event.cloud, NOBODY),
    )


# Characters


def _character_bought(tabletop: Tabletop, event: events.CharacterBought) -> Tabletop:
    supply = tabletop.supply + event.price
    card = tabletop.card(event.character)
    if not card.coin:
        # The first buyer's coin stays on the card, which is dearer from now on.
        supply -= 1
        tabletop = _card(tabletop, card, coin=True, price=card.price + 1)
    coins = tabletop.players[event.seat].coins - event.price
    active = Active(event.character, event.seat, 0, None, event.choosing)
    return replace(_player(tabletop, event.seat, coins=coins), supply=supply, active=active)


def _character_done(tabletop: Tabletop, _event: events.CharacterDone) -> Tabletop:
    return _active(tabletop, choosing=False)


def _card_refilled(tabletop: Tabletop, event: events.CardRefilled) -> Tabletop:
    bag = _add(tabletop.bag, event.colour, -1)
    return replace(_on_card(tabletop, event.character, event.colour), bag=bag)


def _no_entry_placed(tabletop: Tabletop, event: events.NoEntryPlaced) -> Tabletop:
    return _forbid(tabletop, event.island, 1)


def _no_entry_lifted(tabletop: Tabletop, event: events.NoEntryLifted) -> Tabletop:
    return _forbid(tabletop, event.island, -1)


def _forbid(tabletop: Tabletop, island: int, tiles: int) -> Tabletop:
    """So many tiles went from the Herbalist to an island."""
    card = tabletop.card(HERBALIST)
    tabletop = _card(tabletop, card, no_entry=(card.no_entry or 0) - tiles)
    return _island(tabletop, island, no_entry=tabletop.islands[island].no_entry + tiles)


def _card_swapped(tabletop: Tabletop, event: events.CardSwapped) -> Tabletop:
    entrance = _add(_add(tabletop.players[event.seat].entrance, event.taken), event.given, -1)
    tabletop = _player(_swapped(tabletop), event.seat, entrance=entrance)
    tabletop = _on_card(tabletop, tabletop.character, event.taken, -1)
    return _on_card(tabletop, tabletop.character, event.given)


def _dining_swapped(tabletop: Tabletop, event: events.DiningSwapped) -> Tabletop:
    player = tabletop.players[event.seat]
    entrance = _add(_add(player.entrance, event.seated, -1), event.taken)
    dining = _add(_add(player.dining, event.taken, -1), event.seated)
    return _player(_swapped(tabletop), event.seat, entrance=entrance, dining=dining)


def _swapped(tabletop: Tabletop) -> Tabletop:
    return _active(tabletop, swaps=tabletop.swaps + 1)


def _colour_silenced(tabletop: Tabletop, event: events.ColourSilenced) -> Tabletop:
    return _active(tabletop, colour=event.colour)


def _colour_returned(tabletop: Tabletop, event: events.ColourReturned) -> Tabletop:
    players = tuple(
        replace(player, dining=_add(player.dining, event.colour, -count))
        for player, count in zip(tabletop.players, event.returned, strict=True)
    )
    return replace(tabletop, players=players, bag=_add(tabletop.bag, event.colour, sum(event.returned)))


# The smallest changes

_T = TypeVar("_T")


def _put(items: tuple[_T, ...], place: int, item: _T) -> tuple[_T, ...]:
    changed = list(items)
    changed[place] = item
    return tuple(changed)


def counted(counts: Iterable[int]) -> Students:
    """Five numbers of students, one for each colour."""
    green, red, yellow, pink, blue = counts
    return (green, red, yellow, pink, blue)


# Written out, for all that is played is counted here.


def _sum(one: Students, other: Students, times: int = 1) -> Students:
    a, b, c, d, e = one
    v, w, x, y, z = other
    return (a + v * times, b + w * times, c + x * times, d + y * times, e + z * times)


def _add(students: Students, colour: Colour, count: int = 1) -> Students:
    green, red, yellow, pink, blue = students
    match colour:
        case "green":
            return (green + count, red, yellow, pink, blue)
        case "red":
            return (green, red + count, yellow, pink, blue)
        case "yellow":
            return (green, red, yellow + count, pink, blue)
        case "pink":
            return (green, red, yellow, pink + count, blue)
        case "blue":
            return (green, red, yellow, pink, blue + count)


def _player(tabletop: Tabletop, seat: Seat, **changes: Any) -> Tabletop:
    player = replace(tabletop.players[seat], **changes)
    return replace(tabletop, players=_put(tabletop.players, seat, player))


def _island(tabletop: Tabletop, place: int, **changes: Any) -> Tabletop:
    island = replace(tabletop.islands[place], **changes)
    return replace(tabletop, islands=_put(tabletop.islands, place, island))


def _card(tabletop: Tabletop, card: CharacterCard, **changes: Any) -> Tabletop:
    place = tabletop.characters.index(card)
    return replace(tabletop, characters=_put(tabletop.characters, place, replace(card, **changes)))


def _on_card(tabletop: Tabletop, character: int, colour: Colour, count: int = 1) -> Tabletop:
    card = tabletop.card(character)
    return _card(tabletop, card, students=_add(card.held, colour, count))


def _active(tabletop: Tabletop, **changes: Any) -> Tabletop:
    assert tabletop.active
    return replace(tabletop, active=replace(tabletop.active, **changes))


CHANGES = cast(
    "dict[type[events.Event], Callable[[Tabletop, Any], Tabletop]]",
    {
        events.RoundBegan: _round_began,
        events.CloudsFilled: _clouds_filled,
        events.AssistantPlayed: _assistant_played,
        events.OrderFixed: _order_fixed,
        events.TurnBegan: _turn_began,
        events.StudentSent: _student_sent,
        events.StudentSeated: _student_seated,
        events.CoinEarned: _coin_earned,
        events.ProfessorTaken: _professor_taken,
        events.MotherNatureWalked: _mother_nature_walked,
        events.InfluenceCounted: _influence_counted,
        events.NoEntryLifted: _no_entry_lifted,
        events.IslandConquered: _island_conquered,
        events.IslandsJoined: _islands_joined,
        events.CloudTaken: _cloud_taken,
        events.CharacterBought: _character_bought,
        events.CardRefilled: _card_refilled,
        events.NoEntryPlaced: _no_entry_placed,
        events.CardSwapped: _card_swapped,
        events.DiningSwapped: _dining_swapped,
        events.ColourSilenced: _colour_silenced,
        events.ColourReturned: _colour_returned,
        events.CharacterDone: _character_done,
        events.LastRoundAnnounced: _last_round_announced,
        events.GameEnded: _ended,
        events.BrokenOff: _ended,
    },
)
