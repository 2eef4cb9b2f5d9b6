"""The animated glTF passes Khronos' validator and plays in three.js: positions, normals, texture coordinates, and what is still, once."""
import json
import os
import pathlib
import subprocess
import time
import unittest

import numpy as np

from recording import FRAMES, PLIANT, check, folder, modules, pc2, record, run, scene


def play(path, frames):
    result = subprocess.run(["node", os.path.join(modules(), "play.mjs"), path, str(frames)], capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(result.stdout[-3000:] + result.stderr[-3000:])
    found = json.loads(result.stdout)
    assert found["validator"]["numErrors"] == 0 and found["validator"]["numWarnings"] == 0, found["validator"]
    return found, {mesh["name"]: mesh for mesh in found["meshes"]}


def face_normals(positions, triangles):
    """Unit normals at vertices: the sum of the cross products of their triangles."""
    sums = np.zeros_like(positions)
    for a, b, c in triangles:
        sums[[a, b, c]] += np.cross(positions[b] - positions[a], positions[c] - positions[a])
    return sums / np.linalg.norm(sums, axis=1, keepdims=True)


def convert(path, to):
    result = subprocess.run([PLIANT, "convert", path, to], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def files(out):
    return {path.name: path.read_bytes() for path in sorted(pathlib.Path(out).glob("*.gl*")) + sorted(pathlib.Path(out).glob("*.bin"))}


class Gltf(unittest.TestCase):
    def test_a_cloth_plays(self):
        with folder() as out:
            expected = record(out)
            found, _ = play(f"{out}/first.gltf", FRAMES)
            check("three.js", found["meshes"][0]["frames"], expected)

    def test_looks_and_what_is_still(self):
        with folder() as out:
            run(scene(out), f"{out}/run", "--format", "gltf,pc2")
            _, meshes = play(f"{out}/run/usd-test.gltf", 8)
            sheet, still, late = meshes["sheet-1"], meshes["collider0"], meshes["collider1"]
            # The vertex at the seam, which the file names third, is there once for each of its places in the image.
            corners = [sheet["uv"][2 * i:2 * i + 2] for i in sheet["indices"]]
            self.assertEqual(corners, [[0, 1], [0, 0], [1, 1], [.5, .5], [0, 0], [1, 0]])
            np.testing.assert_allclose(sheet["colour"], [0.1, 0.2, 0.3], atol=1e-6)
            simulated = pc2(f"{out}/run/usd-test_sheet-1.pc2")
            faces = [[0, 2, 1], [1, 2, 3]]
            ours = {drawn: vertex for triangle, face in zip(np.reshape(sheet["indices"], (2, 3)), faces)
                    for drawn, vertex in zip(triangle, face)}
            for frame, positions in enumerate(simulated):
                for drawn, vertex in ours.items():
                    np.testing.assert_allclose(sheet["frames"][frame][drawn], positions[vertex], atol=1e-6)
                    np.testing.assert_allclose(sheet["normals"][frame][drawn],
                                               face_normals(positions.astype(float), faces)[vertex], atol=2e-4)
            self.assertEqual(sheet["targets"], 9)
            self.assertEqual(still["targets"], 0)
            np.testing.assert_allclose(still["frames"][5], [[5, 1, 0], [6, 1, 0], [5, 1, 1], [6, 1, 1]], atol=1e-6)
            np.testing.assert_allclose(still["normals"][5], [[0, 1, 0]] * 4, atol=1e-6)
            # What rests for three frames and then moves has their places once.
            self.assertEqual((late["targets"], late["distinct"]), (9, 6))
            for frame, positions in enumerate(pc2(f"{out}/run/usd-test_collider1.pc2")):
                np.testing.assert_allclose(late["frames"][frame], positions, atol=1e-6)

    def test_it_is_read_back_with_the_mesh_s_own_vertices(self):
        with folder() as out:
            run(scene(out), f"{out}/run", "--format", "gltf,pc2")
            convert(f"{out}/run/usd-test.gltf", f"{out}/back.pc2")
            for name in ("sheet-1", "collider0", "collider1"):
                np.testing.assert_allclose(pc2(f"{out}/back_{name}.pc2"), pc2(f"{out}/run/usd-test_{name}.pc2"), atol=1e-6)

    def test_nothing_moves(self):
        with folder() as out:
            run(scene(out, deformables=[{"name": "sheet-1", "mesh": {"file": "sheet.obj"}, "constraints": [{"type": "distance"}],
                                         "attachments": [{"all": True}]}],
                      colliders=[]), f"{out}/run", "--format", "gltf")
            found, meshes = play(f"{out}/run/usd-test.gltf", 2)
            self.assertEqual((found["animations"], meshes["sheet-1"]["targets"]), (0, 0))
            convert(f"{out}/run/usd-test.gltf", f"{out}/back.pc2")
            self.assertEqual(pc2(f"{out}/back.pc2").shape, (9, 4, 3))

    def test_in_one_file(self):
        with folder() as out:
            run(scene(out), f"{out}/run", "--format", "glb,gltf,pc2")
            _, meshes = play(f"{out}/run/usd-test.glb", 8)
            _, beside = play(f"{out}/run/usd-test.gltf", 8)
            self.assertEqual(meshes, beside)
            data = pathlib.Path(f"{out}/run/usd-test.glb").read_bytes()
            self.assertEqual((data[:4], int.from_bytes(data[8:12], "little")), (b"glTF", len(data)))
            self.assertNotIn(b'"uri"', data)
            self.assertFalse(os.path.exists(f"{out}/run/usd-test.glb.bin"))
            convert(f"{out}/run/usd-test.glb", f"{out}/back.pc2")
            for name in ("sheet-1", "collider0", "collider1"):
                np.testing.assert_allclose(pc2(f"{out}/back_{name}.pc2"), pc2(f"{out}/run/usd-test_{name}.pc2"), atol=1e-6)
            convert(f"{out}/run/usd-test_sheet-1.pc2", f"{out}/there.glb")
            found, _ = play(f"{out}/there.glb", 8)
            np.testing.assert_allclose(found["meshes"][0]["frames"], pc2(f"{out}/run/usd-test_sheet-1.pc2"), atol=1e-6)

    def test_resumed(self):
        for words in (("--format", "gltf"), ("--format", "glb")):
            with folder() as out:
                path = scene(out)
                run(path, f"{out}/whole", *words)
                for first in ("2", "6"):
                    run(path, f"{out}/parts", "--frames", first, *words)
                    run(path, f"{out}/parts", "--resume", *words)
                    self.assertEqual(files(f"{out}/parts"), files(f"{out}/whole"), first)

    def test_a_killed_run_is_resumed_and_a_damaged_file_refused(self):
        with folder() as out:
            path, words = scene(out, frames=100000), ("--format", "glb")
            process = subprocess.Popen([PLIANT, "run", path, "-o", f"{out}/parts", "--quiet", *words])
            deadline = time.monotonic() + 60
            while not os.path.exists(f"{out}/parts/usd-test.glb") and time.monotonic() < deadline:
                time.sleep(0.002)
            process.kill()
            process.wait()
            play(f"{out}/parts/usd-test.glb", 4)
            # The frames of a killed run are in the file beside it, behind which there may be a part of another.
            run(path, f"{out}/whole", "--frames", "70", *words)
            whole = files(f"{out}/whole")
            run(path, f"{out}/parts", "--frames", "55", *words)
            json_bytes = int.from_bytes(whole["usd-test.glb"][12:16], "little")
            pathlib.Path(f"{out}/parts/usd-test.glb.bin").write_bytes(whole["usd-test.glb"][20 + json_bytes + 8:-100])
            pathlib.Path(f"{out}/parts/usd-test.glb").write_bytes(b"older")
            run(path, f"{out}/parts", "--resume", "--frames", "70", *words)
            self.assertEqual(files(f"{out}/parts"), whole)
            for bad in (b"", whole["usd-test.glb"][:5000], b"glTF" + bytes(40)):
                run(path, f"{out}/parts", "--frames", "55", *words)
                pathlib.Path(f"{out}/parts/usd-test.glb").write_bytes(bad)
                refused = subprocess.run([PLIANT, "run", path, "-o", f"{out}/parts", "--resume", "-q", *words], capture_output=True, text=True)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("usd-test.glb", refused.stderr)
                self.assertEqual(pathlib.Path(f"{out}/parts/usd-test.glb").read_bytes(), bad)


if __name__ == "__main__":
    unittest.main()
