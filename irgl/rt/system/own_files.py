"""Files that this user alone can have written: how they are made, and how they are told from others."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read(path: Path) -> bytes:
    """A file's bytes. Raises OSError where there is none to read, and for one that may be somebody else's."""
    with open(open_own(path), "rb") as file:
        return file.read()


def open_own(path: Path) -> int:
    """A descriptor to read a file that is no link. Raises OSError where there is none, or not this user's alone."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    if not is_own(os.fstat(handle)):
        os.close(handle)
        raise PermissionError(errno.EPERM, "somebody else may have written it", str(path))
    return handle


def is_own(seen: os.stat_result) -> bool:
    """Is it a plain file that only this user, and root, can have written?"""
    return stat.S_ISREG(seen.st_mode) and seen.st_uid in (0, os.geteuid()) and not seen.st_mode & 0o022


def write_text(path: Path, text: str) -> None:
    """Writes a new file that only this user may read, whatever the umask."""
    with open(path, "x", encoding="utf-8", opener=opener) as file:
        file.write(text)


def opener(path: str, flags: int) -> int:
    """For `open`: what is made is this user's alone, and a link is not followed."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def shut(path: Path, mode: int) -> None:
    """Gives a file, not what a link leads to, its mode."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fchmod(handle, mode)
    finally:
        os.close(handle)
