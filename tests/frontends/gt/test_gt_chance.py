"""Neighbours by chance: the same ones on every target, others in each apply and by another seed, all equally likely."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from support.agreement import disagreements, interpreted
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

import irgl
from irgl.ast.dump import dump
from irgl.driver import front
from irgl.source import IrglError, Source

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const back : edgeset{Edge}(Vertex, Vertex) = edges.transpose();
const vertices : vertexset{Vertex} = edges.getVertices();
const one : vector{Vertex}(Vertex) = -1;
const other : vector{Vertex}(Vertex) = -1;
const hits : vector{Vertex}(int) = 0;
const here : Vertex = 0;
func choose(v : Vertex)
    one[v] = getRandomOutNgh(edges, v);
end
func choose_again(v : Vertex)
    other[v] = getRandomOutNgh(edges, v);
end
func against(v : Vertex)
    one[v] = getRandomInNgh(edges, v);
    other[v] = getRandomOutNgh(back, v);
end
func forward(v : Vertex) -> next : Vertex
    next = v;
    next = getRandomOutNgh(edges, next);
end
func walk(src : Vertex, dst : Vertex)
    var at : Vertex = dst;
    for i in 0:3
        at = forward(at);
        hits[at] += 1;
    end
end
func many(v : Vertex)
    if v == 0
        for i in 0:800
            hits[getRandomOutNgh(edges, v)] += 1;
        end
    end
end
func upwards(v : Vertex) -> output : bool
    output = getRandomOutNgh(edges, v) > v;
end
"""
ARCS = [(v, (v + step) % 30, 1) for v in range(30) for step in (1, 4, 9, 11, 17)]
RING = sp.csr_array(([w for *_, w in ARCS], ([a for a, *_ in ARCS], [b for _, b, _ in ARCS])), shape=(30, 30))


def found(main: str, **options: int) -> irgl.Answer:
    return irgl.compile("t.gt", target="ref", text=f"{HEAD}func main() {main} end")(RING, **options)


@pytest.mark.parametrize("main", ["vertices.apply(choose);", "vertices.apply(against);"])
def test_it_is_a_neighbour(main: str) -> None:
    got, dense = found(main), RING.toarray() if "choose" in main else RING.toarray().T
    assert all(dense[v, u] for v, u in enumerate(got["one"]))
    assert "choose" in main or all(dense[v, u] for v, u in enumerate(got["other"]))


def test_each_apply_draws_anew() -> None:
    got = found("vertices.apply(choose); vertices.apply(choose_again);")
    assert 0 < np.count_nonzero(got["one"] == got["other"]) < 15


def test_another_seed_gives_others() -> None:
    assert list(found("vertices.apply(choose);")["one"]) != list(found("vertices.apply(choose);", seed=2)["one"])


@pytest.mark.parametrize("main", ["vertices.apply(many);", "for i in 0:800 hits[getRandomOutNgh(edges, 0)] += 1; end"])
def test_each_neighbour_is_as_likely(main: str) -> None:
    hits = found(main)["hits"]
    assert hits.sum() == 800 and np.flatnonzero(hits).tolist() == [1, 4, 9, 11, 17]
    assert hits[hits > 0].min() > 120 and hits.max() < 200  # 160 each, give or take 11


def test_a_vertex_without_neighbours_stops_the_program_there() -> None:
    with pytest.raises(IrglError, match="there is no edge 0 here: there are 0") as caught:
        irgl.compile("t.gt", target="ref", text=f"{HEAD}func main()\nhere = getRandomOutNgh(edges, 1); end")(
            sp.csr_array(([1], ([0], [1])), shape=(2, 2)))
    assert caught.value.span is not None and caught.value.span.line == HEAD.count("\n") + 2


def test_every_target_draws_the_same() -> None:
    text = (f"{HEAD}func main() here = getRandomInNgh(edges, 3); vertices.apply(choose); edges.apply(walk);"
            " var some : vertexset{Vertex} = vertices.filter(upwards); some.apply(choose_again); end")
    one = RandomProgram(dump(front(Source("t.gt", text)).program), from_arcs(30, ARCS), {})
    result = interpreted(one)
    assert result is not None and int(result.properties["hits"].sum()) == 3 * len(ARCS)
    assert disagreements([one]) == []
    assert all_compared([one], ["cc=block outline=all block=64"]) == {}
