// Branches, calls, the barriers of a block, and the end of a thread.
#include "decode.hpp"
#include "weak.hpp"

namespace ptx {
Run warp_barrier(Decoder& d);

namespace {
bool jump(Thread& t, const Inst& i) { return t.pc = i.target, true; }
bool jump_table(Thread& t, const Inst& i) {
  const uint64_t k = in<uint32_t>(t, i.a);
  if (k >= i.targets.size()) fault(t, i, "brx beyond its table");
  return t.pc = i.targets[k], true;
}
bool call(Thread& t, const Inst& i) {
  const Function& f = *i.callee;
  if (!f.defined) {
    const Builtin known = builtin(f.name);
    if (known == nullptr) fault(t, i, "a call of " + f.name + ", which is not here");
    std::vector<uint8_t> args(size_t(f.param_bytes) + 16);
    for (size_t k = 0; k < f.in.size(); ++k)
      memcpy(args.data() + f.in[k].offset, t.frame().params.data() + i.in_params[k], size_t(f.in[k].size));
    const bool go_on = known(t, args, i);
    if (i.out_param >= 0) memcpy(t.frame().params.data() + i.out_param, args.data() + f.out[0].offset,
        size_t(f.out[0].size));
    return go_on;
  }
  if (t.frames.size() > 200) fault(t, i, "more than 200 calls deep");
  std::vector<uint8_t> args(size_t(f.in_bytes));
  for (size_t k = 0; k < f.in.size(); ++k)
    memcpy(args.data() + f.in[k].offset, t.frame().params.data() + i.in_params[k], size_t(f.in[k].size));
  const int back = t.pc;
  enter(t, f, args, &i);
  t.frame().back = back;
  return true;
}

// What bar.red gives everybody: of how many threads the predicate holds, whether of all, whether of any.
enum { no_reduction, holding, of_all, of_any };
int reduction(const Inst& i) { return i.flags >> 1; }
void reduce(const Barrier& barrier) {
  unsigned count = 0;
  for (const Thread* t : barrier.waiting) count += ((t->get(t->waits->c) & 1) != 0) != (t->waits->offset != 0);
  for (Thread* t : barrier.waiting) {
    const int what = reduction(*t->waits);
    if (what != no_reduction) t->r[t->waits->d] = what == holding  ? count
                                                  : what == of_all ? count == barrier.waiting.size()
                                                                   : count != 0;
  }
}

void release(Block& block, Barrier& barrier) {
  if (weak) weak_join(barrier.waiting);
  reduce(barrier);
  for (Thread* other : barrier.waiting) wake(*other);
  barrier.waiting.clear();
  barrier.arrived = 0;
  (void)block;
  progress();
}
// Whether all have come who can come: threads that ended are not waited for.
void look(Block& block, Barrier& barrier) {
  if (barrier.arrived == 0) return;
  const unsigned wanted = barrier.expected > 0 ? unsigned(barrier.expected) : block.size - block.ended;
  if (unsigned(barrier.arrived) >= wanted) release(block, barrier);
}
bool end(Thread& t, const Inst&) {
  t.state = State::ended;
  ++t.block->ended;
  if (weak) weak_pass(t);
  progress();
  for (Barrier& barrier : t.block->barriers) look(*t.block, barrier);
  // Lanes of the warp may have waited for this one.
  const unsigned begin = t.index - t.lane;
  for (unsigned k = begin; k < begin + 32 && k < t.block->size; ++k)
    if (t.block->threads[k].state == State::warp && (t.block->threads[k].mask >> t.lane & 1)) {
      Thread& other = t.block->threads[k];
      --other.pc;  // it comes to its operation again, and finds the lane gone
      wake(other);
    }
  return false;
}
bool back(Thread& t, const Inst& i) {
  if (t.frames.size() == 1) return end(t, i);
  const std::unique_ptr<Frame> done = std::move(t.frames.back());
  t.frames.pop_back();
  Frame& f = t.frame();
  const Inst& from = *done->call;
  if (from.out_param >= 0) {
    const Param& p = done->function->out[0];
    memcpy(f.params.data() + from.out_param, done->params.data() + p.offset, size_t(p.size));
  }
  t.local.resize(size_t(done->local_base));
  t.r = f.registers.data(), t.k = f.function->constants.data(), t.code = f.function->code.data(), t.pc = done->back;
  return true;
}
bool trap(Thread& t, const Inst& i) { fault(t, i, "trap"); }

// flags 1: aligned, so that the lanes of a warp must be at the same instruction
bool barrier(Thread& t, const Inst& i) {
  const uint64_t id = t.get(i.a);
  if (id >= 16) fault(t, i, "there are 16 barriers");
  Barrier& b = t.block->barriers[id];
  const int expected = i.b == 0 ? 0 : int(t.get(i.b));
  if (expected % 32 != 0) fault(t, i, "a barrier for a part of a warp");
  if (b.arrived != 0 && b.expected != expected) fault(t, i,
      "a barrier that others entered for other numbers of threads");
  for (const Thread* other : b.waiting)
    if ((i.flags & 1) && other->index / 32 == t.index / 32 && other->waits != &i) {
      fault(t, i, "lanes of a warp at two barriers; the other is " + where(*other, *other->waits));
    }
  b.expected = expected;
  ++b.arrived;
  t.state = State::barrier, t.barrier = int(id), t.waits = &i;
  b.waiting.push_back(&t);
  look(*t.block, b);
  return t.state == State::ready;
}
Run block_barrier(Decoder& d) {
  if (d.name == "bar" && d.take("warp")) return d.take("sync") ? warp_barrier(d) : nullptr;
  d.take("cta");
  const bool red = d.take("red");
  const int what = !red ? no_reduction : d.take("popc") ? holding : d.take("and") ? of_all : of_any;
  if (red ? what == of_any && !d.take("or") : !d.take("sync")) return nullptr;
  const size_t first = red, more = d.args.size() - 2 * first;  // behind the result, and before the predicate
  if (d.args.size() < 2 * first || more < 1 || more > 2) return nullptr;
  d.inst.flags = uint8_t(what << 1 | int(d.name == "bar" || d.take("aligned")));
  d.inst.a = d.source(first);
  if (more > 1) d.inst.b = d.source(first + 1);
  if (!red) return barrier;
  d.inst.d = d.reg(0), d.inst.c = d.source(d.args.size() - 1), d.inst.offset = d.args.back().negated;
  return d.take(what == holding ? "u32" : "pred") ? barrier : nullptr;
}
}  // namespace

Run control(Decoder& d) {
  d.name == "bra" || d.name == "call" || d.name == "ret" || d.name == "brx" ? d.take("uni") : false;
  if (d.name == "bra") return jump;
  if (d.name == "brx") return d.inst.a = d.source(0), d.take("idx") ? jump_table : nullptr;
  if (d.name == "call") return call;
  if (d.name == "ret") return back;
  if (d.name == "exit") return end;
  if (d.name == "trap" || d.name == "brkpt") return trap;
  if (d.name == "bar" || d.name == "barrier") return block_barrier(d);
  return nullptr;
}

}  // namespace ptx
