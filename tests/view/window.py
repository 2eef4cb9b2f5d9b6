"""What the tests of the window share: a display without a screen, a cloth, and the reader of pictures."""
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


long = unittest.skipIf(os.environ.get("PLIANT_QUICK"), "takes seconds, and is left to make test")


@unittest.skipUnless(shutil.which("Xvfb") and (BINARY.parent / "pliant-view").exists(),
                     "needs Xvfb, and GLFW and Dear ImGui when it was built")
class Window(unittest.TestCase):
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

    def view(self, script, scene="cloth.json", code=0, before=None, size="330x320", more=(), environment=()):
        (self.folder / "script.txt").write_text(script)
        done = subprocess.run([BINARY, "view", scene, "--script", "script.txt", "--size", size, *more], cwd=self.folder,
                              capture_output=True, text=True, timeout=300, env={**os.environ, "DISPLAY": self.display, **dict(environment)},
                              preexec_fn=before)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr
