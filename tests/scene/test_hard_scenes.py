"""Scenes that cannot go well (tests/hard): pulls that exceed what cloth has in length, and loads of up to a hundred times its mass.
The exact check of intersections judges each of their frames: something gives way, but never what keeps surfaces apart."""
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from test_over_budget import LONG, judge

BINARY = os.environ.get("PLIANT_BIN", "pliant")
SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCENES = sorted((SOURCE / "tests" / "hard").glob("*.json"))
# Of `make check`: frames until the worst has happened.
QUICK = {"bag": 36, "ball-on-cloth": 40, "hammock": 40, "cape-jump": 40, "tight-band": 30}

# Largest strain of an edge in the last frame of those that do not stay below MOST_STRAIN, as `lab/tools/hard-table` measured it, and how much
# more of it is a fault. They are pulled further than their material goes, or carry more than it holds.
STRAINED = {"flat-pinch": 0.82, "held-through-held": 5.39, "links": 2.53, "mass-ratio": 0.34, "sleeve": 1.02, "tight-band": 7.32,
            "wrung-tube": 0.9}
MOST_STRAIN, FAULT = 0.2, 1.25
# Largest fraction of stuck particles that a scene may expect: 14, 8 and 11 % were measured in those that are named.
MOST_STUCK = 0.05
STUCK = {"flat-pinch": 0.25, "plate-on-plane": 0.15, "mass-ratio": 0.2}

# Of those that are moved by 10 km: frames until the worst has happened. They have boxes, turns, colliders that are led and bodies.
FAR = {"links": 40, "sleeve": 40, "wrung-tube": 40, "plate-on-plane": 50, "motor-press": 50}
AWAY = [8000, 0, -6000]


def moved(scene):
    """The scene somewhere else: planes have no other side, and motions are relative to where they begin."""
    def shift(place):
        return [a + b for a, b in zip(place, AWAY)]
    for thing in [t for group in ("deformables", "colliders", "bodies") for t in scene.get(group, [])]:
        pose = thing.setdefault("pose", {})
        pose["position"] = shift(pose.get("position", [0, 0, 0]))
        for box in [a["box"] for a in thing.get("attachments", []) if "box" in a]:
            box["minimum"], box["maximum"] = shift(box["minimum"]), shift(box["maximum"])
    scene.pop("expect", None)
    return scene


class HardScenes(unittest.TestCase):
    def test_surfaces_stay_apart_far_away(self):
        """Where poses are floats half a millimetre apart."""
        for name, frames in FAR.items():
            if os.environ.get("PLIANT_QUICK"):
                continue
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "far.json"
                path.write_text(json.dumps(moved(json.loads((SOURCE / "tests" / "hard" / f"{name}.json").read_text()))))
                done = subprocess.run([BINARY, "run", path, "--verify", "--json", "--quiet", "-o", folder, "-n",
                                       str(frames), "--threads", "1"], capture_output=True, text=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_surfaces_stay_apart(self):
        for path in SCENES:
            frames = json.loads(path.read_text())["frames"]
            if os.environ.get("PLIANT_QUICK"):
                frames = QUICK.get(path.stem)
            if not frames:
                continue
            with self.subTest(path.stem), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([BINARY, "run", path, "--verify", "--expect", "--json", "--quiet", "-o", folder, "-n", str(frames),
                                       "--record", f"{folder}/record.csv", "--threads", "1"], capture_output=True, text=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stderr)
                summary = json.loads(done.stdout)
                self.assertEqual(summary["status"], "done")
                if path.stem in STRAINED:
                    self.assertLess(summary["stretch_max"], FAULT * STRAINED[path.stem])
                if path.stem not in LONG:  # test_over_budget.py runs those for longer.
                    rows = list(csv.DictReader((pathlib.Path(folder) / "record.csv").read_text().splitlines()))
                    judge(self, path.stem, rows, summary, json.loads(path.read_text()), not os.environ.get("PLIANT_QUICK"))

    def test_capes_of_any_mesh_hang_again(self):
        """The cape whose pins jump by 5 m does not stay a lump on other meshes either: that was a matter of chance once."""
        scene = json.loads((SOURCE / "tests" / "hard" / "cape-jump.json").read_text())
        for side in () if os.environ.get("PLIANT_QUICK") else (*range(18, 29), 30):
            scene["deformables"][0]["mesh"]["grid"].update(columns=side, rows=side)
            with self.subTest(side), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "cape.json"
                path.write_text(json.dumps({key: value for key, value in scene.items() if key != "expect"}))
                done = subprocess.run([BINARY, "run", path, "--verify", "--json", "--quiet", "-o", folder, "--threads", "1"],
                                      capture_output=True, text=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertLess(json.loads(done.stdout)["stretch_max"], 0.05)

    def test_motion_and_strain_are_expected(self):
        """A scene that froze, or whose cloth was drawn out, does not pass for one that goes well."""
        for path in SCENES:
            expect = json.loads(path.read_text())["expect"]
            with self.subTest(path.stem):
                self.assertTrue(expect.get("ends") or "kinetic_energy" in expect)
                self.assertLessEqual(expect["stuck"], STUCK.get(path.stem, MOST_STUCK))
                if path.stem not in STRAINED:
                    self.assertLessEqual(expect["stretch_end"], MOST_STRAIN)

    def test_there_are_ten(self):
        self.assertGreaterEqual(len(SCENES), 10)


if __name__ == "__main__":
    unittest.main()
