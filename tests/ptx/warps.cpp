// What the lanes of a warp do together: shuffles, votes, matches, reductions, bar.warp.sync. A lane waits until all
// lanes of its mask that have not ended have come to an operation of the same kind and mask; then it is done for all.
#include "decode.hpp"
#include "weak.hpp"

namespace ptx {
namespace {
using Group = std::vector<Thread*>;  // by lane; null: not in the mask, or ended

template <void (*done)(Group&, const Inst&), int mask_operand>
bool meet(Thread& t, const Inst& i) {
  const unsigned mask = unsigned(t.get(mask_operand == 0 ? i.a : mask_operand == 1 ? i.b : i.e));
  if (!(mask >> t.lane & 1)) fault(t, i, "the mask does not name the lane itself");
  const unsigned begin = t.index - t.lane;
  Group group(32, nullptr);
  t.state = State::warp, t.mask = mask, t.waits = &i;
  bool all = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1)) continue;
    if (begin + lane >= t.block->size) fault(t, i, "the mask names lanes that are not there");
    Thread& other = t.block->threads[begin + lane];
    if (other.state == State::ended) continue;
    if (other.state == State::warp && other.mask == mask && other.waits->run == i.run &&
        other.waits->flags == i.flags) {
      group[lane] = &other;
    } else {
      all = false;
    }
  }
  if (!all) return false;
  if (weak && mask_operand == 0) weak_join(group);  // votes and shuffles order nothing
  done(group, i);
  for (Thread* other : group)
    if (other != nullptr && other != &t) wake(*other);
  t.state = State::ready;
  progress();
  return true;
}

void nothing(Group&, const Inst&) {}

enum { up, down, butterfly, index };
void shuffle(Group& group, const Inst&) {
  uint64_t values[32];
  for (unsigned lane = 0; lane < 32; ++lane) values[lane] = group[lane] ? group[lane]->get(group[lane]->waits->a) : 0;
  struct Result { uint64_t value; bool inside; } results[32];
  for (unsigned lane = 0; lane < 32; ++lane) {
    Thread* const t = group[lane];
    if (t == nullptr) continue;
    const Inst& i = *t->waits;
    const unsigned by = unsigned(t->get(i.b)) & 31, c = unsigned(t->get(i.c)), clamp = c & 31, segment = c >> 8 & 31;
    const unsigned low = lane & segment, high = low | (clamp & ~segment);
    int j = 0;
    bool inside = false;
    switch (i.flags) {
      case up: j = int(lane) - int(by), inside = j >= int(high); break;
      case down: j = int(lane + by), inside = j <= int(high); break;
      case butterfly: j = int(lane ^ by), inside = j <= int(high); break;
      default: j = int(low | (by & ~segment)), inside = j <= int(high); break;
    }
    if (!inside) j = int(lane);
    if (group[size_t(j)] == nullptr) fault(*t, i,
        "a shuffle reads lane " + std::to_string(j) + ", which takes no part");
    results[lane] = {values[j], inside};
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    Thread* const t = group[lane];
    if (t == nullptr) continue;
    t->r[t->waits->d] = results[lane].value & 0xffffffff;
    if (t->waits->d2 > 0) t->r[t->waits->d2] = results[lane].inside;
  }
}

enum { vote_all, vote_any, vote_uni, vote_ballot };
void vote(Group& group, const Inst& any) {
  unsigned ballot = 0, present = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    Thread* const t = group[lane];
    if (t == nullptr) continue;
    present |= 1u << lane;
    const bool p = ((t->get(t->waits->a) & 1) != 0) != (t->waits->offset != 0);
    ballot |= unsigned(p) << lane;
  }
  const uint64_t result = any.flags == vote_all   ? ballot == present
                          : any.flags == vote_any ? ballot != 0
                          : any.flags == vote_uni ? ballot == 0 || ballot == present
                                                  : ballot;
  for (Thread* t : group)
    if (t != nullptr) t->r[t->waits->d] = result;
}

template <class T, bool all>
void match(Group& group, const Inst&) {
  unsigned same[32] = {}, present = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (group[lane] == nullptr) continue;
    present |= 1u << lane;
    for (unsigned k = 0; k < 32; ++k)
      if (group[k] && in<T>(*group[k], group[k]->waits->a) == in<T>(*group[lane],
          group[lane]->waits->a)) same[lane] |= 1u << k;
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    Thread* const t = group[lane];
    if (t == nullptr) continue;
    const bool one = same[lane] == present;
    t->r[t->waits->d] = all && !one ? 0 : same[lane];
    if (t->waits->d2 > 0) t->r[t->waits->d2] = one;
  }
}

struct Add { template <class T> static T of(T a,
    T b) { return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b)); } };
struct Least { template <class T> static T of(T a, T b) { return b < a ? b : a; } };
struct Most { template <class T> static T of(T a, T b) { return a < b ? b : a; } };
struct And { template <class T> static T of(T a, T b) { return a & b; } };
struct Or { template <class T> static T of(T a, T b) { return a | b; } };
struct Xor { template <class T> static T of(T a, T b) { return a ^ b; } };
template <class T, class Op>
void reduce(Group& group, const Inst&) {
  bool first = true;
  T sum = 0;
  for (Thread* t : group) {
    if (t == nullptr) continue;
    const T a = in<T>(*t, t->waits->a);
    sum = first ? a : Op::of(sum, a);
    first = false;
  }
  for (Thread* t : group)
    if (t != nullptr) out<T>(*t, t->waits->d, sum);
}
template <class Op>
Run redux(Decoder& d) {
  if (d.take("s32")) return meet<reduce<int32_t, Op>, 1>;
  return d.take("u32") || d.take("b32") ? meet<reduce<uint32_t, Op>, 1> : nullptr;
}
bool active(Thread& t, const Inst& i) { return t.r[i.d] = 1u << t.lane, true; }  // as good an answer as any
}  // namespace

Run warps(Decoder& d) {
  if (d.name == "activemask") return d.take("b32"), d.inst.d = d.reg(0), active;
  const bool known = d.name == "shfl" || d.name == "vote" || d.name == "match" || d.name == "redux";
  if (!known || !d.take("sync")) return nullptr;
  d.inst.d = d.reg(0), d.inst.d2 = d.args[0].second;
  d.inst.a = d.source(1), d.inst.b = d.source(2);
  if (d.name == "shfl") {
    d.inst.c = d.source(3), d.inst.e = d.source(4);
    d.inst.flags = uint8_t(d.take("up") ? up : d.take("down") ? down : d.take("bfly") ? butterfly : index);
    d.take("idx");
    return d.take("b32") ? meet<shuffle, 2> : nullptr;
  }
  if (d.name == "vote") {
    d.inst.offset = d.args[1].negated;
    d.inst.flags = uint8_t(d.take("all") ? vote_all : d.take("any") ? vote_any : d.take("uni") ? vote_uni : vote_ballot);
    return d.take("pred") || (d.take("ballot") && d.take("b32")) ? meet<vote, 1> : nullptr;
  }
  if (d.name == "match") {
    const bool all = d.take("all");
    if (!all && !d.take("any")) return nullptr;
    if (d.take("b64")) return all ? meet<match<uint64_t, true>, 1> : meet<match<uint64_t, false>, 1>;
    return !d.take("b32") ? nullptr : all ? meet<match<uint32_t, true>, 1> : meet<match<uint32_t, false>, 1>;
  }
  if (d.take("add")) return redux<Add>(d);
  if (d.take("min")) return redux<Least>(d);
  if (d.take("max")) return redux<Most>(d);
  if (d.take("and")) return redux<And>(d);
  if (d.take("or")) return redux<Or>(d);
  return d.take("xor") ? redux<Xor>(d) : nullptr;
}

Run warp_barrier(Decoder& d) {
  if (d.args.size() != 1) return nullptr;
  d.inst.a = d.source(0);
  return meet<nothing, 0>;
}

}  // namespace ptx
