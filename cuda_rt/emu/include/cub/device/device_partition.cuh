// cub::DevicePartition.
#pragma once
#include "device_select.cuh"
