#!/usr/bin/python3
"""Runs the benchmarks and prints their rates relative to machine limits and external tools, measured in the same run.

usage: report.py BENCHMARK_PROGRAM [--json FILE]
"""

import argparse
import json
import subprocess
import sys
import tempfile

import filters

REPETITIONS = 3


def measure(program):
    """(context, {benchmark: row of median counters}). Exits if a benchmark fails."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = subprocess.run(
            [
                program,
                f"--benchmark_repetitions={REPETITIONS}",
                "--benchmark_report_aggregates_only=true",
                "--benchmark_min_time=0.2",
                f"--benchmark_out={file.name}",
                "--benchmark_out_format=json",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        if done.returncode:
            sys.exit(f"bench: {program} failed: {done.stderr.strip()}")
        content = json.load(open(file.name, encoding="utf-8"))
    medians = {}
    for row in content["benchmarks"]:
        if row.get("error_occurred"):
            sys.exit(f"bench: {row['name']}: {row['error_message']}")
        if row.get("aggregate_name") == "median":
            medians[row["run_name"]] = row
    return content["context"], medians


def write(path, content):
    """Writes the medians whole or not at all."""
    from okbench.writing import write_text

    try:
        write_text(path, json.dumps(content, indent=1))
    except OSError as error:
        sys.exit(f"bench: {error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--json", help="also write the medians to this file")
    options = parser.parse_args()
    context, rows = measure(options.program)
    if options.json:
        write(options.json, {"context": context, "medians": rows})

    def get(name, counter):
        return next(row[counter] for key, row in rows.items() if key == name or key.startswith(name + "/iterations"))

    peak = get("LimitFma", "flops")
    print("limits of this machine, one core, measured in this run")
    print(f"  float32 fused multiply-add  {peak / 1e9:8.1f} GFLOP/s")
    for vectors in (512, 4096, 65536):
        rate = get(f"LimitRead/vectors:{vectors}", "bytes")
        print(f"  read {vectors * 1024 // 1024:6d} KiB             {rate / 1e9:8.1f} GB/s")

    print("one dense RBF query, 256 features (aim: 0.70 of the limit)")
    for vectors in (512, 4096):
        rate = get(f"OneQuery/vectors:{vectors}", "bytes")
        flops = get(f"OneQuery/vectors:{vectors}", "flops")
        read = get(f"LimitRead/vectors:{vectors}", "bytes")
        print(
            f"  {vectors:5d} vectors  {rate / 1e9:7.1f} GB/s  {rate / read:5.2f} of reading, {flops / peak:5.2f} of "
            "the peak"
        )

    print("a hundred dense RBF queries (aim: 0.80 of sgemm followed by exp)")
    for vectors, features in ((512, 256), (4096, 256), (4096, 784)):
        shape = f"vectors:{vectors}/features:{features}"
        ours, external = get(f"HundredQueries/{shape}", "flops"), get(f"ExternalSgemmExp/{shape}", "flops")
        print(
            f"  {vectors:5d} x {features}  {ours / 1e9:7.1f} GFLOP/s  {ours / external:5.2f} of OpenBLAS sgemm + exp"
            f" ({external / 1e9:.1f}), {ours / peak:5.2f} of the peak"
        )

    print("integer rows against the same rows as floats, 784 features, 4096 vectors, one RBF kernel")
    print("(aim: one query 3 times, a hundred 2.5 times by bytes; 1.6 times with AVX2)")
    for avx2, target in ((0, "best"), (1, "AVX2")):
        for queries in (1, 100):
            floats, byte_rows, words = (
                get(f"IntegerQueriesOf/queries:{queries}/rows:{rows}/avx2:{avx2}/features:784", "values")
                for rows in range(3)
            )
            print(
                f"  {target}, {queries:3d} queries per call  bytes {byte_rows / floats:5.2f} times, 16 bits"
                f" {words / floats:5.2f} times as fast as floats ({floats / 1e6:.0f} million/s)"
            )

    print("few features: a hundred RBF queries, 4096 vectors (aim: 0.60 of the limit, multiplications or exp)")
    exp = get("LimitExp", "values")
    for features in (16, 22, 39):
        ours = get(f"HundredQueries/vectors:4096/features:{features}", "values")
        multiply = peak / (2 * features)
        both = 1 / (1 / multiply + 1 / exp)
        print(
            f"  {features:3d} features  {ours / 1e6:6.0f} million/s  {ours / min(multiply, exp):5.2f} of"
            f" {'exp' if exp < multiply else 'multiplications'} alone, {ours / both:5.2f} of one after the other"
        )
    ours, floats = (get(f"IntegerQueriesOf/queries:100/rows:{rows}/avx2:0/features:16", "values") for rows in (1, 0))
    print(
        f"   16 bytes     {ours / 1e6:6.0f} million/s  {ours / exp:5.2f} of exp alone,"
        f" {ours / floats:5.2f} times floats"
    )

    print("sparse RBF queries, 14 of 123 features, 4096 vectors (aim: 100 times libsvm's k_function)")
    for zero_one, what in ((0, "real values"), (1, "0/1 values ")):
        ours = get(f"SparseQuery/zero_one:{zero_one}", "values")
        external = get(f"ExternalLibsvm/zero_one:{zero_one}", "values")
        print(
            f"  {what}  {ours / 1e6:8.0f} million/s  {ours / external:6.0f} times libsvm"
            f" ({external / 1e6:.1f} million/s)"
        )

    norma, svmd = get("NormaUsps", "seconds"), get("SvmdUsps", "seconds")
    print("whole trials")
    print(f"  SVMD, USPS, buffer 512      {svmd:7.3f} s  (aim: 0.1)")
    print(f"  time relative to NORMA      {svmd / norma:7.2f}    (aim: at most 1.15)")
    print(f"  SVMD, MNIST, buffer 4096    {get('SvmdMnist4096', 'seconds'):7.3f} s  (aim: 10)")
    print("budget learners against plain Eigen (the same steps, one matrix-vector product each)")
    for ours, external, what in (
        ("MiraUspsFixed", "ExternalEigenUspsFixed", "MIRA, USPS, cache 1500       "),
        ("MiraMnist/10000", "ExternalEigenMnist", "MIRA, first 10000 of MNIST   "),
    ):
        mine, theirs = get(ours, "seconds"), get(external, "seconds")
        print(f"  {what}{mine:7.3f} s  {theirs / mine:5.1f} times faster than Eigen ({theirs:.2f} s)")
    print(f"  MIRA, MNIST, no budget       {get('MiraMnist/60000', 'seconds'):7.3f} s  (aim: 45)")
    print(
        f"  batch SVM, USPS              {get('BatchSvmUsps', 'seconds'):7.3f} s  (aim: 10),"
        f" relative gap {get('BatchSvmUsps', 'relative_gap'):.1e}"
    )
    print("learning in rounds: two epochs, with test error at checkpoints")
    for name, what, aim in (
        ("sfd_a8a", "SFD1, Adult  ", 1.5),
        ("sfd_ijcnn1", "SFD1, IJCNN  ", 5),
        ("sfd_w8a", "SFD1, Web    ", 3),
        ("lasvm_a8a", "LaSVM, Adult ", 1.5),
    ):
        print(
            f"  {what}{get('TwoEpochs/' + name, 'seconds'):7.3f} s  (aim: {aim}), test error"
            f" {100 * get('TwoEpochs/' + name, 'test_error'):.2f} %"
        )
    print("LaSVM step: update along two rows and search for the next pair")
    limit = get("LimitRead/vectors:65536", "bytes")
    for count, what in ((4, "rows in L2 cache        "), (3000, "rows in memory          ")):
        rate = get(f"LasvmStep/rows:{count}", "bytes")
        print(f"  {what}  {rate / 1e9:6.1f} GB/s, {rate / limit:5.2f} of reading 64 MiB (aim: 0.5)")
    print("solvers against plain Eigen (the same steps)")
    for name, what in (
        ("BoxProgramStep", "a step of SFD's box program, 350 examples "),
        ("MulticlassRound", "a round of the batch SVM, 10 classes, per example"),
        ("SymmetricProduct", "product with KRLS's matrix, 800 members, per entry"),
    ):
        mine, theirs = (1e9 / get(f"{name}/{who}", "items_per_second") for who in ("ours", "eigen"))
        print(f"  {what:51}{mine:7.1f} ns  {theirs / mine:5.1f} times faster than Eigen ({theirs:.1f} ns)")
    print("linear online SVM, one epoch (aim: 60 ms on w8a); every step depends on the previous one")
    limit = get("LimitRead/vectors:4096", "bytes")
    for name, what in (
        ("w8a", "w8a, one example per step        "),
        ("w8a_projected_averaged", "w8a, with projection and average "),
        ("w8a_batches_of_100", "w8a, batches of 100              "),
    ):
        print(
            f"  {what}{1000 * get('LinearEpoch/' + name, 'seconds'):7.2f} ms, rows at "
            f"{get('LinearEpoch/' + name, 'bytes') / limit:.3f} of reading"
        )
    print("reading LIBSVM text into rows (aim: 150 MB/s)")
    for name in ("w8a", "a9a", "ijcnn1", "usps"):
        print(f"  {name:8}{get('ReadText/' + name, 'bytes_per_second') / 1e6:7.0f} MB/s")
    print("search for the best box in generated images; branch and bound finds the same box")

    def box(name):
        return 1e9 / get(name, "items_per_second")

    print(f"  boxes of two sizes, intersection, 21 cells    {box('SearchAll/sizes_intersection'):7.1f} ns per box")
    for name, what in (
        ("fine_intersection_1", "8-pixel grid, intersection, 1 cell "),
        ("fine_intersection_2", "8-pixel grid, intersection, 5 cells"),
        ("coarse_linear", "16-pixel grid, linear, 5 cells     "),
    ):
        every, bounds = box("SearchAll/" + name), box("SearchByBounds/" + name)
        print(
            f"  {what}           {every:7.1f} ns per box; branch and bound {every / bounds:6.2f} times as fast,"
            f" {100 * get('SearchByBounds/' + name, 'bounded'):.2f} % bounds"
        )
    print("a step of the kernel adaptive filters, 6 features, full dictionary; NumPy: see bench/filters.py")
    print("                          step   of the cost model   kafbox in NumPy   NumPy by definition")
    for name, (definition, toolbox, filter_options, _) in filters.FILTERS.items():
        for budget in (100, 400):
            step = get(f"FilterStep/{name}/budget:{budget}", "real_time")
            modelled = 1e9 * get(f"FilterStep/{name}/budget:{budget}", "modelled")
            fast = 1e9 * filters.seconds_per_step(toolbox, budget, filter_options)
            times = f"{fast / step:5.1f} times"
            if definition is not toolbox and budget == 100:
                slow = 1e9 * filters.seconds_per_step(definition, budget, filter_options, steps=30)
                times += f"   {slow / step:8.0f} times"
            print(f"  {name:9}{budget:5d} members {step / 1e3:7.2f} µs   {step / modelled:10.1f} times   {times}")


if __name__ == "__main__":
    main()
