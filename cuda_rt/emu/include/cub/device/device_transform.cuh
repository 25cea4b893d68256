// cub::DeviceTransform.
#pragma once
#include "device_for.cuh"
