"""The shipped scenes of contact, shortened: nothing goes through anything, nothing stretches beyond measure, and the
bits do not depend on threads."""
import json
import math
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

BINARY = os.environ.get("PLIANT_BIN", "pliant")
SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))

# Frames: as many as it takes to touch. Times of scenes' keyframes are the scenes' own.
FRAMES = {"folded-cloth": 40, "barrel": 60, "twist-rope": 310, "spinning-sphere": 40, "funnel": 40, "ten-sheets": 40,
          "reef-knot": 90, "stripes-bodies": 60, "curtain-ball": 30, "needles": 30, "dress": 40, "fine-cloth": 40,
          "ball-on-cloth": 30}
TOUCHES = {"folded-cloth", "barrel", "spinning-sphere", "funnel", "ten-sheets", "reef-knot", "curtain-ball", "needles", "dress", "fine-cloth",
           "ball-on-cloth"}


def pliant(*words):
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=300)


class ContactScenes(unittest.TestCase):
    def run_scene(self, name, folder, *more):
        result = pliant("run", SOURCE / "scenes" / f"{name}.json", "-o", folder, "--quiet", *more)
        self.assertEqual(result.returncode, 0, f"{name}: {result.stderr}")
        return json.loads((pathlib.Path(folder) / "summary.json").read_text())

    def test_nothing_goes_through_anything(self):
        for name, frames in FRAMES.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "run")
                summary = self.run_scene(name, out, "--set", f"frames={frames}", "--threads", 2)
                self.assertEqual(summary["status"], "done")
                self.assertEqual(summary["contact"]["breaches"], 0)
                self.assertLess(summary["stretch_peak"], 0.5)
                if name in TOUCHES:
                    self.assertGreater(summary["contact"]["surface_contacts_max"], 10)
                found = pliant("check-intersections", out, "--json")
                self.assertEqual(json.loads(found.stdout)["intersections_total"], 0, name)

    def test_the_folded_cloth_rests_and_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "run")
            summary = self.run_scene("folded-cloth", out, "--threads", 2)
            cloth = [o for o in summary["objects"] if o["role"] == "deformable"][0]
            # With 22 values of gravity around 9.81 it ends between 0.05 and 11 mm/s, and above 1 mm/s in half of them.
            self.assertLess(cloth["rms_speed"], 5e-3)
            data = next(pathlib.Path(out).glob("*.pc2")).read_bytes()
            count = cloth["vertices"]
            frames = [struct.unpack_from(f"<{3 * count}f", data, 32 + 12 * count * i) for i in (240, 300)]
            moved = math.sqrt(sum((a - b) ** 2 for a, b in zip(*frames)) / count)
            self.assertLess(moved, 1e-3, "metres in the last second")

    def test_threads_do_not_matter(self):
        for name in ("stripes-bodies", "curtain-ball"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                hashes = {self.run_scene(name, os.path.join(folder, str(threads)), "--set", "frames=30", "--threads",
                                         threads)["hash"] for threads in (1, 2, 3)}
                self.assertEqual(len(hashes), 1, name)


if __name__ == "__main__":
    unittest.main()
