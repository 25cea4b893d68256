"""The front end for Falcon's .fal files (docs/falcon.md)."""
