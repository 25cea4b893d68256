"""Lines of C++ with the user's line numbers, and what is known where they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from irgl.analysis.names.symbols import Checked, KernelFacts
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cxx.code import escaped
from irgl.codegen.cxx.expressions import ExpressionsCxx
from irgl.codegen.cxx.names import cxx_type

#: What g++ can't read back behind #line from what it has preprocessed itself.
_CONTROL = re.compile(r"[\x00-\x1f]")


class LinesCxx:
    """The lines of one function's body; `facts` are its kernel's."""

    watches_faults = True  # loops that may not end behind a fault ask for one

    def __init__(self, checked: Checked, facts: KernelFacts | None) -> None:
        self.checked = checked
        self.facts = facts
        self.ex = ExpressionsCxx(checked)
        self.lines: list[str] = []
        self.indent = 1
        self.loops: list[A.Stmt] = []
        self.counting: set[A.Reduce] = set()  # steps of loops that can't overflow
        self.depth = 0
        self.held = 0
        self.returns: T.Type = T.VOID
        self._line = (-1, "")

    def put(self, text: str, node: A.Node | None = None) -> None:
        """One line of C++, after a #line where the source's line changes."""
        if node is not None and node.span is not None:
            path = node.span.source.path
            if (node.span.line, path) != self._line:
                shown = f' "{escaped(_CONTROL.sub("?", path))}"' if path != self._line[1] else ""
                self.lines.append(f"#line {node.span.line}{shown}")
                self._line = (node.span.line, path)
        self.lines.append("  " * self.indent + text)

    @contextmanager
    def block(self, head: str, node: A.Node | None = None, tail: str = "}") -> Iterator[None]:
        self.put(head, node)
        self.indent += 1
        yield
        self.indent -= 1
        self.put(tail)

    def either(self, test: str, body: tuple[A.Stmt, ...], orelse: tuple[A.Stmt, ...], node: A.Node | None = None,
               otherwise: str = "else") -> None:
        """An if of C++; `otherwise` begins its other part, where there is one."""
        self.put(f"if ({test}) {{", node)
        self.indent += 1
        self.body(body)
        self.indent -= 1
        if orelse:
            self.put(f"}} {otherwise} {{")
            self.indent += 1
            self.body(orelse)
            self.indent -= 1
        self.put("}")

    def body(self, stmts: tuple[A.Stmt, ...]) -> None:
        for s in stmts:
            self.stmt(s)

    def type(self, t: T.Type) -> str:
        return cxx_type(t, self.checked)

    # What the classes below it write

    def stmt(self, s: A.Stmt) -> None:
        """One statement."""
        raise NotImplementedError

    def loop_body(self, loop: A.Stmt, stmts: tuple[A.Stmt, ...]) -> None:
        """What one turn of `loop` does."""
        raise NotImplementedError
