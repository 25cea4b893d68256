"""The verifier of refined meshes accepts right ones, and rejects each kind of planted mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.meshes import mesh_of
from support.verifying import verifier

from irgl.rt.meshes.meshes import Mesh

VERIFY = verifier("refined_mesh").verify

# A rectangle in two triangles, which have angles of 26.6 degrees, and the same cut into two squares
CORNERS = [(0, 0), (2, 0), (2, 1), (0, 1)]
GIVEN = mesh_of(CORNERS, [(0, 1, 2), (0, 2, 3)], first=1)
HALVES = [(0, 4, 5), (0, 5, 3), (4, 1, 2), (4, 2, 5)]
# A kite: Delaunay is the diagonal 1-3
KITE = mesh_of([(0, 0), (3, -1), (6, 0), (3, 1)], [(0, 1, 3), (1, 2, 3)], first=1)
TIED = mesh_of([(0, 0), (3, -1), (6, 0), (3, 1)], [(0, 1, 2), (0, 2, 3)], [(0, 2)], first=1)


def made(given: Mesh, xy: Sequence[tuple[float, float]], corners: Sequence[tuple[int, int, int]],
         parts: Sequence[tuple[int, int, int]] = ()) -> Mesh:
    """A mesh of the given points and more, with parts (a, b, segment) besides the segments that are whole."""
    points = np.concatenate([given.xy, np.array(xy, np.float64).reshape(-1, 2)])
    known = {frozenset(ends): k for k, ends in enumerate(given.ends.tolist())}
    known |= {frozenset((a, b)): k for a, b, k in parts}
    triangles = np.array(corners, np.int32)
    sides = [[known.get(frozenset((t[k], t[(k + 1) % 3])), -1) for k in range(3)] for t in triangles.tolist()]
    return replace(given, xy=points, corners=triangles, sides=np.array(sides, np.int32))


def segment(given: Mesh, a: int, b: int) -> int:
    return next(k for k, ends in enumerate(given.ends.tolist()) if set(ends) == {a, b})


BELOW, ABOVE = segment(GIVEN, 0, 1), segment(GIVEN, 2, 3)
PARTS = [(0, 4, BELOW), (4, 1, BELOW), (2, 5, ABOVE), (5, 3, ABOVE)]
MIDDLES = [(1.0, 0.0), (1.0, 1.0)]
RIGHT = made(GIVEN, MIDDLES, HALVES, PARTS)
#: What is claimed of the rectangle, and what the verifier says
WRONG: dict[str, tuple[Mesh, str]] = {
    "nothing refined": (made(GIVEN, [], [(0, 1, 2), (0, 2, 3)]),
                        "triangle 1 has an angle of 26.5651 degrees at point 1, and nothing forces it"),
    "a triangle left out": (made(GIVEN, MIDDLES, HALVES[1:], PARTS),
                            "the side from point 1 to 6 is at the boundary, and part of no segment"),
    "a triangle twice": (made(GIVEN, MIDDLES, [*HALVES, HALVES[0]], PARTS),
                         "two triangles lie to the left of the side from point 1 to 5"),
    "a clockwise triangle": (made(GIVEN, MIDDLES, [(0, 5, 4), *HALVES[1:]], PARTS),
                             "triangle 1 is not counterclockwise"),
    "a flat triangle": (made(GIVEN, MIDDLES, [*HALVES, (0, 4, 1)], PARTS), "triangle 5 is not counterclockwise"),
    "a given point moved": (replace(RIGHT, xy=np.array([*RIGHT.xy[:3], (0, 1.5), *RIGHT.xy[4:]])),
                            "point 4 of the given mesh is not where it was"),
    "points lost": (replace(RIGHT, xy=RIGHT.xy[:3]), "point 4 of the given mesh is not where it was"),
    "a point off its segment": (made(GIVEN, [(1, 1e-6), MIDDLES[1]], HALVES, PARTS),
                                f"point 5 is not on segment {BELOW + 1}"),
    "a point that is nowhere": (made(GIVEN, [(1, np.nan), MIDDLES[1]], HALVES, PARTS), "point 5 is not in the plane"),
    "a point on one side only": (made(GIVEN, [(1, 0.5)], [(0, 1, 4), (1, 2, 4), (0, 2, 3)]),
                                 "the side from point 5 to 1 is at the boundary, and part of no segment"),
    "a corner that is no point": (made(GIVEN, MIDDLES, [*HALVES[:3], (4, 2, 6)], PARTS),
                                  "triangle 4 has a corner that is no point"),
    "a point of no triangle": (made(GIVEN, [*MIDDLES, (0.5, 0.5)], HALVES, PARTS),
                               "point 7 was added and is a corner of no triangle"),
    "a triangle outside": (made(GIVEN, [*MIDDLES, (3, 0.5)], [*HALVES, (1, 6, 2)], PARTS),
                           "the side from point 2 to 7 is at the boundary, and part of no segment"),
    "an unmarked part of a segment": (made(GIVEN, MIDDLES, HALVES, PARTS[1:]),
                                      "the side from point 1 to 5 is at the boundary, and part of no segment"),
    "a part of another segment": (made(GIVEN, MIDDLES, HALVES, [(0, 4, ABOVE), *PARTS[1:]]),
                                  f"point 1 is not on segment {ABOVE + 1}"),
    "an inner side marked": (made(GIVEN, MIDDLES, HALVES, [*PARTS, (4, 5, BELOW)]),
                             f"point 6 is not on segment {BELOW + 1}"),
    "a segment that does not exist": (made(GIVEN, MIDDLES, HALVES, [*PARTS, (4, 5, 9)]),
                                      "a side is part of a segment that does not exist"),
    "marked from one side only": (replace(RIGHT, sides=np.where((RIGHT.corners == 4) & (RIGHT.sides < 0), 0,
                                                                RIGHT.sides)),
                                  "the triangles at points 5 and 6 disagree on what segment is there"),
}


def test_right_mesh_is_accepted() -> None:
    assert VERIFY(GIVEN, {"refined": RIGHT, "least": 30.0}, 1e-6) is None


@pytest.mark.parametrize(("mesh", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(mesh: Mesh, message: str) -> None:
    assert VERIFY(GIVEN, {"refined": mesh, "least": 30.0}, 1e-6) == message


def test_far_corner_in_a_circle_is_rejected() -> None:
    turned = made(KITE, [], [(0, 1, 2), (0, 2, 3)])
    assert VERIFY(KITE, {"refined": made(KITE, [], KITE.corners.tolist()), "least": 10.0}, 0.0) is None
    message = "the circle of triangle 1 holds the far corner of triangle 2"
    assert VERIFY(KITE, {"refined": turned, "least": 10.0}, 0.0) == message


def test_far_corner_a_hair_inside_of_a_circle_is_rejected() -> None:
    """Beyond what doubles tell: the corner is 2^-50 inside, all coordinates being exact."""
    for inside, message in ((0.0, None), (2.0**-52, "the circle of triangle 1 holds the far corner of triangle 2")):
        given = mesh_of([(0, 0), (1, 0), (1, 1 - inside), (0, 1)], [(0, 1, 3), (1, 2, 3)], first=1)
        turned = made(given, [], [(0, 1, 2), (0, 2, 3)])
        straight = made(given, [], [(0, 1, 3), (1, 2, 3)])
        assert {VERIFY(given, {"refined": m, "least": 30.0}, 0.0) for m in (turned, straight)} == {None, message}


def test_segment_may_keep_a_far_corner_in_a_circle() -> None:
    assert VERIFY(TIED, {"refined": made(TIED, [], [(0, 1, 2), (0, 2, 3)]), "least": 10.0}, 0.0) is None


def test_segment_that_is_turned_away_is_rejected() -> None:
    turned = made(TIED, [], [(0, 1, 3), (1, 2, 3)])
    message = "segment 1, from point 1 to 3, has no triangles on a side where it had some"
    assert VERIFY(TIED, {"refined": turned, "least": 10.0}, 0.0) == message


def test_angle_between_segments_is_forced() -> None:
    given = mesh_of([(0, 0), (4, 0), (4, 1)], [(0, 1, 2)], first=1)
    assert VERIFY(given, {"refined": made(given, [], [(0, 1, 2)]), "least": 14.0}, 0.0) is None
    assert VERIFY(given, {"refined": made(given, [], [(0, 1, 2)]), "least": 89.0}, 0.0) is None


def _wedge(along: float) -> tuple[Mesh, Mesh]:
    """A corner of 20 degrees cut off at distance 1 on one side and `along` on the other."""
    tip = np.array([np.cos(np.radians(20)), np.sin(np.radians(20))])
    given = mesh_of([(0, 0), (3, 0), 3 * tip], [(0, 1, 2)], first=1)
    parts = [(0, 3, segment(given, 0, 1)), (3, 1, segment(given, 0, 1)),
             (0, 4, segment(given, 0, 2)), (4, 2, segment(given, 0, 2))]
    return given, made(given, [(1, 0), along * tip], [(0, 3, 4), (3, 1, 4), (4, 1, 2)], parts)


def test_triangle_behind_a_sharp_corner_is_forced_where_it_is_cut_evenly() -> None:
    given, refined = _wedge(1.0)
    assert VERIFY(given, {"refined": refined, "least": 20.5}, 0.0) is None
    given, refined = _wedge(1.1)
    wrong = VERIFY(given, {"refined": refined, "least": 20.5}, 0.0)
    assert wrong is not None
    assert wrong.startswith("triangle 2 has an angle of ")


@pytest.mark.parametrize("claim", [{"refined": RIGHT}, {"refined": RIGHT, "least": 1.0, "more": 2}])
def test_roles_are_held_to_their_names(claim: dict[str, Any]) -> None:
    assert VERIFY(GIVEN, claim, 0.0) == ("role least is needed" if len(claim) == 1 else "role more is unknown")
