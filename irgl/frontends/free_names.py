"""Names that lowering gives: none that irgl's text can't have, none that means something else already."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from typing import Protocol

from irgl.ast import types as T
from irgl.notation import FREE, FUNCTIONS

#: Names that the program's own can't have: irgl's words, C's, and those that lowering gives.
_NEVER = frozenset((
    *(word for word in (*FUNCTIONS, *FREE) if word not in ("dot", "sum")),
    *T.NAMES, *T.KINDS, "INF", "NONE", "WL", "first", "true", "false", "auto", "range", "unique",
    "Graph", "g", "long", "short", "char", "signed", "unsigned", "struct", "static", "const", "void", "switch",
    "case", "default", "goto", "sizeof", "typedef", "union", "enum", "register", "volatile", "inline", "restrict",
    "for", "while", "do", "if", "else", "break", "continue", "return", "extern", "lock", "racy", "relaxed",
    "Kernel", "Program", "Iterate", "Pipe", "ForAll", "For", "Atomic", "Exclusive", "Else", "Retry", "Respawn",
    "Invoke", "While", "Until", "Initial", "CBlock", "Any", "All", "Once", "graph", "library", "import", "constexpr",
    "offsetof", "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize",
))
#: How names of the machine's own begin.
_MACHINE = ("atomic", "omp_", "__", "_Atomic", "_Noreturn", "_Thread_local", "_Align", "_Generic", "_Static_assert",
            "_Pragma", "_Complex", "_Bool")


class Names:
    """Names that are free to be given. reserved: those of the file's own, which nothing else is renamed to."""

    def __init__(self, *taken: Iterable[str], reserved: Collection[str] = ()) -> None:
        self.taken = {name for names in taken for name in names}
        self.reserved = reserved

    def fresh(self, wanted: str) -> str:
        """The name itself where it is free, or one like it."""
        if wanted.startswith(_MACHINE):
            wanted = f"my_{wanted.lstrip('_')}"
        name, k = wanted, 1
        while name in self.taken or name in _NEVER or name in self.more() or (k > 1 and name in self.reserved):
            name, k = f"{wanted}_{k + 1}", k + 1
        self.taken.add(name)
        return name

    def more(self) -> Set[str]:
        """What else is taken by now."""
        return frozenset()


class GlobalNames(Names):
    """Names of kernels, helpers and scalars: none that a variable has."""

    def __init__(self, locals_: Set[str], reserved: Collection[str]) -> None:
        super().__init__((f"argv{k}" for k in range(1, 100)), reserved=reserved)
        self.locals = locals_

    def more(self) -> Set[str]:
        return self.locals


class Declaring(Protocol):
    """A program that is being lowered. locals: all that variables of its kernels, helpers and Program are called."""

    locals: set[str]

    def global_names(self) -> Set[str]:
        """What kernels, helpers and scalars are called so far, and the file's functions."""
        ...


class LocalNames(Names):
    """Names of one kernel, helper or the Program: no global's. taken: what else can't be given."""

    def __init__(self, unit: Declaring, *taken: Collection[str]) -> None:
        super().__init__(*taken)
        self.unit = unit

    def fresh(self, wanted: str) -> str:
        found = super().fresh(wanted)
        self.unit.locals.add(found)
        return found

    def more(self) -> Set[str]:
        return self.unit.global_names()
