"""--plugin: the example as people build it, runs that are the same, and objects that are refused with a mend."""
import csv
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["PLIANT_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["PLIANT_BUILD_DIR"])
COMMAND = os.environ["PLIANT_BIN"]
SCENE = SOURCE / "examples/plugins/ropes.json"
EMPTY = "int nothing;\n"
ENTRY = """#include <pliant/plugin.h>
#include <stddef.h>
static const pli_constraint_type row = {{.name = "{name}", .cardinality = 2, .dimension = 1}};
static const pli_constraint_type *const rows[] = {{&row}};
static const pli_plugin_table plugin = {{.version = {version}, .name = "bad", .types = rows, .type_count = 1}};
const pli_plugin_table *pli_plugin_entry(void) {{ return {result}; }}
"""


def pliant(*words, **options):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, **options)


class Plugins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        cls.ropes = cls.build("ropes", (SOURCE / "examples/plugins/ropes.c").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @classmethod
    def build(cls, name, text):
        source, made = cls.folder / f"{name}.c", cls.folder / f"{name}.so"
        source.write_text(text)
        subprocess.run(["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", source, "-o", made,
                        f"-I{SOURCE / 'include'}", f"-L{BUILD}", "-lpliant", "-lm"], check=True)
        return made

    def run_scene(self, *words, **options):
        done = pliant("run", SCENE, "-n", 20, "-o", self.folder / "out", "-f", "none", "--json", "-q", *words, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_the_example_runs(self):
        summary = self.run_scene("--plugin", self.ropes)
        self.assertEqual(summary["hash"], self.run_scene("--plugin", self.ropes, "-t", 2)["hash"])
        self.assertEqual(summary["hash"], self.run_scene("--plugin", "ropes.so", cwd=self.folder)["hash"])
        slack = self.run_scene("--plugin", self.ropes, "--set", "deformables.net.constraints[0].slack=2")
        self.assertNotEqual(summary["hash"], slack["hash"])

    def test_check_and_cook(self):
        done = pliant("check", SCENE, "--plugin", self.ropes)
        self.assertEqual(done.returncode, 0, done.stdout)
        wrong = pliant("check", SCENE, "--plugin", self.ropes, "--set", "deformables.net.constraints[0].slack=0.5")
        self.assertIn("slack", wrong.stdout)
        self.assertEqual(wrong.returncode, 1)
        cooked = self.folder / "ropes.plicook"
        done = pliant("cook", SCENE, "--plugin", self.ropes, "-o", cooked)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_scene("--plugin", self.ropes)["hash"],
                         self.run_scene("--plugin", self.ropes, "--cooked", cooked)["hash"])

    def test_a_resumed_run_wants_its_plugins(self):
        """A scene's types are unknown without their plugin, and the message of that names no mend."""
        folder, other = self.folder / "resumed", self.folder / "other" / "ropes.so"
        words = ["run", SCENE, "-o", folder, "-f", "none", "-q", "--checkpoint-every", 5]
        whole = json.loads(pliant(*words, "-n", 20, "--json", "--plugin", self.ropes).stdout)["hash"]
        self.assertEqual(pliant(*words, "-n", 10, "--plugin", self.ropes).returncode, 0)
        done = pliant(*words, "-n", 20, "--resume")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"is of a run with --plugin {self.ropes}; resume with it", done.stderr)
        self.assertNotIn("unknown constraint type", done.stderr)
        other.parent.mkdir()
        other.write_bytes(self.ropes.read_bytes() + b"rebuilt")
        done = pliant(*words, "-n", 20, "--resume", "--plugin", other)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the plugin 'ropes.so' is not the file that it was", done.stderr)
        other.write_bytes(self.ropes.read_bytes())  # The same file, elsewhere.
        done = pliant(*words, "-n", 20, "--json", "--resume", "--plugin", other)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["hash"], whole)

    def test_render_draws_the_scene_of_the_run(self):
        """With the plugin the picture is that of the scene; without, it is drawn plainly, and the run's plugins are told."""
        folder, with_it, without = self.folder / "drawn", self.folder / "with.png", self.folder / "without.png"
        scene = json.loads(SCENE.read_text())
        scene["deformables"][0]["look"] = {"front": [0.9, 0.1, 0.1], "back": [0.1, 0.1, 0.9]}
        (self.folder / "looks.json").write_text(json.dumps(scene))
        done = pliant("run", self.folder / "looks.json", "-n", 3, "-o", folder, "-q", "--plugin", self.ropes)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((folder / "summary.json").read_text())["plugins"], [str(self.ropes)])
        size = ["--size", "64x64", "--quality", "draft"]
        done = pliant("render", folder, "-o", with_it, "--plugin", self.ropes, *size)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = pliant("render", folder, "-o", without, *size)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("unknown constraint type 'rope'", done.stderr)
        self.assertIn(f"the run had --plugin {self.ropes}", done.stderr)
        self.assertNotEqual(with_it.read_bytes(), without.read_bytes())
        cache = next(folder.glob("*.gltf"))
        done = pliant("render", cache, "-o", without, "--plugin", self.ropes)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a cache alone", done.stderr)

    def test_diff_steps_both_sides_with_it(self):
        done = pliant("diff", SCENE, SCENE, "-n", 5, "--threads-b", 2, "--plugin", self.ropes)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = pliant("diff", SCENE, SCENE, "-n", 5, "--set-b", "deformables.net.constraints[0].slack=2", "--plugin",
                      self.ropes, "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(json.loads(done.stdout)["type"], "rope")
        self.assertEqual(pliant("diff", SCENE, SCENE).returncode, 2)
        # The status that says "they differ" is not that of a plugin that is missing.
        done = pliant("diff", SCENE, SCENE, "--plugin", self.folder / "missing.so")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be loaded", done.stderr)

    def test_sweep_hands_it_to_every_point(self):
        (self.folder / SCENE.name).write_text(SCENE.read_text())
        study, out = self.folder / "study.json", self.folder / "sweep"
        study.write_text(json.dumps({"scene": SCENE.name, "frames": 20, "axes": {"deformables.net.constraints[0].slack": [1, 2]}}))
        words = ["sweep", study, "-o", out, "--plugin", self.ropes]
        done = pliant(*words, "--jobs", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(out / "table.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        slack = "deformables.net.constraints[0].slack"
        self.assertEqual([row["hash"] for row in rows],
                         [self.run_scene("--plugin", self.ropes, "--set", f"{slack}={row[slack]}")["hash"] for row in rows])
        lines = [line for line in pliant(*words, "--print-commands").stdout.splitlines() if "pliant " in line]
        script = subprocess.run([os.environ["PLIANT_LAB"], "slurm", study, "--plugin", self.ropes], capture_output=True, text=True, check=True)
        array = [line for line in script.stdout.splitlines() if "pliant " in line]
        self.assertEqual((len(lines), len(array)), (2, 1))
        for line in lines + array:
            self.assertIn(f"--plugin {self.ropes}", " ".join(shlex.split(line)))
        done = pliant("sweep", study, "-o", self.folder / "none", "--plugin", self.folder / "missing.so")
        self.assertEqual(done.returncode, 1)
        self.assertFalse((self.folder / "none").exists())
        study.write_text(json.dumps({**json.loads(study.read_text()), "plugins": [str(self.ropes)]}))
        self.assertIn("is no key of a study", pliant("sweep", study, "-o", out).stderr)

    def test_models_explains_its_rows(self):
        listed = pliant("models", "--plugin", self.ropes).stdout
        self.assertIn(str(self.ropes), listed)
        for name in ("rope", "diagonals"):
            self.assertRegex(listed, rf"(?m)^  {name} ")
        rope = pliant("models", "rope", "--plugin", self.ropes).stdout
        for words in ("C = |x1 - x2| - slack l0 <= 0", "slack", "1 to 10", "default 1", "edges"):
            self.assertIn(words, rope)
        self.assertRegex(pliant("models", "edges", "--plugin", self.ropes).stdout, r"default of .*\brope\b")
        self.assertIn("two diagonals", pliant("models", "diagonals", "--plugin", self.ropes).stdout)
        self.assertEqual(pliant("models", "rope").returncode, 2)
        self.assertEqual(pliant("models", "--json", "--plugin", self.ropes).returncode, 2)

    def test_too_many_are_refused(self):
        for command in ("run", "view"):
            done = pliant(command, SCENE, *["--plugin", self.ropes] * 17)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--plugin may be given at most 16 times", done.stderr)

    def test_without_it_the_scene_is_refused(self):
        done = pliant("run", SCENE, "-o", self.folder / "out")
        self.assertEqual(done.returncode, 1)
        self.assertIn("unknown constraint type 'rope'", done.stderr)

    def test_no_scene_names_a_plugin(self):
        scene = json.loads(SCENE.read_text())
        for key in ("plugin", "plugins"):
            path = self.folder / "naming.json"
            path.write_text(json.dumps({**scene, key: [str(self.ropes)]}))
            done = pliant("check", path, "--plugin", self.ropes)
            self.assertEqual(done.returncode, 1)
            self.assertIn(key, done.stdout)

    def test_refusals_name_the_file_and_the_mend(self):
        cases = {
            self.folder / "missing.so": ["cannot be loaded", "cc -shared"],
            SCENE: ["cannot be loaded"],
            self.build("empty", EMPTY): ["pli_plugin_entry", "plugin.h"],
            self.build("older", ENTRY.format(name="bad", version=99, result="&plugin")): ["version 99", "build it again"],
            self.build("none", ENTRY.format(name="bad", version="PLI_PLUGIN_VERSION", result="plugin.version ? NULL : &plugin")):
                ["returns NULL"],
            self.build("bad", ENTRY.format(name="bad", version="PLI_PLUGIN_VERSION", result="&plugin")):
                ["'bad' is refused", "evaluate"],
        }
        for path, words in cases.items():
            done = pliant("run", SCENE, "--plugin", path, "-o", self.folder / "out")
            self.assertEqual(done.returncode, 1, path)
            for word in [path.name, *words]:
                self.assertIn(word, done.stderr)

    def test_twice_the_same(self):
        done = pliant("run", SCENE, "--plugin", self.ropes, "--plugin", self.ropes, "-o", self.folder / "out")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is there already", done.stderr)


if __name__ == "__main__":
    unittest.main()
