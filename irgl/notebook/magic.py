"""The IPython extension: `%load_ext irgl`, then cells that begin with `%%irgl` hold a program in .irgl, with `--gt` one
in GraphIt's notation."""

from __future__ import annotations

import argparse
import hashlib
import importlib
import linecache
import shlex
from collections.abc import Callable
from typing import Any, NoReturn

from irgl.api import TARGETS, compile
from irgl.notebook import terminal
from irgl.notebook.progress import after_a_while
from irgl.rt.call.library import Library
from irgl.rt.call.telling import usual_view
from irgl.source import IrglError


class CellError(IrglError):
    """A mistake in a cell. IPython shows its text, and no traceback."""

    def __init__(self, told: IrglError) -> None:
        super().__init__(told.message, told.span, told.hint, file=told.file)

    def _render_traceback_(self) -> list[str]:
        return str(self).split("\n")


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext irgl` does: the cell magic, its colours in a terminal, progress bars of long calls."""
    shell.register_magic_function(magic_of(shell), magic_kind="cell", magic_name="irgl")
    terminal.colour(True)
    usual_view(after_a_while)


def unload_ipython_extension(shell: Any) -> None:
    """What `%unload_ext irgl` does."""
    shell.magics_manager.magics["cell"].pop("irgl", None)
    terminal.colour(False)
    usual_view(None)


def magic_of(shell: Any) -> Callable[[str, str], None]:
    """The magic of one IPython."""

    def irgl(line: str, cell: str) -> None:
        """Compiles the cell, a program in .irgl, to a function of that name.

        %%irgl [--gt] [--target cpu|cuda|simt|ref|auto] [--plan "grain=256"] [--show]

        --gt: the cell is in GraphIt's notation. Each function that it exports becomes a function of that name, and so
        does main; they share what they store in consts.
        Mistakes are told with the cell's line. What the cell imports is looked up in the current folder.
        --show: show the program beside its generated code.
        """
        try:
            options = _options().parse_args(shlex.split(line))
            # The magic's own line counts: numbers are those that the notebook shows.
            name = _name(cell, ".gt" if options.gt else "")
            made = compile(name, target=options.target, plan=options.plan, text=f"\n{cell}")
        except IrglError as e:
            raise CellError(e) from None
        except ValueError as e:
            raise CellError(IrglError(f"%%irgl {line}: {e}")) from None
        if isinstance(made, Library):
            shell.push(dict(made.functions))
        if options.gt:
            if not isinstance(made, Library) or made.has_main:
                shell.push({"main": made})
        else:
            shell.push({made.__name__: made})
        if options.show:
            importlib.import_module("IPython.display").display(made)

    return irgl


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise IrglError(f"%%irgl: {message}", hint="%%irgl? shows its options")


def _options() -> argparse.ArgumentParser:
    parser = _Parser(prog="%%irgl", add_help=False, allow_abbrev=False)
    parser.add_argument("--target", default="auto", choices=TARGETS)
    parser.add_argument("--plan", default="default")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--gt", action="store_true")
    return parser


def _name(cell: str, ending: str = "") -> str:
    """A cell's name in messages: the same for the same text, so that its compiled code is found again. ending: of a
    notation that is not .irgl.

    Python is told the text under it, which quotes the line of a fault while it runs.
    """
    text = f"\n{cell}"
    name = f"<cell {hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:6]}>{ending}"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    return name
