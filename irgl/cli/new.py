"""irglc new: a first program, with a test beside it."""

from __future__ import annotations

import builtins
import importlib.util
import keyword
import re
from pathlib import Path
from string import Template

import rich_click as click

from irgl.driver import front
from irgl.frontends.load import source_of
from irgl.notation import WORDS
from irgl.rt.system.whole_file import scratch_for
from irgl.source import IrglError

_STARTERS = Path(__file__).with_name("starters")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,99}")


@click.command()
@click.argument("name")
@click.option("--python", "in_python", is_flag=True, help="Write the program in Python.")
def new(name: str, in_python: bool) -> None:
    """Creates a first program, NAME.irgl, and a test for it, test_NAME.py, in the current folder.

    The program is small and runs as it is: turn it into yours. The test, for pytest, compares it with NetworkX.
    Existing files are never overwritten.

    \b
    Examples:
      irglc new reach
      irglc new reach --python
    """
    suffix = ".py" if in_python else ".irgl"
    if _NAME.fullmatch(name) is None:
        raise IrglError(f"`{name}` is no name of a program", hint="letters, digits and _, a letter first: my_program")
    program, test = Path(f"{name}{suffix}"), Path(f"test_{name}.py")
    for path in (program, test):
        if path.exists() or path.is_symlink():
            raise IrglError("there is such a file already", file=str(path), hint="choose another name")
    text = _filled(f"program{suffix}", name, program)
    if in_python:
        _check_module(name)
    try:
        front(source_of(program, text))
    except IrglError:  # the program itself is right, so it is the name
        raise IrglError(f"no program can be called `{name}`: the language, or the program, has that word already",
                        hint="choose another name") from None
    with scratch_for(program) as scratch, scratch_for(test) as scratch_test:  # both or none
        scratch.write_text(text, encoding="utf-8")
        scratch_test.write_text(_filled("test.py", name, program), encoding="utf-8")
    print(f"wrote {program} and {test}; try\n"
          f"  irglc run {program} --graph grid:20x20 --verify\n  python -m pytest {test}")


def _filled(starter: str, name: str, program: Path) -> str:
    text = (_STARTERS / f"{starter}.txt").read_text(encoding="utf-8")
    return Template(text).substitute(name=name, file=program)


def _check_module(name: str) -> None:
    """Raises IrglError for a name that can't be that of a module, or is one already."""
    for words, of in (({*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}, "Python"), (WORDS, "irgl")):
        if name in words:
            raise IrglError(f"no program in Python can be called `{name}`, which is a word of {of}'s",
                            hint="choose another name")
    if importlib.util.find_spec(name) is not None:
        raise IrglError(f"no program in Python should be called `{name}`: its file would hide the module of that name",
                        hint="choose another name")
