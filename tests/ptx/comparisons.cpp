// setp, set, selp, slct, testp.
#include <cmath>

#include "decode.hpp"

namespace ptx {
namespace {
struct Eq { template <class T> static bool of(T a, T b) { return a == b; } };
struct Ne { template <class T> static bool of(T a, T b) { return a != b; } };
struct Lt { template <class T> static bool of(T a, T b) { return a < b; } };
struct Le { template <class T> static bool of(T a, T b) { return a <= b; } };
struct Gt { template <class T> static bool of(T a, T b) { return a > b; } };
struct Ge { template <class T> static bool of(T a, T b) { return a >= b; } };
template <class Op>
struct Ordered { template <class T> static bool of(T a, T b) { return !std::isunordered(a, b) && Op::of(a, b); } };
template <class Op>
struct Unordered { template <class T> static bool of(T a, T b) { return std::isunordered(a, b) || Op::of(a, b); } };
struct Num { template <class T> static bool of(T a, T b) { return !std::isunordered(a, b); } };
struct Nan { template <class T> static bool of(T a, T b) { return std::isunordered(a, b); } };

// flags: 1 and, 2 or, 3 xor with c; 4: not c. set: 8 gives ones, 16 gives 1.0f
bool combined(const Thread& t, const Inst& i, bool p) {
  if ((i.flags & 3) == 0) return p;
  const bool c = ((t.get(i.c) & 1) != 0) != ((i.flags & 4) != 0);
  return (i.flags & 3) == 1 ? p && c : (i.flags & 3) == 2 ? p || c : p != c;
}
template <class T, class Op>
bool compare(Thread& t, const Inst& i) {
  const bool p = Op::of(in<T>(t, i.a), in<T>(t, i.b));
  if (i.flags & 8) return out<uint32_t>(t, i.d, combined(t, i, p) ? ~0u : 0), true;
  if (i.flags & 16) return out<float>(t, i.d, combined(t, i, p) ? 1.f : 0.f), true;
  const bool q = combined(t, i, !p);
  t.r[i.d] = combined(t, i, p);
  if (i.d2 > 0) t.r[i.d2] = q;
  return true;
}
template <class Op>
Run whole(const std::string& type) {
  return of_int(type, [](auto x) -> Run { return compare<decltype(x), Op>; });
}
template <class Op>
Run real(const std::string& type) {
  return of_float(type, [](auto x) -> Run { return compare<decltype(x), Op>; });
}
Run of_names(const std::string& op, const std::string& type) {
  const bool is_float = type[0] == 'f';
  if (op == "eq") return is_float ? real<Ordered<Eq>>(type) : whole<Eq>(type);
  if (op == "ne") return is_float ? real<Ordered<Ne>>(type) : whole<Ne>(type);
  if (op == "lt" || (op == "lo" && !is_float)) return is_float ? real<Ordered<Lt>>(type) : whole<Lt>(type);
  if (op == "le" || (op == "ls" && !is_float)) return is_float ? real<Ordered<Le>>(type) : whole<Le>(type);
  if (op == "gt" || (op == "hi" && !is_float)) return is_float ? real<Ordered<Gt>>(type) : whole<Gt>(type);
  if (op == "ge" || (op == "hs" && !is_float)) return is_float ? real<Ordered<Ge>>(type) : whole<Ge>(type);
  if (op == "equ") return real<Unordered<Eq>>(type);
  if (op == "neu") return real<Unordered<Ne>>(type);
  if (op == "ltu") return real<Unordered<Lt>>(type);
  if (op == "leu") return real<Unordered<Le>>(type);
  if (op == "gtu") return real<Unordered<Gt>>(type);
  if (op == "geu") return real<Unordered<Ge>>(type);
  if (op == "num") return real<Num>(type);
  if (op == "nan") return real<Nan>(type);
  return nullptr;
}
Run set(Decoder& d) {
  if (d.args.size() < 3) refuse("so many operands");
  const std::string op = d.words[0], type = d.last();
  d.taken[0] = true;
  d.inst.flags = d.take("and") ? 1 : d.take("or") ? 2 : d.take("xor") ? 3 : 0;
  if (d.inst.flags != 0) {
    d.inst.c = d.source(3);
    if (d.args[3].negated) d.inst.flags |= 4;
  }
  if (d.name == "set") {
    if (d.take("u32") || d.take("s32")) d.inst.flags |= 8;
    else if (d.take("f32")) d.inst.flags |= 16;
    else return nullptr;
  }
  d.inst.d = d.reg(0), d.inst.d2 = d.args[0].second;
  d.inst.a = d.source(1), d.inst.b = d.source(2);
  return of_names(op, type);
}
bool select(Thread& t, const Inst& i) { return t.r[i.d] = t.get(i.c) & 1 ? t.get(i.a) : t.get(i.b), true; }
template <class T>
bool select_sign(Thread& t, const Inst& i) { return t.r[i.d] = in<T>(t, i.c) >= 0 ? t.get(i.a) : t.get(i.b), true; }
template <class T>
bool test(Thread& t, const Inst& i) {
  const T a = in<T>(t, i.a);
  switch (i.flags) {
    case 0: return t.r[i.d] = std::isfinite(a), true;
    case 1: return t.r[i.d] = std::isinf(a), true;
    case 2: return t.r[i.d] = std::isnan(a), true;
    case 3: return t.r[i.d] = !std::isnan(a), true;
    case 4: return t.r[i.d] = std::isnormal(a), true;
    default: return t.r[i.d] = std::fpclassify(a) == FP_SUBNORMAL, true;
  }
}
}  // namespace

Run comparisons(Decoder& d) {
  if (d.name == "setp" || d.name == "set") return set(d);
  if (d.name == "selp") return d.operands(3), d.last(), select;
  if (d.name == "slct") {
    d.operands(3);
    const bool whole_sign = d.take("s32");
    if (!whole_sign && d.last() != "f32") return nullptr;
    d.last();
    return whole_sign ? &select_sign<int32_t> : &select_sign<float>;
  }
  if (d.name == "testp") {
    d.operands(1);
    const char* const names[] = {"finite", "infinite", "notanumber", "number", "normal", "subnormal"};
    for (uint8_t k = 0; k < 6; ++k)
      if (d.take(names[k])) return d.inst.flags = k, of_float(d.last(), [](auto x) -> Run { return test<decltype(x)>;
          });
  }
  return nullptr;
}

}  // namespace ptx
