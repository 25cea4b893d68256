"""The values of a program's parameters: what the user gives, in the file's numbering, and defaults for the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from irgl.plan import factor_in
from irgl.rt.call.dtypes import dtype_of, limits
from irgl.rt.graphs.graph import Graph
from irgl.rt.inputs.files import read_input
from irgl.rt.inputs.lists import bound_list
from irgl.rt.inputs.values import bound
from irgl.rt.manifests import formula as F
from irgl.rt.manifests.manifest import Formula, Manifest, Param, inputs
from irgl.source import IrglError
from irgl.switches import switch_in


def bind(manifest: Manifest, graphs: Mapping[str, Graph], given: Mapping[str, object], *,
         shell: bool = False) -> dict[str, Any]:
    """The value of every parameter that is no graph, in order: numbers, nodes as dense ids (-1: NONE), arrays of these.

    Defaults are those under the manifest's plan, which may scale the parameters that the program leaves to tuning.

    given: by parameter, a number or its text; a node is the file's id; a list is what
    irgl.rt.inputs.lists.bound_list takes; by input, what
    irgl.rt.inputs.values.bound takes, or a file's name. Inputs follow parameters. shell: they are options of a command,
    and errors speak of them so. Raises IrglError for a name that the program lacks, a text that is no value of the
    type, a node that isn't in its graph, a parameter without a value, and one that the plan takes as a share of the
    graph and is none.
    """
    wanted = inputs(manifest)
    for name in given:
        if name not in wanted and all(name != p.name for p in manifest.params):
            known = ", ".join((*(p.name for p in manifest.params), *wanted))
            raise IrglError(f"{manifest.program} has no parameter `{name}`",
                            hint=f"its parameters: {known}" if known else "it has none but its graphs")
    values: dict[str, Any] = {}
    for p in manifest.params:
        if p.name in given and p.item:
            values[p.name] = bound_list(p, given[p.name], graphs)
        elif p.name in given:
            values[p.name] = _parsed(p, given[p.name], graphs, shell)
        elif p.default is None:
            value = ("1,5,9 or a file" if shell else "[...]") if p.item else "VALUE"
            raise IrglError(f"{manifest.program} needs a value for `{p.name}` ({p.type})",
                            hint=f"give --{p.name} {value}" if shell else f"give {p.name}={value}")
        else:
            scope = F.Scope(graphs, values, factor_in(manifest.plan))
            value = F.value(p.default, scope, f"the default of `{p.name}`")
            values[p.name] = np.full(math.prod(p.shape), value, dtype_of(p.item, {}, 64, 64)) if p.item else value
    _check_shares(manifest, values)
    if wanted:
        read = {name: read_input(value, wanted[name][1], graphs[wanted[name][0].name]) if isinstance(value, str)
                else value for name, value in given.items() if name in wanted}
        values |= bound(manifest, graphs, read)
    return values


def _check_shares(manifest: Manifest, values: Mapping[str, Any]) -> None:
    """Raises IrglError where a parameter that the plan takes a share of the graph from is none."""
    for word in manifest.plan.split():
        key, _, said = word.partition("=")
        name = switch_in(said).param if key.rpartition(".")[2] == "switch" else ""
        if name and not 0 <= values[name] <= 1:
            raise IrglError(f"{name}={values[name]:g}: the plan says {word}, and a share is a number from 0 to 1",
                            hint=f"give another value, or a share in the plan: {key}=nodes:1/10")


def _parsed(p: Param, value: object, graphs: Mapping[str, Graph], shell: bool) -> Any:
    """`parse`, with errors in the words of the one who gave the value."""
    try:
        return parse(p, value, graphs)
    except _UnfitError as e:
        given = f"--{p.name} {e.text}" if shell else f"{p.name}={value!r}"
        raise IrglError(f"{given}: it takes {e.wanted}") from None


class _UnfitError(IrglError):
    """A text that is no value of a parameter, and what would be one."""

    def __init__(self, p: Param, text: str, wanted: str) -> None:
        super().__init__(f"{p.name}={text}: it takes {wanted}")
        self.text, self.wanted = text, wanted


def parse(p: Param, value: object, graphs: Mapping[str, Graph]) -> Any:
    """A given value, or its text, as a value of the parameter's type. Raises IrglError where it is none."""
    text = str(value).strip()
    match p.type:
        case "bool":
            if text.lower() not in _BOOLS:
                raise _wrong(p, text, "true or false")
            return _BOOLS[text.lower()]
        case "float" | "double":
            return F.converted(_float(p, text), p.type)
        case "node":
            graph = graphs[p.graph]
            if (value is None or text == "NONE") and p.default is not None and _holds(p.default, "none"):
                return -1
            if text == "first":
                return 0 if graph.num_nodes > 0 else -1
            return graph.dense_id(_int(p, text, "the number of a node in the graph file, or `first`"))
        case _:
            bounds = limits(p.type)
            assert bounds is not None
            low, high = bounds
            number = high if text == "INF" else _int(p, text, f"a whole number from {low} to {high}")
            if not low <= number <= high:
                raise _wrong(p, text, f"a whole number from {low} to {high}")
            return number


def _holds(formula: Formula, kind: str) -> bool:
    return formula[0] == kind or any(isinstance(part, list) and part and _holds(part, kind) for part in formula[1:])


_BOOLS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


def _int(p: Param, text: str, wanted: str) -> int:
    try:
        return int(text, 0) if len(text) <= 40 else int("x")
    except ValueError:
        raise _wrong(p, text, wanted) from None


def _float(p: Param, text: str) -> float:
    if text == "INF":
        return math.inf
    try:
        return float(text)
    except ValueError:
        raise _wrong(p, text, "a number") from None


def _wrong(p: Param, text: str, wanted: str) -> IrglError:
    return _UnfitError(p, text, wanted)
