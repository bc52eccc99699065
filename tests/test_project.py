"""The promises of the repository itself: locks, paths, the two commands, and the size of modules."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULE_LINES_MAX = 450
# What everything else stands on is tested as hard as the rules: so many lines of tests for a line of code.
MIDDLE = ("hall", "journal", "wire", "core")
TESTS_PER_LINE_MIN = 1.2

# A home folder or a temporary folder of one machine; `~` and $HOME are everybody's.
MACHINE_PATH = re.compile(rb"(?<![\w.~$}])/(?:home|Users|root|work)/[\w.-]+|[A-Z]:\\Users\\\w+")
INDEX_SETTING = re.compile(r"^\s*(-i|-f|--(extra-)?index-url|--find-links|--trusted-host)\b", re.MULTILINE)


def tracked_files() -> Iterator[Path]:
    """The files git knows, without those deleted but not yet committed."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode != 0:
        pytest.skip("not a git working copy")
    for name in listing.stdout.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file():
            yield path


@pytest.mark.parametrize("name", ["boot", "build", "dev", "run"])
def test_a_lock_pins_by_hash_and_does_not_say_where_packages_are_found(name: str):
    lock = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert "://" not in lock
    assert not INDEX_SETTING.search(lock)
    lines = re.sub(r"\\\n", " ", lock).splitlines()
    pins = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    assert pins
    assert [pin for pin in pins if not re.match(r"[\w.-]+(\[.*\])?==.* --hash=sha256:", pin)] == []


def test_the_dev_lock_agrees_with_the_run_lock():
    def versions(name: str) -> dict[str, str]:
        lock = (ROOT / "requirements" / f"{name}.txt").read_text()
        return dict(re.findall(r"^([\w.-]+)==(\S+)", lock, re.MULTILINE))

    run, dev = versions("run"), versions("dev")
    shared = run.keys() & dev.keys()
    assert shared
    assert {name: dev[name] for name in shared} == {name: run[name] for name in shared}


def test_no_tracked_file_names_a_folder_of_one_machine():
    this_file = Path(__file__)
    found = [
        f"{path.relative_to(ROOT)}: {match.group().decode()}"
        for path in tracked_files()
        if path != this_file
        for match in [MACHINE_PATH.search(path.read_bytes())]
        if match
    ]
    assert not found


def test_the_readme_names_the_two_commands():
    readme = (ROOT / "README.md").read_text()
    assert "make serve" in readme
    assert "make test" in readme


def test_every_module_is_short_enough_to_hold_in_mind():
    long = {
        str(path.relative_to(ROOT)): lines
        for path in (ROOT / "src").rglob("*.py")
        if path.name != "data.py" and "_pb2" not in path.name
        if (lines := len(path.read_text().splitlines())) > MODULE_LINES_MAX
    }
    assert not long


def lines_in(folder: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in folder.rglob("*.py"))


def test_every_module_of_the_middle_has_a_test_file_of_its_name():
    missing = [
        f"tests/{part}/{path.relative_to(source).with_name(f'test_{path.name}')}"
        for part in MIDDLE
        for source in [ROOT / "src" / "ludoteca" / part]
        for path in source.rglob("*.py")
        if path.name != "__init__.py"
        if not (ROOT / "tests" / part / path.relative_to(source).with_name(f"test_{path.name}")).exists()
    ]
    assert not missing


@pytest.mark.parametrize("part", MIDDLE)
def test_the_middle_has_more_lines_of_tests_than_of_code(part: str):
    code, tests = lines_in(ROOT / "src" / "ludoteca" / part), lines_in(ROOT / "tests" / part)
    assert tests >= TESTS_PER_LINE_MIN * code, f"{part}: {tests} lines of tests for {code} of code"
