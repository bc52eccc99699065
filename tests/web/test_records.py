"""The page's types: written from the records in Python, and missed where a board forgets one of them."""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.web.test_units import ROOT, WEB, node

from web import records

BOARD = ROOT / "src" / "ludoteca" / "games" / "multisweeper" / "web"


@pytest.mark.slow
def test_the_page_has_the_types_of_today_s_records(capsys: pytest.CaptureFixture[str]) -> None:
    assert records.main(only_check=True) == 0, capsys.readouterr().out


def test_a_stale_file_is_named_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "web/src/lib").mkdir(parents=True)
    (tmp_path / "src/ludoteca/games/santorini/web").mkdir(parents=True)
    monkeypatch.setattr(records, "ROOT", tmp_path)
    records.main(only_check=False)
    stale = tmp_path / "src/ludoteca/games/santorini/web/records.ts"
    written = stale.read_text()
    stale.write_text(written.replace("number", "string"))
    assert records.main(only_check=True) == 1
    assert (
        "santorini/web/records.ts is not what the Python records say: run make types"
        in capsys.readouterr().out
    )
    records.main(only_check=False)
    assert stale.read_text() == written


def compiled(folder: Path) -> subprocess.CompletedProcess[str]:
    """What TypeScript says about a board's words in another folder."""
    config = f'{{"extends": "{WEB}/tsconfig.json", "compilerOptions": {{"types": []}}, "include": ["*.ts"]}}'
    (folder / "tsconfig.json").write_text(config)
    return node("node_modules/typescript/bin/tsc", "--project", str(folder))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_board_that_does_not_tell_of_an_event_does_not_compile(tmp_path: Path) -> None:
    for name in ("words", "en", "it", "types", "records"):
        shutil.copy(BOARD / f"{name}.ts", tmp_path)
    done = compiled(tmp_path)
    assert done.returncode == 0, done.stdout
    text = (tmp_path / "records.ts").read_text().replace("| BrokenOff;", "| BrokenOff | Sneezed;")
    (tmp_path / "records.ts").write_text(
        text + 'export interface Sneezed { type: "Sneezed"; seat: number }\n'
    )
    done = compiled(tmp_path)
    assert "words.ts" in done.stdout
    assert "Argument of type 'Sneezed' is not assignable to parameter of type 'never'" in done.stdout
