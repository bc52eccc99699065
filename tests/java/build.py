"""Compiles the Java side of tests, once for all test processes: a game's classes, and our players of it.

`classes.txt` of a game has the original's classes, a line each: identifiers, fields and enums, written down
apart from the tables in `ludoteca.games`, so that a slip in one shows.
"""

import hashlib
import re
import subprocess
import tempfile
from pathlib import Path

from tests.needs import javac

HERE = Path(__file__).parent
PACKAGE = "it.polimi.ingsw"
_LINE = re.compile(
    r"(?P<kind>enum|interface|class) (?P<name>[\w.]+)(?P<parents> (?:extends|implements) [\w.,]+)?"
    r"(?: (?P<uid>[0-9a-f]{16}))?(?::(?P<rest>.*))?$"
)


def classpath(game: str) -> str:
    """Where the compiled classes of a game and its players are."""
    sources = {**_sources(game), **_written(HERE / "common"), **_written(HERE / game)}
    digest = hashlib.sha256(repr(sorted(sources.items())).encode()).hexdigest()[:16]
    home = Path(tempfile.gettempdir()) / f"ludoteca-java-{digest}"
    if not home.is_dir():
        with tempfile.TemporaryDirectory(dir=home.parent) as work:
            folder = Path(work)
            for name, text in sources.items():
                file = folder / "source" / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            files = [str(file) for file in sorted((folder / "source").rglob("*.java"))]
            command = [javac(), "-nowarn", "-proc:none", "-d", str(folder / "classes"), *files]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            try:
                (folder / "classes").rename(home)
            except OSError:
                assert home.is_dir(), "another process has compiled the same meanwhile"
    return str(home)


def command(game: str, program: str, *arguments: str) -> list[str]:
    """How to start one of the programs, with as little of a virtual machine as will do."""
    options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx64m"]
    return [str(Path(javac()).with_name("java")), *options, "-cp", classpath(game), program, *arguments]


def _written(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in sorted(folder.rglob("*.java"))}


def _sources(game: str) -> dict[str, str]:
    """The classes of a game as Java."""
    lines = (HERE / game / "classes.txt").read_text().splitlines()
    return dict(_source(line) for line in lines if line and not line.startswith("#"))


def _source(line: str) -> tuple[str, str]:
    found = _LINE.match(line)
    assert found, line
    full = f"{PACKAGE}.{found['name']}"
    package, _, name = full.rpartition(".")
    rest = (found["rest"] or "").strip()
    parents = re.sub(r"(?<=[ ,])(?=[a-z]+\.)", f"{PACKAGE}.", found["parents"] or "")
    if found["kind"] == "enum":
        body = f"public enum {name} {{ {', '.join(rest.split())} }}"
    elif found["kind"] == "interface":
        body = f"public interface {name} extends java.io.Serializable {{ }}"
    else:
        members = [f"private static final long serialVersionUID = 0x{found['uid']}L;"]
        members += [f"public {_type(field)};" for field in rest.split(", ") if field]
        if "extends" in parents or "implements" not in parents:
            parents += " implements java.io.Serializable"
        body = (
            f"public class {name}{parents} {{\n    " + "\n    ".join(members) + _equality(name, rest) + "\n}"
        )
    return f"{full.replace('.', '/')}.java", f"package {package};\n\n{body}\n"


def _type(field: str) -> str:
    own = field.split(" ")[0].split(".")[0] in ("client", "controller", "model", "network", "server", "util")
    return f"{PACKAGE}.{field}" if own else field


def _equality(name: str, fields: str) -> str:
    """Positions are keys of a map."""
    if name != "Position":
        return ""
    names = [field.split()[-1] for field in fields.split(", ")]
    same = " && ".join(f"{field} == ((Position) other).{field}" for field in names)
    return (
        f"\n    public boolean equals(Object other) {{ return other instanceof Position && {same}; }}"
        f"\n    public int hashCode() {{ return java.util.Objects.hash({', '.join(names)}); }}"
    )
