// PTX, decoded: modules, functions, instructions; and the threads that run them. See docs/ptx.md.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ptx {

struct Thread;
struct Inst;
struct Function;
struct Block;
struct Allocation;
using Run = bool (*)(Thread&, const Inst&);  // false: the thread stops running for now

[[noreturn]] void refuse(const std::string& what);                          // not covered: by name
[[noreturn]] void fault(const Thread& t, const Inst& i, const std::string& what);  // the program is wrong

enum class Space : uint8_t { generic, global, shared, local, param };

// A slot s >= 0 is a register, others stand for the constant ~s of the function. d is always a register.
struct Inst {
  Run run = nullptr;
  int guard = -1;
  bool guard_not = false;
  int d = 0, d2 = 0, a = 0, b = 0, c = 0, e = 0;
  int64_t offset = 0;               // of an address
  std::vector<int> vec;             // the registers of a vector
  Space space = Space::generic;
  uint8_t flags = 0;
  int target = 0;                   // of a branch
  std::vector<int> targets;         // of brx
  const Function* callee = nullptr;
  std::vector<int64_t> in_params;   // where the arguments of a call stand among the caller's parameters
  int64_t out_param = -1;
  unsigned line = 0;                // of the PTX
  unsigned place[4] = {};           // by .loc: file and line; those where it was inlined
  const std::string* text = nullptr;
  mutable const Allocation* hint = nullptr;
};

struct Param {
  std::string name;
  int64_t offset, size;
};

struct Function {
  std::string name;
  bool kernel = false, defined = false;
  std::vector<Param> in, out;
  int64_t in_bytes = 0, param_bytes = 0;  // of the parameters; with what calls of others need
  int64_t local_bytes = 0;
  int registers = 3;  // 0: where the frame's local memory begins; 1: its parameters; 2: dynamic shared memory
  std::vector<uint64_t> constants;
  std::vector<Inst> code;
  std::vector<std::unique_ptr<std::string>> texts;
  int max_threads = 0;
  int64_t shared_bytes = 0;  // static
};

struct Variable {
  std::string name;
  Space space;
  int64_t offset = 0, size = 0;  // shared: offset; global: address
};

struct Module {
  std::map<std::string, std::unique_ptr<Function>> functions;
  std::map<std::string, Variable> variables;
  std::vector<std::string> files;
  std::vector<uint8_t> shared_valid;  // a byte for each of shared memory: may it be touched
  int64_t dynamic_shared = 0;         // where dynamic shared memory begins
};

std::unique_ptr<Module> parse(const char* text);

constexpr uint64_t shared_window = 0x7e00000000000000, local_window = 0x7d00000000000000, window = 1 << 28;

struct Frame {
  const Function* function;
  int back = 0;           // where the caller goes on
  const Inst* call = nullptr;
  std::vector<uint64_t> registers;
  std::vector<uint8_t> params;
  int64_t local_base = 0;
};

struct Pending {  // written, and not yet seen by all (weak.hpp)
  uint8_t* at;
  size_t bytes;
  uint64_t value;
  Block* block;
};

enum class State : uint8_t { ready, warp, barrier, ended };

struct Thread {
  uint64_t* r = nullptr;        // registers of the frame
  const uint64_t* k = nullptr;  // its constants
  const Inst* code = nullptr;
  int pc = 0;
  Block* block = nullptr;
  unsigned x = 0, y = 0, z = 0, index = 0, lane = 0;
  State state = State::ready;
  bool listed = false;          // among the threads that can run, at
  size_t ready_at = 0;
  unsigned mask = 0;            // of a warp's operation that it waits for
  int barrier = 0;
  const Inst* waits = nullptr;
  unsigned carry = 0;
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<uint8_t> local;
  std::vector<Pending> pending;
  uint64_t fenced = 0;                // since when it must see what others write
  std::map<uint64_t, uint64_t> seen;  // the same of single words

  uint64_t get(int slot) const { return slot >= 0 ? r[slot] : k[~slot]; }
  Frame& frame() { return *frames.back(); }
};

struct Barrier {
  int arrived = 0, expected = 0;
  bool reduces = false;
  std::vector<Thread*> waiting;
};

struct Block {
  unsigned x = 0, y = 0, z = 0;
  unsigned size = 0, ended = 0;
  std::vector<Thread> threads;
  std::vector<uint8_t> shared;
  Barrier barriers[16];
  std::vector<Pending> pending;
  std::map<uint64_t, uint64_t> seen;  // since when its threads must see what they have written themselves, by word
};

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};

struct Launch {
  const Module* module;
  const Function* kernel;
  Dim grid, block;
  bool cooperative = false;
  size_t dynamic_shared = 0;
  void** args = nullptr;
  uint64_t workspace = 0;  // where the blocks of a cooperative launch meet
  int multiprocessors = 1;
};

void run(const Launch& launch);
void enter(Thread& t, const Function& f, const std::vector<uint8_t>& args, const Inst* call);
void wake(Thread& t);
void progress();  // something has changed that others can see
const Launch& current();
std::string where(const Thread& t, const Inst& i);
uint64_t draw(uint64_t below);

// What CUDA provides and PTX calls.
using Builtin = bool (*)(Thread& t, std::vector<uint8_t>& params, const Inst& i);
Builtin builtin(const std::string& name);

}  // namespace ptx
