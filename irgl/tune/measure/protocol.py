"""What a tuner and its worker say to each other: plain data, pickled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from irgl.rt.call.run import Options
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.results.rounds import Rounds
from irgl.source import IrglError
from irgl.tune.inputs.inputs import Input
from irgl.tune.results.trial import Status

#: How far an answer is checked: not at all; it is the kept one, or else verified; it is verified in any case.
UNCHECKED, COMPARED, VERIFIED = "unchecked", "compared", "verified"


def one_answer(manifest: Manifest) -> bool:
    """Is an answer right where it is the same as one that is? A mesh may be refined in many ways."""
    return not manifest.any_valid and not manifest.mesh


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a unit on an input.

    check: see above. answer: the file of the answer to compare with; keep: the file that the answer is written to,
    '' for none. mode: the emulator's.
    """

    input: Input
    manifest: Manifest
    plan: str
    target: str
    options: Options
    check: str = UNCHECKED
    answer: str = ""
    keep: str = ""
    mode: str = "lockstep"


@dataclass(frozen=True, slots=True)
class Ran:
    """How it ended. times: milliseconds of each repetition. why: what went wrong; error: as the program's user is told.
    prepare_ms: what the input took, its order included. format_ms: what building the forms of its edges once took.
    rounds: what was counted by round, of a unit that notes it."""

    status: Status
    times: tuple[float, ...] = ()
    why: str = ""
    stats: dict[str, Any] = field(default_factory=dict)
    prepare_ms: float = 0.0
    error: IrglError | None = None
    format_ms: float = 0.0
    rounds: Rounds | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """Load an input and say what it is."""

    input: Input
    manifest: Manifest


@dataclass(frozen=True, slots=True)
class Seen:
    """digest: of the graphs and the values of parameters. sizes: nodes and edges of each graph. bits: of a node and of
    an edge. judge: why no answer can be verified in full, '' where one can. notes: what was changed of the graphs.
    features: of the first graph, {} where there is none."""

    digest: str
    sizes: tuple[tuple[int, int], ...]
    bits: tuple[int, int]
    judge: str
    notes: tuple[str, ...]
    features: dict[str, float]
