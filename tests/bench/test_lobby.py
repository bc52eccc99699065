"""The lobby's benchmark does what it says: houses grow, everybody who looks is told, nothing is refused."""

from ludoteca.bench import lobby


def test_lists_tables_and_those_who_look_are_measured_in_a_house_that_grows():
    found = list(lobby.figures((5, 40), 7))
    assert [figure.name for figure in found] == [
        "a list of a hundred, 5 tables",
        "a table that opens and closes, 5 tables",
        "a list of a hundred, 40 tables",
        "a table that opens and closes, 40 tables",
        "one change told to 7, 40 tables",
        "looking away and back again, in a loop",
    ]
    assert all(figure.value and figure.value > 0 for figure in found)
    # Only what must not grow has an aim, and it is that of the smallest house.
    assert [figure.aim is not None for figure in found] == [False, False, True, True, False, False]
