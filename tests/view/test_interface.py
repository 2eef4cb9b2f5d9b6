"""Keys, panel, messages and camera of the window: each control acts on the simulation."""
import json
import os
import subprocess
import unittest

from window import BINARY, CLOTH, Window, png

MODELS = json.loads(subprocess.run([BINARY, "models", "--json"], capture_output=True, text=True, check=True).stdout)
ISOMETRIC = {row["name"]: row for kind in MODELS["types"] if kind["name"] == "isometric" for row in kind["parameters"]}
MATERIALS = {row["name"]: row["panel"] for row in MODELS["materials"]}
TOOLS = {"G": "Grab", "P": "Pin", "N": "Brush", "C": "Cut", "B": "Ball", "V": "Blow", "T": "Move"}


class Interface(Window):
    def test_keys(self):
        self.view("".join(f"key {key}\nexpect tool {tool}\n" for key, tool in TOOLS.items()) + """
            key Space
            expect playing 1
            key Space
            expect playing 0
            key Right
            key .
            expect frame 2
            key Shift+Right
            expect frame 12
            key Shift+Left
            key ,
            expect frame 1
            key Left
            expect frame 0
            run 3
            key Backspace
            expect frame 0
            key G
            expect values a
            key X
            expect values b
            key T
            key X                                # An axis of Move, not the values
            expect values b
            key Shift+X
            expect models 2
            key Shift+X
            expect models 0
            key M
            expect colour stretch
            key Shift+M
            expect colour none
            key Shift+M
            expect colour residual
            key I
            expect message particles
        """)
        self.assertIn("no action has the key 'Q'", self.view("key Q\n", code=1))

    def test_escape_closes_then_releases_then_clears_then_grabs(self):
        self.view("""
            key P
            press vertex=100
            set settings.substeps 0
            key ?
            expect open keys
            key Esc
            expect open nothing
            expect grab 1
            key Esc
            expect grab 0
            expect message must be
            key Esc
            expect quiet
            expect tool Pin
            key Esc
            expect tool Grab
        """)

    def test_lists_close_each_other(self):
        self.view("key Ctrl+O\nexpect open gallery\nkey Ctrl+Shift+O\nexpect open files\nkey F1\nexpect open keys\nkey Ctrl+O\nexpect open gallery\nkey Esc\nexpect open nothing\n")

    def test_the_interface_hides(self):
        self.view("picture first.png\npicture with.png\nkey H\nexpect hidden 1\npicture without.png\nkey Esc\nexpect hidden 0\npicture first.png\npicture again.png\n", size="700x420")
        with_it, without, again = (png(self.folder / f"{name}.png")[2] for name in ("with", "without", "again"))
        self.assertTrue([row[:375] for row in with_it[:340]] == [row[:375] for row in again[:340]])
        dark = lambda rows: sum(sum(p) < 150 for row in rows for p in row[390:]) / (310 * 420)
        self.assertGreater(dark(with_it), 0.4)
        self.assertLess(dark(without), 0.1)

    def test_messages_disappear_and_errors_stay(self):
        self.view("""
            menu Undo
            expect message nothing to undo
            pass 1
            run 1
            expect message nothing to undo
            pass 9
            run 1
            expect quiet
            set settings.substeps 0
            run 1
            pass 900
            run 1
            expect message must be
        """)

    def test_a_drag_of_a_slider_is_one_edit(self):
        high = ISOMETRIC["rigidity"]["soft"]["maximum"]
        self.view(f"""
            panel bending
            slide cloth/isometric.rigidity from=0.5 to=1
            run 1
            expect edits 1
            expect value cloth/isometric.rigidity {high}
            to 0
            slide cloth/isometric.rigidity from=0.9 to=0
            run 1
            expect edits 2
            expect value cloth/isometric.rigidity 0
            menu Undo
            expect value cloth/isometric.rigidity {high}
            menu Undo
            expect value cloth/isometric.rigidity 1e-4
            panel solver
            slide settings.substeps from=0.2 to=1
            run 1
            expect value settings.substeps 100
            set settings.substeps 300            # Beyond the slider
            expect value settings.substeps 300
        """, size="1000x700")

    def test_parts_hold_their_properties(self):
        shown = {"bending": ["material", "cloth/isometric.rigidity"], "stretching": ["cloth/distance.compliance", "cloth.stretch"],
                 "cloth": ["cloth.density", "cloth.friction"], "air": ["settings.air_density"], "solver": ["settings.substeps", "settings.gravity"],
                 "advanced": ["cloth/isometric.compliance"], "more": ["settings.work_budget"]}
        self.view("".join(f"panel {part}\n" + "".join(f"shown {path} {int(part == other)}\n" for other in shown for path in shown[other])
                          for part in shown) + "press vertex=100\nrun 2\npanel others\nshown cloth/attachment.compliance 0\n")

    def test_a_material_is_one_edit(self):
        denim = MATERIALS["denim"]
        self.view(f"""
            panel bending
            choose-in material
            choose-in material denim
            run 1
            expect edits 1
            expect value cloth.density {denim["cloth.density"]}
            expect value cloth.friction {denim["cloth.friction"]}
            expect value cloth/isometric.rigidity {denim["bend.rigidity"]}
            run 5
            mark
            menu Undo
            expect value cloth.density 0.2
            expect value cloth/isometric.rigidity 1e-4
        """, size="1000x700")

    def test_a_plate_has_the_values_of_a_material(self):
        scene = json.loads(json.dumps(CLOTH))
        del scene["deformables"][0]["constraints"]
        scene["deformables"][0].update(material="cotton")
        (self.folder / "cotton.json").write_text(json.dumps(scene))
        paper = MATERIALS["paper"]
        values = "".join(f"expect value {path} {value}\n" for path, value in
                         (("cloth.rigidity", paper["bend.rigidity"]), ("cloth.yield", paper["bend.yield"]), ("cloth.density", paper["cloth.density"]),
                          ("cloth/membrane.warp", paper["stretch.warp"]), ("cloth/membrane.shear", paper["stretch.shear"])))
        self.view(f"material paper\n{values}run 4\nmark\nto 0\nsave kept.json\n"
                  f"open kept.json\n{values}run 4\nsame\n", scene="cotton.json")
        self.view("panel bending\nshown cloth.rigidity 1\nslide cloth.rigidity from=0.5 to=1\nrun 1\nexpect value cloth.rigidity 1\nexpect edits 1\n",
                  scene="cotton.json", size="1000x700")

    def test_pin_frees_what_is_pinned(self):
        # The pointer is over the cloth; the wheel zooms towards it, so that it stays over the same vertex.
        at = "x=190 y=82"
        self.view(f"""
            key P
            expect held 4
            point press {at}
            point release {at}
            expect held 13
            point wheel {at} by=6
            point press {at}
            point release {at}
            expect held 4
            point radius {at} by=12
            expect radius above 0.25
        """, size="700x420")
        self.view("key P\nkey ]\nkey ]\nkey ]\nkey ]\npin vertex=100\nexpect held 25\nunpin vertex=100\nexpect held 4\nunpin vertex=0\nexpect held 3\n")

    def test_the_camera_comes_back_and_stays_above_the_ground(self):
        self.view("""
            picture first.png
            picture start.png
            camera yaw=150 distance=60
            picture far.png
            key F
            picture framed.png
            key Home
            picture home.png
            camera pitch=-85
            expect eye above 0
            point wheel x=200 y=350 by=40
            expect target above -0.001
            expect eye above 0
            point wheel x=200 y=350 by=-80
            expect eye above 0
            key Home
            point twice x=190 y=82
            picture pivot.png
            point twice x=372 y=45              # Beside everything
            expect eye above 0
        """, size="700x420")
        start, far, framed, home, pivot = (png(self.folder / f"{name}.png")[2] for name in ("start", "far", "framed", "home", "pivot"))
        cloth = lambda rows: sum(p[0] > p[1] + 50 for row in rows[24:320] for p in row[110:380])
        stage = lambda rows: [row[:375] for row in rows[24:340]]  # The panel shows times.
        self.assertTrue(stage(start) == stage(home))
        self.assertGreater(cloth(framed), 4 * cloth(far) + 1000)
        self.assertFalse(stage(pivot) == stage(home))

    def test_a_scale_of_stretch_begins_at_0_without_compression(self):
        scene = json.loads(json.dumps(CLOTH))
        sheet = scene["deformables"][0]
        sheet["mesh"]["grid"]["depth"] = 0.5
        sheet["attachments"] = [{"row": 0, "fixed": True}]
        sheet["pose"] = {"position": [0, 1.2, 0], "axis": [1, 0, 0], "angle": 90}
        sheet["constraints"] = [{"type": "distance", "compliance": 1e-3}]
        del scene["colliders"]
        (self.folder / "hung.json").write_text(json.dumps(scene))
        self.view("colour stretch\nrun 12\nexpect legend above -0.001\n", scene="hung.json")
        self.assertIn("legend is -", self.view("colour stretch\npin vertex=100\nrun 60\nexpect legend above -0.001\n", code=1))

    def test_a_mesh_leaves_no_files(self):
        (self.folder / "sheet.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")
        before = sorted(os.listdir(self.folder)) + ["script.txt"]
        temporary = self.folder.parent / (self.folder.name + "-tmp")
        temporary.mkdir()
        self.view("run 2\nmenu As a balloon\nrun 1\nmenu Load again\nrun 1\n", "sheet.obj", environment={"TMPDIR": str(temporary)}.items())
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(before))
        self.assertEqual(os.listdir(temporary), [])
        temporary.rmdir()
        self.view("run 2\nmenu Save over the scene\nexpect message sheet-1.json\nopen sheet-1.json\nrun 1\nexpect frame 1\n", "sheet.obj")


if __name__ == "__main__":
    unittest.main()
