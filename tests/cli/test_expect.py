"""run --expect: what a scene says must hold, compared with numbers computed here from the caches."""
import json
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


class Expect(Case):
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

    def test_what_does_not_hold_is_named_with_frame_and_number(self):
        for expected, words in [({"intersections": 3}, "intersections at most 3: "),
                                ({"stretch": 0.01}, "stretch at most 0.01: "),
                                ({"stretch_p99": 0.01}, "ball: stretch of 99 of 100 edges at most 0.01: "),
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
