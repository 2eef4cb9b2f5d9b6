"""Figures of runs: the table that `run --record` writes, and what `plot` draws of it."""
import csv
import unittest
import xml.etree.ElementTree as xml

from command import Case, cloth

SVG = "{http://www.w3.org/2000/svg}"


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: float(value) if value else None for name, value in row.items()} for row in csv.DictReader(file)]


def of_the_state(rows):
    """Neither times nor the size of buffers, which are of the process."""
    return [{name: value for name, value in row.items() if not name.startswith("m") or name.startswith("momentum")}
            for row in rows]


def falling():
    """A free sheet of 1 m x 1 m and .2 kg, with nothing in its way."""
    scene = cloth(frames=30, colliders=[])
    scene["deformables"][0].update(density=0.2, attachments=[])
    return scene


class Record(Case):
    def setUp(self):
        super().setUp()
        self.table = self.folder / "stats.csv"

    def record(self, scene, *words):
        summary = self.run_json("run", scene, "-o", self.folder / "out", "--format", "none", "--record", self.table, *words)
        return summary, rows_of(self.table)

    def test_a_row_for_each_frame(self):
        summary, rows = self.record(self.write_scene(cloth()))
        self.assertEqual([row["frame"] for row in rows], list(range(31)))
        last = rows[-1]
        for name in ("kinetic_energy", "potential_energy", "stretch_rms", "stretch_max", "contacts"):
            self.assertAlmostEqual(last[name], summary[name], delta=1e-7 * (1 + abs(last[name])))
        for each in summary["sets"]:
            self.assertAlmostEqual(last[f"residual_rms_cloth_{each['name']}"], each["residual_rms"], delta=1e-9)
            self.assertAlmostEqual(last[f"energy_{each['type']}"], each["energy"], delta=1e-7)
        self.assertGreater(last["energy_triangle"], 0)
        for row in rows[1:]:
            parts = sum(value for name, value in row.items() if name.startswith("energy_"))
            self.assertAlmostEqual(row["elastic_energy"], parts, delta=1e-7 * (1 + parts))
            stages = sum(value for name, value in row.items() if name.startswith("ms_"))
            self.assertLessEqual(stages, 1.01 * row["ms"] + 0.01)
        self.assert_whole(self.folder)

    def test_free_fall_by_its_formulas(self):
        summary, rows = self.record(self.write_scene(falling()))
        self.assertEqual(summary["held"], 0)
        mass, gravity, substep = 0.2, 9.81, 1 / 600
        for row in rows:
            time = row["frame"] / 60
            self.assertAlmostEqual(row["momentum_y"], -mass * gravity * time, delta=1e-5)
            self.assertAlmostEqual(row["kinetic_energy"], 0.5 * mass * (gravity * time) ** 2, delta=1e-4)
            # Implicit Euler falls by half a substep's way more.
            fallen = 0.5 * gravity * time * (time + substep)
            self.assertAlmostEqual(row["potential_energy"], mass * gravity * (1 - fallen), delta=1e-4)

    def test_probes_by_their_formulas(self):
        """A free sheet that falls, and a ball beside it: places, sizes and energies are known."""
        scene = falling()
        scene["deformables"].append({"name": "ball", "mesh": {"sphere": {"subdivisions": 4, "radius": 0.5}}, "pose": {"position": [3, 0, 0]},
                                     "constraints": [{"type": "distance"}]})
        height = scene["deformables"][0]["pose"]["position"][1] if "pose" in scene["deformables"][0] else 0
        scene["probes"] = [{"name": "corner", "deformable": "cloth"}, {"name": "box", "measure": "bounds"}, {"name": "area", "measure": "area"},
                           {"name": "energy", "measure": "energy"}, {"name": "inside", "measure": "volume"},
                           {"name": "ball", "deformable": "ball", "measure": "volume"}, {"name": "skin", "deformable": "ball", "measure": "area"},
                           {"name": "round", "deformable": "ball", "measure": "curvature"}]
        summary, rows = self.record(self.write_scene(scene))
        probes, last = summary["probes"], rows[-1]
        fallen = rows[0]["probe_corner_y"] - last["probe_corner_y"]
        self.assertAlmostEqual(fallen, 0.5 * 9.81 * 0.5**2, delta=0.02)
        self.assertAlmostEqual(last["probe_box_max_y"], height - fallen, delta=1e-4)
        self.assertAlmostEqual(last["probe_box_max_x"] - last["probe_box_min_x"], 1, delta=1e-4)
        self.assertAlmostEqual(last["probe_area"], 1, delta=1e-4)
        self.assertAlmostEqual(last["probe_energy_kinetic"], 0.5 * 0.2 * (9.81 * 0.5)**2, delta=0.02)
        self.assertIsNone(last["probe_inside"])
        self.assertIsNone(probes["inside"])
        # Of a polyhedron inscribed in the sphere: below by (edge / diameter)^2 and less.
        self.assertAlmostEqual(last["probe_ball"] / (4 / 3 * 3.14159265 * 0.5**3), 1, delta=0.01)
        self.assertAlmostEqual(last["probe_skin"] / (4 * 3.14159265 * 0.5**2), 1, delta=0.01)
        self.assertAlmostEqual(last["probe_round"] * 0.5, 1, delta=0.02)
        self.assertAlmostEqual(probes["corner"]["y"], last["probe_corner_y"], delta=1e-6)
        self.assertAlmostEqual(probes["energy"]["kinetic"], last["probe_energy_kinetic"], delta=1e-6)

    def test_wrong_probes(self):
        for probe, word in (({"name": "a", "vertex": 100000}, "vertex 100000 does not exist"), ({"name": "a", "deformable": "no"}, "no deformable 'no'"),
                            ({"name": "a", "measure": "area", "vertex": 1}, "only a position"), ({"name": "a", "measure": "colour"}, "measure")):
            scene = {**falling(), "probes": [probe]}
            self.assertIn(word, self.expect(1, "run", self.write_scene(scene), "-o", self.folder / "out", "-n", "1").stderr)

    def test_no_cache_is_written(self):
        summary, _ = self.record(self.write_scene(cloth(frames=2)))
        self.assertEqual(summary["caches"], [])
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()), ["checkpoint.pli", "summary.json"])

    def test_a_resumed_run_has_the_same_rows(self):
        scene = self.write_scene(cloth())
        _, whole = self.record(scene)
        self.record(scene, "--frames", "12")
        # Rows behind the checkpoint, as a run that was killed might have left, count for nothing.
        with open(self.table, "a", encoding="utf-8") as file:
            file.write("13" + ",1" * (len(whole[0]) - 1) + "\n")
        summary, resumed = self.record(scene, "--resume")
        self.assertEqual(summary["first_frame"], 12)
        self.assertEqual(of_the_state(resumed), of_the_state(whole))
        self.table.write_text("frame,other\n12,1\n")
        refused = self.expect(1, "run", scene, "-o", self.folder / "out", "--format", "none", "--record", self.table,
                              "--resume")
        self.assertIn("no row of frame 30", refused.stderr)
        self.assertEqual(self.table.read_text(), "frame,other\n12,1\n")

    def test_where_it_cannot_be_written(self):
        scene = self.write_scene(cloth(frames=2))
        result = self.expect(1, "run", scene, "-o", self.folder / "out", "--record", "/proc/nowhere/stats.csv")
        self.assertIn("/proc/nowhere/stats.csv", result.stderr)


class Plot(Case):
    def setUp(self):
        super().setUp()
        self.table = self.folder / "a.csv"

    def draw(self, *words):
        out = self.folder / "plot.svg"
        self.expect(0, "plot", *words, "-o", out)
        return xml.parse(out).getroot()

    def test_panels_of_a_run(self):
        self.expect(0, "run", self.write_scene(cloth()), "-o", self.folder / "out", "--format", "none", "-q", "--record",
                    self.table)
        texts = [text.text for text in self.draw(self.table).iter(f"{SVG}text")]
        for word in ("kinetic_energy", "elastic_energy", "triangle", "stretch_max", "cloth_distance", "project", "time [s]"):
            self.assertIn(word, texts)
        both = [text.text for text in self.draw(self.table, self.table, "-c", "kinetic_energy").iter(f"{SVG}text")]
        self.assertEqual(both.count(f"kinetic_energy, {self.table}"), 2)

    def test_curves_go_through_the_numbers(self):
        self.table.write_text('time,"a, b",c\r\n0,0,x\r\n1,1,1\r\n2,4,2\r\n')
        marks = [(float(mark.get("cx")), float(mark.get("cy"))) for mark in self.draw(self.table, "-c", "c").iter(f"{SVG}circle")]
        self.assertEqual(len(marks), 2, "the field that is no number is left out")
        root = self.draw(self.table, "-c", "c", "--x", "a, b")
        marks = [(float(mark.get("cx")), float(mark.get("cy"))) for mark in root.iter(f"{SVG}circle")]
        self.assertGreater(marks[1][0], marks[0][0])
        self.assertLess(marks[1][1], marks[0][1], "larger is higher")

    def test_wrong_tables(self):
        self.table.write_text("time,energy\n0,1\n1\n")
        self.assertIn(f"{self.table}:3: 1 fields, and the header has 2", self.expect(1, "plot", self.table).stderr)
        self.table.write_text("time,energy\n0,1\n")
        self.assertIn("is 'energy' meant?", self.expect(1, "plot", self.table, "-c", "enrgy").stderr)
        self.assertIn("--columns", self.expect(1, "plot", self.table).stderr)
        self.assertIn("has time, energy", self.expect(1, "plot", self.table, "-c", "qqqqqqqq").stderr)
        self.assertIn("has to end in .svg", self.expect(2, "plot", self.table, "-c", "energy", "-o", self.folder / "plot.png").stderr)
        self.expect(1, "plot", self.folder / "none.csv")
        self.expect(2, "plot", *[self.table] * 9)
        for bad in (b"", b"\n\n", b"\x00\x01", b'"', b'a,"b', b",,,\n,,,\n", b"time\n" + b"9" * 400):
            self.table.write_bytes(bad)
            self.assertIn(self.expect(1, "plot", self.table).returncode, (1,))


if __name__ == "__main__":
    unittest.main()
