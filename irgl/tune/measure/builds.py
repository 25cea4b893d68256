"""From plans to built units: many at once, on all cores, while nothing is measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from irgl.driver import Ready, emit, ready
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.run import cores
from irgl.rt.compile.build import build
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.manifests.library_headers import check_headers
from irgl.rt.manifests.manifest import Manifest, Scheduled
from irgl.rt.system.endings import RefusedCodeError
from irgl.scheduling import fitted
from irgl.source import IrglError

Bits = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Built:
    """A plan's unit. error: why there is none; ms: what compiling and building took, 0 where it was there; mistake:
    irgl's, where a compiler refuses what it generates."""

    manifest: Manifest | None
    error: str = ""
    ms: float = 0.0
    mistake: RefusedCodeError | None = None


class Builds:
    """The units of one program. What two plans say to generated code alike is built once."""

    def __init__(self, path: str | Path, target: str, schedule: str | None = None) -> None:
        self.program: Ready = ready(path, schedule=schedule)
        check_headers(self.program.checked, target)
        self.target = target
        said = fitted(self.program.sources[0], self.program.checked, target)
        self._schedule = None if said is None else Scheduled(said.plan, said.delta, said.not_applicable)
        self._units: dict[str, Built] = {}
        self._done: set[tuple[str, Bits]] = set()

    def manifest(self, plan: Plan) -> Manifest:
        """A plan's manifest. Raises IrglError where the plan can't be compiled."""
        return manifest_of(emit(self.program, plan, self.target), str(plan), self._schedule)

    def noting(self, plan: Plan) -> Manifest:
        """As `manifest`, of a unit that notes what is counted by round."""
        return manifest_of(emit(self.program, plan, self.target, rounds=True), str(plan))

    def build(self, plans: Iterable[Plan], bits: Sequence[Bits],
              tell: Callable[[float], None] = lambda _: None) -> dict[str, Built]:
        """By a plan's text, what became of it, for graphs of these widths. `tell` is told what part is done."""
        wanted = {plan.in_code: plan for plan in plans}
        new = [p for p in wanted.values() if any((p.in_code, b) not in self._done for b in bits)]
        with ThreadPoolExecutor(cores()) as pool:
            waiting = [pool.submit(self._build, plan, bits) for plan in new]
            try:
                for k, future in enumerate(waiting, 1):
                    future.result()
                    tell(k / len(waiting))
            except BaseException:  # Ctrl-C: what has not begun never will
                pool.shutdown(cancel_futures=True)
                raise
        fresh = {p.in_code for p in new}
        return {str(p): self._told(p, fresh) for p in plans}

    def _told(self, plan: Plan, fresh: set[str]) -> Built:
        unit = self._units[plan.in_code]
        manifest = None if unit.manifest is None else replace(unit.manifest, plan=str(plan))
        return replace(unit, manifest=manifest, ms=unit.ms if plan.in_code in fresh else 0.0)

    def _build(self, plan: Plan, bits: Sequence[Bits]) -> None:
        begin = time.perf_counter()
        unit = self._emitted(plan)
        if unit.manifest is None:
            return
        error, mistake = "", None
        try:
            for b in bits:
                self._make(unit.manifest, b)
                self._done.add((plan.in_code, b))
        except IrglError as e:
            error = e.message if e.file is None else f"{e.file}: {e.message}"
        except RefusedCodeError as e:
            error, mistake = f"{e.file}: {e.message}", e
        ms = (time.perf_counter() - begin) * 1e3
        self._units[plan.in_code] = Built(None if error else unit.manifest, error, ms, mistake)

    def _make(self, manifest: Manifest, bits: Bits) -> None:
        if self.target == "cpu":
            build(manifest.text, node_bits=bits[0], edge_bits=bits[1])
        else:
            device.build(manifest, bits, self.target == "simt")

    def _emitted(self, plan: Plan) -> Built:
        found = self._units.get(plan.in_code)
        if found is None:
            try:
                found = Built(manifest_of(emit(self.program, plan, self.target), str(plan)))
            except IrglError as e:
                found = Built(None, e.message)
            except Exception as e:  # a mistake of the compiler, which is a result as well
                found = Built(None, f"irgl fails to compile it: {type(e).__name__}: {e}")
            self._units[plan.in_code] = found
        return found
