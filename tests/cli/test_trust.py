"""Files of others and faults of the machine: what was found from outside, and must stay closed (docs/decisions/files.md)."""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest

try:
    import h5py
except ImportError:
    h5py = None

from command import BINARY, Case, cloth, pliant, wait_until_caught

EVERY_FORMAT = "obj,ply,pc2,mdd,gltf,glb,vtkhdf,usda"


def at_most(size):
    """No file of the program may have more bytes, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Checks(Case):
    def refused(self, word, scene):
        path = self.write_scene(scene)
        for command in (["check", path], ["run", path, "-q", "-o", self.folder / "out"]):
            result = pliant(*command)
            self.assertEqual(result.returncode, 1, command)
            self.assertIn(word, result.stdout + result.stderr)
        self.assertFalse(self.run_json("check", path, code=1)["valid"])

    def changed(self, key, value):
        scene = cloth(frames=2)
        scene["deformables"][0][key] = value
        return scene

    def test_check_refuses_what_run_refuses(self):
        self.refused("closed", self.changed("constraints", [{"type": "volume"}]))
        self.refused("direction", self.changed("pose", {"angle": 20, "axis": [0, 0, 0]}))
        self.refused("particle 5 twice", self.changed("constraints", [{"type": "distance", "particles": [0, 1, 5, 5]}]))
        self.refused("without control characters", self.changed("name", "a\x1b[31mb"))
        self.refused("without control characters", self.changed("name", "two\nlines"))
        self.refused("without control characters", self.changed("name", "safe\u202efdp.exe"))
        self.refused("without control characters", self.changed("name", "a\u2066b\u2069"))
        # Words of Persian and emoji are written with joiners.
        self.assertTrue(self.run_json("check", self.write_scene(self.changed("name", "\u0645\u06cc\u200c\u062f")))["valid"])

    def test_empty_scene_is_run(self):
        path = self.write_scene({"pliant": 1, "frames": 3})
        self.assertTrue(self.run_json("check", path)["valid"])
        summary = self.run_json("run", path, "-o", self.folder / "out")
        self.assertEqual((summary["status"], summary["frame"], summary["caches"]), ("done", 3, []))

    def test_number_beyond_its_end_is_told_from_it(self):
        text = pliant("check", self.write_scene(cloth(frames=10000001))).stdout
        self.assertIn("is 10000001; it must be", text)

    def test_mark_of_utf8(self):
        path = self.folder / "windows.json"
        path.write_bytes(b"\xef\xbb\xbf" + json.dumps(cloth(frames=2)).encode())
        self.expect(0, "check", path)

    def test_messages_hold_no_control_characters(self):
        for text in ('{"pliant": 1, "\\u001b[31mkey\\u009b": 1}', '{"pliant": \x1b[31m}'):
            path = self.folder / "\x1b[31mred\x7f.json"
            path.write_text(text)
            result = self.expect(1, "check", path)
            missing = self.expect(1, "inspect", self.folder / "\x1b[0m.obj")
            for out in (result.stdout, result.stderr, missing.stderr):
                self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    def test_messages_keep_their_direction(self):
        """A name of a file of others that turns what follows, or shows nothing, is printed as what it is not."""
        hidden = "\u202e\u2066\u200f\u061c\ufeff\u2028\u200b\U000e0041"
        path = self.folder / "a.gltf"
        path.write_text(json.dumps({"asset": {"version": "2.0"}, "buffers": [{"uri": f"x{hidden}y.bin", "byteLength": 12}],
                                    "bufferViews": [{"buffer": 0, "byteLength": 12}],
                                    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3"}],
                                    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]}, ensure_ascii=False))
        scene = self.write_scene(cloth(**{f"key{hidden}": 1}))
        named = self.folder / f"b{hidden}.obj"
        for words in (("inspect", path), ("check", scene), ("inspect", named)):
            result = self.expect(1, *words)
            self.assertRegex(result.stdout + result.stderr, r"[xyb]\?{3,}")
            self.assertFalse(set(hidden) & set(result.stdout + result.stderr))


class Files(Case):
    def test_pipes_are_refused_at_once(self):
        for name in ("mesh.obj", "mesh.ply", "scene.json", "cache.pc2", "cache.vtkhdf", "cache.gltf", "folder.obj"):
            path = self.folder / name
            path.mkdir() if name.startswith("folder") else os.mkfifo(path)
            scene = self.write_scene(cloth(deformables=[{"mesh": {"file": name}, "constraints": [{"type": "distance"}]}]),
                                     "names-it.json")
            for words in (["inspect", path], ["check", scene], ["run", path, "-o", self.folder / "out"],
                          ["convert", path, self.folder / "x.stl"]):
                result = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=60)
                self.assertIn(result.returncode, (1, 2), words)
        self.assertIn("is not a file", pliant("inspect", self.folder / "mesh.obj").stderr)
        self.assertIn("is not a file", pliant("inspect", self.folder / "folder.obj").stderr)

    def test_closed_streams_write_nothing_into_files(self):
        scene, words = self.write_scene(cloth(frames=3)), ["-f", "pc2,obj"]
        self.expect(0, "run", scene, "-o", self.folder / "open", *words)
        subprocess.run(f"exec '{BINARY}' run '{scene}' -o '{self.folder}/closed' -f pc2,obj <&- >&- 2>&-", shell=True,
                       check=True, timeout=120)
        files = sorted(path.name for path in (self.folder / "open").glob("scene*"))
        self.assertGreater(len(files), 4)
        for name in files:
            self.assertEqual((self.folder / "open" / name).read_bytes(), (self.folder / "closed" / name).read_bytes(), name)

    def test_one_run_in_a_folder(self):
        scene, out = self.write_scene(cloth(frames=1000000)), self.folder / "out"
        first = subprocess.Popen([BINARY, "run", scene, "-o", out, "-f", "none", "-q"], stderr=subprocess.DEVNULL)
        while not (out / "summary.json").exists():
            time.sleep(0.02)
        self.addCleanup(first.kill)
        refused = self.expect(1, "run", scene, "-o", out, "--frames", "1")
        self.assertIn("another run writes into", refused.stderr)
        self.assertIsNone(first.poll())
        wait_until_caught(first)
        first.send_signal(signal.SIGINT)
        self.assertEqual(first.wait(120), 1)
        self.expect(0, "run", scene, "-o", out, "--frames", "1", "-q")

    def test_resume_with_another_format(self):
        scene = self.write_scene(cloth(frames=20))
        for name in EVERY_FORMAT.split(","):
            out = self.folder / name
            self.expect(0, "run", scene, "-o", out, "--frames", "10", "-f", "none", "-q")
            refused = self.expect(1, "run", scene, "-o", out, "--resume", "-f", name, "-q")
            self.assertIn("resume", refused.stderr)
            self.assertEqual(sorted(path.name for path in out.iterdir()), ["checkpoint.pli", "summary.json"], name)


class Outside(Case):
    """Nothing outside of a scene's folder is read, by whatever road."""

    def setUp(self):
        super().setUp()
        self.inner = self.folder / "scene"
        self.inner.mkdir()
        (self.folder / "secret.bin").write_bytes(struct.pack("<9f3I", 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2))
        (self.folder / "secret.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n")

    def check(self, mesh):
        path = self.inner / "scene.json"
        path.write_text(json.dumps(cloth(deformables=[{"mesh": {"file": mesh}, "constraints": [{"type": "distance"}]}])))
        result = pliant("check", path)
        return result.returncode, result.stdout

    def gltf(self, address):
        gltf = {"asset": {"version": "2.0"}, "buffers": [{"uri": address, "byteLength": 48}],
                "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 12}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                              {"bufferView": 1, "componentType": 5125, "count": 3, "type": "SCALAR"}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0}
        (self.inner / "mesh.gltf").write_text(json.dumps(gltf))
        return self.check("mesh.gltf")

    def test_addresses_in_gltf(self):
        (self.inner / "own.bin").write_bytes((self.folder / "secret.bin").read_bytes())
        self.assertEqual(self.gltf("own.bin")[0], 0, "the way that is allowed")
        secret = self.folder / "secret.bin"
        (self.inner / "link.bin").symlink_to(secret)
        (self.inner / "up").symlink_to(self.folder)
        for address in ("../secret.bin", str(secret), f"file://{secret}", "%2e%2e/secret.bin", "..%2fsecret.bin", "link.bin",
                        "up/secret.bin", "./../secret.bin", "../scene/../secret.bin"):
            code, text = self.gltf(address)
            self.assertEqual(code, 1, address)
            self.assertIn("inside its folder", text, address)
        for address in ("..\\secret.bin", "\uff0e\uff0e/secret.bin", "\u2024\u2024/secret.bin", "UP/secret.bin"):
            code, text = self.gltf(address)
            self.assertEqual(code, 1, address)
            self.assertRegex(text, "inside its folder|is not there", address)

    def test_names_of_files(self):
        own = self.inner / "own.obj"
        own.write_text((self.folder / "secret.obj").read_text())
        self.assertEqual(self.check("own.obj")[0], 0, "the way that is allowed")
        self.assertEqual(self.check("../scene/own.obj")[0], 0, "a way out and in again ends inside")
        (self.inner / "link.obj").symlink_to(self.folder / "secret.obj")
        (self.inner / "up").symlink_to(self.folder)
        twin = self.folder / "scene-beside"
        twin.mkdir()
        (twin / "secret.obj").write_text(own.read_text())
        for name in ("../secret.obj", str(self.folder / "secret.obj"), "link.obj", "up/secret.obj", "../scene-beside/secret.obj"):
            code, text = self.check(name)
            self.assertEqual(code, 1, name)
            self.assertIn("outside", text, name)
        for name in ("..\\secret.obj", "\uff0e\uff0e/secret.obj", "UP/secret.obj", "file:../secret.obj"):
            self.assertEqual(self.check(name)[0], 1, name)

    def test_files_that_a_summary_lists(self):
        """An animation may name a run's folder, and the summary in there is the author's too."""
        run = self.inner / "run"
        run.mkdir()
        secret = self.folder / "secret.obj"
        (run / "own.obj").write_text(secret.read_text())
        (run / "link.obj").symlink_to(secret)
        (run / "faces.obj").symlink_to(secret)
        for name in ("faces.pc2", "own.pc2"):
            (run / name).write_bytes(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 3, 0, 1, 1) + struct.pack("<9f", *range(9)))

        def check(name):
            (run / "summary.json").write_text(json.dumps({"caches": [{"format": "obj", "files": [name]}], "frames_per_second": 60}))
            scene = cloth(colliders=[{"shape": "mesh", "animation": {"file": "run"}}])
            (self.inner / "scene.json").write_text(json.dumps(scene))
            result = pliant("check", self.inner / "scene.json")
            alone = pliant("convert", run, self.folder / "copy.ply")
            return result.returncode, result.stdout, alone.returncode, alone.stderr
        for name in ("own.obj", "own.pc2"):
            code, text, alone, errors = check(name)
            self.assertEqual((code, alone), (0, 0), ("the way that is allowed", name, text, errors))
        for name in ("../../secret.obj", str(secret), "link.obj", "../run/../../secret.obj", "faces.pc2", ""):
            code, text, alone, errors = check(name)
            self.assertEqual((code, alone), (1, 1), name)
            if name:
                self.assertRegex(text, "outside|not inside", name)
                self.assertRegex(errors, "not inside", name)

    def test_frames_of_a_sequence(self):
        shutil.copy(self.folder / "secret.obj", self.inner / "a_0001.obj")
        shutil.copy(self.folder / "secret.obj", self.inner / "a_0002.obj")
        first, out = self.inner / "a_0001.obj", self.folder / "a.mdd"
        self.expect(0, "convert", first, out)
        (self.inner / "a_0002.obj").unlink()
        (self.inner / "a_0002.obj").symlink_to(self.folder / "secret.obj")
        self.assertIn("not inside", self.expect(1, "convert", first, out).stderr)

    def test_summary_gives_no_leave(self):
        """Whoever wrote the run's folder does not decide what its scene may read."""
        path = self.inner / "scene.json"
        path.write_text(json.dumps(cloth(frames=1, deformables=[{"mesh": {"file": "../secret.obj"},
                                                                 "constraints": [{"type": "distance"}]}])))
        out, picture = self.folder / "out", self.folder / "a.png"
        self.expect(0, "run", path, "-o", out, "-q", "--allow-outside")
        words = ["render", out, "-o", picture, "--size", "32x24", "-q"]
        self.assertIn("the run had --allow-outside", self.expect(0, *words).stderr)
        plain = picture.read_bytes()
        self.assertEqual(self.expect(0, *words, "--allow-outside").stderr, "")
        self.assertNotEqual(plain, picture.read_bytes())

    def test_links_in_a_folder_that_is_written_to(self):
        kept = self.folder / "kept"
        scene = self.write_scene(cloth(frames=4))
        for name in EVERY_FORMAT.split(","):
            out = self.folder / f"out-{name}"
            ending = {"gltf": "scene.bin", "usda": "scene.cloth.usda", "obj": "scene_0001.obj", "ply": "scene_0001.ply"}.get(name, f"scene.{name}")
            self.expect(0, "run", scene, "-o", out, "-f", name, "-q", "--frames", "2")
            file = out / ending
            file.rename(kept)
            before = kept.read_bytes()
            file.symlink_to(kept)
            pliant("run", scene, "-o", out, "-f", name, "-q", "--resume")
            self.assertEqual(kept.read_bytes(), before, (name, "resumed"))
            self.expect(0, "run", scene, "-o", out, "-f", name, "-q")
            self.assertEqual(kept.read_bytes(), before, (name, "anew"))
            self.assertFalse(file.is_symlink(), name)


@unittest.skipUnless(h5py, "needs h5py")
class OutsideOfHdf5(Case):
    """HDF5 has roads of its own: links to files, lists of files that hold values, and views of other files' datasets."""

    def test_values_of_other_files(self):
        self.expect(0, "run", self.write_scene(cloth(frames=3)), "-o", self.folder / "out", "-f", "vtkhdf", "-q")
        good = self.folder / "out" / "scene.vtkhdf"
        with h5py.File(good) as file:
            points = file["VTKHDF/Points"][:]
        secret, other = self.folder / "secret", self.folder / "other.h5"
        secret.write_bytes(points.tobytes())
        with h5py.File(other, "w") as file:
            file["points"] = points

        def with_points(name, fill):
            path = self.folder / f"{name}.vtkhdf"
            shutil.copy(good, path)
            with h5py.File(path, "r+") as file:
                del file["VTKHDF/Points"]
                fill(file["VTKHDF"])
            with h5py.File(path) as file:
                self.assertEqual(file["VTKHDF/Points"].shape, points.shape, "it is a road")
            return pliant("convert", path, self.folder / f"{name}.mdd")

        def view(group):
            layout = h5py.VirtualLayout(points.shape, "f4")
            layout[:] = h5py.VirtualSource(str(other), "points", points.shape)
            group.create_virtual_dataset("Points", layout)
        own = with_points("own", lambda group: group.create_dataset("Points", data=points))
        self.assertEqual(own.returncode, 0, own.stderr)
        packed = with_points("packed", lambda group: group.create_dataset("Points", data=points, compression="gzip"))
        self.assertEqual(packed.returncode, 0, packed.stderr)
        for name, fill in (("list", lambda group: group.create_dataset("Points", points.shape, "f4", external=str(secret))),
                           ("link", lambda group: group.__setitem__("Points", h5py.ExternalLink(str(other), "/points"))),
                           ("view", view),
                           ("huge", lambda group: group.create_dataset("Points", (len(points) * 100000, 3), "f4", chunks=(1024, 3)))):
            if name == "huge":
                result = self.huge(good, fill)
            else:
                result = with_points(name, fill)
            self.assertEqual(result.returncode, 1, name)
            self.assertIn("its own values", result.stderr, name)

    def huge(self, good, fill):
        path = self.folder / "huge.vtkhdf"
        shutil.copy(good, path)
        with h5py.File(path, "r+") as file:
            del file["VTKHDF/Points"]
            fill(file["VTKHDF"])
        return pliant("convert", path, self.folder / "huge.mdd")


class Vtkhdf(Case):
    def setUp(self):
        super().setUp()
        self.scene, self.whole, self.out = self.write_scene(cloth(frames=60)), self.folder / "whole", self.folder / "out"
        self.words = ["run", self.scene, "-f", "vtkhdf", "--checkpoint-every", "4", "-q"]
        self.expect(0, *self.words, "-o", self.whole)

    def points(self, folder):
        self.expect(0, "convert", folder / "scene.vtkhdf", folder / "points.mdd")
        return (folder / "points.mdd").read_bytes()

    def test_same_bytes(self):
        time.sleep(1.1)  # A file that holds the second of its making would differ.
        self.expect(0, *self.words, "-o", self.out)
        self.assertEqual((self.out / "scene.vtkhdf").read_bytes(), (self.whole / "scene.vtkhdf").read_bytes())
        self.assertFalse((self.out / "scene.vtkhdf.undo").exists())

    def test_full_disk_and_then_room(self):
        """The HDF5 library closed files at the end of the program, and a file that it could not write was its end."""
        for size in (20000, 40000, 60000, 90000):
            stopped = pliant(*self.words, "-o", self.out, preexec_fn=at_most(size))
            self.assertEqual(stopped.returncode, 1, (size, stopped.stderr))
            self.assertIn("is the disk full?", stopped.stderr)
        self.expect(0, *self.words, "-o", self.out, "--resume")
        self.assertEqual(self.points(self.out), self.points(self.whole))

    def test_file_that_a_kill_has_damaged(self):
        """Whatever of the file is not points may be lost: here its head, its tables and its length."""
        state = random.Random(7)
        for attempt in range(200):
            process = subprocess.Popen([BINARY, *map(str, self.words), "-o", self.out])
            while process.poll() is None and not (self.out / "scene.vtkhdf.undo").exists():
                time.sleep(0.001)
            process.kill()
            process.wait()
            if (self.out / "scene.vtkhdf.undo").exists() and (self.out / "checkpoint.pli").exists():
                break
        with open(self.out / "scene.vtkhdf", "r+b") as file:
            file.write(state.randbytes(2048))
            file.seek(0, 2)
            file.write(b"x" * 999)
        self.expect(1, "convert", self.out / "scene.vtkhdf", self.folder / "x.mdd")
        self.expect(0, *self.words, "-o", self.out, "--resume")
        self.assertEqual(self.points(self.out), self.points(self.whole))
        hashes = {json.loads((folder / "summary.json").read_text())["hash"] for folder in (self.out, self.whole)}
        self.assertEqual(len(hashes), 1)

    def test_damaged_undo_is_refused(self):
        self.expect(0, *self.words, "-o", self.out, "--frames", "8")
        good = (self.out / "scene.vtkhdf").read_bytes()
        for data in (b"", b"PLIUNDO1", b"PLIUNDO1" + b"\xff" * 40, b"PLIUNDO1" + (100).to_bytes(8, "little") * 3):
            (self.out / "scene.vtkhdf").write_bytes(good)
            (self.out / "scene.vtkhdf.undo").write_bytes(data)
            self.assertIn("start again", self.expect(1, *self.words, "-o", self.out, "--resume").stderr)


if __name__ == "__main__":
    unittest.main()
