"""The fair line: shares by address and by table, ranks, bounds."""

from collections import Counter

from ludoteca.server.fair import REMEMBERED_MAX, Line, Place, Shares


def work(line: Line[str], cost: dict[str, float], rounds: int) -> Counter[str]:
    """One worker, for so many rounds: whoever was served comes back at once.

    The seconds that each item had.
    """
    had: Counter[str] = Counter()
    for _ in range(rounds):
        found = line.pop()
        assert found is not None
        place, item = found
        line.done(place, cost[item])
        line.push(place, item)
        had[item] += cost[item]  # type: ignore[assignment]
    return had


def test_an_address_with_forty_tables_has_no_more_than_one_with_a_single_table() -> None:
    line: Line[str] = Line(1, at_once_max=1)
    cost = {f"many-{number}": 0.5 for number in range(40)} | {"one": 0.5}
    for item in cost:
        line.push(Place(0, item.partition("-")[0], item), item)
    had = work(line, cost, 400)
    assert abs(had["one"] - 100) <= 1
    assert max(had[f"many-{number}"] for number in range(40)) <= 3, "and its tables share what it has"


def test_what_counts_is_the_time_used_and_not_how_often_one_is_served() -> None:
    line: Line[str] = Line(1, at_once_max=1)
    cost = {"slow": 0.5, "quick": 0.01}
    for item in cost:
        line.push(Place(0, item, "table"), item)
    had = work(line, cost, 2000)
    assert abs(had["slow"] - had["quick"]) <= 0.5


def test_a_newcomer_comes_next_but_does_not_make_up_for_the_time_before() -> None:
    line: Line[str] = Line(1, at_once_max=1)
    cost = {"old": 0.5, "new": 0.5}
    line.push(Place(0, "old", "table"), "old")
    work(line, cost, 1000)
    line.push(Place(0, "new", "table"), "new")
    assert set(work(line, cost, 2)) == {"old", "new"}
    assert abs(work(line, cost, 100)["old"] - 25) <= 0.5


def test_being_away_for_a_moment_wipes_out_nothing() -> None:
    line: Line[str] = Line(1, at_once_max=1)
    line.push(Place(0, "greedy", "table"), "greedy")
    line.push(Place(0, "modest", "table"), "modest")
    for expected, cost in (("greedy", 10.0), ("modest", 0.1)):
        found = line.pop()
        assert found is not None
        assert found[1] == expected
        line.done(found[0], cost)
        if expected == "modest":
            line.push(Place(0, "greedy", "table"), "greedy")
            line.push(Place(0, "modest", "table"), "modest")
    served = [next_item(line, 0.1) for _ in range(2)]
    assert served == ["modest", "greedy"]


def next_item(line: Line[str], cost: float) -> str:
    found = line.pop()
    assert found is not None
    line.done(found[0], cost)
    return found[1]


def test_a_lower_rank_always_comes_first() -> None:
    line: Line[str] = Line(3, at_once_max=1)
    for rank in (2, 1, 0):
        line.push(Place(rank, "address", f"table-{rank}"), str(rank))
    assert [next_item(line, 100.0) for _ in range(3)] == ["0", "1", "2"]
    assert line.pop() is None


def test_one_address_never_has_all_the_workers() -> None:
    line: Line[str] = Line(1, at_once_max=2)
    for number in range(10):
        line.push(Place(0, "many", str(number)), "many")
    begun = [line.pop(), line.pop(), line.pop()]
    assert [found is not None for found in begun] == [True, True, False]
    line.push(Place(0, "one", "table"), "one")
    found = line.pop()
    assert found is not None
    assert found[1] == "one"
    assert len(line) == 8
    assert begun[0] is not None
    line.done(begun[0][0], 1.0)
    assert line.pop() is not None


def test_tables_that_nobody_answers_for_are_each_on_their_own() -> None:
    line: Line[str] = Line(1, at_once_max=1)
    for number in range(3):
        line.push(Place(0, "", f"table-{number}"), str(number))
    assert all(line.pop() is not None for _ in range(3)), "they are not one address with one worker"


def test_an_empty_line_remembers_a_bounded_number_of_those_who_had_more() -> None:
    shares = Shares()
    for number in range(REMEMBERED_MAX * 3):
        shares.enter(str(number))
        shares.charge(str(number), 1.0)
        shares.leave(str(number))
    assert len(shares._away) == REMEMBERED_MAX
    assert not shares._used
    line: Line[str] = Line(1, at_once_max=1)
    for number in range(50):
        line.push(Place(0, f"address-{number}", "table"), "item")
        next_item(line, 0.0)
    assert not line._tables
    assert not line._of_table
    assert not line._at_work
    assert len(line) == 0
