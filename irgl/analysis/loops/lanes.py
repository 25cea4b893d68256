"""Whether statements that each node of a loop runs may be run for several nodes at once, by vector instructions."""

from __future__ import annotations

from collections.abc import Sequence

from irgl.analysis.effects.effects import by_kind, effects_of, kernel_effects
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: What arithmetic is made of.
PLAIN = (A.VarDecl, A.Assign, A.ExprStmt, A.Block, A.If, A.Reduce, A.Name, A.Member, A.Call, A.Unary, A.Binary, A.Cast,
          A.Conditional, A.IntLit, A.FloatLit, A.BoolLit)


def in_lanes(checked: Checked, loop: A.ForAll, statements: Sequence[A.Stmt]) -> list[Symbol] | None:
    """What the statements, some of the loop's body, add up for all of its nodes; None: they are no matter of lanes.

    They are where there is arithmetic alone, and a node touches of what is stored there its own: properties by the
    loop's variable, its local variables, and sums of numbers. Calls are of functions that store nothing and read
    nothing of what is stored.
    """
    nodes = [n for s in statements for n in walk(s)]
    if not all(isinstance(n, PLAIN) for n in nodes):
        return None
    item = checked.symbols[loop]
    combined = dict(checked.combined[loop])
    local = {checked.symbols[n] for n in walk(loop) if isinstance(n, A.VarDecl)}
    sums: dict[Symbol, None] = {}
    stored: set[str] = set()
    for n in nodes:
        match n:
            case A.Reduce(target=A.Name() as target):
                symbol = checked.symbols[target]
                if symbol in combined and combined[symbol] == "sum" and isinstance(symbol.type, T.Int | T.Float):
                    sums[symbol] = None
                elif symbol not in local:
                    return None
            case A.Assign(target=A.Name() as target) if checked.symbols[target] in local:
                pass
            case A.Assign(target=A.Member(object=A.Name() as owner, name=word)) if checked.symbols[owner] is item:
                stored.add(word)
            case A.Assign() | A.Reduce():
                return None
    effects = effects_of(checked, statements)
    own = {("node", word) for word in stored} | {("scalar", v.name) for v in sums}
    if effects.host or not by_kind(effects.writes) <= own:
        return None
    called = [checked.functions[n.function] for n in nodes if isinstance(n, A.Call) and n.function in checked.functions]
    found = [kernel_effects(checked, f) for f in called]
    inside = {p.name for f in found for p in (*f.reads, *f.writes)}
    others = {n.name for n in nodes if isinstance(n, A.Member)
              and not (isinstance(n.object, A.Name) and checked.symbols.get(n.object) is item)}
    return None if stored & (inside | others) else list(sums)
