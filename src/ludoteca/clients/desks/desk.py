"""What a player has in front of them, whatever brought it there: the picture, the question, what was said.

The screen and the linear mode show desks. A desk over Ludoteca's own protocol is in `table`, one over a
game's own protocol in `caller`.
"""

import random
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from ludoteca.clients.ascii import harmless
from ludoteca.core import Drawing, Refused, Room

LINES_MAX = 1000
# A question follows what happened at once: when nothing is asked for so long, it is another's turn.
SETTLE_S = 0.3

Phase = Literal["open", "playing", "over"]
Kind = Literal["event", "chat", "note", "error"]


class Line(msgspec.Struct, frozen=True):
    """One line of the log."""

    kind: Kind
    text: str


class Player(msgspec.Struct, frozen=True):
    """Somebody at the table. `until` is when the time for a decision runs out, on the monotonic clock."""

    name: str
    mine: bool = False
    here: bool = True
    bot: str = ""
    turn: bool = False
    until: float | None = None


class Prompt(msgspec.Struct, frozen=True):
    """What is asked: a sentence, and the words of every answer (commands begin with a slash).

    `explanation` is what the rules say about it, where the game has words for that.
    """

    sentence: str
    answers: tuple[str, ...]
    explanation: str = ""


def _nothing(*_: object) -> None:
    pass


class Desk:
    """The parts that every desk has. Whoever shows it sets `changed` and `told`, and reads the rest."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.phase: Phase = "open"
        self.picture = ""
        self.prompt: Prompt | None = None
        self.players: tuple[Player, ...] = ()
        self.inks: tuple[tuple[str, str], ...] = ()
        # The colours of the players' pieces, where the game has given them any.
        self.hues: tuple[str, ...] = ()
        # Why there is no connection at the moment; "" while there is one.
        self.lost = ""
        # The table has closed, or we have left it.
        self.ended = False
        self.chats = True
        # Whose chat is not shown here.
        self.muted: set[str] = set()
        # Where others find this table; "" when nobody can come.
        self.address = ""
        # Until when our last answer may still bring another question, on the monotonic clock.
        self._settled_at = 0.0
        self.lines: deque[Line] = deque(maxlen=LINES_MAX)
        self.changed: Callable[[], None] = _nothing
        self.told: Callable[[Line], None] = _nothing

    # For whoever shows it.

    @property
    def asking(self) -> bool:
        """Whether the game itself waits for an answer."""
        return self.prompt is not None and any(
            not answer.startswith("/") for answer in self.prompt.answers[:1]
        )

    @property
    def settling(self) -> bool:
        """Whether another question may still follow our last answer: what is typed ahead waits for it."""
        return self.phase == "playing" and not self.asking and time.monotonic() < self._settled_at

    def board(self, room: Room) -> Drawing | None:
        """The picture as large as there is room, with places to point at; None when `picture` is all."""
        return None

    def answer(self, words: str) -> None:
        """Answer the question. Raises Refused when the words are none of its answers."""
        raise Refused("nothing is asked of you now", "turn")

    def answer_by_chance(self) -> str:
        """Let chance choose the answer; what it chose."""
        if not self.asking or self.prompt is None:
            raise Refused("nothing is asked of you now", "turn")
        chosen = random.choice(self.prompt.answers)
        self.answer(chosen)
        return chosen

    def ending(self) -> list[str]:
        """How it ended, in a few lines; none before the end."""
        return []

    def sentences(self) -> list[str]:
        """The picture in sentences, for who hears it; none where there is only the picture."""
        return []

    def hint(self) -> None:
        """Ask what a bot would answer; it is told in the log."""
        raise Refused("this protocol knows no hints", "hint")

    def report(self, name: str, text: str) -> None:
        """Tell the host about somebody here."""
        raise Refused("this protocol knows no reports", "report")

    def mute(self, name: str) -> None:
        """Show nothing of what somebody says, or show it again."""
        if not name:
            raise Refused("say whom: /mute NAME", "name")
        self.muted ^= {name.casefold()}
        shown = "again " if name.casefold() not in self.muted else "nothing of "
        self.log("note", f"You see {shown}what {name} says.")

    def rules(self, card: str = "") -> str:
        """The rules of the game as Markdown, or what is printed on a card. Raises Refused."""
        raise Refused("the rules are not at hand here; `ludoteca rules` has them", "rules")

    def say(self, text: str, to: str | None = None) -> None:
        """Chat."""
        raise Refused("this protocol knows no chat", "say")

    def seat_bot(self, level: str) -> None:
        """Seat a bot."""
        raise Refused("this protocol knows no bots", "bot")

    def rematch(self) -> None:
        """Play again."""
        raise Refused("this protocol knows no rematch", "rematch")

    def play_on(self, level: str) -> None:
        """Play on what was broken off, against bots."""
        raise Refused("this protocol knows no playing on", "continue")

    def leave(self) -> None:
        """Get up for good."""
        self.ended = True
        self.changed()

    def put_away(self) -> None:
        """Nobody shows this desk any more."""
        self.changed = self.told = _nothing

    # For the desks themselves.

    def log(self, kind: Kind, *texts: str) -> None:
        """Put lines into the log."""
        for text in texts:
            line = Line(kind, harmless(text))
            self.lines.append(line)
            self.told(line)


def describe(players: Iterable[Player]) -> list[str]:
    """Who sits at the table, one a line."""
    described = []
    for player in players:
        facts = [
            "you" if player.mine else "",
            f"bot, {player.bot}" if player.bot else "",
            "away" if player.name and not player.here else "",
            "to move" if player.turn else "",
        ]
        known = ", ".join(fact for fact in facts if fact)
        described.append(f"{player.name or 'a free chair'}{f' ({known})' if known else ''}")
    return described
