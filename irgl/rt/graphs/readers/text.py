"""A text file in memory, decompressed, with the means to say where in it something is wrong."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path

from irgl.rt.graphs.native.source import GZIP, XZ, Source, UnusualError
from irgl.source import IrglError

PAD = 32  # blanks put before the file's first byte, so that the digits of a token can be read 8 bytes at a time
BLANKS = b" \t\r\v\f"
Progress = Callable[[str, float | None], None]
MARK = b"\xef\xbb\xbf"  # that a text is in UTF-8, as Windows writes it before the first line
HEAD = 1 << 22  # so much of a large text is in memory while it is read in parts


def present(path: str) -> bool:
    """Whether there is anything of that name; a name that no file can have (too long, with NUL) counts as absent."""
    try:
        return path != "" and Path(path).exists()
    except (OSError, ValueError):
        return False


def _instead(path: str) -> str:
    return f"a generator has a size: {path}:16" if path in ("rmat", "r4", "kron") else \
        "give the name of a file, or a generator such as rmat:16 or path:100"


def read_bytes(path: str) -> bytes:
    """The bytes of the file, decompressed where its first bytes say gzip or xz. IrglError where that fails."""
    try:
        if not present(path):
            raise IrglError("no such file" if path else "the name of the graph is empty", file=path or None,
                            hint=_instead(path))
        if not Path(path).is_file():
            raise IrglError("not a regular file", file=path)
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise IrglError(f"cannot read the file: {getattr(error, 'strerror', None) or error}", file=path) from None
    try:
        if data.startswith(GZIP):
            return gzip.decompress(data)
        if data.startswith(XZ):
            return lzma.decompress(data, lzma.FORMAT_XZ)
    except EOFError:
        raise IrglError("the compressed file ends too early: it was cut off", file=path) from None
    except (OSError, zlib.error, lzma.LZMAError) as error:
        short = "cut off" if "ended before" in str(error) else "damaged"
        raise IrglError(f"the compressed file is {short}: {error}", file=path) from None
    return data


class Text:
    """The bytes of a text file: `data` has PAD blanks in front and ends with a line end."""

    __slots__ = ("data", "path")

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = bytearray(PAD)
        self.data[:] = b" " * PAD
        self.data += data.removeprefix(MARK)
        if not data.endswith(b"\n"):
            self.data += b"\n"
        hole = self.data.find(b"\x00")
        if hole >= 0:
            raise self.fail("a NUL byte: this is no text file", hole)

    def line_number(self, offset: int) -> int:
        """The 1-based line that holds `offset` of `data`."""
        return self.data.count(b"\n", 0, offset) + 1

    def fail(self, message: str, offset: int | None = None, hint: str | None = None) -> IrglError:
        """The error `message` at an offset of `data` (None: about the file as a whole)."""
        place = self.path if offset is None else f"{self.path}:{self.line_number(offset)}"
        return IrglError(message, hint=hint, file=place)

    def line_end(self, offset: int) -> int:
        """The offset of the line end at or behind `offset`."""
        return self.data.index(b"\n", offset)

    def line(self, offset: int) -> bytes:
        """The rest of the line from `offset`, without its end."""
        return bytes(self.data[offset : self.line_end(offset)])

    def next_line(self, offset: int, comments: bytes = b"", *, blank: bool = True) -> int:
        """The start of the first line from `offset` that is no comment (nor, by `blank`, empty); the end if none."""
        while offset < len(self.data):
            line = self.line(offset).lstrip(BLANKS)
            if (line or not blank) and (not line or line[0] not in comments):
                return offset
            offset = self.line_end(offset) + 1
        return offset

    def blank_comments(self, start: int, marks: bytes, *, inside: bool = False) -> list[int]:
        """Overwrite with blanks each line from `start` whose first visible byte is one of `marks`.

        `inside`: what follows a mark inside a line as well. The offsets that were blanked from.
        """
        found = []
        for mark in marks:
            at = self.data.find(mark, start)
            while at >= 0:
                begin = self.data.rfind(b"\n", 0, at) + 1
                end = self.line_end(at)
                if inside or not self.data[begin:at].strip(BLANKS):
                    self.data[at:end] = b" " * (end - at)
                    found.append(at)
                at = self.data.find(mark, end)
        return sorted(found)


class Opening(Text):
    """The first lines of a text that is larger; the rest is read in parts (irgl/rt/graphs/native/table.py).

    What asks for more of it than that gets an UnusualError, as does whoever opens one that is not large.
    """

    __slots__ = ("before", "source")

    def __init__(self, path: str, source: Source) -> None:
        head = source.head(HEAD)
        if len(head) < HEAD:
            raise UnusualError
        super().__init__(path, head[: head.rfind(b"\n") + 1])
        self.source = source
        self.before = len(MARK) if head.startswith(MARK) else 0

    def next_line(self, offset: int, comments: bytes = b"", *, blank: bool = True) -> int:
        found = super().next_line(offset, comments, blank=blank)
        if found >= len(self.data):
            raise UnusualError
        return found

    def place(self, offset: int) -> int:
        """Where in the source an offset of `data` is."""
        return offset - PAD + self.before


def quoted(token: bytes) -> str:
    """A token for a message: printable, and not longer than 40 characters."""
    text = token.decode("ascii", "backslashreplace")
    text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    return f"'{text[:37]}...'" if len(text) > 40 else f"'{text}'"
