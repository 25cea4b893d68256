// raw_reference_cast.
#pragma once
#include "device_ptr.h"
