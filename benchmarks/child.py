"""One command as a child process: its time and its peak of memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: `irglc`, run by this interpreter.
IRGLC = (sys.executable, "-c", "from irgl.cli.main import main; main()")


@dataclass(frozen=True, slots=True)
class Ended:
    """wall and cpu (of the child and its children) in seconds; peak of resident memory in bytes."""

    wall: float
    cpu: float
    peak: int
    stdout: str


#: Starts a command and tells how it ended. A process counts the memory of the one that it was forked from as its own,
#: so that a small one must do it: this one has a few MiB.
_STARTER = """
import os, resource, sys, time
told, most, *command = sys.argv[1:]
begin = time.perf_counter()
process = os.fork()
if process == 0:
    if int(most):
        resource.setrlimit(resource.RLIMIT_AS, (int(most), int(most)))
    os.execvp(command[0], command)
_, status, used = os.wait4(process, 0)
wall = time.perf_counter() - begin
os.write(int(told), f"{wall} {used.ru_utime + used.ru_stime} {used.ru_maxrss} {status}".encode())
"""


def run(command: tuple[str, ...], most: int = 0, **environment: str) -> Ended:
    """Runs it to its end, with at most so many bytes of addresses; 0: as many as it likes.

    Raises RuntimeError with its last words where it fails.
    """
    told, telling = os.pipe()
    starter = (sys.executable, "-I", "-S", "-c", _STARTER, str(telling), str(most))
    process = subprocess.Popen((*starter, *command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **environment}, pass_fds=(telling,))
    os.close(telling)
    stdout, stderr = process.communicate()
    with os.fdopen(told) as file:
        wall, cpu, peak, status = file.read().split()
    code = os.waitstatus_to_exitcode(int(status))
    if code != 0:
        raise RuntimeError(f"{' '.join(command[3:])}: exit status {code}: {stderr[-500:]}")
    return Ended(float(wall), float(cpu), int(peak) * 1024, stdout)


def merge(path: Path | None, name: str, value: Any) -> None:
    """Puts a value under a name into a JSON file of several benchmarks, or prints it where there is no file."""
    if path is None:
        print(json.dumps({name: value}, indent=1))
        return
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    found[name] = value
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    scratch.write_text(json.dumps(found, indent=1), encoding="utf-8")
    scratch.replace(path)
