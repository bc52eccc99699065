"""What has happened, and what is asked, in the messages of the protocol."""

from collections.abc import Iterator, Sequence

from ludoteca.core import Question
from ludoteca.games.santorini import events
from ludoteca.games.santorini.actions import Build, Finish, Move
from ludoteca.games.santorini.data import CARDS, Cell
from ludoteca.games.santorini.view import View, update
from ludoteca.games.santorini.wire.messages import (
    AskBuilders,
    AskColor,
    AskGod,
    AskStep,
    BuilderPushed,
    BuildersPlaced,
    Built,
    ChooseMatchGodCards,
    ChooseStartPlayer,
    ColorUpdated,
    EndGame,
    GodCardAssigned,
    LossUpdate,
    LostUpdate,
    MatchGodCards,
    Moved,
    PlayerDisconnected,
    PossibleBuildDestinations,
    PossibleMoveDestinations,
    ServerMessage,
    StartPlayerSet,
    StateUpdate,
    TurnUpdate,
    WireStep,
)


class News:
    """The table as one client was told of it, folded from the view and the events.

    In play `view` is not kept up to date in what nobody is told of again: towers, builders, whose turn it is.
    Who decides, and where builders stand, is known apart, because it changes with every message.
    """

    def __init__(self, view: View, names: Sequence[str]) -> None:
        self.view = view
        self.names = names
        self._seat = view.seat
        self._builders: list[list[Cell | None]] = [[None, None] for _ in names]
        for worker in view.workers:
            self._builders[worker.seat][worker.number - 1] = Cell(worker.i, worker.j)
        # Who is out, but told only after the turn has passed on.
        self._lost: list[str] = []

    # From the start, or in the middle

    def opening(self) -> list[ServerMessage]:
        """The match begins: the Challenger decides."""
        return [StateUpdate("SETUP_CARDS"), TurnUpdate(self.names[self.view.seat])]

    def summary(self) -> list[ServerMessage]:
        """The way to where the match stands now, for somebody who comes back and has forgotten everything."""
        view, names = self.view, self.names
        told: list[ServerMessage] = [StateUpdate("SETUP_CARDS")]
        if len(view.offered) == len(view.order):
            told.append(_match_gods(view))
        told += [GodCardAssigned(names[seat], god, True) for seat, god in enumerate(view.gods) if god]
        if view.phase not in ("gods", "god", "start"):
            told += [StartPlayerSet(names[view.start], True), StateUpdate("SETUP_COLOR")]
            told += [
                ColorUpdated(names[seat], colour, True) for seat, colour in enumerate(view.colours) if colour
            ]
        if view.phase in ("place", "play", "over"):
            told.append(StateUpdate("SETUP_BUILDERS"))
            told += [placed for seat in view.order if (placed := self._placed(seat)) is not None]
        if view.phase in ("play", "over"):
            told.append(StateUpdate("GAME"))
            told += self._buildings()
            told += [loss for seat in view.order if view.out[seat] for loss in _loss(names[seat])]
        told.append(TurnUpdate(names[view.seat]))
        return told

    def _buildings(self) -> Iterator[ServerMessage]:
        """The towers, block by block: the protocol has no other word for their height."""
        worker = self.view.workers[0]
        name, source = self.names[worker.seat], Cell(worker.i, worker.j)
        for i, row in enumerate(self.view.levels):
            for j, level in enumerate(row):
                for dome in [False] * level + [True] * self.view.domes[i][j]:
                    yield Built(name, source, Cell(i, j), dome, True)

    def _placed(self, seat: int) -> BuildersPlaced | None:
        cells = [Cell(worker.i, worker.j) for worker in self.view.workers if worker.seat == seat]
        return BuildersPlaced(self.names[seat], cells, True) if len(cells) == 2 else None

    # Events

    def tell(self, event: events.Event) -> list[ServerMessage]:
        """One event."""
        names = self.names
        phase = self.view.phase
        if type(event) is events.Built:
            return [Built(names[event.seat], event.source, event.target, event.dome, True)]
        if type(event) is events.Moved:
            self._builders[event.seat][event.number - 1] = event.target
            return [Moved(names[event.seat], event.source, event.target, True)]
        if type(event) is events.TurnBegan:
            self._seat = event.seat
            if phase == "play":
                return self._pass_turn(names[event.seat])
        self.view = view = update(self.view, event)
        match event:
            case events.TurnBegan(seat=seat):
                return self._turn(names[seat], phase)
            case events.GodOffered():
                return [_match_gods(view)] if len(view.offered) == len(view.order) else []
            case events.GodTaken(seat=seat, god=god):
                return [GodCardAssigned(names[seat], god, True)]
            case events.StartChosen(seat=seat):
                return [StartPlayerSet(names[seat], True)]
            case events.ColourChosen(seat=seat, colour=colour):
                return [ColorUpdated(names[seat], colour, True)]
            case events.Placed(seat=seat, number=number, cell=cell):
                self._builders[seat][number - 1] = cell
                placed = self._placed(seat)
                return [placed] if placed is not None else []
            case events.Pushed(seat=seat, number=number, source=source, target=target):
                self._builders[seat][number - 1] = target
                return [BuilderPushed(names[seat], source, target)]
            case events.Lost(seat=seat):
                self._lost.append(names[seat])
                return []
            case events.Won(seat=seat):
                # Where the last rival could not go on, the turn passes to the winner; nobody is told
                # of a loss.
                passed: list[ServerMessage] = [TurnUpdate(names[seat])] if self._lost else []
                return [*passed, EndGame(names[seat])]
            case events.BrokenOff(seat=seat):
                return [PlayerDisconnected(names[seat])]
        return []

    def _turn(self, name: str, before: str) -> list[ServerMessage]:
        """The turn passes in the setup, and perhaps another part of the game begins."""
        match before, self.view.phase:
            case "start", "colour":
                return [StateUpdate("SETUP_COLOR")]
            case "colour", "place":
                return [TurnUpdate(name), StateUpdate("SETUP_BUILDERS")]
            case "place", "play":
                return [TurnUpdate(name), StateUpdate("GAME")]
        return [TurnUpdate(name)]

    def _pass_turn(self, name: str) -> list[ServerMessage]:
        """The turn passes in play, after which a loss is told."""
        if not self._lost:
            return [TurnUpdate(name)]
        losses = [loss for loser in self._lost for loss in _loss(loser)]
        self._lost = []
        return [TurnUpdate(name), *losses]

    # Questions

    def ask(self, question: Question) -> ServerMessage:
        """A question of the setup, or the choice of a step where there is one."""
        view = self.view
        match question.kind:
            case "gods":
                wanted = len(view.order) - len(view.offered)
                return ChooseMatchGodCards(wanted, {one.god: CARDS[one.god].text for one in question.choices})
            case "god":
                taken = [god for god in view.gods if god]
                return AskGod({god: CARDS[god].text for god in view.offered}, taken)
            case "start":
                return ChooseStartPlayer([self.names[seat] for seat in view.order])
            case "colour":
                return AskColor([colour for colour in view.colours if colour is not None])
            case "place":
                return AskBuilders()
        return AskStep(steps(question))

    def destinations(
        self, question: Question, step: WireStep
    ) -> PossibleMoveDestinations | PossibleBuildDestinations:
        """Where each of the two builders can go, or build."""
        first = self.workers()[0]
        lists: list[list[Cell]] = [[], [], [], []]
        if step == "MOVE":
            for option in question.choices:
                if type(option) is Move:
                    lists[option.source != first].append(option.target)
            return PossibleMoveDestinations(lists[:2])
        for option in question.choices:
            if type(option) is Build:
                lists[(option.source != first) + 2 * option.dome].append(option.target)
        return PossibleBuildDestinations(lists)

    def workers(self) -> list[Cell | None]:
        """Where the two workers of the seat stand that decides now."""
        return self._builders[self._seat]


def steps(question: Question) -> list[WireStep]:
    """What a question in play leaves open."""
    kinds = {type(option) for option in question.choices}
    ways: list[tuple[type, WireStep]] = [(Move, "MOVE"), (Build, "BUILD"), (Finish, "END")]
    return [step for kind, step in ways if kind in kinds]


def _match_gods(view: View) -> MatchGodCards:
    return MatchGodCards(list(view.offered), list(view.offered), True)


def _loss(name: str) -> tuple[ServerMessage, ServerMessage]:
    """The word of the seed and that of the original, each of which ignores the other's."""
    return LossUpdate(name), LostUpdate(name)
