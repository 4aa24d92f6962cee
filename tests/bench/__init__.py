"""Benchmarks: the reference tools and ours on the same texts in the same run."""
