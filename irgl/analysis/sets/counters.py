"""May what is stored for a claim be what the claim wants? Then the next one succeeds, too.

    Program main(Graph g) {
      int depth = 1;
      while (now.size > 0) { ...; Invoke step(g, depth, now, later); ...; depth++; }

Constants are compared. A node's number is never below 0, as long as graphs have less than 2^31 nodes or it is kept in
64 bits. A round's number, which the Program hands to the kernel, begins with a constant, too, and grows by one a round.
It meets W after as many rounds as lie between, each of which took a W from another node, as long as a
round runs only where the one before has pushed something: where these are more than any graph has nodes, no node is
left then. Of a number of 64 bits nobody waits for that.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.sets.claims import NOTHING, Claim, constant, writes
from irgl.analysis.sets.fillings import holds_new_alone
from irgl.analysis.sets.groups import WL, Group, calls
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk

Loop = A.While | A.Iterate | A.Pipe

#: No graph has a path of as many nodes, which a search would follow node by node.
_ROUNDS = 2**31 - 3


class Differing:
    """Tells what is never stored, where every push of a group has its claim."""

    def __init__(self, checked: Checked, group: Group, claims: list[Claim]) -> None:
        self.checked, self.group, self.claims = checked, group, claims
        self.supposed: set[tuple[Symbol, int | str | None]] = set()  # what is being proven, of later rounds alone

    def differs(self, kernel: A.Kernel | A.Function | A.Entry | None, new: A.Expr, wanted: int | str | None,
                t: T.Type) -> bool:
        """Is what `kernel` stores never the wanted value?"""
        if wanted is None:
            return False
        if isinstance(new, A.Cast) and new.type == t:
            return self.differs(kernel, new.operand, wanted, t)
        if isinstance(new, A.Member) and new.name == "id" and isinstance(wanted, int) and wanted < 0:
            return self._is_item(new.object)
        value = constant(new, t)
        if value is not None or wanted == NOTHING:
            return value not in (None, wanted) or (value is None and self._is_item(new))
        symbol = self.checked.symbols.get(new) if isinstance(new, A.Name) else None
        if symbol is None or symbol.assigned or symbol.kind != "param" or symbol.type != t:
            return False
        if not isinstance(kernel, A.Kernel) or not isinstance(wanted, int):
            return False
        places = [i for i, p in enumerate(kernel.params) if self.checked.symbols.get(p) is symbol]
        return bool(places) and all(self._handed(call, call.args[places[0]], wanted, t)
                                    for call in calls(self.checked) if call.kernel == kernel.name)

    def _is_item(self, e: A.Expr) -> bool:
        """Is it a node or an edge, and never NONE?"""
        if isinstance(e, A.Member) and e.name in ("src", "dst"):
            return self._is_item(e.object)
        symbol = self.checked.symbols.get(e) if isinstance(e, A.Name) else None
        return symbol is not None and symbol.kind == "loop" and not symbol.assigned and (
            symbol.loop is not None and symbol.loop not in self.checked.none)

    def _handed(self, call: A.Node, given: A.Expr, wanted: int, t: T.Type) -> bool:
        """Is what the Program hands to a kernel never the wanted value?"""
        value = constant(given, t)
        if value is not None:
            return value != wanted
        symbol = self.checked.symbols.get(given) if isinstance(given, A.Name) else None
        if symbol is None or symbol.kind != "local" or symbol.type != t or not isinstance(t, T.Int):
            return False
        if (symbol, wanted) in self.supposed:
            return True
        first, loop = self._counts(symbol)
        if first is None or loop is None or call not in set(walk(loop)):
            return False
        rounds = (wanted - first) % 2**t.bits
        if t.bits == 64:
            return bool(rounds >= 2**62)
        self.supposed.add((symbol, wanted))
        found = rounds >= _ROUNDS and self._pushes_each_round(loop)
        self.supposed.discard((symbol, wanted))
        return found

    def _counts(self, symbol: Symbol) -> tuple[int | None, Loop | None]:
        """With what a variable of the Program begins that grows by one in each round of a loop, and that loop."""
        entry = self.checked.entry
        assert entry is not None
        first: int | None = None
        loop: Loop | None = None
        declared: tuple[A.Node, ...] = ()
        for around, n in _with_loops(entry, ()):
            if isinstance(n, A.VarDecl) and self.checked.symbols[n] is symbol:
                value = constant(n.init, symbol.type) if n.init is not None else None
                first, declared = value if isinstance(value, int) else None, around
            target = n.target if isinstance(n, A.Assign | A.Reduce) else None
            if isinstance(target, A.Name) and self.checked.symbols.get(target) is symbol:
                one = isinstance(n, A.Reduce) and n.op == "+" and isinstance(n.value, A.IntLit) and n.value.value == 1
                inner = around[-1] if around else None
                if not one or loop is not None or around[:-1] != declared or not isinstance(inner, Loop):
                    return None, None
                loop = inner
        return first, loop

    def _pushes_each_round(self, loop: Loop) -> bool:
        """Does a round follow only where the last one took a W from some node, and gets no node one back?"""
        checked, claims = self.checked, self.claims
        match loop:
            case A.While() if (name := _asked_for_more(loop.test)) is not None:
                goes_on = holds_new_alone(checked, self.group, loop, name)
            case A.Iterate(mode="worklist"):
                goes_on = WL in self.group.keys and checked.facts[loop.kernel].reads
            case A.Pipe(once=False):
                goes_on = WL in self.group.keys and any(
                    isinstance(s, A.Invoke) and checked.facts[s.kernel].ends_round for s in loop.body)
            case _:
                goes_on = False
        taken = {(c.name, c.wanted) for c in claims}
        if not goes_on or len(taken) != 1 or any(c.way not in ("cas", "seen") for c in claims):
            return False
        name, wanted, t = claims[0].name, claims[0].wanted, claims[0].type
        parts: list[A.Kernel | A.Entry | None] = [checked.entry]
        parts += [checked.kernels[n.kernel] for n in walk(loop)
                  if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)]
        return all(self.keeps(part, loop if part is checked.entry else part, name, wanted, t) for part in parts)

    def keeps(self, of: A.Kernel | A.Entry | None, part: A.Node | None, name: str, wanted: int | str | None,
              t: T.Type) -> bool:
        """Is the wanted value stored nowhere in a part of a kernel or of the Program?"""
        assert part is not None
        for n in writes(self.checked, part, name):
            match n:
                case A.Assign(value=new) | A.Call(args=(_, _, new)):
                    if not self.differs(of, new, wanted, t):
                        return False
                case _:
                    return False
        return True


def _asked_for_more(test: A.Expr) -> str | None:
    """The set that a condition asks for items: it is false where the set is empty."""
    match test:
        case A.Binary(op="&&", left=left, right=right):
            return _asked_for_more(left) or _asked_for_more(right)
        case A.Binary(op=">" | "!=", left=A.Member(name="size", object=A.Name(id=name)), right=A.IntLit(value=0)):
            return name
        case _:
            return None


def _with_loops(node: A.Node, around: tuple[A.Node, ...]) -> Iterator[tuple[tuple[A.Node, ...], A.Node]]:
    """Every node below, with the loops around it."""
    loops = (A.While, A.DoWhile, A.CFor, A.For, A.Iterate, A.Pipe)
    for child in children(node):
        yield around, child
        yield from _with_loops(child, (*around, child) if isinstance(child, loops) else around)
