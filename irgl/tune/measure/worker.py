"""The process that runs variants: it answers requests that come through a pipe (remote.py starts it).

It keeps the prepared graphs, so that a run costs little more than its own time. Whatever a variant does to it - a
crash, a hang - happens to this process and not to the tuner.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Outcome, widths_for
from irgl.rt.call.targets import reference, run_on, wrong_answer
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.results.difference import difference
from irgl.rt.results.result import Result
from irgl.rt.results.verify import tolerance_of
from irgl.rt.system.endings import CrashedError, OutOfTimeError, WrongCodeError
from irgl.rt.system.interruptible import still_running
from irgl.source import IrglError
from irgl.tune.inputs.digest import input_digest
from irgl.tune.inputs.features import of as features_of
from irgl.tune.inputs.inputs import Input, Loaded, load_input
from irgl.tune.measure.protocol import COMPARED, UNCHECKED, Look, Ran, Run, Seen, one_answer
from irgl.tune.results.trial import Status

#: How often the worker looks whether its tuner is still there.
_LOOK_SECONDS = 0.5


class Worker:
    """What is kept from request to request: inputs in memory, and answers to compare with."""

    def __init__(self) -> None:
        self._inputs: dict[Input, Loaded] = {}
        self._answers: dict[str, Result] = {}

    def look(self, asked: Look) -> Seen:
        """Loads an input and tells what it is. Raises IrglError for one that the program can't take."""
        m = asked.manifest
        loaded = self._loaded(m, asked.input)
        graphs = loaded.graphs
        judge = None if m.verifier is not None else reference().can_judge(m, graphs)
        sizes = tuple((g.num_nodes, g.num_edges) for g in graphs.values())
        changed = tuple(change for g in graphs.values() for change in g.changed)
        digest = input_digest(graphs, bind(m, graphs, dict(asked.input.values), shell=True), loaded.mesh)
        return Seen(digest, sizes, widths_for(m, graphs.values()), judge if judge is not None else "", changed,
                    _features(loaded))

    def run(self, asked: Run) -> Ran:
        """Runs a variant; whatever becomes of it is a result."""
        plan = Plan.parse(asked.plan, asked.target)
        loaded = self._loaded(asked.manifest, asked.input)
        # A plan may have a say in a default.
        values = bind(asked.manifest, loaded.graphs, dict(asked.input.values), shell=True)
        try:
            outcome = run_on(asked.manifest, loaded.graphs, values, plan, asked.options, loaded.mesh,
                             mode=asked.mode)
        except OutOfTimeError as e:
            return Ran(Status.TIME_OUT, why=e.message)
        except WrongCodeError as e:
            return Ran(Status.WRONG, why=e.message)
        except (CrashedError, MemoryError) as e:
            return Ran(Status.CRASH, why=str(e) if str(e) else "out of memory")
        except IrglError as e:
            return Ran(Status.CRASH if e.span is None else Status.WRONG, why=e.message, error=e)
        except Exception as e:  # a mistake of irgl's, which is a result as well
            return Ran(Status.CRASH, why=f"irgl fails to run it: {type(e).__name__}: {e}")
        if asked.keep:
            _keep(outcome.result, Path(asked.keep))
        wrong = self._wrong(asked, loaded, values, outcome)
        return Ran(Status.OK if wrong is None else Status.WRONG, outcome.kernel_ms, wrong if wrong is not None else "",
                   dict(outcome.stats), loaded.prepare_ms + outcome.order_ms,
                   format_ms=sum(f.built_ms for f in outcome.forms), rounds=outcome.rounds)

    def _wrong(self, asked: Run, loaded: Loaded, values: Mapping[str, Any], outcome: Outcome) -> str | None:
        m = asked.manifest
        if asked.check == UNCHECKED:
            return None
        judged = m.verifier is not None or reference().can_judge(m, loaded.graphs) is None
        if asked.answer and one_answer(m) and (asked.check == COMPARED or not judged):
            found = difference(outcome.result, self._answer(asked.answer), tolerance_of(m), "the plan `none`")
            if found is None or not judged:
                return found
        # Answers may differ where both are right: within the tolerance, or because there are several.
        return wrong_answer(m, loaded.graphs, values, outcome, asked.options, loaded.mesh)

    def _answer(self, path: str) -> Result:
        if path not in self._answers:
            self._answers[path] = pickle.loads(Path(path).read_bytes())
        return self._answers[path]

    def _loaded(self, manifest: Manifest, given: Input) -> Loaded:
        if given not in self._inputs:
            self._inputs[given] = load_input(manifest, given)
        return self._inputs[given]


def _keep(result: Result, path: Path) -> None:
    """The answer without what it was made from."""
    path.write_bytes(pickle.dumps(replace(result, graphs={}, mesh=None)))


def _features(loaded: Loaded) -> dict[str, float]:
    first = next(iter(loaded.graphs.values()), None)
    if first is None:
        return {}
    return features_of(first).as_numbers()


def _end_with(parent: int) -> None:
    """Ends this process and what it has started once its tuner is gone, were it by kill -9."""
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    connection = Connection(int(sys.argv[1]))
    with suppress(OSError):  # where memory runs out, it is this process that the system ends
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    worker = Worker()
    while True:
        try:
            asked = connection.recv()
        except (EOFError, OSError):
            break
        answer: Seen | Ran | Exception
        try:
            answer = worker.run(asked) if isinstance(asked, Run) else worker.look(asked)
        except Exception as e:
            answer = e
        # Where a round does not end, this process is of no more use.
        connection.send((answer, still_running()))
    os._exit(0)
