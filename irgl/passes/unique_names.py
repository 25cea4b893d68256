"""A variable that hides another one gets a name of its own, so that text may move from a block into the one around it.

What it does: a variable whose name a block around it declares, too, before or behind, or which is there a parameter or
a loop's variable, is renamed, with all that means it, graph variables in types as well.

    int z = 7;                    int z = 7;
    {                             {
        int z = z + 1;    =>          int z_2 = z + 1;
        total = z;                    total = z_2;
    }                             }

When it applies: to every function, kernel and Program. Variables that hide nothing keep their names, those of blocks
side by side, too. A CBlock, whose text nobody can rename, is refused where it names a variable that hides another.
What it needs and keeps: a checked program; everything but the names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from typing import TypeVar

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, transform, walk
from irgl.source import IrglError

N = TypeVar("N", bound=A.Node)
Stmts = tuple[A.Stmt, ...]


def run(program: A.Program) -> A.Program:
    """The program in which no variable hides another."""

    def part(decl: A.Node) -> A.Node:
        if not isinstance(decl, A.Function | A.Kernel | A.Entry):
            return decl
        fresh = Fresh(program, decl)
        fresh.taken.update(*(_words(n) for n in walk(decl) if isinstance(n, A.CBlock)))
        declared = {p.name for p in decl.params} | _declared(decl.body)
        body = _Scope(fresh, {}, declared, set()).block(decl.body)
        return decl if body is decl.body else replace(decl, body=body)

    return rebuild(program, part)


class _Scope:
    """A block. `names` are the new names of the variables that are declared so far; `declared` the names that it or a
    block around it declares at all, `hiding` those among its own that one around it declares, too."""

    def __init__(self, fresh: Fresh, names: Mapping[str, str], declared: Set[str], hiding: Set[str]) -> None:
        self.fresh = fresh
        self.names = dict(names)
        self.declared = declared
        self.hiding = hiding

    def block(self, stmts: Stmts) -> Stmts:
        """The statements of this block itself, in their order."""
        new = tuple([self._stmt(s) for s in stmts])
        return stmts if all(a is b for a, b in zip(stmts, new, strict=True)) else new

    def _inside(self, own: Set[str]) -> _Scope:
        return _Scope(self.fresh, self.names, self.declared | own, own & self.declared)

    def _stmt(self, s: A.Stmt) -> A.Stmt:
        if isinstance(s, A.CFor):
            return self._inside(_declared((*s.init, *s.body)))._counting(s)
        changed = rebuild(s, lambda n: n if isinstance(n, A.Stmt) else self._expr(n))
        match s:
            case A.VarDecl():
                return _with(changed, type=_type(s.type, self.names), name=self._name(s.name))
            case A.For() | A.ForAll():
                inside = self._inside(_declared(s.body) | {s.var})
                return _with(changed, var=inside._name(s.var), body=inside.block(s.body))
            case A.If() | A.Atomic() | A.Exclusive():
                return _with(changed, body=self._block_in(s.body), orelse=self._block_in(s.orelse))
            case A.Block() | A.Sections() | A.While() | A.DoWhile() | A.Iterate() | A.Pipe():
                return _with(changed, body=self._block_in(s.body))
            case A.Labeled():
                return _with(changed, body=self._stmt(s.body))
            case A.Invoke() if s.queue is not None:
                return _with(changed, queue=self.names.get(s.queue, s.queue))
            case A.CBlock():
                hidden = sorted(self.names.keys() & _words(s))
                if hidden:
                    raise IrglError(f"a CBlock names '{hidden[0]}', which hides another variable", s.span,
                                    "choose another name for one of the two")
                return changed
            case _:
                return changed

    def _block_in(self, stmts: Stmts) -> Stmts:
        return self._inside(_declared(stmts)).block(stmts)

    def _counting(self, s: A.CFor) -> A.CFor:
        """A `for`, whose body is in the same scope as what stands in its head, and behind it."""
        init = self.block(s.init)
        test = None if s.test is None else self._expr(s.test)
        step = self.block(s.step)
        return _with(s, init=init, test=test, step=step, body=self.block(s.body))

    def _name(self, word: str) -> str:
        """The name of a variable of this block, which is declared here."""
        if word in self.hiding:
            self.names[word] = self.fresh.numbered(word, 2)
        return self.names.get(word, word)

    def _expr(self, e: A.Node) -> A.Node:
        if not self.names:
            return e

        def renamed(n: A.Node) -> A.Node:
            new = self.names.get(n.id) if isinstance(n, A.Name) else None
            return n if new is None else A.Name(new, span=n.span)

        return transform(e, renamed)


def _with(node: N, **parts: object) -> N:
    """`node` with these parts; itself where it has them."""
    if all(getattr(node, field) is value for field, value in parts.items()):
        return node
    return replace(node, **parts)  # type: ignore[arg-type]


def _declared(stmts: Iterable[A.Stmt]) -> set[str]:
    """What a block declares itself."""
    return {s.name for s in stmts if isinstance(s, A.VarDecl)}


def _type(t: T.Type, names: Mapping[str, str]) -> T.Type:
    """A type with the graph variables in it under their new names."""
    match t:
        case T.NodeT() | T.EdgeT():
            return replace(t, graph=names[t.graph]) if t.graph in names else t
        case T.Worklist():
            item, by = _type(t.item, names), t.by
            if by is not None and by.delta in names:
                by = replace(by, delta=names[by.delta])
            return t if item is t.item and by is t.by else replace(t, item=item, by=by)
        case T.Named():
            args = tuple(_type(a, names) for a in t.args)
            return t if args == t.args else replace(t, args=args)
        case _:
            return t


def _words(block: A.CBlock) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", block.text))
