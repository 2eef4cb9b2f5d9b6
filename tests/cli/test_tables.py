"""inspect, models, check and schema."""
import json
import unittest

from command import SOURCE, Case, cloth


class Inspect(Case):
    def counts(self, *words):
        return {(row["type"], row["generator"]): row for row in self.run_json("inspect", *words)["constraints"]}

    def test_table_1_of_the_paper(self):
        """10 x 10 quads: 160 triangle bending by each rule, 144 dihedral, 160 stick (Kelager et al. 2010, Table 1)."""
        counts = self.counts("grid:10x10:quads")
        self.assertEqual(counts["triangle", "triples"]["count"], 160)
        self.assertEqual(counts["dihedral", "hinges"]["count"], 144)
        self.assertEqual(counts["stick", "second_neighbours"]["count"], 160)
        self.assertEqual(counts["distance", "edges"]["count"], 2 * 10 * 9)
        for rule, generator in (("fig6a", "triples_fig6a"), ("fig6b", "triples_fig6b"), ("union", "triples")):
            counts = self.counts("grid:10x10:quads", "--rule", rule)
            self.assertEqual(list(counts), [("triangle", generator)])
            self.assertEqual(counts["triangle", generator]["count"], 160)
        self.assertGreater(self.counts("grid:10x10", "--rule", "fig6b")["triangle", "triples_fig6b"]["degenerate"], 0)

    def test_rules_and_models(self):
        self.assertEqual(list(self.counts("grid:4x4", "--bending", "dihedral")), [("dihedral", "hinges")])
        self.assertEqual(list(self.counts("grid:4x4", "--rule", "edge")), [("triangle_edge", "hinges")])
        self.expect(2, "inspect", "grid:4x4", "--rule", "edge", "--bending", "triangle")

    def test_meshes_of_the_repository(self):
        for name, count in (("bunny", 6446), ("spot", 9779)):
            path = SOURCE / "scenes" / "meshes" / f"{name}.obj"
            self.assertEqual(self.counts(path, "--rule", "union")["triangle", "triples"]["count"], count, name)
            text = self.expect(0, "inspect", path).stdout
            self.assertIn("vertices", text)
            self.assertIn("triangle", text)

    def test_report(self):
        report = self.run_json("inspect", "grid:3x4:crossed")["report"]
        self.assertEqual(report["vertices"], 12 + 6)
        self.assertEqual(report["triangles"], 24)
        self.assertEqual(report["boundary_loops"], 1)
        self.assertFalse(report["closed"])
        self.assertTrue(self.run_json("inspect", "sphere:1")["report"]["closed"])
        self.assertEqual(self.run_json("inspect", "tube:8x3")["report"]["boundary_loops"], 2)
        self.assertEqual(self.run_json("inspect", "plant:7")["report"]["components"], 1)

    def three_faces(self):
        path = self.folder / "fin.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n")
        return path

    def test_refused_and_repaired(self):
        path = self.three_faces()
        result = self.expect(1, "inspect", path)
        self.assertIn("non_manifold_edges", result.stdout)
        self.assertIn("edge", result.stderr)
        self.assertIn("--repair", result.stderr)
        self.expect(0, "inspect", path, "--repair")
        self.assertFalse(self.run_json("inspect", path, code=1)["usable"])

    def test_bad_sources(self):
        self.assertIn("nothing.obj", self.expect(1, "inspect", self.folder / "nothing.obj").stderr)
        for shape in ("grid:", "grid:3", "grid:1x1", "grid:3x3:hexagons", "sphere:99", "sphere:-1", "tube:2x2",
                      "plant:x", "grid:99999999999x2"):
            self.expect(1, "inspect", shape)
        garbage = self.folder / "garbage.obj"
        garbage.write_bytes(bytes(range(256)) * 8)
        self.expect(1, "inspect", garbage)


class Models(Case):
    def test_all_are_listed_and_explained(self):
        table = self.run_json("models")
        listing = self.expect(0, "models").stdout
        self.assertGreaterEqual(len(table["types"]), 12)
        for row in table["types"] + table["generators"]:
            self.assertIn(row["name"], listing)
            text = self.expect(0, "models", row["name"]).stdout
            self.assertIn("source", text)
            self.assertEqual(self.run_json("models", row["name"]), row)
        # The plate bends as the types do, though it is a part of a deformable.
        plate = next(group for group in table["groups"] if group["id"] == "plate")
        text = self.expect(0, "models", "plate").stdout
        self.assertEqual([row["summary"] for row in self.run_json("models", "plate")["properties"]],
                         [row["summary"] for row in plate["properties"]])
        self.assertIn("plate", listing.split("Other constraint types")[0])
        for words in ["source", *(row["name"] for row in plate["properties"])]:
            self.assertIn(words, text)
        for row in table["types"]:
            text = self.expect(0, "models", row["name"]).stdout
            for parameter in row["parameters"]:
                self.assertIn(parameter["name"], text)
                if parameter["kind"] == "choice":
                    self.assertIn(parameter["default"], [choice["name"] for choice in parameter["choices"]])
                elif parameter["kind"] == "boolean":
                    self.assertIn(parameter["default"], (True, False))
                else:
                    self.assertLessEqual(parameter["minimum"], parameter["default"])
                    self.assertLessEqual(parameter["default"], parameter["maximum"])

    def test_kappa(self):
        parameters = {p["name"]: p for p in self.run_json("models", "triangle")["parameters"]}
        self.assertEqual(parameters["kappa"]["unit"], "m")
        self.assertEqual([choice["name"] for choice in parameters["relation"]["choices"]],
                         ["equal", "at_most", "at_least"])


class Check(Case):
    def test_scenes_of_the_repository(self):
        for path in sorted((SOURCE / "scenes").glob("*.json")):
            if "schema" not in path.name:
                self.assertIn(": OK: ", self.expect(0, "check", path).stdout)

    def test_unknown_key_has_a_place_and_the_nearest(self):
        path = self.folder / "scene.json"
        path.write_text(json.dumps(cloth(), indent=1).replace('"frames"', '"framse"'))
        line = 1 + path.read_text().splitlines().index(' "framse": 30,')
        result = self.expect(1, "check", path)
        self.assertRegex(result.stdout, rf"^{path}:{line}:\d+: error: .*framse.*'frames'")
        found = self.run_json("check", path, code=1)
        self.assertEqual((found["valid"], found["messages"][0]["line"]), (False, line))

    def test_set_is_checked(self):
        path = self.write_scene(cloth())
        self.assertTrue(self.run_json("check", path)["valid"])
        self.expect(0, "check", path, "--set", "settings.substeps=3")
        self.assertIn("'substeps'", self.expect(1, "check", path, "--set", "settings.substep=3").stdout)
        # The file's own line is right, so that it is the setting which is named.
        for value, named in [("deformables.cloth.density=heavy", "deformables[0].density"),
                             ("settings.substeps=0", "settings.substeps"),
                             ("deformables.0.mesh.grid={\"columns\":-1}", "deformables[0].mesh.grid.columns")]:
            said = self.expect(1, "check", path, "--set", value).stdout
            self.assertIn(f"{path}: error: {named}: ", said)
            self.assertIn(f"(set by {value})", said)
        self.expect(1, "check", path, "--set", "nonsense")

    def test_touching_objects_are_named(self):
        """With a place and a cure, by `check` and by the first step of a run: panels edge to edge, and a cloth on a table of triangles."""
        panel = {"mesh": {"grid": {"columns": 9, "rows": 9, "width": 1, "depth": 1}}, "constraints": [{"type": "distance"}]}
        table = self.folder / "table.obj"
        table.write_text("v -.2 0 -.2\nv .2 0 -.2\nv .2 0 .2\nv -.2 0 .2\nf 1 4 3 2\n")
        panels = [{**panel, "name": name, "pose": {"position": [x, 1, 0]}} for name, x in (("left", 0), ("right", 1))]
        for scene, words in (({"deformables": panels}, r"left: it touches right at 18 vertices, the first at \(0\.5, 1, .*leave a gap"),
                             ({"deformables": [{**panel, "name": "cloth"}], "colliders": [{"shape": "mesh", "mesh": {"file": "table.obj"}}]},
                              r"cloth: it touches collider 0, a mesh, at 13 vertices.*leave a gap")):
            path = self.write_scene({"pliant": 1, "frames": 1, **scene})
            self.assertRegex(self.expect(0, "check", path).stdout, words)
            self.assertRegex(self.expect(0, "run", path, "-o", self.folder / "out").stderr, words)
        panels[1]["pose"]["position"][0] = 1.00001
        path = self.write_scene({"pliant": 1, "frames": 1, "deformables": panels})
        self.assertNotIn("touches", self.expect(0, "check", path).stdout)

    def test_all_findings_are_shown(self):
        scene = cloth()
        scene["deformables"][0]["constraints"] = [{"type": "trangle"}, {"type": "distance", "complaince": 1}]
        text = self.expect(1, "check", self.write_scene(scene)).stdout
        self.assertIn("triangle", text)
        self.assertIn("compliance", text)

    def test_files_that_are_no_scenes(self):
        self.expect(1, "check", self.folder / "missing.json")
        for content in ("", "{", "[]", "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"file\": \"gone.obj\"}}]}"):
            path = self.folder / "bad.json"
            path.write_text(content)
            result = self.expect(1, "check", path)
            self.assertNotEqual(result.stdout + result.stderr, "")
            self.expect(1, "run", path, "-o", self.folder / "out")


class Schema(Case):
    def test_schema_is_json(self):
        self.assertIn("properties", json.loads(self.expect(0, "schema").stdout))

    def test_reference(self):
        self.assertIn("substeps", self.expect(0, "schema", "--reference").stdout)


if __name__ == "__main__":
    unittest.main()
