"""Cloth that tears: what is written frame by frame, and what is refused."""
import json
import unittest

from command import Case, cloth, pliant


def torn_cloth(**tearing):
    """A cloth whose ends are pulled apart."""
    scene = cloth(frames=20, settings={"substeps": 8}, colliders=[], output={"formats": ["obj"]})
    sheet = scene["deformables"][0]
    sheet["tearing"] = tearing or {"stretch": 1.2}
    sheet["constraints"][0]["compliance"] = 1e-6
    sheet["look"] = {"sheen": 0} # Threads follow the shape at rest, which a cache does not have for new vertices.
    sheet["attachments"] = [{"column": 0}, {"column": -1, "motion": {"velocity": [1.5, 0, 0.4]}}]
    return scene


def read_obj(path):
    """Positions, and faces by vertices from 0."""
    positions, faces = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            positions.append(tuple(map(float, words[1:])))
        elif words[:1] == ["f"]:
            faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return positions, faces


def border_length(faces):
    """Edges of one face; fails where three meet."""
    edges = {}
    for face in faces:
        for a, b in zip(face, face[1:] + face[:1]):
            edges[min(a, b), max(a, b)] = edges.get((min(a, b), max(a, b)), 0) + 1
    assert max(edges.values()) <= 2
    return sum(count == 1 for count in edges.values())


class Tearing(Case):
    def test_frames_show_what_tore(self):
        out = self.folder / "out"
        summary = self.run_json("run", self.write_scene(torn_cloth()), "-o", out)
        first, last = read_obj(out / "scene_0000.obj"), read_obj(out / "scene_0020.obj")
        self.assertEqual(len(first[0]), 144)
        self.assertEqual(len(first[1]), len(last[1]))
        self.assertEqual(len(last[0]), summary["objects"][0]["vertices"])
        self.assertGreater(len(last[0]), 150)
        self.assertEqual(sorted({v for face in last[1] for v in face}), list(range(len(last[0]))))
        self.assertGreater(border_length(last[1]), border_length(first[1]))

    def test_same_bits_for_threads_and_instructions(self):
        scene = self.write_scene(torn_cloth())
        hashes = {self.run_json("run", scene, "-o", self.folder / f"{threads}{simd}", "--threads", threads, "--simd",
                                simd)["hash"] for threads in (1, 3) for simd in ("scalar", "auto")}
        self.assertEqual(len(hashes), 1)

    def test_a_torn_run_is_resumed(self):
        scene, whole, broken = self.write_scene(torn_cloth()), self.folder / "whole", self.folder / "broken"
        expected = self.run_json("run", scene, "-o", whole)
        self.run_json("run", scene, "-o", broken, "--frames", "11")
        resumed = self.run_json("run", scene, "-o", broken, "--resume")
        self.assertEqual((resumed["first_frame"], resumed["hash"]), (11, expected["hash"]))
        for path in whole.glob("*.obj"):
            self.assertEqual(path.read_bytes(), (broken / path.name).read_bytes(), path.name)

    def test_what_tore_is_read_again(self):
        out, picture = self.folder / "out", self.folder / "picture.png"
        summary = self.run_json("run", self.write_scene(torn_cloth()), "-o", out, "--render", "--video", "none", "--size",
                                "64x48")
        checked = json.loads(pliant("check-intersections", out, "--json").stdout)
        self.assertEqual((checked["frames"], checked["objects"][0]["vertices"]), (21, summary["objects"][0]["vertices"]))
        self.expect(0, "render", out, "-o", picture, "--frame", 15, "--size", "64x48")
        self.assertEqual(picture.read_bytes(), (out / "frames/frame_0015.png").read_bytes())
        self.assertIn("tore", self.expect(1, "convert", out, self.folder / "cloth.pc2").stderr)

    def test_what_tears_is_recorded_as_obj_unless_told(self):
        scene = torn_cloth()
        del scene["output"]
        summary = self.run_json("run", self.write_scene(scene), "-o", self.folder / "out")
        self.assertEqual([cache["format"] for cache in summary["caches"]], ["obj"])

    def test_formats_with_one_set_of_faces_are_refused(self):
        scene = self.write_scene(torn_cloth())
        for name in ("pc2", "mdd", "gltf", "vtkhdf"):
            result = self.expect(1, "run", scene, "-o", self.folder / name, "--format", name)
            self.assertRegex(result.stderr, "formats whose faces may change are.*obj.*ply")
        result = self.expect(1, "check", self.write_scene(dict(torn_cloth(), output={"formats": ["pc2"]})))
        self.assertRegex(result.stdout, "formats whose faces may change are.*obj.*ply")

    def test_wrong_thresholds_are_refused(self):
        for tearing in ({"stretch": 1}, {"stretch": 0.9}, {"stretch": -1.5}, {"stretch": None}, {"force": 0},
                        {"force": -3}, {"most": 8}, {"stretch": 1.5, "most": 0}):
            result = self.expect(1, "check", self.write_scene(torn_cloth(**tearing)))
            self.assertIn("tearing", result.stdout, tearing)
        text = json.dumps(torn_cloth(stretch=1.5)).replace("1.5}", "NaN}")
        (self.folder / "nan.json").write_text(text)
        self.assertIn("NaN", self.expect(1, "check", self.folder / "nan.json").stdout)
        scene = torn_cloth(force=2)
        self.expect(0, "check", self.write_scene(scene))
        scene["settings"]["method"] = "pbd"
        self.assertIn("xpbd", self.expect(1, "check", self.write_scene(scene)).stdout)


if __name__ == "__main__":
    unittest.main()
