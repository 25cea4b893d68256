"""A worker of the GPU suite: reads a request, a line of JSON, and answers with a line for each step.

    python -m on_gpu.worker NICE      how far it steps back behind other processes

The last line of an answer is {"done": true}. Requests:

    {"do": "graph", "graph": SPEC, "write": FILE or null}      loads it into the cache, tells its size and source;
                                                               a mesh (meshes.py) it writes to a file
    {"do": "prepare", "graph": SPEC, "program": FILE}          makes of it what the program asks for
    {"do": "build", "program": FILE, "plans": [..]}            these plans' units into the cache (units.py)
    {"do": "run", "program", "plans", "graphs", ...}           runs each plan on each graph (suite.Suite.request)
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from irgl.rt.graphs.load import load as load_file
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.graphs.writers import write
from irgl.source import IrglError
from irgl.tune.inputs.features import at_once
from on_gpu import meshes
from on_gpu.run import TIME_OVER, Inputs, Prepared
from on_gpu.server import TOO_LONG, Server, under_tool
from on_gpu.units import Unit, built, manifest_of, said

Request = dict[str, Any]
Reply = dict[str, Any]
#: Why a plan is not run.
SLOW = "the plan took too long on another graph"


def main() -> None:
    os.nice(int(sys.argv[1]))
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no reply
    for line in sys.stdin:
        try:
            for reply in _STEPS[(request := json.loads(line))["do"]](request):
                print(json.dumps(reply), file=replies, flush=True)
        except Exception as e:
            print(json.dumps({"error": said(e)}), file=replies, flush=True)
        print('{"done": true}', file=replies, flush=True)


def _graph(request: Request) -> Iterator[Reply]:
    if meshes.is_mesh(request["graph"]):
        ele = meshes.make(request["graph"], Path(request["write"]))
        yield {"made": request["graph"], "spec": str(ele), "source": 0, "source_id": 0, **meshes.sizes(ele)}
        return
    graph = load_file(request["graph"])
    if request["write"] is not None and not Path(request["write"]).exists():
        write(graph, request["write"])
    at = int(np.argmax(graph.out_degrees())) if graph.num_nodes else 0
    yield {"nodes": graph.num_nodes, "edges": graph.num_edges, "directed": graph.directed,
           "source": at, "source_id": int(graph.file_ids()[at]) if graph.num_nodes else -1,
           "first_id": int(graph.file_ids()[0]) if graph.num_nodes else -1, "class": at_once(graph).graph_class}


def _prepare(request: Request) -> Iterator[Reply]:
    manifest = manifest_of(Path(request["program"]), "default", request["target"])
    for g in manifest.graphs:
        load(request["graph"], g, Loading())
    yield {"prepared": True}


def _build(request: Request) -> Iterator[Reply]:
    begin = time.perf_counter()
    found = built(Path(request["program"]), request["plans"], request["target"], request["fast"])
    yield {"build_s": round(time.perf_counter() - begin, 2)}
    for plan, unit in found.items():
        if isinstance(unit, str):
            yield {"plan": plan, "error": unit}


def _run(request: Request) -> Iterator[Reply]:
    simulated = request["target"] == "simt"
    units = built(Path(request["program"]), request["plans"], request["target"], request["fast"])
    servers = {u.executable: Server(u.executable, simulated, eager=request["lock"] is not None)
               for u in units.values() if isinstance(u, Unit)}
    prepared: dict[str, Prepared] = {}
    slow: set[str] = set()
    last: Reply = {}
    try:
        for name in request["graphs"]:
            _close(prepared)  # of the graph before
            for plan in request["only"] or request["plans"]:
                last, unit = {"plan": plan, "graph": name}, units[plan]
                if time.monotonic() > request["until"] or plan in slow:
                    yield {**last, "late": SLOW if plan in slow else TIME_OVER}
                    continue
                try:
                    if isinstance(unit, str):
                        raise IrglError(unit)
                    yield {**last, **_one(request, unit, servers[unit.executable], plan, name, prepared)}
                except Exception as e:  # the other runs of the request have their turn
                    found = "" if isinstance(unit, str) else servers[unit.executable].close()
                    why = found or said(e)
                    if why.startswith(TOO_LONG):
                        slow.add(plan)  # it may hang: the GPU is spared its other graphs
                    yield {**last, "error": why}
        for server in servers.values():
            if why := server.close():
                yield {**last, "error": why}
    finally:
        for server in servers.values():
            server.close()
        _close(prepared)


def _close(prepared: dict[str, Prepared]) -> None:
    for call in prepared.values():
        call.close()
    prepared.clear()


def _one(request: Request, unit: Unit, server: Server, plan: str, name: str, prepared: dict[str, Prepared]) -> Reply:
    """prepared: the calls on this graph, by what a unit asks of its caller: of graphs which arrays and forms, which
    parameters and scalars."""
    simulated = request["target"] == "simt"
    program = Path(request["program"])
    manifest = manifest_of(program, plan, request["target"])
    key = repr((manifest.graphs, manifest.params, manifest.scalars))
    if key not in prepared:
        graph = request["graphs"][name]
        inputs = Inputs(program, graph["spec"], graph["source_id"], request["values"], request["repeat"])
        prepared[key] = Prepared(inputs, request["target"], plan)
    if request["prefix"]:
        def caller(file: Path, limit: float) -> tuple[int, str]:
            return under_tool(request["prefix"], unit.executable, unit.number, file, limit, simulated)
    else:
        server.start()  # before others wait for the lock that a timed call holds

        def caller(file: Path, limit: float) -> tuple[int, str]:
            return server.call(unit.number, file, limit)
    call = prepared[key]
    turns = [request["lock"]] if request["lock"] is not None else request["turns"]
    ran = call.run(caller, request["limit"], turns, request["capacity"].get(plan, 0))
    reply: Reply = {"ms": [round(x, 4) for x in ran.ms], "scalars": ran.scalars, "stats": ran.stats,
                    "any_valid": call.manifest.any_valid}
    if request["verdicts"] is not None:
        reply["wrong"] = call.wrong(ran.digest, Path(request["verdicts"]))
    return reply


_STEPS = {"graph": _graph, "prepare": _prepare, "build": _build, "run": _run}

if __name__ == "__main__":
    main()
