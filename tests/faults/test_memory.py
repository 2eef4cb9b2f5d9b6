"""Every request of the command for memory is refused in turn, in reading, simulating, coupling, recording and drawing.

The command then ends with a message that says so, or does without what it asked for and writes the same bytes, or warns. It leaves no temporary file, and
no block of memory more than a run without a fault does. Freed memory is overwritten, so that a use of it is seen.
"""
import collections
import json
import os
import shutil
import subprocess
import unittest

from faults import BINARY, LONG, SOURCE, Case, cloth, contents, few


def first_and_last(stacks):
    """Places in the list of the first and the last of each value: what a loop asks for in between goes the same way."""
    places = collections.defaultdict(list)
    for at, stack in enumerate(stacks):
        places[stack].append(at)
    return sorted({at for each in places.values() for at in (each[0], each[-1])})


class Memory(Case):
    runs = 0

    @classmethod
    def setUpClass(cls):
        cls.library = os.path.join(os.environ.get("PLIANT_BUILD_DIR", "/tmp"), "refuse_memory.so")
        compiler = shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            raise unittest.SkipTest("no C compiler")
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", cls.library, str(SOURCE / "tests/faults/refuse_memory.c"),
                        "-ldl", "-lpthread"], check=True)
        if subprocess.run([BINARY, "help"], env=os.environ | {"LD_PRELOAD": cls.library}, capture_output=True).returncode:
            raise unittest.SkipTest("nothing can be preloaded into this build (that of the sanitizers brings an allocator)")

    @classmethod
    def tearDownClass(cls):
        print(f"{cls.__name__}: {cls.runs} runs with a refused request")

    def run_refusing(self, at, words, within):
        """The result, the stack of each request within the function or all, and blocks left; nothing is refused at -1."""
        report = self.folder / "report"
        report.unlink(missing_ok=True)
        environment = os.environ | {"LD_PRELOAD": self.library, "REFUSE_AT": str(at), "REFUSE_REPORT": str(report),
                                    "MALLOC_PERTURB_": "165"} | ({"REFUSE_WITHIN": within} if within else {})
        result = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=300, env=environment,
                                errors="replace")
        left, *stacks = report.read_text().split() if report.exists() else ("-1",)
        return result, stacks, int(left)

    def every_request(self, words, count=4, target=None, before=None, within=None):
        if within and LONG:
            return  # It has them among all.

        def fill():
            if target:
                shutil.rmtree(target, ignore_errors=True)
                shutil.copytree(before, target) if before else target.mkdir()
        fill()
        result, stacks, left = self.run_refusing(-1, words, within)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(stacks, words)
        new, printed = contents(target) if target else {}, result.stdout
        varying = ("summary.json", "checkpoint.pli") if target else ()  # They tell times.
        for at in few(first_and_last(stacks), count):
            fill()
            result, _, now_left = self.run_refusing(at, words, within)
            type(self).runs += 1
            said = f"{words[0]}: request {at} of {len(stacks)}: exit {result.returncode}: {result.stderr}"
            with self.subTest(said):
                self.assertIn(result.returncode, (0, 2 if words[0] == "diff" else 1), said)  # 1 says that they differ.
                if not result.stderr.endswith("pliant: out of memory\n"):  # Of a text: the command then ends at once.
                    self.assertLessEqual(now_left, left, f"{said}\nblocks left {now_left}, else {left}")
                if result.returncode:
                    self.assertRegex(result.stdout + result.stderr, r"(?i)memory", said)
                found = contents(target) if target else {}
                self.assertEqual([name for name in found if name.endswith(".tmp")], [], said)
                if result.returncode == 0 and "warning" not in result.stderr:
                    self.assertEqual(result.stdout, printed, said)
                    self.assertEqual([name for name in new if found.get(name) != new[name] and name not in varying and
                                      not name.endswith(".vtkhdf")], [], said)

    def small(self, **changes):
        scene = cloth(frames=2, **changes)
        scene["deformables"][0]["mesh"]["grid"].update(columns=5, rows=5)
        return scene

    def test_run_and_record(self):
        scene = self.write_scene(self.small())
        self.every_request(["run", scene, "-o", self.folder / "out", "-q", "-t", "1", "-f", "obj,ply,pc2,mdd,gltf,glb,usda,vtkhdf"], 8,
                           self.folder / "out")

    def test_resume(self):
        scene = self.write_scene(self.small())
        self.expect(0, "run", scene, "-o", self.folder / "before", "-q", "-n", "1", "-f", "pc2,gltf,glb,usda,vtkhdf")
        words = ["run", scene, "-o", self.folder / "out", "-q", "-t", "1", "--resume", "-f"]
        self.every_request([*words, "pc2,gltf,glb,usda,vtkhdf"], 6, self.folder / "out", self.folder / "before")
        for name in ("gltf", "glb", "usda", "vtkhdf"):
            self.every_request([*words, name], 10, self.folder / "out", self.folder / "before", within="pli_recorder_open")

    def test_bodies(self):
        scene = self.small(bodies=[{"name": "crate", "mass": 1, "pose": {"position": [0, 1.5, 0]},
                                    "shapes": [{"shape": "box", "half_extents": [0.1, 0.1, 0.1]}]}])
        path = self.write_scene(scene)
        self.every_request(["run", path, "-o", self.folder / "out", "-q", "-t", "1"], 6, self.folder / "out")

    def test_shipped_scene_is_checked(self):
        self.every_request(["check", SOURCE / "scenes" / "first.json"], 6)

    def test_meshes_are_read(self):
        for suffix in ("obj", "ply", "stl", "gltf"):
            mesh = self.folder / f"a.{suffix}"
            if subprocess.run([BINARY, "convert", "grid:4x4", str(mesh)], capture_output=True).returncode == 0:
                self.every_request(["inspect", mesh, "--json"], 4)

    def test_caches_are_converted(self):
        self.expect(0, "run", self.write_scene(self.small()), "-o", self.folder / "out", "-q", "-f", "pc2,mdd,gltf,vtkhdf")
        for suffix in ("pc2", "mdd", "gltf", "vtkhdf"):
            target = self.folder / "target"
            self.every_request(["convert", self.folder / "out" / f"scene.{suffix}", target / f"a.{suffix}"], 3, target)

    def test_pictures(self):
        self.expect(0, "run", self.write_scene(self.small()), "-o", self.folder / "out", "-q")
        target = self.folder / "target"
        self.every_request(["render", self.folder / "out", "-o", target / "a.png", "--size", "32x24", "--quality", "draft"], 8, target)

    def test_cooking(self):
        target = self.folder / "target"
        self.every_request(["cook", self.write_scene(self.small()), "-o", target / "a.plicook", "-q"], 4, target)

    def test_other_commands(self):
        scene, mesh, table, study, target = (self.folder / name for name in ("scene.json", "a.obj", "stats.csv", "study.json", "target"))
        self.expect(0, "run", self.write_scene(self.small()), "-o", self.folder / "out", "-q", "--record", table)
        self.expect(0, "convert", "grid:4x4", mesh)
        study.write_text(json.dumps({"scene": "scene.json", "axes": {"settings.substeps": {"from": 4, "to": 6, "count": 2}}}))
        self.every_request(["new", mesh, "-o", target / "a.json"], 2, target)
        self.every_request(["convert", mesh, target / "a.gltf"], 2, target)
        self.every_request(["convert", mesh, target / "a.gltf"], 8, target, within="pli_mesh_write_with_attributes")
        self.every_request(["diff", scene, scene, "-n", "1"], 2)
        self.every_request(["diff", scene, scene, "-n", "1"], 3, within="pli_world_step")
        self.every_request(["check-intersections", self.folder / "out" / "scene.pc2"], 2)
        self.every_request(["plot", table, "-o", target / "a.svg"], 2, target)
        for words in (["status"], ["table"], ["--print-commands"]):
            self.every_request(["sweep", *words, study, "-o", target], 3, target)


if __name__ == "__main__":
    unittest.main()
