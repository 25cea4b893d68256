"""What is known of a program's kernels, loops and orchestration: as facts, in words, in pictures."""

from irgl.analysis.explain.facts import explain as explain
