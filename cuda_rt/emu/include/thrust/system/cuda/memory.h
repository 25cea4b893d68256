// Memory of the device, under the name it has in thrust/system/cuda.
#pragma once
#include "../../memory.h"
