"""Runs tests against a changed copy of the package, one process for each change.

The work tree stays as it is.
"""

import compileall
import importlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
# Brought along by the process that forks, so that its children start at once; nothing of the package itself.
_HEAVY = ("aiohttp", "grpc", "hypothesis", "jsonschema", "msgspec", "structlog", "uvloop")


class Verdict(NamedTuple):
    """What tests said: the first that failed, or "" when all passed; `"no end"` when they took too long."""

    failed: str
    seconds: float


class Workshop:
    """A copy of the package in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self._src = folder / "src"
        self._told = folder / "told"
        ignore = shutil.ignore_patterns("__pycache__", "web", "page", "node_modules")
        shutil.copytree(ROOT / "src" / "ludoteca", self._src / "ludoteca", ignore=ignore)
        for name in ("docs", "README.md"):
            (folder / name).symlink_to(ROOT / name)
        compileall.compile_dir(self._src, quiet=2)
        for plugin in entry_points(group="pytest11"):
            plugin.load()
        for name in _HEAVY:
            importlib.import_module(name)

    @contextmanager
    def changed(self, path: str, source: str) -> Iterator[None]:
        """While this lasts, the module has another text."""
        file = self._src / "ludoteca" / path
        before = file.read_text()
        cached = Path(importlib.util.cache_from_source(str(file)))
        compiled = cached.read_bytes()
        # Two changes within a second look the same by date and size: nothing compiled of this file
        # may be there.
        cached.unlink()
        file.write_text(source)
        try:
            yield
        finally:
            file.write_text(before)
            cached.write_bytes(compiled)
            os.utime(file, ns=(0, int.from_bytes(compiled[8:12], "little") * 1_000_000_000))

    def test(self, tests: Sequence[str], limit_s: float) -> Verdict:
        """Run these tests until the first fails."""
        self._told.write_text("")
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            self._test_here(tests)
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            seconds = time.monotonic() - begun
            if done:
                break
            if seconds > limit_s:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return Verdict("no end", seconds)
            time.sleep(0.02)
        if os.waitstatus_to_exitcode(status) == 0:
            return Verdict("", seconds)
        return Verdict(self._told.read_text() or "something that is no test", seconds)

    def _test_here(self, tests: Sequence[str]) -> None:
        """In a process of its own, which ends here whatever happens."""
        code = 1
        try:
            os.setsid()
            os.chdir(ROOT)
            silence = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(silence, stream)
            sys.dont_write_bytecode = True
            os.environ["PYTHONPATH"] = str(self._src)
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            sys.path.insert(0, str(self._src))
            sys.path.insert(1, str(ROOT))
            options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
            code = int(pytest.main([*options, *tests], plugins=[_Teller(self._told)]))
        finally:
            os._exit(code)


class _Teller:
    """Writes down the first failure."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self._file.read_text():
            self._file.write_text(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self._file.read_text():
            self._file.write_text(f"{report.nodeid or 'conftest'} (not even read)")


@contextmanager
def workshop() -> Iterator[Workshop]:
    """A workshop that is gone afterwards."""
    with TemporaryDirectory(prefix="ludoteca-mutate-") as folder:
        yield Workshop(Path(folder))
