"""What a program prints while it runs, caught line by line."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from threading import Thread

from irgl.rt.call.run import flush

_MOST = 1 << 16


@contextmanager
def caught(to: list[str], *, wanted: bool = True) -> Iterator[None]:
    """Inside, what anybody writes to file descriptors 1 and 2 goes to stderr, and behind its end stands in `to`, line
    by line: also what compiled code prints, which knows nothing of Python's streams. wanted: else nothing is caught."""
    if not wanted:
        yield
        return
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    read, write = os.pipe()
    last = secrets.token_bytes(16)  # behind which nothing comes, whoever else has the pipe
    found = bytearray()

    def pass_on() -> None:
        gone = 0
        while not found.endswith(last):
            found.extend(os.read(read, _MOST))
            ready = len(found) - len(last)  # what may be the beginning of the last bytes waits
            while gone < ready:
                gone += os.write(kept[1], found[gone:ready])

    reader = Thread(target=pass_on, daemon=True)
    reader.start()
    os.dup2(write, 1)
    os.dup2(write, 2)
    try:
        with os.fdopen(os.dup(write), "w", buffering=1, errors="replace") as ours, redirect_stdout(ours), \
                redirect_stderr(ours):
            yield
    finally:
        flush()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        os.write(write, last)
        reader.join()
        for end in (*kept, read, write):
            os.close(end)
        to += found[: -len(last)].decode(errors="replace").splitlines()
