"""`make release`: wheel and source archive with page and documentation, their checksums, and the bill of
materials, in dist/. Equal sources make equal bytes."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD_S_MAX = 900


def version() -> str:
    """That of the project."""
    found: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return found


def check_changelog() -> None:
    """A release is told about; what is still being made (.dev) need not be."""
    wanted = version()
    if ".dev" not in wanted and f"## [{wanted}]" not in (ROOT / "CHANGELOG.md").read_text():
        raise SystemExit(
            f"CHANGELOG.md has no part ## [{wanted}]: give it one, or the project another version"
        )


def release(folder: Path) -> list[Path]:
    """Build everything into an empty folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if re.match(r"ludoteca-|SHA256SUMS$", old.name):
            old.unlink()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600", "LUDOTECA_WHOLE": "1"}
    for target in ("sdist", "wheel"):
        command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=BUILD_S_MAX,
            check=False,
        )
        if done.returncode != 0:
            raise SystemExit(done.stdout + done.stderr)
    shutil.copyfile(ROOT / "build" / "ludoteca.cdx.json", folder / f"ludoteca-{version()}.cdx.json")
    shutil.copyfile(ROOT / "docs" / "licences.md", folder / f"ludoteca-{version()}-licences.md")
    made = sorted(path for path in folder.iterdir() if path.name.startswith("ludoteca-"))
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made)
    (folder / "SHA256SUMS").write_text(sums)
    return [*made, folder / "SHA256SUMS"]


if __name__ == "__main__":
    check_changelog()
    for path in release(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"):
        print(f"{path.stat().st_size:>10}  {path}")
