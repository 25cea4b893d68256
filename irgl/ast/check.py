"""The verifier: is a Program tree one that the parser could have made? What passes and builders make must be.

It finds bugs of the compiler, not of users: an AssertionError, whose text names the node.
"""

from __future__ import annotations

import re
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import BINARY, REDUCTIONS, UNARY_OPS
from irgl.ast.tree import tree
from irgl.ast.visit import children, field_names, walk

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_WORDS: dict[tuple[type[A.Node], str], tuple[str, ...]] = {
    (A.Property, "owner"): ("node", "edge"),
    (A.Param, "needs"): ("directed", "undirected", "simple", "sorted", "weighted", "transpose"),
    (A.Method, "effect"): ("reads", "writes", "appends"),
    (A.Cooperative, "level"): ("thread", "warp", "threadblock", "task"),
    (A.Assign, "access"): ("plain", "racy", "relaxed"),
    (A.Iterate, "mode"): ("while", "until", "worklist"),
    (A.Iterate, "reduction"): ("any", "all", ""),
    (A.Unary, "op"): UNARY_OPS,
    (A.Binary, "op"): tuple(BINARY),
    (A.Reduce, "op"): REDUCTIONS,
    (A.InvokeResult, "reduction"): ("any", "all"),
}
#: Fields that hold any text.
_FREE = {(A.Import, "path"), (A.Library, "header"), (A.CBlock, "text"), (A.FloatLit, "text"), (A.StringLit, "value")}
_LOOPS = (A.While, A.DoWhile, A.CFor, A.For, A.ForAll, A.Iterate, A.Pipe)

_HINTS: dict[type[A.Node], dict[str, Any]] = {}


def verify(program: A.Program) -> None:
    """Raises AssertionError at the first node, in source order, that does not stand as the language has it.

    Shape (each field holds what irgl.asdl says), words (operators, modes), names, numbers, `break` and `continue`
    inside loops, labels once a kernel or program, and no node object twice: analyses key their tables by node.
    """
    assert isinstance(program, A.Program), f"not a Program: {program!r}"
    seen: set[int] = set()
    stack: list[A.Node] = [program]
    while stack:  # below a node only when it has the shape of one
        node = stack.pop()
        _require(id(node) not in seen, node, "stands twice in one tree")
        seen.add(id(node))
        verify_node(node)
        stack += reversed(children(node))
    for decl in program.decls:
        _jumps(decl)
        labels = [n.label for n in walk(decl) if isinstance(n, A.Labeled)]
        _require(len(labels) == len(set(labels)), decl, "has a label twice")


def verify_node(node: A.Node) -> None:
    """`verify` of one node alone: what its fields hold."""
    _shape(node)
    _meaning(node)


def _require(condition: bool, node: A.Node, what: str) -> None:
    if not condition:
        where = "" if node.span is None else f" (from {node.span})"
        raise AssertionError(f"{type(node).__name__} {what}{where}:\n{tree(node)}")


# Shape


def _shape(node: A.Node) -> None:
    kind = type(node)
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind, vars(A))
    for name in field_names(kind):
        value = getattr(node, name)
        if not _fits(value, _HINTS[kind][name]):  # a field is a whole tree, whose text would be made for each node
            _require(False, node, f"has {value!r} as its {name}")
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                _word(node, name, text)


def _fits(value: object, hint: Any) -> bool:
    if isinstance(hint, UnionType):
        return any(_fits(value, h) for h in get_args(hint))
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(_fits(v, get_args(hint)[0]) for v in value)
    return type(value) is hint


def _word(node: A.Node, name: str, text: str) -> None:
    key = (type(node), name)
    if key in _WORDS:
        _require(text in _WORDS[key], node, f"has '{text}' as its {name}")
    elif key not in _FREE:
        _require(_IDENTIFIER.fullmatch(text) is not None, node, f"has '{text}' as its {name}, which is no name")


# Meaning


def _meaning(node: A.Node) -> None:
    match node:
        case A.Atomic():
            _require(not (node.blocking and node.orelse), node, "waits for its lock, and has an Else")
        case A.Iterate():
            _require((node.mode == "worklist") == (node.reduction == ""), node, "mixes up its mode and its reduction")
        case A.IntLit():
            kind = node.type
            _require(isinstance(kind, T.Int) and kind.bits >= 32, node, "has no type of an integer literal")
            assert isinstance(kind, T.Int)
            _require(kind.min <= node.value <= kind.max, node, "does not fit in its type")
        case A.FloatLit():
            _require(isinstance(node.type, T.Float), node, "has no type of a floating literal")
            number = re.fullmatch(r"(\d+\.\d*|\.\d+)([eE][+-]?\d+)?|\d+[eE][+-]?\d+", node.text, re.ASCII)
            _require(number is not None, node, "is no floating literal")
        case A.VarDecl() | A.Global():
            _require(not (node.type == T.AUTO and node.init is None), node, "has neither type nor value")
        case A.Labeled():
            _require(not isinstance(node.body, A.VarDecl), node, "labels a declaration")
        case A.CFor():
            _for_header(node)
        case A.CBlock():
            _require(node.text == node.text.strip("\n"), node, "begins or ends with an empty line")
        case A.InitialItems():
            _require(bool(node.items), node, "lists no items")
        case A.Exclusive():
            _require(bool(node.elements), node, "locks nothing")
        case A.Struct():
            _require(bool(node.fields), node, "has no fields")
        case A.Sections():
            _require(all(isinstance(s, A.Block) for s in node.body), node, "has a part that is no Block")
        case _:
            pass


def _for_header(node: A.CFor) -> None:
    """C's for declares variables of one type, or lists expressions."""
    declared = [s for s in node.init if isinstance(s, A.VarDecl)]
    if declared:
        _require(len(declared) == len(node.init), node, "declares variables and stores in one header")
        _require(len({s.type for s in declared}) == 1, node, "declares variables of two types")
        _require(declared[0].type != T.AUTO or len(declared) == 1, node, "declares several variables without type")
    for s in (*node.init, *node.step):
        plain = isinstance(s, A.ExprStmt) or (isinstance(s, A.Assign) and s.access == "plain")
        _require(plain or s in declared, node, f"has a {type(s).__name__} in its header")


def _jumps(decl: A.Decl) -> None:
    stack: list[tuple[A.Node, A.Node | None]] = [(decl, None)]
    while stack:
        node, loop = stack.pop()
        if isinstance(node, A.Break):
            _require(loop is not None and not isinstance(loop, A.ForAll), node, "leaves no sequential loop")
        elif isinstance(node, A.Continue):
            _require(loop is not None, node, "stands in no loop")
        inner = node if isinstance(node, _LOOPS) else None if isinstance(node, A.Sections) else loop
        stack.extend((c, inner) for c in children(node))
