"""irglc programs: what comes with irgl."""

from __future__ import annotations

import json
from typing import Any

import rich_click as click

from irgl.cli.params import spelt
from irgl.cli.run import run
from irgl.frontends.shipped import about, file_of, folder, names
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--folder", "only_folder", is_flag=True,
              help="Print the folder of the programs, their verifiers and graphs.")
def programs(as_json: bool, only_folder: bool) -> None:
    """Lists the programs that come with irgl: what each does, its parameters, and its verifier.

    Wherever a command takes a program, it also takes one of these names.

    \b
    Examples:
      irglc programs
      irglc run NAME --graph roads.gr.gz --verify
      ls "$(irglc programs --folder)/data"
    """
    if as_json and only_folder:
        raise IrglError("--json and --folder both say what is printed", hint="the JSON object has the folder, too")
    if only_folder:
        print(folder())
        return
    found = {name: open_program(file_of(name)) for name in names()}
    if as_json:
        print(json.dumps({"folder": str(folder()),
                          "programs": [_as_json(name, manifest) for name, manifest in found.items()]}))
        return
    width = max(map(len, found), default=0)
    for name, manifest in found.items():
        words = [spelt(p.name, run) for p in manifest.params]
        checked = f"checked by {manifest.verifier}" if manifest.verifier is not None else ""
        also = "; ".join(filter(None, (" ".join(words), checked)))
        print(f"{name:<{width}}  {about(name)}" + (f" ({also})" if also else ""))


def _as_json(name: str, manifest: Manifest) -> dict[str, Any]:
    return {
        "name": name,
        "file": str(file_of(name)),
        "about": about(name),
        "graphs": [g.name for g in manifest.graphs],
        "mesh": manifest.mesh or None,
        "parameters": [{"name": p.name, "type": p.type, "default": p.shown if p.default is not None else None}
                       for p in manifest.params],
        "verifier": manifest.verifier,
    }
