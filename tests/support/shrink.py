"""Makes a random program that fails smaller, for a person to read: python -m support.shrink SEED (in tests/).

Works on the sequence of choices that made the program: stretches are left out, numbers made smaller, as long as the
program still fails (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 28(2), 2002).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from irgl.plan import Plan
from irgl.source import IrglError
from support.agreement import disagreements
from support.choices import Choices, Seeded
from support.cpu_plans import drawn
from support.random_programs import RandomProgram, random_program


class Recorded(Seeded):
    """Seeded choices that are written down in `log`."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.log: list[int] = []

    def below(self, n: int) -> int:
        self.log.append(super().below(n))
        return self.log[-1]


class Replayed(Choices):
    """Choices from a list; the simplest ones behind its end."""

    def __init__(self, log: list[int]) -> None:
        self._log, self._at = log, 0

    def below(self, n: int) -> int:
        self._at += 1
        return min(self._log[self._at - 1], n - 1) if self._at <= len(self._log) else 0


def shrink(seed: int, fails: Callable[[RandomProgram], bool], tries: int = 400) -> RandomProgram:
    """A smaller program than the seed's for which `fails` holds too, after at most so many tries."""
    recorded = Recorded(seed)
    best = random_program(recorded)
    log = recorded.log
    width = len(log) // 2
    while width > 0 and tries > 0:
        at = 0
        while at < len(log) and tries > 0:
            for shorter in (
                log[:at] + log[at + width :],
                log[:at] + [0] * min(width, len(log) - at) + log[at + width :],
            ):
                program = random_program(Replayed(shorter))
                if shorter == log or len(program.text) > len(best.text):
                    continue
                tries -= 1
                if fails(program):
                    log, best = shorter, program
                    break
            else:
                at += width
        width //= 2
    return best


def disagrees(program: RandomProgram, plan: Plan) -> bool:
    """Does the CPU target disagree with the interpreter? Programs that are refused do not."""
    try:
        return disagreements([program], plan) != []
    except IrglError:
        return False


if __name__ == "__main__":
    whole = random_program(Seeded(int(sys.argv[1])))
    print(shrink(int(sys.argv[1]), partial(disagrees, plan=drawn(whole.text))))
