"""The folders of the cache: made for this user alone, and looked at before anything in them is believed."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from irgl.rt.system.own_files import shut
from irgl.rt.system.private import Fault, folder_fault, inner_fault, is_own_folder, make_folder

#: What is in the cache: what was compiled, graphs, copies of headers.
INSIDE = ("build", "build/locks", "graphs", "include")
#: Cache folders as they were when the way to them was looked at: device, number, owner, mode.
_seen: dict[Path, tuple[int, ...]] = {}


def ready(path: Path) -> Fault | None:
    """Makes the folders of the cache, or tells what is wrong with those that are there, and makes nothing in them.

    Raises OSError where they can't be made.
    """
    if not path.is_dir():
        if path.exists():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if (fault := folder_fault(path)) is not None:
            return fault
        make_folder(path)
    seen = path.stat()
    now = (seen.st_dev, seen.st_ino, seen.st_uid, seen.st_mode)
    if _seen.get(path) != now:
        fault = folder_fault(path)
        if fault is not None:
            return fault
        _seen[path] = now
    lacking = [Path(place) for name in INSIDE if not is_own_folder(place := f"{path}/{name}")]
    for folder in lacking:
        if (fault := inner_fault(folder)) is not None:
            return fault
    for folder in lacking:
        make_folder(folder)
    return None


def copy_folder(source: Path, copy: Path) -> None:
    """A copy of a folder of headers in the cache, for this user alone: the modes of the original are not taken over."""
    for file in sorted(source.rglob("*")):
        if file.is_file() and file.suffix != ".py" and "__pycache__" not in file.parts:
            place = copy / file.relative_to(source)
            make_folder(place.parent)
            place.write_bytes(file.read_bytes())
            shut(place, 0o600)


def is_copy(folder: Path) -> bool:
    """Is there such a folder in the cache, in which nobody else could ever write? What isn't one is removed."""
    try:
        seen = os.lstat(folder)
    except FileNotFoundError:
        return False
    if seen.st_mode & 0o777 == 0o700 and seen.st_uid in (0, os.geteuid()):
        return True
    shutil.rmtree(folder, ignore_errors=True)
    return False
