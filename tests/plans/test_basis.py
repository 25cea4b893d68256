"""basis=vertex and basis=edge: words of plans that stand for forms of edges, and for np=even where nodes are listed."""

from __future__ import annotations

import json

import pytest
from support.places import ROOT
from support.programs import path_of

from irgl import driver
from irgl.cli.main import exit_code
from irgl.placing import placed
from irgl.plan import Plan
from irgl.source import IrglError

SWEPT, LISTED = "relax_changed.loop1.loop1", "advance_frontier.loop1.loop1"
FALCON = ROOT / "programs" / "falcon" / "sssp.fal"


def there(program: str, plan: str, target: str) -> dict[str, str]:
    """What a plan says, with its places as they are in a program of programs/."""
    ready = driver.ready(ROOT / "programs" / program if "/" in program else path_of(program))
    return dict(placed(ready.checked.program, Plan.parse(plan, target), target, ready.sources[0]).settings)


@pytest.mark.parametrize(("plan", "target", "means"), [
    ("basis=edge", "cpu", "format=coo"),
    ("basis=edge", "cuda", "format=coo np=even"),
    ("basis=edge np=fg", "cuda", "format=coo np=fg"),
    ("none basis=edge", "simt", "none format=coo np=even"),
    ("basis=edge segments=4", "cpu", "format=coo segments=4"),
    ("basis=edge format=coo", "cpu", "format=coo"),
    ("basis=vertex", "cpu", "default"),
    ("basis=vertex np=fg", "cuda", "np=fg"),
])
def test_a_basis_stands_for_other_words(plan: str, target: str, means: str) -> None:
    assert Plan.parse(plan, target) == Plan.parse(means, target)


def test_a_basis_takes_the_place_of_a_form_where_a_plan_is_changed() -> None:
    assert str(Plan.parse("format=sell chunk=32").changed("basis=edge")) == str(Plan.parse("format=coo"))


@pytest.mark.parametrize(("program", "plan", "target", "means"), [
    ("sssp_bf", f"{SWEPT}.basis=edge", "cpu", {f"{SWEPT}.format": "coo"}),
    ("sssp_bf", f"{SWEPT}.basis=edge", "cuda", {f"{SWEPT}.format": "coo"}),
    ("bfs", f"{LISTED}.basis=edge", "cuda", {f"{LISTED}.np": "even"}),
    ("bfs", f"np=fg {LISTED}.basis=edge", "cuda", {"np": "fg", f"{LISTED}.np": "even"}),
    ("gt/pr.gt", "s1.basis=edge", "cpu", {"pass_on.s1.loop1.format": "coo"}),
    ("gt/bfs.gt", "s0:s1.basis=edge", "cuda", {"adopt.s1.loop1.np": "even"}),
    ("sssp_bf", f"format=ell {SWEPT}.basis=vertex", "cpu", {"format": "ell", f"{SWEPT}.format": "csr"}),
])
def test_at_a_place_it_stands_for_what_the_loop_can_honour(
    program: str, plan: str, target: str, means: dict[str, str]
) -> None:
    assert there(program, plan, target) == means


@pytest.mark.parametrize(("own", "words", "means"), [
    (f"{SWEPT}.format=sell {SWEPT}.chunk=32", f"{SWEPT}.basis=edge", f"{SWEPT}.basis=edge"),
    (f"{SWEPT}.basis=edge", f"{SWEPT}.format=sell", f"{SWEPT}.format=sell"),
    (f"{SWEPT}.basis=edge", f"{LISTED}.basis=edge", f"{SWEPT}.basis=edge {LISTED}.basis=edge"),
])
def test_of_a_place_a_basis_and_a_form_take_each_other_s_place(own: str, words: str, means: str) -> None:
    assert Plan.parse(own).changed(words) == Plan.parse(means)


def test_what_a_form_leaves_open_may_stand_beside_the_basis_of_a_place() -> None:
    assert there("sssp_bf", f"{SWEPT}.basis=edge {SWEPT}.segments=4", "cpu") == {
        f"{SWEPT}.format": "coo", f"{SWEPT}.segments": "4"}


def test_a_place_s_basis_beside_another_scheduler_of_a_listed_loop_is_refused() -> None:
    with pytest.raises(IrglError) as e:
        there("bfs", f"{LISTED}.np=fg {LISTED}.basis=edge", "cuda")
    assert e.value.message == f"`{LISTED}.basis=edge` stands for np=even there, and the plan says np=fg"
    assert there("bfs", f"{LISTED}.np=even {LISTED}.basis=edge", "cuda") == {f"{LISTED}.np": "even"}


@pytest.mark.parametrize(("plan", "message"), [
    ("basis=edges", "`basis=edges`: it takes vertex or edge"),
    ("basis", "`basis`: it takes vertex or edge"),
    ("basis=edge basis=vertex", "the plan gives `basis` twice"),
    ("format=sell basis=edge", "`basis=edge` stands for format=coo, and the plan says format=sell"),
    ("k.loop1.format=ell k.loop1.basis=edge",
     "`k.loop1.basis=edge` stands for format=coo, and the plan says format=ell"),
    ("bases=edge", "no plan option is called `bases`"),
])
def test_a_basis_that_says_nothing_is_refused(plan: str, message: str) -> None:
    with pytest.raises(IrglError) as e:
        Plan.parse(plan)
    assert e.value.message == message


@pytest.mark.parametrize(("program", "plan", "message"), [
    ("bfs", f"{LISTED}.basis=edge", f"`{LISTED}.format=coo` can't be honoured: the loop around it runs over a list, "
     "which can't be asked for a node; frontier=bitmap makes a set of a unique list"),
    ("bfs", "bfs.iterate1.basis=edge", "the plan sets `basis` for `bfs.iterate1`, which is no place for it"),
])
def test_a_place_that_cannot_honour_it_is_told(program: str, plan: str, message: str) -> None:
    with pytest.raises(IrglError) as e:
        driver.compile(path_of(program), plan=Plan.parse(plan))
    assert e.value.message == message


def test_where_it_cannot_be_honoured_everywhere_the_reason_is_told() -> None:
    unit = driver.compile(path_of("bfs"), plan=Plan.parse("basis=edge"))
    assert [line for line in unit.not_applicable if "format=coo" in line] == [
        f"{LISTED}: format=coo: the loop around it runs over a list, which can't be asked for a node; frontier=bitmap "
        "makes a set of a unique list"]


def steps(graph: str, plan: str, capsys: pytest.CaptureFixture[str]) -> int:
    """The steps of warps in the emulated GPU."""
    assert exit_code(["run", str(FALCON), "--target", "simt", "--graph", graph, "--argv2", "1", "--plan", plan,
                      "--stats", "--json"]) == 0
    return int(json.loads(capsys.readouterr().out)["stats"]["warp_steps"])


def test_edges_share_out_what_hubs_bring_and_cost_where_there_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    power_law, roads = "kron:scale=12,seed=1,weights=int", "grid:size=16x16,seed=1,weights=int"
    assert 2 * steps(power_law, "np=serial basis=edge", capsys) < steps(power_law, "np=serial", capsys)
    assert steps(roads, "np=serial basis=edge", capsys) > steps(roads, "np=serial", capsys)
