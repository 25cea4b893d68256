"""One command as a child process: its time and its peak of memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
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


def run(command: tuple[str, ...], **environment: str) -> Ended:
    """Runs it to its end. Raises RuntimeError with its last words where it fails."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **environment})
    assert process.stdout is not None and process.stderr is not None
    stdout, stderr = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    process.stderr.close()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command[3:])}: exit status {process.returncode}: {stderr[-500:]}")
    return Ended(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, stdout)


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
