"""Statements of a .fal file's main: the program around them, the kernel that they become, and what it leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scipy import sparse

import irgl
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.driver import front
from irgl.source import Source


@dataclass(frozen=True)
class Pieces:
    """What stands around statements of main: `head` in front of its functions, `main` up to them."""

    head: str
    main: str

    def program(self, body: str, functions: str = "") -> A.Program:
        return front(Source("x.fal", f"{self.head}{functions}{self.main}{body}\n}}\n")).program

    def kernel(self, body: str, functions: str = "") -> str:
        """The last kernel that these statements of main become, without its first and last line, in one line."""
        made = [d for d in self.program(body, functions).decls if isinstance(d, A.Kernel)][-1]
        return " ".join(" ".join(dump(made).splitlines()[1:-1]).split())

    def found(self, body: str, functions: str = "", rows: Any = None, target: str = "ref") -> Any:
        """What the program leaves on a graph: by itself 0>1=5, 0>2=7, 2>1=1."""
        if rows is None:
            rows = sparse.csr_array(([5, 7, 1], ([0, 0, 2], [1, 2, 1])), shape=(3, 3))
        return irgl.compile(self.program(body, functions), target=target)(rows)
