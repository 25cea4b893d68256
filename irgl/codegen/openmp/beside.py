"""Statements of a Program that run side by side, in C++ (cpu_rt/beside.hpp)."""

from __future__ import annotations

from collections.abc import Sequence

from irgl.analysis.effects.beside import Group
from irgl.analysis.effects.effects import effects_of
from irgl.ast import nodes as A
from irgl.codegen.cxx.host import HostCxx
from irgl.codegen.cxx.names import scalar_name


def put_body(writer: HostCxx, body: Sequence[A.Stmt], groups: Sequence[Group]) -> None:
    """The Program's statements; those of a group as parts of one, behind the variables that they declare."""
    begins = {g.parts[0][0]: g for g in groups}
    moved = {s for g in groups for s in (*(x for part in g.parts[1:] for x in part), *g.declared)}
    for s in body:
        group = begins.get(s)
        if group is not None:
            writer.body(tuple(group.declared))
            _put_parts(writer, group.parts)
        elif s not in moved:
            writer.stmt(s)


def _put_parts(writer: HostCxx, parts: Sequence[Sequence[A.Stmt]]) -> None:
    writer.put("irgl::beside(c,")
    writer.indent += 1
    for part in parts:
        written = [scalar_name(p.name) for p in effects_of(writer.checked, part).writes if p.kind == "scalar"]
        kept = " ".join(f"c.{word} = own.{word};" for word in dict.fromkeys(written))
        params = "Context& c, const Context& own" if kept else "Context&, const Context&"
        keep = f"[]({params}) {{{f' {kept} ' if kept else ''}}}"
        with writer.block("irgl::part([&](Context& c) {", part[0], f"}}, {keep}){');' if part is parts[-1] else ','}"):
            writer.body(tuple(part))
    writer.indent -= 1
    writer.leave_if_halted()
