"""A loop that goes on as long as a kernel sets a flag becomes an Iterate, which asks the kernel itself.

What it does: beside each store that sets the flag the kernel returns true; the flag stays where it says what is to be
done before the next round, if there is one. Where nothing is, nobody looks at it, and the store goes.

    while (moved) {                    if (moved) {
        moved = 0;                         moved = 0;
        step++;                  =>        step++;
        Invoke offer(g);                   Iterate While Any offer(g) { done++; if (moved) { moved = 0; step++; } }
        done++;                        }
    }
    racy moved = 1;              =>    racy moved = 1; ReduceAndReturn(true);

    while (moved) {                    if (moved) {
        moved = 0;               =>        moved = 0;
        Invoke offer(g);                   Iterate While Any offer(g);
    }                                  }
    racy moved = 1;              =>    ReduceAndReturn(true);

When it applies: to the loops that analysis/idle/flags.py knows by what they do.
What it needs and keeps: a checked program; the meaning, and the path, which the Iterate has as its label.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.idle.flags import Flagged, flagged
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import copied, rebuild, walk
from irgl.passes.drive.relabel import replaced


def run(checked: Checked, loop: A.Stmt) -> A.Program | str:
    """The program with an Iterate in the place of a loop, or why that goes on otherwise."""
    found = flagged(checked, loop)
    return found if isinstance(found, str) else made_of(checked, loop, found)


def made_of(checked: Checked, loop: A.Stmt, found: Flagged) -> A.Program:
    """The same of a loop whose parts are known."""
    kernel = checked.kernels[found.invoke.kernel]
    assert checked.entry is not None
    leaves = any(isinstance(n, A.Break | A.Return) for s in found.after for n in walk(s))
    asked = bool(found.before or found.next) or leaves
    entry = replaced(checked.entry, loop, lambda label: _rounds(found, loop, label, asked))
    instead = {kernel: _returning(kernel, found, asked), checked.entry: entry}
    return rebuild(checked.program, lambda d: instead.get(d, d))


def _returning(kernel: A.Kernel, found: Flagged, asked: bool) -> A.Kernel:
    """The kernel whose value is true where it sets the flag; asked: does anybody look at that between rounds?"""
    def visit(node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        if isinstance(node, A.Labeled) and node.body in found.sets:
            return visit(node.body)
        if isinstance(node, A.Assign) and node in found.sets:
            told = A.ReduceAndReturn(A.BoolLit(True, span=node.span), span=node.span)
            return (node, told) if asked else told
        return rebuild(node, visit)

    made = rebuild(kernel, visit)
    assert isinstance(made, A.Kernel)
    return made


def _rounds(found: Flagged, loop: A.Stmt, label: str, asked: bool) -> Iterator[A.Stmt]:
    at = loop.span
    flag = A.Name(found.flag, span=at)
    first = (found.reset, *found.before)
    again = (A.If(flag, (*found.next, *map(copied, first)), (), span=at),) if asked else ()
    invoke = found.invoke
    iterate = A.Iterate("while", "any", invoke.kernel, invoke.args, None, (*found.after, *again), span=invoke.span)
    rounds = (*first, A.Labeled(label, iterate, span=at))
    if found.asks:
        yield A.If(copied(flag), rounds, (), span=at)
    else:
        yield A.Block(rounds, span=at)
