"""What gates and the hall say to each other means the same on both sides, for every game there is."""

from typing import Any, get_args

import msgspec
import pytest

from ludoteca import games
from ludoteca.core import Game, Notice, Outcome, Request, Seat
from ludoteca.core.notices import (
    Asked,
    Counts,
    Declined,
    Happened,
    Listed,
    Lobby,
    Over,
    Sat,
    Seated,
    Shown,
    Sitter,
    Stood,
    TableInfo,
    Tables,
)
from ludoteca.core.requests import Act, Open, Seek, Terms, Why
from ludoteca.server.cluster import words
from ludoteca.server.cluster.words import Come, Tell, Want
from ludoteca.testing.walks import default_setups, play


def there(notice: Notice, game: Game | None) -> Notice:
    """A notice on the other side, by way of a message."""
    told = words.encode(Tell(1, (msgspec.Raw(words.written(notice)),)))
    word = words.decode_hall(told)
    assert isinstance(word, Tell)
    return words.read(word.notices[0], game)


@pytest.mark.parametrize("name", games.names())
def test_a_match_looks_the_same_from_the_other_side_of_a_gate(name: str) -> None:
    game = games.load(name)
    setup = default_setups(game)[0]
    seen = set[type]()
    for turn in play(game, setup):
        for seat in (Seat(0), None):
            told: list[Notice] = [Happened(turn.number, tuple(turn.events))]
            if not turn.number % 10:
                told.append(Shown(turn.number, game.view(turn.state, seat)))
            told += [Asked(turn.number, question) for question in turn.state.questions.values()]
            for notice in told:
                found = there(notice, game)
                if isinstance(notice, Asked):
                    assert isinstance(found, Asked)
                    assert found.question.kind == notice.question.kind
                    assert found.question.choices == tuple(notice.question.choices)
                else:
                    assert found == notice
                seen.add(type(notice))
        if turn.seat is not None:
            request = Act((turn.action,), 5)
            word: Any = words.decode_gate(words.encode(Want(1, (request, Why((turn.action,))))))
            assert [words.wanted(one, game) for one in word.requests] == [request, Why((turn.action,))]
            declined = Declined(request, "no", "turn")
            assert there(declined, game) == declined
        if turn.state.outcome is not None:
            assert there(Over(turn.state.outcome), game) == Over(turn.state.outcome)
            seen.add(Over)
    assert seen == {Happened, Shown, Asked, Over}
    sitter = Sitter("Anna", "Anna", "house", preference=game.preferences())
    info = TableInfo("t1", name, "table-1", "open", (sitter, None), game.options(), Terms(), 5)
    listed = Listed(info, msgspec.Raw(msgspec.json.encode(info)))
    for notice in (Seated(info, 0, "token", 2), Sat(0, sitter), Stood(0, sitter, back=True)):
        assert there(notice, game) == notice
    tables = there(Tables((listed,), "more"), None)
    assert isinstance(tables, Tables)
    assert (tables.tables[0].info, bytes(tables.tables[0].data)) == (info, bytes(listed.data))
    lobby = there(Lobby("", "all", "", (listed,), (msgspec.Raw(b'{"a":1}'),), Counts(open=1), {}), None)
    assert isinstance(lobby, Lobby)
    assert [bytes(lobby.tables[0].data), bytes(lobby.finished[0])] == [bytes(listed.data), b'{"a":1}']


def test_every_request_and_every_notice_has_a_way_through() -> None:
    for kind in get_args(Request):
        request = kind(**_filled(kind))
        word: Any = words.decode_gate(words.encode(Want(1, (request,))))
        assert words.wanted(word.requests[0], None) == request
        come = words.decode_gate(words.encode(Come(1, "house", "::1", "house key", (request,))))
        assert isinstance(come, Come)
    for kind in get_args(Notice):
        if kind not in (Asked, Seated, Sat, Stood, Over, Declined, Tables, Lobby):
            notice = kind(**_filled(kind))
            assert type(there(notice, None)) is kind


def test_options_that_a_protocol_has_typed_arrive_as_the_hall_understands_them() -> None:
    game = games.load("multisweeper")
    request = Seek(
        "multisweeper", Open("multisweeper", options=game.options(), preference=game.preferences())
    )
    word: Any = words.decode_gate(words.encode(Want(1, (request,))))
    assert msgspec.convert(word.requests[0].otherwise.options, game.options) == game.options()


def test_an_outcome_without_scores_is_one() -> None:
    assert there(Over(Outcome((1, 2), "so")), None) == Over(Outcome((1, 2), "so"))


def _filled(kind: Any) -> dict[str, Any]:
    """Something for every field that must be given."""
    simple: dict[Any, Any] = {str: "word", int: 3, float: 1.5, bool: True, bytes: b"data"}
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.required:
            wanted = field.type
            if wanted in simple:
                found[field.name] = simple[wanted]
            elif wanted is Counts:
                found[field.name] = Counts()
            elif getattr(wanted, "__origin__", None) is tuple:
                found[field.name] = ()
            elif getattr(wanted, "__origin__", None) is dict:
                found[field.name] = {}
            else:
                found[field.name] = None
    return found
