"""A player's side of the seed's protocol, for any server that speaks it, the original one included."""

from collections.abc import Mapping
from itertools import chain
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from ludoteca.games.santorini.data import CELLS, COLOURS, NUMBERS, SIDE, Cell
from ludoteca.games.santorini.text import draw, name_of
from ludoteca.games.santorini.view import View, Worker
from ludoteca.games.santorini.wire import messages as m
from ludoteca.wire.caller import JsonCaller, Reader, Sequel

# The protocol asks for a date of birth, which decides who begins; ours is in the middle of most people's.
BORN = "1990.01.01"
NAMES_MAX = 9
_PHASES = {
    "SETUP_CARDS": "gods",
    "SETUP_COLOR": "colour",
    "SETUP_BUILDERS": "place",
    "GAME": "play",
}
_STEPS: dict[m.WireStep, str] = {"MOVE": "move", "BUILD": "build", "END": "end"}


# Not every server says all that ours does.


class AnyState(msgspec.Struct, frozen=True, tag="stateUpdate"):
    """Which part of the game begins, perhaps one that we do not know."""

    state: str


class EitherGods(msgspec.Struct, frozen=True, tag="setMatchGodCards"):
    """The gods of this match, under the name of the seed or that of the original."""

    result: bool = True
    godCardNames: list[str] = []
    godDescriptions: list[str] | dict[str, Any] = []


# What may be refused, and is not asked again by every server.
Judged = (
    EitherGods
    | m.GodCardAssigned
    | m.StartPlayerSet
    | m.ColorUpdated
    | m.BuildersPlaced
    | m.Moved
    | m.Built
    | m.StepChoiceSet
)
Question = (
    m.AskNumberOfPlayers
    | m.ErrorNumber
    | m.AskNickAndDate
    | m.ChooseMatchGodCards
    | m.AskGod
    | m.ChooseStartPlayer
    | m.AskColor
    | m.AskBuilders
    | m.AskStep
    | m.PossibleMoveDestinations
    | m.PossibleBuildDestinations
)
News = (
    m.Ping
    | m.PlayerAdded
    | AnyState
    | m.TurnUpdate
    | m.BuilderPushed
    | m.LossUpdate
    | m.LostUpdate
    | m.EndGame
    | m.PlayerDisconnected
    | m.WireError
    | m.Disconnect
)
Heard = Judged | Question | News
_READER: Reader[Heard] = Reader(Heard, strict=False)


class Client(JsonCaller[Heard]):
    """One player in one match."""

    def __init__(self, nickname: str) -> None:
        super().__init__(nickname, _READER)
        self._tries = 1
        self._view: View | None = None
        # Which of the own builders has acted since the last turnUpdate: servers may offer the other and
        # then refuse it.
        self._in_use: int | None = None

    def hear(self, message: Heard) -> None:
        """A message."""
        if isinstance(message, Judged):
            self._hear_judged(message)
        elif isinstance(message, Question):
            self._hear_question(message)
        else:
            self._hear_news(message)

    def _hear_judged(self, message: Judged) -> None:
        if not message.result:
            self.news.append("The server did not accept that.")
            self.ask_again()
            return
        match message:
            case EitherGods(godCardNames=names, godDescriptions=descriptions):
                gods = tuple(names or descriptions)
                self._show(offered=gods)
                self.news.append(f"On the table: {', '.join(gods)}.")
            case m.GodCardAssigned(name, god):
                if self._view is not None:
                    self._show(gods=_put(self._view.gods, self._seat(name), god))
                    self.news.append(f"{name} plays as {god}.")
            case m.StartPlayerSet(name):
                self.news.append(f"{name} begins.")
            case m.ColorUpdated(name, colour):
                if self._view is not None:
                    self._show(colours=_put(self._view.colours, self._seat(name), colour))
            case m.BuildersPlaced(name, cells):
                self._hear_placed(name, cells)
            case m.Moved(name, source, target):
                _check(source, target)
                self._use(name, source)
                self._carry(self._seat(name), source, target)
                self.news.append(f"{name} moves from {name_of(source)} to {name_of(target)}.")
            case m.Built():
                self._hear_built(message)
            case m.StepChoiceSet():
                pass
            case _:
                assert_never(message)

    def _hear_question(self, message: Question) -> None:
        match message:
            case m.AskNumberOfPlayers() | m.ErrorNumber():
                self.ask(
                    "You open this game: for how many players?",
                    {f"{count} players": m.SetNumberOfPlayers(count) for count in (2, 3)},
                )
            case m.AskNickAndDate():
                self.say(m.AddPlayer(self.nickname, BORN))
            case m.ChooseMatchGodCards(wanted, cards):
                self._choose_gods(cards, wanted, [])
            case m.AskGod(cards, taken):
                left = {god: text for god, text in cards.items() if god not in taken}
                self.news += [f"{god}: {text}" for god, text in left.items()]
                self.ask("Choose your god.", {f"take {god}": m.SetGodCard(god) for god in left})
            case m.ChooseStartPlayer(players):
                self.ask("Choose who begins.", {f"start {name}": m.SetStartPlayer(name) for name in players})
            case m.AskColor(taken):
                free = [colour for colour in COLOURS if colour not in taken]
                self.ask(
                    "Choose your colour.",
                    {f"colour {one.lower().replace('_', ' ')}": m.ColorUpdate(one) for one in free},
                )
            case m.AskBuilders():
                self._place([])
            case m.AskStep(possible):
                steps = {_STEPS[step]: m.SetStepChoice(step) for step in possible}
                self.ask(f"{' or '.join(steps).capitalize()}?", steps)
            case m.PossibleMoveDestinations(lists):
                _check(*chain.from_iterable(lists))
                self._ask_move(lists)
            case m.PossibleBuildDestinations(lists):
                _check(*chain.from_iterable(lists))
                self._ask_build(lists)
            case _:
                assert_never(message)

    def _hear_news(self, message: News) -> None:
        match message:
            case m.Ping():
                self.say(m.Pong())
            case m.PlayerAdded(name, result):
                self._hear_added(name, result)
            case AnyState(state):
                if state in _PHASES:
                    self._show(phase=_PHASES[state])
            case m.TurnUpdate(name):
                self._in_use = None
                self.mover = self._seat(name)
                self._show(seat=self.mover)
            case m.BuilderPushed(name, source, target):
                _check(source, target)
                self._carry(self._seat(name), source, target)
                self.news.append(f"{name}'s worker is pushed to {name_of(target)}.")
            case m.LossUpdate(name) | m.LostUpdate(name):
                self._hear_lost(name)
            case m.EndGame(winner):
                if winner in self.players:
                    self._show(winner=self._seat(winner), phase="over")
                self.news.append("You win." if winner == self.nickname else f"{winner} wins.")
                self.end()
            case m.PlayerDisconnected(name):
                self.news.append(f"{name} has left.")
            case m.WireError(description):
                self.news.append(f"The server says: {description}")
            case m.Disconnect():
                self.end()
            case _:
                assert_never(message)

    # Setting up.

    def _hear_added(self, name: str, result: bool) -> None:
        if result:
            self.players = (*self.players, name)
            self.mine = self.players.index(self.nickname) if self.nickname in self.players else None
            self.news.append(f"{name} plays.")
        elif self._tries < NAMES_MAX:
            self._tries += 1
            self.nickname = f"{self.nickname.split('_')[0]}_{self._tries}"
            self.say(m.AddPlayer(self.nickname, BORN))

    def _choose_gods(self, cards: Mapping[str, str], wanted: int, chosen: list[str]) -> None:
        """One god after the other; the message goes out with the last, under the seed's
        name and the original's."""
        if len(chosen) == wanted:
            self.say(m.SetMatchGodCards(chosen, chosen))
            return

        def after(god: str) -> Sequel:
            return lambda: self._choose_gods(cards, wanted, [*chosen, god])

        left = wanted - len(chosen)
        self.ask(
            f"Put {left} more gods on the table." if left > 1 else "Put one more god on the table.",
            {f"offer {god}": after(god) for god in cards if god not in chosen},
        )

    def _place(self, chosen: list[Cell]) -> None:
        if len(chosen) == 2:
            self.say(m.BuildersPlacement(chosen))
            return

        def after(cell: Cell) -> Sequel:
            return lambda: self._place([*chosen, cell])

        taken = {Cell(worker.i, worker.j) for worker in self._view.workers} if self._view else set()
        free = [cell for cell in CELLS if cell not in taken and cell not in chosen]
        number = len(chosen) + 1
        self.ask(
            f"Place worker {number} on a free space.",
            {f"place {name_of(cell)}": after(cell) for cell in free},
        )

    def _hear_placed(self, name: str, cells: list[Cell]) -> None:
        if self._view is None:
            return
        _check(*cells)
        seat = self._seat(name)
        placed = [Worker(seat, number, cell.i, cell.j) for number, cell in enumerate(cells, 1)]
        self._show(workers=(*self._view.workers, *placed))
        self.news.append(f"{name} places workers on {' and '.join(map(name_of, cells))}.")

    # Playing.

    def _ask_move(self, lists: list[list[Cell]]) -> None:
        self.ask(
            "Move one of your workers.",
            {
                f"move {name_of(source)} {name_of(target)}": m.MoveBuilder(source, target)
                for source, cells in zip(self._workers(), self._usable(lists[:2]), strict=False)
                for target in cells
            },
        )

    def _ask_build(self, lists: list[list[Cell]]) -> None:
        builds: dict[str, Sequel] = {}
        workers = self._workers()
        # Blocks by builder 1 and 2, then domes by builder 1 and 2.
        for index, cells in enumerate(self._usable(lists[:4])):
            source, dome = workers[index % 2], index >= 2
            for target in cells:
                words = f"{'dome' if dome else 'build'} {name_of(source)} {name_of(target)}"
                builds[words] = m.BuildWith(source, target, dome)
        self.ask("Build.", builds)

    def _usable(self, lists: list[list[Cell]]) -> list[list[Cell]]:
        """The lists of the builder that acts in this turn; all, where none has acted or only
        the other still can."""
        if self._in_use is None:
            return lists
        own = [cells if number % 2 == self._in_use else [] for number, cells in enumerate(lists)]
        return own if any(own) else lists

    def _use(self, name: str, source: Cell) -> None:
        if name == self.nickname and source in self._workers():
            self._in_use = self._workers().index(source)

    def _carry(self, seat: int, source: Cell, target: Cell) -> None:
        if self._view is not None:
            self._show(
                workers=tuple(
                    Worker(seat, one.number, target.i, target.j)
                    if (one.seat, one.i, one.j) == (seat, source.i, source.j)
                    else one
                    for one in self._view.workers
                )
            )

    def _hear_built(self, message: m.Built) -> None:
        if self._view is None:
            return
        _check(message.src, message.dst)
        self._use(message.name, message.src)
        cell, dome = message.dst, message.buildDome
        levels, domes = self._view.levels, self._view.domes
        if dome:
            domes = _put(domes, cell.i, _put(domes[cell.i], cell.j, True))
        else:
            levels = _put(levels, cell.i, _put(levels[cell.i], cell.j, levels[cell.i][cell.j] + 1))
        self._show(levels=levels, domes=domes)
        self.news.append(f"{message.name} builds {'a dome' if dome else 'a block'} on {name_of(cell)}.")

    def _hear_lost(self, name: str) -> None:
        seat = self._seat(name)
        if self._view is not None and not self._view.out[seat]:
            left = tuple(worker for worker in self._view.workers if worker.seat != seat)
            self._show(workers=left, out=_put(self._view.out, seat, True))
            self.news.append(f"{name} is out.")

    # What is known.

    def _seat(self, name: str) -> int:
        return self.players.index(name)

    def _workers(self) -> list[Cell]:
        mine = (
            {one.number: Cell(one.i, one.j) for one in self._view.workers if one.seat == self.mine}
            if self._view
            else {}
        )
        return [mine[number] for number in sorted(mine)]

    def _show(self, **changes: Any) -> None:
        if self._view is None:
            if not self.players:
                return
            self._view = _empty(len(self.players))
        self._view = replace(self._view, **changes)
        self.view = self._view
        self.picture = draw(self._view, self.players)


def _empty(seats: int) -> View:
    blank = tuple((0,) * SIDE for _ in range(SIDE))
    return View(
        phase="gods",
        seat=0,
        order=tuple(range(seats)),
        start=0,
        offered=(),
        gods=("",) * seats,
        colours=(None,) * seats,
        levels=blank,
        domes=tuple((False,) * SIDE for _ in range(SIDE)),
        workers=(),
        out=(False,) * seats,
        tokens=(0,) * seats,
        winner=None,
    )


def _check(*cells: Cell) -> None:
    """Raises KeyError for a cell that is not on the board."""
    for cell in cells:
        NUMBERS[cell]


def _put(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])
