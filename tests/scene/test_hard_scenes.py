"""Scenes that cannot go well (tests/hard): pulls that exceed what cloth has in length, and loads of up to a hundred times its mass.
The exact check of intersections judges each of their frames: something gives way, but never what keeps surfaces apart."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ.get("PLIANT_BIN", "pliant")
SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCENES = sorted((SOURCE / "tests" / "hard").glob("*.json"))
# Of `make check`: frames until the worst has happened.
QUICK = {"bag": 36, "ball-on-cloth": 40, "hammock": 40, "cape-jump": 40, "tight-band": 30}


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
    scene["expect"] = {"intersections": 0}
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
                done = subprocess.run([BINARY, "run", path, "--verify", "--expect", "--json", "--quiet", "-o", folder, "-n",
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
                                       "--threads", "1"], capture_output=True, text=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["status"], "done")

    def test_there_are_ten(self):
        self.assertGreaterEqual(len(SCENES), 10)


if __name__ == "__main__":
    unittest.main()
