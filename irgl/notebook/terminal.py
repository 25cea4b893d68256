"""IPython in a terminal colours the cells of `%%irgl` as they are written."""

from __future__ import annotations

import sys
from typing import Any

_SHELL = "IPython.terminal.interactiveshell"


def colour(on: bool) -> None:
    """Begins or ends to. Nothing happens where no terminal's IPython is running."""
    module: Any = sys.modules.get(_SHELL)
    plain: Any = getattr(module, "IPythonPTLexer", None)
    if plain is None:
        return
    plain = getattr(plain, "without_irgl", plain)
    module.IPythonPTLexer = _colouring(plain) if on else plain


def _colouring(plain: Any) -> Any:
    """IPython's lexer of what is typed, which it makes anew for each cell, with one more magic."""
    from prompt_toolkit.lexers import PygmentsLexer

    from irgl.notebook.lexer import IrglLexer

    class WithIrgl(plain):  # type: ignore[misc]
        without_irgl = plain

        def __init__(self) -> None:
            super().__init__()
            self.magic_lexers["irgl"] = PygmentsLexer(IrglLexer)

    return WithIrgl
