"""A player's side of the seed's line protocol, for any server that speaks it, the first one included.

That one reads packets rather than lines, knows ASCII only and serves one tournament: hence the pause before
the name, the plain nickname, and the patience with a server that says nothing or hangs up.
"""

import unicodedata

from msgspec.structs import replace

from ludoteca.core import Question, Refused, Seat
from ludoteca.games.multisweeper import text
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import CLOSED, MINE
from ludoteca.games.multisweeper.state import Out
from ludoteca.games.multisweeper.view import View
from ludoteca.wire.caller import Face
from ludoteca.wire.lines import Lines

# Without a pause the first server takes greeting and name for one line, and refuses them.
PAUSE_S = 0.2
PATIENCE_S = 10.0
CELLS_MAX = 10_000
NAMES_MAX = 100
# Nobody counts so far; Python refuses to read numbers without end.
DIGITS_MAX = 9


class Client(Face):
    """One player in one tournament."""

    def __init__(self, nickname: str) -> None:
        super().__init__(ascii_name(nickname))
        self._lines = Lines()
        self._greeted = False
        self._question: Question | None = None
        self._names: list[str] = []
        # How many play in this round, and whether the list of names left us out, so that our place is
        # not known yet.
        self._count = 0
        self._unlisted = False
        self._view: View | None = None

    def open(self, now: float) -> bytes:
        """Wait for the greeting."""
        self.alarm = now + PATIENCE_S
        return b""

    def receive(self, data: bytes, now: float) -> bytes:
        """Lines of the server; those we do not know are ignored, as the seed's own clients do."""
        answer = b""
        for line in self._lines.feed(data):
            word, *rest = line.decode("utf-8", "replace").split(" ")
            if word == "multisweeper" and not self._greeted:
                self._greeted, self.alarm = True, now + PAUSE_S
                answer += b"multisweeper client v1\n"
            elif word == "player":
                self._names = [*self._names, " ".join(rest)][:NAMES_MAX]
            else:
                self._hear(word, [int(part) for part in rest if _is_number(part)])
        return answer

    def tick(self, now: float) -> bytes:
        """Time for the name, or for a word about a silent server."""
        self.alarm = None
        if not self._greeted:
            self.news.append("The server does not greet us; perhaps a tournament is running there. Waiting.")
            return b""
        self.news.append(f"You are {self.nickname}. Waiting for the others.")
        return f"name {self.nickname}\n".encode()

    def answer(self, words: str) -> bytes:
        """Click a closed cell: one line for each time we are asked."""
        if self._question is None:
            raise Refused("it is not your turn", "turn")
        click = text.read(words, self._question)
        self._ask(None)
        return f"click {click.column} {click.row}\n".encode()

    def close(self) -> None:
        """The server hung up: with a reason if it gave one, else it crashed, refused us, or has
        nothing more to say."""
        if not self.over:
            self.news.append(
                "The server hung up." if self._greeted else "The server hung up without a greeting."
            )
        self._end()

    # What the server says.

    def _hear(self, word: str, numbers: list[int]) -> None:
        match word, numbers:
            case "num_players", [count]:
                self._names, self._count = [], count
            case "start", [width, height, mines] if 0 < width * height <= CELLS_MAX:
                self._start(width, height, mines)
            case "turn_id_update", [turn] if self._view is not None and self.players:
                self._turn(self._view, turn)
            case "turn_start", [] if self._view is not None:
                self._sit_where_it_is_our_turn()
                closed = [cell for cell, sign in enumerate(self._view.cells) if sign == CLOSED]
                self._ask(Question("click", [Click(*_place(cell, self._view)) for cell in closed]))
            case "board_update", cells if self._view is not None and len(cells) == len(self._view.cells):
                self._show(self._view, cells=tuple(min(cell, MINE) for cell in cells))
            case "end_condition", [code]:
                self._finish(code)
            case "sudden_exit", []:
                self.news.append("The server ended the tournament.")
                self._end()
            case _:
                pass

    def _start(self, width: int, height: int, mines: int) -> None:
        number = self._view.round + 1 if self._view is not None else 1
        self._unlisted = not self._names or len(self._names) == self._count - 1
        if self._unlisted:
            self._names.append(self.nickname)
        self.players = tuple(self._names)
        # There may be fewer of us now than the number of whoever was on turn.
        self.mover = None
        self.mine = self.players.index(self.nickname) if self.nickname in self.players else None
        order = tuple(Seat(seat) for seat in range(len(self.players)))
        out: tuple[Out, ...] = ()
        cells = (CLOSED,) * (width * height)
        self.news.append(f"Round {number}: {', '.join(self.players)}.")
        self._show(View(width, height, mines, cells, order, 1, Seat(0), number, out, None, None))

    def _sit_where_it_is_our_turn(self) -> None:
        """Some servers name only the others: the first own turn tells at which place we sit."""
        if self._unlisted and self.mover is not None:
            others = self.players[:-1]
            self.players = (*others[: self.mover], self.nickname, *others[self.mover :])
            self._unlisted = False
        self.mine = self.mover

    def _turn(self, view: View, turn: int) -> None:
        self.mover = (turn - 1) % len(self.players)
        self._show(view, turn=turn, mover=Seat(self.mover))

    def _show(self, view: View, **changes: object) -> None:
        before = view.cells
        view = replace(view, **changes)
        self._view = view
        opened = sum(old != new for old, new in zip(before, view.cells, strict=True))
        if opened and self.mover is not None:
            who = self.players[self.mover]
            mine = MINE in view.cells
            self.news.append(
                f"{who} hits a mine." if mine else f"{who} opens {opened} cell{'s' * (opened > 1)}."
            )
        self.view = view
        self.picture = text.draw(view, self.players)

    def _ask(self, question: Question | None) -> None:
        self._question = question
        if question is None or self._view is None:
            self.sentence, self.answers = "", ()
        else:
            self.sentence = text.ask(question, self._view)
            self.answers = tuple(text.write(option) for option in question.choices)

    def _finish(self, code: int) -> None:
        """The end of a round. In the last one anything but 2 means that we lost it: servers differ there."""
        self._ask(None)
        final = max(self._count, len(self.players)) <= 2
        if code == 2:
            self.news.append("You win the tournament.")
        elif final:
            self.news.append("You lose the final.")
        elif code == 0:
            self.news.append("You are out, and look on from now on.")
        else:
            self.news.append("You are through to the next round.")
        if code == 2 or final:
            self._end()

    def _end(self) -> None:
        self._ask(None)
        self.over, self.mover, self.alarm = True, None, None


def ascii_name(nickname: str) -> str:
    """A nickname that every server takes: ASCII, on one line, not empty."""
    plain = unicodedata.normalize("NFKD", nickname).encode("ascii", "ignore").decode()
    return " ".join("".join(sign if sign.isprintable() else " " for sign in plain).split())[:32] or "player"


def _is_number(part: str) -> bool:
    return part.isascii() and part.isdecimal() and len(part) <= DIGITS_MAX


def _place(cell: int, view: View) -> tuple[int, int]:
    return cell % view.width, cell // view.width
