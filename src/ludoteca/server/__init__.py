"""The shell that waits: sockets, clocks, files. What happens at a table is decided below it, in the hall."""

import sys

# structlog takes rich along where that is installed, for tracebacks that we do not show: together with what
# rich takes along, that is a fifth of a start. Who needs it, the terminal client, imports it without us.
_absent = sys.modules.setdefault("rich", None)  # type: ignore[arg-type]
import structlog as _structlog  # noqa: E402, F401

if _absent is None:
    del sys.modules["rich"]
