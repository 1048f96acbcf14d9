"""Parts of bench/bench_external.py: data, learners of each library, measurement, and output."""
