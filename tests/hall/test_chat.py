"""What is said at a table: heard by those it is for, cleaned, and only so much of it."""

from tests.hall.play import House, Person, pair

from ludoteca.core.notices import Declined, Said, Seated
from ludoteca.core.requests import Join, Open, Return, Say, Seek, Watch
from ludoteca.hall import Limits

GAME = "multisweeper"
HERE, THERE = "192.0.2.1", "192.0.2.2"


def budgets(house: House) -> list[str]:
    """Which budgets were used up so far."""
    return [refusal.budget for _, refusal in house.hall.post.refusals]


def talk(**limits: float) -> tuple[House, Person, Person]:
    """Anna and Bruno, of one address, at a table of a house with these limits."""
    house = House(Limits(**limits))  # type: ignore[arg-type]
    anna = house.named("Anna", address=HERE).ask(Open(GAME, 3))
    bruno = house.named("Bruno", address=HERE).ask(Join(anna.last(Seated).table.id))
    return house, anna, bruno


def test_a_word_to_one_is_heard_by_that_one_and_the_author() -> None:
    house = House()
    anna, bruno = pair(house)
    watcher = house.named("Wanda").ask(Watch(anna.last(Seated).table.id))
    anna.ask(Say("between us", to="bruno"))
    assert bruno.last(Said).to == "Bruno"
    assert anna.count(Said) == 1
    assert watcher.count(Said) == 0
    anna.ask(Say(" \x07 "))
    assert anna.last(Declined).code == "text"
    anna.ask(Say("hello", to="Nobody"))
    assert anna.last(Declined).code == "name"


def test_what_is_said_is_cut_and_cleaned() -> None:
    anna, bruno = pair(House())
    anna.ask(Say("a\x1b[2Jb" + "x" * 1000))
    assert bruno.last(Said).text.startswith("a[2Jb")
    assert len(bruno.last(Said).text) == 500


def test_who_says_too_much_is_silent_for_a_while() -> None:
    house, anna, bruno = talk(chat_burst=5, chat_per_minute=60, mute_s=30)
    for number in range(20):
        anna.ask(Say(f"line {number}"))
    assert bruno.count(Said) == 5
    assert (anna.last(Declined).code, anna.count(Declined)) == ("rate", 15)
    assert "say more in 30 s" in anna.last(Declined).reason
    assert budgets(house) == ["chat"] * 15
    # The others may go on talking, and trying again does not prolong it.
    bruno.ask(Say("calm down"))
    house.wait(29)
    anna.ask(Say("now?"))
    assert "say more in 1 s" in anna.last(Declined).reason
    house.wait(1.1)
    anna.ask(Say("sorry"))
    assert [said.text for said in bruno.heard if isinstance(said, Said)][-2:] == ["calm down", "sorry"]


def test_a_conversation_at_a_human_pace_is_never_muted() -> None:
    house, anna, bruno = talk()
    for _ in range(300):
        anna.ask(Say("..."))
        house.wait(2.5)
    assert (bruno.count(Said), anna.count(Declined)) == (300, 0)


def test_without_a_mute_the_rate_still_holds() -> None:
    house, anna, bruno = talk(chat_burst=2, chat_per_minute=60, mute_s=0)
    for _ in range(100):
        anna.ask(Say("x"))
        house.wait(0.1)
    assert bruno.count(Said) <= 12


def test_coming_again_and_again_does_not_help_a_spammer() -> None:
    house = House(Limits(chat_burst=5, chat_per_address_per_minute=30))
    anna = house.named("Anna", address=THERE).ask(Open(GAME, 3))
    for number in range(50):
        spammer = house.named(f"Spam{number}", address=HERE).ask(Watch(anna.last(Seated).table.id))
        spammer.ask(*[Say("buy!")] * 5)
        spammer.hang_up()
    assert anna.count(Said) == 30
    assert set(budgets(house)) == {"chat_address"}
    anna.ask(Say("who was that?"))
    assert anna.count(Said) == 31


def test_the_book_of_a_table_does_not_grow_without_end_and_a_restart_does_not_empty_it() -> None:
    house = House(Limits(chat_per_table_max=3))
    anna = house.named("Anna").ask(Open(GAME, 2))
    house.named("Bruno").ask(Seek(GAME))
    anna.ask(*[Say("x")] * 3)
    assert anna.ask(Say("x")).last(Declined).code == "rate"
    assert (anna.count(Said), budgets(house)) == (3, ["chat_table"])
    again = House(Limits(chat_per_table_max=3))
    again.hall.recover(next(iter(house.lines.values())), again.now)
    back = again.guest().ask(Return("", anna.last(Seated).token), Say("x"))
    assert back.last(Declined).code == "rate"
