"""run --expect: what a scene says must hold, compared with numbers computed here from the caches."""
import csv
import json
import math
import re
import struct
import unittest

from command import Case, cloth


def last_frame(path):
    """The vertices of the last frame of a PC2 file."""
    data = path.read_bytes()
    points, _, _, count = struct.unpack("<iffi", data[16:32])
    numbers = struct.unpack_from(f"<{3 * points}f", data, 32 + 12 * points * (count - 1))
    return [numbers[3 * i:3 * i + 3] for i in range(points)]


def ball(**changes):
    """A closed ball that is blown up from 1 to 1.5 of its volume, in empty space, with two sheets that cross."""
    scene = {
        "pliant": 1,
        "frames": 12,
        "settings": {"gravity": [0, 0, 0]},
        "deformables": [
            {"name": "ball", "mesh": {"sphere": {"subdivisions": 2, "radius": 0.3}},
             "constraints": [{"type": "distance", "compliance": 0.01}, {"type": "volume", "pressure": 1.5}]},
            {"name": "level", "mesh": {"grid": {"columns": 5, "rows": 5}}, "pose": {"position": [3, 0, 0]},
             "constraints": [{"type": "distance"}]},
            {"name": "upright", "mesh": {"grid": {"columns": 5, "rows": 5}},
             "pose": {"position": [3.03, 0.02, 0.07], "axis": [1, 0, 0], "angle": 90}, "layer": 1,
             "collides_with": [1], "constraints": [{"type": "distance"}]},
        ],
        "output": {"formats": ["pc2"]},
    }
    return {**scene, **changes}


def sheets_that_cross(**changes):
    """A sheet that falls through a held one, with which its layer has nothing to do."""
    sheet = {"mesh": {"grid": {"columns": 6, "rows": 6}}, "self_collision": True, "constraints": [{"type": "distance"}]}
    return {"pliant": 1, "frames": 30, "output": {"formats": ["obj"]}, "deformables": [
        {**sheet, "name": "held", "attachments": [{"row": 0}, {"row": -1}]},
        {**sheet, "name": "falls", "pose": {"position": [0.03, 0.5, 0.07], "axis": [1, 0, 0.2], "angle": 40}, "layer": 1,
         "collides_with": [1]}], **changes}


def distance_from_triangle(point, corners):
    """From its plane and, along it, beyond its sides: the largest of the four."""
    def sub(a, b):
        return [x - y for x, y in zip(a, b)]

    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    def unit(a):
        return [x / math.hypot(*a) for x in a]
    normal = unit(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])))
    away = [abs(sum(x * n for x, n in zip(sub(point, corners[0]), normal)))]
    for k in range(3):
        outwards = unit(cross(sub(corners[(k + 1) % 3], corners[k]), normal))
        away.append(sum(x * n for x, n in zip(sub(point, corners[k]), outwards)))
    return max(away)


def folded_far_away():
    return {"pliant": 1, "frames": 30, "settings": {"substeps": 20},
            "deformables": [{"name": "cloth", "mesh": {"grid": {"columns": 16, "rows": 30, "width": 0.15, "depth": 0.3}},
                             "pose": {"position": [80000, 0.17, 0], "axis": [1, 0, 0.2], "angle": 80}, "density": 0.15,
                             "thickness": 0.003, "self_collision": True,
                             "constraints": [{"type": "distance"}, {"type": "isometric", "rigidity": 1e-07}]}],
            "colliders": [{"shape": "plane"}], "output": {"formats": ["pc2"]}}


class Verify(Case):
    def test_the_first_frame_that_crosses_ends_the_run_and_is_told_with_faces_and_place(self):
        scene = self.write_scene(sheets_that_cross())
        whole, cut = self.folder / "whole", self.folder / "cut"
        self.expect(0, "run", scene, "-o", whole, "--quiet")
        counted = self.run_json("check-intersections", whole, code=1)["per_frame"]
        first = next(i for i, frame in enumerate(counted) if frame["own"] + frame["between"] + frame["collider"])
        self.assertGreater(first, 0)
        said = self.expect(1, "run", scene, "-o", cut, "--quiet", "--verify").stderr
        found = re.search(r"(\d+) pairs? of triangles intersects? in frame (\d+), the first in face (\d+) of '(\w+)' and "
                          r"face (\d+) of '(\w+)' at \((.*), (.*), (.*)\); the step itself says 0 intersections", said)
        self.assertTrue(found, said)
        self.assertEqual(int(found[2]), first)
        self.assertEqual(int(found[1]), counted[first]["between"])
        self.assertEqual({found[4], found[6]}, {"held", "falls"})
        summary = json.loads((cut / "summary.json").read_text())
        self.assertEqual((summary["status"], summary["frame"]), ("failed", first))
        # The point lies on both faces, as the files have them.
        point = [float(found[i]) for i in (7, 8, 9)]
        for face, name in ((found[3], found[4]), (found[5], found[6])):
            lines = next(cut.glob(f"*{name}_{first:04}.obj")).read_text().splitlines()
            faces = [[int(word.split("/")[0]) - 1 for word in line.split()[1:]] for line in lines if line[:2] == "f "]
            vertices = [[float(word) for word in line.split()[1:4]] for line in lines if line[:2] == "v "]
            self.assertLess(distance_from_triangle(point, [vertices[i] for i in faces[int(face)]]), 1e-5)

    def test_the_table_counts_what_intersects_at_the_start(self):
        scene = sheets_that_cross(frames=2)
        scene["deformables"][1]["pose"]["position"] = [0.03, 0, 0.07]
        out = self.folder / "out"
        self.expect(0, "run", self.write_scene(scene), "-o", out, "--quiet", "--record", self.folder / "table.csv")
        start = self.run_json("check-intersections", out, code=1)["per_frame"][0]
        rows = list(csv.DictReader((self.folder / "table.csv").read_text().splitlines()))
        self.assertGreater(start["between"], 0)
        self.assertEqual(int(rows[0]["intersections"]), start["own"] + start["between"] + start["collider"])

    def test_what_crosses_nowhere_passes(self):
        scene = sheets_that_cross(frames=20)
        for sheet in scene["deformables"]:
            sheet.pop("layer", None), sheet.pop("collides_with", None)
        self.expect(0, "run", self.write_scene(scene), "-o", self.folder / "out", "--quiet", "--verify")

    def test_far_away_what_a_step_sees_counts(self):
        """Floats of 80 km are 8 mm apart, and gaps are narrower: files show intersections where there are none."""
        scene = folded_far_away()
        run = self.folder / "far"
        self.expect(0, "run", self.write_scene(scene), "-o", run, "--quiet", "--verify")
        counted = self.run_json("check-intersections", run, code=1)["per_frame"]
        self.assertGreater(sum(frame["own"] for frame in counted), 0, "as the files have it")


class Expect(Case):
    def test_the_volume_of_an_open_surface_does_not_depend_on_its_place(self):
        """Half a ball that falls 5 m without contact keeps what it holds."""
        half = self.folder / "half.obj"
        ring = [(math.cos(math.pi * k / 6), math.sin(math.pi * k / 6)) for k in range(12)]
        lines = [f"v {r * x} {y} {r * z}" for y, r in ((0, 0.2), (-0.15, 0.12)) for x, z in ring] + ["v 0 -0.2 0"]
        for k in range(12):
            a, b = k + 1, (k + 1) % 12 + 1
            lines += [f"f {a} {b} {b + 12}", f"f {a} {b + 12} {a + 12}", f"f {a + 12} {b + 12} 25"]
        half.write_text("\n".join(lines) + "\n")
        scene = {"pliant": 1, "frames": 60, "deformables": [{"name": "cup", "mesh": {"file": "half.obj"}, "constraints": [{"type": "distance"}]}],
                 "expect": {"ends": [{"name": "cup", "maximum": [1, -4, 1], "volume": [0.999, 1.001]}]}}
        self.expect(0, "run", self.write_scene(scene), "-o", self.folder / "out", "--quiet", "--expect")

    def compared(self, scene, *words, code=0):
        """The results by what they are about, and what was said on stderr."""
        path = self.write_scene(scene)
        done = self.expect(code, "run", path, "-o", self.folder / "out", "--expect", "--quiet", *words)
        results = json.loads((self.folder / "out" / "summary.json").read_text())["expected"]
        return {(row["object"], row["what"]): row for row in results}, done.stderr

    def test_numbers_are_those_of_the_caches(self):
        ends = [{"name": "ball", "minimum": [-1, -1, -1], "maximum": [1, 1, 1], "volume": [1.4, 1.6]}]
        rows, _ = self.compared(ball(expect={"intersections": 1000, "stretch": 1, "stretch_p99": 1,
                                             "kinetic_energy": 1000, "ends": ends}))
        vertices = last_frame(self.folder / "out" / "scene_ball.pc2")
        for k, axis in enumerate("xyz"):
            self.assertAlmostEqual(rows["ball", f"least {axis} [m]"]["value"], min(v[k] for v in vertices), 6)
            self.assertAlmostEqual(rows["ball", f"largest {axis} [m]"]["value"], max(v[k] for v in vertices), 6)
        self.assertAlmostEqual(rows["ball", "volume over that at the start"]["value"], 1.5, 2)
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        self.assertEqual(rows[None, "stretch"]["value"], summary["stretch_peak"])
        self.assertEqual(rows[None, "kinetic energy [J]"]["value"], summary["kinetic_energy"])
        counted = self.run_json("check-intersections", self.folder / "out", code=1)
        self.assertGreater(counted["own_total"] + counted["between_total"], 0)
        most = max(frame["own"] + frame["between"] + frame["collider"] for frame in counted["per_frame"])
        self.assertEqual(rows[None, "intersections"]["value"], most)
        self.assertTrue(all(row["holds"] for row in rows.values()))

    def test_stretch_at_the_end_is_that_of_the_caches(self):
        rows, _ = self.compared(ball(expect={"stretch_p99": 1, "stretch_end": 1}))
        vertices, rest, faces = last_frame(self.folder / "out" / "scene_ball.pc2"), [], []
        for line in (self.folder / "out" / "scene_ball.obj").read_text().splitlines():
            if line[:2] == "v ":
                rest.append([float(word) for word in line.split()[1:4]])
            elif line[:2] == "f ":
                faces.append([int(word.split("/")[0]) - 1 for word in line.split()[1:]])
        edges = {tuple(sorted((face[k - 1], face[k]))) for face in faces for k in range(3)}
        stretches = sorted(max(0, math.dist(vertices[a], vertices[b]) / math.dist(rest[a], rest[b]) - 1) for a, b in edges)
        wanted = {"p50": stretches[len(edges) - 1 - len(edges) // 2], "p99": stretches[len(edges) - 1 - len(edges) // 100],
                  "max": stretches[-1]}
        self.assertGreater(wanted["p50"], 0.1)
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        for key, value in wanted.items():
            self.assertAlmostEqual(summary["objects"][0]["stretch"][key], value, 4, key)
        self.assertAlmostEqual(rows["ball", "stretch of 99 of 100 edges"]["value"], wanted["p99"], 4)
        self.assertAlmostEqual(rows["ball", "stretch of any edge at the end"]["value"], wanted["max"], 4)

    def test_what_does_not_hold_is_named_with_frame_and_number(self):
        for expected, words in [({"intersections": 3}, "intersections at most 3: "),
                                ({"stretch": 0.01}, "stretch at most 0.01: "),
                                ({"stretch_p99": 0.01}, "ball: stretch of 99 of 100 edges at most 0.01: "),
                                ({"stretch_end": 0.01}, "ball: stretch of any edge at the end at most 0.01: "),
                                ({"kinetic_energy": 0}, "kinetic energy [J] at most 0: "),
                                ({"ends": [{"name": "ball", "maximum": [1, 0.2, 1]}]}, "largest y [m] at most 0.2: "),
                                ({"ends": [{"name": "ball", "volume": [1, 1.2]}]}, "at least 1 and at most 1.2: ")]:
            with self.subTest(expected):
                rows, said = self.compared(ball(expect=expected), code=1)
                self.assertIn(words, said)
                self.assertRegex(said, r"in frame \d+\n$")
                self.assertFalse(all(row["holds"] for row in rows.values()))

    def test_the_first_frame_beyond_the_limit_is_named(self):
        rows, _ = self.compared(ball(expect={"stretch": 0.05}), code=1)
        frame = rows[None, "stretch"]["frame"]
        self.assertGreater(frame, 0)
        shorter, _ = self.compared(ball(expect={"stretch": 0.05}), "--frames", str(frame - 1))
        self.assertTrue(shorter[None, "stretch"]["holds"])

    def test_a_shorter_run_says_nothing_of_the_end(self):
        rows, _ = self.compared(ball(expect={"intersections": 1000, "kinetic_energy": 0}), "--frames", "4")
        self.assertEqual(list(rows), [(None, "intersections")])

    def test_without_the_option_nothing_is_compared(self):
        path = self.write_scene(ball(expect={"stretch": 0}))
        self.expect(0, "run", path, "-o", self.folder / "out", "--quiet")
        self.assertIsNone(json.loads((self.folder / "out" / "summary.json").read_text())["expected"])

    def test_the_summary_shows_it(self):
        path = self.write_scene(cloth(expect={"stretch": 10, "kinetic_energy": 1e6}))
        text = self.expect(0, "run", path, "-o", self.folder / "out", "--expect").stdout
        self.assertRegex(text, r"expected +stretch at most 10: [0-9.e-]+ in frame \d+\n")


if __name__ == "__main__":
    unittest.main()
