"""A GPU session: its parts one after the other, each with a deadline, and the tables at the end."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial

import gpu_calling
import gpu_correctness
import gpu_evaluation
import gpu_handwritten
import gpu_machine
import gpu_micro
import gpu_peers
import gpu_ptxas
import gpu_sanitizer
from gpu_record import Clock, Record
from gpu_suite import PACK, ROOT, Suite, opened
from gpu_table import markdown

from irgl.plan import Plan
from irgl.rt import nvcc
from irgl.source import IrglError

PARTS: dict[str, Callable[[Suite], None]] = {
    "correctness": gpu_correctness.run, "calling": gpu_calling.run, "evaluation": gpu_evaluation.run,
    "handwritten": gpu_handwritten.run, "ptxas": gpu_ptxas.run, "sanitizer": gpu_sanitizer.run,
    **{part: partial(gpu_micro.run, part=part) for part in gpu_micro.PARTS},
}


def session(given: argparse.Namespace, shares: dict[str, float], begin: float) -> int:
    """0: everything that was measured is right; 1: something is wrong; 2: nothing could be measured."""
    why = _refusal(given)
    if why is not None:
        print(why, file=sys.stderr)
        return 2
    parts = [p for p in shares if p in given.parts.split(",")]
    head = {"at": time.strftime("%Y-%m-%d %H:%M:%S"), "target": given.target, "quick": given.quick,
            "budget": given.budget, "plan": str(Plan(target=given.target)),
            **gpu_machine.describe(ROOT, PACK, given.target == "simt")}
    record = Record(given.json, head)
    clock = Clock(given.budget - (time.monotonic() - begin), shares, parts)
    with opened(given, record) as suite:
        for part in parts:
            record.begin(part)
        suite.deadline = clock.end
        _start_graphs(suite, parts)
        for part in parts:
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
    print(markdown(record.data))
    return 1 if wrong(record) else 0


def _start_graphs(suite: Suite, parts: list[str]) -> None:
    if "correctness" in parts:
        for name in gpu_correctness.GRAPHS[:2 if suite.quick else None]:
            suite.start_graph(name)
    if "evaluation" in parts:
        gpu_evaluation.prepare(suite)


def _refusal(given: argparse.Namespace) -> str | None:
    if given.target == "cuda":
        try:
            nvcc.require_device()
        except IrglError as e:
            return (f"error: this needs an NVIDIA GPU and nvcc: {e.message}\n"
                    "hint: run it on a machine with both; --target simt --quick tries the suite itself in the emulator")
    if given.peer_bin is not None:
        why = gpu_peers.refusal(given.peer_bin)
        return f"error: {why}" if why is not None else None
    return None


def wrong(record: Record) -> bool:
    """Was any answer wrong, did a tool find anything, or did the suite itself fail?"""
    rows = [*record.rows("correctness"), *record.rows("calling"), *record.rows("sanitizer")]
    judged = any(r["verdict"] in ("wrong", "fails", "finds") for r in rows)
    left_out = [what for part in record.data["parts"].values() for what in part["left_out"]]
    broken = any(what.startswith("the rest: the suite") for what in left_out)
    return judged or broken or any(r.get("differs") for r in record.rows("evaluation"))
