"""The examples of a protocol's page, acted by the real game: what clients say is said, what the
server says is heard.

A test plays scenes in a quiet house and takes the clients' lines from the page. At its end every
example must have been used: said by somebody, or heard by somebody word for word, but for secrets,
which nobody can know beforehand.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from tests.quiet import QuietClient

from ludoteca.cli.protocol import page

Message = dict[str, Any]
# The keys under which the protocols say yes or no.
GRANTS = ("result", "valid", "successful", "free")


def objects(name: str) -> list[tuple[str, Message]]:
    """Every JSON object in the fenced blocks of a page, with what stands behind the word
    json of its fence."""
    found = []
    for label, block in re.findall(r"```json *(\w*)\n(.*?)```", page(name), re.DOTALL):
        position = 0
        while block[position:].strip():
            position += len(block[position:]) - len(block[position:].lstrip())
            value, position = json.JSONDecoder().raw_decode(block, position)
            found.append((label, value))
    return found


class Page:
    """The messages on one page, and which of them have been used.

    `secrets` are the keys whose values do not matter, `shortened` those of which the page shows only a part.
    """

    def __init__(self, name: str, secrets: Iterable[str] = ("token",), shortened: Iterable[str] = ()) -> None:
        self._secrets = frozenset(secrets)
        self._shortened = frozenset(shortened)
        self._left = [(label, one) for label, one in objects(name) if "type" in one]
        self._heard: list[Message] = []

    def say(self, client: QuietClient, kind: str, gets: str, **change: Any) -> Message:
        """Let a client say the next example of this type, which must be granted by a message
        of the type `gets`.

        Only secrets may be changed. With `gets` empty nothing may come at all.
        """
        assert set(change) <= self._secrets
        self.hear(client)
        for place, (label, message) in enumerate(self._left):
            if message["type"] == kind and label != "server":
                del self._left[place]
                client.say({**message, **change})
                return self._granted(message, gets, self.hear(client))
        raise AssertionError(f"there is no (other) example of {kind} for a client to say")

    def _granted(self, said: Message, gets: str, heard: list[Message]) -> Message:
        for message in heard:
            if message["type"] == gets and not any(message.get(key) is False for key in GRANTS):
                return message
        assert not gets, f"{said} brought {heard}"
        assert not heard
        return {}

    def hear(self, *clients: QuietClient) -> list[Message]:
        """What these clients have heard since the last time; examples of it are used."""
        heard = [message for client in clients for message in client.messages()]
        self.note(heard)
        return heard

    def note(self, heard: list[Message]) -> None:
        """Somebody has heard this."""
        for message in heard:
            self._heard.append(message)
            self._left = [
                (label, one)
                for label, one in self._left
                if label == "client" or not self._shows(one, message)
            ]

    def _shows(self, shown: Any, heard: Any, key: str = "") -> bool:
        """Whether the page shows what was heard."""
        match shown, heard:
            case dict(), dict():
                return (shown.keys() == heard.keys() or key in self._shortened) and all(
                    name in self._secrets or self._shows(value, heard.get(name), name)
                    for name, value in shown.items()
                )
            case list(), list():
                return len(shown) == len(heard) and all(map(self._shows, shown, heard))
        return bool(shown == heard)

    def check(self) -> None:
        """Every example was said or heard; else show what was heard in its place."""
        for _, message in self._left:
            like = [json.dumps(one) for one in self._heard if one["type"] == message["type"]]
            raise AssertionError(
                f"nobody said or heard\n  {json.dumps(message)}\nheard of its type:\n  "
                + "\n  ".join(dict.fromkeys(like))
            )
