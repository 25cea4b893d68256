// irgl_emu_count("name", n) adds n to a counter of the program's own in the emulator's report; on a GPU it is nothing.
#pragma once
#ifndef __IRGL_EMU__
#define irgl_emu_count(name, n) ((void)0)
#endif
