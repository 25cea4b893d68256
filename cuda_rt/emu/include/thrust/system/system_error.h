// What is thrown when something fails, under the name it has in thrust/system.
#pragma once
#include "../system_error.h"
