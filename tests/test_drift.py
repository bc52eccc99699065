"""What the project says it needs is what it needs: packages that others install are not those that we pinned.

`make soak ARGS="--only drift"` installs the oldest and the newest that are allowed, and tries them.
"""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# By module: the package that brings it, where that is called otherwise. Rich is what Textual takes texts as.
BROUGHT_BY = {
    "google": "protobuf",
    "grpc": "grpcio",
    "nats": "nats-py",
    "prometheus_client": "prometheus-client",
    "rich": "textual",
    "typing_extensions": "typing-extensions",
}


def declared() -> dict[str, str]:
    """By package: the oldest version that is allowed."""
    wanted = [
        *PROJECT["dependencies"],
        *(one for some in PROJECT["optional-dependencies"].values() for one in some),
    ]
    found = (re.match(r"([\w-]+)>=([\d.]+)", one) for one in wanted)
    return {one[1]: one[2] for one in found if one is not None}


def version(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


@pytest.mark.slow
def test_whatever_is_imported_is_declared_and_comes_with_nothing_else() -> None:
    """A package that only comes along with another one may be gone with the other's next version."""
    imported: dict[str, Path] = {}
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            imported |= {name.partition(".")[0]: file for name in names}
    known = declared()
    for module, file in imported.items():
        if module not in sys.stdlib_module_names and module != "ludoteca":
            package = BROUGHT_BY.get(module, module)
            assert package in known, (
                f"{file.relative_to(ROOT)} needs {package}, which pyproject.toml does not"
            )


def test_everything_declared_has_a_lower_bound_and_no_upper_one_that_would_keep_others_back() -> None:
    wanted = [
        *PROJECT["dependencies"],
        *(one for some in PROJECT["optional-dependencies"].values() for one in some),
    ]
    assert all(re.fullmatch(r"[\w-]+>=[\d.]+(; .+)?", one) for one in wanted), wanted


def test_what_is_pinned_is_allowed() -> None:
    """The tests run with what is pinned: no bound may be above that."""
    pinned: dict[str, str] = {}
    for name in ("run", "dev"):
        lock = (ROOT / "requirements" / f"{name}.txt").read_text()
        pinned |= dict(re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.MULTILINE))
    for package, oldest in declared().items():
        assert version(pinned[package]) >= version(oldest), (
            f"{package} {pinned[package]} is older than {oldest}"
        )
