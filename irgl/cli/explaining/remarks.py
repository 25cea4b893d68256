"""What a program in GraphIt's notation leaves unsaid, as `irglc check --strict` lists it."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.source import Span


def remarks(checked: Checked, notes: Iterable[tuple[Span, str]] = ()) -> list[str]:
    """`file:line:column: note: ...` of each conversion that may lose something, of the first store of which any may
    stay, and of what the front end notes, in the order of the text. Counts and numbers of vertices, which are ints to
    GraphIt, are left out."""
    found = list(notes)
    written = [d for d in checked.program.decls if not isinstance(d, A.Entry)]
    parts: list[A.Node] = [*written, *(checked.entry.body if checked.entry is not None else ())]
    for n in (n for part in parts for n in walk(part)):
        if isinstance(n, A.Cast) and n.span is not None:
            have = checked.types[n.operand]
            exact = n.type == T.DOUBLE and have in (T.INT, T.UINT)
            if isinstance(have, T.Int | T.Float) and have not in (T.LONG, n.type) and not exact:
                word = "an" if str(n.type)[0] == "i" else "a"
                found.append((n.span, f"this {have} becomes {word} {n.type}, and may lose something"))
    chosen = "any one of several values may stay here, so that more than one answer is right"
    clauses = checked.entry.clauses if checked.entry is not None else ()
    found += [(c.span, chosen) for c in clauses if isinstance(c, A.AnyValid) and c.span is not None]
    found.sort(key=lambda at: (at[0].line, at[0].column))
    return list(dict.fromkeys(f"{span}: note: {what}" for span, what in found))
