"""What a notebook shows for programs, plans and results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

import numpy as np

from irgl.notebook.explanation import Explanation
from irgl.notebook.highlight import highlighted
from irgl.notebook.html import Html, folded, page, table, tag
from irgl.plan import Plan
from irgl.rt.call.answer import Answer
from irgl.rt.call.callable import Program
from irgl.rt.results.result import on_host

#: Of a longer array the first entries are shown.
_SHOWN = 8


def program(p: Program) -> str:
    """Its source beside its generated code, its plan, and its outline tree."""
    m = p.manifest
    ending = PurePath(p.source.path).suffix
    if ending not in (".py", ".gt"):
        ending = ".py" if type(p.source).__name__ == "PythonSource" else ".irgl"
    source = tag("div", tag("p", f"Source: {p.source.path}"), highlighted(p.source.text.strip("\n"), ending))
    kind = "C++" if p.plan.target in ("cpu", "ref") else "CUDA C++"
    code = tag("div", tag("p", f"Generated {kind}"), highlighted(m.text.strip("\n"), ".cpp"))
    return page(
        tag("h4", f"{m.program}({', '.join(m.order)}), compiled for {p.plan.target}"),
        tag("div", source, code, class_="pair"),
        folded("Plan", _options(p.plan), *_decisions(p)),
        *Explanation(p).outlined(),
    )


def plan(p: Plan) -> str:
    """Its options, with what they mean."""
    return page(tag("h4", f"Plan for {p.target}"), _options(p))


def answer(a: Answer) -> str:
    """Its scalars, the beginning of its properties, and what was measured."""
    runs = f" ({len(a.times_ms)} runs, the fastest {min(a.times_ms):.3f} ms)" if len(a.times_ms) > 1 else ""
    parts = [tag("h4", f"{a.program}: {a.time_ms:.3f} ms{runs}")]
    if a.scalars:
        parts.append(table(("scalar", "value"), ((tag("code", n), str(v)) for n, v in a.scalars.items())))
    properties = [n for n in a if n not in a.scalars]
    if properties:
        head = ("property", "type", "entries", "from", "to", "values")
        parts.append(table(head, (_array(n, on_host(a[n])) for n in properties)))
    for name, g in a.graphs.items():
        parts.append(tag("p", f"{name}: {g.num_nodes:,} nodes, {g.num_edges:,} edges"))
    parts += [tag("p", words) for words in a.changed]
    parts.append(folded("Plan and counters", tag("p", tag("code", a.plan)),
                        table(("counter", "value"), ((n, _count(v)) for n, v in a.counters.items()))))  # fmt: skip
    return page(*parts)


def _array(name: str, values: Any) -> tuple[str, ...]:
    shown = _listed(values[:_SHOWN], len(values))
    ordered = values.dtype.names is None and len(values) > 0
    ends = (_number(values.min(), values), _number(values.max(), values)) if ordered else ("", "")
    kind = str(values.dtype) if values.dtype.names is None else "struct"
    return (tag("code", name), kind, " x ".join(f"{k:,}" for k in values.shape), *ends, tag("code", shown))


def _listed(values: Any, count: int) -> str:
    """The first of some values, or rows of them."""
    shown = [f"[{_listed(v[:_SHOWN], len(v))}]" if values.ndim > 1 else _number(v.tolist(), values) for v in values]
    return ", ".join(shown) + (", ..." if count > _SHOWN else "")


def _count(value: Any) -> str:
    """A counter, or several by name, as the emulator has of atomics."""
    return ", ".join(f"{n}: {_count(v)}" for n, v in value.items()) if isinstance(value, dict) else f"{value:,}"


def _number(value: Any, of: Any) -> str:
    """A value as programs write it: the largest int is INF."""
    return "INF" if of.dtype.kind == "i" and of.itemsize >= 4 and value == np.iinfo(of.dtype).max else str(value)


def _options(p: Plan) -> Html:
    rows = [(tag("code", o.name), tag("code", p.text_of(o.name)), o.default, o.meaning) for o in p.options]
    rows += [(tag("code", f"{place}.{name}"), tag("code", value), "", "there alone") for place, name, value in p.scoped]
    return table(("option", "value", "default", "what it says"), rows)


def _decisions(p: Program) -> Iterator[Html]:
    m = p.manifest
    if m.applied:
        yield tag("p", "Where it applies: ", tag("code", "; ".join(m.applied)))
    for refused in m.not_applicable:
        yield tag("p", "Not applied: ", tag("code", refused))
