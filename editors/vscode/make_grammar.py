"""Makes syntaxes/irgl.tmLanguage.json of the Pygments lexer's words: `python editors/vscode/make_grammar.py`."""

from __future__ import annotations

import json
from pathlib import Path

from irgl.notebook import lexer as L

PAGE = Path(__file__).resolve().parent / "syntaxes" / "irgl.tmLanguage.json"


def _words(scope: str, *words: str, behind: str = "") -> dict[str, str]:
    return {"name": f"{scope}.irgl", "match": rf"\b(?:{'|'.join(sorted(set(words)))})\b{behind}"}


def grammar() -> str:
    """The grammar's text."""
    patterns = [
        {"name": "comment.line.double-slash.irgl", "match": "//.*$"},
        {"name": "comment.block.irgl", "begin": r"/\*", "end": r"\*/"},
        {"name": "string.quoted.double.irgl", "match": r'"(?:\\.|[^"\\])*"'},
        {"name": "constant.numeric.irgl",
         "match": r"\b(?:0[xX][0-9a-fA-F]+|[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?)[uUlLfF]*"},
        {"name": "keyword.operator.update.irgl", "match": L._REDUCTIONS},
        _words("keyword.declaration", *L._DECLARING, "import"),
        _words("keyword.control", *L.USAGE, *L._CONTROL, *L._BESIDE, *L.NEEDS),
        _words("storage.type", *L.KINDS, *L.NAMES, *L._C_TYPES),
        _words("constant.language", "INF", "NONE", "first", "true", "false"),
        _words("variable.language", "WL"),
        _words("support.function", *L.FUNCTIONS, behind=r"(?=\s*\()"),
        {"name": "entity.name.function.irgl", "match": r"\b[A-Za-z_]\w*(?=\s*\()"},
    ]
    found = {"name": "IrGL", "scopeName": "source.irgl", "fileTypes": ["irgl"], "patterns": patterns}
    return json.dumps(found, indent=2) + "\n"


if __name__ == "__main__":
    PAGE.write_text(grammar(), encoding="utf-8")
