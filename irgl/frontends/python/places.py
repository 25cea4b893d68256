"""Places in a Python text, and the texts themselves: spans of Python's syntax nodes, and which program is meant."""

from __future__ import annotations

import ast
import keyword
import re
import warnings
from dataclasses import dataclass

from irgl.frontends.depth import too_deep
from irgl.source import IrglError, Source, Span


@dataclass(frozen=True, slots=True)
class PythonSource(Source):
    """A Python text with programs in it; `chosen` is the one that is meant, '' where there is one at most."""

    chosen: str = ""


class Places:
    """Where the nodes of one text stand. Python counts bytes of a line; people, and spans, count characters."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._lines = source.text.split("\n")

    def span(self, node: ast.AST) -> Span:
        """From a node's first character to its last."""
        line, end = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
        first = self._column(line, getattr(node, "col_offset", 0))
        return Span(self.source, line, first, end, self._column(end, getattr(node, "end_col_offset", 1)))

    def head(self, node: ast.stmt, last: ast.AST | None = None) -> Span:
        """From a statement's first word to the end of `last`, or of its first word."""
        span = self.span(node)
        if last is not None:
            return span.to(self.span(last))
        word = re.match(r"\w+", self.source.line(span.line)[span.column - 1 :])
        return Span(self.source, span.line, span.column, span.line, span.column + (word.end() if word else 1))

    def name(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """The name that a definition gives, on the line of its `def` or `class`."""
        at = re.search(rf"\b{re.escape(node.name)}_?\b", self.source.line(node.lineno)[node.col_offset :])
        column = node.col_offset + (at.start() if at is not None else 0) + 1
        return Span(self.source, node.lineno, column, node.lineno, column + len(node.name))

    def text(self, node: ast.AST) -> str:
        """What a node on one line is written as."""
        span = self.span(node)
        return self.source.line(span.line)[span.column - 1 : span.end_column - 1]

    def refused(self, message: str, node: ast.AST, hint: str | None = None) -> IrglError:
        """The error of what stands at a node."""
        return IrglError(message, self.span(node), hint)

    def _column(self, line: int, offset: int) -> int:
        text = self._lines[line - 1] if 1 <= line <= len(self._lines) else ""
        return offset + 1 if text.isascii() else len(text.encode()[:offset].decode(errors="ignore")) + 1


def module(source: Source) -> ast.Module:
    """Python's syntax of a text. IrglError where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # Python gives them when it reads the file itself
            return _plain_names(ast.parse(source.text.removeprefix("\ufeff")))
    except SyntaxError as e:
        line = e.lineno or 1
        column = max(1, e.offset or 1)
        end = (
            e.end_offset if e.end_lineno == line and e.end_offset is not None and e.end_offset > column else column + 1
        )
        raise IrglError(f"this is not Python: {e.msg}", Span(source, line, column, line, end)) from None
    except ValueError as e:
        raise IrglError(f"this is not Python: {e}", file=source.path) from None
    except (RecursionError, MemoryError):
        raise too_deep(file=source.path) from None


def _plain_names(tree: ast.Module) -> ast.Module:
    """The tree with `from_` for `from`: what is a keyword of Python's gets an underscore there."""
    for node in ast.walk(tree):
        for name in ("id", "attr", "arg", "name"):
            value = getattr(node, name, None)
            if isinstance(value, str) and value.endswith("_") and keyword.iskeyword(value[:-1]):
                setattr(node, name, value[:-1])
    return tree
