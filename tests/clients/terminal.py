"""A real terminal for the terminal client: tmux."""

import os
import re
import shlex
import subprocess
import sys
import time
import uuid
from pathlib import Path

from tests import needs

PLAY = [sys.executable, "-m", "ludoteca.cli", "play"]
PATIENCE_S = 60.0


class Terminal:
    """A program in a tmux session of its own server, which is told what to type and asked what it shows."""

    def __init__(
        self,
        command: list[str],
        folder: Path,
        size: tuple[int, int] = (80, 24),
        **environment: str,
    ) -> None:
        self._tmux = [needs.tmux(), "-L", f"ludoteca-{uuid.uuid4().hex[:8]}", "-f", os.devnull]
        keep = {name: os.environ[name] for name in ("XDG_DATA_HOME", "XDG_STATE_HOME")} | environment
        line = " ".join(
            [*(f"{name}={shlex.quote(value)}" for name, value in keep.items()), shlex.join(command)]
        )
        # The history holds the whole match; the shell stays, so that the last lines can still be read.
        self._run(
            "new-session",
            "-d",
            "-x",
            str(size[0]),
            "-y",
            str(size[1]),
            "-c",
            str(folder),
            # A size that the tests run under would be believed before the terminal's own.
            f"unset COLUMNS LINES; {line}; echo END; sleep 600",
        )
        self._run("set-option", "-g", "history-limit", "50000")

    def _run(self, *arguments: str) -> str:
        return subprocess.run([*self._tmux, *arguments], check=True, capture_output=True, text=True).stdout

    def type(self, line: str) -> None:
        """Type a line."""
        self._run("send-keys", "-l", line)
        self._run("send-keys", "Enter")

    def keys(self, *keys: str) -> None:
        """Press keys at once, faster than anybody types: letters, and names as tmux has them."""
        self._run("send-keys", *keys)

    def paste(self, text: str) -> None:
        """Paste something, as terminals do that say so."""
        self._run("set-buffer", text)
        self._run("paste-buffer", "-p")

    def resize(self, size: tuple[int, int]) -> None:
        """Make the window larger or smaller."""
        self._run("resize-window", "-x", str(size[0]), "-y", str(size[1]))

    def screen(self, *, colours: bool = False) -> str:
        """What is on the screen now."""
        return self._run("capture-pane", "-p", *(["-e"] if colours else []))

    def text(self) -> str:
        """All that was printed so far, with wrapped lines joined."""
        return self._run("capture-pane", "-p", "-J", "-S", "-")

    def until(self, pattern: str, after: int = 0) -> str:
        """Wait until something is printed after so many characters."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            text = self.text()
            if re.search(pattern, text[after:]):
                return text
            time.sleep(0.05)
        raise AssertionError(f"no {pattern!r} in:\n{self.text()[-2000:]}")

    def pid(self) -> int:
        """The shell that the program runs in."""
        return int(self._run("list-panes", "-F", "#{pane_pid}"))

    def close(self) -> None:
        """End the session and its server."""
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)
