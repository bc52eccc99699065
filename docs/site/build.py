"""Makes the documentation as a site: `python docs/site/build.py OUT`.

The pages are those of docs/, the ones that lie beside what they are about (protocols, games, examples), and
two that are written from the documents of the interfaces. All that a page links to must be there.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOCS = ROOT / "docs"
BUILD_S_MAX = 300
PACKED_BYTES_MIN = 400
# Of Sphinx's own files, what pages of ours never ask for.
UNUSED = (
    "objects.inv",
    ".buildinfo",
    "_static/basic.css",
    "_static/file.png",
    "_static/minus.png",
    "_static/plus.png",
)

# The contents: part, then its pages as they are called here; a star is all that are there.
CONTENTS = {
    "Play": ["play", "terminal", "rules/*", "games/*"],
    "Host": ["hosting", "cluster", "security", "originals"],
    "Programs": [
        "bots",
        "library",
        "research",
        "protocols/house",
        "protocols/rest",
        "protocols/messages",
        "protocols/games/*",
        "conformance",
        "examples",
    ],
    "Make": [
        "adding-a-game",
        "architecture",
        "glossary",
        "testing",
        "benchmarks",
        "web",
        "decisions/*",
        "changelog",
    ],
}
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
FENCE = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)


def pages() -> dict[Path, str]:
    """Every page by its file: what it is called on the site."""
    found = {path: path.relative_to(DOCS).with_suffix("").as_posix() for path in sorted(DOCS.rglob("*.md"))}
    for game in sorted((ROOT / "src/ludoteca/games").glob("*/PROTOCOL.md")):
        found[game] = f"protocols/games/{game.parent.name}"
        found[game.with_name("README.md")] = f"games/{game.parent.name}"
    found[ROOT / "examples/README.md"] = "examples"
    found[ROOT / "web/README.md"] = "web"
    found[ROOT / "CHANGELOG.md"] = "changelog"
    return found


def stage(folder: Path) -> None:
    """All pages in one folder, with links that lead from one to the other there."""
    known = pages()
    for path, name in known.items():
        target = folder / f"{name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(led(path, name, known, folder))
    for name, text in interfaces(folder):
        (folder / f"{name}.md").write_text(text)
    there = sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md"))
    contents = {
        part: [one for name in names for one in matching(name, there)] for part, names in CONTENTS.items()
    }
    # A page that nobody has given a place stands at the end, rather than nowhere.
    placed = {"index", *(one for lines in contents.values() for one in lines)}
    contents["Make"] += [one for one in there if one not in placed]
    with (folder / "index.md").open("a") as index:
        for part, lines in contents.items():
            index.write(f"\n```{{toctree}}\n:hidden:\n:caption: {part}\n\n" + "\n".join(lines) + "\n```\n")


def matching(name: str, there: list[str]) -> list[str]:
    if not name.endswith("*"):
        return [name]
    return [one for one in there if one.startswith(name[:-1]) and "/" not in one[len(name) - 1 :]]


def led(path: Path, name: str, known: dict[Path, str], folder: Path) -> str:
    """A page whose links lead where things are on the site; what is not part of it is named by its path."""
    parts = FENCE.split(path.read_text())
    # Every other part is a fenced block, in which nothing is a link.
    parts[::2] = [LINK.sub(lambda one: _led(one, path, name, known, folder), part) for part in parts[::2]]
    return "".join(parts)


def _led(found: re.Match[str], path: Path, name: str, known: dict[Path, str], folder: Path) -> str:
    label, target = found[1], found[2]
    if target.startswith(("#", "http://", "https://", "mailto:")):
        return found[0]
    bare, hash_, anchor = target.partition("#")
    meant = (path.parent / bare).resolve()
    if meant in known:
        there = os.path.relpath(f"{known[meant]}.md", Path(name).parent)
        return f"{label}({there}{hash_}{anchor})"
    if not meant.exists():
        raise SystemExit(f"{path.relative_to(ROOT)}: {target} is not there")
    if meant.is_file() and (meant.is_relative_to(DOCS) or meant.is_relative_to(ROOT / "examples")):
        own = meant.relative_to(DOCS if meant.is_relative_to(DOCS) else ROOT).as_posix()
        # Programs to read: browsers show them, and nobody takes them for modules of the package.
        own += ".txt" if meant.suffix in (".py", ".mjs", ".pl") else ""
        copy = folder / "files" / own
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(meant, copy)
        return f"{label}({os.path.relpath(f'files/{own}', Path(name).parent)})"
    shown = meant.relative_to(ROOT).as_posix()
    text = label.strip("[]")
    return text if shown in text else f"{text} (`{shown}`)"


# The interfaces, as their documents describe them.


def interfaces(folder: Path) -> Iterator[tuple[str, str]]:
    """Two pages, and the documents themselves beside them."""
    sys.path.insert(0, str(ROOT / "src"))
    from ludoteca.cli.protocol import asyncapi
    from ludoteca.server.openapi import openapi

    (folder / "files").mkdir(exist_ok=True)
    for name, document in (("openapi", openapi()), ("asyncapi", asyncapi())):
        (folder / f"files/{name}.json").write_text(json.dumps(document, indent=2))
    yield "protocols/rest", "\n".join(rest(openapi())) + "\n"
    yield "protocols/messages", "\n".join(messages(asyncapi())) + "\n"


def rest(document: dict[str, Any]) -> Iterator[str]:
    """OpenAPI as a page."""
    yield "# REST\n"
    yield (
        document["info"]["description"]
        + " The same as a program reads it: [openapi.json](../files/openapi.json)."
    )
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            yield f"\n## `{method.upper()} {path}`\n"
            yield about.get("summary", "") + "\n"
            parameters = [_resolved(document, one) for one in about.get("parameters", ())]
            if parameters:
                yield "| parameter | in | what |\n|---|---|---|"
                for one in parameters:
                    yield f"| `{one['name']}` | {one['in']} | {_cell(one.get('description', ''))} |"
                yield ""
            yield "| status | answer |\n|---|---|"
            for status, answer in about["responses"].items():
                answer = _resolved(document, answer)
                content: dict[str, Any] = next(iter(answer.get("content", {}).values()), {})
                kind = _kind(content["schema"]) if "schema" in content else ""
                yield f"| {status} | {_cell(answer.get('description', ''))} {kind} |"
    yield "\n## Records\n"
    yield from schemas(document["components"]["schemas"])


def messages(document: dict[str, Any]) -> Iterator[str]:
    """AsyncAPI as a page."""
    yield "# Messages of the house's protocol\n"
    yield (
        "What is said over [Ludoteca's own protocol](house.md), message by message. The same as a program"
        " reads it: [asyncapi.json](../files/asyncapi.json)."
    )
    told = document["channels"]["house"]["messages"]
    every = document["components"]["schemas"]
    shown: set[str] = set()
    for operation, title in (("ask", "From clients"), ("tell", "From the house")):
        yield f"\n## {title}\n"
        for one in document["operations"][operation]["messages"]:
            name = one["$ref"].rsplit("/", 1)[-1]
            payload = told[name].get("payload", {})
            key = payload.get("$ref", "").rsplit("/", 1)[-1]
            shown.add(key)
            yield from schema(key or name, every.get(key, payload))
    yield "\n## What they are made of\n"
    yield "Records of the games stand in the schema of each: `ludoteca protocol GAME --schema`."
    rest_ = {name: one for name, one in every.items() if name not in shown and "." not in name}
    yield from schemas({name: one for name, one in rest_.items() if name not in ("FromClient", "FromServer")})


def schemas(every: dict[str, Any]) -> Iterator[str]:
    for name, one in every.items():
        yield from schema(name, one)


def schema(name: str, one: dict[str, Any]) -> Iterator[str]:
    """One record: what it is, and its fields."""
    yield f"\n### {name}\n"
    if one.get("description"):
        yield " ".join(one["description"].split()).replace("<", "&lt;") + "\n"
    fields = one.get("properties", {})
    if not fields:
        yield f"{_kind(one)}\n"
        return
    yield "| field | holds | |\n|---|---|---|"
    for field, kind in fields.items():
        needed = "" if field in one.get("required", ()) else _default(kind)
        yield f"| `{field}` | {_kind(kind)} | {needed} |"
    yield ""


def _default(kind: dict[str, Any]) -> str:
    return (
        f"`{json.dumps(kind['default'], ensure_ascii=False)}` if left out"
        if "default" in kind
        else "may be left out"
    )


def _kind(one: dict[str, Any]) -> str:
    """What a value may be, in a few words."""
    if "$ref" in one:
        name = one["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{re.sub(r'[^a-z0-9_-]', '', name.lower())})"
    for several in ("anyOf", "oneOf"):
        if several in one:
            return " or ".join(_kind(each) for each in one[several])
    if "enum" in one:
        return ", ".join(f"`{json.dumps(each)}`" for each in one["enum"])
    if "const" in one:
        return f"`{json.dumps(one['const'])}`"
    if one.get("type") == "array":
        inner = one.get("items") or {}
        return f"list of {_kind(inner)}" if isinstance(inner, dict) and inner else "list"
    kind = one.get("type", "anything")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    low, high = one.get("minimum"), one.get("maximum")
    bounds = f" from {low}" if low is not None else ""
    bounds += f" to {high}" if high is not None else ""
    length = f", at most {one['maxLength']} characters" if "maxLength" in one else ""
    return f"{kind}{bounds}{length}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _resolved(document: dict[str, Any], one: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in one:
        return one
    found: Any = document
    for part in one["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return found  # type: ignore[no-any-return]


def build(out: Path) -> None:
    """Make the site in a folder that is replaced as a whole."""
    with tempfile.TemporaryDirectory() as scratch:
        source, made = Path(scratch) / "source", Path(scratch) / "made"
        source.mkdir()
        stage(source)
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-j", "auto"]
        # Equal sources make equal bytes: no date of today.
        environment = {"SOURCE_DATE_EPOCH": "0", **os.environ, "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            [*command, "-c", str(HERE), "-d", f"{scratch}/trees", str(source), str(made)],
            env=environment, timeout=BUILD_S_MAX, check=False, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode != 0:
            raise SystemExit(done.stdout + done.stderr.replace(f"{source}/", ""))
        shutil.copyfile(ROOT / "web/public/icon.svg", made / "_static/icon.svg")
        # The one style that Sphinx writes into a page, which the house's policy would not let through.
        search = made / "search.html"
        search.write_text(search.read_text().replace(' style="padding-left: 10px"', ""))
        for name in UNUSED:
            (made / name).unlink(missing_ok=True)
        for path in sorted(made.rglob("*")):
            if (
                path.suffix in (".html", ".js", ".css", ".svg", ".json")
                and path.stat().st_size >= PACKED_BYTES_MIN
            ):
                path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
