"""Each limit of docs/limits.md: one more is refused with a message that says so, before memory is taken (at most 1 GB may be)."""
import json
import math
import os
import resource
import struct
import subprocess
import unittest
import zlib

from command import BINARY, SOURCE, Case, cloth

ROOM = 1 << 30


class Limits(Case):
    def refused(self, message, *words, files=None):
        """With little memory, so that what is too large is not made first."""
        for name, content in (files or {}).items():
            (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        room = lambda: resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))  # noqa: E731
        result = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=120, cwd=self.folder, preexec_fn=room)
        self.assertIn(result.returncode, (1, 2, 3), (words, result.stdout, result.stderr))
        self.assertRegex(result.stdout + result.stderr, message)

    def scene(self, **changes):
        return {"scene.json": json.dumps(cloth(frames=1, colliders=[], **changes))}

    def grown(self, name, size):
        with open(self.folder / name, "wb") as file:
            try:
                file.truncate(size)  # A hole: it takes no room on the disk.
            except OSError as error:
                self.skipTest(f"no file of {size} bytes here: {error}")

    def test_files_that_are_read_whole(self):
        for name, words in (("a.obj", ["inspect", "a.obj"]), ("a.glb", ["inspect", "a.glb"]), ("scene.json", ["check", "scene.json"])):
            self.grown(name, 1 << 31)
            self.refused(f"{name}' is larger than 2 GiB", *words)

    def test_generators(self):
        deformable = cloth()["deformables"][0]
        plant = {"plant": {"branches": 64, "segments": 64, "sides": 32}}
        many = [{**deformable, "name": f"c{i}", "mesh": plant} for i in range(30)]
        self.refused("at most 4000000 are allowed", "check", "scene.json", files=self.scene(deformables=many))
        for one, count in (({"columns": 4001, "rows": 1000}, 1), ({"columns": 1000, "rows": 1001}, 4)):
            many = [{**deformable, "name": f"c{i}", "mesh": {"grid": one}} for i in range(count)]
            self.refused("at most 4000000 are allowed", "check", "scene.json", files=self.scene(deformables=many))

    def test_a_vertex_of_many_faces(self):
        """A fan of 60000 faces took 48 s when each pair of its edges was looked at; so would two of them, on both sides of a ring."""
        count = 60000
        angles = [2 * math.pi * i / count for i in range(count)]
        ring = "".join(f"v {math.cos(a):.9g} 0 {math.sin(a):.9g}\n" for a in angles)
        fan = "".join(f"f 1 {i + 3} {(i + 1) % count + 3}\n" for i in range(count))
        other = "".join(f"f 2 {(i + 1) % count + 3} {i + 3}\n" for i in range(count))
        (self.folder / "fan.obj").write_text("v 0 0 0\nv 0 1 0\n" + ring + fan)
        (self.folder / "both.obj").write_text("v 0 0 0\nv 0 1 0\n" + ring + fan + other)
        for name in ("fan.obj", "both.obj"):
            room = lambda: resource.setrlimit(resource.RLIMIT_CPU, (15, 15))  # noqa: E731
            result = subprocess.run([BINARY, "inspect", name], capture_output=True, text=True, cwd=self.folder, preexec_fn=room)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_items_of_a_list(self):
        self.refused("4096", "check", "scene.json", files=self.scene(bodies=[{"mass": 1, "shape": "sphere", "radius": 1}] * 4097))

    def test_frames(self):
        scene = cloth(frames=10000001)
        self.refused("is 10000001; it must be", "check", "scene.json", files={"scene.json": json.dumps(scene)})

    def test_headers_of_ply(self):
        end = "end_header\n0 0 0\n"
        properties = "".join(f"property float p{i}\n" for i in range(257))
        elements = "".join(f"element e{i} 0\nproperty float x\n" for i in range(33))
        for message, middle in (("at most 256", "element vertex 1\n" + properties), ("at most 32 elements", elements)):
            self.refused(message, "inspect", "a.ply", files={"a.ply": "ply\nformat ascii 1.0\n" + middle + end + "0 " * 2000})

    def test_counts_of_ply(self):
        head = "ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\nproperty float x\nproperty float y\nproperty float z\n" \
               "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
        self.refused("a.ply", "inspect", "a.ply", files={"a.ply": head + "xxxx"})

    def gltf(self, nodes=None, count=3):
        document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes or [{"mesh": 0}],
                    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "buffers": [{"byteLength": 36}],
                    "bufferViews": [{"buffer": 0, "byteLength": 36}],
                    "accessors": [{"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3"}]}
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<II", len(text), 0x4e4f534a) + text + struct.pack("<II", 36, 0x4e4942) + bytes(36)
        return {"a.glb": struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body}

    def test_levels_and_counts_of_gltf(self):
        deep = [{"children": [i + 1]} for i in range(202)] + [{"mesh": 0}]
        self.refused("200|deep", "inspect", "a.glb", files=self.gltf(deep))
        for count in (1 << 29, 1 << 40, 1 << 62):
            self.refused("a.glb", "inspect", "a.glb", files=self.gltf(count=count))

    def test_groups_of_obj(self):
        names = " ".join(f"g{i}" for i in range(65))
        self.refused("64", "inspect", "a.obj", files={"a.obj": f"v 0 0 0\nv 1 0 0\nv 0 0 1\ng {names}\nf 1 2 3\n"})

    def test_memory_of_a_mesh(self):
        """A report needs the mesh and a part of the stencils of one generator at a time, and no world: a program with its libraries has 32 MB of the room,
        and each thread beyond the first 8 MB for its stack."""
        side, room = 318, 78 + 8 * (min(os.cpu_count(), 8) - 1) << 20
        vertices = b"".join(struct.pack("<3f", i % side, i // side, 0) for i in range(side * side))
        corners = (j * side + i for j in range(side - 1) for i in range(side - 1))
        faces = b"".join(struct.pack("<BiiiBiii", 3, c, c + 1, c + side + 1, 3, c, c + side + 1, c + side) for c in corners)
        count = 2 * (side - 1) ** 2
        head = f"ply\nformat binary_little_endian 1.0\nelement vertex {side * side}\nproperty float x\nproperty float y\nproperty float z\n" \
               f"element face {count}\nproperty list uchar int vertex_indices\nend_header\n"
        (self.folder / "a.ply").write_bytes(head.encode() + vertices + faces)
        limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (room, room))  # noqa: E731
        result = subprocess.run([BINARY, "inspect", "a.ply", "--json"], capture_output=True, text=True, cwd=self.folder, preexec_fn=limit)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["report"]["triangles"], count)

    def test_images(self):
        head = struct.pack(">IIBBBBB", 8193, 8192, 8, 0, 0, 0, 0)
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))  # noqa: E731
        image = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")
        deformable = dict(cloth()["deformables"][0], look={"image": "a.png"})
        self.refused("a.png|67108864|pixels", "check", "scene.json", files={**self.scene(deformables=[deformable]), "a.png": image})

    def test_threads(self):
        self.refused("64", "run", "scene.json", "-t", "65", files=self.scene())

    def test_positions(self):
        deformable = dict(cloth()["deformables"][0], pose={"position": [1e16, 0, 0]})
        self.refused("non-finite|1e\\+?15", "run", "scene.json", "-q", files=self.scene(deformables=[deformable]))

    def test_every_line_has_a_test(self):
        """A line that is added to the table is added here, or to the tests that are named."""
        rows = [line for line in (SOURCE / "docs" / "limits.md").read_text().splitlines() if line.startswith("| ")][2:]
        tested = ["read whole", "checkpoint", "generators", "items of a list", "frames of a scene", "frames of a clip", "PLY header", "levels of a glTF", "accessors", "groups that a face",
                  "VTKHDF", "corners of a hull", "PNG", "threads", "position", "morph targets"]  # test_trust.py, test_shape_bodies.c, fuzz_gltf, test_figures.py: VTKHDF, hulls, targets, clips.
        self.assertEqual([row for row in rows if not any(word in row for word in tested)], [])
        self.assertEqual(len(rows), len(tested))

    def test_checkpoints_and_cooked_files(self):
        (self.folder / "scene.json").write_text(json.dumps(cloth(frames=2)))
        self.grown("a.plicook", (1 << 40) + 1)
        self.refused("a.plicook", "run", "scene.json", "-q", "--cooked", "a.plicook")


if __name__ == "__main__":
    unittest.main()
