// ld and st, of one value or a vector; fences and what only makes things faster.
#include "decode.hpp"
#include "memory.hpp"
#include "weak.hpp"

namespace ptx {
namespace {
template <class T, Space space>
bool load(Thread& t, const Inst& i) {
  T value;
  const uint64_t address = t.get(i.e) + uint64_t(i.offset);
  const uint8_t* const from = locate(t, i, space, address, sizeof value);
  if (weak && shared_by_all(space, address)) weak_load(t, from, &value, sizeof value);
  else memcpy(&value, from, sizeof value);
  if (weak && i.flags & 1) weak_fence(t);
  return out<T>(t, i.d, value), true;
}
template <class T, Space space>
bool store(Thread& t, const Inst& i) {
  const T value = in<T>(t, i.a);
  const uint64_t address = t.get(i.e) + uint64_t(i.offset);
  uint8_t* const to = locate(t, i, space, address, sizeof value);
  if (weak && i.flags & 1) return weak_fence(t), weak_change(t, to, &value, sizeof value), true;
  if (weak && shared_by_all(space, address)) return weak_store(t, to, &value, sizeof value), true;
  if (space != Space::local && memcmp(to, &value, sizeof value) != 0) progress();
  memcpy(to, &value, sizeof value);
  return true;
}
template <class T, Space space>
bool load_vector(Thread& t, const Inst& i) {
  const uint64_t address = t.get(i.e) + uint64_t(i.offset);
  const uint8_t* const from = locate(t, i, space, address, sizeof(T) * i.vec.size());
  for (size_t k = 0; k < i.vec.size(); ++k) {
    T value;
    if (weak && shared_by_all(space, address)) weak_load(t, from + k * sizeof value, &value, sizeof value);
    else memcpy(&value, from + k * sizeof value, sizeof value);
    out<T>(t, i.vec[k], value);
  }
  return true;
}
template <class T, Space space>
bool store_vector(Thread& t, const Inst& i) {
  const uint64_t address = t.get(i.e) + uint64_t(i.offset);
  uint8_t* const to = locate(t, i, space, address, sizeof(T) * i.vec.size());
  for (size_t k = 0; k < i.vec.size(); ++k) {
    const T value = in<T>(t, i.vec[k]);
    if (weak && shared_by_all(space, address)) weak_store(t, to + k * sizeof value, &value, sizeof value);
    else memcpy(to + k * sizeof value, &value, sizeof value);
  }
  if (space != Space::local) progress();
  return true;
}
template <class T, Space space>
Run access(bool is_load, bool is_vector) {
  if (is_vector) return is_load ? load_vector<T, space> : store_vector<T, space>;
  return is_load ? load<T, space> : store<T, space>;
}
template <class T>
Run access(Space space, bool is_load, bool is_vector) {
  switch (space) {
    case Space::generic: return access<T, Space::generic>(is_load, is_vector);
    case Space::global: return access<T, Space::global>(is_load, is_vector);
    case Space::shared: return access<T, Space::shared>(is_load, is_vector);
    case Space::local: return access<T, Space::local>(is_load, is_vector);
    default: return access<T, Space::param>(is_load, is_vector);
  }
}
bool nothing(Thread&, const Inst&) { return true; }
bool fence(Thread& t, const Inst&) {
  if (weak) weak_fence(t);
  return true;
}

Run load_or_store(Decoder& d, bool is_load) {
  d.inst.flags = d.take(is_load ? "acquire" : "release");
  d.drop({"volatile", "weak", "relaxed", "cta", "gpu", "sys", "ca", "cg", "cs", "lu",
          "cv", "wb", "wt", "nc", "uni", "L1@no_allocate", "L1@evict_last", "L1@evict_first", "L2@128B"});
  const Space space = d.take("global") || d.take("const") ? Space::global
                      : d.take("shared")                  ? Space::shared
                      : d.take("local")                   ? Space::local
                      : d.take("param")                   ? Space::param
                                                          : Space::generic;
  const bool is_vector = d.take("v2") || d.take("v4");
  d.address(is_load ? 1 : 0);
  const size_t value = is_load ? 0 : 1;
  if (d.args.size() != 2) refuse("so many operands");
  if (is_vector) {
    if (d.args[value].kind != Operand::vector) refuse("a vector that is none");
    d.inst.vec = d.args[value].parts;
  } else if (is_load) d.inst.d = d.reg(0);
  else d.inst.a = d.source(1);
  const std::string type = d.last();
  const auto f = [&](auto x) -> Run { return access<decltype(x)>(space, is_load, is_vector); };
  if (const Run found = of_byte(type, f)) return found;
  return of_float(type, f);
}
}  // namespace

Run memory(Decoder& d) {
  if (d.name == "ld" || d.name == "ldu") return load_or_store(d, true);
  if (d.name == "st") return load_or_store(d, false);
  if (d.name == "membar" || d.name == "fence") {
    d.drop({"gl", "cta", "sys", "gpu", "sc", "acq_rel", "acquire", "release"});
    return fence;
  }
  if (d.name == "prefetch" || d.name == "prefetchu") return d.drop({"global", "L1", "L2"}), nothing;
  if (d.name == "nanosleep") return d.take("u32"), nothing;
  return nullptr;
}

}  // namespace ptx
