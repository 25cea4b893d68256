"""What `make test` leaves out: instances that repeat what another one holds (tests/quick.txt), of which `make test-all`
runs every tenth of a test's and `make matrix` all; and five of six tests that take long (tests/slow.txt), which
`make test-all` runs."""

from __future__ import annotations

import os
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from support.places import TESTS

T = TypeVar("T")

TABLE = TESTS / "quick.txt"
#: Tests that take long, as they were measured, a line each.
SLOW = TESTS / "slow.txt"
#: Of these `make test` runs one of so many, in the order of the lines: some of each folder.
ONE_OF = 6
#: In the environment of what `make test` starts.
QUICK = "IRGL_QUICK_TESTS"


@dataclass(frozen=True, slots=True)
class Rule:
    """Which instances of a test stay; why the rest may wait; whether `make test-all` runs all of it."""

    test: str
    stays: str
    reason: str
    whole: bool = False

    def kept(self, instances: Sequence[str]) -> set[str]:
        """Those of the instances' ids that stay."""
        word, _, rest = self.stays.partition(" ")
        chosen: dict[str, Callable[[int, str], bool]] = {
            "none": lambda *_: False,
            "every": lambda k, _: k % int(rest) == 0,
            "only": lambda _, name: any(_has(name, part.strip()) for part in rest.split(";")),
        }
        return {name for k, name in enumerate(instances) if chosen[word](k, name)}


def _has(name: str, part: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", name) is not None


def some(values: Sequence[T], beside: str) -> Sequence[T]:
    """All of the values; in `make test` one, another beside another text: what many programs do under several plans."""
    if QUICK not in os.environ or not values:
        return values
    chosen = zlib.crc32(beside.encode()) % len(values)
    return values[chosen:chosen + 1]


def rules(table: Path = TABLE) -> list[Rule]:
    """The rules of a table. Raises ValueError for a line that is none."""
    found = []
    for line in table.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            test, stays, reason, *whole = (part.strip() for part in line.split("|"))
            if whole not in ([], ["whole"]):
                raise ValueError(f"not `whole`, but {whole}: {line}")
            found.append(Rule(test, stays, reason, bool(whole)))
    return found


def slow(listed: Path = SLOW) -> list[str]:
    """The tests that take long: file::test, files from tests/."""
    return [line.strip() for line in listed.read_text(encoding="utf-8").splitlines()
            if line.strip() and not line.startswith("#")]


def resting(tests: Sequence[str]) -> set[str]:
    """Those of the tests that take long which `make test` leaves to CI."""
    return {*tests} - {*tests[::ONE_OF]}


def left_out(names: Iterable[str], table: Iterable[Rule]) -> tuple[set[str], list[Rule]]:
    """Those of the tests that wait, by their names (file::test[id], files from tests/), and rules that meet no test."""
    out: set[str] = set()
    idle = []
    for rule, mine, waiting in _met(names, table):
        out |= {*waiting}
        if not waiting or (rule.stays != "none" and len(waiting) == len(mine)):
            idle.append(rule)
    return out, idle


def left_to_matrix(names: Iterable[str], table: Iterable[Rule]) -> set[str]:
    """Those of the tests that `make test-all` doesn't run either: of each rule's nine of ten that wait."""
    out: set[str] = set()
    for rule, _, waiting in _met(names, table):
        if not rule.whole:
            out |= {*waiting} - {*waiting[::10]}
    return out


def _met(names: Iterable[str], table: Iterable[Rule]) -> Iterator[tuple[Rule, list[str], list[str]]]:
    """Each rule, the tests that it names, and those of them that wait, in their order."""
    instances: dict[str, list[str]] = defaultdict(list)
    for name in names:
        instances[name.partition("[")[0]].append(name)
        if "[" in name:
            instances[name].append(name)
    for rule in table:
        mine = instances.get(rule.test, [])
        stay = rule.kept([_id(name) for name in mine])
        yield rule, mine, [name for name in mine if _id(name) not in stay]


def _id(name: str) -> str:
    return name.partition("[")[2].removesuffix("]")
