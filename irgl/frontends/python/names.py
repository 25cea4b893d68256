"""What names mean in a Python text: words of the notation, declarations, numbers, and what no program can use."""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass, field

from irgl.ast import nodes as A
from irgl.frontends.python.places import Places
from irgl.notation import BUILTIN, DECORATORS, WORDS


@dataclass(slots=True)
class Names:
    """The names that can be used at one place, outside of what a body declares itself.

    packages: names of irgl itself. words: by local name, the word. declared: by local name, what it is (kernel,
    function, struct, graph, library, scalar, constant) and its name in the program. constants: Python numbers.
    includes: names whose members are types of an included file. foreign: names of Python's that mean nothing here, and
    what they are.
    """

    places: Places
    packages: set[str] = field(default_factory=set)
    words: dict[str, str] = field(default_factory=dict)
    declared: dict[str, tuple[str, str]] = field(default_factory=dict)
    constants: dict[str, int | float | bool] = field(default_factory=dict)
    includes: set[str] = field(default_factory=set)
    foreign: dict[str, str] = field(default_factory=dict)

    def word(self, node: ast.expr) -> str | None:
        """The word of the notation that an expression is: `irgl.pipe`, or `pipe` where it means nothing else."""
        match node:
            case ast.Attribute(value=ast.Name(id=package)) if package in self.packages:
                if node.attr not in WORDS:
                    raise self.places.refused(f"irgl has no '{node.attr}'", node, _near(node.attr))
                return node.attr
            case ast.Name(id=name) if name in self.words:
                return self.words[name]
            case ast.Name(id=name) if name in WORDS and not self.means(name):
                return name
            case _:
                return None

    def means(self, name: str) -> bool:
        """Does the name mean something that the user gave it?"""
        return name in self.declared or name in self.constants or name in self.foreign or name in self.includes

    def kind(self, name: str) -> str | None:
        return self.declared[name][0] if name in self.declared else None

    def real(self, name: str) -> str:
        """The name in the program of what is called `name` here."""
        return self.declared[name][1] if name in self.declared else name

    def decorator(self, node: ast.FunctionDef | ast.ClassDef) -> tuple[str, ast.expr] | None:
        """What a definition is declared as, and the decorator that says so; None for one that is Python's alone."""
        for d in node.decorator_list:
            word = self.word(d.func if isinstance(d, ast.Call) else d)
            if word in DECORATORS:
                return word, d
        return None


def of_decls(decls: list[A.Decl]) -> dict[str, tuple[str, str]]:
    """What declarations in .irgl mean to a text that includes them."""
    kinds: dict[type[A.Decl], str] = {
        A.Kernel: "kernel",
        A.Function: "function",
        A.Struct: "struct",
        A.GraphType: "graph",
        A.Library: "library",
        A.Global: "scalar",
        A.Constant: "constant",
    }
    return {d.name: (kinds[type(d)], d.name) for d in decls if not isinstance(d, A.Import | A.Entry)}


def _near(name: str) -> str | None:
    found = difflib.get_close_matches(name, sorted(WORDS - BUILTIN), 1)
    return f"did you mean 'irgl.{found[0]}'?" if found else None
