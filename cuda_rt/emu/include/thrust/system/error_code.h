// Codes of errors.
#pragma once
#include "../system_error.h"
