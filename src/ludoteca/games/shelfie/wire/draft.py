"""What the player to move has chosen and not yet confirmed: known to one connection only."""

from ludoteca.core import Question
from ludoteca.games.shelfie.actions import TakeTiles
from ludoteca.games.shelfie.data import Cell
from ludoteca.games.shelfie.wire.expected import Stage


class Draft:
    """A selection of tiles, or a column for those taken. It is valid when the question has such an option."""

    __slots__ = ("cells", "column", "number", "question")

    def __init__(self, number: int, question: Question) -> None:
        self.number = number
        self.question = question
        self.cells: list[Cell] = []
        self.column: int | None = None

    @property
    def stage(self) -> Stage:
        """What the player has to say next."""
        if self.question.kind == "take":
            return Stage.TAKING
        return Stage.FILLING if self.column is None else Stage.ORDERING

    @property
    def take(self) -> TakeTiles:
        """The selection as the rules know it."""
        return TakeTiles(tuple(sorted(self.cells)))

    def pick(self, cell: Cell) -> bool:
        """Add a tile, if what is selected then could be taken."""
        return self._select([*self.cells, cell])

    def unpick(self, cell: Cell) -> bool:
        """Give a tile back, if the others still lie in one line without it."""
        return cell in self.cells and self._select([other for other in self.cells if other != cell])

    def _select(self, cells: list[Cell]) -> bool:
        if cells and TakeTiles(tuple(sorted(cells))) not in self.question.choices:
            return False
        self.cells = cells
        return True

    def choose_column(self, column: int) -> bool:
        """Choose a column, if the tiles fit in; it cannot be changed afterwards."""
        if all(option.column != column for option in self.question.choices):
            return False
        self.column = column
        return True
