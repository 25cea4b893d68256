"""Small programs as CUDA code, each once compiled wrongly: in the emulator they do what the interpreter does."""

from __future__ import annotations

import pytest
from support.random_graphs import SmallGraph, from_arcs
from support.random_parts import RandomProgram
from support.simt_batch import compared

from irgl.source import IrglError

PATH = from_arcs(40, [(v, v + 1, v % 7) for v in range(39)])
STAR = from_arcs(70, [(0, v, v % 5) for v in range(1, 70)] + [(v, 0, v % 3) for v in range(1, 70, 2)])
OUTWARDS = from_arcs(70, [(0, v, v % 5) for v in range(1, 70)])
HEAD = "graph Graph { node lock guard; node int a = 0; node int b = 7; edge int w; }\nint s = 0;\n"


def wrong(text: str, plan: str = "", *, capacity: int = 1, graph: SmallGraph = PATH, mode: str = "check") -> str:
    """What the emulator complains of, or what it finds otherwise than the interpreter; '' for nothing."""
    return compared(RandomProgram(HEAD + text, graph, {}), f"block=32 {plan}", capacity, mode)


@pytest.mark.parametrize("outline", ["off", "all"])
def test_lists_take_what_no_bound_foresees(outline: str) -> None:
    text = """
Kernel k(Graph g, int turn) WL list<node> {
  ForAll (x In WL) {
    node n = WL.pop(x);
    n.a += 1;
    int j = 0;
    while (j < 3) { j++; if (turn < 3) { WL.push(n); } }
  }
}
Program entry(Graph g) { int turn = 0; Iterate k(g, turn) Initial (g.nodes) { turn++; } }"""
    assert wrong(text, f"outline={outline}") == ""


SCRATCH = """
  ForAll (n In g.nodes) {
    scratch<node> seen;
    For (e In n.edges) { seen.push(e.dst); }
    ForAll (e In n.in_edges) { if (seen.contains(e.src)) n.a += 1; }
  }
"""


def test_a_kernel_of_two_loops_has_scratch_sets() -> None:
    text = f"Kernel k(Graph g) {{ {SCRATCH} SyncRunningThreads; {SCRATCH} }} Program entry(Graph g) {{ Invoke k(g); }}"
    assert wrong(text, graph=STAR) == ""


def test_a_loop_with_scratch_sets_stays_on_the_host() -> None:
    loop = "int turn = 0; Pipe Once { Invoke k(g); Invoke k(g); }"
    assert wrong(f"Kernel k(Graph g) {{ {SCRATCH} }} Program entry(Graph g) {{ {loop} }}", "outline=all",
                 graph=STAR) == ""


LOCKED = """
Kernel k(Graph g) {{
  ForAll (n In g.nodes) {{
    For (e In n.edges) {{
      Atomic (e.dst.guard) {{ {0} }}{1}
    }}
  }}
}}
Program entry(Graph g) {{ Invoke k(g); }}"""


@pytest.mark.parametrize("mode", ["check", "lockstep"])
def test_threads_of_a_warp_take_turns_at_one_lock(mode: str) -> None:
    assert wrong(LOCKED.format("e.dst.a = e.dst.a + 1;", ""), graph=STAR, mode=mode) == ""


def test_a_loop_may_be_left_where_a_lock_was_not_got() -> None:
    assert wrong(LOCKED.format("e.dst.a = e.dst.a + 1;", " Else { break; }"), graph=PATH) == ""


@pytest.mark.parametrize("jump", ["break", "continue"])
def test_a_jump_from_under_a_lock_is_refused_with_its_place(jump: str) -> None:
    with pytest.raises(IrglError, match=f"a {jump} from under a lock") as refused:
        wrong(LOCKED.format(f"{jump};", ""))
    assert refused.value.span is not None
    assert refused.value.hint


@pytest.mark.parametrize("kind", ["uint8", "int16", "bool"])
def test_a_scalar_that_is_read_shares_no_word_with_one_that_is_updated(kind: str) -> None:
    first = "false" if kind == "bool" else "0"
    text = f"""
{kind} left = {first};
{kind} right = {first};
Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ left |= ({kind})(n.id & 1); if (right == ({kind})(0)) n.a = 1; }} }}
Program entry(Graph g) {{ Invoke k(g); }}"""
    assert wrong(text, "cc=off") == ""


def test_a_helper_runs_on_the_host_and_on_the_device() -> None:
    assert wrong("""
int twice(int x) { return 2 * x; }
int more(int x) { s += 1; return x > 100 ? x : twice(x) + 1; }
Kernel k(Graph g) { ForAll (n In g.nodes) { n.a = twice((int)(n.id)); } }
Program entry(Graph g) { Invoke k(g); s = more(3); s = more(s); }""") == ""


@pytest.mark.parametrize("text", [
    "Kernel k(Graph g) { ForAll (n In g.nodes) { CBlock writes(n.a) { g.a[n] = 1; } } } "
    "Program entry(Graph g) { Invoke k(g); }",
    "Program entry(Graph g) { CBlock writes(s) { c.s = 1; } }",
])
def test_a_c_block_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(IrglError, match="a CBlock is C\\+\\+ for the CPU") as refused:
        wrong(text)
    assert refused.value.span is not None
    assert refused.value.hint == "write it in IrGL, or use --target cpu"


@pytest.mark.parametrize("outline", ["off", "all"])
def test_room_is_made_for_the_edges_that_are_pushed_along(outline: str) -> None:
    text = """
Kernel k(Graph g, int turn) WL list<node> {
  ForAll (n In WL.items) {
    n.a += 1;
    ForAll (e In n.in_edges) { n.a += e.w; }
    if (turn < 2) { ForAll (e In n.out_edges) { WL.push(e.dst); } }
  }
}
Program entry(Graph g, node src = first) { int turn = 0; Iterate k(g, turn) Initial [src] { turn++; } }"""
    assert wrong(text, f"outline={outline}", graph=OUTWARDS) == ""


@pytest.mark.parametrize("outline", ["off", "all"])
def test_room_is_made_for_what_a_range_of_numbers_pushes(outline: str) -> None:
    text = """
Kernel fill(Graph g, int most) WL list<node> { ForAll (i In range(most)) { WL.push(g.node(i)); WL.push(g.node(i)); } }
Kernel use(Graph g) WL list<node> { ForAll (n In WL.items) { n.a += 1; } }
Program entry(Graph g) { Pipe Once { Invoke fill(g, 30); Invoke use(g); } }"""
    assert wrong(text, f"outline={outline}") == ""


@pytest.mark.parametrize("outline", ["off", "all"])
def test_room_is_made_for_what_two_loops_push(outline: str) -> None:
    text = """
Kernel fill(Graph g) WL list<node> {
  ForAll (n In g.nodes) { WL.push(n); }
  SyncRunningThreads;
  ForAll (n In g.nodes) { ForAll (e In n.edges) { WL.push(e.dst); } }
}
Kernel use(Graph g) WL list<node> { ForAll (n In WL.items) { n.a += 1; } }
Program entry(Graph g) { Pipe Once { Invoke fill(g); Invoke use(g); } }"""
    assert wrong(text, f"outline={outline}") == ""


@pytest.mark.parametrize("np", ["serial", "tb", "wp", "fg"])
def test_the_node_of_an_edge_goes_to_the_thread_that_takes_the_edge(np: str) -> None:
    text = """
Kernel k(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) { e.src.a += 1; ForAll (f In e.src.edges) { f.src.a += f.dst.b; e.src.a += f.w; } }
    ForAll (e In n.in_edges) { e.dst.a += e.w; }
  }
}
Program entry(Graph g) { Invoke k(g); }"""
    assert wrong(text, f"np={np}", graph=from_arcs(9, [(v, (v * v) % 9, v) for v in range(9) for _ in range(3)])) == ""


@pytest.mark.parametrize("read", [
    "int before = s; ForAll (n In g.nodes) { n.a = before; s += 1; }",
    "if (s < 5) { ForAll (n In g.nodes) { n.a += 1; s += 1; } } else { ForAll (n In g.nodes) { n.a += 2; s += 1; } }",
    "for (int i = 0; i < s; i++) { ForAll (n In g.nodes) { n.a += 1; s min= 3; } }",
])
def test_no_thread_begins_a_loop_before_all_have_read_what_it_stores(read: str) -> None:
    assert wrong(f"Kernel k(Graph g) {{ {read} }} Program entry(Graph g) {{ s = 4; Invoke k(g); }}", "cc=off") == ""
