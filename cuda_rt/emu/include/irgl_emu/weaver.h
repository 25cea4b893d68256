// SparseWeaver's unit, which the emulator has where it is told so (docs/weaver.md); on a GPU there is none.
#pragma once
extern "C" {
int irgl_emu_weaver();  // is it there?
void irgl_emu_weaver_reg(int vid, unsigned loc, unsigned deg);
int irgl_emu_weaver_dec_id();
unsigned irgl_emu_weaver_dec_loc();
void irgl_emu_weaver_skip(int vid);
}
