"""What an optimization must leave alone: each thing that stands in its way, and the words in which that is said."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.refused import APPENDS, EDGES, NESTED, OUTLINED, PLANS, SCOPED, host, over_nodes

from irgl import driver
from irgl.driver import Unit
from irgl.plan import Plan
from irgl.source import IrglError


def compiled(text: str, plan: str) -> Unit:
    return driver.compile("p.irgl", target="cuda", plan=Plan.parse(plan, "cuda"), text=text)


def refused(text: str, plan: str, option: str) -> list[str]:
    return [line for line in compiled(text, plan).not_applicable if f": {option}=" in line]


def applied(text: str, plan: str, option: str) -> list[str]:
    return [line for line in compiled(text, plan).applied if f": {option}=" in line]


def without_plan(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("// Plan:")]


def ids(rows: list[tuple[str, ...]]) -> list[str]:
    return [row[0] for row in rows]


@pytest.mark.parametrize("change", ["l.clear()", "l.swap(m)", "l.update(m)", "l.stack(m)"])
def test_a_list_is_not_changed_as_a_whole_inside_a_kernel(change: str) -> None:
    text = ("graph Graph { node int a = 0; }\n"
            f"Kernel k(Graph g, list<node> l, list<node> m) {{ ForAll (n In g.nodes) {{ l.push(n); }} {change}; }}\n"
            "Program p(Graph g) { list<node> l; list<node> m; Invoke k(g, l, m); }\n")
    with pytest.raises(IrglError) as refusal:
        compiled(text, "none")
    word = change[2:change.index("(")]
    assert refusal.value.message == f"'{word}' inside a kernel does not run on a device"
    assert refusal.value.span is not None and refusal.value.hint is not None


def test_a_range_is_not_kept_for_the_items_that_come_back() -> None:
    text = """long s = 0; graph Graph { }
      Kernel k(Graph g) WL list<long> {
        auto r = range(s);
        s += 1;
        ForAll (i In WL) { long x = WL.pop(i); if (x > 0) { Respawn x - 1; } }
      }
      Program p(Graph g) { Pipe Once Initial [3, 2] { Invoke k(g); } }"""
    with pytest.raises(IrglError) as refusal:
        compiled(text, "none")
    assert refusal.value.message == ("on a GPU 'k' runs again for the items that come back, and 'r' is not kept till "
                                     "then")
    assert refusal.value.span is not None and refusal.value.hint is not None


@pytest.mark.parametrize(("body", "said"), [r[1:] for r in NESTED], ids=ids(NESTED))
def test_no_scheduler_spreads_a_loop(body: str, said: str) -> None:
    assert refused(over_nodes(body), "np=fg", "np")[-1] == said


@pytest.mark.parametrize("body", [r[1] for r in NESTED], ids=ids(NESTED))
def test_a_loop_that_no_scheduler_spreads_is_generated_as_without_one(body: str) -> None:
    text = over_nodes(body)
    assert without_plan(compiled(text, "np=fg").text) == without_plan(compiled(text, "np=serial").text)


@pytest.mark.parametrize(("level", "body", "said"), [r[1:] for r in APPENDS], ids=ids(APPENDS))
def test_an_append_is_not_aggregated(level: str, body: str, said: str) -> None:
    assert refused(over_nodes(body), f"cc={level}", "cc") == [said]


@pytest.mark.parametrize(("level", "body"), [r[1:3] for r in APPENDS], ids=ids(APPENDS))
def test_an_append_that_is_not_aggregated_is_generated_as_without(level: str, body: str) -> None:
    text = over_nodes(body)
    assert without_plan(compiled(text, f"np=serial cc={level}").text) == without_plan(
        compiled(text, "np=serial cc=off").text)


@pytest.mark.parametrize(("body", "kernels", "said"), [r[1:] for r in OUTLINED], ids=ids(OUTLINED))
def test_a_loop_stays_on_the_host(body: str, kernels: str, said: str) -> None:
    assert refused(host(body, kernels), "outline=all", "outline") == [said]


@pytest.mark.parametrize(("body", "kernels"), [r[1:3] for r in OUTLINED], ids=ids(OUTLINED))
def test_a_loop_that_stays_on_the_host_is_generated_as_without_outlining(body: str, kernels: str) -> None:
    text = host(body, kernels)
    assert without_plan(compiled(text, "outline=all").text) == without_plan(compiled(text, "outline=off").text)


@pytest.mark.parametrize(("plan", "text", "message", "hint"), [r[1:] for r in SCOPED], ids=ids(SCOPED))
def test_what_a_plan_wants_of_one_place_is_honoured_or_an_error(plan: str, text: str, message: str, hint: str) -> None:
    with pytest.raises(IrglError) as e:
        compiled(text, plan)
    assert str(e.value) == f"error: {message}\n  hint: {hint}"


@pytest.mark.parametrize(("plan", "message", "hint"), [r[1:] for r in PLANS], ids=ids(PLANS))
def test_a_plan_that_is_none(plan: str, message: str, hint: str) -> None:
    with pytest.raises(IrglError) as e:
        Plan.parse(plan, "cuda")
    assert str(e.value) == f"error: {message}\n  hint: {hint}"


def test_a_scoped_option_that_cant_be_honoured_ends_irglc_with_2(tmp_path: Path) -> None:
    program = tmp_path / "p.irgl"
    program.write_text(over_nodes("For (e In n.edges) { found.push(e.dst); }"), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "irgl", "compile", str(program), "--target", "cuda", "-o", "-",
                           "--plan", "k.loop1.cc=block"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (
        2, "", "error: `k.loop1.cc=block` can't be honoured: the append stands in a sequential loop or under a lock\n"
               "  hint: leave it out; `cc=block` alone applies wherever it is legal\n")


@pytest.mark.parametrize(("option", "plan", "body"), [
    ("np", "np=fg", EDGES), ("cc", "cc=block", "found.push(n);"), ("cc", "cc=warp", "kept.append(n);"),
    ("cc", "cc=thread", "ForAll (e In n.edges) { found.push(e.dst); }")])
def test_a_program_with_nothing_in_the_way_is_optimized(option: str, plan: str, body: str) -> None:
    text = over_nodes(body)
    assert (len(applied(text, plan, option)), refused(text, plan, option)) == (1, [])
