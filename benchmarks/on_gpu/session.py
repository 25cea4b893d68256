"""A GPU session: its parts one after the other, each with a deadline, and the tables at the end."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

from irgl.plan import Plan
from irgl.rt.compile import nvcc
from irgl.rt.compile.toolchain import cache_dir
from irgl.source import IrglError
from on_gpu import device
from on_gpu.parts import (
    calling,
    correctness,
    counters,
    evaluation,
    formats,
    handwritten,
    micro,
    others,
    peers,
    ptxas,
    queues,
    sanitizer,
    schedules,
)
from on_gpu.parts.peer_table import refusal as peer_refusal
from on_gpu.record import Clock, Record
from on_gpu.specs import PACK, ROOT
from on_gpu.suite import Suite, opened
from on_gpu.table import markdown

PARTS: dict[str, Callable[[Suite], None]] = {
    "first": correctness.first, "correctness": correctness.run, "calling": calling.run,
    "counters": counters.run,
    "evaluation": evaluation.run, "formats": formats.run, "queues": queues.run, "schedules": schedules.run,
    "handwritten": handwritten.run, "others": others.run, "peers": peers.run, "ptxas": ptxas.run,
    "sanitizer": sanitizer.run,
    **{part: partial(micro.run, part=part) for part in micro.PARTS},
}
#: The part that needs nvcc, but no GPU.
_WITHOUT_DEVICE = "ptxas"
_FALLBACK = "sm_90"


def session(given: argparse.Namespace, shares: dict[str, float], begin: float) -> int:
    """0: everything that was measured is right; 1: something is wrong; 2: nothing could be measured."""
    why = _refusal(given)
    if why is not None:
        print(why, file=sys.stderr)
        return 2
    parts = [p for p in shares if p in given.parts.split(",")]
    _settle(given)
    head = {"at": time.strftime("%Y-%m-%d %H:%M:%S"), "target": given.target, "quick": given.quick,
            "arch": given.arch, "budget": given.budget, "plan": str(Plan(target=given.target)),
            **device.describe(ROOT, PACK, given.target == "simt")}
    record = Record(given.json, head)
    run = [p for p in parts if p != peers.PART or given.peer_bin is not None]
    clock = Clock(given.budget - (time.monotonic() - begin), shares, run)
    with opened(given, record) as suite:
        for part in parts:
            record.begin(part)
            if part not in run:
                record.leave_out(part, "all: there is no --peer-bin")
        suite.deadline = suite.end = clock.end
        _prepare(suite, run)
        for part in run:
            suite.deadline = clock.deadline(part)
            started = time.monotonic()
            print(f"{started - begin:5.0f} s  {part}, at most {suite.left():.0f} s", file=sys.stderr, flush=True)
            try:
                PARTS[part](suite)
            except Exception as e:  # a fault of the suite in one part leaves the others their turn
                traceback.print_exc()
                record.leave_out(part, f"the rest: the suite fails: {type(e).__name__}: {e}")
            record.end(part, time.monotonic() - started)
    record.note("seconds", round(time.monotonic() - begin, 1))
    try:
        print(markdown(record.data))
    except Exception as e:  # the result file is whole, whatever becomes of its tables
        traceback.print_exc()
        print(f"error: the tables can't be made: {type(e).__name__}: {e}; {given.json} has all rows", file=sys.stderr)
        return 1
    return 1 if wrong(record) else 0


def _prepare(suite: Suite, parts: list[str]) -> None:
    """Begins what can be done behind the parts that run: what is small, or asked for first, first."""
    for part in parts:
        if part in micro.PARTS:
            micro.prepare(suite, part)
    if "first" in parts or "correctness" in parts:
        correctness.prepare(suite, parts)
    if "calling" in parts:
        suite.start_graph(calling.GRAPH)
    for part, prepare in (("evaluation", evaluation.prepare), ("formats", formats.prepare),
                          ("queues", queues.prepare), ("schedules", schedules.prepare),
                          ("handwritten", handwritten.prepare), ("others", others.prepare), ("peers", peers.prepare),
                          ("counters", counters.prepare), ("sanitizer", sanitizer.prepare)):
        if part in parts:
            prepare(suite)


def _settle(given: argparse.Namespace) -> None:
    """The architecture for all that nvcc builds, and a cache that can be written."""
    try:
        own = nvcc.architecture() if given.target == "cuda" else _FALLBACK
    except IrglError:
        own = _FALLBACK
    given.arch = given.arch or own
    if given.arch != own:  # nvcc takes the last that it is told
        os.environ["NVCC_APPEND_FLAGS"] = f"{os.environ.get('NVCC_APPEND_FLAGS', '')} -arch={given.arch}".strip()
    try:
        trial = cache_dir() / "build" / f".trial-{os.getpid()}"
        trial.write_bytes(b"")
        trial.unlink()
    except (IrglError, OSError):
        own_cache = str(Path(tempfile.gettempdir()) / f"irgl-gpu-cache-{os.getuid()}")
        print(f"the cache can't be written: {own_cache} takes its place", file=sys.stderr)
        os.environ["IRGL_CACHE_DIR"] = own_cache


def _refusal(given: argparse.Namespace) -> str | None:
    if given.target == "cuda":
        try:
            if given.parts == _WITHOUT_DEVICE:
                nvcc.compiler()
            else:
                nvcc.require_device()
        except IrglError as e:
            return (f"error: this needs an NVIDIA GPU and nvcc: {e.message}\n"
                    "hint: run it on a machine with both; --target simt --quick tries the suite itself in the emulator")
    if given.peer_bin is not None:
        why = peer_refusal(given.peer_bin)
        return f"error: {why}" if why is not None else None
    return None


def wrong(record: Record) -> bool:
    """Was any answer wrong, did a tool find anything, or did the suite itself fail?"""
    rows = [*record.rows("first"), *record.rows("correctness"), *record.rows("others"), *record.rows("calling"),
            *record.rows("sanitizer")]
    judged = any(r["verdict"] in ("wrong", "fails", "finds") for r in rows)
    left_out = [what for part in record.data["parts"].values() for what in part["left_out"]]
    broken = any("the suite fails" in what for what in left_out)
    compared = (r for part in ("evaluation", "formats", "queues", "schedules") for r in record.rows(part))
    return judged or broken or any(r.get("differs") for r in compared)
