// One format of floats with 16 bits, which the macros name that are undefined here: read once for each format.
#include "small_class.h"

#include "small_convert.h"

#include "small_arithmetic.h"

#include "small_compare.h"

#include "small_maths.h"

#include "small_operators.h"

#include "small_limits.h"

#undef IRGL_EMU_FORMAT
#undef IRGL_EMU_H
#undef IRGL_EMU_H2
#undef IRGL_EMU_RAW
#undef IRGL_EMU_RAW2
#undef IRGL_EMU_OTHER
#undef IRGL_EMU_ONE
#undef IRGL_EMU_NAME
#undef IRGL_EMU_CONVERSIONS
#undef IRGL_EMU_OPERATORS
#undef IRGL_EMU_OPERATORS2
