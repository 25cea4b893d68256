"""The notation of those who generate programs: the calls of irgl.builder."""
