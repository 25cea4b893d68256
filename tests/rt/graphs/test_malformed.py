"""What irgl says of text graph files that are wrong: the whole text of each message."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from irgl.rt.graphs.load import load
from irgl.source import IrglError

MTX = b"%%MatrixMarket matrix coordinate "
NAMES = ("hint: an edge is two integers; nodes with names are for irgl.run, in Python, "
         "as a table (pandas, Arrow, ...) or a list of edges")
CASES: list[tuple[str, str | None, bytes, str]] = [
    ("mtx_wrong_first_line", "mtx", b"%%MatrixMarket matrix coordinate real\n",
     "g:1: error: the first line must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"),
    ("mtx_array", None, b"%%MatrixMarket matrix array real general\n1 1\n5\n",
     "g:1: error: a dense (array) matrix is no graph: every entry is there"),
    ("mtx_complex", None, MTX + b"complex general\n1 1 1\n1 1 0 0\n",
     "g:1: error: complex values cannot be edge weights"),
    ("mtx_hermitian", None, MTX + b"real hermitian\n1 1 0\n",
     "g:1: error: a hermitian matrix has complex values, which cannot be edge weights"),
    ("mtx_vector", None, b"%%MatrixMarket vector coordinate real general\n",
     "g:1: error: 'vector' is not a matrix"),
    ("mtx_unknown_layout", None, b"%%MatrixMarket matrix dense real general\n",
     "g:1: error: unknown layout 'dense': only coordinate is known"),
    ("mtx_unknown_field", None, MTX + b"text general\n",
     "g:1: error: unknown field 'text': known are pattern, integer, real"),
    ("mtx_unknown_symmetry", None, MTX + b"real odd\n",
     "g:1: error: unknown symmetry 'odd': known are general, symmetric, skew-symmetric"),
    ("mtx_skew_pattern", None, MTX + b"pattern skew-symmetric\n2 2 0\n",
     "g:1: error: a skew-symmetric matrix needs values"),
    ("mtx_skew_diagonal", None, MTX + b"integer skew-symmetric\n2 2 1\n1 1 3\n",
     "g: error: a skew-symmetric matrix has an entry on its diagonal"),
    ("mtx_not_square", None, MTX + b"pattern general\n% c\n2 3 0\n",
     "g:3: error: the matrix is 2 x 3: a graph needs a square one"),
    ("mtx_no_size_line", None, MTX + b"pattern general\n% only a comment\n",
     "g: error: the file ends before its 'rows columns entries' line"),
    ("mtx_short_size_line", None, MTX + b"pattern general\n2 2\n",
     "g:2: error: expected 'rows columns entries', found '2 2'"),
    ("mtx_size_not_a_count", None, MTX + b"pattern general\n2 2 x\n",
     "g:2: error: entries: 'x' is not a count"),
    ("mtx_size_too_large", None, MTX + b"pattern general\n2 2 9999999999999999999\n",
     "g:2: error: entries: '9999999999999999999' is too large"),
    ("mtx_more_than_memory", None, MTX + b"pattern general\n999999999999999 999999999999999 0\n",
     "g: error: 999,999,999,999,999 nodes and 0 edges take 7,450,580.6 GiB, more than this machine's memory"),
    ("mtx_too_few_entries", None, MTX + b"pattern general\n2 2 2\n1 2\n",
     "g:2: error: the size line promises 2 entries, the file has 1"),
    ("mtx_too_many_entries", None, MTX + b"pattern general\n2 2 1\n1 2\n2 1\n",
     "g:2: error: the size line promises 1 entry, the file has 2"),
    ("mtx_id_zero", None, MTX + b"pattern general\n2 2 1\n0 1\n",
     "g:3: error: node id 0 is not in 1..2"),
    ("mtx_id_beyond", None, MTX + b"pattern general\n2 2 2\n1 2\n\n2 3\n",
     "g:5: error: node id 3 is not in 1..2"),
    ("mtx_value_missing", None, MTX + b"real general\n2 2 1\n1 2\n",
     "g:3: error: expected 'row column value', found 2 items"),
    ("mtx_value_in_pattern", None, MTX + b"pattern general\n2 2 1\n1 2 3\n",
     "g:3: error: expected 'row column', found 3 items"),
    ("mtx_real_in_integer", None, MTX + b"integer general\n2 2 1\n1 2 3.5\n",
     "g:3: error: weight '3.5' is not an integer"),
    ("mtx_nan", None, MTX + b"real general\n2 2 1\n1 2 nan\n",
     "g:3: error: weight 'nan' is not finite"),
    ("mtx_infinite", None, MTX + b"real general\n2 2 1\n1 2 1e999\n",
     "g:3: error: weight '1e999' is not finite"),
    ("mtx_integer_too_wide", None, MTX + b"integer general\n2 2 1\n1 2 9223372036854775808\n",
     "g:3: error: weight '9223372036854775808' does not fit 64 bits"),
    ("gr_no_problem_line", "gr", b"c nothing\n",
     "g: error: expected 'p sp nodes arcs' or 'p tw nodes edges', found the end of the file"),
    ("gr_arcs_first", "gr", b"a 1 2 3\n",
     "g:1: error: expected 'p sp nodes arcs' or 'p tw nodes edges', found 'a 1 2 3'"),
    ("gr_other_problem", None, b"p max 3 2\n",
     "g:1: error: expected 'p sp nodes arcs' or 'p tw nodes edges', found 'p max 3 2'"),
    ("gr_coordinates", None, b"p aux sp co 3\n",
     "g:1: error: this file holds coordinates, not a graph\n  hint: give it as the graph's coordinates"),
    ("gr_short_problem_line", None, b"p sp 3\n",
     "g:1: error: expected 'p sp nodes arcs', found 'p sp 3'"),
    ("gr_wrong_letter", None, b"p sp 2 1\nb 1 2 3\n",
     "g:2: error: a line must begin with 'a', not 'b'"),
    ("gr_missing_weight", None, b"p sp 2 1\nc x\na 1 2\n",
     "g:3: error: expected 'a tail head weight', found 3 items"),
    ("gr_too_few_arcs", None, b"p sp 2 2\na 1 2 3\n",
     "g:1: error: the problem line promises 2 arcs, the file has 1"),
    ("gr_node_beyond", None, b"p sp 2 1\na 1 3 3\n",
     "g:2: error: node id 3 is not in 1..2"),
    ("gr_weight_no_number", None, b"p sp 2 1\na 1 2 far\n",
     "g:2: error: weight 'far' is not a number"),
    ("tw_three_columns", None, b"p tw 2 1\n1 2 3\n",
     "g:2: error: expected 'node node', found 3 items"),
    ("tw_too_many_edges", None, b"p tw 2 1\n1 2\n2 1\n",
     "g:1: error: the problem line promises 1 edge, the file has 2"),
    ("el_one_column", None, b"1\n2\n",
     "g:1: error: an edge is 'source target' or 'source target weight', found 1 item\n"
     "  hint: name the format if this is no edge list: --format metis, cliques, ..."),
    ("el_heading_of_another_order", None, b"# x\ntarget,source\n1,2\n",
     "g:2: error: the column 'target' stands where the source belongs\n"
     "  hint: an edge is 'source,target' or 'source,target,weight'"),
    ("el_heading_with_weights_first", None, b"w,source,target\n1,2,3\n",
     "g:1: error: the column 'w' stands where the source belongs\n"
     "  hint: an edge is 'source,target' or 'source,target,weight'"),
    ("el_heading_of_row_numbers", None, b",source,target\n0,1,2\n",
     "g:1: error: the first column has no name: it does not hold nodes\n"
     "  hint: a table's own row numbers? write it without them: to_csv(index=False)"),
    ("el_heading_alone", None, b"source,target\n\n",
     "g:1: error: this line names columns, and no edges follow\n"
     f"  {NAMES}"),
    ("el_names", None, b"# x\nalice bob 3\nbob carol 4\n",
     f"g:2: error: node id 'alice' is not an integer\n  {NAMES}"),
    ("el_names_quoted", None, b'from,to\n0,"New_York"\n',
     f"g:2: error: node id '\"New_York\"' is not an integer\n  {NAMES}"),
    ("el_quotes_inside", None, b'1 2\n1"2" 3\n',
     "g:2: error: node id '1\"2\"' is not an integer"),
    ("el_semicolons", None, b"source;target\n1;2\n",
     "g:1: error: ';' stands between the columns\n  hint: give blanks, tabs or commas there"),
    ("el_bars", None, b"1|2|0.5\n",
     "g:1: error: '|' stands between the columns\n  hint: give blanks, tabs or commas there"),
    ("el_heading_with_a_comma_too_many", None, b"source,target,\n1,2,3\n",
     "g:2: error: the heading names 2 columns, and this line has 3"),
    ("el_heading_of_other_columns", None, b"source,target\n1,2,3\n",
     "g:2: error: the heading names 2 columns, and this line has 3"),
    ("el_second_heading", None, b"source,target\nsource,target\n1,2\n",
     f"g:2: error: node id 'source' is not an integer\n  {NAMES}"),
    ("el_ragged", None, b"# x\n1 2\n2 3\n3 4\n4\n5 6\n",
     "g:5: error: expected 'source target', found 1 item"),
    ("el_negative_id", None, b"1 2\n-3 4\n",
     "g:2: error: node id -3 is not at least 0"),
    ("el_word", None, b"1 2\ntwo 3\n",
     "g:2: error: node id 'two' is not an integer"),
    ("el_real_id", None, b"1 2\n1.5 3\n",
     "g:2: error: node id '1.5' is not an integer"),
    ("el_id_too_wide", None, b"1 2\n2 9223372036854775808\n",
     "g:2: error: node id '9223372036854775808' does not fit 64 bits"),
    ("el_weight_word", None, b"1 2 3\n2 3 x\n",
     "g:2: error: weight 'x' is not a number"),
    ("el_weight_nan", None, b"1 2 3.0\n2 3 NaN\n",
     "g:2: error: weight 'NaN' is not finite"),
    ("el_trailing_comment", None, b"1 2\n2 3 # back\n",
     "g:2: error: expected 'source target', found 4 items"),
    ("el_nul", None, b"1 2\n2 \x003\n",
     "g:2: error: a NUL byte: this is no text file"),
    ("el_not_ascii", None, "1 2\n2 ３\n".encode(),
     "g:2: error: node id '\\xef\\xbc\\x93' is not an integer"),
    ("metis_no_header", "metis", b"% only\n",
     "g: error: the header must be 'nodes edges [format [vertex-weights]]'"),
    ("metis_header_too_long", "metis", b"1 2 3 4 5\n",
     "g:1: error: the header must be 'nodes edges [format [vertex-weights]]'"),
    ("metis_bad_format", None, b"2 1 2 1\n2\n1\n",
     "g:1: error: format: '2' is not up to three digits 0 or 1"),
    ("metis_too_few_rows", "metis", b"3 1\n2\n1\n",
     "g:1: error: the header promises 3 nodes, the file has 2 lines for them"),
    ("metis_too_many_rows", "metis", b"2 1\n2\n1\n1\n",
     "g:4: error: the header promises 2 nodes, here is one more"),
    ("metis_edge_count", None, b"3 3\n2\n1 3\n2\n",
     "g:1: error: the header promises 3 edges, so 6 neighbours; the rows list 4"),
    ("metis_one_sided", None, b"3 2\n2 3\n1\n2\n",
     "g:2: error: node 1 lists 3, which does not list it back"),
    ("metis_weight_differs", None, b"2 1 1\n2 5\n1 6\n",
     "g:2: error: node 1 lists 2, which does not list it back with the same weight"),
    ("metis_odd_items", None, b"2 1 1\n2 5\n1\n",
     "g:3: error: expected neighbour weight pairs, found 1 item"),
    ("metis_neighbour_beyond", None, b"3 2\n2 4\n1\n1\n",
     "g:2: error: node id 4 is not in 1..3"),
    ("metis_no_vertex_weight", "metis", b"2 1 10\n\n1 1\n",
     "g:2: error: expected 1 vertex number and neighbours, found 0 items"),
    ("adj_other_word", "adj", b"AdjacencyHypergraph\n1\n0\n0\n",
     "g:1: error: expected 'AdjacencyGraph' or 'WeightedAdjacencyGraph', found 'AdjacencyHypergraph'"),
    ("adj_no_sizes", None, b"AdjacencyGraph\n2\n",
     "g: error: the file ends before the numbers of nodes and edges"),
    ("adj_size", None, b"AdjacencyGraph\n2\n-1\n",
     "g:3: error: edges: '-1' is not a count"),
    ("adj_too_few", None, b"AdjacencyGraph\n2\n1\n0\n1\n",
     "g: error: the file promises 3 numbers, and has 2"),
    ("adj_too_many", None, b"AdjacencyGraph\n2\n1\n0\n1\n1\n0\n",
     "g:7: error: the file promises 3 numbers, here is one more"),
    ("adj_no_weights", None, b"WeightedAdjacencyGraph\n2\n1\n0\n1\n1\n",
     "g: error: the file promises 4 numbers, and has 3"),
    ("adj_order", None, b"AdjacencyGraph\n3 2\n0\n2\n1\n1\n0\n",
     "g:4: error: the edges of node 1 begin at 2: they are not in order from 0 to 2"),
    ("adj_first", None, b"AdjacencyGraph\n1\n1\n1\n0\n",
     "g:4: error: the edges of node 0 begin at 1: they are not in order from 0 to 1"),
    ("adj_last", None, b"AdjacencyGraph\n2\n1\n0\n2\n0\n",
     "g:5: error: the edges of node 1 begin at 2: they are not in order from 0 to 1"),
    ("adj_id", None, b"AdjacencyGraph\n2\n1\n0\n1\n2\n",
     "g:6: error: node id 2 is not in 0..1"),
    ("adj_of_nobody", None, b"AdjacencyGraph\n0\n1\n0\n",
     "g:3: error: 1 edge of no node"),
    ("adj_word", None, b"AdjacencyGraph\n2\n1\n0\nx\n1\n",
     "g:5: error: number 'x' is not an integer"),
    ("adj_weight", None, b"WeightedAdjacencyGraph\n2\n1\n0\n1\n1\nheavy\n",
     "g:7: error: weight 'heavy' is not a number"),
    ("cliques_negative", "cliques", b"1 2\n3 -4\n",
     "g:2: error: node id -4 is not at least 0"),
    ("cliques_word", "cliques", b"1 2\n3 x\n",
     "g:2: error: node id 'x' is not an integer"),
    ("ele_corners", "ele", b"1 4 0\n1 1 2 3 4\n",
     "g:1: error: triangles have 3 or 6 corners, not 4"),
    ("ele_too_few", None, b"2 3 0\n1 1 2 3\n",
     "g:1: error: the header promises 2 triangles, the file has 1"),
    ("ele_order", "ele", b"2 3 0\n1 1 2 3\n3 1 2 3\n",
     "g:1: error: the triangles are not numbered in order from 0 or 1"),
    ("ele_point_zero", None, b"1 3 0\n1 0 2 3\n",
     "g:1: error: a triangle names point 0 in a file numbered from 1"),
    ("node_as_graph", None, b"2 2 0 0\n1 0 0\n2 1 1\n",
     "g:1: error: this file holds points (.node), not a graph\n  hint: give it as the graph's coordinates"),
    ("poly_as_graph", None, b"0 2 0 1\n1 0\n1 1 2\n0\n",
     "g:1: error: this file holds an outline (.poly), not a graph"),
]


@pytest.mark.parametrize(("format", "data", "message"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_a_wrong_file_is_refused_in_these_words(
    format: str | None, data: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g").write_bytes(data)
    with pytest.raises(IrglError) as caught:
        load("g", format=format, use_cache=False)
    assert str(caught.value) == message


INSTEAD = "\n  hint: give the name of a file, or a generator such as rmat:16 or path:100"


def refusal(spec: str, **options: Any) -> str:
    with pytest.raises(IrglError) as caught:
        load(spec, use_cache=False, **options)
    return str(caught.value)


def test_a_missing_file_is_named() -> None:
    assert refusal("nowhere/graph.mtx") == f"nowhere/graph.mtx: error: no such file{INSTEAD}"


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "x" * 5000 + ".mtx"])
def test_a_name_that_no_file_can_have_is_no_file(name: str) -> None:
    assert refusal(name) == f"{name}: error: no such file{INSTEAD}"


def test_an_empty_name_is_refused() -> None:
    assert refusal("") == f"error: the name of the graph is empty{INSTEAD}"


def test_a_pipe_is_refused_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refusal(str(tmp_path / "pipe")) == f"{tmp_path}/pipe: error: not a regular file"


def test_a_folder_is_no_graph(tmp_path: Path) -> None:
    assert refusal(str(tmp_path)) == f"{tmp_path}: error: not a regular file"


def test_an_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "g").write_bytes(b"1 2\n")
    known = "mtx, gr, el, metis, adj, cliques, ele, npz, galois, galois-float, irglg"
    expected = f"error: unknown graph format 'dot'\n  hint: known are {known}"
    assert refusal(str(tmp_path / "g"), format="dot") == expected


def test_index_bits_are_32_or_64() -> None:
    assert refusal("path:3", index_bits=16) == "error: index_bits is 32 or 64, not 16"


def test_a_generated_graph_has_no_format() -> None:
    expected = "path:3: error: a generated graph has no file format: 'mtx' cannot be used"
    assert refusal("path:3", format="mtx") == expected


def test_gaps_that_do_not_fit_are_refused_when_ids_are_kept(tmp_path: Path) -> None:
    (tmp_path / "g").write_bytes(b"1 4611686018427387904\n")
    assert "4,611,686,018,427,387,905 nodes and 1 edges take" in refusal(str(tmp_path / "g"), compact=False)
