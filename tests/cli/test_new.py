"""Scenes that are made for meshes: their values fit the mesh, they run, and what is wrong is said with its mend."""
import json
import os
import pathlib
import shutil
import unittest

from command import Case, pliant


def grid(path, side, length, height=0.0, extra=()):
    """An OBJ file of a flat sheet of `side` squares each way, whose first column of faces is a group of its own."""
    step = length / side
    lines = [f"v {i * step} {height} {k * step}" for k in range(side + 1) for i in range(side + 1)]
    corner = lambda i, k: k * (side + 1) + i + 1
    for i in range(side):
        lines.append("g pole" if i == 0 else "g rest")
        lines += [f"f {corner(i, k)} {corner(i, k + 1)} {corner(i + 1, k + 1)} {corner(i + 1, k)}" for k in range(side)]
    path.write_text("\n".join([*lines, *extra]) + "\n")


# A square of two triangles.
SQUARE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 1 0 1 1 0 1 1 1 0 1 1</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 3 2</p></triangles></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


class New(Case):
    def scene(self, *words):
        done = pliant("new", *words, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, json.loads((self.folder / "flag.json").read_text())

    def test_a_flat_sheet(self):
        grid(self.folder / "flag.obj", 20, 1.0)
        said, scene = self.scene("flag.obj", "--pin-group", "pole")
        self.assertIn("441 vertices, 1 x 0 x 1 m", said)
        self.assertIn("a flat sheet, 42 vertices pinned", said)
        self.assertNotIn("Is that right?", said)
        cloth, = scene["deformables"]
        # The two columns of vertices of the first column of faces.
        self.assertEqual(cloth["attachments"][0]["particles"], sorted(v for v in range(441) if v % 21 in (0, 1)))
        # Cotton, which shears by its weave.
        self.assertEqual(cloth["constraints"], [{"type": "membrane", "warp": 1e4, "weft": 1e4, "shear": 50}])
        # 6 d g L^3 of a strip of a fiftieth of its size.
        self.assertEqual(cloth["rigidity"], 9.4e-5)
        # Edges are 5 cm long, diagonals are none: thickness at most a hundredth of the diagonal, 14 mm.
        self.assertAlmostEqual(cloth["thickness"], 0.014, places=6)
        self.assertEqual(scene["settings"]["substeps"], 10)
        done = pliant("run", "flag.json", "-n", "20", "--verify", "--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_substeps_do_not_depend_on_the_mesh(self):
        grid(self.folder / "flag.obj", 40, 0.4)
        _, scene = self.scene("flag.obj", "--no-ground")
        self.assertEqual(scene["settings"]["substeps"], 10)
        self.assertAlmostEqual(scene["deformables"][0]["thickness"], 0.0033, places=6)
        self.assertNotIn("colliders", scene)

    def test_a_figure_stands_without_much_stretch(self):
        """The cow of the quickstart bears its weight on four small feet."""
        shutil.copy(pathlib.Path(os.environ["PLIANT_SOURCE_DIR"]) / "scenes/meshes" / "spot.obj", self.folder / "flag.obj")
        _, scene = self.scene("flag.obj")
        done = pliant("run", "flag.json", "-n", "60", "--format", "none", "--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(json.loads(done.stdout)["stretch_rms"], 0.01)

    def test_units_are_asked_about(self):
        grid(self.folder / "flag.obj", 8, 120.0)
        said, scene = self.scene("flag.obj")
        self.assertIn("It is 120 m large. Is that right? If the file is in centimetres, --scale 0.01", said)
        said, scene = self.scene("flag.obj", "--scale", "0.01", "--pin-top", "10")
        self.assertNotIn("Is that right?", said)
        self.assertEqual(scene["deformables"][0]["mesh"], {"file": "flag.obj", "scale": 0.01})
        # A flat sheet is all of its own height.
        self.assertEqual(len(scene["deformables"][0]["attachments"][0]["particles"]), 81)

    def test_what_is_painted_is_pinned(self):
        painted = [0.0, 0.49, 0.5, 1.0, 0.0, 0.8]
        vertices = [f"{i % 3} 0 {i // 3} {value}" for i, value in enumerate(painted)]
        (self.folder / "flag.ply").write_text("\n".join(
            ["ply", "format ascii 1.0", "element vertex 6", *(f"property float {n}" for n in ("x", "y", "z", "hold")),
             "element face 2", "property list uchar int vertex_indices", "end_header", *vertices, "4 0 3 4 1", "4 1 4 5 2"]) + "\n")
        said, scene = self.scene("flag.ply", "--pin-map", "hold")
        self.assertIn("3 vertices pinned", said)
        self.assertEqual(scene["deformables"][0]["attachments"][0]["particles"], [2, 3, 5])
        # Colours count by their brightness: white and yellow do, red does not.
        colours = ["1 1 1", "1 0 0", "0 0 0", "0.2 0.2 0.2", "1 1 0", "0 0 1"]
        (self.folder / "flag.obj").write_text("\n".join(
            [*(f"v {i % 3} 0 {i // 3} {c}" for i, c in enumerate(colours)), "f 1 4 5 2", "f 2 5 6 3"]) + "\n")
        _, scene = self.scene("flag.obj", "--pin-map", "colour")
        self.assertEqual(scene["deformables"][0]["attachments"][0]["particles"], [0, 4])
        done = pliant("new", "flag.ply", "--pin-map", "holds", cwd=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no painted values 'holds'; it has 'hold'", done.stderr)

    def test_a_mesh_runs_at_once(self):
        corners = [(x, y, z) for x in (-0.3, 0.3) for y in (0.2, 0.8) for z in (-0.3, 0.3)]
        faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        text = "\n".join(["v %g %g %g" % c for c in corners] + ["f " + " ".join(str(i + 1) for i in f) for f in faces])
        (self.folder / "cube.obj").write_text(text + "\n")
        done = pliant("run", "cube.obj", "-n", "5", "-o", "there", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("there/cube.json", done.stdout)
        scene = json.loads((self.folder / "there" / "cube.json").read_text())
        self.assertIn({"type": "volume"}, scene["deformables"][0]["constraints"])
        # A plane lies under it, as far as particles are kept from it, so that it starts outside.
        ground = scene["colliders"][0]["pose"]["position"][1]
        self.assertAlmostEqual(ground, 0.2 - 1.5 * scene["deformables"][0]["thickness"], places=5)
        # The run's folder can be drawn again: plainly, with what to give for its colours, whose mesh is outside of it; or wholly.
        words = ["render", "there", "-o", "cube.png", "--size", "64x48", "--quality", "draft"]
        drawn = pliant(*words, cwd=self.folder)
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertIn("allow it with --allow-outside", drawn.stderr)
        drawn = pliant(*words, "--allow-outside", cwd=self.folder)
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertNotIn("warning", drawn.stderr)

    def test_a_mesh_that_is_not_manifold_is_repaired_and_said(self):
        """Two quads and a fin on one edge, a face that uses a vertex twice, and a vertex of no face."""
        (self.folder / "flag.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 5 5 5\n"
                                              "f 1 2 3\nf 2 1 4\nf 1 2 5\nf 1 2 1\n")
        said, scene = self.scene("flag.obj")
        self.assertIn("1 of 4 faces dropped (1 use a vertex twice", said)
        self.assertIn("(1 edges of more than two faces); --no-repair refuses", said)
        self.assertTrue(scene["deformables"][0]["mesh"]["repair"])
        done = pliant("run", "flag.obj", "-n", "2", "-o", "there", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("flag.obj: repaired: 1 of 4 faces dropped", done.stderr)
        self.assertIn("1 of its vertices, the first of which is 5, belong to no face", done.stderr)
        self.assertNotIn("repaired", pliant("run", "flag.obj", "-n", "2", "-o", "there", "-q", cwd=self.folder).stderr)
        for command in (["new", "flag.obj", "--no-repair"], ["inspect", "flag.obj"],
                        ["run", "flag.json", "--set", "deformables.0.mesh.repair=false"]):
            done = pliant(*command, cwd=self.folder)
            self.assertEqual(done.returncode, 1, command)
            self.assertIn("--repair", done.stderr)
            self.assertIn("--weld", done.stderr)
        # A ring as one face, which goes along the bridge between its borders twice.
        (self.folder / "flag.obj").write_text("v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 1 1 0\nv 1 2 0\nv 2 2 0\nv 2 1 0\n"
                                              "f 1 2 3 4 1 5 6 7 8 5\n")
        done = pliant("new", "flag.obj", cwd=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("repair leaves none of its 1 faces", done.stderr)

    def test_run_takes_what_new_takes(self):
        (self.folder / "flag.dae").write_text(SQUARE)
        if pliant("new", "flag.dae", cwd=self.folder).returncode != 0:
            self.skipTest("without libpliant_assimp")
        done = pliant("run", "flag.dae", "-n", "2", "--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["vertices"], 4)

    def test_what_is_wrong_is_said(self):
        grid(self.folder / "flag.obj", 2, 1.0)
        for words, text in [(["none.obj"], "none.obj"), (["flag.obj", "--pin-group", "mast"], "it has 'pole', 'rest'"),
                            (["flag.obj", "--scale", "-1"], "--scale is -1"), (["flag.obj", "--pin-top", "200"], "0 to 100"),
                            (["flag.obj", "-o", "no/where.json"], "no/where.json")]:
            done = pliant("new", *words, cwd=self.folder)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertIn(text, done.stderr)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["flag.obj"])


if __name__ == "__main__":
    unittest.main()
