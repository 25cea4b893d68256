"""The tuner (docs/tuning.md)."""
