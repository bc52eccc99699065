"""The AsyncAPI document of Ludoteca's own protocol, read by AsyncAPI's own parser."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludoteca.cli.protocol import asyncapi
from ludoteca.wire import messages

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
INSTALL_S_MAX = 170


def parser() -> list[str]:
    """The command that runs the parser, which is installed once as its lock says."""
    sys.path.insert(0, str(ROOT))
    from hatch_build import find_node

    found = find_node()
    if found is None:
        pytest.skip("no Node: it comes with requirements/build.txt")
    node, npm = found
    lock, installed = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", os.defpath)])
        environment = {**os.environ, "PATH": path}
        subprocess.run([node, npm, "ci"], cwd=HERE, env=environment, check=True, timeout=INSTALL_S_MAX)
        installed.touch()
    return [node, "check.mjs"]


def parse(document: object) -> dict[str, list[str]]:
    """What the parser says."""
    done = subprocess.run(
        parser(), cwd=HERE, input=json.dumps(document), capture_output=True, text=True, timeout=60, check=True
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_official_parser_accepts_the_document_and_finds_a_message_for_each_type() -> None:
    told = parse(asyncapi())
    assert told["errors"] == []
    wanted = [
        f"{side}.{kind.__struct_config__.tag}"
        for side, union in (("client", messages.FromClient), ("server", messages.FromServer))
        for kind in union.__args__
    ]
    assert sorted(told["messages"]) == sorted(wanted)
    broken = asyncapi()
    broken["operations"]["ask"]["action"] = "dance"
    assert parse(broken)["errors"]


def test_the_lock_does_not_say_where_packages_are_found() -> None:
    lock = json.loads((HERE / "package-lock.json").read_text())
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
