"""What leaves the hall."""

from ludoteca.core import Refused
from ludoteca.core.notices import Declined, Entered
from ludoteca.core.requests import Leave
from ludoteca.hall import Entry, Guest, GuestId, Post
from ludoteca.hall.budget import Spent

ANNA, BRUNO = Guest(GuestId(1), "house"), Guest(GuestId(2), "house")


def test_the_post_is_taken_once_and_in_order() -> None:
    post = Post()
    post.letter(ANNA, Entered("Anna"))
    post.letter(BRUNO, Entered("Bruno"))
    entry = Entry("t1", 1, b"line")
    post.entries.append(entry)
    assert post.take() == ([entry], [(1, Entered("Anna")), (2, Entered("Bruno"))])
    assert post.take() == ([], [])


def test_what_is_taken_does_not_grow_afterwards() -> None:
    post = Post()
    _, letters = post.take()
    post.letter(ANNA, Entered("Anna"))
    assert letters == []


def test_a_refusal_is_told_and_counted_only_when_a_budget_was_used_up() -> None:
    post = Post()
    post.decline(ANNA, Leave(), Refused("no", "turn"))
    assert post.refusals == []
    spent = Spent("too much", "rate", "chat", 3.0)
    post.decline(BRUNO, Leave(), spent)
    assert post.refusals == [(BRUNO, spent)]
    assert post.take()[1] == [
        (1, Declined(Leave(), "no", "turn")),
        (2, Declined(Leave(), "too much", "rate")),
    ]
