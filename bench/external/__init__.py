"""What bench/bench_external.py is made of: data, the peers of each library, their measuring, and what is told of them."""
