"""What `make gpu` runs (benchmarks/gpu.py starts it; docs/gpu.md)."""
