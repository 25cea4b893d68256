"""The units of a program's plans, built together: one text, one executable, for all plans of one block size."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irgl.codegen.cxx.joined import joined, without_plan
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

BITS = (32, 32)
#: For nvcc, where code is to be right and its speed does not matter: large programs are built in a tenth of the time.
FAST = "-Ofc=max"


@dataclass(frozen=True, slots=True)
class Unit:
    """Where a plan's code is: an executable, and which of its units."""

    executable: Path
    number: int


def manifest_of(program: Path, plan: str, target: str) -> Manifest:
    return open_program(program, Plan.parse(plan, target))


def by_block(plans: Sequence[str], target: str = "cuda") -> list[list[str]]:
    """The plans whose units can stand in one text: those with as many threads in a block."""
    found: dict[str, list[str]] = {}
    for plan in plans:
        found.setdefault(Plan.parse(plan, target).text_of("block"), []).append(plan)
    return list(found.values())


def built(program: Path, plans: Sequence[str], target: str, fast: bool = False) -> dict[str, Unit | str]:
    """Of each plan its unit, from the cache or built now; or why there is none. `plans` are of one block size."""
    found: dict[str, Unit | str] = {}
    texts: dict[str, tuple[Manifest, list[str]]] = {}  # a unit's text but for its plan: the plans that have it
    for plan in plans:
        try:
            manifest = manifest_of(program, plan, target)
        except Exception as e:
            found[plan] = said(e)
            continue
        texts.setdefault(without_plan(manifest.text), (manifest, []))[1].append(plan)
    return found | _together(list(texts.values()), target == "simt", fast)


def _together(units: Sequence[tuple[Manifest, list[str]]], simulated: bool, fast: bool) -> dict[str, Unit | str]:
    if not units:
        return {}
    manifest = units[0][0]
    if len(units) > 1:
        manifest = replace(manifest, text=joined([m.text for m, _ in units]))
    try:
        executable = _executable(manifest, simulated, fast)
    except Exception as e:
        if len(units) == 1:
            return dict.fromkeys(units[0][1], said(e))
        half = len(units) // 2  # one of them can't be built: the others can
        return _together(units[:half], simulated, fast) | _together(units[half:], simulated, fast)
    return {plan: Unit(executable, number) for number, (_, plans) in enumerate(units) for plan in plans}


def _executable(manifest: Manifest, simulated: bool, fast: bool) -> Path:
    if fast and not simulated:
        with contextlib.suppress(IrglError), _flag(FAST):  # an nvcc that does not know the flag does without
            return device.build(manifest, BITS, simulated)
    return device.build(manifest, BITS, simulated)


@contextlib.contextmanager
def _flag(flag: str) -> Iterator[None]:
    """nvcc, which reads this variable, gets one flag more."""
    before = os.environ.get("NVCC_APPEND_FLAGS")
    os.environ["NVCC_APPEND_FLAGS"] = f"{before} {flag}" if before is not None else flag
    try:
        yield
    finally:
        if before is None:
            del os.environ["NVCC_APPEND_FLAGS"]
        else:
            os.environ["NVCC_APPEND_FLAGS"] = before


def said(e: Exception) -> str:
    """An error in one line."""
    if isinstance(e, IrglError):
        return re.sub(r"^error: ", "", str(e).splitlines()[0])
    return f"{type(e).__name__}: {e}"
