"""The protocol over Java's remote calls, as the original program makes them: its objects and methods.

A client finds the listener in the registry, gets a handler from it, hands over an object of its own, and
says everything through `receiveMessage` of the handler; what the server says comes through `receiveMessage`
of that object. The messages are those of the original over TCP.
"""

from typing import Any

from ludoteca.core import Conversation
from ludoteca.games.shelfie.wire.conversation import Settings
from ludoteca.games.shelfie.wire.java import JavaConversation
from ludoteca.games.shelfie.wire.java.table import ENUMS, PACKAGE, ROWS
from ludoteca.games.shelfie.wire.java.tongue import Objects, say
from ludoteca.wire.java import HEADER, Table, Writer, rmi

PORT = 1099
NAME = "RMIListener"
LISTENER = PACKAGE + "network.RMIListenerInterface"
HANDLER = PACKAGE + "network.server.ClientHandlerRMIInterface"
TABLE = Table(PACKAGE, rmi.ROWS + ROWS, ENUMS)

# Of the listener, of a handler, and of a client's own object.
GET_HANDLER = 0x835EC3840BD82E19
REGISTER, TEST, RECEIVE = 0x42A803B24C353C55, 0x7B6600DE7DDBB49F, 0x0C4845ADED119608
TELL = 0x3248EB82B3246A7D
METHODS = {GET_HANDLER: 0, REGISTER: 1, TEST: 0, RECEIVE: 1}


class Calls(Objects):
    """The tongue of remote calls: what is said goes out as the arguments of calls, each behind its length."""

    def open(self) -> bytes:
        """Every call is a stream of its own, so that there is none to begin."""
        return b""

    def write(self, said: list[Any]) -> bytes:
        """Messages of the server."""
        written = [Writer(self.table, annotated=True).message(one) for one in map(say, said) if one]
        return b"".join(len(data).to_bytes(4, "big") + data for data in written)


def converse(settings: Settings) -> Conversation:
    """Begin a conversation whose messages are arguments of calls."""
    conversation = JavaConversation(settings, Calls())
    # What clients say follows as it came, each argument behind a reset.
    conversation.receive(HEADER, 0.0)
    return conversation
