"""The mutator: what it changes, and what must never go unnoticed again."""

import ast
import random
import subprocess
import sys

import pytest
from tests.mutate.__main__ import group_of, modules, sample, spread, suites_of
from tests.mutate.mutants import mutants
from tests.mutate.table import EQUIVALENT, FIXED
from tests.mutate.workshop import ROOT

SOURCE = '''
"""A module."""

def fee(age: int, member: bool = False) -> int:
    """What to pay."""
    if age < 6 or not member:
        raise Refused(age, member)
    notes.append(age)
    return 3 + age
'''


def test_every_kind_of_change_is_made_and_each_makes_a_module() -> None:
    made = mutants(SOURCE)
    assert {(mutant.line, mutant.change) for mutant in made} == {
        (4, "False -> True"),
        (6, "age < 6 or not member -> (not (age < 6 or not member))"),
        (6, "age < 6 or not member -> (age < 6 and (not member))"),
        (6, "age < 6 -> (age <= 6)"),
        (6, "6 -> 7"),
        (6, "not member -> member"),
        (7, "raise Refused(age, member) -> pass"),
        (7, "Refused(age, member) -> Refused(member, age)"),
        (8, "notes.append(age) -> pass"),
        (9, "return 3 + age -> return None"),
        (9, "3 + age -> (3 - age)"),
        (9, "3 -> 4"),
    }
    for mutant in made:
        assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(SOURCE))


def test_a_seed_repeats_its_sample() -> None:
    path = random.Random(1).choice(modules())
    assert sample(path, 5, 3) == sample(path, 5, 3)
    assert [sample("hall/table.py", seed, 3) for seed in (1, 2)] != [sample("hall/table.py", 1, 3)] * 2


@pytest.mark.slow
def test_a_sample_of_a_group_falls_anywhere_in_it_and_is_repeated_by_its_seed() -> None:
    chosen = [path for path in modules() if group_of(path) in ("journal", "wire")]
    found = spread(chosen, 5, 30)
    assert {path: len(some) for path, some in found.items()} == {
        path: len(some) for path, some in spread(chosen, 5, 30).items()
    }
    for group in ("journal", "wire"):
        assert sum(len(some) for path, some in found.items() if group_of(path) == group) == 30
    assert any(found[path] for path in chosen if path.startswith("wire/java/"))
    assert spread(chosen, 6, 30) != found


def test_what_is_said_to_change_nothing_is_still_there_to_be_changed() -> None:
    for known in EQUIVALENT:
        source = (ROOT / "src" / "ludoteca" / known.path).read_text()
        lines = [line.strip() for line in source.splitlines()]
        found = {(lines[mutant.line - 1], mutant.change) for mutant in mutants(source)}
        assert (known.line, known.change) in found, known


def test_every_module_has_tests_of_its_own() -> None:
    for path in modules():
        for test in (test for suite in suites_of(path) for test in suite):
            assert (ROOT / test).exists(), test


@pytest.mark.slow
def test_what_went_unnoticed_once_is_noticed_by_the_test_that_was_written_for_it() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.mutate", "--fixed"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count("killed") == len(FIXED)
