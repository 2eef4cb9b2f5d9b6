"""Contact between surfaces as the command shows it: recorded and drawn mesh colliders, the summary, the warning."""
import json
import math
import struct
import unittest
import unittest.mock
import os

from command import Case, cloth
from test_files import png, points

CUBE = [(x, y, z) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.2, 0.2)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def cube(path, scale=1.0):
    lines = [f"v {x * scale} {y * scale} {z * scale}" for x, y, z in CUBE]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in FACES]
    path.write_text("\n".join(lines) + "\n")


def breathing(path, frames):
    """A PC2 cache of the cube that becomes larger by a tenth a frame."""
    with open(path, "wb") as file:
        file.write(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, len(CUBE), 0.0, 1.0, frames))
        for frame in range(frames):
            for vertex in CUBE:
                file.write(struct.pack("<3f", *(x * (1.0 + 0.1 * frame) for x in vertex)))


def draped(**changes):
    """A cloth that falls onto a turning, rising cube."""
    collider = {"shape": "mesh", "mesh": {"file": "cube.obj"}, "pose": {"position": [0.1, 0.5, 0]}, "colour": [1, 0, 0],
                "motion": {"velocity": [0, 0.3, 0], "angular_speed": 90}}
    collider.update(changes)
    scene = cloth(frames=20, colliders=[{"shape": "plane"}, collider])
    scene["deformables"][0]["pose"]["position"] = [0, 0.75, 0]
    scene["view"] = {"eye": [0, 3, 3], "target": [0, 0.5, 0]}
    return scene


def crossing():
    """A sheet hung between two rows that are held on either side of a sheet that is held."""
    grid = {"columns": 7, "rows": 7, "width": 1, "depth": 1}
    return {"pliant": 1, "frames": 180, "frames_per_second": 60, "settings": {"substeps": 2, "gravity": [0, 0, 0]},
            "deformables": [
                {"name": "floor", "mesh": {"grid": grid}, "attachments": [{"all": True}]},
                {"name": "curtain", "mesh": {"grid": grid}, "pose": {"axis": [1, 0, 0], "angle": 90,
                                                                     "position": [0.03, 0.02, 0.05]},
                 "constraints": [{"type": "distance"}], "attachments": [{"row": 0}, {"row": -1}]}]}


class Colliders(Case):
    def setUp(self):
        super().setUp()
        # As in test_files.py.
        options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        patch = unittest.mock.patch.dict(os.environ, ASAN_OPTIONS=options)
        patch.start()
        self.addCleanup(patch.stop)
        self.out = self.folder / "out"
        cube(self.folder / "cube.obj")

    def test_recorded_where_they_are(self):
        summary = self.run_json("run", self.write_scene(draped()), "-o", self.out)
        self.assertEqual([(row["name"], row["role"], row["vertices"]) for row in summary["objects"]],
                         [("cloth", "deformable", 144), ("collider1", "collider", 8)])
        self.assertEqual(summary["caches"][0]["files"], ["scene_cloth.pc2", "scene_collider1.pc2"])
        frames = points(self.out / "scene_collider1.pc2")
        self.assertEqual(len(frames), 21)
        for number, frame in enumerate(frames):
            turn, rise = math.radians(90 * number / 60), 0.3 * number / 60
            for v, (x, y, z) in enumerate(CUBE):
                expected = (x * math.cos(turn) + z * math.sin(turn) + 0.1, y + 0.5 + rise,
                            z * math.cos(turn) - x * math.sin(turn))
                for a, b in zip(frame[3 * v:3 * v + 3], expected):
                    self.assertAlmostEqual(a, b, delta=1e-5)

    def test_every_format_has_them(self):
        self.run_json("run", self.write_scene(draped()), "-o", self.out, "--frames", 3, "--format",
                      "obj,ply,pc2,mdd,gltf,vtkhdf")
        reference = points(self.out / "scene_collider1.pc2")
        for name in ("scene_collider1_0000.obj", "scene_collider1_0000.ply", "scene_collider1.mdd",
                     "scene_collider1.vtkhdf"):
            self.expect(0, "convert", self.out / name, self.folder / "again.pc2")
            again = points(self.folder / "again.pc2")
            self.assertEqual(len(again), 4, name)
            worst = max(abs(a - b) for f, g in zip(again, reference) for a, b in zip(f, g))
            self.assertLessEqual(worst, 1e-6, name)
        names = [node.get("name") for node in json.loads((self.out / "scene.gltf").read_text())["nodes"]]
        self.assertIn("collider1", names)

    def test_drawn_in_their_colour(self):
        def picture(scene):
            self.run_json("run", self.write_scene(scene), "-o", self.out, "--video", "none", "--size", "96x96",
                          "--frames", 2)
            return png(self.out / "frames" / "frame_0002.png")[2]

        seen = picture(draped())
        self.assertNotEqual(seen, picture(draped(visible=False)))
        self.assertNotEqual(seen, picture(draped(colour=[0, 1, 0])))
        sphere = draped()
        sphere["colliders"][1] = {"shape": "sphere", "pose": {"position": [0.1, 0.5, 0]}, "colour": [1, 0, 0]}
        self.assertNotEqual(seen, picture(sphere))

    def test_render_the_same_as_the_run(self):
        self.run_json("run", self.write_scene(draped()), "-o", self.out, "--video", "none", "--size", "128x96")
        self.expect(0, "render", self.out, "-o", self.folder / "a.png", "--size", "128x96", "--frame", "9")
        self.assertEqual(png(self.folder / "a.png")[2], png(self.out / "frames" / "frame_0009.png")[2])

    def test_cache_alone_shows_them(self):
        self.run_json("run", self.write_scene(draped()), "-o", self.out, "--format", "gltf", "--frames", 3)
        (self.folder / "scene.json").unlink()
        self.expect(0, "render", self.out, "-o", self.folder / "a.png", "--size", "64x48")

    def test_changed_scene_is_noticed(self):
        path = self.write_scene(draped())
        self.run_json("run", path, "-o", self.out, "--frames", 3)
        self.write_scene(draped() | {"colliders": []})
        result = self.expect(0, "render", self.out, "-o", self.folder / "a.png", "--size", "64x48")
        self.assertIn("changed since the run", result.stderr)

    def test_resumed_animation_goes_on_to_the_same_bits(self):
        breathing(self.folder / "cube.pc2", 8)
        scene = self.write_scene(draped(animation={"file": "cube.pc2", "speed": 0.3, "start": 0.05, "loop": True}))
        whole = self.run_json("run", scene, "-o", self.folder / "whole")
        self.run_json("run", scene, "-o", self.out, "--frames", 11)
        resumed = self.run_json("run", scene, "-o", self.out, "--resume")
        self.assertEqual(resumed["hash"], whole["hash"])
        self.assertEqual(points(self.out / "scene_collider1.pc2"), points(self.folder / "whole" / "scene_collider1.pc2"))

    def test_wrong_animation_says_where(self):
        breathing(self.folder / "cube.pc2", 2)
        cube(self.folder / "cube.obj")
        with open(self.folder / "cube.obj", "a", encoding="ascii") as file:
            file.write("v 5 5 5\n")
        scene = self.write_scene(draped(animation={"file": "cube.pc2"}))
        for command in ("check", "run"):
            result = self.expect(1, command, scene)
            self.assertRegex(result.stdout + result.stderr, r"scene\.json:1:\d+.*animation\.file.*8 points.*9 vertices")


class Summary(Case):
    def test_contact(self):
        cube(self.folder / "cube.obj")
        contact = self.run_json("run", self.write_scene(draped()), "-o", self.folder / "out")["contact"]
        self.assertEqual(contact["ccd"], "advancement")
        self.assertGreater(contact["surface_contacts_max"], 0)
        self.assertGreaterEqual(contact["surface_contacts_max"], contact["surface_contacts_mean"])
        self.assertEqual((contact["breaches"], contact["tangled"]), (0, 0))

    def test_no_contact(self):
        summary = self.run_json("run", self.write_scene(cloth(contact={"ccd": "off"})), "-o",
                                self.folder / "out")
        self.assertEqual(summary["contact"], {"ccd": "off", "surface_contacts_mean": 0.0,
                                              "surface_contacts_max": 0, "held_back": 0, "breaches": 0, "tangled": 0, "stuck": 0.0,
                                              "stuck_peak": 0.0})

    def test_speed(self):
        """A sheet thrown without gravity keeps its speed."""
        scene = cloth(frames=3, settings={"gravity": [0, 0, 0]}, colliders=[])
        scene["deformables"][0]["velocity"] = [0.3, 0, 0.4]
        summary = self.run_json("run", self.write_scene(scene), "-o", self.folder / "out")
        self.assertAlmostEqual(summary["objects"][0]["rms_speed"], 0.5, delta=1e-3)


class Tangled(Case):
    def test_said_once(self):
        result = self.expect(0, "run", self.write_scene(crossing()), "-o", self.folder / "out", "--json")
        self.assertGreater(json.loads(result.stdout)["contact"]["tangled"], 0)
        lines = [line for line in result.stderr.splitlines() if "intersections cannot be resolved" in line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertIn("curtain", lines[0])

    def test_not_said_early_or_without_need(self):
        result = self.expect(0, "run", self.write_scene(crossing()), "-o", self.folder / "out", "--frames", "100")
        self.assertNotIn("cannot be resolved", result.stderr)
        scene = crossing()
        scene["deformables"][1]["collides_with"] = []
        result = self.expect(0, "run", self.write_scene(scene), "-o", self.folder / "out")
        self.assertNotIn("cannot be resolved", result.stderr)


if __name__ == "__main__":
    unittest.main()
