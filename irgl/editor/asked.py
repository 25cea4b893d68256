"""Answers to an editor's questions: what stands at a place, what a text declares, what may be written next."""

from __future__ import annotations

import re

from irgl.analysis.explain.facts import Explained
from irgl.analysis.names.members import edge_members, graph_members, node_members, worklist_members, worklist_methods
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import expression
from irgl.ast.visit import walk
from irgl.editor.analysis import Document
from irgl.frontends.kept import Kept
from irgl.frontends.text.spelling import DECLARATIONS, USAGE
from irgl.source import Span

_WORD = re.compile(r"[^\W\d]\w*")
_BEHIND_DOT = re.compile(r"([^\W\d]\w*)\s*\.\s*\w*$")


def word_at(line: str, column: int) -> str:
    """The name that a column (from 0) of a line touches; '' where none does."""
    return next((m.group() for m in _WORD.finditer(line) if m.start() <= column <= m.end()), "")


def hover(document: Document, kept: Kept, line: int, column: int) -> list[str]:
    """The type of what stands at a line (from 1) and column (from 0), and what is told of a loop, kernel or statement
    that begins in the line. Of a text with mistakes, what was known before."""
    if document.good is None or document.checked is None:
        return []
    now = document.text.split("\n")
    if line > len(now):
        return []
    found = []
    word = word_at(now[line - 1], column)
    typed = _typed(document.checked, document.good.path, line, column, word)
    if typed:
        found.append(typed)
    told = [lines for p, lines in document.places(kept) if p.line == line and _here(p, document.good.path)]
    return [*found, *(text for lines in told for text in lines)]


def _here(p: Explained, path: str) -> bool:
    return p.node.span is not None and p.node.span.source.path == path


def _within(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column + 1) <= (span.end_line, span.end_column)


def _typed(checked: Checked, path: str, line: int, column: int, word: str) -> str:
    """`e.dst.level: int`, of the smallest expression around a place that ends with the word there."""
    best: tuple[int, str] | None = None
    for e, t in checked.types.items():
        span = e.span
        if span is None or span.source.path != path or not _within(span, line, column):
            continue
        name = e.id if isinstance(e, A.Name) else e.name if isinstance(e, A.Member | A.MethodCall) else ""
        size = (span.end_line - span.line) * 1000 + span.end_column - span.column
        if name == word and name and (best is None or size < best[0]):
            best = size, f"{expression(e)}: {T.bare(t)}"
    return best[1] if best is not None else ""


def symbols(document: Document) -> list[tuple[str, str, Span]]:
    """Name, kind and place of each declaration of a text, as it last was without mistakes."""
    if document.good is None or document.checked is None:
        return []
    kinds = {A.Kernel: "kernel", A.Entry: "program", A.Function: "function", A.GraphType: "graph", A.Struct: "struct",
             A.Library: "library", A.Global: "scalar"}
    return [(d.name, kinds[type(d)], d.span) for d in document.checked.program.decls
            if type(d) in kinds and not isinstance(d, A.Import | A.Constant)
            and d.span is not None and d.span.source.path == document.good.path]


def definition(document: Document, line: int, column: int) -> Span | None:
    """Where the name at a place is declared, in whichever file: a variable, property, kernel, helper or type."""
    checked, now = document.checked, document.text.split("\n")
    if checked is None or document.good is None or line > len(now):
        return None
    word = word_at(now[line - 1], column)
    for node, symbol in checked.symbols.items():
        span = node.span
        if (isinstance(node, A.Name) and node.id == word and span is not None and symbol.span is not None
                and span.source.path == document.good.path and span.line == line and _within(span, line, column)):
            return symbol.span
    before = now[line - 1][:column]
    if _BEHIND_DOT.search(before + word) is not None:
        for g in checked.graph_types.values():
            for p in g.properties:
                if p.name == word:
                    return p.span
    return next((d.span for d in checked.program.decls if not isinstance(d, A.Import) and d.name == word), None)


def completion(document: Document, line: int, column: int) -> list[str]:
    """Names that may stand at a place: behind a dot the members of what is before it, else words and declarations."""
    now = document.text.split("\n")
    before = now[line - 1][:column] if line <= len(now) else ""
    checked = document.checked
    dot = _BEHIND_DOT.search(before)
    if dot is None:
        own = [] if checked is None else [d.name for d in checked.program.decls if not isinstance(d, A.Import)]
        return sorted({*USAGE, *DECLARATIONS, *own})
    if checked is None:
        return []
    found: set[str] = set()
    for symbol in checked.symbols.values():
        if symbol.name == dot.group(1):
            found.update(_members(checked, symbol.type))
    if dot.group(1) == "WL":
        for facts in checked.facts.values():
            found.update(_members(checked, facts.worklist))
    for e in (n for d in checked.program.decls for n in walk(d) if isinstance(n, A.Member)):
        if e.name == dot.group(1) and not found and e in checked.types:
            found.update(_members(checked, checked.types[e]))
    return sorted(found)


def _members(checked: Checked, t: T.Type) -> list[str]:
    properties = [(p.owner, p.name) for g in checked.graph_types.values() for p in g.properties]
    match t:
        case T.NodeT():
            return [*node_members(""), "edge_to", *(name for owner, name in properties if owner == "node")]
        case T.EdgeT():
            return [*edge_members(""), *(name for owner, name in properties if owner == "edge")]
        case T.Worklist():
            return [*worklist_members(t), *worklist_methods(t)]
        case T.Named() if t.name in checked.graph_types:
            return [*graph_members(""), "node", "edge"]
        case T.Named() if t.name in checked.libraries:
            return [f.name for f in checked.libraries[t.name].features
                    if isinstance(f, A.Attribute | A.Method | A.Iterator)]
        case _:
            return list(checked.fields(t) or ())
