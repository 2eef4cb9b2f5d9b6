"""render and convert: pictures, videos, and the same positions in every format."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import unittest
import unittest.mock
import zlib

from command import BINARY, SOURCE, Case, cloth


def png(path):
    """Width, height, and palette with the filtered rows, of a PNG."""
    return png_bytes(path.read_bytes())


def png_bytes(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    at, packed, palette, header = 8, b"", b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        if kind == b"PLTE":
            palette = body
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    return header[0], header[1], palette + zlib.decompress(packed)


def points(path):
    """Frames of a PC2 file as tuples of floats."""
    data = path.read_bytes()
    count, _, _, frames = struct.unpack("<iffi", data[16:32])
    size = 3 * count
    return [struct.unpack_from(f"<{size}f", data, 32 + 4 * size * i) for i in range(frames)]


class Render(Case):
    def setUp(self):
        super().setUp()
        # The graphics driver's own leaks come from modules that are unloaded, so no suppression can name them.
        options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        patch = unittest.mock.patch.dict(os.environ, ASAN_OPTIONS=options)
        patch.start()
        self.addCleanup(patch.stop)
        self.out = self.folder / "out"
        self.scene = self.write_scene(cloth(frames=6))

    def probe(self, path):
        if not shutil.which("ffprobe"):
            self.skipTest("ffprobe is not installed")
        result = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                 "stream=codec_name,width,height,nb_read_frames", "-of", "json", str(path)],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        stream = json.loads(result.stdout)["streams"][0]
        return stream["codec_name"], stream["width"], stream["height"], int(stream["nb_read_frames"])

    def test_run_leaves_pictures_and_a_video(self):
        summary = self.run_json("run", self.scene, "-o", self.out, "--render", "--size", "160x120")
        names = sorted(path.name for path in (self.out / "frames").iterdir())
        self.assertEqual(names, [f"frame_{i:04d}.png" for i in range(7)])
        width, height, rows = png(self.out / "frames" / "frame_0003.png")
        self.assertEqual((width, height), (160, 120))
        self.assertGreater(len(set(rows)), 20, "an empty picture")
        self.assertEqual(self.probe(self.out / summary["video"]), ("h264", 160, 120, 7))
        self.assert_whole(self.out)

    def test_resumed_video_is_whole(self):
        self.run_json("run", self.scene, "-o", self.out, "--video", "webm", "--size", "96x64", "--frames", "3")
        first = (self.out / "frames" / "frame_0002.png").read_bytes()
        self.run_json("run", self.scene, "-o", self.out, "--video", "webm", "--size", "96x64", "--resume")
        self.assertEqual(self.probe(self.out / "scene.webm"), ("vp9", 96, 64, 7))
        self.assertEqual(len(list((self.out / "frames").iterdir())), 7)
        self.assertEqual(png(self.out / "frames" / "frame_0002.png")[2], png_bytes(first)[2])

    def test_no_video(self):
        summary = self.run_json("run", self.scene, "-o", self.out, "--video", "none", "--size", "64x64")
        self.assertIsNone(summary["video"])
        self.assertEqual(len(list((self.out / "frames").iterdir())), 7)

    def test_render_what_a_run_left(self):
        self.run_json("run", self.scene, "-o", self.out)
        picture, video = self.folder / "a.png", self.folder / "a.mp4"
        self.expect(0, "render", self.out, "-o", picture, "--size", "128x96")
        self.assertEqual(png(picture)[:2], (128, 96))
        plain = png(picture)[2]
        for words in (["--wireframe"], ["--colour", "stretch"], ["--frame", "0"], ["--camera", "1,2,3,0,0,0"]):
            self.expect(0, "render", self.out, "-o", picture, "--size", "128x96", *words)
            self.assertNotEqual(png(picture)[2], plain, words)
        self.expect(0, "render", self.out, "-o", video, "--size", "128x96", "-q")
        self.assertEqual(self.probe(video)[1:], (128, 96, 7))
        self.expect(0, "render", self.out, "-o", video, "--size", "128x96", "-q", "--from", "1", "--to", "9", "--every", "2")
        self.assertEqual(self.probe(video)[1:], (128, 96, 3))
        self.assertIn("none from 8", self.expect(1, "render", self.out, "-o", video, "--from", "8").stderr)
        for words, name in (([], "mp4"), (["--frame", "2"], "png")):  # In the folder, with its name.
            made = self.out / f"{self.out.name}.{name}"
            self.assertFalse(made.exists())
            done = self.expect(0, "render", f"{self.out}/", "--size", "64x48", *words)
            self.assertEqual(done.stdout.strip(), str(made))
            self.assertTrue(made.exists())

    def test_render_the_same_as_the_run(self):
        self.run_json("run", self.scene, "-o", self.out, "--video", "none", "--size", "128x96")
        picture = self.folder / "a.png"
        self.expect(0, "render", self.out, "-o", picture, "--size", "128x96", "--frame", "4")
        self.assertEqual(png(picture)[2], png(self.out / "frames" / "frame_0004.png")[2])

    def test_motion_blur_is_the_same_in_parts(self):
        """By a run, by one that is resumed, and alone, with the camera fitted to it or not."""
        words = ["--video", "none", "--size", "128x96", "--quality", "best"]
        self.run_json("run", self.scene, "-o", self.out, "-n", "4", *words)
        whole, parts, picture = self.out / "frames" / "frame_0004.png", self.folder / "parts", self.folder / "a.png"
        self.run_json("run", self.scene, "-o", parts, "-n", "3", *words)
        self.run_json("run", self.scene, "-o", parts, "-n", "4", "--resume", *words)
        self.assertEqual(png(parts / "frames" / "frame_0004.png")[2], png(whole)[2])
        words = ["render", self.out, "-o", picture, "--size", "128x96", "--quality", "best", "--frame", "4"]
        self.expect(0, *words)
        self.assertEqual(png(picture)[2], png(whole)[2])
        self.expect(0, *words, "--fit", "frame")
        fitted = png(picture)[2]
        for more in ([], ["--fit", "frame"]):
            self.expect(0, *words, *more, "--shutter", "0")
            self.assertNotEqual(png(picture)[2], fitted if more else png(whole)[2])
        self.assertIn("--shutter 2 is out of range", self.expect(2, *words, "--shutter", "2").stderr)

    def test_bodies_that_hang_are_drawn_where_they_were(self):
        # A playback has the shapes of bodies as meshes of the cache; stepped with the cloth of one frame, these bodies flew away.
        scene = SOURCE / "scenes" / "stripes-bodies.json"
        self.run_json("run", scene, "-n", "80", "-o", self.out, "--render", "--video", "none", "--size", "128x96")
        picture = self.folder / "a.png"
        self.expect(0, "render", self.out, "-o", picture, "--size", "128x96", "--frame", "80")
        self.assertEqual(picture.read_bytes(), (self.out / "frames" / "frame_0080.png").read_bytes())

    def falling(self, **view):
        """Runs a red sheet that falls for a third of a second, by half a metre, without air."""
        sheet = {"name": "sheet", "mesh": {"grid": {"columns": 4, "rows": 4, "width": 0.4, "depth": 0.3}},
                 "pose": {"position": [0.1, 1, 0], "axis": [1, 0, 0], "angle": 60}, "constraints": [{"type": "distance"}],
                 "look": {"front": [0.8, 0, 0], "back": [0.8, 0, 0]}}
        self.scene = self.write_scene(cloth(frames=20, settings={"air_density": 0}, deformables=[sheet], colliders=[],
                                            view={"ground": False, **view}))
        self.run_json("run", self.scene, "-o", self.out)

    def pixels(self, *words):
        """Bytes red, green and blue of a rendered picture, and which columns and rows the sheet is seen in."""
        if not shutil.which("ffmpeg"):
            self.skipTest("ffmpeg is not installed")
        picture = self.folder / "a.png"
        self.expect(0, "render", self.out, "-o", picture, "--size", "128x96", *words)
        rgb = subprocess.run(["ffmpeg", "-v", "error", "-i", str(picture), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                             capture_output=True, timeout=120, check=True).stdout
        seen = [i for i in range(128 * 96) if rgb[3 * i] > 2 * rgb[3 * i + 2]]
        return rgb, {i % 128 for i in seen}, {i // 128 for i in seen}

    def assert_alike(self, a, b):
        self.assertLess(sum(abs(x - y) for x, y in zip(a, b)) / len(a), 0.3)

    def test_a_camera_follows(self):
        self.falling(eye=[0.3, 1.8, 1.4], target=[0, 1, 0])
        first = self.pixels("--frame", "0")[0]
        self.assertFalse(self.pixels("--frame", "20")[2] >= {48}, "a fall of half a metre leads out of the middle of the picture")
        for name in ("sheet", "everything"):
            self.assert_alike(self.pixels("--frame", "20", "--follow", name)[0], first)
        self.assertIn("'sheets'", self.expect(1, "render", self.out, "-o", self.folder / "a.png", "--follow", "sheets").stderr)
        self.falling(eye=[0.3, 1.8, 1.4], target=[0, 1, 0], follow="sheet")
        self.assert_alike(self.pixels("--frame", "20")[0], first)
        wrong = self.write_scene(cloth(view={"follow": "cloht"}))
        self.assertIn("did you mean 'cloth'", self.expect(1, "check", wrong).stdout)

    def test_a_camera_orbits(self):
        self.falling(eye=[0, 1.8, 1.4], target=[0, 0.8, 0])
        # Twenty frames at 60 a second are a third of a second: 270 degrees/s make a quarter of a turn, from z to x.
        self.assert_alike(self.pixels("--frame", "20", "--orbit", "270")[0], self.pixels("--frame", "20", "--camera", "1.4,1.8,0,0,0.8,0")[0])
        self.assertNotEqual(self.pixels("--frame", "20", "--orbit", "270")[0], self.pixels("--frame", "20", "--orbit", "-270")[0])
        self.assertEqual(self.pixels("--frame", "0", "--orbit", "270")[0], self.pixels("--frame", "0")[0])
        self.expect(2, "render", self.out, "-o", self.folder / "a.png", "--orbit", "left")

    def test_a_camera_fits_the_whole_run(self):
        self.falling()
        def inside(*words):
            _, columns, rows = self.pixels(*words)
            return bool(columns) and 0 not in columns | rows and 127 not in columns and 95 not in rows
        self.assertFalse(inside("--frame", "20", "--fit", "start"))
        self.assertTrue(inside("--frame", "0", "--fit", "run"))
        self.assertTrue(inside("--frame", "20", "--fit", "run"))
        self.assertTrue(inside("--frame", "20", "--fit", "run", "--orbit", "500"))
        # From what it follows, the sheet stays where it is: nearer, and as large at the start as at the end.
        near, far = self.pixels("--frame", "20", "--fit", "run", "--follow", "sheet"), self.pixels("--frame", "20", "--fit", "run")
        self.assertGreater(len(near[1]), 1.3 * len(far[1]))
        self.assert_alike(near[0], self.pixels("--frame", "0", "--fit", "run", "--follow", "sheet")[0])
        far = self.pixels("--frame", "20", "--fit", "run")[0]
        self.falling(fit="run")
        self.assertEqual(self.pixels("--frame", "20")[0], far)
        # A cache alone is fitted to all of its frames, and is seen from its first.
        self.out = self.out / "scene.pc2"
        shutil.copy(self.out.with_suffix(".obj"), self.folder / "faces.obj")
        alone = ("--mesh", self.folder / "faces.obj")
        def middle(*words):
            rows = self.pixels(*alone, *words)[2]
            return sum(rows) / len(rows)
        self.assertAlmostEqual(middle("--frame", "20", "--follow", "everything"), middle("--frame", "0", "--follow", "everything"), delta=2)
        self.assertGreater(middle("--frame", "20"), middle("--frame", "0") + 20)

    def test_cache_alone(self):
        self.run_json("run", self.scene, "-o", self.out, "--format", "pc2,gltf,vtkhdf")
        for name in ("scene.pc2", "scene.gltf", "scene.vtkhdf"):
            self.expect(0, "render", self.out / name, "-o", self.folder / "a.png", "--size", "64x48")
        shutil.copy(self.out / "scene.pc2", self.folder / "alone.pc2")
        self.assertIn("--mesh", self.expect(1, "render", self.folder / "alone.pc2", "-o", self.folder / "b.png").stderr)
        self.expect(0, "render", self.folder / "alone.pc2", "--mesh", self.out / "scene.obj", "-o",
                    self.folder / "b.png", "--size", "64x48")

    def test_scene_that_is_gone_is_drawn_plainly(self):
        self.run_json("run", self.scene, "-o", self.out)
        self.scene.unlink()
        result = self.expect(0, "render", self.out, "-o", self.folder / "a.png", "--size", "64x48")
        self.assertIn("warning", result.stderr)

    def test_failures(self):
        self.run_json("run", self.scene, "-o", self.out)
        self.assertIn("frames", self.expect(1, "render", self.out, "-o", self.folder / "a.png", "--frame", "7").stderr)
        self.expect(1, "render", self.folder / "nothing.pc2", "-o", self.folder / "a.png")
        self.expect(1, "render", self.out, "-o", self.folder / "missing" / "a.png")
        self.expect(2, "render", self.out, "-o", self.folder / "a.mp4", "--frame", "1")
        (self.out / "summary.json").write_text("{}")
        self.expect(1, "render", self.out, "-o", self.folder / "a.png")

    def test_videos_alone_need_the_library_of_videos(self):
        """The command beside all libraries but that one: it says what is missing, where it comes from, and draws pictures."""
        self.run_json("run", self.scene, "-o", self.out)
        program = pathlib.Path(shutil.which(BINARY)).resolve()
        other = self.folder / "bin"
        other.mkdir()
        shutil.copy(program, other)
        for library in program.parent.glob("lib*.so*"):
            if not library.name.startswith("libpliant_video"):
                (other / library.name).symlink_to(library)
        words = [other / program.name, "render", self.out, "--size", "64x48", "-o"]
        video = subprocess.run([*words, self.folder / "a.mp4"], capture_output=True, text=True, timeout=300)
        self.assertEqual(video.returncode, 1)
        self.assertIn("a.mp4: needs the library libpliant_video", video.stderr)
        self.assertIn("libavformat-dev", video.stderr)
        picture = subprocess.run([*words, self.folder / "a.png"], capture_output=True, text=True, timeout=300)
        self.assertEqual(picture.returncode, 0, picture.stderr)


class Convert(Case):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.run_json("run", self.write_scene(cloth(frames=4)), "-o", self.out)
        self.original = points(self.out / "scene.pc2")

    def back(self, path):
        """The cache as PC2 again."""
        target = self.folder / "again" / "x.pc2"
        target.parent.mkdir(exist_ok=True)
        self.expect(0, "convert", path, target)
        return points(target)

    def assert_near(self, frames, tolerance):
        self.assertEqual(len(frames), len(self.original))
        worst = max(abs(a - b) for f, g in zip(frames, self.original) for a, b in zip(f, g))
        self.assertLessEqual(worst, tolerance)

    def test_every_format_and_back(self):
        for name, tolerance in (("a.mdd", 0), ("a.vtkhdf", 0), ("a.gltf", 1e-6), ("b.obj", 1e-6), ("c_0000.ply", 0)):
            path = self.folder / name
            self.expect(0, "convert", self.out, path)
            first = path if path.exists() else self.folder / name.replace(".", "_0000.")
            self.assertTrue(first.exists(), name)
            self.assert_near(self.back(first), tolerance)

    def test_one_frame_as_a_mesh(self):
        path = self.folder / "last.obj"
        self.expect(0, "convert", self.out, path, "--frame", "4")
        lines = [line.split()[1:] for line in path.read_text().splitlines() if line.startswith("v ")]
        values = [float(word) for line in lines for word in line[:3]]
        worst = max(abs(a - b) for a, b in zip(values, self.original[4]))
        self.assertLessEqual(worst, 1e-6)
        self.assertEqual(len(values), len(self.original[4]))

    def test_meshes(self):
        spot = SOURCE / "scenes" / "meshes" / "spot.obj"
        path, again = self.folder / "spot.ply", self.folder / "spot.obj"
        self.expect(0, "convert", spot, path)
        self.expect(0, "convert", path, again)
        reports = [self.run_json("inspect", mesh)["report"] for mesh in (spot, path, again)]
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0], reports[2])

    def test_quads_stay_quads(self):
        path = self.folder / "grid.ply"
        self.expect(0, "convert", "grid:4x5", path)
        self.assertEqual(self.run_json("inspect", path)["report"]["face_degree_max"], 4)

    def test_first_byte_of_a_binary_ply(self):
        """Any byte may begin the numbers, those of line ends and blanks too."""
        header = ("ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                  "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n")
        for first in b"\n\r \t\0":
            file = self.folder / f"{first}.ply"
            numbers = bytes([first, 0, 0, 0x3F]) + struct.pack("<8f", 0, 0, 1, 0, 0, 0, 0, 1)
            file.write_bytes(header.encode() + numbers + struct.pack("<B3i", 3, 0, 1, 2))
            self.expect(0, "convert", file, self.folder / f"{first}.obj")
            x = float((self.folder / f"{first}.obj").read_text().split("\nv ")[1].split()[0])
            self.assertAlmostEqual(x, struct.unpack("<f", numbers[:4])[0], 6)

    def test_failures(self):
        self.expect(1, "convert", self.out, self.folder / "missing" / "a.pc2")
        self.expect(1, "convert", self.folder / "nothing.obj", self.folder / "a.ply")
        self.expect(1, "convert", self.out, self.folder / "a.mdd", "--frame", "9")
        garbage = self.folder / "garbage.pc2"
        garbage.write_bytes(b"POINTCACHE2\0" + bytes(range(64)))
        self.expect(1, "convert", garbage, self.folder / "a.mdd")
        self.assert_whole(self.folder)


if __name__ == "__main__":
    unittest.main()
