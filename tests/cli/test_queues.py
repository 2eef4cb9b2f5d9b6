"""Output of `pliant sweep` and `pliant-lab slurm` for other programs, run by these: GNU parallel, and Slurm as a cluster of one machine."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from command import BINARY, LAB, SweepCase

CONFIGURATION = """ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/control.pid
SlurmdPidFile={folder}/node.pid
SlurmctldLogFile={folder}/control.log
SlurmdLogFile={folder}/node.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
KillWait=5
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    """Ports that nobody listens at."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Queues(SweepCase):
    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "PATH": f"{pathlib.Path(BINARY).resolve().parent}:{os.environ['PATH']}"}

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_parallel(self):
        study = self.study({"settings.substeps": [1, 2, 3]})
        lines = self.expect(0, "sweep", study, "-o", self.out, "--print-commands").stdout
        subprocess.run(["parallel", "--will-cite", "-j", "2"], input=lines, text=True, check=True, env=self.environment, timeout=120)
        self.assertEqual([row["status"] for row in self.table(study)], ["done"] * 3)

    def start(self, *words):
        process = subprocess.Popen(words, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait, 30)
        self.addCleanup(process.terminate)

    def wait_for(self, what, condition):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.1)
        logs = "".join(path.read_text()[-3000:] for path in self.cluster.glob("*.log"))
        self.fail(f"{what} did not come in a minute\n{logs}")

    def ask(self, *words, **options):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60, **options)

    def start_cluster(self):
        """Munge, the controller and one node, with all that they write in a folder of their own."""
        self.cluster = pathlib.Path(tempfile.mkdtemp(prefix="pliant-slurm-"))
        self.addCleanup(shutil.rmtree, self.cluster, ignore_errors=True)
        self.cluster.chmod(0o755)
        for name in ("state", "spool"):
            (self.cluster / name).mkdir()
        key = self.cluster / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        configuration = self.cluster / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=self.cluster, ports=free_ports(2),
                                                      cores=os.cpu_count()))
        self.environment["SLURM_CONF"] = str(configuration)
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.cluster}/munge",
                   f"--pid-file={self.cluster}/munge.pid", f"--log-file={self.cluster}/munge.log", f"--seed-file={self.cluster}/seed")
        self.wait_for("munge", (self.cluster / "munge").exists)
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D")
        self.wait_for("the node", lambda: "idle" in self.ask("sinfo", "--noheader").stdout)

    def summary_of(self, setting):
        """The status that the summary of the point with a setting has; None before there is one."""
        summaries = [json.loads(path.read_text()) for path in self.out.rglob("summary.json")]
        return next((summary["status"] for summary in summaries if setting in summary["settings"]), None)

    @unittest.skipUnless(shutil.which("slurmctld") and shutil.which("slurmd") and shutil.which("munged") and os.geteuid() == 0,
                         "Slurm is not installed, or this is not root")
    def test_slurm(self):
        """All points are done; one that is put back into the queue while it runs goes on, and ends in the hash of a run of its own."""
        self.start_cluster()
        # The first point takes seconds, so that it still runs when it is put back; the others are done by then.
        study = self.study({"settings.substeps": [200, 1, 2]}, frames=800)
        script = self.expect(0, "slurm", study, "-o", self.out, program=LAB).stdout
        job = re.search(r"\d+", self.ask("sbatch", input=script, cwd=self.folder).stdout)[0]
        self.wait_for("a run of the first point", lambda: self.summary_of("settings.substeps=200") == "running")
        self.assertEqual(self.ask("scontrol", "requeue", f"{job}_0").returncode, 0)
        self.wait_for("its place in the queue", lambda: f"{job}_0 PD" in self.ask("squeue", "--noheader", "--format=%i %t").stdout)
        # Slurm may say so before the process that it has told to end has written its state.
        self.wait_for("the state of the first point", lambda: self.summary_of("settings.substeps=200") == "cancelled")
        self.assertEqual(self.table(study)[0]["status"], "stopped")
        # A node refuses a job's credential that was made in the second, in whole seconds, in which it revoked the one before.
        time.sleep(2)
        self.ask("scontrol", "update", f"JobId={job}_0", "StartTime=now") # Slurm would let it wait for two minutes.
        self.wait_for("the end of all points", lambda: [row["status"] for row in self.table(study)] == ["done"] * 3)
        alone = self.run_json("run", self.scene, "-o", self.folder / "alone", "--frames", "800", "--format", "none", "--set",
                              "settings.substeps=200")
        self.assertEqual(self.table(study)[0]["hash"], alone["hash"])


if __name__ == "__main__":
    unittest.main()
