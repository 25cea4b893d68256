"""A folder that shows a mistake of irgl: the program, a graph, and a script that fails as long as it is there."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from irgl.frontends.imports import LIBRARY
from irgl.frontends.load import closure, has_schedule, open_source
from irgl.frontends.own_headers import twin_name
from irgl.rt.call.run import Options
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import Loading
from irgl.rt.graphs.writers import write
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.results.verify import FOLDER
from irgl.source import IrglError
from irgl.tune.inputs.inputs import Input
from irgl.tune.measure.protocol import VERIFIED, Run
from irgl.tune.measure.remote import Remote
from irgl.tune.results.trial import Status, Trial
from irgl.tune.session.shrink import shrunk
from irgl.tune.session.task import Task

#: No larger graph is copied or made smaller: the script names it where it is.
_MOST_EDGES = 20_000_000
#: How long making the graph smaller may take, and one run for it.
_SECONDS, _RUN_SECONDS = 15.0, 5.0
#: How often what may fail by chance is run, by the script and for making the graph smaller, each time so often that its
#: threads are warm.
_TRIES, _SURE, _REPEAT = 10, 4, 20

_SCRIPT = """\
#!/bin/sh
# irgl gives a wrong answer here: {why}
# Exit code 1: it still does, or 86: the emulator still finds a mistake; 0: the mistake is gone.
cd "$(dirname "$0")" || exit 2
for try in $(seq {tries}); do
  ${{IRGLC:-irglc}} run {words} --verify > /dev/null 2> said.txt
  code=$?
  if [ $code -ne 0 ]; then
    cat said.txt >&2
    grep -q "the emulator found" said.txt && exit 86
    exit $code
  fi
done
echo "the answer is right"
"""


def write_reproducer(task: Task, manifest: Manifest, given: Input, trial: Trial) -> Path:
    """Writes the folder, beside other things in `task.mistakes`, in one step. `manifest`: of the wrong plan.

    Raises IrglError where nothing can be written there.
    """
    name = hashlib.sha256(f"{manifest.fingerprint}{task.target}{trial.plan}{given.name}".encode()).hexdigest()[:8]
    place = task.mistakes / f"irgl-mistake-{manifest.program}-{name}"
    try:
        task.mistakes.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".irgl-mistake-", dir=task.mistakes) as scratch:
            made = Path(scratch) / place.name
            made.mkdir()
            program = _copy_program(task.program, manifest, made)
            words = [program, *_schedule_words(task, made), *_graph_words(task, manifest, given, trial, made),
                     *_words(task, given, trial)]
            script = made / "reproduce.sh"
            why = " ".join(trial.why.split())
            tries = 1 if task.target == "simt" else _TRIES
            script.write_text(_SCRIPT.format(why=why, tries=tries, words=shlex.join(words)), encoding="utf-8")
            script.chmod(0o755)
            if place.exists():
                place.rename(Path(scratch) / "before")
            made.rename(place)
    except OSError as e:
        raise IrglError(f"can't write a reproducer: {e.strerror}", file=str(task.mistakes)) from None
    return place


def _copy_program(path: str, manifest: Manifest, folder: Path) -> str:
    """The program, what it imports, the C++ of its own libraries and its verifier; how the copy is called."""
    written = [Path(name).resolve() for name, digest in manifest.files.items() if digest]
    twins = [twin for twin in (file.with_name(twin_name(file.name)) for file in written) if twin.is_file()]
    files = [*(Path(s.path).resolve() for s in closure(open_source(path))), *written, *twins]
    own = [file for file in dict.fromkeys(files) if not file.is_relative_to(LIBRARY)]
    base = Path(os.path.commonpath([s.parent for s in own]))
    for source in own:
        copy = folder / source.relative_to(base)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
    main = own[0].relative_to(base)
    if manifest.verifier is not None:
        places = (own[0].parent / FOLDER, own[0].parent.parent / FOLDER)
        found = next((p for p in (q / f"{manifest.verifier}.py" for q in places) if p.is_file()), None)
        if found is not None:
            (folder / main).parent.joinpath(FOLDER).mkdir(exist_ok=True)
            shutil.copyfile(found, (folder / main).parent / FOLDER / found.name)
    chosen = path.rpartition(":")[2] if ".py:" in path else ""
    return f"{main}:{chosen}" if chosen else str(main)


def _schedule_words(task: Task, folder: Path) -> list[str]:
    """The option that names the schedule, which is copied."""
    if task.schedule is None:
        return []
    shutil.copyfile(task.schedule, folder / "schedule.gt")
    return ["--schedule", "schedule.gt"]


def _graph_words(task: Task, manifest: Manifest, given: Input, trial: Trial, folder: Path) -> list[str]:
    """The options that name the graphs; small graphs are written into the folder, smaller still where that shows it."""
    words = []
    for k, (spec, parameter) in enumerate(zip(given.graphs, manifest.graphs, strict=True)):
        option = "--graph" if k == 0 else dict(task.spelt).get(parameter.name, f"--{parameter.name}")
        graph = load(spec, format=given.loading.format, undirected=given.loading.undirected,
                     coordinates=given.loading.coordinates, index_bits=given.loading.index_bits,
                     compact=given.loading.compact)
        if graph.num_edges > _MOST_EDGES:
            words += [option, spec if ":" in spec and not Path(spec).exists() else str(Path(spec).resolve())]
            continue
        if len(given.graphs) == 1:
            graph = _smaller(graph, task, manifest, given, trial, folder)
        name = "graph.irglg" if k == 0 else f"{parameter.name}.irglg"
        write(graph, str(folder / name))
        words += [option, name]
    return words


def _smaller(graph: Graph, task: Task, manifest: Manifest, given: Input, trial: Trial, folder: Path) -> Graph:
    remote = Remote()
    count = 0

    def fails(candidate: Graph) -> bool:
        nonlocal count
        count += 1  # another name for each, so that none is taken for one that the worker has
        file = folder / f"try-{count}.irglg"
        write(candidate, str(file))
        how = Loading(index_bits=given.loading.index_bits, allow_empty=True)
        options = Options(task.threads if task.target == "cpu" else None, _repeat(task), task.worklist_capacity,
                          task.seed, _RUN_SECONDS)
        run = Run(replace(given, graphs=(str(file),), loading=how), manifest, trial.plan, task.target, options,
                  VERIFIED)
        try:
            tries = 1 if task.target == "simt" else _SURE
            return all(remote.run(run).status is Status.WRONG for _ in range(tries))
        except IrglError:
            return False  # a node that the program is given is not there any more, or nobody can judge
        finally:
            file.unlink()

    try:
        return shrunk(graph, fails, _SECONDS) if fails(graph) else graph
    finally:
        remote.stop()


def _repeat(task: Task) -> int:
    return _REPEAT if task.target == "cpu" else 1


def _words(task: Task, given: Input, trial: Trial) -> Sequence[str]:
    spelt = dict(task.spelt)
    words = [w for name, value in given.values for w in (spelt.get(name, f"--{name}"), value)]
    if given.loading.index_bits != Loading().index_bits:
        words += ["--index-bits", str(given.loading.index_bits)]
    if given.mesh is not None:
        words += ["--mesh", str(Path(given.mesh).resolve())]
    if given.poly is not None:
        words += ["--poly", str(Path(given.poly).resolve())]
    if task.target == "cpu" and task.threads is not None:
        words += ["--threads", str(task.threads)]
    if task.worklist_capacity:
        words += ["--worklist-capacity", str(task.worklist_capacity)]
    return [*words, "--repeat", str(_repeat(task)), "--target", task.target, "--seed", str(task.seed),
            "--plan", f"default {trial.plan}" if has_schedule(task.program, task.schedule) else trial.plan]
