// atom and red.
#include <type_traits>

#include "decode.hpp"
#include "memory.hpp"
#include "weak.hpp"

namespace ptx {
namespace {
struct Add {
  template <class T>
  static T of(T old, T a, T) {
    if constexpr (std::is_integral_v<T>) return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(a));
    else if constexpr (sizeof(T) == 4) return flushed(flushed(old) + flushed(a));
    else return old + a;
  }
  static float flushed(float x) {  // atom.add.f32 of global memory takes subnormals for zero
    return __builtin_fabsf(x) < 1.17549435e-38f ? __builtin_copysignf(0, x) : x;
  }
};
struct Least { template <class T> static T of(T old, T a, T) { return a < old ? a : old; } };
struct Most { template <class T> static T of(T old, T a, T) { return old < a ? a : old; } };
struct And { template <class T> static T of(T old, T a, T) { return old & a; } };
struct Or { template <class T> static T of(T old, T a, T) { return old | a; } };
struct Xor { template <class T> static T of(T old, T a, T) { return old ^ a; } };
struct Exch { template <class T> static T of(T, T a, T) { return a; } };
struct Cas { template <class T> static T of(T old, T a, T b) { return old == a ? b : old; } };
struct Inc { template <class T> static T of(T old, T a, T) { return old >= a ? 0 : old + 1; } };
struct Dec { template <class T> static T of(T old, T a, T) { return old == 0 || old > a ? a : old - 1; } };

template <class T, class Op>
bool atomic(Thread& t, const Inst& i) {
  const uint64_t address = t.get(i.e) + uint64_t(i.offset);
  uint8_t* const at = locate(t, i, i.space, address, sizeof(T));
  const bool weakly = weak && shared_by_all(i.space, address);
  if (weakly) weak_atomic(t, at, sizeof(T), i.flags & 2);
  T old;
  memcpy(&old, at, sizeof old);
  const T next = Op::of(old, in<T>(t, i.a), in<T>(t, i.b));
  if (memcmp(&next, &old, sizeof old) != 0) progress();
  if (weakly) weak_change(t, at, &next, sizeof next);
  else memcpy(at, &next, sizeof next);
  if (weakly && i.flags & 1) weak_fence(t);
  return out<T>(t, i.d, old), true;
}
template <class Op, bool floats = false>
Run pick(const std::string& type) {
  if constexpr (floats) {
    if (const Run found = of_float(type, [](auto x) -> Run { return atomic<decltype(x), Op>; })) return found;
  }
  return of_int(type, [](auto x) -> Run { return atomic<decltype(x), Op>; });
}
}  // namespace

Run atomics(Decoder& d) {
  const bool red = d.name == "red";
  if (!red && d.name != "atom") return nullptr;
  const bool both = d.take("acq_rel"), acquire = d.take("acquire"), release = d.take("release");
  d.inst.flags = uint8_t((both || acquire ? 1 : 0) | (both || release ? 2 : 0));
  d.drop({"relaxed", "cta", "gpu", "sys"});
  d.inst.space = d.take("global") ? Space::global : d.take("shared") ? Space::shared : Space::generic;
  const size_t first = red ? 0 : 1;
  d.inst.d = red ? d.function.registers++ : d.reg(0);
  d.address(first);
  d.inst.a = d.source(first + 1);
  d.inst.b = d.args.size() > first + 2 ? d.source(first + 2) : d.inst.a;
  const std::string type = d.last();
  if (d.take("add")) return pick<Add, true>(type);
  if (d.take("min")) return pick<Least>(type);
  if (d.take("max")) return pick<Most>(type);
  if (d.take("and")) return pick<And>(type);
  if (d.take("or")) return pick<Or>(type);
  if (d.take("xor")) return pick<Xor>(type);
  if (d.take("exch")) return pick<Exch>(type);
  if (d.take("cas")) return d.args.size() == first + 3 ? pick<Cas>(type) : nullptr;
  if (d.take("inc") && type == "u32") return atomic<uint32_t, Inc>;
  if (d.take("dec") && type == "u32") return atomic<uint32_t, Dec>;
  return nullptr;
}

}  // namespace ptx
