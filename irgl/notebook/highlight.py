"""Program text as HTML, coloured where Pygments is installed."""

from __future__ import annotations

import importlib
from typing import Any

from irgl.notebook.html import Html, tag

_LEXERS = {".irgl": ("irgl.notebook.lexer", "IrglLexer"), ".gt": ("irgl.notebook.lexer_gt", "GraphItLexer"),
           ".py": ("pygments.lexers", "PythonLexer"), ".cpp": ("pygments.lexers", "CppLexer")}  # fmt: skip


def highlighted(text: str, ending: str) -> Html:
    """A text in a notation, which its file's ending names."""
    try:
        module, name = _LEXERS[ending]
        lexer: Any = getattr(importlib.import_module(module), name)(ensurenl=False, stripnl=False)
        formatter: Any = importlib.import_module("pygments.formatters").HtmlFormatter(nowrap=True)
        return tag("pre", Html(importlib.import_module("pygments").highlight(text, lexer, formatter)))
    except ModuleNotFoundError:
        return tag("pre", text)
