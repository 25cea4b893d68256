// mov, cvta, isspacep, and the special registers.
#include <chrono>

#include "decode.hpp"
#include "memory.hpp"

namespace ptx {
namespace {
const char* const specials[] = {"%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%ctaid.x", "%ctaid.y",
                                "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid", "%lanemask_eq",
                                "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge", "%clock64",
                                "%globaltimer", "%clock", "%warpid", "%envreg1", "%envreg2", "%smid", "%nsmid",
                                    "%gridid"};
bool copy(Thread& t, const Inst& i) { return t.r[i.d] = t.get(i.a), true; }
bool read_special(Thread& t, const Inst& i) { return t.r[i.d] = special(t, i.flags), true; }
bool of_symbol(Thread& t, const Inst& i) { return t.r[i.d] = t.get(i.a) + uint64_t(i.offset), true; }
template <int bytes>  // of each part
bool pack(Thread& t, const Inst& i) {
  uint64_t all = 0;
  for (size_t k = i.vec.size(); k-- != 0;)
    all = all << (8 * bytes % 64) | (t.get(i.vec[k]) & (~uint64_t(0) >> (64 - 8 * bytes)));
  return t.r[i.d] = all, true;
}
template <int bytes>
bool unpack(Thread& t, const Inst& i) {
  const uint64_t all = t.get(i.a);
  for (size_t k = 0; k < i.vec.size(); ++k)
    t.r[i.vec[k]] = all >> (8 * bytes * k) & (~uint64_t(0) >> (64 - 8 * bytes));
  return true;
}
template <uint64_t base>
bool to_space(Thread& t, const Inst& i) {
  const uint64_t a = t.get(i.a);
  if (base != 0 && a - base >= window) fault(t, i, "cvta.to of a pointer to something else");
  return t.r[i.d] = a - base, true;
}
template <uint64_t base>
bool from_space(Thread& t, const Inst& i) { return t.r[i.d] = t.get(i.a) + base, true; }
bool from_param(Thread& t, const Inst& i) { return t.r[i.d] = t.get(i.a) + t.r[1], true; }
bool is_space(Thread& t, const Inst& i) {
  const uint64_t a = t.get(i.a);
  const bool shared = a - shared_window < window, local = a - local_window < window;
  const auto space = Space(i.flags);
  t.r[i.d] = space == Space::shared ? shared : space == Space::local ? local : !shared && !local;
  return true;
}

Run move(Decoder& d) {
  if (d.args.size() != 2) return nullptr;
  const std::string type = d.last();
  const int64_t bytes = type == "pred" ? 8 : atoll(type.c_str() + 1) / 8;
  if (d.args[0].kind == Operand::vector) {
    d.inst.vec = d.args[0].parts, d.inst.a = d.source(1);
    const int64_t each = bytes / int64_t(d.inst.vec.size());
    return each == 4 ? unpack<4> : each == 2 ? unpack<2> : each == 1 ? unpack<1> : nullptr;
  }
  d.inst.d = d.reg(0);
  switch (d.args[1].kind) {
    case Operand::vector: {
      d.inst.vec = d.args[1].parts;
      const int64_t each = bytes / int64_t(d.inst.vec.size());
      return each == 4 ? pack<4> : each == 2 ? pack<2> : each == 1 ? pack<1> : nullptr;
    }
    case Operand::special: return d.inst.flags = uint8_t(d.args[1].slot), read_special;
    case Operand::symbol: return d.inst.a = d.args[1].slot, d.inst.offset = d.args[1].offset, of_symbol;
    default: return d.inst.a = d.source(1), copy;
  }
}
}  // namespace

int special_register(const std::string& name) {
  for (int k = 0; k < int(std::size(specials)); ++k)
    if (name == specials[k]) return k;
  return -1;
}
uint64_t special(const Thread& t, int which) {
  const Launch& l = current();
  const uint32_t bit = 1u << t.lane;
  switch (which) {
    case 0: return t.x;
    case 1: return t.y;
    case 2: return t.z;
    case 3: return l.block.x;
    case 4: return l.block.y;
    case 5: return l.block.z;
    case 6: return t.block->x;
    case 7: return t.block->y;
    case 8: return t.block->z;
    case 9: return l.grid.x;
    case 10: return l.grid.y;
    case 11: return l.grid.z;
    case 12: return t.lane;
    case 13: return bit;
    case 14: return bit - 1;
    case 15: return bit | (bit - 1);
    case 16: return ~(bit | (bit - 1));
    case 17: return ~(bit - 1);
    case 21: return t.index / 32;
    case 22: return l.workspace >> 32;  // of cooperative groups
    case 23: return l.workspace & 0xffffffff;
    case 24: return t.block->x % unsigned(l.multiprocessors);
    case 25: return unsigned(l.multiprocessors);
    case 26: return 1;
    default: return uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
  }
}

Run moves(Decoder& d) {
  if (d.name == "mov") return move(d);
  if (d.name == "cvta") {
    if (d.args.size() != 2) return nullptr;
    const bool to = d.take("to");
    d.inst.d = d.reg(0);
    const bool is_symbol = d.args[1].kind == Operand::symbol;
    if (is_symbol) refuse("cvta of a name");
    d.inst.a = d.source(1);
    if (!d.take("u64")) return nullptr;
    if (d.take("global") || d.take("const")) return copy;
    if (d.take("param")) return to ? nullptr : from_param;
    if (d.take("shared")) return to ? to_space<shared_window> : from_space<shared_window>;
    if (d.take("local")) return to ? to_space<local_window> : from_space<local_window>;
    return nullptr;
  }
  if (d.name == "isspacep") {
    d.operands(1);
    d.inst.flags = uint8_t(d.take("shared") ? Space::shared : d.take("local") ? Space::local : Space::global);
    d.take("global");
    return is_space;
  }
  return nullptr;
}

}  // namespace ptx
