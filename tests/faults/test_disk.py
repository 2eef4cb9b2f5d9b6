"""Every open, write, flush, close and rename in turn fails, and the disk is full at every size, for all that the command writes.

The command then ends with a message that names the file, leaves no temporary file, and what was there before is whole: each file
has the bytes that it had before, or all of those that it was to get. A cache that frames are added to has whole frames, however many,
and can be read; of VTKHDF, whose library writes in place, only the message and the exit are asked for (docs/reliability.md).
"""
import resource
import shutil
import unittest

from faults import LONG, Case, calls_on, cloth, contents, few, run, usable, with_fault

READ, TEXT, IN_PLACE = (".pc2", ".mdd", ".gltf", ".glb"), (".usda",), (".vtkhdf",)
PARTS = (".bin", ".undo")  # Of a glTF, which tells how much of it counts, and of a VTKHDF that was not closed.
FORMATS = ["obj", "ply", "pc2", "mdd", "gltf", "glb", "usda", "vtkhdf"]


class Disk(Case):
    runs = 0
    varying = ()  # Names of files that tell times, and of whose content nothing is said.

    @classmethod
    def tearDownClass(cls):
        print(f"{cls.__name__}: {cls.runs} runs with a fault")

    def setUp(self):
        super().setUp()
        scene = cloth(frames=2)
        scene["deformables"][0]["mesh"]["grid"].update(columns=6, rows=6)
        self.scene = self.write_scene(scene)
        self.target = self.folder / "target"
        self.target.mkdir()

    def fill(self, before):
        shutil.rmtree(self.target, ignore_errors=True)
        shutil.copytree(before, self.target)

    def check(self, result, what, old, new, same=True):
        """One run that met a fault, against the bytes before and those of a run without."""
        type(self).runs += 1
        said = f"{what}\nexit {result.returncode}\n{result.stderr}"
        now = contents(self.target)
        with self.subTest(what=what):
            self.assertIn(result.returncode, (0, 1), said)
            self.assertEqual([name for name in now if name.endswith(".tmp")], [], said)
            if result.returncode == 0:
                self.assertEqual({name for name in new if same and now.get(name) != new[name]
                                  and not name.endswith(IN_PLACE)}, set(), said)
                return
            self.assertIn("pliant: ", result.stderr, said)
            self.assertIn(str(self.target), result.stderr, said)
            changed = [name for name in now if now[name] not in (old.get(name), new.get(name))]
            self.assertEqual([name for name in changed if not self.is_begun(name)], [], said)
            self.assertEqual([name for name in old if name not in now], [], said)

    def check_nothing_is_lost(self, result, what, old, new):
        """Nothing can be renamed any more: what a name held is there, or is where the message says. Files that need no other may be new."""
        type(self).runs += 1
        now, said = contents(self.target), f"{what}\nexit {result.returncode}\n{result.stderr}"
        with self.subTest(what=what):
            self.assertEqual(result.returncode, 1, said)
            left = {name: data for name, data in now.items() if name.endswith(".tmp")}
            self.assertEqual([name for name in left if str(self.target / name) not in result.stderr], [], said)
            kept = [name for name in old if now.get(name) == old[name] or old[name] in left.values()]
            alone = [name for name in old if now.get(name) == new.get(name) and not name.endswith((".gltf",) + PARTS)]
            self.assertEqual([name for name in old if name not in kept + alone and not name.endswith(IN_PLACE)], [], said)

    def is_begun(self, name):
        """Whether a file is a cache of whole frames."""
        path = self.target / name
        if path.suffix in READ:
            return run(["convert", path, self.folder / "readable.mdd"]).returncode == 0
        if path.suffix in TEXT:
            text = path.read_text()
            return text.rstrip("\n").endswith("}") and text.count("{") == text.count("}") and text.count("[") == text.count("]")
        return path.suffix in IN_PLACE + PARTS or name in self.varying

    def every_fault(self, before, words, count, same=True):
        """Each call in turn, then a disk that is full at each size; `before` is what the folder holds at the start."""
        self.fill(before)
        old = contents(self.target)
        calls = calls_on(self.target, words)
        new = contents(self.target)
        self.assertTrue(calls)
        # Names that appear together, and ends of texts, are where files that belong together or their ends were lost.
        delicate = [fault for fault in calls if fault.call == "rename" or ', "        }\\n    }\\n}' in fault.line]
        for fault in sorted(set(few(calls, count) + delicate[-3:])):
            self.fill(before)
            self.check(with_fault(fault, words), f"{fault.call} {fault.nth}: {fault.line}", old, new, same)
        for fault in [fault for fault in delicate[-3:] if fault.call == "rename"]:
            self.fill(before)
            self.check_nothing_is_lost(with_fault(fault, words, on=True), f"renames from {fault.nth} on: {fault.line}", old, new)
        most = max(len(data) for data in new.values())
        for size in few(range(0, most, max(1, most // 40)), count // 3 + 1):
            self.fill(before)
            full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))  # noqa: E731
            self.check(run(words, preexec_fn=full), f"a disk full at {size} of {most}", old, new, same)


@unittest.skipUnless(usable(), "strace is missing or may not follow programs")
class Convert(Disk):
    def setUp(self):
        super().setUp()
        self.out, self.before = self.folder / "out", self.folder / "before"
        self.expect(0, "run", self.scene, "-o", self.out, "-q")
        self.before.mkdir()

    def test_caches_and_meshes(self):
        for suffix in FORMATS:
            shutil.rmtree(self.before)
            self.before.mkdir()
            self.expect(0, "convert", self.out, self.before / f"a.{suffix}", "--frame", "0")
            self.every_fault(self.before, ["convert", self.out, self.target / f"a.{suffix}"], 4)

    def test_files_that_belong_together(self):
        """A glTF of frames, its buffer and its weights, over those of another run."""
        other = self.folder / "other"
        self.expect(0, "run", self.scene, "-o", other, "-q", "--set", "settings.substeps=3")
        self.expect(0, "convert", other, self.before / "a.gltf")
        self.assertGreater(len(contents(self.before)), 2)
        self.every_fault(self.before, ["convert", self.out, self.target / "a.gltf"], 4)

    def test_one_mesh(self):
        for suffix in ("obj", "ply", "stl", "gltf", "glb"):
            if suffix == "stl" and run(["convert", "grid:2x2", self.folder / "a.stl"]).returncode:
                continue
            shutil.rmtree(self.before)
            self.before.mkdir()
            if run(["convert", "grid:2x2", self.before / f"a.{suffix}"]).returncode == 0:
                self.every_fault(self.before, ["convert", "grid:5x5", self.target / f"a.{suffix}"], 3)


@unittest.skipUnless(usable(), "strace is missing or may not follow programs")
class Others(Disk):
    def test_cooked(self):
        before = self.folder / "before"
        before.mkdir()
        (before / "a.plicook").write_text("what was there")
        self.every_fault(before, ["cook", self.scene, "-o", self.target / "a.plicook", "-q"], 4)

    def test_new_scene(self):
        before, mesh = self.folder / "before", self.folder / "a.obj"
        before.mkdir()
        self.expect(0, "convert", "grid:6x6", mesh)
        self.every_fault(before, ["new", mesh, "-o", self.target / "a.json"], 3)

    def test_pictures_and_videos(self):
        out, before = self.folder / "out", self.folder / "before"
        self.expect(0, "run", self.scene, "-o", out, "-q")
        before.mkdir()
        for name in ("a.png", "a.mp4", "a.webp") if LONG else ("a.png", "a.mp4"):
            (before / name).write_text("what was there")
            self.every_fault(before, ["render", out, "-o", self.target / name, "--size", "64x48", "-q"], 2, name != "a.mp4")


@unittest.skipUnless(usable(), "strace is missing or may not follow programs")
class Run(Disk):
    varying = ("summary.json", "checkpoint.pli")

    def test_all_formats(self):
        before = self.folder / "before"
        before.mkdir()
        self.every_fault(before, ["run", self.scene, "-o", self.target, "-q", "-t", "1", "--checkpoint-every", "1",
                                  "-f", ",".join(FORMATS)], 10, same=False)

    def test_what_cannot_be_resumed_stays(self):
        words = ["run", self.scene, "-o", self.target, "-q", "-t", "1", "-f", "gltf"]
        self.expect(0, *words, "-n", "1")
        buffer = self.target / "scene.bin"
        buffer.write_bytes(buffer.read_bytes()[:-4])
        old = contents(self.target)
        self.assertIn("fewer than the 2 frames", self.expect(1, *words, "--resume").stderr)
        now = contents(self.target)
        self.assertEqual([name for name in old if now.get(name) != old[name] and name not in self.varying], [])


if __name__ == "__main__":
    unittest.main()
