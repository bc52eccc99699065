"""The bounds of a house: what the operator's page says is what a house does."""

import re
from pathlib import Path

from ludoteca.hall import Limits

PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"


def test_every_bound_that_the_hosting_page_names_has_the_number_it_says() -> None:
    told: dict[str, float] = {}
    for names, number in re.findall(r"^\| (`[^|]*) \|[^|]*\| ([^|]*) \|$", PAGE.read_text(), re.M):
        said = number.replace("a week", str(7 * 24 * 3600)).split(", ")
        for name, value in zip(re.findall(r"`(\w+)`", names), said, strict=False):
            if name in Limits.__struct_fields__:
                told[name] = float(value)
    assert told == {name: getattr(Limits(), name) for name in told}
    assert told.keys() >= {
        "abandoned_s",
        "chat_burst",
        "chat_per_address_per_minute",
        "chat_per_minute",
        "chat_per_table_max",
        "choosing_s",
        "deserted_s",
        "mute_s",
        "tables_max",
        "tables_per_address_max",
        "tables_per_guest_max",
    }


def test_names_and_words_are_as_long_as_clients_count_on() -> None:
    """Clients have no way to ask for these, so they are part of what was promised."""
    limits = Limits()
    assert (limits.name_length_max, limits.label_length_max, limits.text_length_max) == (32, 12, 500)
    assert limits.guests_max == 20_000
    assert limits.history_max == 256
