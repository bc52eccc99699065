"""The table of strengths: all pairs meet from both sides, and what was played is not played again."""

from collections import Counter
from pathlib import Path

import pytest
from training.ratings import HEADING, PAGE, Line, kept, main, planned, table

from ludoteca.core import LEVELS


def line(stronger: str, weaker: str, score: float) -> Line:
    return Line("shelfie", (stronger, weaker), 1, 0.02, score, (10, 20), (0.1, 0.4), (0.02, 0.03))


def test_every_pair_meets_as_often_from_both_sides_and_at_the_same_deals():
    pairings = planned(["shelfie", "santorini"], matches=4, seconds=0.02, seed=7)
    assert len(pairings) == 2 * 10 * 4
    assert set(Counter((one.game, one.levels) for one in pairings).values()) == {2}
    assert {one.seed for one in pairings} == {7, 8}


def test_the_table_says_who_is_stronger_and_what_was_used():
    levels = [*LEVELS]
    lines = [line(levels[place + 1], levels[place], 1.0) for place in range(4) for _ in range(3)]
    (row,) = table(lines).splitlines()[2:]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    elo = [float(cell.split(" ± ")[0]) for cell in cells[2:7]]
    assert cells[:2] == ["My Shelfie", "12"]
    assert elo == sorted(elo)
    assert cells[7:] == ["100, 100, 100, 100", "20.0, 30"]


@pytest.mark.slow
def test_what_was_played_is_kept_and_not_played_again(tmp_path: Path, monkeypatch, capsys):
    results, page = tmp_path / "results.jsonl", tmp_path / "bots.md"
    page.write_text(f"| other |\n\n{HEADING}\n\nWords.\n\n| old |\n|---|\n| old |\n\nMore.\n")
    monkeypatch.setattr("training.ratings.PAGE", page)
    monkeypatch.setattr("training.ratings.games.names", lambda: ("multisweeper",))
    given = ["ratings", "--matches", "1", "--seconds", "0.001", "--processes", "1", "--results", str(results)]
    monkeypatch.setattr("sys.argv", [*given, "--write"])
    main()
    played = kept(results)
    assert len(played) == 10
    main()
    assert kept(results) == played
    assert capsys.readouterr().out.count("| Multisweeper | 10 | 0 |") == 2
    assert "old" not in page.read_text()
    assert page.read_text().startswith("| other |\n")
    assert page.read_text().endswith("|\n\nMore.\n")


def test_the_page_has_a_table_to_write_into():
    assert "\n|" in PAGE.read_text().split(HEADING)[1]
