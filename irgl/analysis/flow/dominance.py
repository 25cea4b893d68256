"""Dominators and post-dominators.

D dominates N when every path from Start to N passes D; it post-dominates N when every path from N to Exit does. Each
vertex but the root has one immediate dominator, and these make a tree. They are found by the iteration of K. Cooper,
T. Harvey and K. Kennedy, A simple, fast dominance algorithm, 2001.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from irgl.analysis.flow.cfg import Cfg, Vertex

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Dominance(Generic[N]):
    """The tree of dominators: `parent` is each vertex's immediate one; `root` has none."""

    root: N
    parent: dict[N, N]

    def of(self, n: N) -> list[N]:
        """All that dominate `n`, from itself to the root."""
        chain = [n]
        while chain[-1] != self.root:
            chain.append(self.parent[chain[-1]])
        return chain

    def dominates(self, d: N, n: N) -> bool:
        return d in self.of(n)


def dominators(cfg: Cfg) -> Dominance[Vertex]:
    return dominance(cfg.start, {v: [e.target for e in cfg.out[v]] for v in cfg.vertices})


def post_dominators(cfg: Cfg) -> Dominance[Vertex]:
    return dominance(cfg.exit, {v: [e.source for e in cfg.into[v]] for v in cfg.vertices})


def dominance(root: N, successors: Mapping[N, Iterable[N]]) -> Dominance[N]:
    """The dominators of all that is reached from `root`; with predecessors for successors, its post-dominators."""
    order = _postorder(root, successors)
    number = {n: i for i, n in enumerate(order)}
    predecessors: dict[N, list[N]] = {n: [] for n in order}
    for n in order:
        for s in successors[n]:
            predecessors[s].append(n)
    parent = {root: root}

    def nearest(a: N, b: N) -> N:
        while a != b:
            while number[a] < number[b]:
                a = parent[a]
            while number[b] < number[a]:
                b = parent[b]
        return a

    changed = True
    while changed:
        changed = False
        for n in reversed(order[:-1]):
            known = [p for p in predecessors[n] if p in parent]
            found = known[0]
            for p in known[1:]:
                found = nearest(found, p)
            if parent.get(n) != found:
                parent[n] = found
                changed = True
    del parent[root]
    return Dominance(root, parent)


def _postorder(root: N, successors: Mapping[N, Iterable[N]]) -> list[N]:
    """All that is reached from `root`, each after what is first reached from it. Takes no stack, however deep."""
    order: list[N] = []
    seen = {root}
    stack = [(root, iter(successors[root]))]
    while stack:
        n, rest = stack[-1]
        for s in rest:
            if s not in seen:
                seen.add(s)
                stack.append((s, iter(successors[s])))
                break
        else:
            order.append(n)
            stack.pop()
    return order
