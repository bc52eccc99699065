"""Cuts a stream of bytes into lines, within limits."""

from ludoteca.core import RemoteError

LINE_BYTES_MAX = 65_536


class LineTooLong(RemoteError):
    """The other side sent more than a line may hold without ending it."""

    def __init__(self, size: int) -> None:
        super().__init__(f"line of more than {size} bytes, at most {LINE_BYTES_MAX} allowed")
        self.size = size


def end_of_line(data: bytes, at: int) -> int:
    """Where the line that begins here ends, or 0."""
    return data.find(b"\n", at) + 1


class Lines:
    """Collects bytes, cut anywhere, and hands out whole lines."""

    __slots__ = ("rest",)

    def __init__(self) -> None:
        # What has come of a line that is not complete.
        self.rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now, without LF or CR LF. Raises LineTooLong."""
        if self.rest:
            data = self.rest + data
        elif data.find(b"\n") == len(data) - 1 and 0 < len(data) <= LINE_BYTES_MAX:
            # One whole line: so they come from whoever cuts them already.
            return [data[:-2] if data.endswith(b"\r\n") else data[:-1]]
        *lines, self.rest = data.split(b"\n")
        if len(self.rest) > LINE_BYTES_MAX:
            raise LineTooLong(len(self.rest))
        for line in lines:
            if len(line) > LINE_BYTES_MAX:
                raise LineTooLong(len(line))
        return [line[:-1] if line.endswith(b"\r") else line for line in lines]
