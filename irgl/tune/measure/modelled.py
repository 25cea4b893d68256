"""Variants for a GPU that is not there: each runs once, emulated, and its time is what a model makes of the counts.

Nothing is timed, so that variants run side by side, and one run says all.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace

from irgl.rt.call.run import cores
from irgl.tune.inputs.inputs import Input
from irgl.tune.measure.builds import Builds, Built
from irgl.tune.measure.gpu import Gpu
from irgl.tune.measure.gpu_model import Counters, modelled_ms
from irgl.tune.measure.measure import Asked, How, Measurer, Note, Reference
from irgl.tune.measure.protocol import COMPARED, Ran, Run
from irgl.tune.measure.remote import Remote
from irgl.tune.results.trial import Status, Trial


class Modeller(Measurer):
    """As Measurer, with one modelled time for each variant."""

    def __init__(self, builds: Builds, how: How, gpu: Gpu, note: Note = lambda _: None) -> None:
        super().__init__(builds, how, note)
        self._gpu = gpu
        self._crew = [self._remote, *(Remote() for _ in range(cores() - 1))]
        self._idle: queue.SimpleQueue[Remote] = queue.SimpleQueue()
        for remote in self._crew:
            self._idle.put(remote)

    def close(self) -> None:
        for remote in self._crew:
            remote.stop()
        super().close()

    def batch(self, asked: Sequence[Asked], given: Input, *, rivals: bool, rounds: int | None = None,
              tell: Callable[[float], None] = lambda _: None) -> list[Trial]:
        del rivals, rounds  # a model's time is known at the end only, and once for all
        built = self.build([a.plan for a in asked])
        found: dict[str, Trial | None] = {}
        with ThreadPoolExecutor(len(self._crew)) as pool:
            waiting = {pool.submit(self._modelled, a, given, built[str(a.plan)]): a for a in asked}
            try:
                for k, future in enumerate(as_completed(waiting), 1):
                    found[str(waiting[future].plan)] = future.result()
                    tell(k / len(waiting))
            except BaseException:  # Ctrl-C: ends what runs, so that the pool ends
                pool.shutdown(wait=False, cancel_futures=True)
                for remote in self._crew:
                    remote.kill()
                raise
        made = [found[str(a.plan)] for a in asked]
        return [t for t in made if t is not None]

    def _modelled(self, asked: Asked, given: Input, built: Built) -> Trial | None:
        reference = self._references[given.name]
        text = str(asked.plan)
        if built.manifest is None:
            return Trial(text, given.name, Status.COMPILE_ERROR, why=built.error, by=asked.by)
        if time.monotonic() > self.deadline:
            return None
        ran = self._run(given, built.manifest, asked.plan, check=COMPARED, answer=reference.answer,
                        limit=self._limit(reference, None))
        if ran.status is not Status.OK:
            return Trial(text, given.name, ran.status, build_ms=built.ms, why=ran.why, by=asked.by)
        times, stats = self._model(ran)
        return Trial(text, given.name, Status.OK, times, reference.times, built.ms, "", asked.by, stats)

    def _times_of_reference(self, given: Input, reference: Reference, first: Ran) -> tuple[float, ...]:
        del given
        times, reference.stats = self._model(first)
        return times

    def _model(self, ran: Ran) -> tuple[tuple[float, ...], dict[str, float]]:
        counters = Counters.of(ran.stats)
        return (modelled_ms(counters, self._gpu),), counters.as_stats()

    def _ask(self, run: Run) -> Ran:
        remote = self._idle.get()
        try:
            l1, l2, weaver = self._gpu.emulated
            return remote.run(replace(run, options=replace(run.options, gpu_cache=l2, gpu_l1=l1, gpu_weaver=weaver)))
        finally:
            self._idle.put(remote)
