"""What the system refuses to irgl, in words that say how to mend it."""

from __future__ import annotations

import errno
from pathlib import Path

from irgl.source import IrglError

MORE_FILES = "let the process have more: ulimit -n 1024"


def short_of_files(error: OSError) -> IrglError | None:
    """What to raise where the system opens no more files for us; None for other errors."""
    if error.errno not in (errno.EMFILE, errno.ENFILE):
        return None
    return IrglError("too many open files", hint=MORE_FILES)


def cache_refused(error: OSError, folder: Path) -> IrglError:
    """What to raise where a folder of the cache can't be written to."""
    return short_of_files(error) or IrglError(
        f"can't write to the cache: {error.strerror or error}", file=str(folder),
        hint="make room, or set IRGL_CACHE_DIR to a folder that you may write to")
