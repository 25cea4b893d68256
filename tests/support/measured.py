"""Which tests take long, by what pytest told of a run: `python tests/support/measured.py LOG > tests/slow.txt`.

LOG: what `pytest --durations=0 --durations-min=0.2` printed, over all tests and on a machine that did nothing else.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

#: From so many seconds on, of all its instances together.
LONG = 2.0
HEAD = "# Tests that take long, of which `make test` runs every sixth. tests/support/measured.py made the list."


def long(lines: Iterable[str], least: float = LONG) -> list[str]:
    """The tests whose instances took so many seconds together, by their files and names."""
    took: dict[str, float] = defaultdict(float)
    for line in lines:
        told = re.match(r"\s*([\d.]+)s (?:call|setup|teardown)\s+(?:tests/)?([^\s\[]+)", line)
        if told is not None:
            took[told[2]] += float(told[1])
    return sorted(name for name, seconds in took.items() if seconds >= least)


if __name__ == "__main__":
    print(HEAD, *long(Path(sys.argv[1]).read_text(encoding="utf-8", errors="replace").splitlines()), sep="\n")
