// libcuda.so.1 as far as irgl asks it: one device, and its compute capability.
#include <cstdlib>

#define PTX_API extern "C" __attribute__((visibility("default")))
PTX_API int cuInit(unsigned) { return 0; }
PTX_API int cuDeviceGetCount(int* n) { return *n = 1, 0; }
PTX_API int cuDeviceGet(int* d, int) { return *d = 0, 0; }
PTX_API int cuDeviceGetAttribute(int* value, int attribute, int) {
  const char* const text = getenv("PTX_ARCH");
  const int arch = text != nullptr ? atoi(text) : 75;
  return *value = attribute == 75 ? arch / 10 : arch % 10, 0;
}
