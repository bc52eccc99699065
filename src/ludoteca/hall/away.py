"""Who is away, or thinks too long: for how long a table waits for them, and what becomes of their chairs."""

from ludoteca.core.notices import Left, LeftCode
from ludoteca.hall.table import Table
from ludoteca.journal.records import WentAway


def lost(table: Table, seat: int, now: float) -> None:
    """The player's connection is gone: the chair waits for the grace time, where the table grants one."""
    chair = table.chair(seat)
    chair.guest, chair.away_since = None, now
    table.stir()
    if table.course.waits_alone(seat):
        _wait_for(table, seat)
        table.company.tell(Left(seat, chair.name, code="waits"))
    elif table.terms.absence == "end" and table.phase == "playing":
        depart(table, seat, "", now)
    else:
        table.company.tell(Left(seat, chair.name, table.terms.grace_s))


def _wait_for(table: Table, seat: int) -> None:
    """Stop the clocks of an absent player: the table waits for as long as the house keeps it."""
    table.chair(seat).away_since = None
    table.asked.wind(seat, None)


def depart(table: Table, seat: int, reason: str, now: float, code: LeftCode = "left") -> None:
    """The player is gone for good: a bot takes over where the table wants it, else the rules decide."""
    chair = table.chair(seat)
    chair.away_since = None
    if chair.left or table.phase != "playing":
        return
    if table.terms.absence == "bot" and not reason:
        if chair.stand_in is None:
            chair.stand_in = table.stand_in(table, seat)
            table.company.tell(
                Left(seat, chair.name, gone=True, reason="a bot holds the chair", code="stand-in")
            )
            if seat in table.asked:
                table.ask_again(chair.stand_in, seat)
        return
    table.company.tell(Left(seat, chair.name, gone=True, reason=reason, code=code), but=seat)
    table.after(table.keep(WentAway(seat, reason, chair.gave_up), now), None, now)


def due(table: Table) -> float | None:
    """When `tick` has something to do, or None."""
    first: float | None = None
    for chair in table.chairs:
        if chair is not None and chair.away_since is not None and not table.course.closed:
            end = chair.away_since + table.terms.grace_s
            first = end if first is None else min(first, end)
    if table.asked.move_s and table.phase == "playing":
        for seat, end in table.asked.ends():
            if not table.chair(seat).bot:
                first = end if first is None else min(first, end)
    return first


def tick(table: Table, now: float) -> None:
    """Whoever stayed away too long, or thought too long, is gone."""
    for seat, chair in list(table.taken()):
        if chair.away_since is not None and now >= chair.away_since + table.terms.grace_s:
            if table.phase == "open":
                table.stand(seat, now)
            elif table.course.waits_alone(seat):
                _wait_for(table, seat)
            else:
                depart(table, seat, "", now)
    for seat, end in list(table.asked.ends()):
        if now >= end and not table.chair(seat).bot and table.phase == "playing":
            table.asked.wind(seat, None)
            if table.chair(seat).guest is not None or not table.course.waits_alone(seat):
                depart(table, seat, "the time for this decision ran out", now, "time")
