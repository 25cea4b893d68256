"""What the system refuses to irgl, in words that say how to mend it."""

from __future__ import annotations

import errno
from pathlib import Path

from irgl.source import IrglError

MORE_FILES = "let the process have more: ulimit -n 1024"
#: Where the cache's programs are not let run.
NOEXEC = "does its file system let programs run (no noexec)? IRGL_CACHE_DIR names another folder"
#: Where they are another processor's.
FOREIGN = "does the C++ compiler make programs for this machine?"


def short_of_files(error: OSError) -> IrglError | None:
    """What to raise where the system opens no more files for us; None for other errors."""
    if error.errno not in (errno.EMFILE, errno.ENFILE):
        return None
    return IrglError("too many open files", hint=MORE_FILES)


def start_refused(error: OSError, program: str) -> IrglError:
    """What to raise where the system does not start a compiled program."""
    remedy = {errno.ENOEXEC: FOREIGN, errno.EACCES: NOEXEC}.get(error.errno or 0)
    why = f"can't run the compiled program: {error.strerror}"
    return short_of_files(error) or IrglError(why, file=program, hint=remedy)


def cache_refused(error: OSError, folder: Path) -> IrglError:
    """What to raise where a folder of the cache can't be written to."""
    return short_of_files(error) or IrglError(
        f"can't write to the cache: {error.strerror or error}", file=str(folder),
        hint="make room, or set IRGL_CACHE_DIR to a folder that you may write to")
