// The pretended devices, all alike: which one is current, and their copies of __device__ variables.
#include "devices.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "../include/irgl_emu/api_more.h"
#include "api.hpp"

namespace emu {

namespace {

int current = 0;
bool is_chosen = false;  // by cudaSetDevice
DeviceCounters tallies[MOST_DEVICES];

struct Variables {  // of a device, while those of another one lie in the section
  std::vector<u8> bytes;
  std::vector<Cell> cells;
};
Variables* put_aside = nullptr;
int loaded = 0;

void become(int device) {
  current = device;
  load_variables(device);
}

}  // namespace

void choose_devices() {
  const char* said = std::getenv("IRGL_EMU_DEVICES");
  if (said == nullptr || *said == 0) return;
  const std::size_t digits = std::strspn(said, "0123456789");
  const long n = std::strtol(said, nullptr, 10);
  if (said[digits] != 0 || digits > 9 || n < 1 || n > MOST_DEVICES) {
    fprintf(stderr, "irgl emulator: IRGL_EMU_DEVICES is \"%s\"; it is a number of devices from 1 to %d\n", said,
            MOST_DEVICES);
    _exit(2);
  }
  options.devices = static_cast<u32>(n);
  if (n == 1) return;
  put_aside = new Variables[n];
  const u8* section = reinterpret_cast<const u8*>(section_low);
  for (int i = 1; i < n; i++) put_aside[i].bytes.assign(section, section + (section_high - section_low));
}

bool is_device_number(int device) { return device >= 0 && device < static_cast<int>(options.devices); }

int current_device() { return cur != nullptr ? grid->device : current; }

void load_variables(int device) {
  if (device == loaded) return;
  u8* section = reinterpret_cast<u8*>(section_low);
  Variables &old = put_aside[loaded], &mine = put_aside[device];
  old.bytes.assign(section, section + (section_high - section_low));
  std::memcpy(section, mine.bytes.data(), mine.bytes.size());
  old.cells.swap(section_cells);
  section_cells.swap(mine.cells);
  loaded = device;
}

DeviceCounters& counters_of(int device) { return tallies[device]; }

}  // namespace emu

using namespace emu;

extern "C" {

cudaError_t cudaGetDevice(int* device) { return *device = current_device(), done(); }
cudaError_t cudaGetDeviceCount(int* n) { return *n = static_cast<int>(options.devices), done(); }
cudaError_t cudaSetDevice(int device) {
  if (cur != nullptr) refuse(EMU_PC, "cudaSetDevice in a kernel is not covered: call it on the host");
  if (!is_device_number(device)) return done(cudaErrorInvalidDevice);
  is_chosen = true;
  become(device);
  return done();
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return done(is_device_number(device) ? cudaSuccess : cudaErrorInvalidDevice);
}
// The first of these becomes current where the program does not choose.
cudaError_t cudaSetValidDevices(int* devices, int n) {
  for (int i = 0; i < n; i++) {
    if (!is_device_number(devices[i])) return done(cudaErrorInvalidDevice);
  }
  if (!is_chosen) become(n > 0 ? devices[0] : 0);
  return done();
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int size, int device) {
  if (!is_device_number(device)) return done(cudaErrorInvalidDevice);
  if (size < static_cast<int>(sizeof "0000:01:00.0")) return done(cudaErrorInvalidValue);
  std::snprintf(id, static_cast<std::size_t>(size), "0000:%02x:00.0", device + 1);
  return done();
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  unsigned domain = 0, bus = 0, slot = 0;
  if (std::sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3) {
    domain = 0;
    if (std::sscanf(id, "%x:%x", &bus, &slot) != 2) return done(cudaErrorInvalidValue);
  }
  const int found = static_cast<int>(bus) - 1;
  if (domain != 0 || slot != 0 || !is_device_number(found)) return done(cudaErrorInvalidDevice);
  return *device = found, done();
}

}  // extern "C"
