"""The README's promises that a program can check."""

import asyncio
import doctest
import io
import re
import sys
from pathlib import Path

import pytest
from tests import rig

README = Path(__file__).parents[1] / "README.md"


async def test_the_ten_line_player_plays(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    assert len(program.strip().splitlines()) <= 15
    async with rig.house(tmp_path, "house", bot_s=0.05, bot_workers=0) as server:
        program = program.replace("8001", str(server.addresses["house"][1]))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert out.decode().strip() in ("won", "lost")


def test_every_file_it_links_to_is_there() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README.read_text()):
        assert (README.parent / link).exists(), link


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_the_examples_of_the_library_come_out_as_printed(page: str) -> None:
    examples = doctest.DocTestParser().get_doctest((README.parent / page).read_text(), {}, page, page, 0)
    assert len(examples.examples) >= 4
    found = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(examples, out=found.write).failed == 0, found.getvalue()
