"""Where two runs part: equal ones, scenes with one change, and recordings with one vertex moved."""
import shutil
import struct
import unittest

from command import Case, cloth


def hanging():
    """A sheet held at two corners, of distances and a bending model that a sweep projects."""
    scene = cloth(frames=4, colliders=[])
    sheet = scene["deformables"][0]
    sheet["constraints"] = [{"type": "distance", "compliance": 1e-5}, {"type": "triangle", "compliance": 0.001}]
    sheet["attachments"] = [{"particles": [0, 11]}]
    return scene


class Scenes(Case):
    def setUp(self):
        super().setUp()
        self.scene = self.write_scene(hanging())

    def part(self, *changes, code=1):
        return self.run_json("diff", self.scene, self.scene, *(word for change in changes for word in ("--set-b", change)), code=code)

    def test_equal_runs_are_equal_on_any_threads_and_instructions(self):
        found = self.run_json("diff", self.scene, self.scene, "--threads-b", 3, "--simd-a", "scalar")
        summary = self.run_json("run", self.scene, "-o", self.folder / "out", "--format", "none")
        self.assertTrue(found["equal"])
        self.assertEqual((found["count"], found["hash"]), (4, summary["hash"]))
        self.assertIn("Bit-identical: 4 steps", self.expect(0, "diff", self.scene, self.scene).stdout)
        self.assertEqual(self.expect(0, "diff", self.scene, self.scene, "-q").stdout, "")

    def test_a_parameter_parts_them_where_its_type_is_projected(self):
        for name, at in (("distance", 0), ("triangle", 1)):
            found = self.part(f"deformables.cloth.constraints[{at}].compliance=0.01")
            self.assertEqual((found["step"], found["stage"], found["part"], found["type"]), (1, "project", "a constraint", name))
            self.assertEqual(found["first"]["object"], "cloth")
            self.assertGreater(found["first"]["distance"], 0)
            self.assertGreaterEqual(found["farthest"]["distance"], found["first"]["distance"])
            self.assertLess(found["differing"], found["particles"])

    def test_gravity_parts_them_in_the_forces(self):
        found = self.part("settings.gravity=[0,-5,0]")
        self.assertEqual((found["step"], found["stage"], found["type"]), (1, "forces", None))
        # Speeds of the first substep are g h; what is held has none, so particle 1 is the first.
        first = found["first"]
        self.assertEqual((first["particle"], found["differing"]), (1, 142))
        for side, gravity in (("a", 9.81), ("b", 5)):
            self.assertAlmostEqual(first["velocity"][side][1], -gravity / 60 / 10, places=6)

    def test_a_collider_that_comes_later_parts_them_later(self):
        scene = hanging()
        scene["frames"], scene["deformables"][0]["attachments"] = 20, []
        ground = {"shape": "plane", "pose": {"position": [0, 0.95, 0]}}
        a, b = self.write_scene(scene, "a.json"), self.write_scene(dict(scene, colliders=[ground]), "b.json")
        found = self.run_json("diff", a, b, code=1)
        # The sheet falls 5 cm, less its thickness, in 6 steps.
        self.assertIn(found["step"], (5, 6, 7))
        self.assertEqual((found["stage"], found["part"]), ("project", "a contact"))
        self.assertIn("only B", found["reason"])

    def test_what_differs_at_the_start_and_at_the_end(self):
        scene = hanging()
        scene["deformables"][0]["pose"]["position"][1] = 1.5
        found = self.run_json("diff", self.scene, self.write_scene(scene, "b.json"), code=1)
        self.assertEqual((found["step"], found["substep"], found["differing"]), (0, None, 144))
        self.assertAlmostEqual(found["farthest"]["distance"], 0.5, places=6)
        found = self.part("deformables.cloth.mesh.grid.columns=8")
        self.assertIn("144 vertices in A and 96 in B", found["reason"])
        found = self.part("frames=6")
        self.assertEqual(found["step"], 5)
        self.assertIn("4 steps and B has 6", found["reason"])
        self.expect(0, "diff", self.scene, self.scene, "--set-b", "frames=6", "-n", 3)

    def test_what_cannot_be_compared_is_status_2(self):
        (self.folder / "bad.json").write_text("{")
        for words in ([self.scene, self.folder / "none.json"], [self.folder / "bad.json", self.scene],
                      [self.scene, self.folder / "none.pc2"], [self.folder / "none.pc2"] * 2, [self.scene],
                      [self.scene, self.scene, "--set-b", "frames=no"]):
            self.assertTrue(self.expect(2, "diff", *words).stderr)


class Recordings(Case):
    def setUp(self):
        super().setUp()
        self.a, self.b = self.folder / "a", self.folder / "b"
        self.expect(0, "run", self.write_scene(hanging()), "-q", "-o", self.a, "--format", "pc2")
        shutil.copytree(self.a, self.b)

    def test_equal_folders_and_files(self):
        self.assertTrue(self.run_json("diff", self.a, self.b)["equal"])
        file = next(self.a.glob("*.pc2"))
        self.assertEqual(self.run_json("diff", file, self.b / file.name)["count"], 5)

    def test_a_vertex_is_named_with_both_positions(self):
        file = next(self.b.glob("*.pc2"))
        data = bytearray(file.read_bytes())
        # A header of 32 bytes, then 12 bytes a vertex.
        at = 32 + 12 * (3 * 144 + 77)
        x, y, z = struct.unpack_from("<3f", data, at)
        struct.pack_into("<3f", data, at, x, y + 0.25, z)
        file.write_bytes(data)
        found = self.run_json("diff", self.a, self.b, code=1)
        self.assertEqual((found["frame"], found["differing"]), (3, 1))
        first = found["first"]
        self.assertEqual((first["object"], first["particle"]), ("scene", 77))
        self.assertAlmostEqual(first["distance"], 0.25, places=6)
        self.assertAlmostEqual(first["position"]["b"][1], y + 0.25, places=6)
        self.assertIn("particle 77 of 'scene', 0.25 m apart", self.expect(1, "diff", self.a, self.b).stdout)
        self.expect(0, "diff", self.a, self.b, "--frames", 3)

    def test_options_of_scenes_are_refused(self):
        self.assertIn("--threads-b is for scenes", self.expect(2, "diff", self.a, self.b, "--threads-b", 2).stderr)
        self.expect(2, "diff", self.a, self.folder / "scene.json")


if __name__ == "__main__":
    unittest.main()
