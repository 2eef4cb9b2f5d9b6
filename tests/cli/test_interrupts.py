"""Signals and limits of processor time: runs and sweeps stop with their state, and continue to the same bits."""
import fcntl
import json
import os
import pathlib
import pty
import resource
import signal
import subprocess
import termios
import time
import unittest

from command import BINARY, Case, SweepCase, cloth, pliant, point_cache_frames


class Runs(Case):
    """Long enough to be interrupted: hundreds of frames of a finer cloth."""

    FRAMES = 160 if os.environ.get("PLIANT_QUICK") else 400

    def setUp(self):
        super().setUp()
        scene = cloth(frames=self.FRAMES)
        scene["deformables"][0]["mesh"]["grid"].update(columns=40, rows=40)
        self.scene = self.write_scene(scene)
        self.words = ["run", self.scene, "--format", "pc2,mdd,vtkhdf,gltf", "--checkpoint-every", "7"]
        self.whole, self.broken = self.folder / "whole", self.folder / "broken"

    def start(self, **options):
        """Starts a run, and returns it as soon as a checkpoint is there."""
        process = subprocess.Popen([BINARY, *map(str, self.words), "-o", str(self.broken)], **options)
        deadline = time.monotonic() + 120
        while not (self.broken / "checkpoint.pli").exists() and time.monotonic() < deadline:
            time.sleep(0.002)
        return process

    def interrupt(self, number):
        """Starts a run and ends it by a signal as soon as a checkpoint is there."""
        process = self.start(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.send_signal(number)
        _, errors = process.communicate(timeout=120)
        return process.returncode, errors

    def assert_resumes(self):
        expected = self.run_json(*self.words, "-o", self.whole)
        resumed = self.run_json(*self.words, "-o", self.broken, "--resume")
        self.assertGreater(resumed["first_frame"], 0)
        self.assertEqual((resumed["hash"], resumed["frame"]), (expected["hash"], self.FRAMES))
        for name in ("scene.pc2", "scene.mdd", "scene.obj", "checkpoint.pli", "scene.bin"):
            self.assertEqual((self.whole / name).read_bytes(), (self.broken / name).read_bytes(), name)
        self.assertEqual(sorted(p.name for p in self.whole.iterdir()), sorted(p.name for p in self.broken.iterdir()))

    def test_after_ctrl_c(self):
        code, errors = self.interrupt(signal.SIGINT)
        self.assertEqual(code, 1, errors)
        self.assertIn("--resume", errors)
        summary = json.loads((self.broken / "summary.json").read_text())
        self.assertEqual(summary["status"], "cancelled")
        self.assertEqual(point_cache_frames(self.broken / "scene.pc2"), (summary["frame"] + 1,) * 2)
        self.assert_whole(self.broken)
        self.assert_resumes()

    def test_sigterm_is_heeded_too(self):
        code, errors = self.interrupt(signal.SIGTERM)
        self.assertEqual(code, 1, errors)
        self.assertEqual(json.loads((self.broken / "summary.json").read_text())["status"], "cancelled")

    def test_a_terminal_that_closes(self):
        """The kernel tells the run so, the shell tells it once more, and nothing that it prints arrives any longer."""
        terminal, inside = pty.openpty()
        process = self.start(stdin=inside, stdout=inside, stderr=inside, start_new_session=True,
                             preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(inside)
        os.close(terminal)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(120), 1)
        self.assertEqual(json.loads((self.broken / "summary.json").read_text())["status"], "cancelled")
        self.assert_resumes()

    def test_nohup_is_heeded(self):
        process = self.start(stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=120)
        self.assertEqual(json.loads((self.broken / "summary.json").read_text())["status"], "done")

    def test_the_limit_of_processor_time(self):
        """After two seconds the run is told, and could go on for some more."""
        self.words = ["run", self.scene, "--format", "none", "--frames", "1000000"]
        result = pliant(*self.words, "-o", self.broken, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (2, 60)))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("--resume", result.stderr)
        self.assertEqual(json.loads((self.broken / "summary.json").read_text())["status"], "cancelled")

    def test_after_sigkill(self):
        code, _ = self.interrupt(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        header, whole = point_cache_frames(self.broken / "scene.pc2")
        self.assertGreater(header, 7)
        self.assertLessEqual(header, whole)
        self.expect(0, "convert", self.broken, self.folder / "readable.mdd")
        (self.broken / "scene.pc2.99999999.tmp").write_text("of a process that is no more")
        self.assert_resumes()
        self.assert_whole(self.broken)


class Sweeps(SweepCase):
    def test_interrupted_sweeps_go_on_to_the_same_bits(self):
        scene = cloth(frames=2000)
        scene["deformables"][0]["mesh"]["grid"].update(columns=30, rows=30)
        self.write_scene(scene)
        study = self.study({"settings.substeps": [1, 2]}, frames=1000)
        process = subprocess.Popen([BINARY, "sweep", str(study), "-o", str(self.out), "-q", "-j", "2"], stderr=subprocess.PIPE,
                                   text=True)
        deadline = time.monotonic() + 60
        while len(list(self.out.glob("points/*/checkpoint.pli"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("continues with the remaining points", errors)
        self.assertEqual([row["status"] for row in self.table(study)], ["stopped"] * 2)
        at = [int(row["frame"]) for row in self.table(study)]
        end = max(at) + 5
        for path in self.out.glob("points/*/summary.json"):
            self.assertEqual(json.loads(path.read_text())["status"], "cancelled")
        # By hand, as the sweep does, but not to the end.
        lines = self.expect(0, "sweep", study, "-o", self.out, "--print-commands").stdout.splitlines()
        for number, line in enumerate(lines):
            run = subprocess.run(line.replace("pliant", BINARY, 1).replace("'1000'", f"'{end}'"), shell=True, check=False)
            self.assertEqual(run.returncode, 0)
            whole = self.run_json("run", self.scene, "-o", self.folder / "whole", "--format", "none", "--frames", str(end), "--set",
                                  f"settings.substeps={number + 1}")
            row = self.table(study)[number]
            self.assertEqual((row["status"], row["hash"]), ("done", whole["hash"]))

    def test_a_signal_to_all_processes_leaves_their_states(self):
        """As a terminal and Slurm send it: the points get it from outside, and once more from the sweep."""
        scene = cloth(frames=100000)
        scene["deformables"][0]["mesh"]["grid"].update(columns=40, rows=40)
        self.write_scene(scene)
        study = self.study({"settings.substeps": [20, 21]})
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = subprocess.Popen([BINARY, "sweep", str(study), "-o", str(self.out), "-q", "-j", "2"], stderr=subprocess.PIPE,
                                       start_new_session=True)
            deadline = time.monotonic() + 60
            while self.statuses() != ["running"] * 2:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            os.killpg(process.pid, number)
            process.communicate(timeout=60)
            self.assertEqual(self.statuses(), ["cancelled"] * 2)

    def statuses(self):
        """What the summaries of the points say became of them."""
        return [json.loads(path.read_text())["status"] for path in self.out.glob("points/*/summary.json")]

    def test_points_that_are_stopped_while_they_start_have_not_failed(self):
        """SIGTERM reaches processes that do not listen yet, so it is sent at several times."""
        study = self.study({"settings.substeps": list(range(1, 201))})
        for wait in (0, 0.01, 0.02, 0.03):
            process = subprocess.Popen([BINARY, "sweep", str(study), "-o", str(self.out), "-q", "-j", "8"], stderr=subprocess.PIPE)
            count = len(list(self.out.glob("points/*"))) + 4
            deadline = time.monotonic() + 60
            while len(list(self.out.glob("points/*"))) < count and time.monotonic() < deadline and process.poll() is None:
                time.sleep(0.001)
            time.sleep(wait)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
            self.assertEqual([row["message"] for row in self.table(study) if row["status"] == "failed"], [])

    def test_a_process_that_dies_has_failed(self):
        """Also after its first summary, and where SIGCHLD is inherited as ignored."""
        study = self.study({"settings.substeps": [1]}, frames=1000000)
        process = subprocess.Popen([BINARY, "sweep", str(study), "-o", str(self.out), "-q"], stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        deadline = time.monotonic() + 60
        while not list(self.out.glob("points/*/summary.json")) and time.monotonic() < deadline:
            time.sleep(0.01)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
        self.assertEqual(len(children), 1)
        os.kill(int(children[0]), signal.SIGKILL)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        row, = self.table(study)
        self.assertEqual((row["status"], row["message"]), ("failed", "it ended without a word"))

    @unittest.skipUnless(hasattr(os, "sched_setaffinity"), "this system does not say which processors a process may use")
    def test_as_many_processes_as_processors_that_it_may_use(self):
        study = self.study({"settings.substeps": [1, 2, 3]}, frames=1000000)
        process = subprocess.Popen([BINARY, "sweep", str(study), "-o", str(self.out), "-q"], stderr=subprocess.PIPE,
                                   preexec_fn=lambda: os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]))
        deadline = time.monotonic() + 60
        while not list(self.out.glob("points/*/summary.json")) and time.monotonic() < deadline:
            time.sleep(0.01)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(len(children), 1)


if __name__ == "__main__":
    unittest.main()
