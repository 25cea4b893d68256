"""The programs that come with irgl, and what the name of a program stands for."""

from __future__ import annotations

import difflib
import re
from itertools import takewhile
from pathlib import Path

from irgl.source import IrglError

_ROOT = Path(__file__).resolve().parent.parent.parent
#: Beside the package: under a name of its own where irgl is installed, and in a checkout.
_FOLDERS = (_ROOT / "irgl_programs", _ROOT / "programs")
#: Within it: further programs, in either notation. (What is in `python` are programs of the folder itself once more.)
_MORE = "more"
_SUFFIXES = (".irgl", ".py")
#: What can be the name of a shipped program; all else names a file.
_BARE = re.compile(r"[A-Za-z][\w-]*", re.ASCII)


def folder() -> Path:
    """The folder of the programs that come with irgl, with their verifiers and a few graphs."""
    return next((place for place in _FOLDERS if place.is_dir()), _FOLDERS[0])


def names() -> list[str]:
    """The programs that come with irgl."""
    return sorted(_files())


def file_of(name: str) -> Path:
    """The file of a program that comes with irgl. Raises KeyError where there is none."""
    return _files()[name]


def about(name: str) -> str:
    """What a program that comes with irgl does: the first sentence of its text, which is a comment, or in Python the
    docstring; neither is executed."""
    path = file_of(name)
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".py":
        head = [line.removeprefix('"""').removesuffix('"""') for line in lines]
    else:
        head = [line.removeprefix("//") if line.startswith("//") else "" for line in lines]
    first = takewhile(bool, map(str.strip, head))
    return re.split(r"(?<=\.) ", " ".join(first), maxsplit=1)[0]


def _files() -> dict[str, Path]:
    """The programs' files by the names of the programs."""
    place = folder()
    found = [*place.glob(f"*{_SUFFIXES[0]}"), *(p for suffix in _SUFFIXES for p in (place / _MORE).glob(f"*{suffix}"))]
    return {path.stem: path for path in found}


def located(given: str) -> str:
    """The file that the name of a program stands for: one that is there, else the shipped program that is called so.

    Only a name without a folder and a suffix can be that of a shipped program. Raises IrglError where such a name is
    neither, with the names that are near it, and for a file that is not there while a shipped program is called so.
    Values of constants may stand behind it, `name:K=64`.
    """
    name, colon, values = given.partition(":")
    if "=" in values and _BARE.fullmatch(name) is not None and not _is_there(Path(given)):
        return f"{_file(name)}{colon}{values}"
    return _file(given)


def _file(given: str) -> str:
    path = Path(given)
    if _BARE.fullmatch(given) is None:
        if path.suffix in _SUFFIXES and path.stem in names() and not _is_there(path):
            raise IrglError("can't read it: No such file or directory", file=given,
                            hint=f"the program that comes with irgl is called `{path.stem}`")
        return given
    if _is_there(path):
        if given in names() and _is_binary(path):
            raise IrglError("this is not UTF-8 text", file=given,
                            hint=f"a file goes first; the program of that name is {file_of(given)}")
        return given
    if given in names():
        return str(file_of(given))
    raise IrglError("there is no such file, and no program of that name comes with irgl", file=given, hint=_hint(given))


def near(given: str) -> str:
    """The shipped programs that may be meant, as a question; '' where none is like it."""
    found = [name for name in names() if name.startswith(given)] or difflib.get_close_matches(given, names(), n=3)
    return f"did you mean {' or '.join(f'`{name}`' for name in found)}?" if found else ""


def _is_there(path: Path) -> bool:
    """Is there a file, or what can be read like one?"""
    try:
        return path.exists() and not path.is_dir()
    except OSError:  # a name that no file system takes
        return False


def _is_binary(path: Path) -> bool:
    """Is it a file that is no text, such as what a compiler made of a program under the program's name?"""
    if not path.is_file():  # a pipe, of which nothing may be taken
        return False
    try:
        with path.open("rb") as file:
            return b"\0" in file.read(64)
    except OSError:
        return False


def _hint(given: str) -> str:
    for suffix in _SUFFIXES:
        if _is_there(Path(given + suffix)):
            return f"there is a file {given}{suffix}"
    return near(given) or "`irglc programs` lists those that come with irgl"
