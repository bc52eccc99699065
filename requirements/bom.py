"""What Ludoteca is made of: a software bill of materials (CycloneDX) for every wheel, and the licences of all
that it needs to run.

    python requirements/bom.py OUT            writes the bill
    python requirements/bom.py --licences     writes docs/licences.md, from what is installed (`make lock`)

The bill is made from the lock, the list of licences and the page's own lock alone: equal sources make equal
bytes.
"""

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
LICENCES = ROOT / "docs" / "licences.md"
PARTS = ROOT / "src" / "ludoteca" / "server" / "page" / "parts.json"
HEAD = """# Licences

Ludoteca itself is MIT. To run, a house needs these packages, under these licences; the wheel brings none of
them along but what is compiled into the page. Every wheel has the same list for programs, as a bill of
materials (CycloneDX, in its `.dist-info/sboms`). Written by `make lock`.

| package | version | licence | where |
|---|---|---|---|
"""
# Where a package's own words are not those of the list of SPDX.
SPDX = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "Python Software Foundation License": "PSF-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}


class Part(NamedTuple):
    """Something that Ludoteca is made of. `kind` is how it is called by package managers."""

    name: str
    version: str
    licence: str
    kind: str

    @property
    def purl(self) -> str:
        """Its address for programs."""
        return f"pkg:{self.kind}/{self.name.replace('@', '%40')}@{self.version}"


def locked() -> dict[str, str]:
    """What the lock for running a house names, with versions."""
    text = (ROOT / "requirements" / "run.txt").read_text()
    return dict(re.findall(r"^([A-Za-z0-9_.-]+)==([^\s;]+)", text, re.MULTILINE))


def page_parts() -> Iterator[Part]:
    """What is compiled into the page: the build of the page writes it down; Svelte, where there is none."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    names = json.loads(PARTS.read_text()) if PARTS.is_file() else ["svelte"]
    for name in sorted(names):
        about = lock[f"node_modules/{name}"]
        yield Part(name, about["version"], about.get("license", ""), "npm")


def installed_licence(name: str) -> str:
    """What an installed package says about its licence; "" for one that is not for this machine."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    told = about.json
    found = str(told.get("license_expression", ""))
    if not found:
        classified = [
            one.rsplit(" :: ", 1)[-1] for one in about.get_all("Classifier") or () if "License ::" in one
        ]
        plain = str(told.get("license", "")).strip()
        found = plain if plain and "\n" not in plain and len(plain) < 60 else " AND ".join(classified)
    return SPDX.get(found, found)


def write_licences() -> None:
    """Note the licences of all that is locked; what is not for this machine keeps what was known of it."""
    known = dict(noted())
    rows = []
    for name, version in sorted(locked().items()):
        licence = installed_licence(name) or known.get(name, "")
        if not licence:
            raise SystemExit(f"the licence of {name} is not known: add it to {LICENCES.name} by hand")
        rows.append(f"| {name} | {version} | {licence} | Python |\n")
    rows += [f"| {part.name} | {part.version} | {part.licence} | in the page |\n" for part in page_parts()]
    LICENCES.write_text(HEAD + "".join(rows))


def noted() -> Iterator[tuple[str, str]]:
    """The licences that are written down, by package."""
    if LICENCES.is_file():
        yield from re.findall(r"^\| (\S+) \| \S+ \| (.+?) \|", LICENCES.read_text(), re.MULTILINE)


def bill() -> dict[str, Any]:
    """The bill of materials, as CycloneDX 1.6."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    licences = dict(noted())
    parts = [
        Part(name, version, licences.get(name, ""), "pypi") for name, version in sorted(locked().items())
    ]
    parts += page_parts()
    own = Part(project["name"], project["version"], project["license"], "pypi")
    components = [_component(part, "library") for part in parts]
    made: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**_component(own, "application"), "description": project["description"]}},
        "components": components,
        "dependencies": [{"ref": own.purl, "dependsOn": [part.purl for part in parts]}],
    }
    # Its name follows from what it says.
    made["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(made, sort_keys=True))}"
    return made


def _component(part: Part, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": kind,
        "bom-ref": part.purl,
        "name": part.name,
        "version": part.version,
        "purl": part.purl,
    }
    if part.licence:
        simple = re.fullmatch(r"[\w.+()-]+( (AND|OR|WITH) [\w.+()-]+)*", part.licence)
        found["licenses"] = [{"expression": part.licence} if simple else {"license": {"name": part.licence}}]
    return found


def write(out: Path) -> None:
    """Write the bill to a file."""
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(bill(), indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--licences"]:
        write_licences()
    else:
        write(Path(sys.argv[1]))
