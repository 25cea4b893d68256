"""What a program is tuned on: graphs (or a mesh) with the values of its parameters, as words and as memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.meshes.meshes import Mesh, load_mesh
from irgl.source import IrglError


@dataclass(frozen=True, slots=True)
class Input:
    """One input in words: all that is needed to load it, in this process or another.

    name: what records call it. graphs: files or generators, one for each graph parameter. values: texts by parameter.
    """

    name: str
    graphs: tuple[str, ...]
    values: tuple[tuple[str, str], ...] = ()
    loading: Loading = field(default_factory=Loading)
    mesh: str | None = None
    poly: str | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """An input in memory. prepare_ms: what loading and preparing took, which is no part of a program's time."""

    graphs: dict[str, Graph]
    mesh: Mesh | None
    prepare_ms: float


def load_input(manifest: Manifest, given: Input) -> Loaded:
    """The input as a program wants it. Raises IrglError for what can't be read or doesn't fit."""
    begin = time.perf_counter()
    if len(given.graphs) != len(manifest.graphs):
        raise IrglError(f"{manifest.program} takes {len(manifest.graphs)} graphs, and {len(given.graphs)} are given")
    graphs = {g.name: load(spec, g, given.loading) for g, spec in zip(manifest.graphs, given.graphs, strict=True)}
    mesh = load_mesh(given.mesh, given.poly) if given.mesh is not None else None
    if manifest.mesh and mesh is None:
        raise IrglError("no mesh is given", hint="--mesh FILE.ele, with FILE.node beside it")
    return Loaded(graphs, mesh, (time.perf_counter() - begin) * 1e3)
