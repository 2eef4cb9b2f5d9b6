"""The window, under a display without a screen: a script pulls, pins, cuts, turns knobs and goes back in time, and what it sees is compared."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import zlib

BINARY = pathlib.Path(os.environ.get("PLIANT_BIN", "pliant")).absolute()
SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
CLOTH = {
    "pliant": 1, "title": "A cloth", "frames": 40, "settings": {"substeps": 8},
    "deformables": [{"name": "cloth", "mesh": {"grid": {"columns": 14, "rows": 14, "width": 1, "depth": 1}},
                     "pose": {"position": [0, 1, 0]}, "attachments": [{"corners": True, "fixed": True}],
                     "constraints": [{"type": "distance"}, {"type": "isometric", "rigidity": 1e-4}]}],
    "colliders": [{"shape": "sphere", "radius": 0.2, "pose": {"position": [0.1, 0.6, 0]}}, {"shape": "plane"}],
}


def png(path):
    """Width, height and rows of red, green and blue of a PNG that libpng wrote without interlacing."""
    data = path.read_bytes()
    width, height, kind = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"), data[25]
    at, packed = 8, b""
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    size = {2: 3, 6: 4}[kind]
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * size)
    for y in range(height):
        row, mode = bytearray(raw[y * (width * size + 1) + 1:(y + 1) * (width * size + 1)]), raw[y * (width * size + 1)]
        for i in range(len(row)):
            a, b, c = (row[i - size] if i >= size else 0), before[i], (before[i - size] if i >= size else 0)
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, nearest)[mode]) & 255
        rows.append([tuple(row[size * x:size * x + 3]) for x in range(width)])
        before = row
    return width, height, rows


@unittest.skipUnless(shutil.which("Xvfb") and (BINARY.parent / "pliant-view").exists(),
                     "needs Xvfb, and GLFW and Dear ImGui when it was built")
class View(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The server takes a number that is free, and tells it.
        cls.server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.display = ":" + cls.server.stdout.readline().strip()

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait(20)
        cls.server.stdout.close()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pliant-view-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "cloth.json").write_text(json.dumps(CLOTH))

    def view(self, script, scene="cloth.json", code=0):
        (self.folder / "script.txt").write_text(script)
        done = subprocess.run([BINARY, "view", scene, "--script", "script.txt", "--size", "700x420"], cwd=self.folder,
                              capture_output=True, text=True, timeout=300, env={**os.environ, "DISPLAY": self.display})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr

    def test_the_state_is_that_of_a_run(self):
        run = subprocess.run([BINARY, "run", "cloth.json", "-n", "20", "--json", "--quiet", "-o", "out"], cwd=self.folder,
                             capture_output=True, text=True, timeout=300)
        state = json.loads(run.stdout)["hash"]
        self.view(f"run 20\nexpect frame 20\nexpect hash {state}\n")

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

    def test_a_click_on_a_plot_goes_there(self):
        # The plots take the lower 178 pixels at the right; their curves go from 392 to 688.
        self.view("""
            run 9
            mark
            run 11
            click x=526 y=290
            expect frame 9
            same
            click x=395 y=395
            expect frame 0
            click x=684 y=360
            expect frame 20
        """)

    def test_hands_move_cloth(self):
        self.view("press vertex=0\ndrag by=0,0.2,-0.2 frames=10\nexpect moved below 0.02\n")  # Its corner is fixed.
        scene = json.loads(json.dumps(CLOTH))
        del scene["deformables"][0]["attachments"]
        (self.folder / "free.json").write_text(json.dumps(scene))
        self.view("press vertex=0\ndrag by=0,0.4,0 frames=20\nexpect moved above 0.1\n", "free.json")

    def test_knobs_change_the_run(self):
        self.view("run 3\nmark\nto 0\nset cloth/distance.compliance 0.1\nrun 12\nexpect stretch above 0.02\n")
        self.view("set settings.substeps 0\nexpect message stays\nmessage\nset settings.nothing 1\nexpect message setting\n")
        # Another value gives another state.
        said = self.view("run 3\nmark\nto 0\nset settings.substeps 9\nrun 3\nsame\n", code=1)
        self.assertIn("script.txt:6: the state is", said)

    def test_the_window_shows_the_cloth_and_the_panels(self):
        self.view("run 2\npicture plain.png\ncolour stretch\nedges on\npicture coloured.png\ncamera yaw=80 pitch=60\npicture turned.png\n")
        width, height, plain = png(self.folder / "plain.png")
        self.assertEqual((width, height), (700, 420))
        reddish = lambda p: p[0] > p[2] + 40
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

    def test_overlays_are_shown_with_what_they_mean(self):
        choices = {"first": "constraints tethers", "second": "batches contacts thickness boxes"}
        self.view("run 24\npicture none.png\n" + "".join(f"show {c}\npicture {n}.png\n" for n, c in choices.items()) +
                  "show none\npicture again.png\n")
        seen = {name: [row[:380] for row in png(self.folder / f"{name}.png")[2][:350]] for name in ("none", "first", "second", "again")}
        self.assertEqual(seen["none"], seen["again"])
        differs = lambda a, b: sum(p != q for one, other in zip(a, b) for p, q in zip(one, other))
        for name in choices:
            self.assertGreater(differs(seen["none"][60:], seen[name][60:]), 500, name)  # Over the cloth.
            self.assertGreater(differs(seen["none"][:40], seen[name][:40]), 100, name)  # In the upper corner, what they mean.
        self.assertGreater(differs(seen["first"][60:], seen["second"][60:]), 500)
        self.assertIn("names of overlays", self.view("show everything\n", code=1))

    def test_bending_models_run_side_by_side_in_step(self):
        self.view("split isometric dihedral triangle stick\nrun 8\npicture four.png\nexpect models 4\n"
                  "expect model isometric state\nexpect model dihedral other\nto 3\npicture back.png\nexpect model isometric state\n"
                  "split dihedral\npicture one.png\nexpect model dihedral other\nsplit none\nexpect models 0\n")
        cells = lambda rows, x, y: [p for row in rows[y:y + 130] for p in row[x:x + 185]]
        four = png(self.folder / "four.png")[2]
        parts = [cells(four, x, y) for x, y in ((2, 42), (192, 42), (2, 220), (192, 220))]
        for i, part in enumerate(parts):
            self.assertGreater(sum(p[0] > p[2] + 40 for p in part), 300, i)  # There is cloth in each.
            for other in parts[:i]:
                self.assertNotEqual(part, other)
        self.assertIn("no type of bending", self.view("split distance\n", code=1))
        self.assertIn("one to four", self.view("split a b c d e\n", code=1))

    def test_what_is_wrong_is_said(self):
        for script, text in [("jump 3\n", "script.txt:1: there is no command 'jump'"), ("run\n", "'run' needs a number of frames"),
                             ("run 2\nexpect frame 7\n", "script.txt:2: the frame is 2"), ("press vertex=9999\n", "vertex=N"),
                             ("camera\n", "yaw=, pitch= or distance=")]:
            self.assertIn(text, self.view(script, code=1))
        (self.folder / "bad.json").write_text('{"pliant": 1,\n "frams": 3}')
        self.assertIn("bad.json:2:", self.view("run 1\n", "bad.json", 1))

    def test_without_a_display_there_is_a_message(self):
        done = subprocess.run([BINARY, "view", "cloth.json"], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              env={k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")})
        self.assertEqual(done.returncode, 1)
        self.assertIn("is there a display", done.stderr)


if __name__ == "__main__":
    unittest.main()
