"""A gate alone, with a hall that the test plays: who waits for what, and who is told."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests import rig

from ludoteca.core import Notice, Refused, Request
from ludoteca.core.notices import Declined, Entered, Gone, Happened, Seated, TableInfo, Trouble
from ludoteca.core.requests import Act, Enter, Leave, List, Open, Rematch, Return, Say, Terms
from ludoteca.server.cluster import words
from ludoteca.server.cluster.line import Line, split
from ludoteca.server.cluster.lodge import AWAY, Lodge
from ludoteca.server.cluster.passage import BACK
from ludoteca.server.cluster.words import (
    Answer,
    Ask,
    Come,
    Finish,
    Go,
    Here,
    Join,
    Left,
    Missed,
    Pause,
    Rose,
    Tell,
    There,
    Want,
)
from ludoteca.server.settings import Settings


class Carried:
    """A courier that only keeps what it is given."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []
        self.heard: dict[str, Callable[[bytes], None]] = {}

    async def hear(self, subject: str, call: Callable[[bytes], None], *, shared: bool = False) -> None:
        self.heard[subject] = call

    async def overhear(self, subject: str) -> None:
        del self.heard[subject]

    def send(self, subject: str, data: bytes) -> None:
        self.sent.append((subject, data))


class Client:
    """A session that writes down what becomes of it."""

    def __init__(self) -> None:
        self.told: list[Notice] = []
        self.is_paused = self.is_finished = False

    def tell(self, notices: list[Notice], now: float) -> None:
        self.told += notices

    def pause(self, paused: bool) -> None:
        self.is_paused = paused

    def is_behind(self) -> bool:
        return False

    def fail(self) -> None:
        raise AssertionError

    def finish(self) -> None:
        self.is_finished = True


class Hall:
    """The other end of the gate's line: that of the hall with the desk or, with a name, of a room."""

    def __init__(self, courier: Carried, lodge: Lodge, epoch: int, room: str = "") -> None:
        self._courier, self._lodge = courier, lodge
        self.epoch = epoch
        self.subject = words.hall_subject("ludoteca", room) if room else f"hall.{epoch}"
        self.line = Line("")
        self.back = ""

    def say_here(self, **more: Any) -> None:
        self._courier.heard["ludoteca-here.ludoteca"](
            words.encode(Here(self.epoch, f"hall.{self.epoch}", **more))
        )

    async def hear(self) -> list[Any]:
        """What the gate has said since."""
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        sent, self._courier.sent = self._courier.sent, []
        heard: list[Any] = []
        self._courier.sent = [one for one in sent if one[0] != self.subject]
        for subject, data in sent:
            if subject == self.subject:
                head, items = split(data)
                if head.number == 1:
                    self.line, self.back = Line(head.line), head.back
                heard += [words.decode_gate(item) for item in self.line.receive(head, items)]
        return heard

    def say(self, *said: Any, told: bool = True) -> None:
        """Say these; with `told`, that all which was heard has been carried out."""
        if told:
            self.line.told = self.line.heard
        self.line.send([words.encode(word) for word in said])
        for message in self.line.messages:
            self._courier.heard[self.back](message)
        self.line.messages.clear()


def tell(guest: int, *notices: Notice) -> Tell:
    return Tell(guest, tuple(msgspec.Raw(words.written(notice)) for notice in notices))


@pytest.fixture
async def gate() -> Any:
    courier = Carried()
    lodge = Lodge(Settings(), courier, "node.run")  # type: ignore[arg-type]
    await lodge.open()
    yield courier, lodge
    await lodge.close("over")


async def test_who_comes_before_there_is_a_hall_waits_for_it(gate: Any) -> None:
    courier, lodge = gate
    anna = Client()
    guest = lodge.arrive("house", anna, "1.2.3.4", lodge.role("house", "key"))
    assert anna.is_paused
    mark = lodge.round
    lodge.submit(guest, [Enter("Anna")], 0.0)
    hall = Hall(courier, lodge, 1)
    hall.say_here()
    first, came = await hall.hear()
    assert (first, came) == (Join(), Come(1, "house", "1.2.3.4", "house key"))
    hall.say()
    assert not anna.is_paused
    assert lodge.told < mark, "what was wanted has not been told yet"
    assert (await hall.hear())[0] == Want(1, (Enter("Anna"),))
    hall.say(tell(1, Entered("Anna")))
    assert (anna.told, guest.name) == ([Entered("Anna")], "Anna")
    assert lodge.told >= mark
    assert not lodge.trouble


async def test_trouble_of_one_hall_ends_with_the_next(gate: Any) -> None:
    courier, lodge = gate
    anna, first, second = Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 2)
    first.say_here()
    await first.hear()
    first.say()
    lodge.arrive("house", anna, "")
    await first.hear()
    first.say(tell(1, Trouble("the disk is full")), Pause(1, paused=True))
    first.say_here(trouble="the disk is full")
    assert (anna.is_paused, lodge.trouble) == (True, "the disk is full")
    second.say_here()
    assert lodge.trouble == AWAY
    await second.hear()
    first.say_here(trouble="another one has taken over")
    second.say()
    assert (anna.is_paused, lodge.trouble) == (False, "")
    assert [notice.over for notice in anna.told if isinstance(notice, Trouble)] == [False, True]


async def test_a_hall_that_follows_another_at_once_is_nobodys_trouble(gate: Any) -> None:
    courier, lodge = gate
    anna, first, second = Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 2)
    first.say_here()
    await first.hear()
    first.say()
    guest = lodge.arrive("house", anna, "")
    info = TableInfo("t1", "multisweeper", "t", "playing", (), {}, Terms(), 0)
    await first.hear()
    first.say(tell(1, Entered("Anna"), Seated(info, 0, "token"), Happened(5, ())))
    lodge.submit(guest, [Act((), 5)], 0.0)
    mark = lodge.round
    await first.hear()
    second.say_here()
    assert anna.is_paused, "what is said meanwhile would be said to nobody"
    _, came = await second.hear()
    assert (came.table, came.token, came.since, came.name) == ("t1", "token", 5, "Anna")
    second.say(tell(1, Entered("Anna"), Seated(info, 0), Happened(6, ())))
    assert anna.told[3:] == [Happened(6, ())]
    assert not anna.is_paused
    assert await second.hear() == [Join()], "the answer was taken"
    second.say()
    assert lodge.told >= mark - 1, "and nobody waits for it any more"
    first.say(tell(1, Happened(7, ())))
    assert anna.told[-1] == Happened(6, ()), "who was deposed is not heard"


async def test_who_is_not_welcome_any_more_is_seen_off(gate: Any) -> None:
    courier, lodge = gate
    anna, bruno, first, second = Client(), Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 2)
    first.say_here()
    await first.hear()
    first.say()
    for client in (anna, bruno):
        lodge.arrive("house", client, "")
    await first.hear()
    first.say(tell(1, Entered("Anna")), tell(2, Entered("Bruno")))
    second.say_here()
    await second.hear()
    declined = msgspec.json.encode(
        {"type": "declined", "request": Enter("Anna"), "reason": "that name is taken", "code": "taken"}
    )
    second.say(Tell(1, (msgspec.Raw(declined),)), Finish(2))
    assert (anna.is_finished, bruno.is_finished) == (True, True)
    assert anna.told[-1].back  # type: ignore[union-attr]


async def test_sitting_down_that_nobody_heard_of_is_wanted_again_after_a_match(gate: Any) -> None:
    courier, lodge = gate
    anna, first, second = Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 2)
    first.say_here()
    await first.hear()
    first.say()
    guest = lodge.arrive("house", anna, "")
    info = TableInfo("t1", "multisweeper", "t", "playing", (), {}, Terms(), 0)
    over = b'{"type":"over","outcome":{"ranks":[1],"reason":"so"}}'
    await first.hear()
    first.say(tell(1, Entered("Anna"), Seated(info, 0, "token")), Tell(1, (msgspec.Raw(over),)))
    lodge.submit(guest, [Open("santorini")], 0.0)
    await first.hear()
    second.say_here()
    await second.hear()
    gone = b'{"type":"gone","reason":"moved"}'
    second.say(Tell(1, (msgspec.Raw(over), msgspec.Raw(gone))), tell(1, Entered("Anna")))
    assert await second.hear() == [Want(1, (Open("santorini"),)), Join()]


@pytest.mark.slow
async def test_a_hall_that_was_silent_and_speaks_again_is_nobodys_trouble_any_more(
    gate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can ask for anything meanwhile, so nothing that is answered says that it is over."""
    courier, lodge = gate
    anna, hall = Client(), Hall(courier, lodge, 1)
    lodge.arrive("house", anna, "")
    hall.say_here()
    await hall.hear()
    hall.say()
    await hall.hear()
    hall.say()
    assert not anna.is_paused
    monkeypatch.setattr("ludoteca.server.cluster.lodge.BEAT_S", 0.001)
    async with asyncio.timeout(20):
        while not lodge.trouble:
            await asyncio.sleep(0.001)
    assert anna.is_paused
    await hall.hear()
    hall.line.beat()
    courier.heard[hall.back](hall.line.messages.pop())
    assert not anna.is_paused
    assert not lodge.trouble
    assert anna.told == [Trouble(AWAY), Trouble("the tables are back", over=True)]


INFO = TableInfo("t1", "multisweeper", "t", "playing", (), {}, Terms(), 0)


async def seated(courier: Carried, lodge: Lodge) -> tuple[Client, Any, Hall, Hall]:
    """Anna at a table that has been given to a room, which has taken her in."""
    anna, desk, room = Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 1, "room")
    desk.say_here()
    await desk.hear()
    desk.say()
    guest = lodge.arrive("house", anna, "")
    await desk.hear()
    desk.say(tell(1, Entered("Anna"), Seated(INFO, 0, "token"), Happened(5, ())))
    desk.say(Go(1, "room"))
    assert anna.is_paused
    joined, came = await room.hear()
    assert joined == Join()
    assert (came.table, came.token, came.since, came.name, came.there) == ("t1", "token", 5, "Anna", True)
    room.say(tell(1, Entered("Anna"), Seated(INFO, 0), Happened(6, ())), There(1))
    assert anna.told[3:] == [Happened(6, ())], "only what is news"
    assert not anna.is_paused
    assert await room.hear() == [Join()], "whoever waits for the last round must hear of it"
    room.say()
    return anna, guest, desk, room


async def test_what_is_wanted_of_a_table_goes_to_its_room_and_all_else_to_the_desk(gate: Any) -> None:
    courier, lodge = gate
    anna, guest, desk, room = await seated(courier, lodge)
    lodge.submit(guest, [Say("hi"), List()], 0.0)
    mark = lodge.round
    assert await room.hear() == [Want(1, (Say("hi"),))]
    assert (await desk.hear())[-1] == Want(1, (List(),))
    room.say()
    assert lodge.told < mark, "the desk has not answered yet"
    desk.say(tell(1, Trouble("no disk")))
    assert lodge.told >= mark
    assert not any(isinstance(notice, Trouble) for notice in anna.told), "the room speaks of its own troubles"
    # The room has everybody's word for another match: the desk opens the table, and Anna is there then.
    room.say(Go(1, "", Rematch()))
    assert await desk.hear() == [Want(1, (Rematch(),))]
    fresh = msgspec.structs.replace(INFO, id="t2")
    desk.say(tell(1, Seated(fresh, 0, "token 2")))
    assert await room.hear() == [Left(1)]
    lodge.submit(guest, [Say("again")], 0.0)
    assert await desk.hear() == [Want(1, (Say("again"),))]
    room.say(tell(1, Happened(9, ())))
    assert isinstance(anna.told[-1], Seated), "who is not at home there hears nothing from there"


async def test_the_loss_of_the_desk_is_nobodys_trouble_in_a_room(gate: Any) -> None:
    courier, lodge = gate
    anna, guest, desk, room = await seated(courier, lodge)
    bruno = Client()
    lodge.arrive("house", bruno, "")
    await desk.hear()
    desk.say()
    lodge.submit(guest, [List()], 0.0)
    await desk.hear()
    desk.say_here(leaves=True)
    assert (anna.is_paused, bruno.is_paused) == (False, True)
    assert (len(bruno.told), len(anna.told)) == (0, 4)
    lodge.submit(guest, [Act((), 6)], 0.0)
    mark = lodge.round
    assert await room.hear() == [Want(1, (Act((), 6),))]
    room.say(tell(1, Happened(7, ())))
    assert lodge.told >= mark, "whoever plays goes on"
    assert anna.told[-1] == Happened(7, ())
    second = Hall(courier, lodge, 2)
    second.say_here()
    joined, *came = await second.hear()
    assert joined == Join()
    assert (came[0].where, came[0].table, came[0].seat, came[0].wants) == ("room", "t1", 0, ())
    second.say()
    assert await second.hear() == [Want(1, (List(),)), Join()], "the desk had not answered"
    assert anna.told[-1] == Happened(7, ())
    assert not bruno.is_paused
    assert bruno.told == [], "of a desk that another node takes nobody need hear"


async def test_of_a_desk_that_leaves_people_hear_when_no_other_comes(
    gate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoteca.server.cluster.lodge.FOLLOWED_S", 0.05)
    courier, lodge = gate
    anna, _, desk, _ = await seated(courier, lodge)
    bruno = Client()
    lodge.arrive("house", bruno, "")
    await desk.hear()
    desk.say()
    desk.say_here(leaves=True)
    assert bruno.told == []
    await rig.becomes(lambda: bruno.told)
    assert bruno.told == [Trouble(AWAY)]
    assert not any(isinstance(notice, Trouble) for notice in anna.told), "her table is in a room"
    second = Hall(courier, lodge, 2)
    second.say_here()
    await second.hear()
    second.say()
    await second.hear()
    assert bruno.told == [Trouble(AWAY), Trouble(BACK, over=True)]


async def test_people_of_a_room_that_is_silent_wait_until_it_is_known_who_has_their_table(gate: Any) -> None:
    courier, lodge = gate
    anna, guest, desk, room = await seated(courier, lodge)
    lodge.submit(guest, [Act((), 6)], 0.0)
    await room.hear()
    lodge._worry("room")
    assert anna.is_paused
    assert anna.told[-1] == Trouble(AWAY)
    desk.say(Go(1, ""))
    came = next(word for word in await desk.hear() if isinstance(word, Come))
    assert (came.table, came.token, came.since, came.there, came.where) == ("t1", "token", 6, True, "")
    assert await room.hear() == [Left(1)], "should it hear again"
    desk.say(tell(1, Seated(INFO, 0), Happened(7, ())), There(1))
    assert [type(notice) for notice in anna.told[-2:]] == [Trouble, Happened]
    assert not anna.is_paused
    # It had made the move, which is not made again; it is no home of hers any more.
    assert [word for word in await desk.hear() if isinstance(word, Want)] == []
    room.say(tell(1, Happened(8, ())))
    assert anna.told[-1] == Happened(7, ())


async def test_what_a_hall_has_not_done_because_the_table_went_is_wanted_where_it_is(gate: Any) -> None:
    courier, lodge = gate
    _, guest, desk, room = await seated(courier, lodge)
    other = Hall(courier, lodge, 1, "other")
    lodge.submit(guest, [Say("hi"), Leave()], 0.0)
    assert await room.hear() == [Want(1, (Say("hi"), Leave()))]
    assert (await desk.hear())[-1] == Rose(1, "t1")
    room.say(Missed(1, (Say("hi"), Leave())))
    assert await room.hear() == [], "nobody knows yet who has it"
    desk.say(Go(1, "other"))
    assert Left(1) in await room.hear()
    await other.hear()
    other.say(tell(1, Seated(INFO, 0)), There(1))
    assert (await other.hear())[0] == Want(1, (Say("hi"), Leave()))
    other.say()
    assert guest.table == ""
    assert await other.hear() == [Left(1)]


async def test_what_a_room_has_not_stored_before_it_lost_the_table_is_wanted_where_it_is(gate: Any) -> None:
    """A room that was paused says that all has been told, and hears only then that the table is another's."""
    courier, lodge = gate
    _, guest, desk, room = await seated(courier, lodge)
    other = Hall(courier, lodge, 1, "other")
    lodge.submit(guest, [Say("hi")], 0.0)
    assert await room.hear() == [Want(1, (Say("hi"),))]
    desk.say(Go(1, "other"))
    room.say()
    await other.hear()
    other.say(tell(1, Seated(INFO, 0)), There(1))
    assert (await other.hear())[0] == Want(1, (Say("hi"),))


async def test_what_a_room_says_it_has_lost_with_the_table_is_wanted_where_it_is(gate: Any) -> None:
    courier, lodge = gate
    _, guest, desk, room = await seated(courier, lodge)
    other = Hall(courier, lodge, 1, "other")
    lodge.submit(guest, [Say("told")], 0.0)
    await room.hear()
    room.say()
    lodge.submit(guest, [Say("lost")], 0.0)
    await room.hear()
    room.say(Missed(1, ()))
    desk.say(Go(1, "other"))
    await other.hear()
    other.say(tell(1, Seated(INFO, 0)), There(1))
    assert (await other.hear())[0] == Want(1, (Say("lost"),))


async def test_who_leaves_while_the_table_moves_is_waited_for_no_more(gate: Any) -> None:
    courier, lodge = gate
    _, guest, desk, room = await seated(courier, lodge)
    other, woken = Hall(courier, lodge, 1, "other"), list[str]()
    lodge.submit(guest, [Say("hi")], 0.0)
    lodge.after(lodge.round, lambda: woken.append("Anna"), guest)
    desk.say(Go(1, "other"))
    for hall in (room, other, desk):
        await hall.hear()
        hall.say()
    assert not woken, "nobody has said how things stand there"
    lodge.depart(guest)
    for hall in (room, other, desk):
        await hall.hear()
        hall.say()
    assert woken
    assert not lodge._behind


async def test_what_is_wanted_while_a_table_moves_is_wanted_when_it_has(gate: Any) -> None:
    """The room has heard who comes, and says so, before the table is there."""
    courier, lodge = gate
    _, guest, desk, room = await seated(courier, lodge)
    other = Hall(courier, lodge, 1, "other")
    desk.say(Go(1, "other"))
    lodge.submit(guest, [Say("hi")], 0.0)
    assert Left(1) in await room.hear()
    assert [type(word) for word in await other.hear()] == [Join, Come]
    other.say()
    other.say(tell(1, Seated(INFO, 0)), There(1))
    assert (await other.hear())[0] == Want(1, (Say("hi"),))


async def test_a_room_that_has_given_this_gate_up_takes_its_people_in_again(gate: Any) -> None:
    courier, lodge = gate
    anna, _, desk, room = await seated(courier, lodge)
    over = msgspec.json.encode({"line": room.line.name, "over": True})
    courier.heard[room.back](over)
    joined, came = await room.hear()
    assert (joined, came.table, came.there) == (Join(), "t1", True)
    room.say(tell(1, Seated(INFO, 0)), There(1))
    assert not anna.is_paused
    await room.hear()
    # The same when the table has left, and come back, before anybody knew where it was.
    desk.say(Go(1, "room"))
    (came,) = await room.hear()
    assert (came.table, came.there) == ("t1", True)
    room.say(tell(1, Seated(INFO, 0)), There(1))
    assert not anna.is_paused
    await room.hear()
    # A match that ends there is over for the desk as well, and a table that is closed is nobody's.
    room.say(Tell(1, (msgspec.Raw(b'{"type":"over","outcome":{"ranks":[1],"reason":"so"}}'),)))
    room.say(Tell(1, (msgspec.Raw(b'{"type":"gone","reason":"closed"}'),)))
    assert await room.hear() == [Left(1)]


async def sent(courier: Carried, lodge: Lodge, protocol: str, wanted: Request) -> tuple[Client, Hall, Hall]:
    """Anna, whom the desk has sent to a room for this."""
    anna, desk, room = Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 1, "room")
    desk.say_here()
    await desk.hear()
    desk.say()
    lodge.submit(lodge.arrive(protocol, anna, ""), [wanted], 0.0)
    await desk.hear()
    desk.say(Go(1, "room", wanted, "t1"))
    return anna, desk, room


async def test_who_comes_for_a_seat_is_sent_to_its_room_and_hears_all_of_it(gate: Any) -> None:
    courier, lodge = gate
    wanted = Return("t1", "token", 3)
    anna, desk, room = await sent(courier, lodge, "house", wanted)
    assert (await room.hear())[1] == Come(1, "house", "", "guest", (wanted,), table="t1", there=True)
    room.say(tell(1, Entered("Anna"), Seated(INFO, 0), Happened(4, ())), There(1))
    assert [type(notice) for notice in anna.told] == [Entered, Seated, Happened]
    # The room is lost before anybody has moved: the desk is asked again.
    desk.say(Go(1, ""))
    came = next(word for word in await desk.hear() if isinstance(word, Come))
    assert (came.token, came.since) == ("token", 4)


async def test_who_comes_for_a_seat_before_the_table_does_waits_for_it_there(gate: Any) -> None:
    courier, lodge = gate
    _, _, room = await sent(courier, lodge, "house", Return("t1", "token", 3))
    await room.hear()
    room.say()
    (guest,) = [stay.guest for stay in lodge._stays.values()]
    assert lodge.waits(guest), "nobody who waits is cut off for not having said who they are"
    lodge.submit(guest, [Say("hi")], 0.0)
    assert await room.hear() == [], "neither has she left nor is anything wanted of a table that is not there"
    room.say(tell(1, Entered("Anna"), Seated(INFO, 0)), There(1))
    assert await room.hear() == [Want(1, (Say("hi"),))]
    assert not lodge.waits(guest)


async def test_who_is_on_the_way_to_a_seat_asks_again_when_its_room_is_another_one(gate: Any) -> None:
    courier, lodge = gate
    wanted = Return("t1", "token", 3)
    _, desk, room = await sent(courier, lodge, "house", wanted)
    await room.hear()
    room.say()
    desk.say(Go(1, "other"))
    assert Left(1) in await room.hear()
    assert (await desk.hear())[-1] == Want(1, (wanted,))
    # And so of the next desk, which does not know that anybody was sent anywhere.
    desk.say(Go(1, "room", wanted, "t1"))
    await room.hear()
    second = Hall(courier, lodge, 2)
    second.say_here()
    assert Left(1) in await room.hear()
    await second.hear()
    second.say()
    assert Want(1, (wanted,)) in await second.hear()


async def test_the_desk_hears_that_a_room_has_not_taken_in_whom_it_had_sent_there(gate: Any) -> None:
    courier, lodge = gate
    wanted = Enter("Anna")
    anna, desk, room = await sent(courier, lodge, "eriantys", wanted)
    await room.hear()
    room.say(tell(1, Declined(wanted, "that name is taken", "taken")), There(1))
    assert [type(notice) for notice in anna.told] == [Declined]
    assert Left(1) in await room.hear()
    assert (await desk.hear())[-1] == Rose(1, "t1", declined=True), "it knows her by that name"


async def test_who_got_up_for_a_seat_in_a_room_that_they_did_not_get_comes_back(gate: Any) -> None:
    """The desk is new and takes the seat for free, the room does not know yet that a gate is lost."""
    courier, lodge = gate
    wanted = Enter("Anna")
    anna, desk, room = Client(), Hall(courier, lodge, 1), Hall(courier, lodge, 1, "room")
    desk.say_here()
    await desk.hear()
    desk.say()
    guest = lodge.arrive("santorini", anna, "")
    await desk.hear()
    desk.say(tell(1, Seated(INFO, 0)))
    lodge.submit(guest, [wanted], 0.0)
    await desk.hear()
    desk.say(Go(1, "room", wanted, "t2"))
    await room.hear()
    room.say(tell(1, Declined(wanted, "that name is taken", "taken")), There(1))
    assert [type(notice) for notice in anna.told] == [Seated, Declined, Gone]
    assert anna.is_finished
    lodge.depart(guest)
    assert Left(1) in await room.hear()
    assert Left(1) in await desk.hear()


async def test_trouble_that_ended_before_the_gate_heard_of_its_end_pauses_nobody(gate: Any) -> None:
    courier, lodge = gate
    anna, hall = Client(), Hall(courier, lodge, 1)
    lodge.arrive("house", anna, "")
    hall.say_here(trouble="no answer")
    await hall.hear()
    hall.say(Pause(1, paused=False))
    assert anna.is_paused
    hall.say_here()
    assert not anna.is_paused


async def test_what_is_asked_over_http_waits_for_a_hall_and_is_asked_again_of_the_next(gate: Any) -> None:
    courier, lodge = gate
    asked = asyncio.create_task(lodge.ask("1.2.3.4", b"GET /", reads=True))
    first, second = Hall(courier, lodge, 1), Hall(courier, lodge, 2)
    first.say_here()
    assert await first.hear() == [Join()]
    first.say()
    assert await first.hear() == [Ask(1, "1.2.3.4", b"GET /")]
    first.say_here(leaves=True)
    second.say_here()
    assert await second.hear() == [Join()]
    second.say()
    assert await second.hear() == [Ask(2, "1.2.3.4", b"GET /")]
    second.say(Answer(2, b"here"))
    assert await asked == b"here"


async def test_a_gate_that_closes_has_told_everybody_before_it_waits_for_answers() -> None:
    courier = Carried()
    lodge = Lodge(Settings(), courier, "node.run")  # type: ignore[arg-type]
    await lodge.open()
    anna, hall = Client(), Hall(courier, lodge, 1)
    lodge.arrive("house", anna, "")
    hall.say_here()
    await hall.hear()
    hall.say()
    asked = asyncio.create_task(lodge.ask("1.2.3.4", b"GET /", reads=True))
    await hall.hear()
    closing = asyncio.create_task(lodge.close("closing"))
    await hall.hear()
    assert anna.is_finished
    hall.say(Answer(1, b"here"))
    assert await asked == b"here"
    await closing


async def test_while_nothing_can_be_stored_nobody_is_asked(gate: Any) -> None:
    courier, lodge = gate
    hall = Hall(courier, lodge, 1)
    hall.say_here(trouble="the disk is full")
    await hall.hear()
    hall.say()
    with pytest.raises(Refused, match="the disk is full"):
        await lodge.ask("1.2.3.4", b"GET /", reads=True)
