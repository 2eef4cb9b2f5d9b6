"""A run whose world is thrown away behind each frame, and made anew from the scene and a snapshot, comes to the bits of one that is not.

What a snapshot lacks, or what only a world that has run can read, shows in one of these scenes: the hard ones, in which things lag,
yield, tear and are stopped, and the first frames of the shipped ones. PLIANT_LONG=1 takes the scenes to their end; `make check` takes every third shipped one.
"""
import itertools
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["PLIANT_SOURCE_DIR"])
PROGRAM = pathlib.Path(os.environ["PLIANT_BUILD_DIR"]) / "scene_hashes"
LONG = os.environ.get("PLIANT_LONG")
QUICK = os.environ.get("PLIANT_QUICK")
FRAMES = {"hard": 30 if QUICK else 120, "scenes": 3 if QUICK else 12}
UNSUPPORTED = 3
FACES = "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"


def animated_jaw(folder, name, side, frames):
    """A box that an animation brings over the middle of a sheet by 1 cm, and back. Returns the collider."""
    corners = [(x, y, z) for x, y, z in itertools.product((-0.2, 0.2), (-0.05, 0.05), (-0.2, 0.2))]
    (folder / f"{name}.obj").write_text("".join("v %g %g %g\n" % corner for corner in corners) + FACES)
    data = struct.pack("<12siiffi", b"POINTCACHE2", 1, len(corners), 0, 1, frames)
    for frame in range(frames):
        lift = side * (0.05 + max(0.2 - 0.0125 * frame, -0.01, 0.0125 * (frame - 30)))
        data += b"".join(struct.pack("<fff", x, y + lift, z) for x, y, z in corners)
    (folder / f"{name}.pc2").write_bytes(data)
    return {"shape": "mesh", "mesh": {"file": f"{name}.obj"}, "animation": {"file": f"{name}.pc2"}}


def state_hash(path, frames, *options):
    done = subprocess.run([PROGRAM, path, str(frames), *options], capture_output=True, text=True, timeout=1800)
    return done.returncode, done.stdout.strip() or done.stderr.strip()


class FreshRestores(unittest.TestCase):
    def compare(self, path, frames):
        code, expected = state_hash(path, frames)
        if code == UNSUPPORTED:
            return False
        self.assertEqual(code, 0, expected)
        result = state_hash(path, frames, "restore=1", "threads=2")
        if result != (0, expected):
            same, first = 0, frames  # They do not come together again.
            while first - same > 1:
                middle = (same + first) // 2
                if state_hash(path, middle) == state_hash(path, middle, "restore=1"):
                    same = middle
                else:
                    first = middle
            self.fail(f"{expected} and {result[1]} after {frames} frames; they differ from frame {first} on")
        return True

    def compare_all(self, folder, paths):
        compared = 0
        self.assertGreater(len(paths), 10)
        for path in sorted(paths):
            most = json.loads(path.read_text()).get("frames", 60)
            with self.subTest(path.stem):
                compared += self.compare(path, most if LONG else min(most, FRAMES[folder]))
        print(f"{folder}: {compared} scenes, restored behind each frame")

    def test_hard_scenes(self):
        self.compare_all("hard", list((SOURCE / "tests" / "hard").glob("*.json")))

    def test_shipped_scenes(self):
        paths = sorted(path for path in (SOURCE / "scenes").glob("*.json") if "schema" not in path.name)
        self.compare_all("scenes", paths[::3] if QUICK else paths)

    def test_animated_colliders_that_lag(self):
        frames = 40
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "jaws.json"
            path.write_text(json.dumps({
                "pliant": 1, "frames": frames,
                "deformables": [{"mesh": {"grid": {"columns": 9, "rows": 9, "width": 0.5, "depth": 0.5}}, "thickness": 0.01,
                                 "pose": {"axis": [1, 0, 0], "angle": 20}, "constraints": [{"type": "distance"}]}],
                "colliders": [animated_jaw(path.parent, "below", -1, frames), animated_jaw(path.parent, "above", 1, frames)]}))
            self.assertTrue(self.compare(path, frames))


if __name__ == "__main__":
    unittest.main()
