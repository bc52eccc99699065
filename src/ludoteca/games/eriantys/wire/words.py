"""Between the seed's words and ours: kinds of action, actions, and the board state of a view."""

from ludoteca.games.eriantys.actions import (
    Action,
    BuyCharacter,
    EndTurn,
    ForbidIsland,
    MoveToDining,
    MoveToIsland,
    ResolveIsland,
    ReturnColour,
    SeatFromCard,
    SendFromCard,
    SilenceColour,
    StopSwapping,
    SwapWithCard,
    SwapWithDining,
    TakeCloud,
    Walk,
)
from ludoteca.games.eriantys.data import COLOUR_INDEX, COLOURS, STEPS, Colour
from ludoteca.games.eriantys.events import Students as Counts
from ludoteca.games.eriantys.view import View
from ludoteca.games.eriantys.wire.messages import (
    AssistantCard,
    Board,
    BoardActive,
    BoardCharacter,
    BoardCloud,
    BoardIsland,
    BoardPlayer,
    Students,
    WireAction,
)

# What a question offers; the cards' own actions stand alone until they are finished.
_TURN_KINDS = {
    "student": ["MOVE_STUDENT_TO_ISLAND", "MOVE_STUDENT_TO_DININGROOM"],
    "mother nature": ["MOVE_MOTHER_NATURE"],
    "cloud": ["CHOOSE_CLOUD"],
    "end": ["END"],
}
_CARD_KINDS = {
    "monk": "STUDENT_FROM_CARD_TO_ISLAND",
    "herald": "DOUBLE_INFLUENCE",
    "herbalist": "NO_INFLUENCE",
    "jester": "STUDENT_FROM_CARD_TO_ENTRANCE",
    "mushroom seller": "COLOR_NO_INFLUENCE",
    "minstrel": "STUDENT_FROM_ENTRANCE_TO_DINING",
    "princess": "STUDENT_FROM_CARD_TO_DINING",
    "thief": "STUDENT_FROM_DINING_TO_BAG",
}
_SWAPPERS = (7, 10)


def offered(kind: str, view: View) -> list[str]:
    """The kinds of action for a question. A character is offered until one is bought, affordable or not."""
    if kind in _CARD_KINDS:
        return [_CARD_KINDS[kind]]
    buying = view.mode == "Expert" and view.active is None
    return [*_TURN_KINDS.get(kind, []), *(["CHOOSE_CHARACTER"] if buying else [])]


def translate(given: WireAction) -> Action | None:
    """The action meant, or None when its kind or a colour is none of the game's."""
    colour = _colour(given.color)
    from_card, from_entrance = _colour(given.colorFromCard), _colour(given.colorFromEntrance)
    from_dining = _colour(given.colorFromDining)
    match given.actionType:
        case "MOVE_STUDENT_TO_ISLAND" if colour:
            return MoveToIsland(colour, given.island)
        case "MOVE_STUDENT_TO_DININGROOM" if colour:
            return MoveToDining(colour)
        case "MOVE_MOTHER_NATURE":
            return Walk(given.steps)
        case "CHOOSE_CLOUD":
            return TakeCloud(given.cloud - 1)
        case "END":
            return EndTurn()
        case "CHOOSE_CHARACTER":
            return BuyCharacter(given.character)
        case "STUDENT_FROM_CARD_TO_ISLAND" if colour:
            return SendFromCard(colour, given.island)
        case "DOUBLE_INFLUENCE":
            return ResolveIsland(given.island)
        case "NO_INFLUENCE":
            return ForbidIsland(given.island)
        case "STUDENT_FROM_CARD_TO_ENTRANCE" | "STUDENT_FROM_ENTRANCE_TO_DINING" if given.stop:
            return StopSwapping()
        case "STUDENT_FROM_CARD_TO_ENTRANCE" if from_card and from_entrance:
            return SwapWithCard(from_card, from_entrance)
        case "STUDENT_FROM_ENTRANCE_TO_DINING" if from_entrance and from_dining:
            return SwapWithDining(from_entrance, from_dining)
        case "COLOR_NO_INFLUENCE" if colour:
            return SilenceColour(colour)
        case "STUDENT_FROM_CARD_TO_DINING" if colour:
            return SeatFromCard(colour)
        case "STUDENT_FROM_DINING_TO_BAG" if colour:
            return ReturnColour(colour)
    return None


def _colour(name: str) -> Colour | None:
    place = COLOUR_INDEX.get(name)
    return None if place is None else COLOURS[place]


def board(view: View, label: str, names: list[str]) -> Board:
    """The board state of a view."""
    return Board(
        gameName=label,
        gameMode=view.mode,
        numPlayers=len(view.players),
        round=view.round,
        phase=view.phase,
        firstPlayer=names[view.first],
        currentPlayer=names[view.current],
        turnOrder=[names[seat] for seat in view.order],
        lastRound=view.last_round,
        motherNature=view.mother_nature,
        islands=[
            BoardIsland(
                place,
                island.tiles,
                len(island.tiles),
                Students(*island.students),
                island.tower,
                island.no_entry,
            )
            for place, island in enumerate(view.islands)
        ],
        clouds=[BoardCloud(number, Students(*students)) for number, students in enumerate(view.clouds, 1)],
        professors={
            colour: None if seat is None else names[seat]
            for colour, seat in zip(COLOURS, view.professors, strict=True)
        },
        players=[
            BoardPlayer(
                nickname,
                player.tower,
                player.towers,
                player.coins,
                Students(*player.entrance),
                Students(*player.dining),
                player.hand,
                card(player.assistant) if player.assistant else None,
            )
            for nickname, player in zip(names, view.players, strict=True)
        ],
        bagCount=sum(view.bag),
        coinSupply=view.supply,
        characters=[
            BoardCharacter(card.character, card.price, card.coin, _held(card.students), card.no_entry)
            for card in view.characters
        ],
        activeCharacter=_active(view, names),
    )


def _active(view: View, names: list[str]) -> BoardActive | None:
    active = view.active
    if active is None:
        return None
    swaps = active.swaps if active.character in _SWAPPERS else None
    return BoardActive(active.character, names[active.seat], swaps, active.colour)


def _held(students: Counts | None) -> Students | None:
    return None if students is None else Students(*students)


def card(value: int) -> AssistantCard:
    return AssistantCard(value, STEPS[value])
