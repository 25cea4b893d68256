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
def caught(lines: list[str], *, to: int) -> Iterator[None]:
    """Inside, what anybody writes to file descriptors 1 and 2 goes to `to`, 1 or 2, and behind its end stands in
    `lines`: also what compiled code prints, which knows nothing of Python's streams. to: 0 where nothing is caught.
    Raises OSError at the end where `to` took no more."""
    if to == 0:
        yield
        return
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    read, write = os.pipe()
    last = secrets.token_bytes(16)  # behind which nothing comes, whoever else has the pipe
    found = bytearray()
    left: list[OSError] = []

    def pass_on() -> None:
        gone = 0
        while not found.endswith(last):
            found.extend(os.read(read, _MOST))
            ready = len(found) - len(last)  # what may be the beginning of the last bytes waits
            while gone < ready and not left:
                try:
                    gone += os.write(kept[to - 1], found[gone:ready])
                except OSError as e:  # whoever writes would wait for ever if nobody read on
                    left.append(e)

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
        lines += found[: -len(last)].decode(errors="replace").splitlines()
    if left:
        raise left[0]


@contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Inside, whatever writes to file descriptor 1 goes to stderr: the program's print(), a library's chatter."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
