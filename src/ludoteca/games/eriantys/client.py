"""A player's side of the seed's protocol, for any server that speaks it.

The board comes whole with every message.
"""

from collections.abc import Iterator
from typing import assert_never

from ludoteca.core import Seat
from ludoteca.games.eriantys import actions as act
from ludoteca.games.eriantys.data import COLOURS, Colour
from ludoteca.games.eriantys.state import Active, CharacterCard, Island, Player
from ludoteca.games.eriantys.text import draw, write
from ludoteca.games.eriantys.view import View
from ludoteca.games.eriantys.wire import messages as m
from ludoteca.games.eriantys.wire.messages import Board, GameInfo, Students, WireAction
from ludoteca.wire.caller import JsonCaller, Reader, Sequel

# Silence of two seconds is a lost connection, by the protocol.
BEAT_S = 0.5
NAMES_MAX = 9
MESSENGER, MESSENGER_STEPS = 4, 2
SEATS_AT_TABLE = 10
# As long as the name of a game may be.
GAME_NAME_MAX = 12

_READER: Reader[m.ServerMessage] = Reader(m.ServerMessage)


class Client(JsonCaller[m.ServerMessage]):
    """One player in one game: finds or opens one, then plays it."""

    def __init__(self, nickname: str) -> None:
        super().__init__(nickname, _READER)
        self._id = ""
        self._tries = 1
        self._names_refused = 0
        self._board: Board | None = None
        self._refused = ""

    def open(self, now: float) -> bytes:
        """Begin the heartbeat."""
        self.alarm = now
        return super().open(now)

    def tick(self, now: float) -> bytes:
        """A heartbeat."""
        self.alarm = None if self.over else now + BEAT_S
        self.say(m.Heartbeat())
        return self._take()

    def hear(self, message: m.ServerMessage) -> None:
        """A message."""
        match message:
            case m.NotifyPlayerIdMessage(player_id):
                self._id = player_id
                self._look()
            case m.GameListMessage(games):
                self._choose_game(games)
            case m.AskNewGameName():
                self.news.append("A game of that name cannot be opened.")
                self._look()
            case m.AskNewGameChoice():
                self.news.append("That game is full or gone.")
                self._look()
            case m.AskNickname(first):
                self._give_name(first)
            case m.AskTowerColor(colours):
                self.ask(
                    "Choose your towers.",
                    {f"{colour} towers": m.SetTowerColor(self._id, colour) for colour in colours},
                )
            case m.AckTowerColor():
                self.news.append("Waiting for the others.")
            case m.GameStart(board, first_player):
                self.news.append(f"The game begins; {first_player} is first.")
                self._show(board)
            case m.UpdateGameBoard(board):
                self._show(board)
            case m.AskAssistantCard(board, cards):
                self._show(board)
                self._ask_assistant(cards)
            case m.AskAction(kinds, first):
                self._ask_action(kinds, first)
            case m.ShowLastRound():
                self.news.append("This is the last round.")
            case m.ShowEndGame(winner):
                self.news.append(
                    "You win." if winner == self.nickname else f"{winner} wins." if winner else "A draw."
                )
                self.end()
            case m.ShowDisconnection(nickname):
                self.news.append(f"{nickname or 'Somebody'} has left, which ends the game.")
                self.end()
            case m.Heartbeat():
                pass
            case _:
                assert_never(message)

    # Finding a game.

    def _look(self) -> None:
        self.say(m.AskGameListMessage(self._id))

    def _choose_game(self, found: list[GameInfo]) -> None:
        choices: dict[str, Sequel] = {
            f"join {info.gameName}": m.SelectGameMessage(self._id, info.gameName) for info in found
        }
        for count in (2, 3, 4):
            for mode in ("Basic", "Expert"):
                # A name that is too long is never granted: what tells one from the other is at its end.
                info = GameInfo(f"{self.nickname}-{self._tries}"[-GAME_NAME_MAX:], mode, count)
                choices[f"open {mode.lower()} for {count}"] = m.NewGameMessage(self._id, info)
        self._tries += 1
        self.ask("Join a game, or open one.", {**choices, "look again": self._look})

    def _give_name(self, first: bool) -> None:
        self._names_refused = 0 if first else self._names_refused + 1
        if self._names_refused > NAMES_MAX:
            # A game that waits for a missing player takes nobody else, whatever the name.
            self.news.append("That game takes none of our names.")
            self._look()
            return
        if not first:
            self._tries += 1
            self.nickname = f"{self.nickname.rstrip('0123456789')}{self._tries}"
        self.say(m.SetNickname(self._id, self.nickname))

    # Playing.

    def _show(self, board: Board) -> None:
        before, self._board = self._board, board
        self.players = tuple(player.nickname for player in board.players)
        self.mine = self.players.index(self.nickname) if self.nickname in self.players else None
        self.mover = self.players.index(board.currentPlayer) if board.currentPlayer in self.players else None
        self.view = view_of(board)
        self.picture = draw(self.view, self.players)
        if before is not None and before.currentPlayer != board.currentPlayer:
            self.news.append(f"{board.currentPlayer}'s turn.")

    def _ask_assistant(self, cards: list[m.AssistantCard]) -> None:
        self.ask(
            "Play an assistant.",
            {write(act.PlayAssistant(card.value)): m.SetAssistantCard(self.nickname, card) for card in cards},
        )

    def _ask_action(self, kinds: list[str], first: bool) -> None:
        if self._board is None or self.mine is None:
            return
        if not first:
            self.news.append("The server does not accept that.")
        choices = {
            write(action): m.SetAction(self.nickname, said)
            for kind in kinds
            for action, said in self._ways(kind, self._board, self.mine)
        }
        wanted = [_WORDS.get(kind, kind.lower()) for kind in kinds]
        if choices:
            self.ask(f"{', or '.join(wanted).capitalize()}.", choices)

    def _ways(self, kind: str, board: Board, seat: int) -> Iterator[tuple[act.Action, WireAction]]:
        """Everything that a kind of action may mean on this board; the server has the last word."""
        player = board.players[seat]
        active = next(
            (
                card
                for card in board.characters
                if board.activeCharacter and card.id == board.activeCharacter.id
            ),
            None,
        )
        on_card = _colours(active.students) if active and active.students else []
        entrance, islands = _colours(player.entrance), range(len(board.islands))
        match kind:
            case "MOVE_STUDENT_TO_ISLAND":
                for colour in entrance:
                    yield from (
                        (act.MoveToIsland(colour, i), WireAction(kind, color=colour, island=i))
                        for i in islands
                    )
            case "MOVE_STUDENT_TO_DININGROOM":
                for colour in entrance:
                    if getattr(player.diningRoom, colour) < SEATS_AT_TABLE:
                        yield act.MoveToDining(colour), WireAction(kind, color=colour)
            case "MOVE_MOTHER_NATURE":
                steps = player.lastAssistant.steps if player.lastAssistant else 0
                steps += MESSENGER_STEPS if active and active.id == MESSENGER else 0
                yield from ((act.Walk(count), WireAction(kind, steps=count)) for count in range(1, steps + 1))
            case "CHOOSE_CLOUD":
                for cloud in board.clouds:
                    if _colours(cloud.students):
                        yield act.TakeCloud(cloud.id - 1), WireAction(kind, cloud=cloud.id)
            case "END":
                yield act.EndTurn(), WireAction(kind)
            case "CHOOSE_CHARACTER":
                for card in board.characters:
                    if card.cost <= player.coins:
                        yield act.BuyCharacter(card.id), WireAction(kind, character=card.id)
            case _:
                yield from self._card_ways(kind, board, on_card, entrance, _colours(player.diningRoom))

    def _card_ways(
        self, kind: str, board: Board, on_card: list[Colour], entrance: list[Colour], dining: list[Colour]
    ) -> Iterator[tuple[act.Action, WireAction]]:
        islands = range(len(board.islands))
        match kind:
            case "STUDENT_FROM_CARD_TO_ISLAND":
                for colour in on_card:
                    yield from (
                        (act.SendFromCard(colour, i), WireAction(kind, color=colour, island=i))
                        for i in islands
                    )
            case "DOUBLE_INFLUENCE":
                yield from ((act.ResolveIsland(i), WireAction(kind, island=i)) for i in islands)
            case "NO_INFLUENCE":
                yield from ((act.ForbidIsland(i), WireAction(kind, island=i)) for i in islands)
            case "STUDENT_FROM_CARD_TO_ENTRANCE":
                for taken in on_card:
                    for given in entrance:
                        yield (
                            act.SwapWithCard(taken, given),
                            WireAction(kind, colorFromCard=taken, colorFromEntrance=given),
                        )
                yield act.StopSwapping(), WireAction(kind, stop=True)
            case "STUDENT_FROM_ENTRANCE_TO_DINING":
                for seated in entrance:
                    for taken in dining:
                        yield (
                            act.SwapWithDining(seated, taken),
                            WireAction(kind, colorFromEntrance=seated, colorFromDining=taken),
                        )
                yield act.StopSwapping(), WireAction(kind, stop=True)
            case "COLOR_NO_INFLUENCE":
                yield from ((act.SilenceColour(colour), WireAction(kind, color=colour)) for colour in COLOURS)
            case "STUDENT_FROM_CARD_TO_DINING":
                yield from ((act.SeatFromCard(colour), WireAction(kind, color=colour)) for colour in on_card)
            case "STUDENT_FROM_DINING_TO_BAG":
                yield from ((act.ReturnColour(colour), WireAction(kind, color=colour)) for colour in COLOURS)


_WORDS = {
    "MOVE_STUDENT_TO_ISLAND": "move a student to an island",
    "MOVE_STUDENT_TO_DININGROOM": "to your dining room",
    "MOVE_MOTHER_NATURE": "walk mother nature",
    "CHOOSE_CLOUD": "take a cloud",
    "END": "end your turn",
    "CHOOSE_CHARACTER": "buy a character",
    "STUDENT_FROM_CARD_TO_ISLAND": "send a student of the card to an island",
    "DOUBLE_INFLUENCE": "choose an island to resolve",
    "NO_INFLUENCE": "choose an island for the no-entry tile",
    "STUDENT_FROM_CARD_TO_ENTRANCE": "swap a student of the card with your entrance, or stop",
    "STUDENT_FROM_ENTRANCE_TO_DINING": "swap a student of your entrance with your dining room, or stop",
    "COLOR_NO_INFLUENCE": "name the colour that gives no influence",
    "STUDENT_FROM_CARD_TO_DINING": "seat a student of the card",
    "STUDENT_FROM_DINING_TO_BAG": "name the colour that everybody returns",
}


def _colours(students: Students) -> list[Colour]:
    return [colour for colour in COLOURS if getattr(students, colour)]


def _counts(students: Students) -> tuple[int, int, int, int, int]:
    return students.green, students.red, students.yellow, students.pink, students.blue


def view_of(board: Board) -> View:
    """A board of the wire as our own view, which can be drawn.

    What the wire does not tell is left at its start.
    """
    seats = {player.nickname: Seat(seat) for seat, player in enumerate(board.players)}
    active = board.activeCharacter
    return View(
        mode=board.gameMode,
        round=board.round,
        phase=board.phase,
        first=seats[board.firstPlayer],
        current=seats[board.currentPlayer],
        order=tuple(seats[name] for name in board.turnOrder),
        moved=0,
        walked=False,
        last_round=board.lastRound,
        clouds_short=False,
        mother_nature=board.motherNature,
        islands=tuple(
            Island(one.tiles, _counts(one.students), one.tower, one.noEntry) for one in board.islands
        ),
        clouds=tuple(_counts(cloud.students) for cloud in board.clouds),
        professors=tuple(seats[name] if (name := board.professors[colour]) else None for colour in COLOURS),
        players=tuple(
            Player(
                one.towerColor,
                one.towers,
                one.coins,
                one.assistants,
                one.lastAssistant.value if one.lastAssistant else None,
                _counts(one.entrance),
                _counts(one.diningRoom),
            )
            for one in board.players
        ),
        bag=(board.bagCount, 0, 0, 0, 0),
        supply=board.coinSupply,
        characters=tuple(
            CharacterCard(
                one.id, one.cost, one.coinOnCard, _counts(one.students) if one.students else None, one.noEntry
            )
            for one in board.characters
        ),
        active=Active(active.id, seats[active.player], active.swaps or 0, active.color, False)
        if active
        else None,
    )
