"""From a checked program and a plan to what CUDA code is generated from."""
