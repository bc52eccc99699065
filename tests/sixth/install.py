"""Packages beside Ludoteca, as an installer leaves them: a folder on the path that says what it offers."""

import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from ludoteca import bots, games

PACKAGE = Path(__file__).parent / "package"


def offer(folder: Path, name: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """Write down what a package offers, by groups of entry points."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {to}\n" for key, to in of.items()) for group, of in points.items()
    ]
    (about / "entry_points.txt").write_text("\n".join(lines))


def connect_four(folder: Path) -> dict[str, str]:
    """Install the sixth game as its own pyproject.toml says; the environment of a process that
    is to find it."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    offer(folder, project["name"].replace("-", "_"), project["entry-points"])
    path = [str(folder), str(PACKAGE), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}


def notice(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let this process see what is installed in a folder, as if it had started just now."""
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    forget()


def forget() -> None:
    """What was found once is looked for again."""
    for found in (games._homes, games.names, games.load, bots._installed):
        found.cache_clear()
