"""The tokens of a text, one a line: what `dump tokens` shows."""

from __future__ import annotations

from irgl.frontends.raw import blank_comments, set_raw_blocks_aside
from irgl.frontends.text.base import own_types
from irgl.frontends.text.lexer import Lexer, refuse_foreign
from irgl.source import Source


def tokens(text: str, path: str = "<text>") -> str:
    """`LINE:COLUMN KIND TEXT` for each token. The body of a raw block is one token. IrglError as from the parser."""
    source = Source(path, text)
    plain, bodies = set_raw_blocks_aside(source, blank_comments(source))
    refuse_foreign(source, plain)
    lexer = Lexer()
    lexer.source = source
    lexer.generics |= own_types(plain)[1]
    lexer.input(plain, path)
    lines = []
    while (token := lexer.token()) is not None:
        raw = bodies.get((token.lineno, token.column))
        kind, word = (token.type, token.value) if raw is None else ("RAW", repr(raw))
        lines.append(f"{f'{token.lineno}:{token.column}':<8} {kind:<15} {word}")
    return "".join(line + "\n" for line in lines)
