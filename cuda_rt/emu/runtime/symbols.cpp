// Reads the program's own symbol table: where its shared arrays and device variables lie and how large they are.
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <cxxabi.h>
#include <unordered_map>

#include "memory.hpp"

extern "C" {
extern char __start_irgl_device[] __attribute__((weak));
extern char __stop_irgl_device[] __attribute__((weak));
extern char __start_irgl_managed[] __attribute__((weak));
extern char __stop_irgl_managed[] __attribute__((weak));
extern char __start_irgl_table[] __attribute__((weak));
extern char __stop_irgl_table[] __attribute__((weak));
}

namespace emu {

u64 section_low, section_high, table_low, table_high, tls_low, tls_size;
std::vector<u8> tls_valid, section_valid, table_valid;
std::vector<bool> tls_guards;
std::vector<Variable> shared_variables, device_variables;

namespace {

struct Function {
  u64 address;
  std::string name;
};
std::vector<Function> functions;
std::vector<std::pair<std::string, u64>> shared_sizes;  // by mangled name

std::vector<std::pair<u64, u64>> constants;

int find_segments(dl_phdr_info* info, std::size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& h = info->dlpi_phdr[i];
    const u64 low = info->dlpi_addr + h.p_vaddr;
    if (h.p_type == PT_TLS) {
      tls_low = reinterpret_cast<u64>(info->dlpi_tls_data);
      tls_size = h.p_memsz;
    } else if ((h.p_type == PT_LOAD && (h.p_flags & PF_W) == 0) || h.p_type == PT_GNU_RELRO) {
      constants.emplace_back(low, low + h.p_memsz);
    }
  }
  return 1;  // the first is the program itself
}

std::string plain_name(const char* mangled) {
  if (std::strncmp(mangled, "_Z", 2) != 0) return mangled;  // "i" would be a type's
  int status = 0;
  char* p = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = p != nullptr ? p : mangled;
  std::free(p);
  const std::size_t colon = name.rfind("::");  // f(int*)::buffer
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

void mark(std::vector<u8>& valid, u64 low, u64 size) {
  for (u64 b = low; b < low + size && b / 4 < valid.size(); b++) valid[b / 4] |= 1 << b % 4;
}

// Of programs that are compiled for either side (rt/emulate/sides.py), what is the device's has a name that says so.
std::string without_side(const char* name) {
  const std::string whole = name;
  return whole.substr(0, whole.find(".irgl_device"));
}

void add(const Elf64_Sym& s, const char* symbol) {
  const std::string own = without_side(symbol);
  const char* const name = own.c_str();
  const int type = ELF64_ST_TYPE(s.st_info);
  const bool guard = std::strncmp(name, "_ZGV", 4) == 0 || std::strcmp(name, "__tls_guard") == 0;
  if (type == STT_TLS && guard && s.st_shndx != SHN_UNDEF) {
    tls_guards.resize(std::max<u64>(tls_guards.size(), s.st_value + s.st_size));
    std::fill_n(tls_guards.begin() + static_cast<long>(s.st_value), s.st_size, true);
  } else if (type == STT_TLS && s.st_size > 0 && s.st_shndx != SHN_UNDEF) {
    shared_variables.push_back({tls_low + s.st_value, s.st_size, plain_name(name)});
    shared_sizes.emplace_back(name, s.st_size);
    mark(tls_valid, s.st_value, s.st_size);
  } else if (type == STT_OBJECT && s.st_value >= section_low && s.st_value < section_high) {
    device_variables.push_back({s.st_value, s.st_size, plain_name(name)});
    mark(section_valid, s.st_value - section_low, s.st_size);
  } else if (type == STT_OBJECT && s.st_value >= table_low && s.st_value < table_high) {
    device_variables.push_back({s.st_value, s.st_size, plain_name(name)});
    mark(table_valid, s.st_value - table_low, s.st_size);
  } else if (type == STT_FUNC && s.st_size > 0) {
    functions.push_back({s.st_value, name});
  }
}

}  // namespace

void read_symbols() {
  dl_iterate_phdr(find_segments, nullptr);
  section_low = reinterpret_cast<u64>(__start_irgl_device);
  section_high = reinterpret_cast<u64>(__stop_irgl_device);
  table_low = reinterpret_cast<u64>(__start_irgl_table);
  table_high = reinterpret_cast<u64>(__stop_irgl_table);
  table_valid.resize((table_high - table_low) / 4 + 1);
  tls_valid.resize(tls_size / 4 + 1);
  section_valid.resize((section_high - section_low) / 4 + 1);
  if (tls_size == 0 && section_low == section_high && table_low == table_high) return;
  const int fd = open("/proc/self/exe", O_RDONLY);
  struct stat st;
  if (fd < 0 || fstat(fd, &st) != 0) return;
  const auto* p = static_cast<const char*>(mmap(nullptr, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0));
  close(fd);
  if (p == MAP_FAILED) return;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(p);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(p + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(p + sections[i].sh_offset);
    const char* names = p + sections[sections[i].sh_link].sh_offset;
    for (u64 k = 0; k < sections[i].sh_size / sizeof(Elf64_Sym); k++) add(symbols[k], names + symbols[k].st_name);
  }
  munmap(const_cast<char*>(p), st.st_size);
  const auto by_address = [](const Variable& a, const Variable& b) { return a.address < b.address; };
  std::sort(shared_variables.begin(), shared_variables.end(), by_address);
  std::sort(device_variables.begin(), device_variables.end(), by_address);
}

// Constants of the program: string literals, constant tables.
bool is_constant(u64 a) {
  for (const auto& [low, high] : constants) {
    if (a >= low && a < high) return true;
  }
  return false;
}

// __managed__ variables: both sides may use them, unchecked.
bool is_managed(u64 a) {
  return a >= reinterpret_cast<u64>(__start_irgl_managed) && a < reinterpret_cast<u64>(__stop_irgl_managed);
}

const Variable* variable_near(const std::vector<Variable>& all, u64 address) {
  const Variable* found = nullptr;
  for (const Variable& v : all) {
    if (v.address <= address) found = &v;
  }
  return found;
}

bool is_host_name(u64 address, u32 pc, const char* call) {
  if (address < section_low || address >= section_high) return false;
  const Variable* v = variable_near(device_variables, address);
  if (v == nullptr || v->is_asked || address >= v->address + std::max<u64>(v->size, 1)) return false;
  error("host-access", pc,
        text("%s gets `%s` by its name, which is no address of the device's on the host: use cudaMemcpyToSymbol, "
             "cudaMemcpyFromSymbol or cudaGetSymbolAddress",
             call, v->name.c_str()));
  return true;
}

// The static shared memory of a kernel: arrays declared in it, and those of functions that it may call.
u64 static_shared(const void* function) {
  static auto& known = *new std::unordered_map<const void*, u64>;
  const auto found = known.find(function);
  if (found != known.end()) return found->second;
  std::string own;
  for (const Function& f : functions) {
    if (f.address == reinterpret_cast<u64>(function)) own = f.name;
  }
  u64& sum = known[function];
  if (own.compare(0, 2, "_Z") != 0) return 0;
  const std::string prefix = "_ZZ" + own.substr(2) + "E";
  for (const auto& [name, size] : shared_sizes) {
    if (name.compare(0, prefix.size(), prefix) == 0) sum += size;
  }
  return sum;
}

}  // namespace emu

extern "C" void irgl_emu_pointer_argument(const volatile void* p) {
  if (emu::checks) emu::is_host_name(reinterpret_cast<emu::u64>(p), EMU_PC, "this launch");
}
extern "C" void irgl_emu_symbol_address(const volatile void* p) {
  for (emu::Variable& v : emu::device_variables) v.is_asked = v.is_asked || v.address == reinterpret_cast<emu::u64>(p);
}
