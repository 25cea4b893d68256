// The memory of the device: what is allocated, and the check of each access.
#pragma once
#include "ptx.hpp"

namespace ptx {

enum class Kind { device, managed, host, variable };
struct Allocation {
  uint64_t begin = 0, end = 0;
  Kind kind = Kind::device;
};

void* allocate(size_t bytes, Kind kind);
bool release(void* p);
const Allocation* find(uint64_t address);
size_t device_bytes();
void add_variable(uint64_t begin, size_t bytes);

// Where the bytes lie that an instruction means; checked.
uint8_t* locate(Thread& t, const Inst& i, Space space, uint64_t address, size_t bytes);

}  // namespace ptx
