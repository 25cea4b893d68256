// The CUDA runtime API as the emulator covers it, under CUDA's name so that unmodified programs find it.
#pragma once
#include "irgl_emu/types.h"
#include "irgl_emu/runtime_api.h"
#include "irgl_emu/launch.h"
#include "irgl_emu/graph_api.h"
#include "irgl_emu/warp.h"
#include "irgl_emu/atomics.h"
#include "irgl_emu/intrinsics.h"
#ifndef IRGL_EMU_SLIM
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <new>
#include <utility>

#include "irgl_emu/api_more.h"
#include "irgl_emu/deprecated.h"
#include "irgl_emu/graph_more.h"
#include "irgl_emu/maths.h"
#include "irgl_emu/memory3d.h"
#include "irgl_emu/ptx.h"
#include "irgl_emu/simd.h"
#endif
