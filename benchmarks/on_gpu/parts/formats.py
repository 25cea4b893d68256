"""Forms of edges beside each other: the time of programs with each form that a GPU's code can ask, over that with rows.

Rows are timed with inner loops that are serial, too; every other plan is the one that irgl takes by itself, with the
form. In kind tables 2.6 and 3.5 of GRAssembler's paper.
"""

from __future__ import annotations

from irgl.forms.find import has_header, names
from on_gpu.parts.compared import submit
from on_gpu.suite import Suite
from on_gpu.units import by_block

PART = "formats"
PROGRAMS = ("pr_pull", "cc", "bfs", "sssp_nf")
GRAPHS = ("NY", "rmat22", "uniform")
BASE = "csr"


def plans(quick: bool) -> dict[str, str]:
    """By short name: rows, rows with serial inner loops, each form, and coo by segments."""
    forms = [name for name in names() if has_header(name, "cuh")]
    cut = {} if quick else {"coo segments": "format=coo segments=auto"}
    return {BASE: "default", "csr serial": "np=serial",
            **{f: f"format={f}" for f in (forms[:1] if quick else forms)}, **cut}


def _programs(suite: Suite) -> list[str]:
    return suite.programs(PROGRAMS)[:1 if suite.quick else None]


def prepare(suite: Suite) -> None:
    """Begins to build its plans behind the parts before it."""
    for program in _programs(suite):
        for group in by_block(list(plans(suite.quick).values())):
            suite.build(program, group)


def run(suite: Suite) -> None:
    compared = plans(suite.quick)
    jobs = []
    for name in GRAPHS[:1] if suite.quick else GRAPHS:
        for program in _programs(suite):
            jobs += submit(suite, PART, program, name, compared, PART, by_block(list(compared.values())))
    suite.wait(jobs, PART, "programs on graphs")
