"""What a value may be, in words that a person at a settings file or a command line understands."""

from enum import Enum
from typing import Annotated, Any, Literal, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from ludoteca import games
from ludoteca.core.bounds import Given, Small
from ludoteca.core.requests import Absence, WantedTerms
from ludoteca.core.wording import allowed, meant


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (int, "a whole number"),
        (float, "a number"),
        (bool, "true or false"),
        (str, "a text"),
        (None, "nothing"),
        (Small, "a whole number from 0 to 1023"),
        (Given, "a whole number from -2147483648 to 2147483647"),
        (Annotated[int, Meta(ge=0, le=65_535)], "a whole number from 0 to 65535"),
        (Annotated[int, Meta(ge=1)], "a whole number, at least 1"),
        (Annotated[int, Meta(gt=0)], "a whole number, greater than 0"),
        (Annotated[int, Meta(le=9)], "a whole number, at most 9"),
        (Annotated[int, Meta(lt=9)], "a whole number, less than 9"),
        (Annotated[float, Meta(ge=0.5, le=2.5)], "a number from 0.5 to 2.5"),
        (Annotated[float, Meta(gt=0, le=1)], "a number, greater than 0 and at most 1"),
        (Annotated[float, Meta(ge=0, lt=1)], "a number, at least 0 and less than 1"),
        (Annotated[float, Meta(gt=0, lt=1)], "a number, greater than 0 and less than 1"),
        (Annotated[str, Meta(pattern="^[a-z]+$")], "a text of the form ^[a-z]+$"),
        (Annotated[str, Meta(max_length=5)], "a text"),
        (Absence, "one of bot, end, wait"),
        (Literal["on"], "on"),
        (Literal[1, 2], "one of 1, 2"),
        (int | None, "a whole number or nothing"),
        (bool | str, "true or false or a text"),
        (list[int], "a list, each of it a whole number"),
        (tuple[str, ...], "a list, each of it a text"),
        (list[Small], "a list, each of it a whole number from 0 to 1023"),
        (dict[str, bool], "a map to true or false"),
        (dict[str, list[int | None]], "a map to a list, each of it a whole number or nothing"),
        (Annotated[int, Meta(description="of seconds", extra_json_schema={})], "a whole number"),
        (Colour, "something else"),
        (bytes, "something else"),
        (Any, "something else"),
    ],
    ids=str,
)
def test_every_kind_of_value_has_words(kind: Any, words: str) -> None:
    assert allowed(kind) == words


@given(st.integers(-9, 9), st.integers(0, 9), st.integers(-30, 30))
def test_the_words_say_what_the_validator_does(low: int, size: int, number: int) -> None:
    kind = Annotated[int, Meta(ge=low, le=low + size)]
    first, last = allowed(kind).removeprefix("a whole number from ").split(" to ")
    try:
        msgspec.convert(number, kind)
        taken = True
    except msgspec.ValidationError:
        taken = False
    assert taken == (int(first) <= number <= int(last))


def test_times_of_terms_are_said_with_both_their_bounds() -> None:
    fields = {field.name: field.type for field in msgspec.structs.fields(WantedTerms)}
    assert allowed(fields["grace_s"]) == allowed(fields["move_s"]) == "a number from 0 to 2592000"
    assert set(allowed(fields["absence"]).removeprefix("one of ").split(", ")) == set(get_args(Absence))


@pytest.mark.parametrize("name", games.names())
def test_every_option_of_every_game_can_be_told_in_words(name: str) -> None:
    for field in msgspec.structs.fields(games.load(name).options):
        assert allowed(field.type), field.name


# Names that nobody knows.


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("serv", "serve"),
        ("SERVE", "serve"),
        ("sevre", "serve"),
        ("replya", "replay"),
        ("watsh", "watch"),
    ],
)
def test_who_mistypes_a_name_is_told_the_one_that_is_near(word: str, near: str) -> None:
    assert meant(word, ("play", "replay", "serve", "watch")) == f" (did you mean {near!r}?)"


@pytest.mark.parametrize("word", ["", "zzzz", "x" * 10_000, "sausage", "\0", "漢字"])
def test_what_is_near_to_nothing_gets_no_suggestion(word: str) -> None:
    assert meant(word, ("play", "replay", "serve", "watch")) == ""


def test_among_no_names_none_is_near() -> None:
    assert meant("serve", ()) == meant("serve", iter(())) == ""


def test_of_several_that_are_near_the_nearest_is_said_and_only_that() -> None:
    assert meant("grace", ("grade", "graces", "race")) == " (did you mean 'graces'?)"


@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=5))
def test_a_suggestion_is_one_of_the_known_names_whatever_was_typed(word: str, known: list[str]) -> None:
    said = meant(word, known)
    assert said in {"", *(f" (did you mean {name!r}?)" for name in known)}
    if word and word == word.casefold() and word in known:
        assert said == f" (did you mean {word!r}?)"
