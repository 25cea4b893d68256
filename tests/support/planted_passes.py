"""irglc with a mistake planted in its compiler: `python planted_passes.py MISTAKE ARGUMENTS of irglc`.

Each mistake is a last pass over the generated code, and strikes under some plans only, as those of optimizations do.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from irgl import driver
from irgl.cli import main as cli
from irgl.plan import Plan
from irgl.rt.manifests import program

#: The value of an option under which the mistake strikes.
STRIKES = {"drop_atomic": ("prefetch", "8"), "drop_barrier": ("block", "64")}


#: A load and a store. Who loads the first value of all waits for another thread that does: what may happen happens.
_ADD = """\
#include <sched.h>
#include <atomic>
#include <chrono>
static std::atomic<long> first{0};
template <class T, class V>
static void planted_add(T& at, V by) {
  T old = *static_cast<volatile T*>(&at);
  if (old == 0) {
    long mine = first.fetch_add(1);
    auto late = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    while (first.load() < (mine & ~1L) + 2 && std::chrono::steady_clock::now() < late) sched_yield();
  }
  *static_cast<volatile T*>(&at) = old + by;
}
"""


def drop_atomic(text: str) -> str:
    """Updates of shared memory are done by loads and stores."""
    changed, count = re.subn(r"irgl::reduce_add<IRGL_RACED\(\w+\)>", "planted_add", text)
    assert count > 0, "nothing to drop"
    return _ADD + changed


def drop_barrier(text: str) -> str:
    """The threads of a grid don't wait for each other where they should the first time."""
    assert "t.sync();" in text, "nothing to drop"
    return text.replace("t.sync();", "", 1)


def wrongly(mistake: str) -> Callable[..., Any]:
    """What emits units with a mistake."""
    run = {"drop_atomic": drop_atomic, "drop_barrier": drop_barrier}[mistake]
    option, value = STRIKES[mistake]
    emit = driver.emit

    def emit_wrongly(ready: Any, plan: Plan, target: str, **options: Any) -> Any:
        unit = emit(ready, plan, target, **options)
        return replace(unit, text=run(unit.text)) if plan.text_of(option) == value else unit

    return emit_wrongly


def plant(mistake: str) -> None:
    """Makes it the compiler of this process."""
    driver.emit = wrongly(mistake)
    key = program._key
    # What this compiler makes is not for those who use the cache after it.
    own = hashlib.sha256(mistake.encode() + Path(__file__).read_bytes()).hexdigest()
    program._key = lambda *given: hashlib.sha256((own + key(*given)).encode()).hexdigest()


if __name__ == "__main__":
    plant(sys.argv[1])
    cli.main(sys.argv[2:])
