"""Programs with one mistake each: (program, text, text instead, further arguments), by what is wrong.

Each stands in the program's own text, as somebody could have written it; the program still compiles and ends.
"""

from __future__ import annotations

Planted = tuple[str, str, str, tuple[str, ...]]


def _in(program: str, **mistakes: tuple[str, ...]) -> dict[str, Planted]:
    return {f"{program}: {what.replace('_', ' ')}": (program, old, new, tuple(args))
            for what, (old, new, *args) in mistakes.items()}


HOPS = _in(
    "bfs",
    first_level_is_two=("int step = 1;", "int step = 2;"),
    source_one_hop_from_itself=("src.hops = 0;", "src.hops = 1;"),
    two_levels_a_round=("step++;", "step += 2;"),
    a_second_source=("Initial [src]", "Initial [src, g.node(g.num_nodes - 1)]"),
    odd_nodes_are_never_expanded=("WL.push(e.dst);", "if (e.dst.id % 2 == 0) {\n          WL.push(e.dst);\n        }"),
    one_node_is_left_out=("e.dst.hops == INF", "e.dst.hops == INF && e.dst != g.node(4)"),
    every_node_counts_as_reached=("reached += n.hops != INF;", "reached += 1;"),
    deepest_one_too_deep=("? n.hops : 0", "? n.hops + 1 : 0"),
    unreached_nodes_at_zero=("node int hops = INF;", "node int hops = 0;"),
    results_not_counted=("  Invoke survey_hops(g);\n}", "}"),
) | _in(
    "bfs_cx",
    source_is_one_hop_away=("int step = 0;", "int step = 1;"),
    source_is_claimed_before_it_is_popped=("int step = 0;", "int step = 0;\n  src.hops = 0;"),
) | _in(
    "bfs_do",
    pull_sets_the_next_level=("n.hops = step;", "n.hops = step + 1;", "--alpha", "1000000"),
    pull_looks_along_arcs_out=("For (e In n.in_edges) {\n        if (now.contains(e.src))",
                               "For (e In n.edges) {\n        if (now.contains(e.dst))", "--alpha", "1000000"),
)
PATHS = _in(
    "sssp_delta",
    arcs_a_little_longer=("here + e.arc_length", "here + e.arc_length + 1"),
    short_arcs_rounded_up=("here + e.arc_length", "here + max(e.arc_length, 3)"),
    source_not_at_zero=("src.path_length = 0;", "src.path_length = 1;"),
    hops_for_lengths=("here + e.arc_length", "here + 1"),
    current_bucket_taken_for_stale=("here < WL.priority * width", "here < (WL.priority + 1) * width"),
    first_path_is_kept=("there < e.dst.path_length &&", "e.dst.path_length == INF &&"),
    first_arc_is_passed_over=("In n.edges)", "In n.edges.skip(1))"),
    one_too_many_reached=("long reached = 0;", "long reached = 1;"),
    farthest_of_all=("? n.path_length : 0", "? n.path_length : 777777"),
    unreached_nodes_at_a_number=("node int path_length = INF;", "node int path_length = 1000000;"),
) | _in(
    "sssp_bf",
    one_round_only=("rounds++;", "rounds++;\n    break;"),
    arcs_taken_backwards_are_longer=("here + e.arc_length", "here + abs(e.arc_length - 2)"),
) | _in(
    "sssp_nf",
    far_nodes_are_dropped=("        } else {\n          WL.push(e.dst);\n        }", "        }", "--delta", "1"),
)
NO_ROUNDS = ("--neighbours", "0")
COMPONENTS = _in(
    "cc_afforest",
    remaining_arcs_not_linked=("  Invoke link_outsiders(g, giant, neighbours);\n", "", *NO_ROUNDS),
    leader_for_outsiders=("relaxed n.comp_root != giant", "n.id == giant.id", *NO_ROUNDS),
    everything_counts=("components += n.comp_root == n;", "components += 1;"),
    all_but_roots_count=("components += n.comp_root == n;", "components += n.comp_root != n;"),
    a_node_made_a_root=("components += n.comp_root == n;",
                        "components += n.comp_root == n;\n    if (n.id == 3) {\n      n.comp_root = n;\n    }"),
    a_label_without_a_node=("components += n.comp_root == n;",
                            "components += n.comp_root == n;\n    if (n.id == 3) {\n      n.comp_root = NONE;\n    }"),
    one_component_of_all=("    n.comp_root = low;", "    n.comp_root = g.node(0);"),
    every_node_by_itself=("void link(Graph g, node a, node b) {", "void link(Graph g, node a, node b) {\n  return;"),
) | _in(
    "cc",
    first_arc_not_looked_at=("In n.edges)", "In n.edges.skip(1))"),
    no_arc_hooks=("      if (mine != other) {", "      if (mine != mine) {"),
)
RANKS = _in(
    "pr_pull",
    rank_of_sinks_is_lost=("1.0 - damping + damping * dangling", "1.0 - damping"),
    another_damping=("damping * sum", "0.8 * sum"),
    one_arc_too_many=("max(1, n.degree)", "n.degree + 1"),
    pulls_from_itself=("e.src.portion", "e.dst.portion"),
    pulls_along_arcs_out=("In n.in_edges) {\n      sum += e.src", "In n.edges) {\n      sum += e.dst"),
    stops_too_early=("while (change >= epsilon)", "while (change >= 0.05)"),
    one_iteration=("int max_iterations = 200", "int max_iterations = 1"),
    jumps_forgotten=("base + damping * sum", "damping * sum"),
) | _in(
    "pr",
    not_scaled=("n.pagerank / sum", "n.pagerank"),
    a_tenth_is_lost=("n.pagerank += mine;", "n.pagerank += 0.9 * mine;"),
)
MARKED = ("--renumber_from_degree", "0")
TRIANGLES = _in(
    "tri",
    what_is_not_marked=("marks.contains(f.dst)", "!marks.contains(f.dst)", *MARKED),
    one_to_begin_with=("long triangles = 0;", "long triangles = 1;"),
    marks_itself=("marks.push(e.dst);", "marks.push(e.src);", *MARKED),
    first_neighbour_not_marked=("For (e In u.edges) {\n      marks", "For (e In u.edges.skip(1)) {\n      marks",
                                *MARKED),
    first_step_left_out=("For (f In e.dst.edges)", "For (f In e.dst.edges.skip(1))"),
    each_found_six_times=("if (g.num_edges <", "Invoke count_marked(g);\n  if (g.num_edges > 9 +"),
    at_most_one=("triangles += h.dst", "triangles max= h.dst"),
    looks_no_further=("!(h.dst < f.dst)", "true"),
    looks_at_the_wrong_end=("contains(f.dst)", "contains(f.src)", *MARKED),
    arcs_for_edges=("undirected simple sorted Graph g", "directed simple sorted Graph g"),
    halved=("Invoke count_below(g);", "Invoke count_below(g);\n    triangles = triangles / 2;"),
)
INDEPENDENT = _in(
    "mis",
    nobody_is_in=("relaxed n.verdict = 1;", "relaxed n.verdict = 2;"),
    everybody_is_in=("members += n.verdict == 1;", "n.verdict = 1;\n    members += 1;"),
    all_nodes_counted=("members += n.verdict == 1;", "members += 1;"),
    a_self_loop_keeps_out=("e.dst != n", "true"),
    out_for_in=("inside = 1", "inside = 2"),
    one_node_is_asked=("Initial (g.nodes)", "Initial [g.node(12)]"),
    counted_from_five=("long members = 0;", "long members = 5;"),
    undecided_is_in=("inside = 1", "inside = 0"),
    a_member_taken_out=("members += n.verdict == 1;",
                        "members += n.verdict == 1;\n    if (n.id == 11) {\n      n.verdict = 2;\n    }"),
)
FOREST = _in(
    "mst",
    edges_for_weight=("weight += e.price;", "weight += 1;"),
    both_arcs_counted=("edges += 1;", "edges += 2;"),
    no_edge_marked=("        racy e.in_forest = true;\n", ""),
    heaviest_edges=("(long)e.price * 4294967296", "(long)(100 - e.price) * 4294967296"),
    any_edges=("(long)e.price * 4294967296 + e.id", "(long)e.id"),
    heavy_edges_left_out=("e.dst.comp_root != mine", "e.dst.comp_root != mine && e.price < 9"),
    cycles_are_closed=("bool united = false;", "bool united = true;"),
    trees_for_edges=("edges = edges", "edges = trees"),
    weight_from_three=("long weight = 0;", "long weight = 3;"),
    one_round_only=("Invoke jump_to_roots(g);", "Invoke jump_to_roots(g);\n    break;"),
)
CORES = _in(
    "kcore",
    starts_at_two=("int k = 0;", "int k = 2;"),
    one_more=("n.coreness = k;", "n.coreness = k + 1;"),
    fewer_than_k=("n.unpeeled <= k", "n.unpeeled < k"),
    fallen_nodes_wait=(".old == k + 1", ".old == k"),
    degrees_for_cores=("e.dst.unpeeled > k &&", "e.dst.unpeeled < 0 &&"),
    largest_counts_nodes=("largest max= n.coreness;", "largest += 1;"),
    two_at_a_time=("unpeeled -= 1", "unpeeled -= 2"),
    counts_itself=("(int)n.degree", "(int)n.degree + 1"),
    every_other_core=("k++;", "k += 2;"),
    first_neighbour_keeps_its_degree=("ForAll (e In n.edges)", "ForAll (e In n.edges.skip(1))"),
)
BETWEENNESS = _in(
    "bc",
    source_counted=("step > 0;", "step >= 0;"),
    share_for_dependency=("sum * n.trails;", "sum;", "--sources", "0"),
    one_path_each=("1.0 / n.trails", "1.0", "--sources", "0"),
    predecessors_for_paths=("sum += relaxed e.src.trails;", "sum += 1;", "--sources", "0"),
    successors_two_levels_on=("(g, step + 1, now)", "(g, step + 2, now)"),
    not_from_zero=("betweenness = 0;", "betweenness = 0.5;"),
    one_source_told=("s.is_source = true;", "src.is_source = true;", "--sources", "3"),
    one_source_for_all=("count = g.num_nodes;", "count = 1;", "--sources", "0"),
    search_not_forgotten=("    Invoke forget_search(g);\n", "", "--sources", "3"),
    largest_for_sum=("sum += relaxed e.dst.trails", "sum max= relaxed e.dst.trails"),
    endpoints_counted=("sum * n.trails;", "sum * n.trails + 1;"),
)
ARCS = _in(
    "traverse",
    one_more=("arcs = heads.size;", "arcs = heads.size + 1;"),
    twice=("heads.push(e.dst);", "heads.push(e.dst);\n      heads.push(e.src);"),
    without_the_first=("In n.edges)", "In n.edges.skip(1))"),
    nodes_for_arcs=("arcs = heads.size;", "arcs = g.num_nodes;"),
    loops_left_out=("heads.push(e.dst);", "if (e.dst != n) {\n        heads.push(e.dst);\n      }"),
    not_counted=("  arcs = heads.size;\n", ""),
    forwards_only=("heads.push(e.dst);", "if (n < e.dst) {\n        heads.push(e.dst);\n      }"),
    edges_halved=("arcs = heads.size;", "arcs = heads.size / 2;"),
)
VERIFIERS: dict[str, dict[str, Planted]] = {
    "shortest_hops": HOPS, "shortest_paths": PATHS, "connected_components": COMPONENTS, "stationary_rank": RANKS,
    "triangle_total": TRIANGLES, "independent_set": INDEPENDENT, "spanning_forest": FOREST, "core_numbers": CORES,
    "betweenness_scores": BETWEENNESS, "arc_total": ARCS,
}
