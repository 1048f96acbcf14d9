"""Parts of bench/bench_streams.py: streams, programs, measurements and tables."""
