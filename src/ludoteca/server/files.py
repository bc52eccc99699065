"""The web client's files: packed when it was built, kept by browsers for as long as they hold, and with a
preview for whoever is shown a link."""

import gzip
from collections.abc import Mapping
from functools import cache, lru_cache
from html import escape
from importlib import resources
from typing import NamedTuple

from aiohttp import web

from ludoteca.core import Refused
from ludoteca.server.answers import tag_of

# The web client and the documentation, built by hatch_build.py.
PAGE = resources.files("ludoteca.server") / "page"
SITE = resources.files("ludoteca.server") / "site"

INDEX = "index.html"
# Where the documentation is, below the page.
DOCS = "docs/"
# Named by their content: another content has another name.
LASTING = "assets/"
# How a file may be packed, the best first, and how its name ends then.
PACKINGS = {"br": ".br", "gzip": ".gz"}
# What is said about a house where a link to it is shown.
TITLE = "Ludoteca"
ABOUT = "Five board games in the browser, against friends, strangers or bots. No sign-up."
PREVIEW_MARK = b"<!-- preview -->"
PREVIEWS_MAX = 64

_KINDS = {
    "html": "text/html",
    "txt": "text/plain",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "json": "application/json",
    "png": "image/png",
    "woff2": "font/woff2",
    "ico": "image/x-icon",
    "webmanifest": "application/manifest+json",
    "wasm": "application/wasm",
}


class Version(NamedTuple):
    """A file in one packing."""

    body: bytes
    tag: str


class Preview(NamedTuple):
    """What a link to a page of the house looks like elsewhere. `origin` is how the house was called, `base`
    where it is there."""

    origin: str
    base: str
    path: str = "/"
    title: str = TITLE
    about: str = ABOUT


def find(path: str) -> str:
    """The file for a path; every path that is none is the page itself, which looks at the address.
    Raises Refused."""
    files = _files()
    if f"{path}/" == DOCS:
        path = DOCS + INDEX
    if path in files and not path.endswith(tuple(PACKINGS.values())):
        return path
    if path.startswith(DOCS):
        if DOCS + INDEX not in files:
            raise Refused("this house was built without its documentation; `make site` builds it", "gone")
        raise Refused("there is no such page in the documentation", "gone")
    if "." in path.rsplit("/", 1)[-1] or path.startswith("api/"):
        raise Refused("there is no such page", "gone")
    if INDEX not in files:
        raise Refused("this house was built without its page; the protocols work all the same", "gone")
    return INDEX


def serve(request: web.Request, path: str, preview: Preview) -> web.Response:
    """A file that `find` found, packed as this client can unpack it; 304 when it has it already."""
    versions = _with_preview(preview) if path == INDEX else _versions(path)
    packing = next((one for one in PACKINGS if one in versions and accepts(request.headers, one)), "")
    body, tag = versions[packing]
    about = {
        "Cache-Control": "public, max-age=31536000, immutable" if path.startswith(LASTING) else "no-cache"
    }
    if len(versions) > 1:
        about["Vary"] = "Accept-Encoding"
    # A file that is packed is another one, also to whoever keeps it.
    about["ETag"] = f'"{tag}"'
    if any(known.value in (tag, "*") for known in request.if_none_match or ()):
        return web.Response(status=304, headers=about)
    if packing:
        about["Content-Encoding"] = packing
    kind = _KINDS.get(path.rsplit(".", 1)[-1], "application/octet-stream")
    charset = "utf-8" if kind.startswith(("text/", "application/j")) else None
    return web.Response(body=body, content_type=kind, charset=charset, headers=about)


def accepts(headers: Mapping[str, str], packing: str) -> bool:
    """Whether a client says that it can unpack this, and does not say that it would rather not."""
    for wish in headers.get("Accept-Encoding", "").lower().split(","):
        coding, _, more = wish.partition(";")
        if coding.strip() == packing:
            return more.replace(" ", "").rstrip("0.") != "q="
    return False


@cache
def _files() -> dict[str, bytes]:
    """The page's files by their paths: they are few, and what a client writes in a path
    never reaches the disk."""
    found: dict[str, bytes] = {}
    folders = [(prefix, folder) for prefix, folder in (("", PAGE), (DOCS, SITE)) if folder.is_dir()]
    for prefix, folder in folders:
        for entry in folder.iterdir():
            if entry.is_dir():
                folders.append((f"{prefix}{entry.name}/", entry))
            else:
                found[prefix + entry.name] = entry.read_bytes()
    return found


@cache
def _versions(path: str) -> dict[str, Version]:
    """A file as it is, and packed in each way it was packed when the page was built."""
    files = _files()
    packed = {packing: files[path + end] for packing, end in PACKINGS.items() if path + end in files}
    return _tagged({"": files[path], **packed})


def _tagged(bodies: dict[str, bytes]) -> dict[str, Version]:
    return {packing: Version(body, tag_of(body)) for packing, body in bodies.items()}


@lru_cache(PREVIEWS_MAX)
def _with_preview(preview: Preview) -> dict[str, Version]:
    """The page with what others show of a link to it: they need the whole address of the picture."""
    origin, base, path, title, about = preview
    facts = {
        "og:site_name": TITLE,
        "og:type": "website",
        "og:title": title,
        "og:description": about,
        "og:url": origin + base + path,
        "og:image": f"{origin}{base}/preview.png",
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    tags = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in facts.items()]
    tags.append('<meta name="twitter:card" content="summary_large_image" />')
    # The page is shown at many paths, so its parts are named from the root.
    body = _files()[INDEX].replace(b'="./', f'="{base}/'.encode())
    body = body.replace(PREVIEW_MARK, "\n    ".join(tags).encode("utf-8", "replace"))
    return _tagged({"": body, "gzip": gzip.compress(body, mtime=0)})
