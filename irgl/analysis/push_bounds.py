"""How much an invocation may push to each list, so that room for it is made before the kernel starts."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.methods import methods_of
from irgl.analysis.owners import Owners
from irgl.analysis.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children


@dataclass(frozen=True, slots=True)
class Bound:
    """At most `per_item` for each item of the loop and `per_edge` for each edge of its nodes; None: nobody knows."""

    loop: A.ForAll | None
    per_item: int
    per_edge: int
    incoming: bool
    known: bool


def bounds(checked: Checked, kernel: A.Kernel) -> dict[str, Bound]:
    """For each list that the kernel appends to, by name, the bound of one invocation; WL's is also that of what comes back.

    Known where the kernel is one ForAll and each append stands in it, or in a ForAll or For over the edges of its item,
    under conditions alone; or where there is no loop around any.
    """
    counter = _Counter(checked, kernel)
    for s in kernel.body:
        counter.visit(s, "kernel")
    single = len([s for s in kernel.body if _holds_forall(s)]) <= 1
    return {
        name: Bound(counter.loop, found[0], found[1], counter.incoming.get(name, False), name not in counter.lost and single)
        for name, found in counter.found.items()
    }


def _holds_forall(s: A.Node) -> bool:
    return isinstance(s, A.ForAll) or any(_holds_forall(c) for c in children(s))


class _Counter:
    def __init__(self, checked: Checked, kernel: A.Kernel) -> None:
        self.checked = checked
        self.kernel = kernel
        self.owners = Owners(checked)
        self.loop: A.ForAll | None = None
        self.found: dict[str, list[int]] = {}
        self.incoming: dict[str, bool] = {}
        self.lost: set[str] = set()
        self.edges_in = False

    def visit(self, node: A.Node, where: str) -> None:
        """where: kernel (outside loops), item, edge (of the item), or lost (nobody counts)."""
        match node:
            case A.ForAll() if where == "kernel":
                self.loop = node
                for s in node.body:
                    self.visit(s, "item")
                return
            case A.ForAll() | A.For():
                inside = self._inside(node, where)
                for s in node.body:
                    self.visit(s, inside)
                return
            case A.While() | A.DoWhile() | A.CFor():
                for child in children(node):
                    self.visit(child, "lost")
                return
            case A.Retry() | A.Respawn():
                self._count("WL", where)
            case A.MethodCall():
                self._method(node, where)
            case A.Call() if node.function in self.checked.functions:
                self._helper(node)
            case _:
                pass
        for child in children(node):
            self.visit(child, where)

    def _inside(self, loop: A.ForAll | A.For, where: str) -> str:
        t = self.checked.types[loop.iterator]
        if where != "item" or not (isinstance(t, T.Range) and isinstance(t.item, T.EdgeT)):
            return "lost"
        symbol = self.checked.symbols[loop]
        probe = next((n for n in _names(loop) if self.checked.symbols.get(n) is symbol), None)
        found = None if probe is None else self.owners.base_of_edge(probe)
        base = None if found is None else found[0]
        mine = isinstance(base, A.Name) and self.loop is not None and (
            self.checked.symbols.get(base) is self.checked.symbols[self.loop])
        self.edges_in = t.item.incoming
        return "edge" if mine else "lost"

    def _method(self, call: A.MethodCall, where: str) -> None:
        t = self.checked.types[call.object]
        if not isinstance(t, T.Worklist) or not isinstance(call.object, A.Name):
            return
        signature = methods_of(self.checked, t).get(call.name)
        if signature is not None and signature.effect == "appends" and t.kind != "scratch":
            self._count(call.object.id, where)

    def _helper(self, call: A.Call) -> None:
        for a in call.args:
            if isinstance(a, A.Name) and isinstance(self.checked.types.get(a), T.Worklist):
                self.found.setdefault(a.id, [0, 0])
                self.lost.add(a.id)

    def _count(self, name: str, where: str) -> None:
        counts = self.found.setdefault(name, [0, 0])
        if where in ("kernel", "item"):
            counts[0] += 1
        elif where == "edge":
            if name in self.incoming and self.incoming[name] != self.edges_in:
                self.lost.add(name)
            self.incoming[name] = self.edges_in
            counts[1] += 1
        else:
            self.lost.add(name)


def _names(node: A.Node) -> list[A.Name]:
    found = [node] if isinstance(node, A.Name) else []
    for child in children(node):
        found += _names(child)
    return found
