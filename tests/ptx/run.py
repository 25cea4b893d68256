"""python tests/ptx/run.py COMMAND...: the command with an nvcc, a driver and a GPU of tests/ptx (docs/ptx.md)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support import ptx  # noqa: E402

if __name__ == "__main__":
    if reason := ptx.missing():
        sys.exit(reason)
    os.execvpe(sys.argv[1], sys.argv[1:], {**os.environ, **ptx.environment()})
