// From the words of an instruction to what runs it. Each group of instructions has a function that knows its names;
// a modifier that nobody asked for is refused.
#pragma once
#include <cstring>

#include "ptx.hpp"

namespace ptx {

struct Operand {
  enum Kind { reg, value, address, vector, symbol, special } kind;
  std::string text;
  int slot = 0;          // a register or a constant
  int second = 0;        // p|q
  bool negated = false;  // !p
  int64_t offset = 0;
  uint64_t bits = 0;     // of a value
  const Variable* variable = nullptr;
  std::vector<int> parts{};
};

struct Decoder {
  Module& module;
  Function& function;
  std::string name;                // ld
  std::vector<std::string> words;  // volatile, global, u64
  std::vector<bool> taken;
  std::vector<Operand> args;
  Inst inst;

  bool take(const std::string& word) {
    for (size_t k = 0; k < words.size(); ++k)
      if (!taken[k] && words[k] == word) return taken[k] = true;
    return false;
  }
  void drop(std::initializer_list<const char*> names) {
    for (const char* name : names) take(name);
  }
  std::string last() {  // the type, mostly
    for (size_t k = words.size(); k-- != 0;)
      if (!taken[k]) return taken[k] = true, words[k];
    return "";
  }
  int constant(uint64_t bits) {
    function.constants.push_back(bits);
    return ~int(function.constants.size() - 1);
  }
  int reg(size_t k) {
    if (k >= args.size() || args[k].kind != Operand::reg) refuse("operand " + std::to_string(k + 1) + " is no register");
    return args[k].slot;
  }
  int source(size_t k) {
    if (k >= args.size()) refuse("an operand is missing");
    if (args[k].kind == Operand::value) return constant(args[k].bits);
    if (args[k].kind != Operand::reg) refuse("operand `" + args[k].text + "`");
    return args[k].slot;
  }
  void operands(size_t sources) {  // d, a, b, c
    if (args.size() != sources + 1) refuse("so many operands");
    inst.d = reg(0);
    if (sources > 0) inst.a = source(1);
    if (sources > 1) inst.b = source(2);
    if (sources > 2) inst.c = source(3);
    if (sources > 3) inst.e = source(4);
  }
  void address(size_t k) {
    if (k >= args.size() || args[k].kind != Operand::address) refuse("operand " + std::to_string(k + 1) + " is no address");
    inst.e = args[k].slot;
    inst.offset = args[k].offset;
  }
};

// Groups. Null: not theirs.
Run arithmetic(Decoder& d);
Run floats(Decoder& d);
Run conversions(Decoder& d);
Run bits(Decoder& d);
Run comparisons(Decoder& d);
Run moves(Decoder& d);
Run memory(Decoder& d);
Run atomics(Decoder& d);
Run warps(Decoder& d);
Run control(Decoder& d);

uint64_t special(const Thread& t, int which);
int special_register(const std::string& name);  // -1: none

template <class T>
T in(const Thread& t, int slot) {
  const uint64_t bits = t.get(slot);
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
uint64_t spread(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
  } else {
    return uint64_t(int64_t(value));  // of unsigned ones zeros, of signed ones the sign
  }
}
template <class T>
void out(Thread& t, int slot, T value) { t.r[slot] = spread(value); }

template <class F>
Run of_int(const std::string& t, F f) {
  if (t == "u32" || t == "b32") return f(uint32_t{});
  if (t == "s32") return f(int32_t{});
  if (t == "u64" || t == "b64") return f(uint64_t{});
  if (t == "s64") return f(int64_t{});
  if (t == "u16" || t == "b16") return f(uint16_t{});
  if (t == "s16") return f(int16_t{});
  return nullptr;
}
template <class F>
Run of_byte(const std::string& t, F f) {
  if (t == "u8" || t == "b8") return f(uint8_t{});
  if (t == "s8") return f(int8_t{});
  return of_int(t, f);
}
template <class F>
Run of_float(const std::string& t, F f) {
  if (t == "f32") return f(float{});
  if (t == "f64") return f(double{});
  return nullptr;
}

}  // namespace ptx
