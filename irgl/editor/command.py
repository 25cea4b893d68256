"""irglc lsp."""

from __future__ import annotations

import importlib
from typing import Any

import rich_click as click

from irgl.source import IrglError


@click.command()
@click.option("--tcp", type=click.IntRange(1, 65535), metavar="PORT", help="Listen on this port of the machine itself.")
def lsp(tcp: int | None) -> None:
    """Serves editors by the Language Server Protocol, over stdin and stdout.

    \b
    Examples:
      irglc lsp
      irglc lsp --tcp 2087
    """
    try:
        importlib.import_module("pygls")
    except ImportError:
        raise IrglError("the language server needs pygls: pip install 'irgl[lsp]'") from None
    start: Any = importlib.import_module("irgl.editor.server").start
    start(tcp)
