"""The project with the oldest packages that it allows, and with the newest: what is pinned for us is not what
others have."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What uses most of them: records and types, lines, HTTP and sockets, remote calls, metrics.
TESTS = (
    "tests/core",
    "tests/wire",
    "--ignore=tests/wire/java",
    "tests/hall/test_hall.py",
    "tests/server/test_process.py",
    "tests/server/test_http.py",
    "tests/server/test_websocket.py",
    "tests/server/test_together.py",
)
TOOLS = ("pytest", "pytest-asyncio", "pytest-timeout", "pytest-xdist", "hypothesis", "jsonschema")


def drift(folder: Path, say: Callable[[str], None]) -> list[str]:
    """Install and try both; what failed."""
    wrong = []
    for resolution in ("lowest-direct", "highest"):
        python = folder / resolution / "bin/python"
        steps = (
            ("uv", "venv", "--python", sys.executable, str(folder / resolution)),
            (
                "uv",
                "pip",
                "install",
                "--python",
                str(python),
                "--resolution",
                resolution,
                "-e",
                f"{ROOT}[cluster,minds]",
            ),
            (
                "uv",
                "pip",
                "install",
                "--python",
                str(python),
                *TOOLS,
                "openapi-spec-validator",
                "cyclonedx-python-lib[json-validation]",
            ),
            (str(python), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *TESTS),
        )
        for command in steps:
            name = [f"{ROOT}/.venv/bin/uv", *command[1:]] if command[0] == "uv" else list(command)
            done = subprocess.run(name, cwd=ROOT, capture_output=True, text=True, env={**os.environ})
            if done.returncode:
                wrong.append(f"{resolution}: {' '.join(command[:3])}: {(done.stdout + done.stderr)[-3000:]}")
                break
        else:
            say(f"drift: {resolution}: {done.stdout.strip().splitlines()[-1]}")
    return wrong
