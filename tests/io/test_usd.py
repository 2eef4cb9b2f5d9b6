"""USD as text is read by a parser that is not ours, TinyUSDZ: layers, time samples, what is still, looks, and what a resumed run goes on with."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

import numpy as np

from recording import PLIANT, folder, modules, pc2, run, scene


def read(path):
    result = subprocess.run(["node", os.path.join(modules(), "usd.mjs"), path], capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(result.stdout[-2000:] + result.stderr[-2000:])
    return json.loads(result.stdout)


def triples(text):
    return np.array([[float(word) for word in values.split(",")] for values in re.findall(r"\(([^()]*)\)", text)])


def samples(layer):
    """Frames of the attribute of a layer, as the parser printed it."""
    return {int(frame): triples(values) for frame, values in re.findall(r"^ +(\d+): (\[.*\])", layer, re.MULTILINE)}


def files(out):
    return {path.name: path.read_bytes() for path in sorted(pathlib.Path(out).glob("*.usda"))}


class Usd(unittest.TestCase):
    def test_all_that_was_written_is_read(self):
        with folder() as out:
            run(scene(out), f"{out}/run")
            found = read(f"{out}/run/usd-test.usda")
            root = found["layers"]["usd-test.usda"]
            for line in ("metersPerUnit = 1", "timeCodesPerSecond = 60", "startTimeCode = 0", "endTimeCode = 8", 'upAxis = "Y"'):
                self.assertIn(line, root)
            for layer in found["layers"].values():  # One without a rate would be stretched.
                self.assertIn("timeCodesPerSecond = 60", layer)
            mesh = found["meshes"]["/usd_test/sheet_1"]
            self.assertEqual(mesh["counts"], [3, 3])
            self.assertIn("faceVertexIndices = [0, 2, 1, 1, 2, 3]", root)
            # By corner, so that the vertex at a seam has both of its places.
            corners = triples(re.search(r"primvars:st = (\[.*?\])", root).group(1)).tolist()
            self.assertEqual(corners, [[0, 0], [0, 1], [1, 0], [.5, .5], [0, 1], [1, 1]])
            self.assertRegex(root, r"primvars:displayColor = \[\(0\.1, 0\.2, 0\.3\)\]")
            np.testing.assert_allclose(mesh["material"]["diffuseColor"], [0.1, 0.2, 0.3], atol=1e-6)
            self.assertAlmostEqual(mesh["material"]["roughness"], 0.8, places=6)
            self.assertRegex(root, r"uniform bool doubleSided = (1|true)")
            moving = samples(found["layers"]["usd-test.sheet-1.usda"])
            expected = pc2(f"{out}/run/usd-test_sheet-1.pc2")
            self.assertEqual(sorted(moving), list(range(9)))
            for frame, positions in enumerate(expected):
                self.assertEqual(moving[frame].astype(np.float32).tobytes(), positions.tobytes(), f"frame {frame}")
            extents = samples(found["layers"]["usd-test.sheet-1.extent.usda"])
            self.assertEqual(sorted(extents), list(range(9)))
            for frame, corners in extents.items():
                np.testing.assert_array_equal(corners.astype(np.float32), [expected[frame].min(axis=0), expected[frame].max(axis=0)])
            normals = samples(found["layers"]["usd-test.sheet-1.normals.usda"])
            for frame in normals.values():
                np.testing.assert_allclose(np.linalg.norm(frame, axis=1), 1, atol=1e-3)

    def test_what_is_still_is_there_once(self):
        with folder() as out:
            run(scene(out), f"{out}/run")
            layers = read(f"{out}/run/usd-test.usda")["layers"]
            still, late = layers["usd-test.collider0.usda"], layers["usd-test.collider1.usda"]
            self.assertEqual(samples(still), {})
            np.testing.assert_allclose(triples(still.split("points")[1]), [[5, 1, 0], [6, 1, 0], [5, 1, 1], [6, 1, 1]])
            frames = samples(late)
            # Between the first and the last frame at rest nothing moves; from then on each frame counts.
            self.assertEqual(sorted(frames), [0, 3, 4, 5, 6, 7, 8])
            expected = pc2(f"{out}/run/usd-test_collider1.pc2")
            for frame, positions in frames.items():
                self.assertEqual(positions.astype(np.float32).tobytes(), expected[frame].tobytes(), f"frame {frame}")
            np.testing.assert_array_equal(expected[0], expected[3])

    def test_materials_are_for_objects_of_one_colour_and_have_names_of_their_own(self):
        with folder() as out:
            with open(f"{out}/Materials.ply", "w", encoding="utf-8") as file:
                file.write("ply\nformat ascii 1.0\nelement vertex 3\n" + "".join(f"property float {name}\n" for name in "xyz") +
                           "".join(f"property uchar {name}\n" for name in ("red", "green", "blue")) +
                           "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                           "0 0 0 255 0 0\n1 0 0 0 255 0\n0 0 1 0 0 255\n3 0 2 1\n")
            run(scene(out, frames=1, colliders=[], deformables=[
                {"name": name, "mesh": {"file": file}, "constraints": [{"type": "distance"}], "look": {"front": [0.5, 0.25, 0]}}
                for name, file in (("painted", "Materials.ply"), ("Materials", "sheet.obj"))]), f"{out}/run")
            found = read(f"{out}/run/usd-test.usda")
            root = found["layers"]["usd-test.usda"]
            self.assertIn('def Scope "Materials_"', root)
            self.assertEqual(re.findall("material:binding = (.*)", root), ["</usd_test/Materials_/Materials>"])
            self.assertEqual(found["meshes"]["/usd_test/Materials"]["material"]["diffuseColor"], [0.5, 0.25, 0])
            self.assertIsNone(found["meshes"]["/usd_test/painted"]["material"])
            self.assertRegex(root, r"primvars:displayColor = \[\(1, 0, 0\), \(0, 0, 1\), \(0, 1, 0\)\]")

    def test_resumed_and_shortened(self):
        with folder() as out:
            path = scene(out)
            run(path, f"{out}/whole")
            for first in ("2", "6"):
                run(path, f"{out}/parts", "--frames", first)
                read(f"{out}/parts/usd-test.usda")
                run(path, f"{out}/parts", "--resume")
                self.assertEqual(files(f"{out}/parts"), files(f"{out}/whole"), first)
            run(path, f"{out}/parts", "--resume")
            self.assertEqual(files(f"{out}/parts"), files(f"{out}/whole"), "nothing is left to do")
            # A run that was ended long behind its last checkpoint, also where something had begun to move since.
            run(path, f"{out}/parts", "--frames", "2")
            for name, content in files(f"{out}/whole").items():
                if name.endswith(".usda"):
                    pathlib.Path(f"{out}/parts/{name}").write_bytes(content)
            run(path, f"{out}/parts", "--resume")
            self.assertEqual(files(f"{out}/parts"), files(f"{out}/whole"), "frames behind the checkpoint")
            layer = f"{out}/parts/usd-test.sheet-1.usda"
            for bad in (b"", b"#usda 1.0\n", files(f"{out}/whole")["usd-test.sheet-1.usda"].replace(b", (0, ", b"", 1)[:300]):
                run(path, f"{out}/parts", "--frames", "4")
                with open(layer, "wb") as file:
                    file.write(bad)
                refused = subprocess.run([PLIANT, "run", path, "-o", f"{out}/parts", "--resume", "-q"], capture_output=True, text=True)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("usd-test.sheet-1.usda", refused.stderr)

    def test_it_stays_readable_when_the_program_is_killed(self):
        with folder() as out:
            path = scene(out, frames=100000)
            process = subprocess.Popen([PLIANT, "run", path, "-o", f"{out}/run", "--quiet"])
            layer = f"{out}/run/usd-test.sheet-1.usda"
            deadline = time.monotonic() + 60
            while (not os.path.exists(layer) or os.path.getsize(layer) < 20000) and time.monotonic() < deadline:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertGreater(len(samples(read(f"{out}/run/usd-test.usda")["layers"]["usd-test.sheet-1.usda"])), 10)

    def test_z_up_and_names(self):
        with folder() as out:
            path = scene(out, frames=1, up="z")
            os.rename(path, f"{out}/2nd run.json")
            run(f"{out}/2nd run.json", f"{out}/run")
            found = read(f"{out}/run/2nd_run.usda")
            self.assertIn('upAxis = "Z"', found["layers"]["2nd_run.usda"])
            self.assertIn("/_2nd_run/sheet_1", found["meshes"])

    def test_the_parser_is_strict(self):
        """A test of the test: damage to what we write is noticed."""
        with folder() as out:
            run(scene(out, frames=1), f"{out}/run")
            layer = f"{out}/run/usd-test.sheet-1.usda"
            text = pathlib.Path(layer).read_text(encoding="utf-8")
            for bad in (text[:-4], text.replace("), (", ") (", 1), text.replace("timeSamples = {", "timeSamples = [", 1)):
                with open(layer, "w", encoding="utf-8") as file:
                    file.write(bad)
                with self.assertRaises(AssertionError):
                    read(f"{out}/run/usd-test.usda")


if __name__ == "__main__":
    unittest.main()
