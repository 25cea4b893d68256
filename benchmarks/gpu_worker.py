"""A worker of the GPU suite: reads a request, a line of JSON, and answers with a line for each step.

The last line of an answer is {"done": true}. Requests:

    {"do": "graph", "graph": SPEC, "write": FILE or null}      loads it into the cache, tells its size and source;
                                                               a mesh (gpu_meshes.py) it writes to a file
    {"do": "prepare", "graph": SPEC, "program": FILE}          makes of it what the program asks for
    {"do": "build", "program": FILE, "plans": [..]}            an executable for each plan, into the cache
    {"do": "run", "program", "plans", "graphs", ...}           runs each plan on each graph, see gpu_run.Inputs
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gpu_meshes
import numpy as np
from gpu_run import TOO_LONG, Inputs, Prepared, manifest_of

from irgl.rt import device
from irgl.rt.graphs import Loading, load
from irgl.rt.load import load as load_file
from irgl.rt.writers import write
from irgl.source import IrglError

Request = dict[str, Any]
Reply = dict[str, Any]


def main() -> None:
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no reply
    for line in sys.stdin:
        try:
            for reply in _STEPS[(request := json.loads(line))["do"]](request):
                print(json.dumps(reply), file=replies, flush=True)
        except IrglError as e:
            print(json.dumps({"error": str(e).splitlines()[0]}), file=replies, flush=True)
        except Exception as e:
            print(json.dumps({"error": f"{type(e).__name__}: {e}"}), file=replies, flush=True)
        print('{"done": true}', file=replies, flush=True)


def _graph(request: Request) -> Iterator[Reply]:
    if gpu_meshes.is_mesh(request["graph"]):
        ele = gpu_meshes.make(request["graph"], Path(request["write"]))
        yield {"made": request["graph"], "spec": str(ele), "source": 0, "source_id": 0, **gpu_meshes.sizes(ele)}
        return
    graph = load_file(request["graph"])
    if request["write"] is not None and not Path(request["write"]).exists():
        write(graph, request["write"])
    at = int(np.argmax(graph.out_degrees())) if graph.num_nodes else 0
    yield {"nodes": graph.num_nodes, "edges": graph.num_edges, "directed": graph.directed,
           "source": at, "source_id": int(graph.file_ids()[at]) if graph.num_nodes else -1}


def _prepare(request: Request) -> Iterator[Reply]:
    manifest = manifest_of(Path(request["program"]), "default", request["target"])
    for g in manifest.graphs:
        load(request["graph"], g, Loading())
    yield {"prepared": True}


def _build(request: Request) -> Iterator[Reply]:
    for plan in request["plans"]:
        begin = time.perf_counter()
        try:
            manifest = manifest_of(Path(request["program"]), plan, request["target"])
            device.build(manifest, (32, 32), request["target"] == "simt")
            yield {"plan": plan, "build_s": round(time.perf_counter() - begin, 2)}
        except IrglError as e:
            yield {"plan": plan, "error": str(e).splitlines()[0]}


def _run(request: Request) -> Iterator[Reply]:
    prepared: dict[str, Prepared] = {}
    slow: set[str] = set()
    try:
        for plan in request["plans"]:
            for name in request["graphs"]:
                if time.monotonic() > request["until"] or plan in slow:
                    yield {"plan": plan, "graph": name, "late": True}
                    continue
                try:
                    yield {"plan": plan, "graph": name, **_one(request, plan, name, prepared)}
                except IrglError as e:
                    if e.message.startswith(TOO_LONG):
                        slow.add(plan)  # it may hang: the GPU is spared its other graphs
                    yield {"plan": plan, "graph": name, "error": str(e).splitlines()[0]}
    finally:
        for p in prepared.values():
            p.close()


def _one(request: Request, plan: str, name: str, prepared: dict[str, Prepared]) -> Reply:
    program = Path(request["program"])
    manifest = manifest_of(program, plan, request["target"])
    if name not in prepared:
        graph = request["graphs"][name]
        prepared[name] = Prepared(Inputs(program, graph["spec"], graph["source_id"], request["values"],
                                         request["repeat"], request["capacity"]), request["target"])
    call = prepared[name]
    ran = call.run(call.build(manifest), request["limit"], request["lock"], request["prefix"])
    reply: Reply = {"ms": [round(x, 4) for x in ran.ms], "scalars": ran.scalars, "stats": ran.stats, "code": ran.code,
                    "any_valid": manifest.any_valid}
    if request["verify"]:
        reply["wrong"] = call.wrong(ran.digest)
    return reply


_STEPS = {"graph": _graph, "prepare": _prepare, "build": _build, "run": _run}

if __name__ == "__main__":
    main()
