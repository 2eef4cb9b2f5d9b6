"""sweep: points of studies, what becomes of each, tables, and the commands that other programs run."""
import csv
import json
import math
import os
import pathlib
import shutil
import subprocess
import unittest

from command import BINARY, SweepCase, cloth, pliant


class Sweep(SweepCase):
    def values(self, axes, **more):
        """The values of each point, without running any."""
        rows = self.table(self.study(axes, **more))
        self.assertTrue(all(row["status"] == "waiting" for row in rows))
        return [tuple(json.loads(row[name]) for name in axes) for row in rows]

    def test_each_point_is_the_run_with_its_settings(self):
        study = self.study({"settings.substeps": [5, 7], "settings.gravity": [[0, -1, 0], [0, -9, 0]]}, frames=2,
                           columns=["contact.held_back", "sets.0.type"])
        self.expect(0, "sweep", study, "-o", self.out, "-q")
        rows = self.table(study)
        self.assertEqual(len(rows), 4)
        for row in rows:
            alone = self.run_json("run", self.scene, "-o", self.folder / "alone", "--frames", "2", "--format", "none", "--set",
                                  f"settings.substeps={row['settings.substeps']}", "--set",
                                  f"settings.gravity={row['settings.gravity']}")
            self.assertEqual((row["status"], row["hash"], row["frame"]), ("done", alone["hash"], "2"))
            self.assertEqual(row["sets.0.type"], "distance")
            self.assertAlmostEqual(float(row["kinetic_energy"]), alone["kinetic_energy"], delta=1e-8)
        self.assertEqual(len({row["hash"] for row in rows}), 4)

    def test_axes(self):
        self.assertEqual(self.values({"a": [1, 2], "b": [3, 4]}), [(1, 3), (1, 4), (2, 3), (2, 4)])
        self.assertEqual(self.values({"a": [1, 2], "b": [3, 4]}, combine="zip"), [(1, 3), (2, 4)])
        self.assertEqual(self.values({"a": {"from": 1, "to": 3, "count": 3}}), [(1,), (2,), (3,)])
        for (value,), expected in zip(self.values({"a": {"from": 0.01, "to": 100, "count": 5, "log": True}}), range(-2, 3)):
            self.assertAlmostEqual(math.log10(value), expected, places=7)
        first, other = (self.values({"a": {"random": [2, 6], "count": 200}}, seed=seed) for seed in (1, 2))
        self.assertEqual(first, self.values({"a": {"random": [2, 6], "count": 200}}, seed=1))
        self.assertNotEqual(first, other)
        # Whole numbers stay whole between whole ends, for keys that count something; 49 * (1 / 49) is less than 1.
        for axis, expected in (({"from": 5, "to": 20, "count": 4}, [5, 10, 15, 20]), ({"from": 0, "to": 49, "count": 50}, range(50)),
                               ({"from": 1, "to": 1000, "count": 4, "log": True}, [1, 10, 100, 1000]),
                               ({"from": 1, "to": 2, "count": 3}, [1, 1.5, 2])):
            found = [value for value, in self.values({"a": axis})]
            self.assertEqual([(value, type(value)) for value in found], [(value, type(value)) for value in expected])
        self.assertEqual([type(value) for value, in self.values({"a": {"from": 1.0, "to": 3, "count": 3}})], [float] * 3)
        numbers = [value for value, in first]
        self.assertTrue(all(2 <= value <= 6 for value in numbers))
        # Of 200 draws the mean is within four of its deviations, 4 / sqrt(12 * 200), of the middle.
        self.assertLess(abs(sum(numbers) / 200 - 4), 4 * 4 / math.sqrt(12 * 200))
        both = self.values({"a": {"random": [0, 1], "count": 3}, "b": {"random": [0, 1], "count": 3}}, combine="zip")
        self.assertTrue(all(a != b for a, b in both), "axes are drawn apart")

    def test_columns_that_are_there_already(self):
        """Databases do not tell capitals from small letters; "contacts" of the summary is another figure than that of the table."""
        study = self.study({"settings.substeps": [1], "Hash": [1]}, columns=[
            "FRAME", "hash", "status", "Settings.Substeps", "contact.held_back", "contacts", "contact.held_back", "CONTACT.held_back"])
        row, = self.table(study)
        self.assertEqual(list(row), [
            "point", "id", "status", "message", "settings.substeps", "Hash", "hash_2", "frame", "seconds", "ms_frame", "kinetic_energy",
            "potential_energy", "stretch_rms", "stretch_max", "stretch_peak", "contacts", "failed_pairs", "intersections", "stuck",
            "contact.held_back", "contacts_2", "contact.held_back_2", "CONTACT.held_back_3"])
        self.assertTrue(all(value is not None for value in row.values()))

    def test_results_of_other_inputs_are_other_points(self):
        """The scene, a mesh that it names, and a mesh that an axis names."""
        (self.scene.parent / "one.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n")
        (self.scene.parent / "two.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 3 2\nf 2 3 4\n")
        scene = cloth()
        scene["deformables"][0] = {"name": "cloth", "mesh": {"file": "one.obj"}, "constraints": [{"type": "distance"}]}
        self.write_scene(scene)
        study = self.study({"deformables.cloth.mesh.file": ["one.obj", "two.obj"]}, frames=1)
        def run():
            self.expect(0, "sweep", study, "-o", self.out, "-q")
            return [(row["id"], row["potential_energy"]) for row in self.table(study)]
        first = run()
        self.assertEqual(run(), first)
        scene["deformables"][0]["density"] = 2
        self.write_scene(scene)
        denser = run()
        (self.scene.parent / "two.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 0 2\nv 1 0 2\nf 1 3 2\nf 2 3 4\n")
        larger = run()
        ids = {id for rows in (first, denser, larger) for id, _ in rows}
        self.assertEqual(len(ids), 6)
        self.assertNotEqual(larger[1][1], denser[1][1])

    def test_a_column_that_no_summary_has_is_an_error(self):
        study = self.study({"settings.substeps": [1]}, frames=1, columns=["objects.cloth.stretch.p99", "objects[0].vertices", "objects.0.no"])
        result = self.expect(1, "sweep", study, "-o", self.out)
        self.assertIn("'objects.0.no'", result.stderr)
        row, = csv.DictReader((self.out / "table.csv").read_text().splitlines())
        self.assertTrue(float(row["objects.cloth.stretch.p99"]) >= 0 and int(row["objects[0].vertices"]) > 3)

    def test_caches_of_points(self):
        study = self.study({"settings.substeps": [1, 2]}, frames=2, formats=["pc2", "obj"])
        self.expect(0, "sweep", study, "-o", self.out, "-q")
        self.assertEqual(len(list(self.out.glob("points/*/*.pc2"))), 2)
        self.assertIn("formats", self.expect(1, "sweep", self.study({"settings.substeps": [1]}, formats="pc2"), "-o", self.out).stderr)

    def test_what_fails_is_kept_and_told(self):
        study = self.study({"deformables.cloth.mesh.grid.columns": [6, 1]})
        result = self.expect(1, "sweep", study, "-o", self.out)
        self.assertIn("it must be 2 to", result.stdout)
        self.assertIn("1 done, 1 failed", result.stdout)
        good, bad = self.table(study)
        self.assertEqual((good["status"], bad["status"], bad["hash"]), ("done", "failed", ""))
        self.assertIn("mesh.grid.columns", bad["message"])
        self.assertIn("1 failed", self.expect(0, "sweep", "status", study, "-o", self.out).stdout)

    def test_done_points_are_not_run_again(self):
        study = self.study({"settings.substeps": [3, 1, 0]})
        self.expect(1, "sweep", study, "-o", self.out, "-q")
        summaries = sorted(self.out.glob("points/*/summary.json"))
        before = [path.stat().st_mtime_ns for path in summaries]
        self.assertEqual(len(summaries), 2)
        # A longer study keeps what is there, and a failed point is tried again when that is asked for.
        study = self.study({"settings.substeps": [4, 3, 1, 0]})
        self.expect(1, "sweep", study, "-o", self.out, "-q")
        self.assertEqual([path.stat().st_mtime_ns for path in summaries], before)
        self.assertEqual([row["status"] for row in self.table(study)], ["done"] * 3 + ["failed"])
        self.expect(1, "sweep", study, "-o", self.out, "-q", "--retry")

    def stop_by_hand(self):
        """Makes a point that is done look as one that was stopped, and returns its folder."""
        path, = self.out.glob("points/*/summary.json")
        path.write_text(json.dumps({**json.loads(path.read_text()), "status": "cancelled"}))
        return path.parent

    def test_a_stopped_point_that_its_checkpoint_refuses_has_failed(self):
        study = self.study({"settings.substeps": [1]}, frames=2)
        self.expect(0, "sweep", study, "-o", self.out, "-q")
        point = self.stop_by_hand()
        self.assertEqual(self.table(study)[0]["status"], "stopped")
        self.expect(0, "run", self.scene, "--set", "deformables.cloth.mesh.grid.columns=9", "-n", "2", "-o", self.folder / "other", "-q")
        shutil.copy(self.folder / "other/checkpoint.pli", point / "checkpoint.pli")
        self.expect(1, "sweep", study, "-o", self.out, "-q")
        row, = self.table(study)
        self.assertEqual(row["status"], "failed")
        self.assertIn("checkpoint", row["message"])

    def test_commands_for_other_programs(self):
        """By sh here; GNU parallel takes the same lines. A name with a quote and a blank is one word still."""
        self.out = self.folder / "what's it"
        study = self.study({"settings.substeps": [1, 2]})
        lines = self.expect(0, "sweep", study, "-o", self.out, "--print-commands").stdout
        path = pathlib.Path(BINARY).resolve().parent
        subprocess.run(["sh"], input=lines, text=True, check=True, env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}"})
        self.assertEqual([row["status"] for row in self.table(study)], ["done", "done"])

    def test_bad_studies(self):
        for axes, more, word in (({"a": []}, {}, "a list"), ({"a": 1}, {}, "a list"), ({}, {}, "axes"),
                                 ({"a": {"from": 0, "to": 1, "count": 3, "log": True}}, {}, "above 0"),
                                 ({"a": {"from": 0, "to": 1, "count": -3}}, {}, "a list"),
                                 ({"a": [1, 2], "b": [1]}, {"combine": "zip"}, "equally many"),
                                 ({"a": [1]}, {"combine": "both"}, "\"grid\" or \"zip\""), ({"a": [1]}, {"axis": 1}, "no key"),
                                 ({"a": {"from": 0, "to": 1, "count": 1000000}, "b": [1, 2]}, {}, "million"),
                                 ({"a": [1]}, {"frames": -1}, "whole number"), ({"a": [1]}, {"columns": 3}, "lists"),
                                 ({"a": {"from": -1e308, "to": 1e308, "count": 3}, "b": [1]}, {}, "not finite"),
                                 ({"a": {"from": 5e-324, "to": 1e308, "count": 3, "log": True}}, {}, "not finite"),
                                 ({"a": [1, 2, 1]}, {}, "a: values 0 and 2, from 0, are equal"),
                                 ({"a": [1], "b": [0.1, 0.1000000001]}, {}, "b: values 0 and 1"),
                                 ({"a": [1, 1, 1], "b": [2, 3, 2]}, {"combine": "zip"}, "values 0 and 2"),
                                 ({"a": [1]}, {"columns": ["hash", 3]}, "lists"),
                                 ({str(k): [1] for k in range(40)}, {}, "32 axes"), ({"a": [1]}, {"scene": 3}, "scene")):
            result = self.expect(1, "sweep", self.study(axes, **more), "-o", self.out)
            self.assertIn(word, result.stderr)
        study = self.folder / "study.json"
        for text in ("", "[]", "{", '{"scene": "a"}'):
            study.write_text(text)
            self.expect(1, "sweep", study)
        self.expect(1, "sweep", self.folder / "none.json")
        self.expect(2, "sweep", "stats", self.study({"a": [1]}))
        self.expect(2, "sweep", self.study({"a": [1]}), "--point", "1", "-o", self.out)
        self.assertNotEqual(pliant("sweep").returncode, 0)


if __name__ == "__main__":
    unittest.main()
