"""My Shelfie over remote calls: what client programs use, and what a server needs to offer the service.

    from ludoteca.games.shelfie.rpc import Client, MyShelfieStub, pb

`pb` holds the messages, `MyShelfieStub(channel)` makes the calls, and `Client(channel, nickname)` is the stub
with the chores done.
"""

from google.protobuf.message import DecodeError

from ludoteca.games.shelfie.rpc import shelfie_pb2 as pb
from ludoteca.games.shelfie.rpc.calls import (
    CONNECTION_KEY,
    STREAM,
    UNARY,
    RemoteConversation,
    StreamConversation,
    read_line,
    write_call,
    write_said,
    write_told,
)
from ludoteca.games.shelfie.rpc.client import Client
from ludoteca.games.shelfie.rpc.shelfie_pb2_grpc import MyShelfieStub

SERVICE = pb.DESCRIPTOR.services_by_name["MyShelfie"].full_name
PORT = 11501
CONNECT, TEST, PLAY = "Connect", "TestConnection", "Play"
converse = RemoteConversation
converse_in_a_stream = StreamConversation


def write_connection(identity: str) -> bytes:
    """What Connect returns."""
    return pb.Connection(id=identity).SerializeToString()


def read_connection(data: bytes) -> str:
    """The id that Notifications was called with, "" when it cannot be read."""
    try:
        return pb.Connection.FromString(data).id
    except DecodeError:
        return ""


def write_acknowledgement(accepted: bool) -> bytes:
    """What TestConnection returns."""
    return pb.Ack(accepted=accepted).SerializeToString()


__all__ = [
    "CONNECT",
    "CONNECTION_KEY",
    "PLAY",
    "PORT",
    "SERVICE",
    "STREAM",
    "TEST",
    "UNARY",
    "Client",
    "MyShelfieStub",
    "converse",
    "converse_in_a_stream",
    "pb",
    "read_connection",
    "read_line",
    "write_acknowledgement",
    "write_call",
    "write_connection",
    "write_said",
    "write_told",
]
