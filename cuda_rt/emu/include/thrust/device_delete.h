// device_delete.
#pragma once
#include "device_new.h"
