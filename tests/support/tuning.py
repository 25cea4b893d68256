"""For tests of the tuner: units of a few lines that behave as told - right, wrong, slow, crashing, for ever - by plan.

They stand in for what the compiler makes of a program that counts the arcs of its graph, and are built in no time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from irgl.driver import emit, ready
from irgl.plan import Plan
from irgl.rt.compile.build import build
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.system.endings import RefusedCodeError
from irgl.source import IrglError
from irgl.tune.inputs.inputs import Input
from irgl.tune.measure.builds import Bits, Built
from irgl.tune.results.trial import Trial

PROGRAM = """\
graph Graph {
}

long arcs = 0;

Kernel count_arcs(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) {
      arcs += 1;
    }
  }
}

Program count(Graph g) {
  Invoke count_arcs(g);
}
"""
#: A graph, and how many arcs it has.
GRAPH = "grid:2x4"
ARCS = 20
#: The right answer, in a unit.
RIGHT = "args->graphs[0].edges"

_UNIT = """\
#include "cpu_rt/abi.hpp"
#include <unistd.h>
extern "C" int irgl_run(irgl_run_args* args) {{ (void)args; {body} return 0; }}
"""


def answers(count: int | str = RIGHT, ms: float = 1.0) -> str:
    """A unit that gives this answer after so many milliseconds."""
    return f"usleep({round(ms * 1000)}); *static_cast<int64_t*>(args->globals[0]) = {count};"


CRASHES = "*reinterpret_cast<volatile int*>(8) = 1;"
HANGS = "for (;;) usleep(1000);"
REFUSED = "this is no C++;"


def program(folder: Path) -> Path:
    """The program that the units stand in for, in a file."""
    path = folder / "count.irgl"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def given(graph: str = GRAPH) -> Input:
    return Input(graph, (graph,))


class Units:
    """As irgl.tune.measure.builds.Builds, with the unit that `body` says of a plan."""

    def __init__(self, path: Path, body: Callable[[Plan], str]) -> None:
        self.program = ready(path)
        self.target = "cpu"
        self._body = body

    def manifest(self, plan: Plan) -> Manifest:
        made = manifest_of(emit(self.program, plan, self.target), str(plan))
        return replace(made, text=_UNIT.format(body=self._body(plan)))

    def build(self, plans: Iterable[Plan], bits: Sequence[Bits],
              tell: Callable[[float], None] = lambda _: None) -> dict[str, Built]:
        made = {str(p): self._built(p, bits) for p in plans}
        tell(1.0)
        return made

    def _built(self, plan: Plan, bits: Sequence[Bits]) -> Built:
        manifest = self.manifest(plan)
        try:
            for node, edge in bits:
                build(manifest.text, node_bits=node, edge_bits=edge)
        except (IrglError, RefusedCodeError) as e:
            return Built(None, e.message)
        return Built(manifest, "", 1.0)


class Told:
    """A watch that keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.states: list[object] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def state(self, state: object) -> None:
        self.states.append(state)


def by_plan(trials: Iterable[Trial]) -> dict[str, Trial]:
    return {t.plan: t for t in trials}
