"""What a function does with consts: which it uses, which it stores first, and which no function stores at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from irgl.frontends.gt import tree as G

#: Methods that change what they are called on, or given.
_CHANGE = ("addVertex", "append", "insert", "pop", "retrieve")


@dataclass(frozen=True, slots=True)
class Uses:
    """What an exported function does with the consts of its file.

    used: those that it, and what it calls and applies, names. begun: for those that it stores as a whole before it, or
    what it calls, asks for them, the stores.
    """

    used: frozenset[str]
    begun: Mapping[str, G.Assign]


def uses(func: G.Func, funcs: Mapping[str, G.Func], consts: Mapping[str, G.Const]) -> Uses:
    """What `func` does with consts. O(size of the functions that it reaches)."""
    reached: dict[str, frozenset[str]] = {}
    seen: set[str] = set()
    begun: dict[str, G.Assign] = {}
    local = _locals(func)
    for labelled in func.body:
        s = labelled
        while isinstance(s, G.Labeled):
            s = s.body
        match s:
            case G.Assign(place=G.Name(id=word), op="=") if word in consts and word not in local:
                seen |= _named(s.value, local, funcs, consts, reached)
                if word not in seen:
                    begun[word] = s
                seen.add(word)
            case _:
                seen |= _named(s, local, funcs, consts, reached)
    used = seen | {name for c in seen for name in _behind(c, consts)}
    return Uses(frozenset(used), begun)


def stores(name: str, funcs: Mapping[str, G.Func]) -> Iterator[G.Assign]:
    """The stores to a const, or to a value of it, in any function."""
    for func in funcs.values():
        if name in _locals(func):
            continue
        for n in G.walk(func):
            if isinstance(n, G.Assign):
                place = n.place
                while isinstance(place, G.Index):
                    place = place.object
                if isinstance(place, G.Name) and place.id == name:
                    yield n


def changed(name: str, funcs: Mapping[str, G.Func]) -> bool:
    """May a function change a const? One that another function, or a queue, is given by reference may be, and a set or
    list by its methods."""
    if next(stores(name, funcs), None) is not None:
        return True
    for func in funcs.values():
        if name in _locals(func):
            continue
        for n in G.walk(func):
            if isinstance(n, G.Call | G.New | G.Bound):
                given = (*(n.bound or ()), *n.args) if isinstance(n, G.Call) else n.bound if isinstance(
                    n, G.Bound) else n.args
            elif isinstance(n, G.Method) and n.name in _CHANGE:
                given = (n.object, *n.args)
            elif isinstance(n, G.Index) and isinstance(n.object, G.Name) and n.object.id in funcs:  # f[vector]
                given = (n.index,)
            else:
                continue
            if any(isinstance(e, G.Name) and e.id == name for e in given):
                return True
    return False


def _behind(name: str, consts: Mapping[str, G.Const]) -> set[str]:
    """The consts that a const's first value names, and those that theirs do."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        init = consts[waiting.pop()].init
        more = {n.id for n in G.walk(init) if isinstance(n, G.Name)} & consts.keys() if init is not None else set()
        waiting += more - found
        found |= more
    return found


def _locals(func: G.Func) -> set[str]:
    """The names of a function's own, which hide consts."""
    own = {p.name for p in (*func.bound, *func.params)} | {n.name for n in G.walk(func) if isinstance(n, G.Var)}
    return own | {n.var for n in G.walk(func) if isinstance(n, G.For)} | ({func.result.name} if func.result else set())


def _named(node: G.Node, local: set[str], funcs: Mapping[str, G.Func], consts: Mapping[str, G.Const],
           reached: dict[str, frozenset[str]]) -> set[str]:
    """The consts that a part of a function, and what that calls and applies, names."""
    found: set[str] = set()
    for n in G.walk(node):
        words: Sequence[str] = (n.id,) if isinstance(n, G.Name) else ()
        if isinstance(n, G.Call | G.Bound):
            words = (n.function,)
        for word in words:
            if word in local:
                continue
            if word in consts:
                found.add(word)
            elif word in funcs:
                if word not in reached:
                    reached[word] = frozenset()  # functions that call themselves are refused elsewhere
                    inner = funcs[word]
                    reached[word] = frozenset(_named(inner, _locals(inner), funcs, consts, reached))
                found |= reached[word]
    return found
