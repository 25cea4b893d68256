"""What the iterations of each ForAll combine: reductions into variables from outside the loop, and program scalars.

A combined variable gets a copy per thread, and the copies are put together once, after the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.flow.kernels import helpers_of
from irgl.analysis.names.symbols import Checked, Symbol, fail
from irgl.analysis.names.vectors import variable_of
from irgl.ast import nodes as A
from irgl.ast.visit import children, walk

#: Ops that can share one copy: a difference is a sum of negatives.
FAMILY = {"+": "sum", "-": "sum", "min": "min_of", "max": "max_of", "|": "bit_or", "&": "bit_and"}

Combined = list[tuple[Symbol, str]]


def combines(checked: Checked) -> dict[A.ForAll, Combined]:
    """For each ForAll the variables that its iterations combine, with the reducer, in the order of first use.

    A nested loop combines a program scalar only into the copy that the loop around it has.
    Raises IrglError where a combined variable is also read, or combined in two ways.
    """
    found: dict[A.ForAll, Combined] = {}

    def visit(node: A.Node, around: Combined | None) -> None:
        if isinstance(node, A.ForAll):
            outer = around
            around = found[node] = [pair for pair in _of(checked, node)
                                    if outer is None or pair[0].kind != "global" or pair in outer]
        for child in children(node):
            visit(child, around)

    for kernel in checked.kernels.values():
        visit(kernel, None)
        for loop in list(found):
            for symbol, _ in found[loop]:
                if symbol.kind != "global":
                    _refuse_reads(checked, loop, symbol)
    return found


def _of(checked: Checked, loop: A.ForAll) -> Combined:
    depth = checked.symbols[loop].depth
    chosen: dict[str, tuple[Symbol, str]] = {}
    refused: set[str] = set()
    statements = {n.value for n in walk(loop) if isinstance(n, A.ExprStmt)}
    before = set(walk(loop.iterator))
    for node in walk(loop):
        target = variable_of(checked, node.target) if isinstance(node, A.Reduce) else None
        if not isinstance(node, A.Reduce) or target is None:
            continue
        symbol = checked.symbols[target]
        family = FAMILY.get(node.op)
        if symbol.kind == "global":
            if family is None or node not in statements or chosen.get(symbol.name, (symbol, family))[1] != family:
                refused.add(symbol.name)
            else:
                chosen[symbol.name] = (symbol, family)
        elif symbol.depth < depth and node not in before:
            if node not in statements:
                fail(
                    f"the ForAll combines '{symbol.name}' after its iterations: it has no value inside",
                    node,
                    "reduce into a property or a program scalar to see .old and .changed",
                )
            assert family is not None
            if chosen.get(symbol.name, (symbol, family))[1] != family:
                fail(f"'{symbol.name}' is combined in two ways by one ForAll", node, "use two variables")
            chosen[symbol.name] = (symbol, family)
    refused |= _read_or_stored(checked, loop)
    for helper in helpers_of(checked, [loop]):
        refused |= {n.id for n in _scalars(checked, helper)}
    return [pair for name, pair in chosen.items() if not (pair[0].kind == "global" and name in refused)]


def _read_or_stored(checked: Checked, loop: A.ForAll) -> set[str]:
    """Program scalars that the loop also loads or stores."""
    targets = {n.target for n in walk(loop) if isinstance(n, A.Reduce)}
    return {n.id for n in _scalars(checked, loop) if n not in targets}


def _scalars(checked: Checked, part: A.Node) -> Iterator[A.Name]:
    """The names of program scalars that stand in a part of the program."""
    for n in walk(part):
        if isinstance(n, A.Name) and n in checked.symbols and checked.symbols[n].kind == "global":
            yield n


def _refuse_reads(checked: Checked, loop: A.ForAll, symbol: Symbol) -> None:
    targets = {variable_of(checked, n.target) for n in walk(loop) if isinstance(n, A.Reduce)}
    stack: list[A.Node] = list(loop.body)
    while stack:
        node = stack.pop()
        if isinstance(node, A.Name) and node not in targets and checked.symbols.get(node) is symbol:
            fail(f"'{symbol.name}' is read while a ForAll reduces into it", node, "read it after the ForAll")
        stack.extend(children(node))
