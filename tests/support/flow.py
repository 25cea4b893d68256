"""Control-flow graphs of short texts."""

from __future__ import annotations

from irgl.analysis.check import check
from irgl.analysis.flow.cfg import Cfg, control_flow, flow_of
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.frontends.text.load import load_text

HEAD = "graph Graph { node int p = 0; node int q = 0; node lock guard; edge int weight; }\nint total = 0;\n"


def checked_kernel(body: str, params: str = "Graph g", worklist: str = "list<node>", head: str = "") -> Checked:
    """A checked program of one kernel `k`."""
    return check(load_text(f"{head}{HEAD}Kernel k({params}) WL {worklist} {{ {body} }}", "k.irgl"))


def kernel_flow(body: str) -> Cfg:
    """The graph of a kernel that is checked."""
    return control_flow(checked_kernel(body).kernels["k"])


def flow(body: str) -> Cfg:
    """The graph of statements that needn't mean anything: `f;` is any statement, `x` any expression."""
    text = body.replace("for (f;", "for (f();").replace("; f)", "; f())").replace("f; ", "f(); ").replace("f;", "f();")
    kernel = next(d for d in load_text(f"Kernel k() {{ {text} }}", "k.irgl").decls if isinstance(d, A.Kernel))
    return flow_of("k", kernel.body)


def edges_of(cfg: Cfg) -> set[str]:
    return {repr(e) for e in cfg.edges}
