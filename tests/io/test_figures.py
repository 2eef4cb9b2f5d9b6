"""glTF figures of other programs: skins, clips, morph weights and sparse accessors, against skinning in numpy by the text of glTF 2.0."""
import base64
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

import numpy as np

from recording import PLIANT, pc2

RATE = 60.0
COLUMNS, ROWS = 5, 9
BYTES = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}


class Document:
    """A glTF document under construction."""

    def __init__(self, **root):
        self.root = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "scene": 0, **root}
        self.data = b""

    def view(self, array, kind):
        data = np.ascontiguousarray(array, BYTES[kind]).tobytes()
        self.data += b"\0" * (-len(self.data) % 4)
        self.root["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data += data
        return len(self.root["bufferViews"]) - 1

    def accessor(self, array, kind=5126, **extra):
        array = np.asarray(array)
        shape = {(): "SCALAR", (2,): "VEC2", (3,): "VEC3", (4,): "VEC4", (16,): "MAT4"}[array.shape[1:]]
        self.root["accessors"].append({"componentType": kind, "count": len(array), "type": shape, "bufferView": self.view(array, kind),
                                       **extra})
        return len(self.root["accessors"]) - 1

    def text(self):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        return json.dumps({**self.root, "buffers": [{"byteLength": len(self.data), "uri": uri}]})


def strip():
    """A strip along y, its texture seam doubled: vertices, triangles, and the vertices that coincide."""
    points = np.array([[0.1 * c, 0.2 * r, 0.01 * c * r] for r in range(ROWS) for c in range(COLUMNS)])
    faces = [[a, a + 1, a + COLUMNS, a + 1, a + COLUMNS + 1, a + COLUMNS]
             for r in range(ROWS - 1) for c in range(COLUMNS - 1) for a in [r * COLUMNS + c]]
    return points, np.array(faces).reshape(-1, 3)


def rotation(q):
    x, y, z, w = np.asarray(q, float) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def local(node):
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    m = np.eye(4)
    m[:3, :3] = rotation(node.get("rotation", [0, 0, 0, 1])) * np.asarray(node.get("scale", [1, 1, 1]), float)
    m[:3, 3] = node.get("translation", [0, 0, 0])
    return m


def worlds(nodes):
    found = {}

    def visit(index, parent):
        found[index] = parent @ local(nodes[index])
        for child in nodes[index].get("children", []):
            visit(child, found[index])
    children = {c for n in nodes for c in n.get("children", [])}
    for root in set(range(len(nodes))) - children:
        visit(root, np.eye(4))
    return found


def slerp(a, b, s):
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    cosine = a @ b
    if cosine < 0:
        b, cosine = -b, -cosine
    angle = np.arccos(min(cosine, 1.0))
    return a if angle < 1e-9 else (np.sin((1 - s) * angle) * a + np.sin(s * angle) * b) / np.sin(angle)


def sample(times, values, curve, time, turns):
    """Appendix C of glTF 2.0. `values` is [key, 3, ...] for a spline: tangent in, value, tangent out."""
    times, values = np.asarray(np.float32(times), float), np.asarray(np.float32(values), float)
    key = max(int(np.searchsorted(times, time, "right")) - 1, 0)
    inside = key + 1 < len(times) and time > times[key]
    span = times[key + 1] - times[key] if inside else 1
    s = (time - times[key]) / span if inside else 0
    if curve == "CUBICSPLINE":
        if not inside:
            found = values[key][1]
        else:
            found = ((2 * s**3 - 3 * s**2 + 1) * values[key][1] + span * (s**3 - 2 * s**2 + s) * values[key][2]
                     + (3 * s**2 - 2 * s**3) * values[key + 1][1] + span * (s**3 - s**2) * values[key + 1][0])
    elif curve == "STEP" or not inside:
        found = values[key]
    else:
        found = slerp(values[key], values[key + 1], s) if turns else values[key] + s * (values[key + 1] - values[key])
    return found / np.linalg.norm(found) if turns else found


def figure(mutate=None):
    """A strip of three joints in a row under a node of scale 0.01, as exporters write figures, with a morph target and two clips."""
    points, faces = strip()
    points = 100 * points
    height = points[:, 1] / points[:, 1].max()
    # Weights of the three joints by the height, with the sum 1 but for the rounding to eight bits.
    weights = np.stack([np.clip(1 - 2 * height, 0, 1), 1 - np.abs(2 * height - 1), np.clip(2 * height - 1, 0, 1), 0 * height], 1)
    bytes_ = np.round(255 * weights).astype(int)
    joints = np.tile([2, 0, 1, 0], (len(points), 1))  # Not in the order of the skin.
    nodes = [{"name": "armature", "scale": [.01, .01, .01], "rotation": [.1, .2, 0, .97], "translation": [1, 2, 3], "children": [1, 4]},
             {"name": "hip", "translation": [0, 10, 0], "children": [2]},
             {"name": "knee", "translation": [0, 60, 0], "rotation": [0, 0, .3, .95], "children": [3]},
             {"name": "foot", "matrix": [1, 0, 0, 0, 0, .8, .6, 0, 0, -.6, .8, 0, 5, 70, 0, 1]},
             {"name": "body", "mesh": 0, "skin": 0, "translation": [999, 0, 0], "scale": [7, 7, 7]}]
    for node in nodes:
        if "rotation" in node:
            node["rotation"] = list(np.array(node["rotation"]) / np.linalg.norm(node["rotation"]))
    order = [2, 3, 1]  # Nodes of the joints of the skin.
    bind = worlds(nodes)
    inverse = [np.linalg.inv(bind[n] @ np.diag([1, 1.1, 1, 1])) for n in order]
    morph = np.zeros_like(points)
    morph[::7] = [3, -2, 11]
    d = Document(scenes=[{"nodes": [0]}], nodes=nodes)
    times, late = [0, .2, .7, 1.0], [.3, .5]
    turns = [[0, 0, .3, .95], [.5, 0, 0, .87], [0, -.9, 0, -.4], [0, 0, .3, .95]]
    tangents = np.random.default_rng(3).normal(size=(3, 3, 3)) * 20
    steps = [[1, 1, 1], [1, 2, 1], [.5, 1, 1], [1, 1, 3]]
    amounts = [0, 1, .25, -.5]
    clip = [(2, "rotation", times, turns, "LINEAR"), (1, "translation", times[:3], tangents, "CUBICSPLINE"),
            (1, "scale", times, steps, "STEP"), (0, "translation", late, [[1, 2, 3], [4, 2, 3]], "LINEAR"),
            (4, "weights", times, amounts, "LINEAR")]
    inverse32 = np.array([m.T.reshape(16) for m in inverse])
    attributes = {"POSITION": d.accessor(points), "JOINTS_0": d.accessor(joints, 5121),
                  "WEIGHTS_0": d.accessor(bytes_, 5121, normalized=True)}
    d.root["meshes"] = [{"name": "strip", "weights": [.5], "primitives": [
        {"attributes": attributes, "indices": d.accessor(faces.reshape(-1), 5123), "targets": [{"POSITION": d.accessor(morph)}]}]}]
    d.root["skins"] = [{"joints": order, "inverseBindMatrices": d.accessor(inverse32)}]

    def animation(name, channels):
        samplers = [{"input": d.accessor(np.array(t)), "output": d.accessor(np.array(v).reshape(-1, *np.shape(v)[2 if c == "CUBICSPLINE" else 1:])),
                     "interpolation": c} for _, _, t, v, c in channels]
        return {"name": name, "samplers": samplers,
                "channels": [{"sampler": i, "target": {"node": n, "path": p}} for i, (n, p, *_) in enumerate(channels)]}
    d.root["animations"] = [animation("walk", clip), animation("wave", [(1, "rotation", [0, .5], [[0, 0, 0, 1], [0, 1, 0, 0]], "LINEAR")])]
    if mutate:
        mutate(d)

    def at(time, channels=clip):
        moved = [dict(n) for n in nodes]
        amount = .5
        for node, path, t, v, curve in channels if time is not None else ():
            found = sample(t, v, curve, time, path == "rotation")
            if path == "weights":
                amount = float(found)
            else:
                moved[node][path] = found
        now = worlds(moved)
        rest = np.float32(points).astype(float) + amount * np.float32(morph).astype(float)
        rest = np.c_[rest, np.ones(len(rest))]
        matrices = np.array([now[n] @ np.float32(inverse32[i]).astype(float).reshape(4, 4).T for i, n in enumerate(order)])
        w = bytes_ / bytes_.sum(1, keepdims=True)
        return np.einsum("vk,vkij,vj->vi", w, matrices[joints], rest)[:, :3]
    return d, at


def obj(path):
    return np.array([line.split()[1:4] for line in open(path) if line.startswith("v ")], float)


class Figures(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def pliant(self, *words, code=0):
        result = subprocess.run([PLIANT, *map(str, words)], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(result.returncode, code, (words, result.stdout, result.stderr))
        return result.stdout + result.stderr

    def written(self, document, name="figure.gltf"):
        (self.folder / name).write_text(document.text())
        return name

    def test_start_pose(self):
        d, at = figure()
        self.pliant("convert", self.written(d), "--frame", "0", "still.pc2")
        del d.root["animations"]
        self.pliant("convert", self.written(d, "rest.gltf"), "rest.obj")
        np.testing.assert_allclose(obj(self.folder / "rest.obj"), at(None), rtol=1e-6, atol=2e-6)
        np.testing.assert_allclose(pc2(self.folder / "still.pc2")[0], at(0), rtol=1e-6, atol=2e-6)

    def test_clip(self):
        """Every frame of a second, of lines, steps, a spline and morph weights; the scale above the skin counts once."""
        d, at = figure()
        self.pliant("convert", self.written(d), "walk.pc2")
        frames = pc2(self.folder / "walk.pc2")
        self.assertEqual(len(frames), 61)
        for i, found in enumerate(frames):
            np.testing.assert_allclose(found, at(min(i / RATE, 1.0)), rtol=1e-6, atol=2e-6, err_msg=f"frame {i}")
        self.assertGreater(np.abs(frames[0] - frames[30]).max(), 0.1)
        # As one binary file.
        buffer = d.data
        text = json.dumps({**d.root, "buffers": [{"byteLength": len(buffer)}]}).encode()
        text, buffer = text + b" " * (-len(text) % 4), buffer + bytes(-len(buffer) % 4)
        (self.folder / "walk.glb").write_bytes(struct.pack("<III", 0x46546C67, 2, 28 + len(text) + len(buffer)) + struct.pack("<II", len(text), 0x4E4F534A) + text +
                                               struct.pack("<II", len(buffer), 0x004E4942) + buffer)
        self.pliant("convert", "walk.glb", "binary.pc2")
        np.testing.assert_array_equal(pc2(self.folder / "binary.pc2"), frames)

    def scene(self, **animation):
        scene = {"pliant": 1, "frames": 24, "frames_per_second": 24,
                 "deformables": [{"name": "far", "mesh": {"grid": {"columns": 2, "rows": 2}}, "pose": {"position": [50, 0, 0]},
                                  "constraints": [{"type": "distance"}]}],
                 "colliders": [{"shape": "mesh", "mesh": {"file": "figure.gltf"}, "animation": {"file": "figure.gltf", **animation}}]}
        (self.folder / "scene.json").write_text(json.dumps(scene))

    def recorded(self):
        """The collider's vertices in every frame of the run's own glTF: its base and one morph target a frame."""
        root = json.loads((self.folder / "out" / "scene.gltf").read_text())
        data = (self.folder / "out" / root["buffers"][0]["uri"]).read_bytes()

        def numbers(index):
            accessor = root["accessors"][index]
            view = root["bufferViews"][accessor["bufferView"]]
            start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            return np.frombuffer(data, "<f4", 3 * accessor["count"], start).reshape(-1, 3)
        primitive = next(m for m in root["meshes"] if m["name"] == "collider0")["primitives"][0]
        base = numbers(primitive["attributes"]["POSITION"])
        return np.array([base + numbers(t["POSITION"]) for t in primitive["targets"]])

    def test_collider_of_a_scene(self):
        """At the scene's own frames, 24 a second; the clip that is not played is named."""
        d, at = figure()
        self.written(d)
        self.scene()
        said = self.pliant("run", "scene.json", "-o", "out", "--format", "gltf")
        self.assertIn("its clip 'walk' is played; not 'wave'", said)
        for i, found in enumerate(self.recorded()):
            np.testing.assert_allclose(found, at(min(i / 24, 1.0)), rtol=1e-6, atol=4e-6, err_msg=f"frame {i}")
        self.scene(clip="wave", loop=True)
        self.pliant("run", "scene.json", "-o", "out", "--format", "gltf")
        wave = [(1, "rotation", [0, .5], [[0, 0, 0, 1], [0, 1, 0, 0]], "LINEAR")]
        for i, found in enumerate(self.recorded()[:24]):
            np.testing.assert_allclose(found, at(i % 12 / 24, wave), rtol=1e-6, atol=4e-6, err_msg=f"frame {i}")
        self.scene(clip="dance")
        self.assertIn("there is no clip 'dance'; there are 'walk', 'wave'", self.pliant("run", "scene.json", code=1))

    def test_frames_of_a_clip(self):
        """A clip whose last key is at ten days has more frames than are read (docs/limits.md)."""
        d, _ = figure(lambda d: d.root.update(animations=[]))
        times = d.accessor(np.array([0, 9e5]))
        turns = d.accessor(np.array([[0, 0, 0, 1], [0, 1, 0, 0]]))
        d.root["animations"] = [{"samplers": [{"input": times, "output": turns}],
                                 "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}]
        self.assertIn("more than 1e+06 frames", self.pliant("convert", self.written(d), "long.pc2", code=1))

    def test_sparse_accessors(self):
        points, faces = strip()
        for base in (True, False):
            d = Document(scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}])
            places, values = ([3, 7, 30], [[9, 9, 9], [8, 7, 6], [1, 2, -3]]) if base else (np.arange(1, len(points)), points[1:])
            expected = points.copy() if base else 0 * points
            expected[places] = values
            sparse = {"count": len(places), "indices": {"bufferView": d.view(places, 5123), "componentType": 5123},
                      "values": {"bufferView": d.view(values, 5126)}}
            accessor = {"componentType": 5126, "count": len(points), "type": "VEC3", "sparse": sparse}
            if base:
                accessor["bufferView"] = d.view(points, 5126)
            d.root["accessors"].append(accessor)
            d.root["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "indices": d.accessor(faces.reshape(-1), 5123)}]}]
            self.pliant("convert", self.written(d), "sparse.obj")
            np.testing.assert_allclose(obj(self.folder / "sparse.obj"), expected, atol=1e-6)

    def test_what_is_wrong_is_refused_with_its_place(self):
        def joints(d):
            d.root["skins"][0]["joints"] = [2]

        def no_node(d):
            d.root["skins"][0]["joints"] = [2, 3, 77]

        def few_matrices(d):
            d.root["accessors"][d.root["skins"][0]["inverseBindMatrices"]]["count"] = 2

        def weight(d):
            at = d.root["meshes"][0]["primitives"][0]["attributes"]
            at["WEIGHTS_0"] = d.accessor(np.full((COLUMNS * ROWS, 4), np.nan))

        def cycle(d):
            d.root["nodes"][3]["children"] = [1]

        def self_parent(d):
            d.root["nodes"].append({"children": [5]})

        def times(d):
            d.root["animations"][0]["samplers"][0]["input"] = d.accessor([0, .5, .4, 1])

        def values(d):
            d.root["animations"][0]["samplers"][0]["output"] = d.accessor(np.full((4, 4), np.inf))

        def curve(d):
            d.root["animations"][0]["samplers"][0]["interpolation"] = "BEZIER"

        def few_values(d):
            d.root["accessors"][d.root["animations"][0]["samplers"][0]["output"]]["count"] = 3

        def long(d):
            d.root["animations"][0]["samplers"][0]["input"] = d.accessor([0, 1, 2, 9e5])

        def sparse(d):
            at = d.root["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
            d.root["accessors"][at]["sparse"] = {"count": 2, "indices": {"bufferView": d.view([5, 999], 5123), "componentType": 5123},
                                                 "values": {"bufferView": d.view(np.zeros((2, 3)), 5126)}}
        for mutate, words in ((joints, "skin has 1 joints"), (no_node, "joint 2 of skin 0 is no node"), (few_matrices, "not one matrix a joint"),
                              (weight, "a weight of vertex 0 in WEIGHTS_0 is"), (cycle, "not a tree"), (self_parent, "not a tree"),
                              (times, "channel 0 of its animation has times"), (values, "channel 0 of its animation has a value"),
                              (curve, "an interpolation other than"), (few_values, "not one time and one value"),
                              (long, "more than 1e+06 frames"), (sparse, "index 1 of a sparse accessor is 999")):
            d, _ = figure(mutate=mutate)
            said = self.pliant("convert", self.written(d), "no.pc2", code=1)
            self.assertIn("figure.gltf", said)
            self.assertIn(words, said, mutate.__name__)
        self.assertFalse((self.folder / "no.pc2").exists())


if __name__ == "__main__":
    unittest.main()
