"""Statements of a Program that run side by side, in C++ (cpu_rt/beside.hpp, cuda_rt/beside.cuh)."""

from __future__ import annotations

from collections.abc import Sequence

from irgl.analysis.effects.beside import Group
from irgl.ast import nodes as A
from irgl.codegen.cxx.host import HostCxx


def put_body(writer: HostCxx, body: Sequence[A.Stmt], groups: Sequence[Group]) -> None:
    """The Program's statements; those of a group as parts of one, behind the variables that they declare."""
    begins = {g.parts[0][0]: g for g in groups}
    moved = {s for g in groups
             for s in (*(x for part in g.parts[1:] for x in part), *g.declared, *(d for own in g.own for d in own))}
    for s in body:
        group = begins.get(s)
        if group is not None:
            writer.body(tuple(group.declared))
            writer.put_parts(group)
        elif s not in moved:
            writer.stmt(s)
