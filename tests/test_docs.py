"""Pages link to what is there: files, headings, and settings that exist. Nothing is asked of a network."""

import re
import subprocess
from functools import cache
from pathlib import Path

import click
import pytest

from ludoteca.cli import main

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
LISTED = subprocess.run(
    ["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True
).stdout.splitlines()
# Without git, as in a source archive, those that are there.
PAGES = [ROOT / name for name in LISTED if (ROOT / name).is_file()] or [
    path
    for path in sorted(ROOT.rglob("*.md"))
    if not {"node_modules", ".venv", "site"} & set(path.relative_to(ROOT).parts)
]


@cache
def anchors(page: Path) -> set[str]:
    """What a link can point at: headings, as they are written in addresses."""
    found: dict[str, int] = {}
    names = set()
    for heading in re.findall(r"^#{1,6} +(.*)$", FENCE.sub("", page.read_text()), re.MULTILINE):
        plain = LINK.sub(lambda one: one[0][1 : one[0].index("]")], heading)
        slug = re.sub(r"[^\w\- ]", "", plain.replace("`", "").strip().lower()).replace(" ", "-")
        count = found[slug] = found.get(slug, -1) + 1
        names.add(f"{slug}-{count}" if count else slug)
    return names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(FENCE.sub("", page.read_text())):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        bare, _, anchor = target.partition("#")
        meant = (page.parent / bare).resolve() if bare else page
        assert meant.exists(), f"{target} is not there"
        assert meant.is_relative_to(ROOT), f"{target} leads out of the project"
        if anchor and meant.suffix == ".md":
            assert anchor in anchors(meant), f"{target}: there is no such heading"


def test_the_first_page_leads_to_every_other_of_docs() -> None:
    """Pages that nobody finds are not read. Decisions are many: one of them stands for all."""
    linked = {
        (page.parent / target.partition("#")[0]).resolve()
        for page in (ROOT / "docs/index.md", ROOT / "README.md")
        for target in LINK.findall(page.read_text())
        if not target.startswith("http")
    }
    pages = {
        page for page in PAGES if page.parent in (ROOT / "docs", ROOT / "docs/rules", ROOT / "docs/protocols")
    }
    assert {str(page.relative_to(ROOT)) for page in pages - linked} <= {"docs/index.md"}


def commands(page: Path) -> list[list[str]]:
    """Every call of `ludoteca` in the code blocks of a page, as words."""
    blocks = re.findall(
        r"^ *```(?:sh|)\n(.*?)^ *```$|((?:^ {4,}\S.*\n)+)", page.read_text(), re.MULTILINE | re.DOTALL
    )
    found = []
    for line in "\n".join(fenced or indented for fenced, indented in blocks).splitlines():
        called = re.match(r"\s*(?:until |sudo |\.venv/bin/)?ludoteca ([a-z].*)", line)
        if called:
            # Two blanks and words are what a page says about a line.
            found.append(re.split(r"  +|[;|>&#]| 2>", called[1])[0].split())
    return found


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_every_command_that_a_page_shows_is_one_with_these_options(page: Path) -> None:
    for name, *words in commands(page):
        command = main.get_command(click.Context(main), name.rstrip(","))
        assert command is not None, f"there is no ludoteca {name}"
        known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
        if isinstance(command, click.Group):
            inner = next((word for word in words if word in command.commands), None)
            assert inner is not None, f"ludoteca {name} {words}"
            known |= {option for one in command.commands[inner].params for option in one.opts}
        wrong = [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]
        assert not wrong, f"ludoteca {name} knows no {wrong}"


def test_the_readme_is_two_screens() -> None:
    words = len((ROOT / "README.md").read_text().split())
    assert words < 1100
