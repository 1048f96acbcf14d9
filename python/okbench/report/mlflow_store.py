"""Exports results as runs of MLflow: one run per trial, in a database that `mlflow ui` opens.

A run has the parameters of its trial, the numbers of its summary as metrics, and its curves as metrics by step. Runs of
trials without a result have the status FAILED. Times of a run: it ends when its trace file was written.
"""

import logging
import os
import pathlib
import re

from ..errors import RequestError
from . import database

BATCH = 1000  # most metrics of one call of MLflow
TAGS = ("id", "label", "grid_point", "tier", "overridden", "synthetic", "status", "digest", "file")
PARAMETERS = ("learner", "method", "data_set", "seed", "kernel")


def write(table, folder, points):
    """Writes FOLDER/mlflow.db, complete or not at all. Returns the numbers of experiments, runs and metrics.

    Raises RequestError if MLflow is not installed or the database exists (it may have runs of other programs), and
    WriteError.
    """
    path = pathlib.Path(folder) / "mlflow.db"
    if path.exists():
        raise RequestError(f"{path} exists; choose another folder, or remove it")
    database.require_installed("mlflow", "mlflow", "sqlalchemy", "alembic")  # mlflow-skinny lacks the other two
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    import mlflow

    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    with database.complete_file(path, mlflow.exceptions.MlflowException) as temporary:
        store = Store(mlflow.MlflowClient(tracking_uri=f"sqlite:///{temporary.absolute()}"), path.parent.absolute())
        for name, row in database.rows_of(table, points):
            store.add(name, dict(zip(database.types_of(name), row)))
        store.finish()
    return store.counts


class Store:
    """Turns the rows of database.rows_of, which come trial by trial, into runs."""

    def __init__(self, client, folder):
        self.client = client
        self.artifacts = folder / "artifacts"
        self.experiments = {}
        self.counts = {"experiments": 0, "runs": 0, "metrics": 0}
        self.trial = None  # row of the open run

    def add(self, table, row):
        if table == "trials":
            self.finish()
            self.trial, self.parameters, self.summary, self.curves = row, {}, {}, {}
        elif table == "axes":
            self.parameters[row["name"]] = row["value"]
        elif table == "summaries":
            self.summary[row["name"]] = row["value"]
        elif table == "measures":
            self.point(row["name"], row["step"], row["value"])
        else:
            for name, value in row.items():
                if name not in ("trial", "step"):
                    self.point(name, row["step"], value)

    def point(self, name, step, value):
        if value is not None:
            self.curves.setdefault(name, []).append((step, value))

    def finish(self):
        """Writes the open run, if there is one."""
        if self.trial is None:
            return
        from mlflow.entities import Metric, Param

        row, ok = self.trial, self.trial["status"] == "ok"
        end = round(1000 * os.stat(row["file"]).st_mtime) if row["file"] and os.path.exists(row["file"]) else 0
        start = end - round(1000 * self.summary.get("seconds", 0))
        run_name = row["name"].removeprefix(f"{row['experiment']}/")
        tags = {"mlflow.runName": run_name, **{name: row[name] for name in TAGS if row[name] is not None}}
        run = self.client.create_run(self.experiment(row["experiment"]), start_time=start, tags=tags).info.run_id
        parameters = {name: row[name] for name in PARAMETERS if row[name] is not None} | self.parameters
        last = max((points[-1][0] for points in self.curves.values()), default=0)
        # The last value of a curve is that of the summary.
        points = {name: [(last, value)] for name, value in self.summary.items()} | self.curves
        metrics = [
            Metric(metric_name(name), value, end, step) for name, steps in points.items() for step, value in steps
        ]
        self.client.log_batch(run, params=[Param(name, str(value)) for name, value in parameters.items()])
        for begin in range(0, len(metrics), BATCH):
            self.client.log_batch(run, metrics=metrics[begin : begin + BATCH])
        self.client.set_terminated(run, "FINISHED" if ok else "FAILED", end)
        self.counts["runs"] += 1
        self.counts["metrics"] += len(metrics)
        self.trial = None

    def experiment(self, name):
        if name not in self.experiments:
            self.experiments[name] = self.client.create_experiment(name, self.artifacts.as_uri())
            self.counts["experiments"] += 1
        return self.experiments[name]


def metric_name(name):
    """A name that MLflow accepts: error:500 for error@500."""
    return re.sub(r"[^/\w.\- :]", ":", name)
