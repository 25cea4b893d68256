"""The C++ headers of generated CUDA code, and the emulator that runs it without a GPU: data of the package."""
