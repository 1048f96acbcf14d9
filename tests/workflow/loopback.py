"""A Slurm cluster of one node on this machine, for tests: munged, slurmctld and slurmd as root, in a folder."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue")
CPUS = 2

CONFIGURATION = """\
ClusterName=okbench
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SlurmdParameters=config_overrides
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=64000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """Why no cluster can be started here; empty when one can."""
    missing = [program for program in PROGRAMS if find(program) is None]
    if missing:
        return f"Slurm is not installed ({', '.join(missing)} missing); tools/setup.sh slurm installs it"
    if os.geteuid() != 0:
        return "starting slurmd needs root"
    return ""


def find(program):
    """Daemons are not on every PATH."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def free_ports(count):
    """Ports that nobody listens on now, all different."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


class NotStarted(Exception):
    """Slurm is installed, but does not come up here."""


class Cluster:
    """`environment` is what its commands need."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = []

    def start(self):
        """Returns when the node is idle. Raises NotStarted; stop it then, too."""
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        host = socket.gethostname().split(".")[0]
        controller_port, node_port = free_ports(2)
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                folder=self.folder, host=host, cpus=CPUS, controller_port=controller_port, node_port=node_port
            )
        )
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.launch(
            "munged",
            "--foreground",
            "--force",
            "--num-threads=2",
            f"--key-file={key}",
            f"--socket={self.folder}/munge.socket",
            f"--pid-file={self.folder}/munged.pid",
            f"--log-file={self.folder}/munged.log",
            f"--seed-file={self.folder}/munged.seed",
        )
        self.wait_for(lambda: (self.folder / "munge.socket").exists(), "munged")
        self.launch("slurmctld", "-D", "-f", self.environment["SLURM_CONF"])
        self.launch("slurmd", "-D", "-N", host, "-f", self.environment["SLURM_CONF"])
        self.wait_for(lambda: "State=IDLE" in self.command("scontrol", "show", "node").stdout, "the node")

    def launch(self, program, *arguments):
        """Starts a daemon that stays in the foreground."""
        log = open(self.folder / f"{program}.out", "wb")
        self.daemons.append(
            subprocess.Popen(
                [find(program), *arguments],
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment},
                start_new_session=True,
            )
        )

    def wait_for(self, happened, what, seconds=60):
        """Waits until happened() is true. Raises NotStarted with the end of the daemons' logs."""
        end = time.monotonic() + seconds
        while not happened():
            if time.monotonic() > end:
                logs = [path.read_text(errors="replace")[-1500:] for path in self.folder.glob("*.log")]
                raise NotStarted(f"{what} did not start\n" + "\n".join(logs))
            time.sleep(0.05)

    def command(self, *words):
        """Runs one of Slurm's commands."""
        return subprocess.run(
            words, capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **self.environment}
        )

    def jobs(self, states="PENDING,RUNNING,COMPLETING"):
        """Ids of jobs that wait or run."""
        return self.command("squeue", "--noheader", "--format=%i", f"--states={states}").stdout.split()

    def stop(self):
        """Cancels what still runs, then ends the daemons."""
        if len(self.daemons) == 3:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if self.jobs():
                    self.command("scancel", *self.jobs())
        for daemon in reversed(self.daemons):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(daemon.pid, signal.SIGTERM)
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
