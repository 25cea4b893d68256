"""Which nested loops take turns with the same shared memory (cuda_rt/board.cuh): those that one CUDA kernel may run.

Kernels that a loop of the Program brings into one CUDA kernel tell each other of all their loops; a kernel that is
launched by itself has its own. Where there is but one kind of board, nobody has to be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.passes.lowering.lower_cuda import Lowered

_PLACE = re.compile("\0([^\0]*)\0([^\0]*)\0")


def place(depth: int, units: str, closure: Sequence[str], parts: Sequence[str], form: str = "") -> str:
    """Stands for a nested loop's depth and boards among its template arguments, until all kernels are written.

    form: the one whose rows it runs over, "" for rows themselves.
    """
    if units == "irgl::Serial":
        return f", {depth}" if depth else ""
    carried = f"irgl::closure_t<{', '.join(closure)}>"
    words = ", ".join([str(depth), units, carried, *parts])
    board = f"irgl::RowBoard<{form}, {words}>" if form else f"irgl::Board<{words}>"
    return f"\0{depth}\0{board}\0"


def share(low: Lowered, texts: Mapping[str, str]) -> list[str]:
    """The kernels' texts with their places filled in, and, before the first that names them, the boards."""
    taken = {s.name for s in low.checked.symbols.values()} | {getattr(d, "name", "") for d in low.checked.program.decls}
    done: dict[str, str] = {}
    for group in _groups(low, list(texts)):
        boards = dict.fromkeys(m[2] for k in group for m in _PLACE.finditer(texts[k]))
        word = _free(taken) if len(boards) > 1 else ""
        taken.add(word)
        done |= {k: _filled(texts[k], word) for k in group}
        if word:
            first = next(k for k in group if _PLACE.search(texts[k]) is not None)
            done[first] = f"{_declared(word, list(boards))}\n\n{done[first]}"
    return [done[k] for k in texts]


def _free(taken: set[str]) -> str:
    return next(word for n in range(1, len(taken) + 2) if (word := f"Boards{n}") not in taken)


def _filled(text: str, word: str) -> str:
    def arguments(m: re.Match[str]) -> str:
        return f", {m[1]}, {word}" if word else f", {m[1]}" if m[1] != "0" else ""

    return _PLACE.sub(arguments, text)


def _declared(word: str, boards: Sequence[str]) -> str:
    lines = ",\n".join(f"    {board}" for board in boards)
    return f"// Nested loops that take turns with a block's shared memory.\nusing {word} = irgl::Boards<\n{lines}>;"


def _groups(low: Lowered, kernels: Sequence[str]) -> Iterator[list[str]]:
    """The kernels parted into those that share a CUDA kernel with one another."""
    group = {k: {k} for k in kernels}
    for loop, how in low.outlined.items():
        calls = {n.kernel for n in walk(loop) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)}
        if not how.as_graph and calls:
            joined = set().union(*(group[k] for k in calls))
            group |= dict.fromkeys(joined, joined)
    for k in kernels:
        if k == next(other for other in kernels if other in group[k]):
            yield [other for other in kernels if other in group[k]]
