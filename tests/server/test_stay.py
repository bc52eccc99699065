"""Somebody at a gate whose hall is lost: what the next one tells is news or known already, and what the first
one had not answered is wanted again unless it was done."""

from typing import Any

from ludoteca import games
from ludoteca.core import Notice, Question
from ludoteca.core.notices import (
    Asked,
    Declined,
    Entered,
    Gone,
    Happened,
    Left,
    Over,
    Returned,
    Said,
    Sat,
    Seated,
    Shown,
    Sitter,
    Stood,
    TableInfo,
)
from ludoteca.core.requests import (
    Act,
    Enter,
    Leave,
    Look,
    Open,
    Ready,
    Request,
    Say,
    Seek,
    Terms,
    Unlock,
    Watch,
)
from ludoteca.hall.guest import Guest, GuestId
from ludoteca.server.cluster.stay import Stay
from ludoteca.server.front import Shell


class Nobody:
    """A shell that hears nothing."""

    def tell(self, notices: list[Notice], now: float) -> None:
        raise AssertionError

    def pause(self, paused: bool) -> None:
        raise AssertionError

    def is_behind(self) -> bool:
        return False

    def fail(self) -> None:
        raise AssertionError

    finish = fail


def sitter(name: str, **more: Any) -> Sitter:
    return Sitter(name, name, "house", **more)


def table(*chairs: Sitter | None, phase: Any = "playing") -> TableInfo:
    options = games.load("multisweeper").options()
    return TableInfo("t1", "multisweeper", "table-1", phase, chairs, options, Terms(), 0)


def asked(number: int, **more: Any) -> Asked:
    return Asked(number, Question("click", ()), **more)


def at_table(phase: Any = "playing", protocol: str = "house") -> Stay:
    """Anna, who sits with Bruno and has been told of record 9 and asked there."""
    shell: Shell = Nobody()
    stay = Stay(Guest(GuestId(7), protocol, address="1.2.3.4"), shell, "house ")
    stay.want([Enter("Anna"), Open("multisweeper")], 1)
    told: list[Notice] = [
        Entered("Anna"),
        Seated(table(sitter("Anna"), sitter("Bruno"), phase=phase), 0, "secret"),
    ]
    if phase == "playing":
        told += [Shown(4, None), Happened(8, ()), Said(9, "Bruno", "ciao"), asked(9)]
    for notice in told:
        assert stay.hear(notice) is notice
    stay.told(1)
    return stay


def back(stay: Stay, *told: Notice) -> tuple[list[Notice], list[Request], str]:
    """Another hall answers so."""
    stay.come()
    stay.gathered = list(told)
    return stay.settle()


def again(phase: Any = "playing", **bruno: Any) -> Seated:
    return Seated(table(sitter("Anna"), sitter("Bruno", **bruno), phase=phase), 0)


def test_who_has_a_seat_comes_by_its_token_and_from_the_last_record_told() -> None:
    come = at_table().come()
    assert (come.guest, come.table, come.token, come.since, come.wants) == (7, "t1", "secret", 9, ())


def test_what_was_told_already_is_not_told_again() -> None:
    stay = at_table()
    told = (Entered("Anna"), again(), asked(9, again=True))
    assert back(stay, *told) == ([], [], "")


def test_who_comes_by_name_is_shown_all_anew_only_when_something_happened_and_then_asked_again() -> None:
    stay = at_table()
    told = (Entered("Anna"), again(), Shown(9, None), asked(9, again=True))
    assert back(stay, *told) == ([], [], ""), "a conversation that forgets what is asked takes no answer"
    stay = at_table()
    told = (Entered("Anna"), again(), Shown(10, None), asked(9, again=True))
    assert back(stay, *told) == ([Shown(10, None), asked(9)], [], "")


def test_what_happened_meanwhile_is_told_and_the_question_is_a_new_one() -> None:
    stay = at_table()
    news, wanted, wrong = back(stay, Entered("Anna"), again(), Happened(11, ()), asked(11, again=True))
    assert (news, wanted, wrong) == ([Happened(11, ()), asked(11)], [], "")


def test_an_answer_that_was_lost_is_given_again_and_one_that_was_taken_is_not() -> None:
    lost, taken = at_table(), at_table()
    for stay in (lost, taken):
        (given,) = stay.want([Act(("click",))], 2)
        assert given == Act(("click",), 9), "protocols that know no numbers of questions get one"
    assert back(lost, again(), asked(9, again=True)) == ([], [Act(("click",), 9)], "")
    news = (Happened(10, ()), asked(12))
    assert back(taken, again(), *news[:1], asked(12, again=True)) == ([*news], [], "")
    gone = at_table()
    gone.want([Act(("click",))], 2)
    assert back(gone, again(), Happened(10, ())) == ([Happened(10, ())], [], "")


def test_what_was_said_is_said_once() -> None:
    lost, heard = at_table(), at_table()
    for stay in (lost, heard):
        stay.want([Say("salve")], 2)
    assert back(lost, again(), asked(9, again=True)) == ([], [Say("salve")], "")
    mine = Said(10, "Anna", "salve")
    assert back(heard, again(), mine, asked(9, again=True)) == ([mine], [], "")


def test_the_end_of_a_match_is_told_once() -> None:
    over: Any = Over(None)
    stay = at_table()
    assert back(stay, Happened(10, ()), over, Gone("moved"))[0] == [Happened(10, ()), over, Gone("moved")]
    assert (stay.guest.table, stay.guest.name) == ("", "Anna")
    known = at_table()
    known.hear(over)
    assert back(known, over, Gone("moved"), Entered("Anna"))[0] == [Gone("moved")]


def test_others_who_come_back_too_were_never_away() -> None:
    stay = at_table()
    assert back(stay, again(here=False), asked(9, again=True)) == ([], [], "")
    assert stay.hear(Returned(1, "Bruno")) is None
    assert stay.miss() == []


def test_others_who_do_not_come_back_are_missed_and_then_they_return() -> None:
    stay = at_table()
    back(stay, again(here=False), asked(9, again=True))
    assert stay.miss() == [Left(1, "Bruno", Terms().grace_s)]
    returned = Returned(1, "Bruno")
    assert stay.hear(returned) is returned
    assert stay.hear(returned) is None


def test_who_sat_down_and_stood_up_at_an_open_table_meanwhile_is_told() -> None:
    stay = at_table("open")
    seated = Seated(table(sitter("Anna"), sitter("Carla"), phase="open"), 0)
    news, _, _ = back(stay, Entered("Anna"), seated)
    assert news == [Stood(1, sitter("Bruno")), Sat(1, sitter("Carla"))]
    stay = at_table("open")
    shown = Shown(6, None)
    assert back(stay, again(), shown, asked(6, again=True))[0] == [shown, asked(6)], "it has begun meanwhile"


def test_who_gave_their_names_before_the_match_began_unheard_is_told_before_it() -> None:
    stay = at_table(phase="open")
    nameless = table(sitter("", ready=False), sitter("", ready=False), phase="open")
    stay.hear(Seated(nameless, 0, "secret"))
    news, _, _ = back(stay, Entered("Anna"), again(), Shown(4, None), asked(4))
    assert news == [Sat(0, sitter("Anna")), Sat(1, sitter("Bruno")), Shown(4, None), asked(4)]
    assert back(stay, Entered("Anna"), again(), asked(4, again=True)) == ([], [], "")


def test_a_name_and_that_one_is_ready_are_not_said_again_where_they_were_heard() -> None:
    def nameless() -> Stay:
        stay = Stay(Guest(GuestId(7), "santorini"), Nobody(), "santorini ")
        stay.hear(Seated(table(sitter("", ready=False), None, phase="open"), 0, "secret"))
        stay.want([Enter("Anna"), Ready()], 2)
        return stay

    ready = table(sitter("Anna"), None, phase="open")
    news, wanted, _ = back(nameless(), Entered("Anna"), Seated(ready, 0))
    assert (news, wanted) == ([Entered("Anna"), Sat(0, sitter("Anna"))], [])
    waiting = table(sitter("", ready=False), None, phase="open")
    _, wanted, _ = back(nameless(), Seated(waiting, 0))
    assert wanted == [Enter("Anna"), Ready()], "nobody has heard it"
    stay = at_table("open")
    stay.want([Enter("Otto"), Ready()], 2)
    assert back(stay, Entered("Anna"), again("open"))[1] == [Enter("Otto"), Ready()], "they are told why not"


def test_who_cannot_be_where_they_were_is_told_so() -> None:
    declined = Declined(Enter("Anna"), "that name is taken", "taken")
    assert back(at_table(), declined) == ([], [], "that name is taken")


def test_who_walks_about_comes_by_name_and_wants_to_see_the_same() -> None:
    stay = Stay(Guest(GuestId(1), "house"), Nobody(), "http key")
    stay.want([Unlock("key"), Enter("Anna"), Look("santorini")], 1)
    stay.hear(Entered("Anna"))
    stay.told(1)
    assert stay.come().wants == (Unlock("key"), Enter("Anna"), Look("santorini"))
    stay.hear(Seated(table(None, sitter("Bruno")), None))
    stay.hear(Shown(5, None))
    assert stay.come().wants == (Unlock("key"), Enter("Anna"), Watch("t1", 5), Look("santorini"))
    stay.want([Leave()], 2)
    stay.told(2)
    assert stay.come().wants == (Unlock("key"), Enter("Anna"), Look("santorini"))


def test_who_was_seated_without_hearing_of_it_does_not_sit_down_twice() -> None:
    stay = Stay(Guest(GuestId(1), "santorini"), Nobody(), "santorini ")
    stay.want([Enter("Anna")], 1)
    stay.hear(Entered("Anna"))
    stay.told(1)
    stay.want([Seek("multisweeper")], 2)
    assert stay.come().wants == (Enter("Anna"),), "what is on its way is not wanted twice"
    seated = again("open")
    stay.gathered = [Entered("Anna"), seated]
    assert stay.settle() == ([seated], [], "")
    free = Stay(Guest(GuestId(1), "santorini"), Nobody(), "santorini ")
    free.want([Enter("Anna"), Seek("multisweeper")], 1)
    free.come()
    assert free.settle() == ([], [Enter("Anna"), Seek("multisweeper")], "")


def test_who_leaves_and_sits_down_elsewhere_at_once_sits_there() -> None:
    stay = at_table()
    stay.want([Leave(), Open("multisweeper")], 2)
    other = table(sitter("Anna"), None, phase="open")
    stay.hear(
        Seated(TableInfo(*("t2", *[getattr(other, name) for name in other.__struct_fields__[1:]])), 0, "x")
    )
    stay.told(2)
    come = stay.come()
    assert (come.table, come.token, come.since) == ("t2", "x", 0)
