"""Delaunay mesh refinement: points are added until no angle of the mesh is below a bound.

Algorithm: a triangle with too small an angle gets a new point at the centre of its circle, or nearer where that is
  enough. All triangles whose circle holds the point are its cavity, and are replaced by triangles around it. A
  centre that lies behind a segment, or in the circle over one, is not taken: the segment is cut in two instead, in
  the middle, or, where it meets another one at a sharp angle, at a power of two from that end. Cavities are found
  without locks; then they and their rims are held and, if nothing has changed there, replaced, else tried again.
Source: J. Ruppert, A Delaunay refinement algorithm for quality 2-dimensional mesh generation, J. Algorithms 18, 1995;
  sharp angles: G. Miller, S. Pav and N. Walkington, When and why Delaunay refinement algorithms work, IJCGA 15,
  2005; nearer points: A. Ungor, Off-centers, LATIN 2004; in parallel: M. Kulkarni et al., PLDI 2007.
Complexity: O(n log n) expected for n triangles of the result; every cavity is small but for a few.
Answer: the mesh is Delaunay but for its segments, and has no angle below `angle` but those between two segments and
  those of triangles whose shortest side is cut off from a sharp angle of the input. Which mesh it is depends on the
  order. An angle that can't be had ends with an error. Checked by refined_mesh.
"""

from __future__ import annotations

import irgl
from irgl import long, worklist

lists = irgl.include("append_only_list.irgl")
arrays = irgl.include("array.irgl")
mesh = irgl.include("mesh.irgl")
points = irgl.scalar(long, 0)
triangles = irgl.scalar(long, 0)
forced = irgl.scalar(long, 0)
cuts = irgl.scalar(long, 0)
stuck = irgl.scalar(long, 0)


@irgl.function
def cosine(degrees: float) -> float:
    x: float = degrees * 0.017453292519943295
    term: float = 1.0
    sum: float = 1.0
    for k in irgl.c_range(int, 1, 30, 2):
        term = -term * x * x / (k * (k + 1))
        sum += term
    return sum


@irgl.function
def distance2(m: mesh.Mesh, p: long, q: long) -> float:
    dx: float = m.x(q) - m.x(p)
    dy: float = m.y(q) - m.y(p)
    return dx * dx + dy * dy


@irgl.function
def is_narrow(m: mesh.Mesh, t: long, k: int, cosine2: float) -> bool:
    """Is the angle at corner k below the one whose squared cosine this is?"""
    a: long = m.point(t, k)
    b: long = m.point(t, (k + 1) % 3)
    c: long = m.point(t, (k + 2) % 3)
    dot: float = (m.x(b) - m.x(a)) * (m.x(c) - m.x(a)) + (m.y(b) - m.y(a)) * (m.y(c) - m.y(a))
    return dot > 0.0 and dot * dot > cosine2 * distance2(m, a, b) * distance2(m, a, c)


@irgl.function
def is_cut_off(m: mesh.Mesh, t: long, k: int) -> bool:
    """Does side k cut off a sharp angle of two segments, both at the same length?"""
    p: long = m.point(t, k)
    q: long = m.point(t, (k + 1) % 3)
    on_p: long = m.segment_of(p)
    on_q: long = m.segment_of(q)
    if on_p < 0 or on_q < 0 or on_p == on_q:
        return False
    for i in irgl.c_range(int, 0, 2):
        apex: long = m.segment_end(on_p, i)
        if apex == m.segment_end(on_q, 0) or apex == m.segment_end(on_q, 1):
            to_p: float = distance2(m, apex, p)
            to_q: float = distance2(m, apex, q)
            if abs(to_p - to_q) <= 0.001 * to_p and distance2(m, p, q) < to_p:
                return True
    return False


@irgl.function
def shortest_side(m: mesh.Mesh, t: long) -> int:
    best: int = 0
    for k in irgl.c_range(int, 1, 3):
        if distance2(m, m.point(t, k), m.point(t, (k + 1) % 3)) < distance2(
            m, m.point(t, best), m.point(t, (best + 1) % 3)
        ):
            best = k
    return best


@irgl.function
def is_bad(m: mesh.Mesh, t: long, cosine2: float) -> bool:
    """Has the triangle an angle that is too small and that no angle between segments forces?"""
    for k in irgl.c_range(int, 0, 3):
        if is_narrow(m, t, k, cosine2) and (m.segment(t, k) < 0 or m.segment(t, (k + 2) % 3) < 0):
            return not is_cut_off(m, t, shortest_side(m, t))
    return False


@irgl.function
def contains(list: lists.AppendOnlyList[long], item: long) -> bool:
    for i in irgl.c_range(long, 0, list.size):
        if list[i] == item:
            return True
    return False


@irgl.function
def grow_cavity(
    m: mesh.Mesh,
    cavity: lists.AppendOnlyList[long],
    rim: lists.AppendOnlyList[long],
    across: lists.AppendOnlyList[long],
    around: lists.AppendOnlyList[long],
    x: float,
    y: float,
    a: long,
    b: long,
) -> bool:
    """Grows the cavity of (x, y) from the triangles that are in it, through all sides but segments. A side of the rim
    is kept as 4 * triangle + side, what is across it (or -1) in `across`, and the triangles across also in `around`.
    False: others have changed the mesh here."""
    for i in irgl.c_range(long, 0, cavity.size):
        t: long = cavity[i]
        if not m.alive(t):
            return False
        for k in irgl.c_range(int, 0, 3):
            u: long = m.neighbour(t, k)
            inside: bool = False
            if m.segment(t, k) < 0 and u >= 0:
                inside = contains(cavity, u)
                if not inside and m.incircle(u, x, y) > 0:
                    cavity.append(u)
                    inside = True
            else:
                inside = a >= 0 and m.side_at(t, a, b) == k
            if not inside:
                rim.append(4 * t + k)
                across.append(u)
                if u >= 0:
                    around.append(u)
    return True


@irgl.function
def is_unchanged(
    m: mesh.Mesh,
    cavity: lists.AppendOnlyList[long],
    rim: lists.AppendOnlyList[long],
    across: lists.AppendOnlyList[long],
) -> bool:
    """Is the cavity still what was found? Asked while its triangles and those around are held."""
    for i in irgl.c_range(long, 0, cavity.size):
        if not m.alive(cavity[i]):
            return False
    for i in irgl.c_range(long, 0, rim.size):
        if m.neighbour(rim[i] / 4, rim[i] % 4) != across[i]:
            return False
    return True


@irgl.function
def is_seen(m: mesh.Mesh, rim: lists.AppendOnlyList[long], x: float, y: float) -> bool:
    """Does every side of the rim see (x, y) on its left?"""
    for i in irgl.c_range(long, 0, rim.size):
        t: long = rim[i] / 4
        k: long = rim[i] % 4
        if m.orient2d(m.point(t, k), m.point(t, (k + 1) % 3), x, y) <= 0:
            return False
    return True


@irgl.function
def fill_cavity(
    m: mesh.Mesh,
    cavity: lists.AppendOnlyList[long],
    rim: lists.AppendOnlyList[long],
    across: lists.AppendOnlyList[long],
    made: lists.AppendOnlyList[long],
    p: long,
    on: long,
    a: long,
    b: long,
) -> None:
    """Replaces the cavity by triangles from its rim to point p, which lies on segment `on` (or -1) between a and
    b."""
    for i in irgl.c_range(long, 0, rim.size):
        t: long = rim[i] / 4
        k: long = rim[i] % 4
        from_: long = m.point(t, k)
        to: long = m.point(t, (k + 1) % 3)
        n: long = m.add_triangle(from_, to, p)
        made.append(n)
        m.lay(n, 0, m.segment(t, k))
        m.link(n, 0, across[i])
        if on >= 0 and (to == a or to == b):
            m.lay(n, 1, on)
        if on >= 0 and (from_ == a or from_ == b):
            m.lay(n, 2, on)
    for i in irgl.c_range(long, 0, made.size):
        for j in irgl.c_range(long, 0, made.size):
            if m.point(made[i], 1) == m.point(made[j], 0):
                m.link(made[i], 1, made[j])
                m.link(made[j], 2, made[i])
                break
    for i in irgl.c_range(long, 0, cavity.size):
        m.remove(cavity[i])
    for i in irgl.c_range(long, 0, made.size):
        if across[i] >= 0:
            m.link(across[i], m.side_at(across[i], m.point(made[i], 0), m.point(made[i], 1)), made[i])


@irgl.function
def sharp_end(sharp: arrays.array[bool], a: long, b: long) -> int:
    """Which of a segment's ends, 0 or 1, lies at a sharp angle while the other does not; else -1."""
    at_a: bool = a < sharp.size and sharp[a]
    at_b: bool = b < sharp.size and sharp[b]
    return -1 if at_a == at_b else 0 if at_a else 1


@irgl.function
def cut_at(length: float, end: int) -> float:
    """How far along a segment's part of this length it is cut, its sharp end (or -1) given."""
    if end < 0:
        return 0.5
    whole: float = 1.0
    while 3.0 * whole > 2.0 * length:
        whole *= 0.5
    while 3.0 * whole < length:
        whole *= 2.0
    return whole / length if end == 0 else 1.0 - whole / length


@irgl.kernel
def flip_to_delaunay(m: mesh.Mesh, wl: worklist[list[long]]):
    """Two triangles whose circles hold each other's far corners are turned into the other two of their four
    points."""
    for t in wl:
        if not m.alive(t):
            continue
        side: long = -1
        u: long = -1
        far: long = -1
        for k in irgl.c_range(int, 0, 3):
            v: long = m.neighbour(t, k)
            if side < 0 and v >= 0 and m.segment(t, k) < 0:
                back: long = m.side_at(v, m.point(t, k), m.point(t, (k + 1) % 3))
                if back >= 0:
                    q: long = m.point(v, (back + 2) % 3)
                    if m.incircle(t, m.x(q), m.y(q)) > 0:
                        side = k
                        u = v
                        far = back
        if side < 0:
            continue
        cavity = lists.AppendOnlyList[long]()
        rim = lists.AppendOnlyList[long]()
        across = lists.AppendOnlyList[long]()
        around = lists.AppendOnlyList[long]()
        cavity.append(t)
        cavity.append(u)
        for k in irgl.c_range(int, 1, 3):
            rim.append(4 * t + (side + k) % 3)
            rim.append(4 * u + (far + k) % 3)
        for k in irgl.c_range(int, 0, 4):
            v: long = m.neighbour(rim[k] / 4, rim[k] % 4)
            across.append(v)
            if v >= 0:
                around.append(v)
        done: bool = False
        with irgl.exclusive(m, [cavity, around]):
            if is_unchanged(m, cavity, rim, across) and m.neighbour(t, side) == u:
                a: long = m.point(t, side)
                b: long = m.point(t, (side + 1) % 3)
                c: long = m.point(t, (side + 2) % 3)
                d: long = m.point(u, (far + 2) % 3)
                one: long = m.add_triangle(c, d, b)
                two: long = m.add_triangle(d, c, a)
                m.link(one, 0, two)
                m.link(two, 0, one)
                for k in irgl.c_range(int, 0, 4):
                    n: long = one if k == 0 or k == 3 else two
                    from_: long = m.point(rim[k] / 4, rim[k] % 4)
                    to: long = m.point(rim[k] / 4, (rim[k] % 4 + 1) % 3)
                    s: long = m.side_at(n, from_, to)
                    m.link(n, s, across[k])
                    m.lay(n, s, m.segment(rim[k] / 4, rim[k] % 4))
                m.remove(t)
                m.remove(u)
                for k in irgl.c_range(int, 0, 4):
                    n: long = one if k == 0 or k == 3 else two
                    if across[k] >= 0:
                        m.link(
                            across[k],
                            m.side_at(
                                across[k], m.point(rim[k] / 4, rim[k] % 4), m.point(rim[k] / 4, (rim[k] % 4 + 1) % 3)
                            ),
                            n,
                        )
                wl.push(one)
                wl.push(two)
                done = True
        if not done:
            irgl.retry(t)


@irgl.kernel
def split_bad(m: mesh.Mesh, sharp: arrays.array[bool], cosine2: float, near: float, wl: worklist[list[long]]):
    global cuts, stuck
    for t in wl:
        if not m.alive(t) or not is_bad(m, t, cosine2):
            continue
        shortest: int = shortest_side(m, t)
        p: long = m.point(t, shortest)
        q: long = m.point(t, (shortest + 1) % 3)
        r: long = m.point(t, (shortest + 2) % 3)
        qx: float = m.x(q) - m.x(p)
        qy: float = m.y(q) - m.y(p)
        rx: float = m.x(r) - m.x(p)
        ry: float = m.y(r) - m.y(p)
        twice: float = 2.0 * (qx * ry - qy * rx)
        qq: float = qx * qx + qy * qy
        rr: float = rx * rx + ry * ry
        dx: float = (ry * qq - qy * rr) / twice
        dy: float = (qx * rr - rx * qq) / twice
        nx: float = 0.5 * qx - near * qy
        ny: float = 0.5 * qy + near * qx
        if (nx - 0.5 * qx) * (nx - 0.5 * qx) + (ny - 0.5 * qy) * (ny - 0.5 * qy) < (dx - 0.5 * qx) * (dx - 0.5 * qx) + (
            dy - 0.5 * qy
        ) * (dy - 0.5 * qy):
            dx = nx
            dy = ny
        x: float = m.x(p) + dx
        y: float = m.y(p) + dy
        cavity = lists.AppendOnlyList[long]()
        rim = lists.AppendOnlyList[long]()
        across = lists.AppendOnlyList[long]()
        around = lists.AppendOnlyList[long]()
        made = lists.AppendOnlyList[long]()
        cavity.append(t)
        if not grow_cavity(m, cavity, rim, across, around, x, y, -1, -1):
            irgl.retry(t)
        cut: long = -1
        hidden: bool = False
        for i in irgl.c_range(long, 0, rim.size):
            s: long = rim[i] / 4
            k: long = rim[i] % 4
            if m.segment(s, k) >= 0 and not hidden:
                a: long = m.point(s, k)
                b: long = m.point(s, (k + 1) % 3)
                hidden = m.orient2d(a, b, x, y) <= 0
                if hidden or (m.x(a) - x) * (m.x(b) - x) + (m.y(a) - y) * (m.y(b) - y) < 0.0:
                    cut = rim[i]
        done: bool = False
        if cut < 0:
            with irgl.exclusive(m, [cavity, around]):
                if is_unchanged(m, cavity, rim, across):
                    if is_seen(m, rim, x, y):
                        fill_cavity(m, cavity, rim, across, made, m.add_point(x, y), -1, -1, -1)
                    else:
                        stuck += 1
                    done = True
        else:
            s: long = cut / 4
            a: long = m.point(s, cut % 4)
            b: long = m.point(s, (cut % 4 + 1) % 3)
            on: long = m.segment(s, cut % 4)
            at: float = cut_at(irgl.sqrt(distance2(m, a, b)), sharp_end(sharp, a, b))
            x = m.x(a) + at * (m.x(b) - m.x(a))
            y = m.y(a) + at * (m.y(b) - m.y(a))
            halves = lists.AppendOnlyList[long]()
            border = lists.AppendOnlyList[long]()
            beyond = lists.AppendOnlyList[long]()
            outside = lists.AppendOnlyList[long]()
            halves.append(s)
            u: long = m.neighbour(s, cut % 4)
            if u >= 0:
                halves.append(u)
            if not grow_cavity(m, halves, border, beyond, outside, x, y, a, b):
                irgl.retry(t)
            with irgl.exclusive(m, [halves, outside]):
                if is_unchanged(m, halves, border, beyond) and m.neighbour(s, cut % 4) == u:
                    if is_seen(m, border, x, y):
                        fill_cavity(m, halves, border, beyond, made, m.add_point_on(on, x, y), on, a, b)
                        cuts += 1
                    else:
                        stuck += 1
                    done = True
        if not done:
            irgl.retry(t)
        for i in irgl.c_range(long, 0, made.size):
            if is_bad(m, made[i], cosine2):
                wl.push(made[i])
        if cut >= 0 and made.size > 0:
            wl.push(t)


@irgl.kernel
def count_forced(m: mesh.Mesh, cosine2: float):
    global forced, triangles
    for t in m.triangles:
        triangles += 1
        forced += is_narrow(m, t, 0, cosine2) or is_narrow(m, t, 1, cosine2) or is_narrow(m, t, 2, cosine2)


@irgl.program
def dmr(m: mesh.Mesh, angle: float = 30.0, limit: long = 0):
    irgl.verify("refined_mesh", refined=m, least=angle)
    irgl.any_valid()
    global points
    if not (angle >= 0.0 and angle < 60.0):
        irgl.stop("--angle is at least 0 and less than 60 degrees")
    if limit < 0:
        irgl.stop("--limit is at least 0")
    cosine2: float = cosine(angle) * cosine(angle)
    near: float = 0.475 * irgl.sqrt((1.0 + cosine(angle)) / (1.0 - cosine(angle)))
    most: long = limit if limit > 0 else 200000 + 20 * m.num_triangles
    sharp = arrays.array[bool]()
    latest = arrays.array[long]()
    before = arrays.array[long]()
    sharp.resize(m.num_points)
    latest.resize(m.num_points)
    before.resize(2 * m.num_segments)
    for e in irgl.c_range(long, 0, 2 * m.num_segments):
        apex: long = m.segment_end(e / 2, e % 2)
        tip: long = m.segment_end(e / 2, 1 - e % 2)
        for f in irgl.c_for(long, latest[apex], lambda f: f > 0, lambda f: before[f - 1]):
            other: long = m.segment_end((f - 1) / 2, 1 - (f - 1) % 2)
            dot: float = (m.x(tip) - m.x(apex)) * (m.x(other) - m.x(apex)) + (m.y(tip) - m.y(apex)) * (
                m.y(other) - m.y(apex)
            )
            if dot > 0.0 and 4.0 * dot * dot > distance2(m, apex, tip) * distance2(m, apex, other):
                sharp[apex] = True
        before[e] = latest[apex]
        latest[apex] = e + 1
    irgl.iterate(flip_to_delaunay(m), initial=m.triangles)
    if angle > 0.0:
        with irgl.iterate(split_bad(m, sharp, cosine2, near), initial=m.triangles):
            if m.num_triangles > most:
                irgl.stop("the mesh keeps growing: it can't be had with this --angle, or wants a higher --limit")
    if stuck > 0:
        irgl.stop("triangles are too small to be divided in double precision: the --angle is too large")
    points = m.num_points
    count_forced(m, cosine2)
