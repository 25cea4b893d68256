"""CUDA text made into C++ that runs in the SIMT emulator (cuda_rt/emu), and what it reports."""
