"""Properties whose declared first value nobody sees: the Program's first use of them stores to every node or edge.

    Invoke begin(g);  // ForAll (n In g.nodes) { n.chief = n; }
"""

from __future__ import annotations

from collections.abc import Iterable

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

Property = tuple[str, str]  # owner, name


def stored_first(checked: Checked, properties: Iterable[Property]) -> set[Property]:
    """Those of some properties, by owner and name, that are stored to as a whole before any other use."""
    entry = checked.entry
    if entry is None:
        return set()
    types = [p.type.name for p in entry.params if isinstance(p.type, T.Named) and p.type.name in checked.graph_types]
    made = any(isinstance(n, A.VarDecl) and str(n.type) in checked.graph_types for n in walk(entry))
    if made or len(types) != 1:
        return set()  # the store reaches one graph, the property belongs to several
    its = {(p.owner, p.name) for p in checked.graph_types[types[0]].properties}
    return {p for p in properties if p in its and _FirstUse(checked, p).stores(entry.body) is True}


class _FirstUse:
    def __init__(self, checked: Checked, what: Property) -> None:
        self.checked = checked
        self.owner, self.name = what

    def stores(self, stmts: Iterable[A.Stmt]) -> bool | None:
        """Is the first use a store to all? None: there is no use."""
        for s in stmts:
            inner = s.body if isinstance(s, A.Labeled) else s
            found: bool | None
            match inner:
                case A.Block() | A.Sections():
                    found = self.stores(inner.body)
                case A.Pipe() if inner.once and not _jumps(inner.body) and not self._uses(inner.initial):
                    found = self.stores(inner.body)
                case A.Invoke() if self._uses(inner):
                    found = self._kernel(self.checked.kernels[inner.kernel])
                case _:
                    found = False if self._uses(inner) else None
            if found is not None:
                return found
        return None

    def _kernel(self, k: A.Kernel) -> bool:
        for s in k.body:
            inner = s.body if isinstance(s, A.Labeled) else s
            if self._uses(inner):
                return isinstance(inner, A.ForAll) and self._loop(inner)
            if any(isinstance(n, A.Return) for n in walk(inner)):
                return False
        return False

    def _loop(self, loop: A.ForAll) -> bool:
        """Does every iteration store to its item, and no iteration use the property otherwise?"""
        over = loop.iterator
        if not (isinstance(over, A.Member) and over.name == f"{self.owner}s" and isinstance(over.object, A.Name)):
            return False
        if not isinstance(self.checked.types[over.object], T.Named):
            return False
        for i, s in enumerate(loop.body):
            if self._uses(s):
                rest = loop.body[i + 1 :]
                return self._stores_item(s, loop) and not any(map(self._uses, rest))
            if _jumps((s,)):
                return False
        return False

    def _stores_item(self, s: A.Stmt, loop: A.ForAll) -> bool:
        match s:
            case A.Assign(target=A.Member(object=A.Name() as item)):
                return self.checked.symbols[item] is self.checked.symbols[loop] and not self._uses(s.value)
            case _:
                return False

    def _uses(self, node: A.Node | None) -> bool:
        """Does the property occur below `node`, or in what is called from there?"""
        for n in walk(node) if node is not None else ():
            called: A.Node | None = None
            match n:
                case A.Member(name=self.name):
                    t = self.checked.types.get(n.object)
                    if isinstance(t, T.NodeT if self.owner == "node" else T.EdgeT):
                        return True
                case A.Invoke() | A.Iterate() | A.InvokeResult():
                    called = self.checked.kernels[n.kernel]
                case A.Call():
                    called = self.checked.functions.get(n.function)
                case _:
                    pass
            if called is not None and self._uses(called):
                return True
        return False


def _jumps(stmts: Iterable[A.Stmt]) -> bool:
    jumps = A.Break | A.Continue | A.Retry | A.Return
    return any(isinstance(n, jumps) for s in stmts for n in walk(s))
