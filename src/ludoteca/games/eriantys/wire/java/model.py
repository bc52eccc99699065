"""The original's model of a game, made from the board that the protocol shows."""

from functools import lru_cache
from typing import Any

from ludoteca.games.eriantys.data import CHARACTERS, NUMBERS, STEPS
from ludoteca.games.eriantys.wire.java.table import TABLE
from ludoteca.games.eriantys.wire.messages import Board, BoardCharacter, BoardPlayer, Students
from ludoteca.wire.java import Constant, Opening

_types = TABLE.types
_TILES = 12
# The originals' creatures, in the order of `Students`.
_GREEN, _RED, _YELLOW, _PINK, _BLUE = (
    _types.Piece[name] for name in ("FROG", "DRAGON", "GNOME", "FAIRY", "UNICORN")
)
PIECES: dict[str, Constant] = {"green": _GREEN, "red": _RED, "yellow": _YELLOW, "pink": _PINK, "blue": _BLUE}
TOWERS: dict[str, Constant] = {name.lower(): tower for name, tower in _types.TowerColor.items()}
MODES: dict[str, Constant] = {name.capitalize(): mode for name, mode in _types.GameMode.items()}
# Nobody there minds whose card it is: within a message there is one of each.
ASSISTANTS = tuple(_types.AssistantCard(value, value, steps) for value, steps in enumerate(STEPS))
_NOTHING_DONE = _types.RoundActions([])
# What a board is made of; its messages begin with that.
_WORDS = (
    *(_types.MessageType["CV"], *MODES.values(), *TOWERS.values(), *PIECES.values(), *range(10), {}),
    *(_types.GameModel, _types.IslandsHandler, _types.Island, _types.Cloud, _types.Character, _types.Action),
    *(_types.PlayersHandler, _types.Player, _types.Board, _types.TeachersHandler),
    *(*ASSISTANTS[1:], _NOTHING_DONE),
)
OPENING = Opening(TABLE, (_types.GameStart, _types.AskAssistantCard, _types.UpdateGameBoard), _WORDS)
# An id as long as any, of letters that nobody can type, for each seat.
STRANGERS = tuple("\x1f" * 35 + str(seat) for seat in range(4))


def model(board: Board) -> Any:
    """The whole game. Whoever is pointed at from several places is one object there."""
    cards = {card.id: _character(card) for card in board.characters}
    players = {
        player.nickname: _player(board, player, STRANGERS[seat], cards)
        for seat, player in enumerate(board.players)
    }
    owners: dict[str | None, Any] = {player.towerColor: players[player.nickname] for player in board.players}
    islands = [
        _types.Island(
            island.id, island.noEntry, island.size, owners.get(island.tower), _counts(island.students)
        )
        for island in board.islands
    ]
    # It draws the first group from here on; our tiles keep their place.
    offset = -board.islands[0].tiles[0] % _TILES
    return _types.GameModel(
        board.coinSupply,
        list(cards.values()),
        [_types.Cloud(cloud.id, _listed(cloud.students)) for cloud in board.clouds],
        MODES[board.gameMode],
        _types.IslandsHandler(offset, board.motherNature, islands),
        board.gameName,
        _types.PlayersHandler(
            board.numPlayers,
            [players[player.nickname] for player in board.players if player.lastAssistant],
            players[board.currentPlayer],
            players[board.firstPlayer],
            list(players.values()),
        ),
        None,
        _types.TeachersHandler(
            {PIECES[colour]: players[name] for colour, name in board.professors.items() if name is not None}
        ),
    )


def _player(board: Board, player: BoardPlayer, identity: str, cards: dict[int, Any]) -> Any:
    active = board.activeCharacter
    card = cards[active.id] if active is not None and active.player == player.nickname else None
    done: list[str] = []
    if board.phase == "action" and board.currentPlayer == player.nickname:
        entrance = player.entrance
        there = entrance.green + entrance.red + entrance.yellow + entrance.pink + entrance.blue
        done = ["MOVE_STUDENT_TO_ISLAND"] * (NUMBERS[board.numPlayers].entrance - there)
        if card is not None:
            done.append("CHOOSE_CHARACTER")
    last = player.lastAssistant
    return _types.Player(
        player.towers,
        player.coins,
        card,
        _hand(player.assistants),
        identity,
        None if last is None else ASSISTANTS[last.value],
        player.nickname,
        _types.Board(_listed(player.entrance), _counts(player.diningRoom)),
        actions(done) if done else _NOTHING_DONE,
        TOWERS[player.towerColor],
    )


def _character(card: BoardCharacter) -> Any:
    facts = CHARACTERS[card.id]
    students = [] if card.students is None else _listed(card.students)
    return _types.Character(
        card.id, card.cost, not card.coinOnCard, card.noEntry or 0, facts.effect, facts.name, None, students
    )


def actions(kinds: list[str]) -> Any:
    """Actions of which only the kind is said."""
    return _types.RoundActions([_types.Action(0, _types.ActionType[kind]) for kind in kinds])


# Of the same students, or cards, there is one picture for all boards.


@lru_cache(1024)
def _counts(students: Students) -> Any:
    return OPENING.ready(
        {
            _GREEN: students.green,
            _RED: students.red,
            _YELLOW: students.yellow,
            _PINK: students.pink,
            _BLUE: students.blue,
        }
    )


@lru_cache(1024)
def _listed(students: Students) -> Any:
    return OPENING.ready(
        [_GREEN] * students.green
        + [_RED] * students.red
        + [_YELLOW] * students.yellow
        + [_PINK] * students.pink
        + [_BLUE] * students.blue
    )


@lru_cache(1024)
def _hand(assistants: tuple[int, ...]) -> Any:
    return OPENING.ready([ASSISTANTS[value] for value in assistants])
