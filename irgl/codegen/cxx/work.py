"""What kernels run over, as their callers see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from irgl.analysis.effects.effects import home_graph
from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cxx.names import form_of


@dataclass(frozen=True, slots=True)
class Work:
    """What a kernel of one ForAll runs over, in C++; `graph`: whose nodes they are, "" where they are none."""

    text: str
    graph: str

    def by(self, incoming: bool) -> str:
        """The range with the edges of its items as their weight."""
        if not self.graph:
            return self.text
        return f"irgl::by_degree({form_of(self.graph, incoming)}, {self.text})"


def kernel_range(checked: Checked, k: A.Kernel, given: dict[str, str], wl: str, on: str) -> Work | None:
    """What the kernel's one ForAll runs over, as its caller sees it; None where that isn't plain to see."""
    loop = only_loop(k)
    return None if loop is None else loop_range(checked, k, loop, given, wl, on)


def loop_range(checked: Checked, k: A.Kernel, loop: A.ForAll, given: dict[str, str], wl: str, on: str) -> Work | None:
    """The same of one of its outermost loops."""
    e = loop.iterator
    t = checked.types[e]
    text: str
    match e:
        case A.Member(name="nodes" | "edges", object=A.Name()) if not isinstance(checked.types[e.object], T.NodeT):
            assert isinstance(e.object, A.Name)
            of = given[e.object.id]
            text = f"irgl::nodes({of})" if e.name == "nodes" else f"irgl::range<edge_t>(0, {of}.m)"
        case A.Member(name="items", object=A.Name(id="WL")) | A.Name(id="WL"):
            text = f"{wl}items({on if on == 'c' else ''})"
        case A.Member(name="items", object=A.Name()) if isinstance(checked.types[e.object], T.Worklist):
            assert isinstance(e.object, A.Name)
            text = f"{given[e.object.id]}.items({on if on == 'c' else ''})"
        case _:
            return None
    if not isinstance(t, T.Range | T.Worklist) or not isinstance(t.item, T.NodeT):
        return Work(text, "")
    of = t.item.graph or home_graph(checked, k.params)
    return Work(text, given[of] if of else "")


def deciding(checked: Checked, statements: Iterable[A.Stmt]) -> list[A.ForAll]:
    """The outermost loops; of alternatives those over lists alone, by whose size it goes which of them are taken."""
    found: list[A.ForAll] = []
    for s in statements:
        match s:
            case A.ForAll():
                found.append(s)
            case A.Labeled():
                found += deciding(checked, [s.body])
            case A.If():
                ways = [way for way in (deciding(checked, s.body), deciding(checked, s.orelse)) if way]
                lists = [way for way in ways if all(over_list(checked, loop) for loop in way)]
                found += lists[0] if len(ways) == 2 and lists else [loop for way in ways for loop in way]
            case _:
                found += [n for n in walk(s) if isinstance(n, A.ForAll)]
    return found


@dataclass(frozen=True, slots=True)
class Either:
    """A kernel that runs over a list and, where a parameter says so, over something else: in its place, or before, to
    fill it. lists: what it does over the list."""

    flag: str
    otherwise: tuple[A.Stmt, ...]
    lists: tuple[A.Stmt, ...]


def either(checked: Checked, k: A.Kernel) -> Either | None:
    """What a kernel does otherwise than over its list, as a parameter says; None: it is no such kernel."""
    match k.body:
        case (A.If(test=A.Name(id=word) as flag) as s, *rest) if (
                bool(s.orelse) != bool(rest) and checked.symbols[flag].kind == "param"):
            lists = s.orelse or tuple(rest)
            over_lists = all(over_list(checked, loop) for loop in deciding(checked, lists))
            others = any(not over_list(checked, loop) for loop in deciding(checked, s.body))
            return Either(word, s.body, lists) if over_lists and others else None
        case _:
            return None


def over_list(checked: Checked, loop: A.ForAll) -> bool:
    """Does it run over the items of a list or set?"""
    e = loop.iterator
    of = e.object if isinstance(e, A.Member) and e.name == "items" else e
    return isinstance(checked.types[of], T.Worklist)
