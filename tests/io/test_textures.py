"""Texture coordinates reach every format that has them: of a file with a seam, of a grid, and of cloth that tears."""
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy as np

from recording import PLIANT

# Two triangles on one edge, whose texture is cut along it.
SHEET = """v 0 1 0\nv 1 1 0\nv 0 1 1\nv 1 1 1\nvt 0 0\nvt 1 0\nvt 0 1\nvt 1 1\nvt .5 .25\nf 1/1 3/3 2/2\nf 2/5 3/3 4/4\n"""
CORNERS = [[0, 0], [0, 1], [1, 0], [.5, .25], [0, 1], [1, 1]]


def obj(path):
    """Texture coordinates of the corners of an OBJ file, face by face, and its number of vertices."""
    lines = [line.split() for line in path.read_text().splitlines()]
    uv = [list(map(float, words[1:3])) for words in lines if words[:1] == ["vt"]]
    return [uv[int(word.split("/")[1]) - 1] for words in lines if words[:1] == ["f"] for word in words[1:]], sum(w[:1] == ["v"] for w in lines)


def ply(path):
    """The same of a binary PLY file, of vertices or of the corners of faces."""
    head, data = path.read_bytes().split(b"end_header\n", 1)
    words = [line.split() for line in head.decode().splitlines()]
    counts = {w[1]: int(w[2]) for w in words if w[0] == "element"}
    at, corners, names = 0, [], [w[-1] for w in words if w[0] == "property"]
    columns = names.index("vertex_indices")
    vertices = np.frombuffer(data, "<f4", columns * counts["vertex"]).reshape(-1, columns)
    at = 4 * vertices.size
    for _ in range(counts["face"]):
        size = data[at]
        faces = np.frombuffer(data, "<i4", size, at + 1)
        at += 1 + 4 * size
        if "texcoord" in names:
            corners += np.frombuffer(data, "<f4", data[at], at + 1).reshape(-1, 2).tolist()
            at += 1 + 4 * data[at]
        else:
            corners += vertices[faces][:, [names.index("s"), names.index("t")]].tolist()
    return corners, counts["vertex"]


class Textures(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_scene(self, mesh, formats, **deformable):
        sheet = {"name": "sheet", "mesh": mesh, "constraints": [{"type": "distance", "compliance": 1e-6}], **deformable}
        (self.folder / "scene.json").write_text(json.dumps({"pliant": 1, "frames": 12, "deformables": [sheet]}))
        result = subprocess.run([PLIANT, "run", "scene.json", "-o", "out", "--format", formats, "--quiet"], capture_output=True, text=True,
                                cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / "out"

    def test_sequences_keep_those_of_a_file(self):
        (self.folder / "sheet.obj").write_text(SHEET)
        out = self.run_scene({"file": "sheet.obj"}, "obj,ply")
        for frame in (0, 12):
            np.testing.assert_allclose(obj(out / f"scene_{frame:04d}.obj")[0], CORNERS)
            np.testing.assert_allclose(ply(out / f"scene_{frame:04d}.ply")[0], CORNERS)

    def test_grids_have_them_in_every_format(self):
        out = self.run_scene({"grid": {"columns": 3, "rows": 2, "width": 4, "depth": 2}}, "obj,ply,gltf,usda")
        # Seen from its front, from above, an image lies along x and against z.
        vertices = [[c / 2, 1 - r] for r in range(2) for c in range(3)]
        faces = [[int(word.split("/")[0]) - 1 for word in line.split()[1:]]
                 for line in (out / "scene_0012.obj").read_text().splitlines() if line.startswith("f ")]
        corners = [vertices[v] for face in faces for v in face]
        np.testing.assert_allclose(obj(out / "scene_0012.obj")[0], corners)
        np.testing.assert_allclose(ply(out / "scene_0012.ply")[0], corners)
        root = json.loads((out / "scene.gltf").read_text())
        accessor = root["accessors"][root["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"]]
        view = root["bufferViews"][accessor["bufferView"]]
        data = (out / root["buffers"][0]["uri"]).read_bytes()
        uv = np.frombuffer(data, "<f4", 2 * accessor["count"], view.get("byteOffset", 0) + accessor.get("byteOffset", 0)).reshape(-1, 2)
        np.testing.assert_allclose(np.c_[uv[:, 0], 1 - uv[:, 1]], vertices, atol=1e-6)
        usd = "".join(path.read_text() for path in out.glob("*.usda"))
        self.assertRegex(usd, r"texCoord2f\[\] primvars:st")
        numbers = re.search(r"primvars:st = \[(.*?)\]", usd, re.DOTALL).group(1)
        found = {tuple(map(float, pair)) for pair in re.findall(r"\(([^,()]+), ([^,()]+)\)", numbers)}
        self.assertEqual(found, {tuple(map(float, v)) for v in vertices})

    def test_torn_cloth_keeps_them_at_its_corners(self):
        out = self.run_scene({"grid": {"columns": 8, "rows": 8}}, "obj", tearing={"stretch": 1.1},
                             attachments=[{"column": 0}, {"column": -1, "motion": {"velocity": [4, 0, 1]}}])
        before, count = obj(out / "scene_0000.obj")
        after, more = obj(out / "scene_0012.obj")
        self.assertGreater(more, count, "it tore")
        np.testing.assert_allclose(after, before)


if __name__ == "__main__":
    unittest.main()
