"""Small changes to source text, each of which a test should notice. Nothing here runs anything."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
}
# What stands where the types have proven that nobody comes, and what only a person at a debugger reads.
_UNREACHABLE = {"AssertionError", "NotImplementedError", "assert_never"}
_UNREAD = {"__repr__"}


class Mutant(NamedTuple):
    """One changed place: `before` became `after` at this line, and `source` is the whole text with it."""

    line: int
    before: str
    after: str
    source: str

    @property
    def change(self) -> str:
        """The change on one line."""
        return f"{' '.join(self.before.split())} -> {' '.join(self.after.split())}"


def mutants(source: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    data = source.encode()
    found: dict[bytes, Mutant] = {}
    for old, after in _changes(ast.parse(source)):
        begin = starts[old.lineno - 1] + old.col_offset
        end = starts[(old.end_lineno or old.lineno) - 1] + (old.end_col_offset or 0)
        changed = data[:begin] + after.encode() + data[end:]
        mutant = Mutant(old.lineno, data[begin:end].decode(), after, changed.decode())
        if changed != data:
            found.setdefault(changed, mutant)
    return sorted(found.values(), key=lambda mutant: mutant.line)


_Place = ast.expr | ast.stmt


def _changes(node: ast.AST, building: bool = False) -> Iterator[tuple[_Place, str]]:
    """Pairs of a node and the text to put in its place."""
    building = building or (isinstance(node, ast.FunctionDef) and node.name == "__init__")
    # Without an attribute nothing works at all: only what it is set to is worth a question.
    if not (building and isinstance(node, ast.Assign)):
        yield from _of_node(node)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        if name == "keywords" and isinstance(node, ast.ClassDef):
            continue  # Whether records can be changed is what mypy looks after.
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _nobody_looks(child):
                yield from _changes(child, building)


def _nobody_looks(node: ast.AST) -> bool:
    match node:
        case ast.Expr(ast.Constant()):
            return True  # A docstring.
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name))) | ast.Raise(exc=ast.Name(id=name)):
            return name in _UNREACHABLE
        case ast.Expr(ast.Call(func=ast.Name(id=name))):
            return name in _UNREACHABLE
        case ast.FunctionDef(name=name):
            return name in _UNREAD
        case ast.ClassDef(bases=[ast.Name(id="Protocol")]):
            return True
        case ast.Assign(targets=[ast.Name(id="__slots__" | "__all__")]) | ast.Assert():
            return True
    return False


def _of_node(node: ast.AST) -> Iterator[tuple[_Place, str]]:
    match node:
        case ast.Compare(left=left, ops=[op, *ops], comparators=comparators) if type(op) in _COMPARISONS:
            yield node, _text(ast.Compare(left, [_COMPARISONS[type(op)](), *ops], comparators))
        case ast.BoolOp(op=op, values=values):
            yield node, _text(ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, _text(operand)
        case ast.Constant(value=bool() as value):
            yield node, repr(not value)
        case ast.Constant(value=int() | float() as number):
            yield node, repr(number + 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            yield node, _text(ast.BinOp(left, _ARITHMETIC[type(op)](), right))
        case ast.If(test=test) | ast.IfExp(test=test) if not _turned_anyway(test):
            yield test, f"(not {_text(test)})"
        case ast.Return(value=ast.expr() as value) if _text(value) != "None":
            yield node, "return None"
        case ast.Call(func=func, args=[first, second, *more], keywords=keywords):
            # Others hardly ever have the same type, which mypy would tell.
            if type(first) is type(second) and not isinstance(first, ast.Starred):
                yield node, _text(ast.Call(func, [second, first, *more], keywords))
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield node, "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript() | ast.Tuple(elts=[ast.Attribute(), *_])]):
            yield node, "pass"


def _turned_anyway(test: ast.expr) -> bool:
    """Whether its own mutant says the contrary already."""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot() | ast.In() | ast.NotIn()]):
            return True
    return False


def _text(node: ast.expr) -> str:
    text = ast.unparse(ast.fix_missing_locations(node))
    # Put where another expression stood, so nothing around it may bind tighter.
    return text if isinstance(node, ast.Name | ast.Call | ast.Constant | ast.Attribute) else f"({text})"
