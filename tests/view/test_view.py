"""The window, under a display without a screen: a script pulls, pins, cuts, changes values and goes back in time, and what it sees is compared."""
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import time
import unittest

from window import BINARY, CLOTH, SOURCE, Window, long, png


class View(Window):
    @long
    def test_random_scripts(self):
        """Lines that are right but for their numbers, and lines of any words, end in a message or in nothing."""
        source = "".join((SOURCE / "view" / name).read_text() for name in ("script.c", "commands.c", "input.c"))
        names = sorted(set(re.findall(r'\{"(\w+)", run_', source)) - {"open", "save", "record", "picture", "wait", "browse", "preferences"})
        self.assertGreater(len(names), 25)
        fitting = ["run 1", "to 1", "press vertex=N", "drag by=V frames=1", "release", "pin vertex=N", "unpin vertex=N", "cut at=V normal=V reach=N",
                   "set settings.substeps N", "set settings.damping N", "set settings.gravity N", "split dihedral isometric", "split none",
                   "show contacts", "camera yaw=N pitch=N distance=N", "click x=N y=N", "ball at=V by=V radius=N mass=N", "blow V", "calm",
                   "memory N", "history N", "undo", "redo", "brush mass at=V radius=N value=N", "edges on", "colour stretch", "drop vertex=N"]
        numbers = ["0", "1", "3", "-1", "0.5", "0.1", "0.2", "20", "nan", "inf", "-1e30", "1e308", "1e-40", "x", ""]
        words = ["none", "on", "cloth", "dihedral", "values", "stretch", "below", "frame", "settings.substeps", "contacts", "undo", "vertex=1", "N", "V"]
        state = random.Random(int(os.environ.get("PLIANT_SEED", "21")))
        for attempt in range(int(os.environ.get("PLIANT_SCRIPTS", "1"))):
            lines = []
            for _ in range(25):
                if state.random() < 0.8:
                    line = state.choice(fitting)
                else:
                    line = " ".join([state.choice(names)] + [state.choice(words) for _ in range(state.randrange(4))])
                line = re.sub(r"\bV\b", lambda _: ",".join(state.choice(numbers[:12]) for _ in range(3)), line)
                lines.append(re.sub(r"\bN\b", lambda _: state.choice(numbers), line))
            # A line that is refused ends a script: what is left goes on in another.
            while lines:
                (self.folder / "script.txt").write_text("\n".join(lines) + "\n")
                done = subprocess.run([BINARY, "view", "cloth.json", "--script", "script.txt", "--size", "330x320"], cwd=self.folder,
                                      capture_output=True, text=True, timeout=300, env={**os.environ, "DISPLAY": self.display})
                self.assertIn(done.returncode, (0, 1), "\n".join(lines) + done.stderr[-2000:])
                where = re.search(r"script\.txt:(\d+):", done.stderr)
                lines = lines[int(where[1]):] if where else []

    def test_the_state_is_that_of_a_run(self):
        run = subprocess.run([BINARY, "run", "cloth.json", "-n", "20", "--json", "--quiet", "-o", "out"], cwd=self.folder,
                             capture_output=True, text=True, timeout=300)
        state = json.loads(run.stdout)["hash"]
        self.view(f"run 20\nexpect frame 20\nexpect hash {state}\n")

    def test_advice_is_that_of_a_check_and_follows_edits(self):
        scene = json.loads(json.dumps(CLOTH))
        scene["deformables"][0]["constraints"][1]["rigidity"] = 0.4
        (self.folder / "stiff.json").write_text(json.dumps(scene))
        check = subprocess.run([BINARY, "check", "stiff.json"], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(check.stdout.count(": warning: "), 1, check.stdout)
        self.assertIn("rigidity", check.stdout)
        self.view("""
            expect advice 1
            expect advice rigidity
            set settings.substeps 1000
            expect advice 0
            menu Undo
            expect advice 1
            run 2
            expect advice rigidity
            set cloth/isometric.rigidity 1e-4
            expect advice 0
            open cloth.json
            expect advice 0
        """, scene="stiff.json")
        self.view("expect advice rigidity\n", code=1)

    def test_a_plugin_acts_in_every_scene_that_is_opened(self):
        """The state is that of a run with it, also after the scene was saved and opened anew; a run's folder shows its scene's collider."""
        for name in ("ropes.c", "ropes.json"):
            shutil.copy(SOURCE / "examples/plugins" / name, self.folder / name)
        build = pathlib.Path(os.environ["PLIANT_BUILD_DIR"])
        subprocess.run(["cc", "-std=c17", "-shared", "-fPIC", "ropes.c", "-o", "ropes.so", f"-I{SOURCE / 'include'}", f"-L{build}",
                        "-lpliant", "-lm"], cwd=self.folder, check=True)
        run = subprocess.run([BINARY, "run", "ropes.json", "-n", "8", "--json", "--quiet", "-o", "out", "--plugin", "ropes.so"],
                             cwd=self.folder, capture_output=True, text=True, timeout=300)
        state = json.loads(run.stdout)["hash"]
        script = f"run 8\nexpect hash {state}\nto 0\nsave kept.json\nopen kept.json\nrun 8\nexpect hash {state}\n"
        self.view(script, scene="ropes.json", more=["--plugin", "ropes.so"])
        self.assertIn("unknown constraint type 'rope'", self.view("run 1\n", scene="ropes.json", code=1))
        self.assertIn("cannot be loaded", self.view("run 1\n", scene="ropes.json", code=1, more=["--plugin", "none.so"]))

    def test_time_goes_both_ways_over_hands(self):
        self.view("""
            run 6
            press vertex=100          # in the middle
            drag by=0,0.3,0.2 frames=8
            mark
            release
            run 4
            pin vertex=20
            run 3
            cut at=0.2,0.95,0 normal=1,0,0 reach=0.3
            run 3
            expect kept above 20
            to 14
            same                      # over a cut, a pin and a hand that had let go
            to 3
            to 14
            same
        """)

    def test_edits_are_taken_back(self):
        # A pin, a value, a ball, a cut and what was let go: each leaves, in the order in which they came, and comes again to the bit.
        self.view("""
            run 4
            pin vertex=100
            set cloth/distance.compliance 0.001
            set cloth/distance.compliance 0.002   # the same value at the same frame is one edit
            expect edits 2
            ball vertex=100
            run 3
            expect balls 1
            expect edits 3
            mark
            menu Undo
            expect frame 4
            expect balls 0
            expect value cloth/distance.compliance 0.002
            menu Undo
            expect value cloth/distance.compliance 0
            menu Undo
            expect held 4
            menu Undo
            expect message nothing
            menu Redo
            menu Redo
            menu Redo
            expect frame 7
            same
            cut at=0.2,0.95,0 normal=1,0,0 reach=0.3
            unpin vertex=0
            expect held 8
            run 2
            blow vertex=100
            run 5
            calm
            menu Undo
            menu Undo
            expect frame 7
            same
            set cloth/distance.compliance 0.003
            run 9
            menu Start over                      # keeps the values
            expect frame 0
            expect value cloth/distance.compliance 0.003
        """)
        # Air moves what it meets.
        said = self.view("run 3\nmark\nto 0\nblow vertex=100\nrun 3\nexpect frame 3\nsame\n", code=1)
        self.assertIn("script.txt:7: the state is", said)

    @long
    def test_recordings_are_whole(self):
        # One that is ended, and two that end with another scene and with the program.
        self.view("run 2\nrecord out/film.mp4\nrun 5\nrecord off\nexpect message out/film.mp4\nrecord out/cloth.pc2\nrun 4\nopen cloth.json\n"
                  "record out/last.gltf\nrun 3\n")
        probe = subprocess.run([BINARY, "inspect", "out/last.gltf"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(probe.returncode, 0, probe.stderr)
        film = (self.folder / "out/film.mp4").read_bytes()
        at = film.index(b"stsz")  # The sizes of samples: version, a size of all or 0, their number.
        self.assertEqual(int.from_bytes(film[at + 12:at + 16], "big"), 6)
        cache = (self.folder / "out/cloth.pc2").read_bytes()
        count, frames = int.from_bytes(cache[16:20], "little"), int.from_bytes(cache[28:32], "little")
        self.assertEqual((count, frames, len(cache)), (196, 5, 32 + 5 * 196 * 12))
        # A disk that is full ends the recording with a message, and the frames before are there.
        small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
        self.view("record full.pc2\nrun 8\nexpect message recording ended\nexpect frame 8\n", before=small)
        cache = (self.folder / "full.pc2").read_bytes()
        self.assertGreaterEqual(len(cache), 32 + 196 * 12 * int.from_bytes(cache[28:32], "little"))
        self.view("record film.xyz\nexpect message nothing is recorded\nrecord\n", code=1)

    @long
    def test_recordings_are_scrubbed_and_compared(self):
        subprocess.run([BINARY, "run", "cloth.json", "-n", "6", "--quiet", "-o", "out/run"], cwd=self.folder, check=True,
                       capture_output=True, timeout=100)
        self.view("""
            run 2
            record one.gltf                # from frame 2 on
            run 8
            record off
            menu Start over
            set cloth/distance.compliance 0.02
            menu Compare with the last recording
            run 10
            expect difference above 0.02
            menu Start over
            set cloth/distance.compliance 0
            run 7
            expect difference 0
            menu Slower
            open one.gltf
            run 20
            expect frame 8                 # its last one
            mark
            to 3
            to 8
            same
            save
            expect message no scene
            open out/run
            compare out/run
            run 4
            to 2
            expect difference 0
            expect frame 2
            open cloth.json
            compare nothing.gltf
            expect message nothing is compared
        """)

    def test_colliders_and_pins_are_moved(self):
        self.view("""
            run 2
            mark
            move collider=0 by=0.2,0.1,0
            run 6
            drop
            menu Undo
            same
            menu Redo
            move vertex=0 by=0,0.2,0           # what the scene holds
            run 6
            drop
            expect moved above 0.15
            expect edits 2
            save moved.json
            move collider=99 by=0,0,0
            expect message only colliders
        """)
        moved = json.loads((self.folder / "moved.json").read_text())
        for got, wanted in zip(moved["colliders"][0]["pose"]["position"], (0.3, 0.7, 0)):
            self.assertAlmostEqual(got, wanted, 6)
        self.assertFalse(moved["deformables"][0]["attachments"][0]["enabled"])
        self.assertEqual(sorted(moved["deformables"][0]["attachments"][1]["particles"]), [0, 13, 182, 195])

    @long
    def test_a_brush_paints_pins_and_values(self):
        # Weights are (1 - d^2 / r^2)^2 in the distance d of vertices, which stand 1 / 13 m apart.
        self.view(f"""
            brush friction vertex=100 radius=0.1 strength=1 value=2
            expect painted friction 100 2
            expect painted friction 102 {0.3}
            picture painted.png
            menu Undo
            expect painted friction 100 0.3
            brush density vertex=100 to=20 strength=1 value=3
            expect painted density 20 3
            expect edits 1                        # A stroke.
            run 6
            brush drag vertex=50 value=0
            brush pins vertex=20 radius=0.1
            brush stiffness vertex=100 value=1e-3
            expect held 9
            run 6
            mark
            cut at=0.2,0.95,0 normal=1,0,0 reach=0.3
            run 2
            brush drag vertex=50 value=5          # Torn cloth takes none.
            expect message has torn
            to 3
            expect painted drag 50 1
            expect held 4
            to 12
            expect painted drag 50 0
            menu Undo
            same
            menu Undo
            menu Undo
            menu Undo
            expect frame 6
            brush free vertex=0 radius=0.1
            expect held 3
            menu Undo
            expect held 4
            brush density vertex=7 value=0 strength=1
            expect message must be
            expect painted density 7 0.2
            brush rigidity vertex=7
            expect message has no plate
            brush thickness at=150,100 by=60,20 strength=1 value=0.02
            expect edits 2
            brush off
            picture off.png
        """, size="700x420")
        painted, off = [[row[:380] for row in png(self.folder / f"{name}.png")[2][60:340]] for name in ("painted", "off")]
        reddish = lambda rows: sum(p[0] > p[1] + 50 for row in rows for p in row) # Boards are browner.
        self.assertGreater(reddish(off), 2 * reddish(painted) + 500)  # The cloth's own colour comes back.

    # Mesa's software driver keeps blocks of 65 kB for each frame that its threads still draw, and how many there are is chance. Without
    # threads it has drawn a frame before the next begins. A block of 33 kB that it takes now and then comes once, so that the least of three
    # spans is the window's own.
    IN_TURN = {"LP_NUM_THREADS": "0"}

    @staticmethod
    def spans(use, times):
        """A span that fills what is kept, then three that are compared."""
        return times * use + "memory\n" + 2 * (times * use + "memory again\n") + times * use

    @long
    def test_each_kind_of_use_gives_its_memory_back(self):
        # Edits are kept, 64 of them at most; this many fill the list first. Then no kind of use leaves a byte per event, but for what the allocator rounds.
        uses = ["press vertex=100\ndrag by=0.1,0.2,0.1 frames=2\nrelease\nrun 1", "pin vertex=20\nrun 1\nmenu Undo", "set cloth/distance.compliance 0.001\nrun 1",
                "ball vertex=100\nrun 2\nmenu Undo", "blow vertex=80\nrun 1\ncalm\nrun 1",
                "record soak.pc2\nrun 1\nrecord off", "brush drag vertex=50 value=0.25 strength=1\nrun 1\nmenu Undo", "values b\nrun 1\nvalues a\nmenu Undo"]
        self.view(35 * "pin vertex=20\nunpin vertex=20\n" + "".join(self.spans(use + "\nto 0\n", 3) + "expect growth below 4500\n" for use in uses),
                  environment=self.IN_TURN)

    @long
    def test_cuts_give_their_memory_back(self):
        # Each cut makes another mesh, of which the renderer once kept the last 256: 23 kB a cut here.
        cut = "cut at=0.05,0.95,0 normal=1,0,0.2 reach=0.3\nrun 3\nmenu Start over\nrun 1\n"
        self.view(self.spans(cut, 10) + "expect growth below 25000\n", environment=self.IN_TURN)

    def test_stored_frames_have_a_limit_of_memory(self):
        # A hundred thousand bytes hold few frames of this cloth; the others are computed again, with all edits.
        edits = "pin vertex=20\nrun 12\npin vertex=100\nrun 12\npin vertex=60\nrun 12\n"
        self.view("history 1e8\n" + edits + "expect kept above 36\n")
        self.view("history 1e5\n" + edits + "mark\nexpect edits 3\nexpect kept below 36\nmenu Undo\nmenu Undo\nexpect edits 1\nmenu Redo\n"
                  "menu Redo\nsame\nto 7\nto 36\nsame\n")
        self.assertIn("a number of bytes", self.view("history -1\n", code=1))

    @long
    def test_use_does_not_grow(self):
        block = """
            press vertex=100
            drag by=0.1,0.2,0.1 frames=6
            release
            pin vertex=20
            set cloth/distance.compliance 0.001
            ball vertex=100
            run 6
            menu Undo
            menu Redo
            cut at=0.2,0.95,0 normal=1,0,0 reach=0.2
            unpin vertex=20
            blow vertex=80
            run 3
            calm
            to 5
            record soak.pc2
            run 3
            record off
            menu Start over
            run 1
        """
        # What is kept differs a little with what was cut; a snapshot of each frame that stayed would be 130 kB.
        self.view(block + self.spans(block, 1) + "expect growth below 20000\n", environment=self.IN_TURN)

    def test_a_scene_is_saved_as_it_stands(self):
        self.view("""
            run 3
            pin vertex=100
            unpin vertex=0
            set cloth/isometric.rigidity 3e-4
            set settings.substeps 9
            blow vertex=50                        # leaves nothing behind
            run 2
            save kept.json
            expect message 4 changes
            save
            expect message cloth-1.json
            open kept.json
            expect value cloth/isometric.rigidity 3e-4
            expect value settings.substeps 9
            expect value settings.air_density 0
            expect held 8
            open cloth.json
            run 2
            mark
            open nothing.json
            expect problem nothing.json
            same                                  # what was open goes on
            open cloth-1.json
            expect title A cloth
        """)
        kept = json.loads((self.folder / "kept.json").read_text())
        self.assertEqual(kept["settings"], {"substeps": 9})
        cloth = kept["deformables"][0]
        self.assertEqual(cloth["constraints"], [{"type": "distance"}, {"type": "isometric", "rigidity": 3e-4}])
        self.assertEqual(cloth["attachments"][0], {"fixed": True, "particles": [13, 182, 195]})
        self.assertEqual(sorted(cloth["attachments"][1]["particles"]), [86, 99, 100, 101, 114])
        self.assertEqual(list(kept), list(CLOTH))  # Order as in the scene.

    def test_a_scene_is_saved_over_again(self):
        # The second time begins with the scene as it was loaded, not with what the first time wrote.
        save = "menu Save over the scene\n"
        self.view("set settings.substeps 9\npin vertex=100\n" + save + "expect message 2 changes\nset settings.substeps 8\n"
                  "set settings.damping 0.25\n" + save + "expect message 2 changes\nmenu Load again\nexpect value settings.substeps 8\nexpect held 9\n")
        saved = json.loads((self.folder / "cloth.json").read_text())
        self.assertEqual(saved["settings"], {"substeps": 8, "damping": 0.25})
        self.assertEqual(len(saved["deformables"][0]["attachments"]), 2)

    def test_a_scene_of_a_material_keeps_its_sets(self):
        scene = json.loads(json.dumps(CLOTH))
        del scene["deformables"][0]["constraints"]
        scene["deformables"][0].update(material="cotton")
        (self.folder / "cotton.json").write_text(json.dumps(scene))
        self.view("set cloth/membrane.shear 60\nsave kept.json\nexpect message 1 change\nrun 3\nmark\nopen kept.json\n"
                  "expect value cloth/membrane.shear 60\nrun 3\nsame\n", "cotton.json")
        kept = json.loads((self.folder / "kept.json").read_text())["deformables"][0]["constraints"]
        self.assertEqual(kept, [{"type": "membrane", "shear": 60}])

    @long
    def test_measures_follow_cuts_and_end_with_tears(self):
        # A measure that is chosen some pictures after a cut has more vertices than the one before it.
        self.view("colour stretch\nrun 1\ncolour none\ncut at=0,0.95,0 normal=1,0,0 reach=2\nrun 2\ncolour stretch\nrun 2\n"
                  "cut at=0,0.95,0 normal=0,0,1 reach=2\nrun 1\n")
        scene = json.loads(json.dumps(CLOTH))
        scene["deformables"][0]["tearing"] = {"stretch": 1.001}
        scene["deformables"][0]["constraints"][0]["compliance"] = 1e-3
        (self.folder / "torn.json").write_text(json.dumps(scene))
        subprocess.run([BINARY, "run", "torn.json", "-n", "12", "--quiet", "-o", "out/torn"], cwd=self.folder, check=True,
                       capture_output=True, timeout=100)
        self.view("colour stretch\nrun 12\nexpect frame 12\nexpect message no measure\n", "out/torn")

    def test_a_gust_leaves_nothing_when_time_starts_again(self):
        self.view("set settings.damping 0.25\nblow vertex=50\nrun 3\nexpect value settings.air_density 1.2\nmenu Start over\n"
                  "expect value settings.damping 0.25\nexpect value settings.air_density 0\n")

    def test_a_mesh_lets_no_later_scene_out(self):
        (self.folder / "sheet.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")
        (self.folder / "in").mkdir()
        scene = json.loads(json.dumps(CLOTH))
        scene["deformables"][0]["mesh"] = {"file": "../sheet.obj"}
        scene["deformables"][0].pop("attachments")
        (self.folder / "in/out.json").write_text(json.dumps(scene))
        refused = "expect title sheet\nopen in/out.json\nexpect title sheet\nexpect problem outside\n"
        self.view("open sheet.obj\n" + refused)
        self.view("run 1\n" + refused + "menu Load again\nexpect title sheet\nexpect frame 0\n", "sheet.obj")

    def test_the_file_is_watched(self):
        (self.folder / "script.txt").write_text("run 2\npicture first.png\nwait reload\nexpect problem 2:\npicture second.png\n"
                                                "wait reload\nexpect title Another\nexpect frame 0\n")
        run = subprocess.Popen([BINARY, "view", "cloth.json", "--script", "script.txt", "--size", "400x320"], cwd=self.folder,
                               stderr=subprocess.PIPE, text=True, env={**os.environ, "DISPLAY": self.display})
        for picture, text in (("first.png", '{"pliant": 1,\n"frams": 3}'), ("second.png", json.dumps({**CLOTH, "title": "Another"}))):
            until = time.time() + 120
            while not (self.folder / picture).exists() and run.poll() is None and time.time() < until:
                time.sleep(0.05)
            (self.folder / "new.json").write_text(text)
            (self.folder / "new.json").replace(self.folder / "cloth.json")
        said = run.communicate(timeout=120)[1]
        self.assertEqual(run.returncode, 0, said)

    def test_a_mesh_and_shipped_scenes_open(self):
        (self.folder / "sheet.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")
        # The gallery's own scenes are beside the program.
        self.view("open sheet.obj\nexpect title sheet\nrun 2\nmenu Gallery\nmenu Gallery\nmenu Light theme\n"
                  f"scale 2\nopen {SOURCE / 'scenes' / 'first.json'}\nrun 1\nexpect frame 1\n")

    @long
    def test_experiments_open_their_scenes(self):
        # The first card is of an experiment that makes its worlds itself; the world of the third one is the scene of the dress.
        self.view("menu Experiments\nrun 1\nclick x=120 y=140\nrun 1\nexpect message pliant-lab experiment bending-models\nexpect title A cloth\n"
                  "click x=120 y=400\nrun 1\nexpect title A dress on a dancer\n", size="1000x640")

    def test_a_click_on_a_plot_goes_there(self):
        # The plots take the lower 210 pixels at the right; their curves go from 392 to 688.
        self.view("""
            run 9
            mark
            run 11
            click x=526 y=290
            expect frame 9
            same
            click x=395 y=395
            expect frame 0
            click x=684 y=340
            expect frame 20
        """, size="700x420")

    def test_hands_move_cloth(self):
        self.view("press vertex=0\ndrag by=0,0.2,-0.2 frames=10\nexpect moved below 0.02\n")  # Its corner is fixed.
        scene = json.loads(json.dumps(CLOTH))
        del scene["deformables"][0]["attachments"]
        (self.folder / "free.json").write_text(json.dumps(scene))
        self.view("press vertex=0\ndrag by=0,0.4,0 frames=20\nexpect moved above 0.1\n", "free.json")

    def test_values_change_the_run(self):
        self.view("run 3\nmark\nto 0\nset cloth/distance.compliance 0.1\nrun 12\nexpect stretch above 0.02\n")
        self.view("set settings.substeps 0\nexpect message stays\nmessage\nset settings.nothing 1\nexpect message setting\n")
        # Another value gives another state.
        said = self.view("run 3\nmark\nto 0\nset settings.substeps 9\nrun 3\nsame\n", code=1)
        self.assertIn("script.txt:6: the state is", said)

    def test_the_window_shows_the_cloth_and_the_panels(self):
        self.view("run 2\npicture plain.png\ncolour stretch\nedges on\npicture coloured.png\ncamera yaw=80 pitch=60\npicture turned.png\n"
                  "colour none\ncamera pitch=-85\npicture below.png\n", size="700x420")
        width, height, plain = png(self.folder / "plain.png")
        self.assertEqual((width, height), (700, 420))
        reddish = lambda p: p[0] > p[1] + 50 # Boards are browner.
        cloth = sum(reddish(p) for row in plain for p in row[:380])
        self.assertGreater(cloth, 2000)
        # Panels are dark, on the right and below.
        self.assertLess(sum(sum(p) for p in plain[200][390:]) / 310, 250)
        self.assertLess(sum(sum(p) for p in plain[415][:380]) / 380, 250)
        _, _, coloured = png(self.folder / "coloured.png")
        self.assertLess(sum(reddish(p) for row in coloured for p in row[:380]), cloth // 2)
        _, _, turned = png(self.folder / "turned.png")
        differs = sum(a != b for one, other in zip(coloured, turned) for a, b in zip(one[:380], other[:380]))
        self.assertGreater(differs, 5000)
        # The eye stays above the ground, where it sees the cloth.
        _, _, below = png(self.folder / "below.png")
        self.assertGreater(sum(p[2] > p[0] + 15 for row in below[60:300] for p in row[:380]), 5000) # Its back is blue.

    @long
    def test_overlays_are_shown_with_what_they_mean(self):
        choices = {"first": "constraints", "second": "batches contacts thickness boxes"}
        self.view("run 24\npicture none.png\n" + "".join(f"show {c}\npicture {n}.png\n" for n, c in choices.items()) +
                  "show none\npicture again.png\n", size="700x420")
        seen = {name: [row[:380] for row in png(self.folder / f"{name}.png")[2][:350]] for name in ("none", "first", "second", "again")}
        self.assertEqual(seen["none"], seen["again"])
        differs = lambda a, b: sum(p != q for one, other in zip(a, b) for p, q in zip(one, other))
        for name in choices:
            self.assertGreater(differs(seen["none"][60:], seen[name][60:]), 500, name)  # Over the cloth.
            self.assertGreater(differs(seen["none"][:40], seen[name][:40]), 100, name)  # In the upper corner, what they mean.
        self.assertGreater(differs(seen["first"][60:], seen["second"][60:]), 500)
        self.assertIn("names of overlays", self.view("show everything\n", code=1))

    @long
    def test_bending_models_run_side_by_side_in_step(self):
        self.view("split isometric dihedral triangle stick\nrun 8\npicture four.png\nexpect models 4\n"
                  "expect model isometric state\nexpect model dihedral other\nto 3\npicture back.png\nexpect model isometric state\n"
                  "split dihedral\npicture one.png\nexpect model dihedral other\nsplit none\nexpect models 0\n", size="700x420")
        cells = lambda rows, x, y: [p for row in rows[y:y + 130] for p in row[x:x + 185]]
        four = png(self.folder / "four.png")[2]
        parts = [cells(four, x, y) for x, y in ((2, 42), (192, 42), (2, 220), (192, 220))]
        for i, part in enumerate(parts):
            self.assertGreater(sum(p[0] > p[2] + 40 for p in part), 300, i)  # There is cloth in each.
            for other in parts[:i]:
                self.assertNotEqual(part, other)
        self.assertIn("no type of bending", self.view("split distance\n", code=1))
        self.assertIn("one to four", self.view("split a b c d e\n", code=1))

    def test_painted_values_are_saved(self):
        said = self.view("""
            brush drag vertex=50 value=0.25 strength=1
            brush stiffness vertex=100 value=3 strength=1
            set settings.substeps 9
            run 3
            mark
            save kept.json
            expect message 3 changes
            open kept.json                       # the same values, and so the same bits
            expect painted drag 50 0.25
            expect painted stiffness 100 3
            run 3
            same
            save again.json
            expect message 0 changes
            brush drag vertex=20 value=0.5 strength=1
            expect painted drag 20 0.5
            expect painted drag 50 0.25
            menu Undo
            expect painted drag 20 1
            to 0
            expect painted drag 50 0.25
            brush drag vertex=20 value=0.5 strength=1
            save more.json
            expect message 1 change
            open cloth.json                      # without them it runs differently
            set settings.substeps 9
            run 3
            save plain.json
            expect message 1 change
            same
        """, code=1)
        self.assertIn("the state is", said)
        kept, more = (json.loads((self.folder / name).read_text())["deformables"][0] for name in ("kept.json", "more.json"))
        self.assertEqual([kept["painted"]["drag"]["values"][i] for i in (50, 20)], [0.25, 1])
        self.assertEqual(len(kept["painted"]["drag"]["values"]), 196)
        self.assertEqual(kept["painted"]["stiffness"]["values"][100], 3)
        self.assertEqual([more["painted"]["drag"]["values"][i] for i in (50, 20)], [0.25, 0.5])
        self.assertIn('"drag": {"values": [1,', re.sub(r"\n *", "", (self.folder / "kept.json").read_text()))
        self.assertLess(len((self.folder / "kept.json").read_text().splitlines()), 150)  # A list of numbers is a line.
        torn = json.loads((self.folder / "kept.json").read_text())
        torn["deformables"][0]["painted"]["drag"]["values"].pop()
        (self.folder / "short.json").write_text(json.dumps(torn))
        self.view("open short.json\nexpect problem it lists 195 values, but the mesh has 196 vertices\n")

    @long
    def test_a_ball_does_not_squeeze_cloth_against_a_collider(self):
        # A ball that was led through all stretched this cloth by 40 %; it has a mass, and colliders turn it back.
        step = "run 1\nexpect stretch below 0.2\n"
        self.view("run 50\ncamera yaw=20 pitch=50\nball vertex=BELOW\nrun 20\n".replace("BELOW", "105") + 16 * step + "expect balls 1\n")
        # What cloth gives it is part of a frame.
        self.view("run 20\nball vertex=105\nrun 30\nmark\nto 35\nto 50\nsame\nexpect balls 1\n")

    @long
    def test_files_are_chosen_and_preferences_kept(self):
        (self.folder / "in").mkdir()
        (self.folder / "in/sheet.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")
        (self.folder / "in/notes.txt").write_text("none")
        (self.folder / "in/other.json").write_text(json.dumps({**CLOTH, "title": "Another"}))
        (self.folder / "kept").mkdir()
        (self.folder / "kept/bad.json").write_text('{"light": 3, "zoom": 1e9, "quality": "x"}')
        self.view("""
            browse
            expect listed in
            choose in
            expect listed sheet.obj
            picture files.png
            choose other.json
            expect title Another
            browse in
            choose ..
            expect listed cloth.json
            browse nowhere
            expect message cannot be read
            preferences kept/bad.json
            expect preference zoom 1
            preferences deep/er/viewer.json
            menu Light theme
            menu Larger text
            menu Smooth edges at rest
            run 1
        """, size="700x420")
        self.assertEqual(json.loads((self.folder / "deep/er/viewer.json").read_text()),
                         {"light": True, "zoom": 1.12, "quality": 2, "knows_steps": False})
        self.view("preferences deep/er/viewer.json\nexpect preference light 1\nexpect preference quality 2\nrun 1\npicture light.png\n", size="700x420")
        self.assertGreater(sum(sum(p) for p in png(self.folder / "light.png")[2][410][:300]) / 300, 600)  # Light panels.
        self.assertIn("'notes.txt' is not listed", self.view("browse in\nexpect listed notes.txt\n", code=1))

    def test_vectors_are_set_by_their_components(self):
        """Gravity to the side; the other set of values differs in one component, and the saved scene has the vector."""
        self.view("""
            set settings.gravity.x 4
            expect value settings.gravity.x 4
            expect value gravity.y -9.81
            expect value settings.gravity.z 0
            run 1
            values b
            set wind.z 2
            expect differing 1
            set settings.gravity.y -1
            expect differing 2
            menu Undo
            expect value settings.gravity.y -9.81
            values a
            save kept.json
        """)
        self.assertEqual(json.loads((self.folder / "kept.json").read_text())["settings"],
                         {"substeps": 8, "gravity": [4, -9.81, 0]})
        for wrong, said in (("set settings.gravity 4", "settings.gravity.x, .y and .z"), ("set settings.gravity.w 4", ".x, .y and .z"),
                            ("set settings.gravity.xy 4", ".x, .y and .z"), ("set settings.substeps.x 4", "without components"), ("set gravity.w 4", "no deformable is called"),
                            ("set settings.substep 4", "no such setting"), ("set gravity.x nan", "gravity")):
            self.view(f"{wrong}\nexpect message {said}\nexpect value settings.gravity.x 0\nexpect edits 0\n")

    def test_values_without_effect_are_not_shown(self):
        self.view("""
            expect effect settings.wind 0        # without air
            expect effect settings.air_density 1
            set settings.air_density 1.2
            expect effect settings.wind 1
            expect effect cloth/distance.compliance 1
            expect effect cloth/distance.stiffness 0
            set settings.method 1                # PBD
            expect effect cloth/distance.compliance 0
            expect effect isometric.stiffness 1
            menu Undo
            expect effect isometric.stiffness 0
        """)
        self.assertIn("there is no value 'isometric.stifness'", self.view("expect effect isometric.stifness 0\n", code=1))

    def test_numbers_of_a_cloth_are_values(self):
        """Taken back, kept by A and B, saved and loaded again; the brush has those that it has painted."""
        self.view("""
            expect value cloth.friction 0.3
            set cloth.density 0.8
            expect value cloth.density 0.8
            set cloth.thickness 0.02
            expect effect cloth.self_contact 0
            set cloth.self_collision 1
            expect effect cloth.self_contact 1
            expect effect cloth.particle_distance 0
            set cloth.self_contact 1
            expect effect cloth.particle_distance 1
            menu Undo
            expect value cloth.self_contact 0
            run 3
            values b
            expect differing 0
            set cloth.density 3
            set cloth.friction 0.7
            expect differing 2
            menu Start over                     # with B, whose weight bends it more
            expect value cloth.density 3
            split values
            run 3
            expect model A other
            expect model B state
            values a
            expect value cloth.friction 0.3
            expect value cloth.density 0.8
            split none
            save kept.json
            brush friction vertex=50 value=0.9
            brush off
            expect effect cloth.friction 0
            set cloth.friction 0.5
            expect message it is painted
            expect value cloth.friction 0.3
            menu Undo
            expect effect cloth.friction 1
            set cloth.friction 0.5
            expect value cloth.friction 0.5
        """, size="700x420")
        paint = "set cloth.density 0.8\nbrush density vertex=50 radius=1e6 strength=1 value=2\nbrush off\n"
        self.view(f"{paint}run 5\nmark\nopen cloth.json\nrun 2\n{paint}menu Start over\nrun 5\nsame\n")
        kept, was = (json.loads((self.folder / name).read_text())["deformables"][0] for name in ("kept.json", "cloth.json"))
        self.assertEqual({key: value for key, value in kept.items() if was.get(key) != value},
                         {"density": 0.8, "thickness": 0.02, "self_collision": True})
        self.view("run 3\nexpect value cloth.density 0.8\nexpect value cloth.thickness 0.02\n", scene="kept.json")
        (self.folder / "wind.json").write_text((self.folder / "cloth.json").read_text().replace('"name": "cloth"', '"name": "wind"'))
        self.view("set wind.friction 0.6\nexpect value wind.friction 0.6\nset wind.x 2\nexpect value settings.wind.x 2\n", scene="wind.json")
        for wrong, said in (("set cloth.density 0", "density"), ("set cloth.friction nan", "friction"), ("set cloth.name 1", "has no value 'name'"),
                            ("set sheet.friction 1", "no deformable is called 'sheet'")):
            self.view(f"{wrong}\nexpect message {said}\nexpect edits 0\n")

    @long
    def test_values_a_and_b(self):
        self.view("""
            expect differing 0
            values b                              # begins as a copy
            set cloth/distance.compliance 0.01
            set settings.substeps 9
            expect differing 2
            values a
            expect value settings.substeps 8
            run 4
            split values
            picture beside.png
            expect model A state
            expect model B other
            menu Values B                         # from here on with B
            expect values b
            expect value cloth/distance.compliance 0.01
            expect edits 5
            menu Undo
            expect values a
            expect value cloth/distance.compliance 0
            menu Redo
            menu Start over                     # with B from the start
            expect values b
            run 6
            expect model B state
            expect model A other
            set cloth/distance.compliance 0.02   # A is as it was, and B follows
            run 1
            expect model B state
            save kept.json
            expect message 2 changes
            to 3                                 # B as it was then
            expect values b
            menu Copy to the other values
            expect differing 0
            menu Values A and B side by side
            expect models 0
        """, size="700x420")
        beside = png(self.folder / "beside.png")[2]
        self.assertEqual(json.loads((self.folder / "kept.json").read_text())["settings"], {"substeps": 9})
        for low in (70, 240):
            self.assertGreater(sum(p[0] > p[2] + 40 for row in beside[low:low + 100] for p in row[:380]), 120, low)

    def test_what_is_wrong_is_said(self):
        for script, text in [("jump 3\n", "script.txt:1: there is no command 'jump'"), ("run\n", "'run' needs a number of frames"),
                             ("run 2\nexpect frame 7\n", "script.txt:2: the frame is 2"), ("press vertex=9999\n", "vertex=N"),
                             ("camera\n", "yaw=, pitch= or distance="), ("menu Fly\n", "no menu has 'Fly'"),
                             ("expect value cloth/distance.nothing 1\n", "there is no value"), ("set a.b 1\nexpect held 4\nexpect message zz\n", "no constraint set and no deformable is called 'a'")]:
            self.assertIn(text, self.view(script, code=1))
        (self.folder / "none.json").write_text('{"pliant": 1, "colliders": [{"shape": "plane"}]}')
        self.assertIn("no deformable", self.view("open none.json\nexpect frame 0\n", code=1))
        (self.folder / "bad.json").write_text('{"pliant": 1,\n "frams": 3}')
        self.assertIn("bad.json:2:", self.view("run 1\n", "bad.json", 1))

    def test_without_a_display_there_is_a_message(self):
        done = subprocess.run([BINARY, "view", "cloth.json"], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              env={k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")})
        self.assertEqual(done.returncode, 1)
        self.assertIn("is there a display", done.stderr)


if __name__ == "__main__":
    unittest.main()
