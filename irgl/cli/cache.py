"""irglc cache: what is kept in the user's cache folder, and taking it away."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path

import rich_click as click

from irgl.rt.compile.build import limit_bytes
from irgl.rt.compile.toolchain import cache_dir
from irgl.rt.graphs.store import limit as graph_limit

#: What is kept: the folder, and what its entries are to people.
_KINDS = {"build": "compiled programs", "graphs": "graphs", "include": "copies of headers"}


@click.group()
def cache() -> None:
    """Inspects or clears the cache of compiled programs and graphs.

    \b
    Examples:
      irglc cache info
      irglc cache clear --graphs
    """


@cache.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def info(as_json: bool) -> None:
    """Prints the cache's location, contents and limits."""
    place = cache_dir()
    found = {kind: _size(place / kind) for kind in _KINDS}
    limits = {"build": limit_bytes(), "graphs": graph_limit()}
    if as_json:
        kinds = {k: {"files": f, "bytes": b, "limit_bytes": limits.get(k)} for k, (f, b) in found.items()}
        print(json.dumps({"folder": str(place), **kinds}))
        return
    print(place)
    for kind, (files, size) in found.items():
        most = f" of {_mb(limits[kind])}" if kind in limits else ""
        print(f"  {_KINDS[kind]}: {files} file{'s' * (files != 1)}, {_mb(size)}{most}")


@cache.command()
@click.option("--programs", is_flag=True, help="Compiled programs only.")
@click.option("--graphs", is_flag=True, help="Graphs only.")
def clear(programs: bool, graphs: bool) -> None:
    """Clears the cache. Programs that are running are not affected; whatever they need later is rebuilt."""
    every = programs == graphs
    kinds = [kind for kind, wanted in (("build", programs), ("graphs", graphs), ("include", False)) if every or wanted]
    place = cache_dir()
    files, size = (sum(part) for part in zip(*(_size(place / kind) for kind in kinds), strict=True))
    for kind in kinds:
        for entry in sorted((place / kind).glob("*")):
            _remove(entry)
    print(f"removed {files} file{'s' * (files != 1)}, {_mb(size)}")


def _remove(entry: Path) -> None:
    # The locks stay: another process may be waiting for one.
    if entry.name == "locks":
        return
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)


def _size(folder: Path) -> tuple[int, int]:
    """(files, bytes) below a folder, but for locks."""
    files = size = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # taken away meanwhile
            if path.is_file() and path.suffix != ".lock":
                files, size = files + 1, size + path.stat().st_size
    return files, size


def _mb(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
