"""Reasons: why what somebody wants to do is not legal, as far as that seat may know."""

from ludoteca.core import Refused, Seat
from ludoteca.core.notices import Reasoned
from ludoteca.core.requests import Why
from ludoteca.core.why import Attempt, why_not
from ludoteca.hall.guest import Guest
from ludoteca.hall.post import Post
from ludoteca.hall.table import Table


def explain(guest: Guest, table: Table | None, request: Why, post: Post) -> None:
    """Tell a guest why not. The game is given the seat's view and question, and nothing that is hidden from
    it. Raises Refused."""
    seat = guest.seat
    if table is None or seat is None:
        raise Refused("you sit at no table", "seat")
    table.asked.check(seat, request.at, table.phase)
    pending = table.asked.get(seat)
    assert pending is not None
    if not request.actions:
        raise Refused("say which action", "message")
    game = table.game
    view = game.view(table.match.state, Seat(seat))
    attempt = Attempt(view, seat, pending.question, request.actions, table.info().names)
    post.letter(guest, Reasoned(pending.number, why_not(game.why, attempt)))
