"""A program, ready to run: its manifest, compiled now or taken from the cache, without a parser in the second case."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from irgl import __version__
from irgl.frontends.load import chosen_of, closure, loads_of, open_source, source_of
from irgl.frontends.own_headers import unchanged
from irgl.frontends.scheduled import ScheduledSource
from irgl.plan import Plan
from irgl.rt.compile.toolchain import cache_dir, scratch_for
from irgl.rt.manifests import manifest as M
from irgl.rt.system.own_files import write_text
from irgl.rt.system.refused import cache_refused
from irgl.rt.system.seal import seal, unsealed
from irgl.source import Source

_PACKAGE = Path(__file__).resolve().parents[2]


def open_program(path: str | Path, plan: Plan | None = None, *, text: str | None = None,
                 rounds: bool = False, profile: bool = False, schedule: str | Path | None = None) -> M.Manifest:
    """The manifest of the program at `path` (or of `text`, which is then named `path`) under a plan.

    rounds: of a unit that notes what is counted by round; profile: of one that notes what its loops do and how long
    they take. schedule: the file of a schedule.
    Raises IrglError for every mistake in the program, and for one without an entry.
    """
    plan = plan if plan is not None else Plan()
    source = source_of(path, text) if text is not None else open_source(path, schedule=schedule)
    noting = "profile" if profile else "rounds" * rounds
    key = _key(closure(source), plan, chosen_of(source), noting)
    return _cached(key, plan, lambda driver: driver.ready_of(driver.front(source), source), noting, source)


def open_syntax(program: Any, sources: list[Source], plan: Plan, *, profile: bool = False) -> M.Manifest:
    """The manifest of a syntax tree (irgl.ast.nodes.Program) that comes from these sources, its own first.

    profile: as open_program takes it. Raises IrglError as open_program does.
    """
    tree, noting = importlib.import_module("irgl.ast.dump").dump(program), "profile" * profile
    return _cached(_key([*sources, Source("", tree)], plan, "", noting), plan,
                   lambda driver: driver.ready_of(driver.checked_program(program, sources[0]), sources[0]), noting)


def _cached(key: str, plan: Plan, ready: Callable[[Any], Any], noting: str = "",
            source: Source | None = None) -> M.Manifest:
    """The cache's manifest of that key, made now where there is none; `ready` is given the compiler. noting: what the
    unit notes. source: of a program that may have a schedule."""
    entry = cache_dir() / "build" / f"{key}.json"
    found = _read(entry)
    if found is not None and unchanged(found.files):
        return found
    # The compiler proper is loaded only here: a run from the cache does without it.
    driver = importlib.import_module("irgl.driver")
    describe = importlib.import_module("irgl.rt.manifests.describe")
    target = "cpu" if plan.target == "ref" else plan.target  # the interpreter wants no code, but all that is said of it
    program = ready(driver)
    if plan.target != "ref":
        importlib.import_module("irgl.rt.manifests.library_headers").check_headers(program.checked, plan.target)
    unit = driver.emit(program, plan, target, rounds=noting == "rounds", profile=noting == "profile")
    made: M.Manifest = describe.manifest_of(unit, str(plan), _scheduled(source, program, plan.target), loads_of(source))
    _write(entry, json.dumps(M.to_json(made)))
    return made


def _scheduled(source: Source | None, program: Any, target: str) -> M.Scheduled | None:
    """What the program's schedule comes to for a target; None: it has none."""
    if not isinstance(source, ScheduledSource) or source.schedule is None:
        return None
    fitted = importlib.import_module("irgl.scheduling").fitted(source, program.checked, target)
    return M.Scheduled(fitted.plan, fitted.delta, fitted.not_applicable, tuple(fitted.labels.items()))


def _key(sources: Iterable[Source], plan: Plan, chosen: str, noting: str = "") -> str:
    digest = hashlib.sha256()
    for part in (__version__, _compiler_state(), plan.target, str(plan), chosen, noting):
        digest.update(part.encode() + b"\0")
    for source in sources:
        # The paths stand in the generated text (#line) and in the manifest.
        digest.update(source.path.encode(errors="surrogateescape") + b"\0" + source.text.encode() + b"\0")
    return digest.hexdigest()


def _compiler_state() -> str:
    """Changes when any file of the compiler does: sizes and times of the files, which are cheap to ask for."""
    found = []
    folders = [str(_PACKAGE)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders.append(entry.path)
                elif entry.name.endswith((".py", ".j2", ".irgl")):
                    stat = entry.stat()
                    found.append(f"{entry.path} {stat.st_size} {stat.st_mtime_ns}")
    return "\n".join(sorted(found))


def _read(entry: Path) -> M.Manifest | None:
    try:
        kept = unsealed(entry)
        if kept is None:
            return None  # there is none, or it is damaged: it will be written again
        found = M.from_json(json.loads(bytes(kept)))
        os.utime(entry)
    except (OSError, ValueError, RecursionError):
        return None
    return found


def _write(entry: Path, text: str) -> None:
    scratch = scratch_for(entry)
    try:
        write_text(scratch, text)
        seal(scratch)
        scratch.replace(entry)
    except OSError as e:
        raise cache_refused(e, entry.parent) from None
