"""Schedules with mistakes in them, at random: each is read, or refused at a place, and nothing else happens."""

from __future__ import annotations

import random
import re

import pytest
from support.gt_rows import IN_CHAINS, ON_CPUS, ON_GPUS, on_program
from support.gt_schedules import LABELS, said

from irgl.plan import Plan
from irgl.source import IrglError

CALLS = [*(on_program(c) for c, _ in ON_CPUS), *(on_program(*c) for c, _ in IN_CHAINS)]
OBJECTS = [text for text, _ in ON_GPUS]
WORDS = ["program", "->", "(", ")", "{", "}", ";", ",", "=", ".", '"', "-", "0x", "%", "//", "/*", "argv[0]",
         '"argv[3]"', "s1", '"s0:s1"', "1e99", "\0", "SimpleGPUSchedule", "HybridGPUSchedule", "PULL", "BLOCKED", "é",
         "schedule:"]
COUNT = 300


def mutant(seed: int) -> str:
    """A few statements in another order, some of them gone or there twice; in two of three up to three words or
    characters are others, too."""
    draw = random.Random(seed)
    statements = [s for text in (*draw.sample(CALLS, 3), draw.choice(OBJECTS)) for s in re.findall("[^;]+;", text)]
    for _ in range(draw.randint(0, 2)):
        at, to = draw.randrange(len(statements)), draw.randrange(len(statements))
        statements[at:at + 1] = draw.choice([[], [statements[at]] * 2, [statements[to]]])
    words = re.findall(r"\w+|\s+|->|.", "\n".join(statements))
    for _ in range(draw.randint(1, 3) if seed % 3 and words else 0):
        at, to = draw.randrange(len(words)), draw.randrange(len(words))
        words[at] = draw.choice([
            "", words[to], words[at] * 2, "".join(draw.sample(words[at], len(words[at]))), draw.choice(WORDS),
            draw.choice([*LABELS.labels, *LABELS.vectors, "7", "-7", "0.5"])])
    return "".join(words)


@pytest.mark.parametrize("first", range(0, COUNT, 50))
def test_a_mutant_is_a_plan_or_a_mistake_with_a_place(first: int) -> None:
    for seed in range(first, first + 50):
        for target in ("cpu", "simt"):
            try:
                found = said(mutant(seed), target)
            except IrglError as e:
                assert e.span is not None, f"seed {seed}"
                assert e.message, f"seed {seed}"
            else:
                assert all(n.reason for n in found.not_applicable), f"seed {seed}"
                Plan(tuple((w.key, w.value) for w in found.words), target)


def test_the_mutants_are_of_both_kinds() -> None:
    refused = 0
    for seed in range(100):
        try:
            said(mutant(seed))
        except IrglError:
            refused += 1
    assert 20 < refused < 90
