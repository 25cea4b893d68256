"""The words of the notation for programs in Python: what `irgl.kernel`, `irgl.node`, `irgl.pipe` and the others are.

Bodies of such programs are never executed, only read (irgl/frontends/python/load.py). So almost every word is a `Word`,
which bears whatever Python does to it when it comes by one in a default or an annotation. The decorators note where a
definition stands, `scalar` and `include` that there is one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

#: Types, by their names here. `float` is Python's, 64 bits wide.
TYPES = {
    "bool": "bool", "int": "int", "long": "long", "float": "double", "double": "double",
    **{f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "uint": "uint32", "ulong": "uint64", "float32": "float", "float64": "double",
    "node": "node", "edge": "edge", "lock": "lock", "auto": "auto",
}  # fmt: skip
LISTS = ("list", "set", "bitmap", "bytemap", "count", "buckets", "priority_queue", "scratch")
NEEDS = ("directed", "undirected", "simple", "sorted", "weighted", "transpose")
FUNCTIONS = ("min", "max", "abs", "pow", "range", "hash", "print", "sqrt", "cbrt", "exp", "expm1", "log", "log2",
             "log10", "log1p", "floor", "ceil", "trunc", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
             "tanh", "atan2", "hypot", "isinf", "isnan", "popcount", "cas", "random", "oriented", "average_weight",
             "max_weight", "coordinate", "stop", "common", "clock", "dot", "sum")  # fmt: skip
#: Those whose names a program may give to something of its own: a helper of that name is what its calls mean then.
FREE = ("common", "coordinate", "clock", "dot", "sum")
CONSTANTS = ("INF", "NONE", "first")
#: What heads a block or a loop, stands as a statement of its own, or is part of a value.
_HEADS = ("pipe", "iterate", "iterate_while", "iterate_until", "sections", "atomic", "exclusive", "block", "label",
          "do_while", "serial", "c_range", "c_for", "c_while")  # fmt: skip
_ALONE = (
    "sync_running_threads",
    "reduce_and_return",
    "retry",
    "respawn",
    "c_block",
    "verify",
    "tolerance",
    "any_valid",
)
_IN_VALUES = ("racy", "relaxed", "reduce", "assign", "cast", "literal", "any", "all")
IN_TYPES = ("input", "unique", "worklist", "iterator", "elements", "own", "stays", "reads", "writes", "appends",
            "vector")
#: What stands before a definition, and what else makes one.
DECORATORS = ("kernel", "function", "program", "graph", "struct", "library")
DEFINING = (*DECORATORS, "scalar", "constant", "include")
#: What each of these does, for help() and docs/api.md. All raise IrglError where the program is compiled, not before.
DEFINES = {
    "graph": "Before a class: a graph type. Its annotations say what every node and edge has, each with a first value: "
             "`height: irgl.node[int] = 0`; an edge's number without one takes the graph's weights. "
             "`seed: irgl.input[irgl.node[float]] = 0` is given by the caller.",
    "struct": "Before a class: a struct of the fields that its annotations name.",
    "kernel": "Before a function: parallel work on a graph, its first parameter. Its body is read, and never executed.",
    "function": "Before a function: a helper that kernels and programs call. It is sequential, and its body is read.",
    "program": "Before a function: what runs which kernels. Calling it compiles it and runs it, as irgl.compile does. "
               "In brackets, `(g: Graph[irgl.undirected])`, is what it asks of a graph.",
    "library": "`@irgl.library(header, *parameters)` before a class: a type that a C++ header implements.",
    "scalar": "`irgl.scalar(type, value=0)`: a number of the whole program, and one of its results.",
    "constant": "`irgl.constant(value)`: a whole number with a name, which may say how long vectors are, and for which "
                "who compiles the program may put another.",
    "include": "`irgl.include(path)`: the declarations of an .irgl file, beside this one or of irgl's own.",
}  # fmt: skip
#: Reductions: the name under `reduce`, the operator.
REDUCTIONS = {"add": "+", "sub": "-", "bit_or": "|", "bit_and": "&", "bit_xor": "^", "min": "min", "max": "max",
              "xchg": "xchg", "mul": "*", "div": "/", "mod": "%", "shl": "<<", "shr": ">>"}  # fmt: skip

_BUILTIN = ("bool", "int", "float", "list", "set", "min", "max", "abs", "pow", "range", "hash", "print", "any", "all",
            "sorted", "sum")  # fmt: skip
#: Every word of the notation. Those that Python has of its own may be written without `irgl.`, and need no import.
WORDS = frozenset((*TYPES, *LISTS, *NEEDS, *FUNCTIONS, *CONSTANTS, *_HEADS, *_ALONE, *_IN_VALUES, *IN_TYPES, *DEFINING))
BUILTIN = frozenset(_BUILTIN)


class Word:
    """A word of the notation. What Python does to one gives a word again; what it means is read from the source."""

    def __init__(self, name: str) -> None:
        self.irgl_word = name

    def __repr__(self) -> str:
        return f"irgl.{self.irgl_word}"

    def __call__(self, *_: Any, **__: Any) -> Any:
        """The word itself."""
        return self

    def __getitem__(self, _: Any) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"{self!r} means something inside a program only")

    def _same(self, *_: Any) -> Any:
        return self

    __neg__ = __invert__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __or__ = __ror__ = _same
    __truediv__ = __rtruediv__ = __mod__ = __rmod__ = __lshift__ = __rshift__ = __and__ = __xor__ = _same

    def __int__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 0.0


class Definition:
    """A kernel, function, program, graph type, struct or library: where it stands, and what its names mean there."""

    def __init__(self, kind: str, defined: Any, frame: FrameType) -> None:
        self.irgl_kind = kind
        self.defined = defined
        self.__name__ = str(defined.__name__)
        self.__doc__ = defined.__doc__
        code = getattr(defined, "__code__", None)
        self.file = str(code.co_filename if code is not None else frame.f_code.co_filename)
        self.line = int(code.co_firstlineno if code is not None else frame.f_lineno)
        self.globals: dict[str, Any] = frame.f_globals
        self.locals: dict[str, Any] = {} if frame.f_locals is frame.f_globals else dict(frame.f_locals)
        self.cells: dict[str, Any] = {}
        if code is not None:
            self.cells = dict(zip(code.co_freevars, defined.__closure__ or (), strict=True))
        self._compiled: Any = None

    def __repr__(self) -> str:
        return f"<irgl {self.irgl_kind} {self.__name__}>"

    def __getitem__(self, _: Any) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if self.irgl_kind == "program" and name == "explain":
            return self._made().explain
        if name.startswith("__") or self.irgl_kind not in ("graph", "struct"):
            raise AttributeError(name)
        return Word(name)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """A program runs, compiled at its first call; a struct in a default is one. Python calls nothing else."""
        if self.irgl_kind in ("struct", "graph", "library"):
            return Word(self.__name__)
        if self.irgl_kind != "program":
            raise TypeError(
                f"{self.irgl_kind} {self.__name__} runs inside a program: call it in a function with @irgl.program"
            )
        return self._made()(*args, **named)

    def _made(self) -> Any:
        """The program, compiled when it is first asked for."""
        if self._compiled is None:
            from importlib import import_module  # the compiler lives above this room

            self._compiled = import_module("irgl.api").compile(self)
        return self._compiled

    def find(self, name: str) -> Any:
        """What a name means where this stands: an object, or MISSING."""
        if name in self.cells:
            try:
                return self.cells[name].cell_contents
            except ValueError:
                return MISSING
        return self.locals.get(name, self.globals.get(name, MISSING))


MISSING = object()


class Scalar(Word):
    """A program scalar: `reached = irgl.scalar(irgl.long, 0)`."""

    def __init__(self, frame: FrameType) -> None:
        super().__init__("scalar")
        self.file, self.line, self.globals = frame.f_code.co_filename, frame.f_lineno, frame.f_globals


class Constant(Word):
    """A constant of the program: `K = irgl.constant(16)`."""

    def __init__(self, frame: FrameType) -> None:
        super().__init__("constant")
        self.file, self.line, self.globals = frame.f_code.co_filename, frame.f_lineno, frame.f_globals


class Include(Word):
    """The declarations of another file: `mesh = irgl.include("mesh.irgl")`."""

    def __init__(self, path: str, frame: FrameType) -> None:
        super().__init__("include")
        self.path, self.file, self.globals = path, frame.f_code.co_filename, frame.f_globals
        self.line = frame.f_lineno


def _decorator(kind: str) -> Callable[..., Any]:
    def decorate(defined: Any = None, /, *_: Any, **__: Any) -> Any:
        if defined is None or isinstance(defined, str):
            return lambda d: Definition(kind, d, sys._getframe(1))
        if not hasattr(defined, "__name__"):
            raise TypeError(f"@irgl.{kind} stands before a {'class' if kind in ('graph', 'struct') else 'function'}")
        return Definition(kind, defined, sys._getframe(1))

    decorate.__name__ = decorate.__qualname__ = kind
    decorate.__doc__ = DEFINES[kind]
    decorate.irgl_word = kind  # type: ignore[attr-defined]
    return decorate


def _scalar(_type: Any, _value: Any = 0) -> Any:
    return Scalar(sys._getframe(1))


def _constant(_value: Any) -> Any:
    return Constant(sys._getframe(1))


def _include(path: str) -> Any:
    return Include(path, sys._getframe(1))


def word(name: str) -> Any:
    """The object that `irgl.NAME` is."""
    made: Any
    if name == "scalar":
        made = _scalar
    elif name == "constant":
        made = _constant
    elif name == "include":
        made = _include
    elif name in DEFINING:
        made = _decorator(name)
    else:
        made = Word(name)
    if name in ("scalar", "constant", "include"):
        made.irgl_word, made.__doc__ = name, DEFINES[name]
    return made
