"""Every shipped scene says what must hold, and holds to it to its end, and the exact check of intersections passes every frame of it."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ.get("PLIANT_BIN", "pliant")
SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCENES = sorted((SOURCE / "scenes").glob("*.json"))
SCENES.append(SOURCE / "web/page/scenes/walker.json")  # The hero of the landing page.

# By particles, which let edges slip through one another.
CROSSES = {"fine-cloth"}
# Whose edges are stretched in the end: by pressure, wringing, pulling or tearing; self-contact of particles, which does not let layers
# slide.
STRETCHED = {"balloon", "fine-cloth", "flag", "kappa-live", "reef-knot", "torn-cloth", "twist-rope"}
# Of `make check`.
QUICK = {"first": 25, "plant": 15, "needles": 15}


class Expectations(unittest.TestCase):
    def test_each_scene_holds_to_its_own(self):
        for path in SCENES:
            scene = json.loads(path.read_text())
            with self.subTest(path), tempfile.TemporaryDirectory() as folder:
                frames = scene["frames"]
                if os.environ.get("PLIANT_QUICK"):
                    frames = QUICK.get(path.stem)
                if not frames:
                    continue
                verify = [] if path.stem in CROSSES else ["--verify"]
                done = subprocess.run([BINARY, "run", path, "--expect", *verify, "--json", "--quiet", "-o", folder, "-n",
                                       str(frames), "--format", "ply", "--threads", "1"],
                                      capture_output=True, text=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stderr)
                rows = json.loads(done.stdout)["expected"]
                self.assertEqual(frames == scene["frames"], len(rows) > 2, rows)

    def test_each_scene_says_what_must_hold(self):
        """And a limit that nothing could break is none: self-collision is on, and so crossings none."""
        for path in SCENES:
            expected = json.loads(path.read_text()).get("expect", {})
            self.assertLessEqual({"stretch", "stretch_p99", "stretch_end"}, set(expected), path.name)
            if path.stem not in CROSSES:
                self.assertEqual(expected.get("intersections"), 0, path.name)
            self.assertLessEqual(expected["stretch"], 2.5, path.name)
            if path.stem not in STRETCHED:
                self.assertLessEqual(expected["stretch_p99"], 0.05, path.name)
                self.assertLessEqual(expected["stretch_end"], 0.1, path.name)


if __name__ == "__main__":
    unittest.main()
