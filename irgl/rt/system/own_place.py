"""Places that are this user's alone, for the cache, the tuner's database and temporary files; or a refusal."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path

from irgl.rt.system.private import Fault, NotPrivateError, folder_fault, make_folder, temporary_fault

#: Beside a default folder, what is used where that one can't be trusted.
STAND_IN = "irgl-private"

_lock = threading.Lock()


def refuse(what: str, path: Path, fault: Fault) -> NotPrivateError:
    """What to raise for a place that the user named."""
    return NotPrivateError(f"{what} is not yours alone: {fault.why}", file=str(path), hint=fault.remedy)


def stand_in(what: str, folder: Path, name: str, fault: Fault, variable: str) -> Path:
    """What takes the place of a default folder that can't be trusted, said once: one beside it, else one that goes
    when this process ends. `variable` then names it (in it, `name`), here and for the processes that this one starts.

    Raises IrglError where there is no room for one.
    """
    with _lock:
        if not os.environ.get(variable):  # no other thread was faster
            place = _beside(folder)
            place = place if place is not None else Path(_of_this_process())
            print(f"{folder}: warning: {what} is not yours alone: {fault.why}; {place} takes its place\n"
                  f"  hint: rm -r {folder}, or where nobody else has written there: {fault.remedy}", file=sys.stderr)
            os.environ[variable] = str(place / name)
        return Path(os.environ[variable])


def temporary(prefix: str) -> tempfile.TemporaryDirectory[str]:
    """A folder of this user's for as long as it is wanted, where nobody else can put another in its place."""
    check_temporary()
    return tempfile.TemporaryDirectory(prefix=prefix)


def check_temporary() -> None:
    """Raises IrglError where others could change the temporary files of this user, a compiler's among them."""
    _check_temporary(tempfile.gettempdir())


@cache
def _check_temporary(place: str) -> None:
    fault = temporary_fault(Path(place))
    if fault is not None:
        raise NotPrivateError(f"temporary files could be changed by others: {fault.why}", file=place,
                              hint="set TMPDIR to a folder of your own, or give this one its sticky bit (chmod +t)")


def _beside(folder: Path) -> Path | None:
    place = folder.with_name(STAND_IN)
    try:
        if folder_fault(place) is not None:
            return None
        make_folder(place)
    except OSError:
        return None
    return place


@cache
def _of_this_process() -> str:
    check_temporary()
    place, owner = tempfile.mkdtemp(prefix="irgl-private-"), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # not in a fork
            shutil.rmtree(place, ignore_errors=True)

    atexit.register(remove)
    return place
