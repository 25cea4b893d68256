"""The rounds of a run on a GPU, of the log that its unit wrote (cuda_rt/round_log.cuh)."""

from __future__ import annotations

from irgl.rt.results.rounds import of_gpu

BEGINS, END, WAY, OVER, COUNTS = 1, 2, 3, 4, 5
PLACES = ("main.while1", "main.while1.pipe1")


def log(*notes: tuple[int, int, int, int, int], further: int = 0, end: int = 0) -> list[int]:
    """What a unit writes: `further` rounds, of a note each, are not kept."""
    begun = sum(note[0] == BEGINS for note in notes)
    return [len(notes) + further, begun + further, end or notes[-1][3], *(word for note in notes for word in note)]


def test_times_and_launches_are_told_once_in_the_innermost_round() -> None:
    ms = 1_000_000
    found = of_gpu(log((END, 0, 0, 10 * ms, 2), (BEGINS, 0, 0, 11 * ms, 3), (BEGINS, 1, 1, 13 * ms, 3),
                       (OVER, 7, 40, 13 * ms, 4), (WAY, 2, 0, 14 * ms, -1), (BEGINS, 1, 1, 16 * ms, -1),
                       (OVER, 5, -1, 16 * ms, -1), (END, 1, 0, 20 * ms, 6), (END, 0, 0, 25 * ms, 6)), PLACES)
    assert [(r.loop, r.number, r.around, r.frontier, r.edges, r.direction) for r in found.kept] == [
        ("main.while1", 1, (), 7, 40, ""), ("main.while1.pipe1", 1, (1,), 7, 40, "pull"),
        ("main.while1.pipe1", 2, (1,), 5, None, "")]
    assert [r.counted for r in found.kept] == [{"launches": 0, "ms": 7.0}, {"launches": 1, "ms": 3.0},
                                              {"launches": 2, "ms": 4.0}]
    assert (found.outside, found.further, found.beyond) == ({"launches": 1, "ms": 1.0}, 0, {})


def test_the_time_of_counting_edges_is_in_no_round() -> None:
    ms = 1_000_000
    found = of_gpu(log((END, 0, 0, 0, 0), (BEGINS, 0, 0, 1 * ms, 0), (COUNTS, 0, 0, 2 * ms, 0),
                       (OVER, 7, 40, 5 * ms, 0), (END, 0, 0, 11 * ms, 1)), PLACES)
    assert (found.kept[0].counted, found.outside) == ({"launches": 1, "ms": 7.0}, {"launches": 0, "ms": 1.0})


def test_rounds_that_are_not_kept_are_one() -> None:
    found = of_gpu(log((END, 0, 0, 0, 0), (BEGINS, 0, 0, 0, 0), (OVER, -1, -1, 0, 0), further=3, end=5_000_000), PLACES)
    assert (len(found.kept), found.kept[0].frontier, found.further) == (1, None, 3)
    assert found.beyond == {"launches": 0, "ms": 5.0}


def test_a_run_that_ended_before_has_none() -> None:
    assert of_gpu([], PLACES).kept == ()
