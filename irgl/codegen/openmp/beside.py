"""Statements of a Program that run side by side, in C++ (cpu_rt/beside.hpp, cuda_rt/beside.cuh)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from irgl.analysis.effects.beside import Group
from irgl.analysis.effects.effects import effects_of
from irgl.ast import nodes as A
from irgl.codegen.cxx.host import HostCxx
from irgl.codegen.cxx.names import scalar_name


@dataclass(frozen=True, slots=True)
class Keep:
    """How a context keeps a scalar that a part's own has, and the type of that one."""

    scalar: str
    own: str


ON_CPU = Keep("c.{0} = own.{0};", "const Context&")
ON_GPU = Keep("c.write().{0} = own.read().{0};", "Context&")


def put_body(writer: HostCxx, body: Sequence[A.Stmt], groups: Sequence[Group], keep: Keep) -> None:
    """The Program's statements; those of a group as parts of one, behind the variables that they declare."""
    begins = {g.parts[0][0]: g for g in groups}
    moved = {s for g in groups
             for s in (*(x for part in g.parts[1:] for x in part), *g.declared, *(d for own in g.own for d in own))}
    for s in body:
        group = begins.get(s)
        if group is not None:
            writer.body(tuple(group.declared))
            _put_parts(writer, group, keep)
        elif s not in moved:
            writer.stmt(s)


def _put_parts(writer: HostCxx, group: Group, how: Keep) -> None:
    writer.put("irgl::beside(c,")
    writer.indent += 1
    for part, own in zip(group.parts, group.own, strict=True):
        written = [scalar_name(p.name) for p in effects_of(writer.checked, part).writes if p.kind == "scalar"]
        kept = " ".join(how.scalar.format(word) for word in dict.fromkeys(written))
        params = f"Context& c, {how.own} own" if kept else f"Context&, {how.own}"
        keep = f"[]({params}) {{{f' {kept} ' if kept else ''}}}"
        end = ");" if part is group.parts[-1] else ","
        with writer.block("irgl::part([&](Context& c) {", part[0], f"}}, {keep}){end}"):
            writer.body((*own, *part))
    writer.indent -= 1
    writer.leave_if_halted()
