"""Pipe unrolling: what it prints, that it keeps the meaning and the rounds, and where it is refused in which words."""

from __future__ import annotations

import pytest
from support.agreement import STEPS, differences, interpreted
from support.choices import Seeded
from support.programs import NAMES, PLACE
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram, random_program
from support.refused import STEP, host
from support.simt_batch import compared

from irgl import driver
from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.visit import equal, walk
from irgl.frontends.text.load import load, load_text
from irgl.interpret import run
from irgl.passes import unroll_pipes
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import legal_space

HEAD = "graph Graph { node int p = 0; }\n" + STEP + "\n"


def loops(checked: Checked) -> list[A.Iterate | A.Pipe]:
    """The loops of the Program whose rounds can be repeated."""
    return [n for n in walk(checked.program)
            if isinstance(n, A.Iterate | A.Pipe) and unroll_pipes.why_not(n) is None]


def unrolled(checked: Checked, times: int) -> Checked:
    return check(unroll_pipes.run(checked.program, dict.fromkeys(loops(checked), times)))


def entry_after(body: str, times: int = 2) -> str:
    """The Program's body as the pass leaves it."""
    text = f"{HEAD}Program main(Graph g, node s = first) {{ int i = 0; {body} }}"
    after = dump(unrolled(check(load_text(text)), times).program)
    return after.partition("    int i = 0;\n")[2].rstrip().removesuffix("}").rstrip()


def test_the_round_of_a_pipe_stands_behind_the_test_of_a_nested_one() -> None:
    assert entry_after("Pipe Initial [s] { Invoke step(g); i++; }") == """\
    Pipe Initial [s] {
        Invoke step(g);
        i += 1;
        Pipe {
            Invoke step(g);
            i += 1;
            break;
        }
    }"""


def test_four_rounds_stand_in_each_other() -> None:
    assert entry_after("Pipe Initial [s] { Invoke step(g); }", 4) == """\
    Pipe Initial [s] {
        Invoke step(g);
        Pipe {
            Invoke step(g);
            Pipe {
                Invoke step(g);
                Pipe {
                    Invoke step(g);
                    break;
                }
                break;
            }
            break;
        }
    }"""


def test_an_iterate_invokes_its_kernel_in_the_copies() -> None:
    assert entry_after("Iterate step(g) Initial [s] { i++; }") == """\
    Iterate step(g) Initial [s] {
        i += 1;
        Pipe {
            Invoke step(g);
            i += 1;
            break;
        }
    }"""


def test_a_break_ends_the_whole_loop_and_a_continue_the_round() -> None:
    body = "Invoke step(g); if (i > 5) { break; } if (i == 2) { continue; } i++;"
    assert entry_after(f"Pipe Initial [s] {{ {body} }}") == """\
    Pipe Initial [s] {
        bool ended_1 = false;
        Invoke step(g);
        if (i > 5) {
            break;
        }
        if (i == 2) {
            continue;
        }
        i += 1;
        Pipe {
            Invoke step(g);
            if (i > 5) {
                ended_1 = true;
                break;
            }
            if (i == 2) {
                continue;
            }
            i += 1;
            break;
        }
        if (ended_1) {
            break;
        }
    }"""


def test_a_break_of_a_loop_inside_stays() -> None:
    assert "ended" not in entry_after("Pipe Initial [s] { Invoke step(g); while (i < 3) { i++; break; } }")


def test_the_flag_of_a_break_gets_a_name_that_is_free() -> None:
    assert "bool ended_2 = false;" in entry_after("int ended_1 = 4; Pipe Initial [s] { Invoke step(g); break; }")


def test_a_label_names_the_first_copy() -> None:
    assert entry_after("Pipe Initial [s] { near: Invoke step(g); }").count("near:") == 1


def test_pipes_in_pipes_are_unrolled_both() -> None:
    assert entry_after("Pipe Initial [s] { Pipe { Invoke step(g); } }").count("Invoke step(g);") == 4


@pytest.mark.parametrize("name", NAMES)
def test_an_unrolled_program_survives_printing(name: str) -> None:
    after = unrolled(check(load(PLACE / f"{name}.irgl")), 4).program
    assert equal(after, check(load_text(dump(after), "p.irgl")).program)


def test_no_copy_shares_a_node_with_another() -> None:
    text = f"{HEAD}Program main(Graph g, node s = first) {{ Iterate step(g) Initial [s] {{ int i = 0; i++; }} }}"
    nodes = list(walk(unrolled(check(load_text(text)), 4).program))
    assert len(nodes) == len(set(nodes))


BATCH = 25
BATCHES = [*range(4), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(4, 40))]


@pytest.mark.parametrize("batch", BATCHES)
def test_unrolled_programs_mean_the_same(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        program = random_program(Seeded(seed))
        before = interpreted(program)
        if before is not None:
            after = unrolled(check(load_text(program.text)), 2 + seed % 3)
            found = run(after, {"g": program.graph}, program.params, max_steps=8 * STEPS)
            assert differences(before, found) == [], program.text


LEAVES = """graph Graph { node int p = 0; }
int i = 0;
int rounds = 0;
int after = 0;
Kernel step(Graph g, int most) { ForAll (n In WL.items) { if ((n.p += 1).old < most) { WL.push(n); } } }
Program main(Graph g, node s = first) {
  %s
    rounds++;
    int k = i;
    i = k + 1;
    if (%s) { break; }
    if (k %% 3 == 1) { continue; }
    after++;
  }
}
"""


@pytest.mark.parametrize(("unroll", "end"), [("2", "false"), ("2", "k == 0"), ("4", "k == 1"), ("4", "k == 6")])
@pytest.mark.parametrize("loop", ["Pipe Initial [s] { Invoke step(g, 9);", "Iterate step(g, 9) Initial [s] {"],
                         ids=["Pipe", "Iterate"])
def test_rounds_end_on_a_device_as_without(loop: str, unroll: str, end: str) -> None:
    program = RandomProgram(LEAVES % (loop, end), from_arcs(3, [(0, 1, 1), (1, 2, 1)]), {})
    assert compared(program, f"block=32 outline=all unroll={unroll}") == ""


VALUE = "Kernel some(Graph g) { ForAll (n In g.nodes) { ReduceAndReturn (n.p > 0); } }"
REFUSED = [
    ("once", "unroll=4", "Pipe Once Initial [s] { Invoke step(g); }", "it runs once"),
    ("a value", "unroll=2", "Iterate While Any some(g) { total++; }",
     "the kernel's value decides on the next round, and only the Iterate itself asks for it"),
    ("on the host", "unroll=4 outline=off", "Pipe Initial [s] { Invoke step(g); }",
     "it stays on the host, where a launch costs more than what is saved"),
    ("that prints", "unroll=4", "Pipe Initial [s] { Invoke step(g); print(total); }",
     "it stays on the host, where a launch costs more than what is saved"),
    ("a graph", "unroll=4 outline=graph", "Pipe Initial [s] { Invoke step(g); }",
     "each copy would be one more kernel that every turn of the CUDA graph's loop runs"),
]


@pytest.mark.parametrize(("plan", "body", "why"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_where_a_loop_is_not_unrolled_it_is_said_why(plan: str, body: str, why: str) -> None:
    unit = driver.compile("p.irgl", target="cuda", plan=Plan.parse(plan, "cuda"), text=host(body, VALUE))
    place, option = "main.iterate1" if body.startswith("Iterate") else "main.pipe1", plan.split()[0]
    assert [line for line in unit.not_applicable if "unroll=" in line] == [f"{place}: {option}: {why}"]


@pytest.mark.parametrize(("plan", "body", "why"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_a_place_that_cant_be_unrolled_is_an_error(plan: str, body: str, why: str) -> None:
    place = "main.iterate1" if body.startswith("Iterate") else "main.pipe1"
    with pytest.raises(IrglError) as e:
        driver.compile("p.irgl", target="cuda", plan=Plan.parse(f"{place}.{plan}", "cuda"), text=host(body, VALUE))
    assert e.value.message == f"`{place}.{plan.split()[0]}` can't be honoured: {why}"


def test_one_loop_alone_is_unrolled() -> None:
    body = "Pipe Initial [s] { Invoke step(g); } Pipe Initial [s] { Invoke step(g); }"
    plan = Plan.parse("main.pipe2.unroll=2", "cuda")
    text = driver.compile("p.irgl", target="cuda", plan=plan, text=host(body)).text
    first, second = (text[text.index(f"void __launch_bounds__(irgl::block_size, 1) main_{pipe}_kernel"):]
                     .partition("\n}")[0] for pipe in ("pipe1", "pipe2"))
    assert (first.count("step(t, c, g, s.wl);"), second.count("step(t, c, g, s.wl);")) == (1, 2)


def test_a_pipe_in_an_outlined_one_may_be_unrolled() -> None:
    text = host("Pipe Once Initial [s] { Invoke step(g); Pipe { Invoke step(g); } }")
    choices = {c.place: (c.reason, c.values) for c in legal_space(load_text(text), "cuda") if c.option == "unroll"}
    assert choices == {"main.pipe1": ("it runs once", ("1",)), "main.pipe1.pipe1": (None, ("1", "2", "4"))}
