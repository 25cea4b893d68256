// Row forms: the edges of a node stand together, in a way of the form's own. They serve any loop over a node's edges.
//
//     irgl::nested<NP, S>(t, valid, irgl::edges(F, n), irgl::closure(a, b...), INTO..., [&](irgl::Thread& t,
//                         bool valid, irgl::Placed e, A a, B b..., PART&...) {...});
//     for (irgl::Placed e : irgl::edges(F, n)) {...}          one thread by itself
//
// What every form of this kind offers:
//     F::Row, F::row(n)     what has to be known of a node's edges to find one: small, for threads show it each other;
//                           its size() is how many there are, and none by default
//     F::Reader             what one thread reads edges of one row by: at(F, row, k) is the k-th. k mostly ascends, and
//                           a reader may remember where it has been
//     F::unit()             edges that one thread should take at a time, where FG deals them out
// Rows stand beside a form: they tell degrees. form.cuh says what else does.
#pragma once
#include "form.cuh"

namespace irgl {

struct Placed {
  edge_t place = 0;
  node_t far = 0;
};

struct RowForm : FormData {
  Rows rows;
  RowForm() = default;
  RowForm(const irgl_form& f, const Rows& r) : FormData(f), rows(r) {}
  IRGL_DEVICE static constexpr size_t unit() { return 1; }
};

template <class F>
struct RowEdges : Unweighted {
  using item = Placed;
  using Row = typename F::Row;
  const F& form;
  Row row;
  IRGL_DEVICE RowEdges(const F& f, const Row& r) : form(f), row(r) {}

  struct Iterator {  // for one thread by itself
    const F& form;
    Row row;
    size_t k;
    typename F::Reader reader;
    IRGL_DEVICE Placed operator*() { return reader.at(form, row, k); }
    IRGL_DEVICE Iterator& operator++() { return ++k, *this; }
    IRGL_DEVICE bool operator!=(const Iterator& other) const { return k != other.k; }
  };
  IRGL_DEVICE Iterator begin() const { return {form, row, 0, {}}; }
  IRGL_DEVICE Iterator end() const { return {form, row, row.size(), {}}; }
};
template <class F, class = std::enable_if_t<std::is_base_of_v<RowForm, F>>>
IRGL_DEVICE RowEdges<F> edges(const F& f, node_t n) { return {f, f.row(n)}; }
// The same of a row that may be none. (Where ranges themselves are chosen from, nvcc keeps the form in memory.)
template <class F>
IRGL_DEVICE typename F::Row row_at(const F& f, node_t n) { return f.row(n); }
template <class F>
IRGL_DEVICE typename F::Row no_row(const F&) { return {}; }
template <class F>
IRGL_DEVICE RowEdges<F> edges_in(const F& f, const typename F::Row& row) { return {f, row}; }

namespace detail {
template <class F>
struct Items<RowEdges<F>> {
  using Row = typename F::Row;
  struct Reader : F::Reader {
    IRGL_DEVICE Placed at(const RowEdges<F>& of, const Row& row, size_t p) { return F::Reader::at(of.form, row, p); }
  };
  static IRGL_DEVICE const Row& row(const RowEdges<F>& of) { return of.row; }
  static IRGL_DEVICE size_t unit(const RowEdges<F>& of) { return of.form.unit(); }
};
}  // namespace detail

// The board of a loop over a form's rows (board.cuh).
template <class F, int depth, int np, class C, class... Parts>
using RowBoard = BoardOf<depth, np, typename F::Row, C, Parts...>;

}  // namespace irgl
