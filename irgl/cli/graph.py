"""irglc graph: info, convert, generate."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import rich_click as click

from irgl.cli.loading import loading, loading_options, with_options
from irgl.cli.progress import progress
from irgl.cli.shell.values import FILE, GRAPH_SPEC
from irgl.rt.forms.figures import layout
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.info import info as describe
from irgl.rt.graphs.load import is_generator, load
from irgl.rt.graphs.loading import Loading, refuse_empty
from irgl.rt.graphs.prepare import WEIGHT_TYPES, Requirements, prepare
from irgl.rt.graphs.writers import write, writer_of
from irgl.source import IrglError

_FORM = (
    click.option("--simple", is_flag=True, help="Drop self-loops, and all but the lightest of parallel edges."),
    click.option("--sorted", "sorted_rows", is_flag=True, help="Sort each node's edges by target."),
    click.option("--weights", type=click.Choice(["none", *WEIGHT_TYPES]), help="The type of the weights, or none."),
)


@click.group()
def graph() -> None:
    """Inspects graphs, converts between formats, and generates graphs.

    Formats are detected from the content, plain, .gz or .xz: MatrixMarket (mtx), DIMACS and PACE (gr), edge lists and
    CSV (el), metis, Ligra's (adj), Triangle (ele), SciPy's matrices (npz), galois, galois-float and irgl's own (irglg);
    groups (cliques) only with --format. Generators: rmat:18, grid:2048x2048, path:1000 and others; options follow after
    a comma: uniform:16,degree=8,seed=2,weights=int.
    """


@graph.command()
@click.argument("source", type=GRAPH_SPEC, metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@loading_options
def info(source: str, as_json: bool, **given: Any) -> None:
    """Prints the properties of a graph file, or of a generated graph.

    \b
    Examples:
      irglc graph info roads.gr.gz
      irglc graph info rmat:16 --json
    """
    loaded = _load(source, loading(given))
    found, lies = describe(loaded), layout(loaded)
    if as_json:
        print(json.dumps(found | lies, allow_nan=False))
        return
    rows = {name: _shown(value) for name, value in found.items()} | dict(_layout_rows(lies))
    width = max(len(name) for name in rows)
    for name, value in rows.items():
        print(f"{name:<{width}}  {value}")


@graph.command()
@click.argument("source", type=GRAPH_SPEC, metavar="FILE")
@click.argument("out", type=FILE, metavar="OUT")
@with_options(_FORM)
@loading_options
def convert(source: str, out: str, simple: bool, sorted_rows: bool, weights: str | None, **given: Any) -> None:
    """Writes a graph in the format given by the suffix of OUT.

    \b
    Examples:
      irglc graph convert roads.gr.gz roads.mtx
      irglc graph convert web.txt.xz web.irglg --undirected --simple
    """
    writer_of(out)
    _write(_formed(_load(source, loading(given)), simple, sorted_rows, weights), out)


@graph.command()
@click.argument("generator", type=GRAPH_SPEC)
@click.argument("out", type=FILE, metavar="OUT")
@with_options(_FORM)
def generate(generator: str, out: str, simple: bool, sorted_rows: bool, weights: str | None) -> None:
    """Generates a graph and writes it; the same generator always gives the same graph.

    \b
    Examples:
      irglc graph generate rmat:18,seed=2 rmat18.npz
      irglc graph generate grid:1000x1000,weights=int grid.gr
    """
    writer_of(out)
    if not is_generator(generator):
        raise IrglError(f"`{generator}` names no generator", hint="such as rmat:16, grid:100x100, path:1000")
    _write(_formed(_load(generator, Loading()), simple, sorted_rows, weights), out)


def _load(source: str, how: Loading) -> Graph:
    with progress(f"loading {source}") as tell:
        found = load(source, format=how.format, undirected=how.undirected, coordinates=how.coordinates,
                     index_bits=how.index_bits, compact=how.compact, progress=tell)
    refuse_empty(source, found, how.allow_empty)
    return found


def _formed(loaded: Graph, simple: bool, sorted_rows: bool, weights: str | None) -> Graph:
    kept = None if loaded.weight is None else str(loaded.weight.dtype)
    weighted = kept if weights is None else None if weights == "none" else weights
    return prepare(loaded, Requirements(simple=simple, sorted=sorted_rows, weighted=weighted))


def _write(made: Graph, out: str) -> None:
    for change in made.changed:
        print(f"note: {change}", file=sys.stderr)
    with progress(f"writing {out}"):
        write(made, out)
    print(f"wrote {out}: {made.num_nodes:,} nodes, {made.num_edges:,} edges")


def _layout_rows(lies: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What decides between forms, in rows."""
    for nodes, shares in lies["inside"].items():
        yield f"inside {nodes}", ", ".join(f"{order} {share:.1%}" for order, share in shares.items())
    yield "on diagonals", f"{lies['on_diagonals']:.1%}"
    yield "mean run", _shown(lies["mean_run"])
    widest = max(len(f"{figures.get('bytes', 0):,}") for figures in lies["forms"].values())
    for name, figures in lies["forms"].items():
        yield f"as {name}", size_text(figures, widest)


def size_text(figures: Mapping[str, Any], width: int = 0) -> str:
    """A form's bytes, and those of an arc, or why it does not take the graph."""
    if "refused" in figures:
        return f"no: {figures['refused']}"
    most = ", at most" if "is_bound" in figures else ""
    return f"{figures['bytes']:>{width},} bytes, {figures['per_arc']:.2f} an arc{most}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple):
        return ", ".join(_shown(v) for v in value) if value else "none"
    if isinstance(value, dict):
        return ", ".join(f"{k} {_shown(v)}" for k, v in value.items())
    return "none" if value is None else str(value)
