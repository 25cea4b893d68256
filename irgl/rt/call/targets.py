"""A program on the target that its plan names, and whether its answer is right: what knows all targets."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from irgl.plan import Plan
from irgl.rt.call.run import Options, Outcome
from irgl.rt.call.run import run as run_compiled
from irgl.rt.graphs.device_graph import Twins
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.meshes.meshes import Mesh
from irgl.rt.results.verify import verify
from irgl.source import IrglError

#: Why a target knows nothing of devices.
_NO_DEVICES = {"cpu": "its code runs on this computer's processor", "ref": "the interpreter runs in this process"}


def run_on(manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], plan: Plan, options: Options,
           mesh: Mesh | None = None, *, mode: str = "check", checked: Any = None,
           lent: Mapping[str, Twins] | None = None) -> Outcome:
    """Runs a program where its plan says, as irgl.rt.call.run.run does on a CPU.

    mode: the emulator's. checked: the checked syntax for the interpreter, where there is no file of the program. lent:
    by graph parameter, what is kept of it on a GPU; where it is given, a CUDA unit without a mesh runs in this process
    and leaves arrays of CuPy's, if CuPy is installed.
    """
    if options.devices and plan.target in _NO_DEVICES:
        raise IrglError(f"devices have no meaning for the target {plan.target}: {_NO_DEVICES[plan.target]}",
                        hint="they are GPUs, of the targets cuda and simt")
    if plan.target == "cpu":
        return run_compiled(manifest, graphs, values, plan, options, mesh)
    if plan.target == "ref":
        found: Outcome = reference().run_reference(manifest, graphs, values, options, mesh=mesh, checked=checked)
        return found
    if plan.target == "cuda" and lent is not None and not manifest.mesh and not options.devices:
        here = importlib.import_module("irgl.rt.call.on_device")
        cupy = here.cupy()
        if cupy is not None:
            on_gpu: Outcome = here.run(cupy, manifest, graphs, values, plan, options, lent)
            return on_gpu
    device = importlib.import_module("irgl.rt.call.device")
    on_device: Outcome = device.run(manifest, graphs, values, plan, options, mode=mode, mesh=mesh)
    return on_device


def wrong_answer(manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], outcome: Outcome,
                 options: Options, mesh: Mesh | None = None) -> str | None:
    """None where the answer is right, else what is wrong: the program's verifier says so, or else the interpreter.

    Raises IrglError where neither can tell.
    """
    if manifest.verifier is not None:
        return verify(manifest, graphs, values, outcome.result, mesh)
    wrong: str | None = reference().compare(manifest, graphs, values, outcome.result, options)
    return wrong


def reference() -> Any:
    """irgl.rt.call.reference, which loads the whole front end; a compiled program from the cache does without it."""
    return importlib.import_module("irgl.rt.call.reference")
