"""Is a place this user's alone? What is run or mapped from it is then what this user put there.

As ssh's StrictModes has it: a folder and all that lies above it must belong to the user or to root, and nobody else may
write there. Above it a folder like /tmp will do, in which everybody may write and nobody may take away what is not his
own (the sticky bit), and one that is open to the group that its owner has for himself. Links on the way count, too.
"""

from __future__ import annotations

import errno
import grp
import os
import pwd
import stat
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from irgl.source import IrglError

_WRITERS = stat.S_IWGRP | stat.S_IWOTH
_ELSEWHERE = "name a place of your own"
_LINKS = 40  # as many as Linux follows
#: Side files of SQLite, which it believes as it does the database.
_SIDES = ("", "-journal", "-wal", "-shm")


class NotPrivateError(IrglError):
    """Somebody else may write to what is to be trusted."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a folder or file can't be trusted, and what mends it."""

    why: str
    remedy: str


def make_folder(path: Path) -> None:
    """A folder for this user alone, with those above it that lack. Raises OSError where it can't be."""
    if path.is_dir():
        return
    for folder in (*reversed(path.parents), path):
        try:
            os.mkdir(folder, 0o700)  # noqa: PTH102 - Path.mkdir gives those above other modes
        except FileExistsError:
            continue
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def folder_fault(path: Path) -> Fault | None:
    """What is wrong with a folder that is to be this user's alone, be it there or not, or with the way to it."""
    return _way_fault(path) or inner_fault(path.resolve())


def is_own_folder(path: str) -> bool:
    """Is it a folder, and no link, that only this user, and root, can write to?"""
    try:
        seen = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(seen.st_mode) and seen.st_uid in (0, os.geteuid()) and not seen.st_mode & _WRITERS


def inner_fault(path: Path) -> Fault | None:
    """The same of a folder to which the way is good: it must not be a link, either. None where it isn't there yet."""
    try:
        seen = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISDIR(seen.st_mode):
        return Fault(f"{path} is {'a link' if stat.S_ISLNK(seen.st_mode) else 'no folder'}", f"take {path} away")
    return _owner_fault(path, seen) or _mode_fault(path, seen)


def temporary_fault(path: Path) -> Fault | None:
    """What is wrong with a folder for temporary files, in which others may have theirs."""
    return _way_fault(path)


def database_fault(path: Path) -> Fault | None:
    """What is wrong with the place of a database, there already or not: folder, file, SQLite's files beside it."""
    fault = _way_fault(path)
    if fault is not None:
        return fault
    real = path.resolve()
    seen = real.parent.stat()
    if seen.st_mode & _WRITERS and not _group_of_one(seen):
        # Where others may put files, they may put a journal for SQLite to play back.
        return _mode_fault(real.parent, seen)
    for side in _SIDES:
        fault = fault or _file_fault(Path(f"{real}{side}"))
    return fault


def _way_fault(path: Path) -> Fault | None:
    """Walks to a path from the root as the system does, and looks at every folder and link that it comes through."""
    here, todo, links = Path("/"), list(reversed(path.absolute().parts)), 0
    while todo:
        name = todo.pop()
        here = Path(os.path.realpath(here / name)) if name == ".." else here / name
        try:
            seen = os.lstat(here)
        except FileNotFoundError:
            return None  # what lacks is made by this user
        if stat.S_ISLNK(seen.st_mode):
            links += 1
            if links > _LINKS:
                return Fault(f"{here} is one of too many links", "name the folder itself")
            fault = None if seen.st_uid in (0, os.geteuid()) else _owner_fault(here, seen)
            todo += reversed(Path(os.readlink(here)).parts)  # noqa: PTH115
            here = here.parent
        else:
            fault = _above_fault(here, seen)
        if fault is not None:
            return fault
    return None


def _above_fault(path: Path, seen: os.stat_result) -> Fault | None:
    fault = _owner_fault(path, seen)
    if fault is not None and seen.st_uid != _nobody():
        return fault
    if not seen.st_mode & _WRITERS or seen.st_mode & stat.S_ISVTX or _group_of_one(seen):
        return None
    return _mode_fault(path, seen)


def _owner_fault(path: Path, seen: os.stat_result) -> Fault | None:
    if seen.st_uid in (0, os.geteuid()):
        return None
    return Fault(f"{path} belongs to {_user(seen.st_uid)}", _ELSEWHERE)


def _mode_fault(path: Path, seen: os.stat_result) -> Fault | None:
    who = [name for bit, name in ((stat.S_IWGRP, "its group"), (stat.S_IWOTH, "others")) if seen.st_mode & bit]
    if not who:
        return None
    mine = seen.st_uid == os.geteuid()
    return Fault(f"{' and '.join(who)} may write to {path}", f"chmod go-w {path}" if mine else _ELSEWHERE)


def _file_fault(path: Path) -> Fault | None:
    try:
        seen = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISDIR(seen.st_mode):
        return None  # SQLite says so
    if not stat.S_ISREG(seen.st_mode):
        return Fault(f"{path} is no plain file", f"take {path} away")
    return _owner_fault(path, seen) or _mode_fault(path, seen)


def _group_of_one(seen: os.stat_result) -> bool:
    """May the group write, and has it no member but the owner? (Debian and its kin give each user one of his name.)"""
    if seen.st_mode & stat.S_IWOTH or seen.st_uid not in (0, os.geteuid()):
        return False
    try:
        owner, group = pwd.getpwuid(seen.st_uid), grp.getgrgid(seen.st_gid)
    except KeyError:
        return False
    return owner.pw_gid == group.gr_gid and owner.pw_name == group.gr_name and set(group.gr_mem) <= {owner.pw_name}


@cache
def _nobody() -> int | None:
    """In a user namespace without the system's root: who all users look like that it does not know, root among them."""
    try:
        ranges = [line.split() for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()]
        if any(int(outside) == 0 for _, outside, _ in ranges):
            return None
        return int(Path("/proc/sys/kernel/overflowuid").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _user(number: int) -> str:
    try:
        return f"the user {pwd.getpwuid(number).pw_name}"
    except KeyError:
        return f"the user with number {number}"
