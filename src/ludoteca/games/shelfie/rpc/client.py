"""A small client for programs that play through remote calls: the stub with its metadata and its chores.

The program opens the channel, `grpc.insecure_channel("127.0.0.1:11501")` for one: nothing
here touches the network.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message

from ludoteca.core import RemoteError
from ludoteca.games.shelfie.rpc import shelfie_pb2 as pb
from ludoteca.games.shelfie.rpc.calls import CONNECTION_KEY
from ludoteca.games.shelfie.rpc.shelfie_pb2_grpc import MyShelfieStub

DEADLINE_S = 30.0


_Answer = TypeVar("_Answer", bound=Message)


class Channel(Protocol):
    """What grpc calls a Channel, as far as it is not the stub's business alone."""

    def close(self) -> None:
        """Hang up."""


class Client:
    """One player. `players` is the answer to NumPlayersRequest; `result` is there after the last turn."""

    def __init__(self, channel: Channel, nickname: str, players: int = 2, token: str | None = None) -> None:
        self.nickname = nickname
        self.result: pb.GameResultNotify | None = None
        self._players = players
        self._channel = channel
        self._stub: Any = MyShelfieStub(self._channel)  # type: ignore[no-untyped-call]
        self._metadata: tuple[tuple[str, str], ...] = ()
        connection = self._call("Connect", pb.ConnectRequest(), pb.Connection)
        self._metadata = ((CONNECTION_KEY, connection.id),)
        self._stream: Iterator[pb.ServerMessage] = self._stub.Notifications(connection)
        answer = self._call("Login", pb.LoginRequest(nickname=nickname, token=token), pb.LoginResponse)
        if not answer.HasField("nickname"):
            self.close()
            raise RemoteError(f"the name {nickname!r} was refused")

    def _call(self, method: str, request: Message, kind: type[_Answer]) -> _Answer:
        answer = getattr(self._stub, method)(request, metadata=self._metadata, timeout=DEADLINE_S)
        assert isinstance(answer, kind)
        return answer

    def news(self) -> Iterator[pb.ServerMessage]:
        """Everything the server says on its own, until the connection ends. Pings are answered on the way."""
        for message in self._stream:
            if message.HasField("ping"):
                self._call("Pong", pb.PongMessage(), pb.Ack)
            elif message.HasField("num_players_request"):
                self._call("NumPlayers", pb.NumPlayersResponse(numPlayers=self._players), pb.Ack)
            elif message.HasField("game_result"):
                self.result = message.game_result
            yield message

    def turns(self) -> Iterator[pb.Board]:
        """The board, each time it is this player's turn."""
        for message in self.news():
            if message.HasField("game_start") and message.game_start.nextPlayer == self.nickname:
                yield message.game_start.board
            elif message.HasField("end_turn"):
                is_last = message.end_turn.player == message.end_turn.nextPlayer
                if message.end_turn.nextPlayer == self.nickname and not is_last:
                    yield message.end_turn.board

    def pick(self, row: int, column: int) -> pb.PickTileResponse:
        """Add a tile to the selection."""
        request = pb.PickTileRequest(position=pb.Position(row=row, column=column))
        return self._call("PickTile", request, pb.PickTileResponse)

    def unpick(self, row: int, column: int) -> pb.UnpickTileResponse:
        """Take a tile out of the selection."""
        request = pb.UnpickTileRequest(position=pb.Position(row=row, column=column))
        return self._call("UnpickTile", request, pb.UnpickTileResponse)

    def confirm_pick(self) -> pb.ConfirmPickResponse:
        """Take the selected tiles."""
        return self._call("ConfirmPick", pb.ConfirmPickRequest(), pb.ConfirmPickResponse)

    def confirm_column(self, column: int) -> pb.ConfirmColumnResponse:
        """Choose the column."""
        request = pb.ConfirmColumnRequest(columnNumber=column)
        return self._call("ConfirmColumn", request, pb.ConfirmColumnResponse)

    def confirm_order(self, tiles: "Iterable[pb.Tile]") -> bool:
        """Choose the order, the lowest tile first; whether it was accepted."""
        return self._call("ConfirmOrder", pb.ConfirmOrderNotify(pickedTiles=tiles), pb.Ack).accepted

    def chat(self, text: str, receiver: str | None = None) -> bool:
        """Say something to one player, or to all; whether somebody got it."""
        message = pb.ChatMessage(player=self.nickname, receiver=receiver, textMessage=text)
        return self._call("Chat", message, pb.Ack).accepted

    def close(self) -> None:
        """Leave, and close the channel. In a match that ends it for all."""
        self._channel.close()
