"""The verifiers of the further programs accept right answers, and tell what is wrong with planted ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.programs import run_program
from support.verifying import arcs, edges, verifier

from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests import formula as F

#: Two triangles that share node 2, a tail from 4 over 5 to 6, and node 7 by itself; file ids are from 100 on.
ENDS = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (5, 6)]
LENGTHS = [2, 2, 1, 1, 2, 3, 1, 4]
TWO = edges(8, ENDS, LENGTHS)
ONE_WAY = arcs(8, ENDS, LENGTHS)
Claim = dict[str, Any]
Change = Callable[[Claim], None]


def put(role: str, at: int, value: float) -> Change:
    """A claim with one value changed."""
    def change(claim: Claim) -> None:
        claim[role] = np.array(claim[role])
        claim[role][at] = value
    return change


def say(role: str, value: Any) -> Change:
    def change(claim: Claim) -> None:
        claim[role] = value
    return change


def without(role: str) -> Change:
    return lambda claim: claim.__delitem__(role)


def all_of(*changes: Change) -> Change:
    def change(claim: Claim) -> None:
        for one in changes:
            one(claim)
    return change


def scaled(role: str, by: float) -> Change:
    def change(claim: Claim) -> None:
        claim[role] = np.array(claim[role]) * by
    return change


#: By verifier: the program, the graph, what it is given, and changes of the right claim with what is said of them.
TABLE: dict[str, tuple[str, Graph, dict[str, Any], dict[str, tuple[Change, str]]]] = {
    "clustering_coefficients": ("clustering", TWO, {}, {
        "a coefficient": (put("coefficients", 2, 0.5), "node 102 has coefficient 0.5, but it is 0.333333333"),
        "a triangle less": (put("triangles", 2, 1), "node 102 is said to be in 1 triangles, but it is in 2"),
        "not a number": (put("coefficients", 7, np.nan), "node 107 has coefficient nan, but it is 0"),
        "the average": (say("average", 0.7), "the average is said to be 0.7, but it is 0.458333333"),
        "transitivity": (say("transitivity", 0.5), "the transitivity is said to be 0.5, but it is 0.461538462"),
        "too few values": (say("coefficients", np.zeros(3)), "role coefficients holds 3 values"),
        "a role less": (without("coefficients"), "role coefficients is missing"),
        "a role more": (say("colour", 1), "role colour is unknown"),
    }),
    "edge_similarities": ("jaccard", TWO, {}, {
        "a similarity": (put("similarities", 0, 0.25), "nodes 100 and 101 have similarity 0.25, but it is 0.333333333"),
        "the last": (put("similarities", 15, 1), "nodes 106 and 105 have similarity 1, but it is 0"),
        "too few values": (say("similarities", np.zeros(3)), "holds 3 values, but the graph has 16 arcs"),
        "a role more": (say("colour", 1), "role colour is unknown"),
    }),
    "farthest_distances": ("eccentricities", TWO, {}, {
        "too near": (put("distances", 0, 3), "node 100 has eccentricity 3, but it is 4"),
        "too far": (put("distances", 7, 1), "node 107 has eccentricity 1, but it is 0"),
        "the diameter": (say("diameter", 5), "the diameter is said to be 5, but it is 4"),
        "the radius": (say("radius", 2), "the radius is said to be 2, but it is 0"),
        "components": (say("components", 1), "there are said to be 1 components, but there are 2"),
        "too few values": (say("distances", np.zeros(3)), "role distances holds 3 values, but the graph has 8 nodes"),
        "a role less": (without("distances"), "role distances is missing"),
    }),
    "cover": ("setcover", TWO, {}, {
        "one less": (all_of(put("chosen", 5, 0), say("size", 2)), "node 106 has neighbours, none of which is chosen"),
        "one for all": (all_of(put("chosen", 4, 0), say("size", 2)), "has neighbours, none of which is chosen"),
        "the first": (all_of(put("chosen", 2, 0), say("size", 2)), "has neighbours, none of which is chosen"),
        "none": (say("chosen", np.zeros(8)), "node 100 has neighbours, none of which is chosen"),
        "without neighbours": (all_of(put("chosen", 7, 1), say("size", 4)), "node 107 is chosen, and has no neighbour"),
        "the size": (say("size", 4), "the cover is said to have 4 nodes, but it has 3"),
        "too few values": (say("chosen", np.zeros(3)), "role chosen holds 3 values, but the graph has 8 nodes"),
        "a role less": (without("chosen"), "role chosen is missing"),
        "a role more": (say("colour", 1), "role colour is unknown"),
    }),
    "greedy_cover": ("dominating_set", TWO, {}, {
        "one less": (put("chosen", 2, 0), "node 100 is not in the set, and has no neighbour in it"),
        "one more": (all_of(put("chosen", 0, 1), say("size", 4)), "node 100 is in the set, but greed leaves it"),
        "another cover": (all_of(*(put("chosen", at, v) for at, v in ((2, 0), (0, 1), (3, 1))), say("size", 4)),
                          "node 100 is in the set, but greed leaves it"),
        "the size": (say("size", 9), "the set is said to have 9 nodes, but it has 3"),
        "too few values": (say("chosen", np.zeros(3)), "role chosen holds 3 values, but the graph has 8 nodes"),
    }),
    "hubs_and_authorities": ("hits", ONE_WAY, {}, {
        "not scaled": (scaled("hubs", 2), "the hubs sum to 2, but should to 1"),
        "negative": (scaled("authorities", -1), "among the authorities"),
        "the wrong way round": (lambda claim: claim.update(hubs=claim["authorities"], authorities=claim["hubs"]),
                                "but its neighbours make it"),
        "even values": (say("hubs", np.full(8, 1 / 8)), "but its neighbours make it"),
        "a lesser singular vector": (lambda claim: claim.update(hubs=np.eye(8)[5], authorities=np.eye(8)[6]),
                                     "the values belong to the singular value 1, but the first is 1.6"),
        "too few values": (say("hubs", np.zeros(3)), "role hubs holds 3 values, but the graph has 8 nodes"),
    }),
    "propagated_labels": ("label_propagation", TWO, {"rounds": 3}, {
        "a label": (put("labels", 6, 6), "node 106 has label 106, but it is 102"),
        "none": (put("labels", 0, -1), "node 100 has no label, but it is 100"),
        "a round less": (say("rounds", 2), "node 102 has label 100, but it is 102"),
        "moved": (say("moved", 0), "the last round is said to have changed 0 labels, but it changed 4"),
        "communities": (say("communities", 8), "there are said to be 8 communities, but there are 3"),
        "too few values": (say("labels", np.zeros(3)), "role labels holds 3 values, but the graph has 8 nodes"),
    }),
    "walk_visits": ("random_walks", TWO, {"length": 5}, {
        "a visit more": (put("visits", 7, 2), "node 107 is said to have 2 visits, but it has 1"),
        "an end": (put("ends", 7, 0), "the walk from node 107 is said to end at 100, but it ends at 107"),
        "no end": (put("ends", 7, -1), "the walk from node 107 is said to end at none, but it ends at 107"),
        "another seed": (say("seed", 2), "is said to have"),
        "a step less": (say("length", 4), "is said to have"),
        "fewer walks": (say("walks", 3), "is said to have"),
        "too few values": (say("ends", np.zeros(3)), "role ends holds 3 values, but the graph has 8 nodes"),
    }),
    "weighted_betweenness": ("bc_weighted", TWO, {}, {
        "halved": (scaled("scores", 0.5), "node 102 has score 8, but it is 16"),
        "a little": (put("scores", 4, 16 + 1e-6), "node 104 has score 16.000001, but it is 16"),
        "not a number": (put("scores", 0, np.nan), "node 100 has score nan, but it is 0"),
        "from some": (say("sources", 3), "node 105 has score 10, but it is 2"),
        "too few values": (say("scores", np.zeros(3)), "role scores holds 3 values, but the graph has 8 nodes"),
    }),
}
TOLERANCE = 1e-9


def claim_of(program: str, graph: Graph, given: dict[str, Any]) -> tuple[Graph, Claim]:
    """What the interpreter leaves, as the verifier is shown it, and the graph as it was prepared."""
    ran = run_program(program, graph, target="ref", **given)
    arrays = {name: value.array for name, value in ran.result.properties.items()}
    scope = F.Scope({"g": ran.graph}, {**ran.values, **ran.result.scalars, **arrays})
    return ran.graph, {role: F.value(f, scope, role) for role, f in ran.manifest.roles.items()}


@pytest.mark.parametrize(("name", "what"), [(name, what) for name, row in TABLE.items() for what in row[3]])
def test_a_planted_mistake_is_told(name: str, what: str) -> None:
    program, graph, given, changes = TABLE[name]
    verify = verifier(name).verify
    shown, claim = claim_of(program, graph, given)
    tolerance = 1e-6 if name == "hubs_and_authorities" else TOLERANCE
    assert verify(shown, dict(claim), tolerance) is None
    changes[what][0](claim)
    said = verify(shown, claim, tolerance)
    assert said is not None and changes[what][1] in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("name", TABLE)
def test_a_graph_without_nodes_is_accepted(name: str) -> None:
    shown, claim = claim_of(TABLE[name][0], arcs(0, []), {})
    assert verifier(name).verify(shown, claim, 1e-6) is None


def test_eccentricities_of_a_large_graph_are_held_to_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    module = verifier("farthest_distances")
    monkeypatch.setattr(module, "ALL_UP_TO", 10)
    monkeypatch.setattr(module, "SEARCHES", 20)
    path = edges(100, nx.path_graph(100).edges())
    right = np.maximum(np.arange(100), 99 - np.arange(100))
    assert module.verify(path, {"distances": right}, 0) is None
    assert "node 150 has eccentricity 3, but it is from " in module.verify(path, {"distances": np.where(
        np.arange(100) == 50, 3, right)}, 0)


def test_similarities_and_triangles_are_counted_by_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("clustering_coefficients", "edge_similarities"):
        module = verifier(name)
        monkeypatch.setattr(module, "PRODUCTS_AT_ONCE", 3)
        shown, claim = claim_of(TABLE[name][0], TWO, {})
        assert module.verify(shown, claim, TOLERANCE) is None


def test_first_singular_value_of_a_large_graph_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    module = verifier("hubs_and_authorities")
    monkeypatch.setattr(module, "SMALL", 2)
    shown, claim = claim_of("hits", edges(34, nx.karate_club_graph().edges()), {})
    assert module.verify(shown, claim, 1e-6) is None
