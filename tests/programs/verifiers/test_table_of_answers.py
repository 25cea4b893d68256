"""The table of known answers is read into the numbers that it holds."""

from __future__ import annotations

import pytest
from support import known_answers as known
from support.known_answers import Forest, Levels, Paths

pytestmark = pytest.mark.skipif(not known.TABLE.exists(), reason=known.ABSENT)


def test_lines_are_kept_as_they_stand() -> None:
    assert known.parse()["USA-road-d.NY", "components ; triangles ; max core"] == "1 ; 6529 ; 3"


def test_line_of_several_quantities_is_taken_apart() -> None:
    assert known.split()["luxembourg_osm", "BFS depth from 1"] == "1034"


def test_start_of_a_quantity_goes_before_all_of_its_parts() -> None:
    assert known.split()["cnr-2000", "BFS from 0: undirected reached/depth"] == "325557 / 25"


COUNTS = {
    "USA-road-d.NY": (1, 6529, 3),
    "USA-road-FLA": (1, 22327, 3),
    "ak2010": (50, 58408, 4),
    "cnr-2000": (1, 20977629, 83),
    "web-NotreDame": (1, 8910005, 155),
    "soc-Epinions1": (2, 1624481, 67),
    "wiki-Vote": (24, 608389, 53),
    "facebook_combined": (1, 1612010, 115),
    "email-Enron": (1065, 727044, 43),
    "CA-GrQc": (355, 48260, 43),
    "p2p-Gnutella31": (12, 2024, 6),
    "as-caida20071105.und": (1, 36365, 22),
    "actor-casts": (11842, 346813199, 365),
    "karate": (1, 45, 4),
    "west0067": (None, None, 6),
    "rome99": (None, 132, None),
    "zenios": (1391, None, None),
    "LFAT5": (3, 0, None),
}


@pytest.mark.parametrize(("graph", "counts"), COUNTS.items(), ids=COUNTS)
def test_components_triangles_and_cores(graph: str, counts: tuple[int | None, ...]) -> None:
    assert (known.components(graph), known.triangles(graph), known.max_core(graph)) == counts


@pytest.mark.parametrize(
    ("graph", "count"), [("rome99", 1), ("cnr-2000", 100977), ("web-NotreDame", 203609), ("karate", None)]
)
def test_strong_components(graph: str, count: int | None) -> None:
    assert known.strong_components(graph) == count


FORESTS = {
    "USA-road-d.NY": Forest(264345, 261159288),
    "USA-road-t.NY": Forest(264345, 628527136),
    "rome99": Forest(3352, 1186386),
    "ak2010": Forest(45242, 5414746115),
    "karate": None,
}


@pytest.mark.parametrize(("graph", "fact"), FORESTS.items(), ids=FORESTS)
def test_spanning_forests(graph: str, fact: Forest | None) -> None:
    assert known.forest(graph) == fact


PATHS = {
    "USA-road-d.NY": [
        Paths(1, 264346, 1440081, 90644, 186686642878),
        Paths(100000, None, 1142706, None, 130800329807),
        Paths(264346, None, 1503886, None, 202836065568),
    ],
    "USA-road-t.NY": [Paths(1, None, 1916421, 90644, 233812473957)],
    "rome99": [Paths(1, 3353, 69102, 2966, 116006476)],
    "ak2010": [Paths(1, 42381, 53971975, 16233, 429013225296)],
    "karate": [],
}


@pytest.mark.parametrize(("graph", "facts"), PATHS.items(), ids=PATHS)
def test_shortest_paths_from_a_source(graph: str, facts: list[Paths]) -> None:
    assert known.paths(graph) == facts


DISTANCES = {
    "USA-road-d.NY": {
        (1, 1000): 28939,
        (1, 100000): 955712,
        (1, 264346): 495306,
        (100000, 264346): 961466,
    },
    "USA-road-t.NY": {(1, 1000): 61253, (1, 100000): 1227149, (1, 264346): 734269},
    "rome99": {(1, 100): 35630, (1, 3353): 30305},
    "ak2010": {(1, 45292): 9325914},
}


@pytest.mark.parametrize(("graph", "facts"), DISTANCES.items(), ids=DISTANCES)
def test_distances_of_single_pairs(graph: str, facts: dict[tuple[int, int], int]) -> None:
    assert known.distances(graph) == facts


LEVELS = {
    "USA-road-d.NY": [Levels(1, 264346, 619, "file")],
    "USA-road-NE": [Levels(1, None, 1108, "file")],
    "cnr-2000": [Levels(0, 311, 8, "out-arcs"), Levels(0, 325557, 25, "undirected")],
    "wiki-Vote": [Levels(3, 2316, 5, "out-arcs"), Levels(3, 7066, 5, "undirected")],
    "email-Enron": [Levels(0, 33696, 9, "file")],
    "p2p-Gnutella31": [Levels(0, 60826, 25, "out-arcs")],
    "facebook_combined": [Levels(0, None, 6, "file")],
    "actor-casts": [Levels(0, None, 9, "file")],
    "karate": [],
}


@pytest.mark.parametrize(("graph", "facts"), LEVELS.items(), ids=LEVELS)
def test_breadth_first_levels(graph: str, facts: list[Levels]) -> None:
    assert known.levels(graph) == facts


def test_five_largest_ranks() -> None:
    top = {4037: 0.0046071735, 15: 0.0036798641, 6634: 0.0035868523, 2625: 0.0032836561, 2398: 0.0026086354}
    assert known.pagerank_top("wiki-Vote") == top


def test_five_largest_betweenness_scores() -> None:
    top = {13801: 508435.354, 9572: 352746.5249, 14599: 349992.1734, 7689: 342881.1334, 13929: 338516.3681}
    assert known.betweenness_top("CA-GrQc") == top


def test_graph_without_ranks_or_scores_has_none() -> None:
    assert known.pagerank_top("karate") is None
    assert known.betweenness_top("karate") is None


def test_vector_of_a_small_graph() -> None:
    ranks = known.vector("karate.pagerank")
    assert (len(ranks), ranks[0], ranks[4]) == (34, 0.0970011147, 0.0219857202)


def test_every_breadth_first_search_of_the_table_is_found() -> None:
    named = sum(quantity.count("BFS") for _, quantity in known.parse())
    both_ways = sum("out-arcs" in quantity and "undirected reached" in quantity for _, quantity in known.parse())
    assert sum(len(known.levels(graph)) for graph in known.graphs()) == named + both_ways


def test_every_triangle_count_of_the_table_is_found() -> None:
    named = sum("triangles" in quantity for _, quantity in known.parse())
    assert sum(known.triangles(graph) is not None for graph in known.graphs()) == named
