"""Retry backoff: fewer retries where items are in each other's way, the same answer, where it is refused and why."""

from __future__ import annotations

from functools import cache

import pytest
from support.refused import host

from irgl import driver
from irgl.frontends.text.load import load_text
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.describe import manifest_of
from irgl.source import IrglError
from irgl.space import legal_space

HEAD = "graph Graph { node lock guard; node int uses = 0; }\nlong failed = 0;\n"
END = "Program claim_all(Graph g) { Pipe Once Initial (g.nodes) { Invoke claim(g); } }\n"
#: Every node wants itself and one other; `failed` counts how often it didn't get them.
EXCLUSIVE = HEAD + """Kernel claim(Graph g) {
  ForAll (n In WL.items) {
    node other = n.edges[0].dst;
    Exclusive (g, [n, other]) {
      n.uses += 1;
      other.uses += 1;
    } Else {
      failed += 1;
      Retry n;
    }
  }
}
""" + END
#: Every node wants one other, by a lock.
LOCKS = HEAD + """Kernel claim(Graph g) {
  ForAll (n In WL.items) {
    node other = n.edges[0].dst;
    Atomic (other.guard) {
      for (int i = 0; i < 3; i++) { other.uses = other.uses + 1; }
    } Else {
      failed += 1;
      Retry n;
    }
  }
}
""" + END
NODES = 120


@cache
def ran(text: str, graph: str, plan: str, capacity: int = 0, mode: str = "fast") -> Outcome:
    """One run; without a seed the threads of the emulator come in their order, as those of a warp do."""
    chosen = Plan.parse(plan, "simt")
    manifest = manifest_of(driver.compile("claim.irgl", target="simt", plan=chosen, text=text), plan)
    graphs = {"g": load(graph, manifest.graphs[0], Loading())}
    options = Options(worklist_capacity=capacity)
    return device.run_built(device.build(manifest, (32, 32), True), 0.0, manifest, graphs, bind(manifest, graphs, {}),
                            chosen, options, mode=mode)


def failed(text: str, graph: str, plan: str) -> int:
    return int(ran(text, f"{graph}:{NODES}", plan).result.scalars["failed"])


@pytest.mark.parametrize(("graph", "factor"), [("cycle", 50), ("star", 8)])
def test_items_in_each_others_way_are_retried_less_often(graph: str, factor: int) -> None:
    assert factor * failed(EXCLUSIVE, graph, "outline=off retry=backoff") < failed(EXCLUSIVE, graph, "outline=off")


@pytest.mark.parametrize("graph", ["cycle", "star"])
def test_there_are_fewer_rounds(graph: str) -> None:
    plain, backed_off = (ran(EXCLUSIVE, f"{graph}:{NODES}", plan).stats["launches"]
                         for plan in ("outline=off", "outline=off retry=backoff"))
    assert 5 * backed_off < plain


def test_a_loop_on_the_gpu_backs_off_as_one_on_the_host() -> None:
    inside, outside = (failed(EXCLUSIVE, "star", f"outline={how} retry=backoff") for how in ("all", "off"))
    assert 5 * inside < failed(EXCLUSIVE, "star", "outline=off")
    assert 5 * outside < failed(EXCLUSIVE, "star", "outline=off")


@pytest.mark.parametrize("capacity", [0, 1])
@pytest.mark.parametrize("outline", ["off", "all", "graph"])
def test_every_item_gets_its_lock_once(outline: str, capacity: int) -> None:
    done = ran(LOCKS, f"star:{NODES}", f"outline={outline} retry=backoff block=64", capacity, "lockstep")
    assert int(done.result.array("uses").sum()) == 3 * done.result.array("uses").size


@pytest.mark.parametrize("outline", ["off", "all"])
def test_every_item_gets_its_elements_once(outline: str) -> None:
    done = ran(EXCLUSIVE, f"star:{NODES}", f"outline={outline} retry=backoff block=64", 1, "lockstep")
    assert int(done.result.array("uses").sum()) == 2 * done.result.array("uses").size


BITS = "Kernel k(Graph g) WL bitmap<node> { ForAll (n In WL.items) { if ((n.p += 1).old < 1) { Retry n; } } }"
AGAIN = "Kernel k(Graph g) { ForAll (n In WL.items) { if ((n.p += 1).old < 1) { Respawn n; } } }"
RETRY = AGAIN.replace("Respawn", "Retry")
INVOKED = "Pipe Once Initial [s] { Invoke k(g); }"
REFUSED = [("no retry", AGAIN, "nothing in it is retried"),
           ("a bitmap", BITS, "what is retried comes back in a bitmap, which has an order of its own")]


@pytest.mark.parametrize(("kernel", "why"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_where_nothing_backs_off_it_is_said_why(kernel: str, why: str) -> None:
    unit = driver.compile("p.irgl", target="cuda", plan=Plan.parse("retry=backoff", "cuda"), text=host(INVOKED, kernel))
    assert [line for line in unit.not_applicable if line.startswith("k.loop1: retry=")] == [
        f"k.loop1: retry=backoff: {why}"]


@pytest.mark.parametrize(("kernel", "why"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_a_place_that_cant_back_off_is_an_error(kernel: str, why: str) -> None:
    with pytest.raises(IrglError) as e:
        driver.compile("p.irgl", target="cuda", plan=Plan.parse("k.loop1.retry=backoff", "cuda"),
                       text=host(INVOKED, kernel))
    assert e.value.message == f"`k.loop1.retry=backoff` can't be honoured: {why}"


@pytest.mark.parametrize(("kernel", "values"), [(RETRY, ("plain", "backoff")), (AGAIN, ("plain",))])
def test_the_legal_space_has_it_where_items_are_retried(kernel: str, values: tuple[str, ...]) -> None:
    choices = legal_space(load_text(host(INVOKED, kernel)), "cuda")
    assert [c.values for c in choices if (c.place, c.option) == ("k.loop1", "retry")] == [values]


def test_one_loop_alone_backs_off() -> None:
    both = f"{RETRY} {RETRY.replace('Kernel k', 'Kernel l')}"
    text = driver.compile("p.irgl", target="cuda", plan=Plan.parse("l.loop1.retry=backoff", "cuda"),
                          text=host(f"{INVOKED} {INVOKED.replace('k(', 'l(')}", both)).text
    first, second = (text[text.index(f"__device__ void {k}("):].partition("\n}")[0] for k in "kl")
    assert ("backed_off(" in first, "backed_off(t, wl, wl.items())" in second) == (False, True)
