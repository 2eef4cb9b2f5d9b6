"""Runs that are killed at any moment go on, again and again, to the bits of a run that was not.

Kills draws its moments from one seed, but what a run has then done depends on the machine: every moment must do. Moments stops a run
before each call that changes a file, and within those that write, in turn (kill_at.c), since the windows in which files of one
recording disagree are too short to be met by chance.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from faults import BINARY, LONG, SOURCE, Case, cloth, few

KILLS = 200 if LONG else 20
CHAIN = 5  # Kills of one run before it is let go on to its end.
FORMATS = ["pc2", "mdd", "gltf", "glb", "usda", "obj"]
EVERY = FORMATS + ["ply", "vtkhdf"]
JOINS = ("rename", "renameat", "link", "linkat", "unlink", "unlinkat", "ftruncate")  # What is seen of a file changes here at once.


class Kills(Case):
    def test_resumed_to_the_same_bits(self):
        scene = cloth(frames=40)
        scene["deformables"][0]["mesh"]["grid"].update(columns=20, rows=20)
        words = ["run", self.write_scene(scene), "-t", "1", "--format", ",".join(FORMATS), "--checkpoint-every", "4"]
        whole, broken = self.folder / "whole", self.folder / "broken"
        start = time.monotonic()
        expected = self.run_json(*words, "-o", whole)
        span, moments, kills, chain = time.monotonic() - start, random.Random(21), 0, 0
        while kills < KILLS:
            process = subprocess.Popen([BINARY, *map(str, words), "-o", str(broken), "--resume", "-q"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                _, errors = process.communicate(timeout=moments.uniform(0, span))
                self.assertEqual(process.returncode, 0, errors)
                continue
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
            kills += 1
            if kills % CHAIN == 0:
                self.assert_goes_on(words, broken, whole, expected)
                chain += 1
                broken = self.folder / f"broken{chain}"
        print(f"Kills: {kills} kills, {chain} runs of {CHAIN} kills each went on to {expected['hash']}")

    def assert_goes_on(self, words, broken, whole, expected):
        resumed = json.loads(self.expect(0, *words, "-o", broken, "--resume", "--json").stdout)
        self.assertEqual((resumed["hash"], resumed["frame"]), (expected["hash"], expected["frame"]))
        self.assert_same(broken, whole)

    def assert_same(self, broken, whole):
        names = sorted(path.name for path in whole.iterdir())
        self.assertEqual(sorted(path.name for path in broken.iterdir()), names)
        for name in names:
            if name != "summary.json":  # It tells times.
                self.assertEqual((broken / name).read_bytes(), (whole / name).read_bytes(), name)


class Moments(Kills):
    """Of two cloths and a collider with a file each, so that a kill leaves files of one recording in different states."""

    test_resumed_to_the_same_bits = None

    @classmethod
    def setUpClass(cls):
        cls.follower, cls.runs = os.path.join(os.environ.get("PLIANT_BUILD_DIR", "/tmp"), "kill_at"), 0
        compiler = shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            raise unittest.SkipTest("no C compiler")
        subprocess.run([compiler, "-O1", "-o", cls.follower, str(SOURCE / "tests/faults/kill_at.c")], check=True)
        if subprocess.run([cls.follower, "0", "/", "-", shutil.which("true")]).returncode:
            raise unittest.SkipTest("programs cannot be followed here")

    @classmethod
    def tearDownClass(cls):
        print(f"{cls.__name__}: {cls.runs} kills at chosen calls")

    def setUp(self):
        super().setUp()
        scene = cloth(frames=6)
        scene["deformables"][0]["mesh"]["grid"].update(columns=5, rows=4)
        scene["deformables"].append(json.loads(json.dumps(scene["deformables"][0])))
        scene["deformables"][1].update(name="other", pose={"position": [0, 1.2, 0]})
        scene["colliders"].append({"shape": "mesh", "mesh": {"sphere": {"subdivisions": 0}},
                                   "motion": {"angular_speed": 40}, "pose": {"position": [3, 3, 0]}})
        self.scene, self.whole, self.broken = self.write_scene(scene), self.folder / "whole", self.folder / "broken"

    def words(self, kind):
        words = ["run", self.scene, "-t", "1", "-f", kind, "--checkpoint-every", "2"]
        return words + ["--record", self.folder / "figures.csv"] if kind == "pc2" else words

    def follow(self, at, words, log="-"):
        command = [self.follower, str(at), str(self.broken), str(log), shutil.which(BINARY), *map(str, words), "-o", str(self.broken), "-q"]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | {"ASAN_OPTIONS": "detect_leaks=0"})

    def calls(self, words):
        log = self.folder / "calls.log"
        shutil.rmtree(self.broken, ignore_errors=True)
        self.assertEqual(self.follow(0, words, log).returncode, 0)
        return [line.split()[0] for line in log.read_text(errors="replace").splitlines()]

    def killed(self, at, words):
        self.assertEqual(self.follow(at, words).returncode, 137, f"call {at}")
        type(self).runs += 1

    def moments(self, calls):
        """Before and after calls at which a file changes at once, and within those that write: all of them, or a sample."""
        joins = {n + after for n, call in enumerate(calls, 1) if call in JOINS for after in (0, 1) if n + after <= len(calls)}
        torn = [-n for n, call in enumerate(calls, 1) if call in ("write", "pwrite")]
        if LONG:
            return [*range(1, len(calls) + 1), *torn]
        return few(joins, 24) + few(torn, 6)

    def goes_on(self, kind, words, expected, at):
        with self.subTest(format=kind, killed_at=at):
            self.assert_goes_on(words, self.broken, self.whole, expected)

    def test_every_format(self):
        """Killed once, and in the long form once more while it resumes."""
        for kind in EVERY:
            words = self.words(kind)
            shutil.rmtree(self.whole, ignore_errors=True)
            expected = self.run_json(*words, "-o", self.whole)
            calls = self.calls(words)
            for at in self.moments(calls):
                shutil.rmtree(self.broken, ignore_errors=True)
                self.killed(at, words)
                if LONG and at > 0:
                    self.follow(1 + (7 * at) % len(calls), words + ["--resume"])
                self.goes_on(kind, words, expected, at)


if __name__ == "__main__":
    unittest.main()
