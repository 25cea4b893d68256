// device_ptr, and memory for it to point to.
#pragma once
#include "detail/device_ptr.h"
#include "memory.h"
