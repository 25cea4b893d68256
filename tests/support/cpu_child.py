"""Runs the units of one library, in a process of its own: what it imports is what a call takes, without the compiler.

    python -m support.cpu_child FOLDER FIRST    from a unit on; FOLDER has batch.so and jobs, and gets a file for each
"""

from __future__ import annotations

import ctypes
import importlib
import pickle
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.source import IrglError


@dataclass(frozen=True, slots=True)
class Setting:
    """How a built program is run. The tight setting makes every loop parallel, every item a giant, and fuses none."""

    threads: int = 1
    capacity: int = 0
    tight: bool = False

    def apply(self, call: Call) -> None:
        call.set_knobs(Plan(), self.threads, self.capacity, 0)
        if self.tight:
            call.args.serial, call.args.grain, call.args.giant, call.args.fuse = 0, 1, 1, 1


@dataclass(frozen=True, slots=True)
class Job:
    """A unit, its graphs and its parameters."""

    manifest: Manifest
    graphs: Mapping[str, Graph]
    params: Mapping[str, Any]


@dataclass(slots=True)
class Ran:
    """What one run left: an error's text ('' for none), scalars and properties by name."""

    error: str = ""
    scalars: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)


def _run(function: Any, job: Job, setting: Setting) -> Ran:
    graphs = {name: Graph(g.row, g.dst, None if g.weight is None else g.weight.copy())
              for name, g in job.graphs.items()}
    call = Call(job.manifest, graphs, bind(job.manifest, graphs, job.params), (32, 32))
    setting.apply(call)
    call.clear()
    try:
        function(ctypes.byref(call.args))
        call.check(job.manifest)
    except IrglError as e:
        return Ran(e.message)
    result = call.result(job.manifest, graphs)
    return Ran("", dict(result.scalars), {n: np.array(v.array) for n, v in result.properties.items()})


def main(folder: Path, start: int) -> None:
    jobs, settings = pickle.loads((folder / "jobs").read_bytes())
    library = ctypes.CDLL(str(folder / "batch.so"))
    for i, job in enumerate(jobs[start:], start):
        found = [_run(getattr(library, f"irgl_run_{i}"), job, s) for s in settings]
        path = folder / f"{i}.part"
        path.write_bytes(pickle.dumps(found))
        path.replace(folder / f"{i}.result")


if __name__ == "__main__":
    # By its own name, so that the classes in pickles are found.
    importlib.import_module("support.cpu_child").main(Path(sys.argv[1]), int(sys.argv[2]))
