// The methods of Mesh and MeshView (mesh.cuh), which include this inside of their classes: IRGL_HERE tells where they
// run, IRGL_WHO what stands in the thread's place. How memory is reached differs, and is theirs: point_at, segment_at,
// triangle_at; within(array, i); what(array, i, location) for what is stored before anybody can know of i;
// look(location) and put(location, value) for what is read and stored at the same time; follow(link) and show(link,
// triangle), by which a new triangle becomes known; push(who, item).
IRGL_HERE int64_t num_points() { return points_.size(); }
IRGL_HERE int64_t num_segments() { return segments_.size(); }
IRGL_HERE int64_t num_triangles() { return triangles_.size(); }
IRGL_HERE int64_t operator[](int64_t t) { return at(t); }
IRGL_HERE int64_t at(int64_t t, int64_t place = 0) { return known(t, 0, place) ? t : 0; }
IRGL_HERE double x(int64_t p, int64_t place = 0) { return point_known(p, place) ? what(points_, p, point_at(p).x) : 0; }
IRGL_HERE double y(int64_t p, int64_t place = 0) { return point_known(p, place) ? what(points_, p, point_at(p).y) : 0; }
IRGL_HERE int64_t segment_of(int64_t p, int64_t place = 0) {
  return point_known(p, place) ? what(points_, p, point_at(p).segment) : -1;
}
IRGL_HERE bool alive(int64_t t, int64_t place = 0) { return known(t, 0, place) && look(triangle_at(t).alive) != 0; }
IRGL_HERE int64_t point(int64_t t, int64_t corner, int64_t place = 0) {
  return known(t, corner, place) ? corner_of(t, corner) : 0;
}
IRGL_HERE int64_t neighbour(int64_t t, int64_t side, int64_t place = 0) {
  return known(t, side, place) ? follow(triangle_at(t).across[side]) : -1;
}
IRGL_HERE int64_t segment(int64_t t, int64_t side, int64_t place = 0) {
  return known(t, side, place) ? what(triangles_, t, triangle_at(t).segment[side]) : -1;
}
IRGL_HERE int64_t segment_end(int64_t s, int64_t end, int64_t place = 0) {
  return checked(within(segments_, s) && uint64_t(end) < 2, place) ? what(segments_, s, segment_at(s).end[end]) : 0;
}
IRGL_HERE int64_t side_to(int64_t t, int64_t other, int64_t place = 0) {
  for (int k = 0; known(t, 0, place) && k < 3; ++k)
    if (follow(triangle_at(t).across[k]) == other) return k;
  return -1;
}
IRGL_HERE int64_t side_at(int64_t t, int64_t a, int64_t b, int64_t place = 0) {
  for (int k = 0; known(t, 0, place) && k < 3; ++k) {
    const int64_t from = corner_of(t, k), to = corner_of(t, (k + 1) % 3);
    if ((from == a && to == b) || (from == b && to == a)) return k;
  }
  return -1;
}

IRGL_HERE int32_t orient2d(int64_t a, int64_t b, double x, double y, int64_t place = 0) {
  if (!point_known(a, place) || !point_known(b, place)) return 0;
  return irgl::orient2d(this->x(a), this->y(a), this->x(b), this->y(b), x, y);
}
IRGL_HERE int32_t incircle(int64_t t, double x, double y, int64_t place = 0) {
  if (!known(t, 0, place)) return 0;
  const int64_t a = corner_of(t, 0), b = corner_of(t, 1), c = corner_of(t, 2);
  return irgl::incircle(this->x(a), this->y(a), this->x(b), this->y(b), this->x(c), this->y(c), x, y);
}

IRGL_HERE int64_t add_point(IRGL_WHO& t, double x, double y, int64_t = 0) { return push(t, detail::Point{x, y, -1}); }
IRGL_HERE int64_t add_point_on(IRGL_WHO& t, int64_t s, double x, double y, int64_t place = 0) {
  return segment_known(s, place) ? push(t, detail::Point{x, y, node_t(s)}) : 0;
}
IRGL_HERE int64_t add_segment(IRGL_WHO& t, int64_t a, int64_t b, int64_t place = 0) {
  if (!point_known(a, place) || !point_known(b, place)) return 0;
  return push(t, detail::Segment{{node_t(a), node_t(b)}});
}
IRGL_HERE int64_t add_triangle(IRGL_WHO& t, int64_t a, int64_t b, int64_t c, int64_t place = 0) {
  if (!point_known(a, place) || !point_known(b, place) || !point_known(c, place)) return 0;
  return push(t, detail::Triangle{{node_t(a), node_t(b), node_t(c)}, {-1, -1, -1}, {-1, -1, -1}, 1});
}
IRGL_HERE void link(IRGL_WHO&, int64_t t, int64_t side, int64_t other, int64_t place = 0) {
  if (known(t, side, place) && (other == -1 || known(other, 0, place)))
    show(triangle_at(t).across[side], node_t(other));
}
IRGL_HERE void lay(IRGL_WHO&, int64_t t, int64_t side, int64_t s, int64_t place = 0) {
  if (known(t, side, place) && (s == -1 || segment_known(s, place))) put(triangle_at(t).segment[side], node_t(s));
}
IRGL_HERE void remove(IRGL_WHO&, int64_t t, int64_t place = 0) {
  if (known(t, 0, place)) put(triangle_at(t).alive, 0);
}

private:
IRGL_HERE int64_t corner_of(int64_t t, int64_t k) { return what(triangles_, t, triangle_at(t).point[k]); }
IRGL_HERE bool checked(bool fits, int64_t place) {
  if (!fits) fault(place | access_fault);
  return fits;
}
IRGL_HERE bool point_known(int64_t p, int64_t place) { return checked(within(points_, p), place); }
IRGL_HERE bool segment_known(int64_t s, int64_t place) { return checked(within(segments_, s), place); }
IRGL_HERE bool known(int64_t t, int64_t corner, int64_t place) {
  return checked(within(triangles_, t) && uint64_t(corner) < 3, place);
}
