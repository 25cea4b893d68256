"""What commands that run a program are given to run it on: is it what the program asks for?"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from irgl.rt.graphs.loading import place_of
from irgl.rt.manifests.manifest import Manifest
from irgl.source import IrglError

#: Options that say how a graph is read, and what they are where nobody gives them.
_OF_GRAPHS = {"undirected": False, "file_format": None, "index_bits": "32", "coordinates": None, "no_compact": False,
              "allow_empty": False}


def check_inputs(manifest: Manifest, given: Mapping[str, Any], *, graph: bool) -> None:
    """Raises IrglError for a graph or a mesh that is missing, or of which the program has no use; notes a --src of
    which it has none. given: the command's options, among them mesh_file and poly_file; graph: is there a --graph?"""
    if given.get("unused_src") is not None:
        note(f"{manifest.program} has no parameter src: --src {given['unused_src']} changes nothing")
    if graph and not manifest.graphs:
        raise IrglError(f"{manifest.program} is given no graph: --graph has no meaning for it")
    if not manifest.graphs:
        for option, usual in _OF_GRAPHS.items():
            if given[option] != usual:
                name = option.removeprefix("file_").replace("_", "-")
                raise IrglError(f"{manifest.program} is given no graph: --{name} has no meaning for it")
    for option in ("mesh", "poly"):
        if given[f"{option}_file"] is not None and not manifest.mesh:
            raise IrglError(f"{manifest.program} is given no mesh: --{option} has no meaning for it")
    if manifest.graphs and not graph:
        raise IrglError("no graph is given", hint="--graph FILE, or a generator: --graph rmat:16")
    if manifest.mesh and given["mesh_file"] is None:
        raise IrglError("no mesh is given", hint="--mesh FILE.ele, with FILE.node beside it")


def named(manifest: Manifest, graph: str | None) -> str | None:
    """The graph that is given, or that the program loads by itself; None where there is neither. Raises IrglError for a
    file that is not there."""
    return place_of(manifest.loads, manifest.path) if graph is None and manifest.loads else graph


def note(text: str) -> None:
    """What a user should know that is no error, on stderr."""
    print(f"note: {text}", file=sys.stderr)
