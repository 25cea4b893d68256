// Row forms: the edges of a node stand together, in a way of the form's own. They serve every loop over a node's edges.
//
//     inner.for_each(t, irgl::edges(F, n), REDUCERS..., [&](irgl::Thread& t, auto& inner, irgl::Placed e, ACCS&...) {...});
//
// What every form of this kind offers:
//     edges(F, n)            n's edges, a range (ranges.hpp) of Placed; its positions go from 0 to degree(F, n), and it cuts
//                            itself where a thread can begin
//     prefetch_row(F, n), prefetch_edges(F, n)   where n's edges stand will be asked for; n's edges will, which by then is known
// Rows stand beside a form: they tell degrees, and by them chunks of about equal work are cut. form.hpp says what else.
#pragma once
#include "by_degree.hpp"
#include "form.hpp"
#include "rows.hpp"

namespace irgl {

struct Placed {
  edge_t place;
  node_t far;
};

struct RowForm : FormData {
  Rows rows;
  RowForm() = default;
  RowForm(const irgl_form& f, const Rows& r) : FormData(f), rows(r) {}
};
IRGL_INLINE edge_t degree(const RowForm& f, node_t n) { return degree(f.rows, n); }

// Where row forms cut a node's edges among threads: at multiples of `unit`.
IRGL_INLINE size_t cut_at(size_t size, size_t unit, size_t chunks, size_t k) {
  return k >= chunks ? size : size * k / chunks / unit * unit;
}

namespace detail {
template <class F>
struct AskForm {  // what is asked for ahead of a list's items (by_degree.hpp) is the form's
  F form;
  IRGL_INLINE void operator()(node_t far, node_t near) const {
    prefetch_row(form, far);
    prefetch_edges(form, near);
  }
};
}  // namespace detail
template <class F, class R, class = std::enable_if_t<std::is_base_of_v<RowForm, F>>>
IRGL_INLINE ByDegree<R, true, detail::AskForm<F>> by_degree(const F& f, const R& range) {
  return {range, f.rows, {f}};
}

}  // namespace irgl
