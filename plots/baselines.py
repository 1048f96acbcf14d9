"""Compares the league's learners with numbers printed by other implementations, and with variants of the papers."""

import numpy as np

from okbench.claims import numbers

from okbench.plotting import tables
from okbench.plotting.draw import main
from okbench.plotting.registry import table
from okbench.results.marks import data_marks, data_title

DEMO = (  # (learner, name, key in the numbers printed by DOGMA)
    ("perceptron", "Perceptron", "perceptron"),
    ("passive-aggressive", "PA-I, C = 1", "passive-aggressive"),
    ("projectron", "Projectron, η = 0.01", "projectron"),
    ("projectron-plus-plus", "Projectron++, η = 0.01", "projectron-plus-plus"),
    ("rbp", "RBP, 106 support vectors", "rbp"),
    ("forgetron", "Forgetron, 106 support vectors", "forgetron"),
)


def by_axis(traces, name):
    """{value of a parameter: traces}; the key is None for traces without the parameter."""
    groups = {}
    for trace in traces:
        groups.setdefault(trace.parameters.get(name), []).append(trace)
    return groups


def mean(traces, name):
    return float(np.mean([trace.summary[name] for trace in traces]))


@table("baselines/dogma-demo", ["baselines/dogma-demo"])
def dogma(experiment):
    printed, rows = numbers("baselines"), []
    for key, name, beside in DEMO:
        for compare, traces in by_axis(
            [trace for trace in experiment.traces if trace.provenance["learner_key"] == key], "compare"
        ).items():
            label = name + (", compares the squared distance" if compare == "squared" else "")
            error = f"{100 * mean(traces, 'error_rate'):.2f}"
            theirs = "" if compare == "delta" else f" ({100 * printed.value(f'dogma.{beside}'):.2f})"
            rows.append([label, error + theirs, f"{mean(traces, 'support_vectors'):.0f}"])
    header = ["learner", "error, % (DOGMA)", "support vectors"]
    mark = data_marks(experiment.traces)
    return header, rows, "DOGMA's demonstration, means over the orders", mark


@table("baselines/adult", ["baselines/kol-perceptron", "baselines/budgeted-svm"])
def adult(kol, merging):
    first = kol.traces[0]
    printed = numbers("baselines")
    rows = [
        [
            "Perceptron, file order",
            tables.beside(first.summary["mistakes"], printed.value("kol.mistakes")),
            tables.beside(first.summary["support_vectors"], printed.value("kol.vectors")),
            f"{100 * first.summary['test_error']:.3f} ({100 * printed.value('kol.test'):.3f})",
        ],
        [
            "BSGD, merging, 200 support vectors, 5 epochs",
            f"{mean(merging.traces, 'mistakes'):.0f}",
            f"{mean(merging.traces, 'support_vectors'):.0f}",
            f"{100 * mean(merging.traces, 'test_error'):.2f} (roughly {100 * printed.value('budgeted-svm.test'):.0f})",
        ],
    ]
    rows.append(["Majority class", "", "", tables.majority(kol.traces)])
    header = ["learner", "mistakes (printed)", "support vectors (printed)", "test error, % (printed)"]
    mark = data_marks(trace for experiment in (kol, merging) for trace in experiment.traces)
    return header, rows, "Adult with the settings of KOL and BudgetedSVM", mark


@table("baselines/variants", ["baselines/variants"])
def variants(experiment):
    rows = []
    for data_set in dict.fromkeys(trace.data_set for trace in experiment.traces):
        here = [trace for trace in experiment.traces if trace.data_set == data_set]
        for key, axis in (("projectron", "compare"), ("nogd", "start")):
            for value, traces in by_axis(
                [trace for trace in here if trace.provenance["learner_key"] == key], axis
            ).items():
                rows.append(
                    [
                        data_title(data_set, traces),
                        f"{traces[0].label}, {axis} = {value}",
                        f"{100 * mean(traces, 'error_rate'):.2f}",
                        f"{100 * mean(traces, 'test_error'):.2f}",
                        f"{mean(traces, 'support_vectors'):.0f}",
                    ]
                )
        rows.append([data_title(data_set, here), "Majority class", "", tables.majority(here), ""])
    header = ["data set", "learner", "error, %", "test error, %", "support vectors"]
    mark = data_marks(experiment.traces)
    return header, rows, "Variants: implementations that differ from the papers", mark


FILTERS = ("krls-t", "fb-krls", "krls", "sw-krls", "kap", "qklms", "klms", "knlms")


def decibel(trace):
    """Mean squared error in decibel after the first 1000 of 10000 steps."""
    return trace.summary["measures"]["decibel@9000"]


@table("baselines/kafbox", ["baselines/kafbox-lorenz", "baselines/kafbox-rff"])
def kafbox(filters, features):
    printed, rows = numbers("baselines"), []
    for key in FILTERS:
        (trace,) = filters.by_learner(key)
        error_text, size = f"{decibel(trace):.2f}", trace.summary["support_vectors"]
        rows.append([trace.label, error_text, f"{printed.value(f'kafbox.{key}'):.2f}", f"{size}"])
    draws = [decibel(trace) for trace in features.traces if trace.parameters["features"] == 500]
    spread = f"{np.mean(draws):.2f} ± {np.std(draws, ddof=1):.2f}" if len(draws) > 1 else f"{draws[0]:.2f}"
    rows.append(["RFF-KLMS", spread, f"{printed.value('kafbox.rff-klms'):.2f}", "500 directions"])
    header = ["filter", "dB", "dB (kafbox)", "dictionary"]
    mark = data_marks(trace for experiment in (filters, features) for trace in experiment.traces)
    return header, rows, "Lorenz series, one-step prediction, after the first 1000 steps", mark


if __name__ == "__main__":
    main()
