"""What the tests of the command line share: running it, and scenes to run."""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

BINARY = os.environ.get("PLIANT_BIN", "pliant")
LAB = os.environ.get("PLIANT_LAB", "pliant-lab")
SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
COMMANDS = ["new", "run", "view", "inspect", "models", "check", "check-intersections", "render", "cook", "convert", "plot", "diff", "sweep", "schema",
            "completion", "manual", "help"]
LAB_COMMANDS = ["experiment", "validate", "bench", "slurm", "database", "completion", "manual", "help"]


def pliant(*words, program=BINARY, **options):
    """Runs a program with its output as text. Returns the result of subprocess.run."""
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=300, **options)


def wait_until_caught(process, number=signal.SIGINT):
    """Until the program catches the signal, however slowly it starts."""
    caught = re.compile(r"SigCgt:\s*([0-9a-f]+)")
    for _ in range(1200):
        mask = int(caught.search(pathlib.Path(f"/proc/{process.pid}/status").read_text())[1], 16)
        if mask >> (number - 1) & 1:
            return
        time.sleep(0.05)
    raise AssertionError("no signal is caught after a minute")


def interrupted(*words, timeout=60, program=BINARY):
    """Runs a program and sends SIGINT as soon as it is caught. Returns the exit status and both outputs."""
    process = subprocess.Popen([program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until_caught(process)
    process.send_signal(signal.SIGINT)
    output, messages = process.communicate(timeout=timeout)
    return process.returncode, output, messages


def point_cache_frames(path):
    """Frames that the header of a PC2 file counts, and complete frames in it."""
    data = path.read_bytes()
    points, _, _, count = struct.unpack("<iffi", data[16:32])
    return count, (len(data) - 32) // (12 * points)


def cloth(**changes):
    """A small cloth held at two corners that swings against a moving ball."""
    scene = {
        "pliant": 1,
        "title": "Test cloth",
        "frames": 30,
        "deformables": [{
            "name": "cloth",
            "mesh": {"grid": {"columns": 12, "rows": 12, "width": 1, "depth": 1}},
            "pose": {"position": [0, 1, 0]},
            "constraints": [{"type": "distance"}, {"type": "triangle", "compliance": 0.001}],
        }],
        "colliders": [{"shape": "sphere", "radius": 0.2, "pose": {"position": [0.1, 0.7, 0]}}, {"shape": "plane"}],
        "output": {"formats": ["pc2"]},
    }
    scene.update(changes)
    return scene


class Case(unittest.TestCase):
    """A test with its own folder and readable failures."""

    program = BINARY

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pliant-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write_scene(self, scene, name="scene.json"):
        path = self.folder / name
        path.write_text(json.dumps(scene))
        return path

    def expect(self, code, *words, **options):
        result = pliant(*words, **{"program": self.program, **options})
        self.assertEqual(result.returncode, code, f"{words}\nstdout: {result.stdout}\nstderr: {result.stderr}")
        return result

    def run_json(self, *words, code=0):
        return json.loads(self.expect(code, *words, "--json").stdout)

    def assert_whole(self, folder):
        """No temporary file is left."""
        left = [str(path) for path in folder.rglob("*") if path.name.endswith(".tmp")]
        self.assertEqual(left, [])


class LabCase(Case):
    """A test of pliant-lab."""

    program = LAB


class SweepCase(Case):
    """A test of studies over a small cloth."""

    def setUp(self):
        super().setUp()
        self.scene = self.write_scene(cloth(frames=3))
        self.out = self.folder / "out"

    def study(self, axes, **more):
        path = self.folder / "study.json"
        path.write_text(json.dumps({"scene": "scene.json", "axes": axes, **more}))
        return path

    def table(self, study):
        self.expect(0, "sweep", "table", study, "-o", self.out)
        with open(self.out / "table.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
