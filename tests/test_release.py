"""What is handed out: equal bytes from equal sources, everything in it, a bill of materials that is one, and
a wheel that serves under every Python it names."""

import asyncio
import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import aiohttp
import pytest
from tests import rig

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
PAGE, SITE = (ROOT / "src/ludoteca/server" / name for name in ("page", "site"))

built = pytest.mark.skipif(
    not ((PAGE / "parts.json").is_file() and (SITE / "index.html").is_file()),
    reason="page or documentation are not built: make test builds them",
)

# Whether a bill of materials is as CycloneDX wants it, with all formats, addresses too (see conftest.py).
VALID = """
import sys
from pathlib import Path
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(Path(sys.argv[1]).read_text())
sys.exit(wrong and repr(wrong))
"""

# Minutes that only a release is worth.
whole = pytest.mark.skipif(not os.environ.get("RELEASING"), reason="make release tries it")


def script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "requirements" / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("released")
    script("release.py", str(folder))
    return folder


def test_the_bill_of_materials_is_one_and_names_all_that_is_locked(tmp_path: Path) -> None:
    script("bom.py", str(tmp_path / "bill.json"))
    text = (tmp_path / "bill.json").read_text()
    subprocess.run([sys.executable, "-c", VALID, str(tmp_path / "bill.json")], check=True)
    bill = json.loads(text)
    named = {(one["name"], one["version"]) for one in bill["components"]}
    locked = re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / "requirements/run.txt").read_text(), re.MULTILINE)
    assert set(locked) < named
    assert "svelte" in {name for name, _ in named}
    assert all(one["licenses"] for one in bill["components"])
    # Nothing about the machine, and nothing about when.
    assert str(ROOT) not in text
    assert "timestamp" not in text


def test_the_list_of_licences_is_that_of_the_lock() -> None:
    rows = re.findall(
        r"^\| (\S+) \| (\S+) \| (.+?) \| Python", (ROOT / "docs/licences.md").read_text(), re.MULTILINE
    )
    locked = re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / "requirements/run.txt").read_text(), re.MULTILINE)
    assert [row[:2] for row in rows] == sorted(locked), "run make lock"


def test_a_release_that_nobody_is_told_about_is_refused(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    (tmp_path / "requirements").mkdir()
    shutil.copyfile(ROOT / "requirements/release.py", tmp_path / "requirements/release.py")
    project = tmp_path / "pyproject.toml"
    project.write_text(
        re.sub(r'^version = ".*"', 'version = "99.0.0"', project.read_text(), flags=re.MULTILINE)
    )
    command = [sys.executable, str(tmp_path / "requirements/release.py"), str(tmp_path / "dist")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "CHANGELOG.md has no part ## [99.0.0]" in done.stderr
    assert not (tmp_path / "dist").exists()


@built
@pytest.mark.slow
def test_two_builds_give_equal_bytes_and_all_is_in_them(released: Path, tmp_path: Path) -> None:
    script("release.py", str(tmp_path / "again"))
    names = sorted(path.name for path in released.iterdir())
    assert len(names) == 5
    for name in names:
        assert (released / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name
    (wheel,) = released.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    for name in (
        "server/page/index.html",
        "server/page/sw.js.br",
        "server/site/index.html",
        "protocols/house.md",
    ):
        assert f"ludoteca/{name}" in inside
    assert any(name.endswith(".dist-info/sboms/ludoteca.cdx.json") for name in inside)
    (archive,) = released.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        packed = opened.getnames()
    assert any(name.endswith("server/page/index.html") for name in packed)
    assert not [
        name for name in packed if "node_modules" in name or "__pycache__" in name or "/.venv" in name
    ]
    for line in (released / "SHA256SUMS").read_text().splitlines():
        assert (released / line.split("  ")[1]).is_file()


@built
@whole
@pytest.mark.slow
def test_page_and_documentation_are_the_same_whenever_they_are_built(tmp_path: Path) -> None:
    """Built again beside the ones that are there, if those are of today's sources."""
    sys.path.insert(0, str(ROOT))
    try:
        import hatch_build
    finally:
        sys.path.remove(str(ROOT))
    node = hatch_build.find_node()
    if node is None or hatch_build.is_stale() or hatch_build.site_is_stale():
        pytest.skip("what is there is not of today's sources: make test builds it")
    hatch_build.run(
        [node[0], "node_modules/vite/bin/vite.js", "build"], 300, LUDOTECA_PAGE=str(tmp_path / "page")
    )
    command = [sys.executable, str(ROOT / "docs/site/build.py"), str(tmp_path / "site")]
    subprocess.run(command, check=True, timeout=300)
    assert different(PAGE, tmp_path / "page") == []
    assert different(SITE, tmp_path / "site") == []


def different(one: Path, other: Path) -> list[str]:
    """The files that are not the same in two folders."""
    names = {
        path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()
    }
    return sorted(
        str(name)
        for name in names
        if not ((one / name).is_file() and (other / name).is_file())
        or not filecmp.cmp(one / name, other / name, shallow=False)
    )


@built
@pytest.mark.slow
def test_a_wheel_of_the_source_archive_is_whole_without_node_sphinx_or_a_network(
    released: Path, tmp_path: Path
) -> None:
    (archive,) = released.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    # Nothing but hatchling and what it needs: a folder of links to them.
    packages = tmp_path / "packages"
    packages.mkdir()
    for name in ("hatchling", "packaging", "pathspec", "pluggy", "trove_classifiers", "editables"):
        found = next(Path(sys.prefix).glob(f"lib/python*/site-packages/{name}"))
        (packages / name).symlink_to(found)
    environment = {"PATH": "/nonexistent", "PYTHONPATH": str(packages), "SOURCE_DATE_EPOCH": "1767225600"}
    done = subprocess.run(
        [sys.executable, "-S", "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")],
        cwd=source, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (mine,), (theirs,) = (tmp_path / "dist").glob("*.whl"), released.glob("*.whl")
    one, other = zipfile.ZipFile(mine), zipfile.ZipFile(theirs)
    assert {info.filename: info.CRC for info in one.infolist()} == {
        info.filename: info.CRC for info in other.infolist()
    }


def interpreter(version: str) -> str:
    """A Python of this version that runs, or the test is skipped."""
    named = f"python{version}"
    homes = [
        *Path.home().glob(f".pyenv/versions/{version}.*/bin"),
        *Path.home().glob(f".local/share/uv/python/cpython-{version}*/bin"),
    ]
    for path in [shutil.which(named), *(str(home / named) for home in homes)]:
        if path is None or not os.access(path, os.X_OK):
            continue
        told = subprocess.run(
            [path, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True
        )
        if told.stdout.strip() == str(tuple(map(int, version.split(".")))):
            return path
    pytest.skip(f"Python {version} is not here: `uv python install {version}`")


@built
@whole
@pytest.mark.slow
@pytest.mark.parametrize("version", PYTHONS)
async def test_the_wheel_installs_and_serves_under_every_python_it_names(
    released: Path, tmp_path: Path, version: str
) -> None:
    assert f'"Programming Language :: Python :: {version}"' in (ROOT / "pyproject.toml").read_text()
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not here: make test brings it")
    home = tmp_path / "environment"
    (wheel,) = released.glob("*.whl")
    for command in (
        [uv, "venv", "-q", "--python", interpreter(version), str(home)],
        [
            uv,
            "pip",
            "install",
            "-q",
            "--python",
            str(home / "bin/python"),
            "--require-hashes",
            "-r",
            str(ROOT / "requirements/run.txt"),
        ],
        [uv, "pip", "install", "-q", "--python", str(home / "bin/python"), "--no-deps", str(wheel)],
    ):
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    house = rig.Process(tmp_path / "data", "http", "house")
    house.program = [str(home / "bin/ludoteca")]
    await house.start(cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8"})
    try:
        async with aiohttp.ClientSession("http://{}:{}".format(*house.addresses["http"])) as web:
            for path, words in (
                ("/", "<title>Ludoteca"),
                ("/docs/", "<title>Ludoteca"),
                ("/api/v1/games", "santorini"),
            ):
                async with web.get(path) as answer:
                    assert words in await answer.text()
        ann = await rig.enter(house, "Ann")
        await ann.send({"type": "open", "game": "santorini", "seats": 2}, {"type": "bot", "level": "random"})
        await ann.until("question")
    finally:
        assert await house.stop() == 0
