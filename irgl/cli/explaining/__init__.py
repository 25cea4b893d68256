"""irglc explain."""
