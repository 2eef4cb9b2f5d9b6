"""--plugin: the example as people build it, runs that are the same, and objects that are refused with a mend."""
import json
import os
import pathlib
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
static const pli_constraint_type row = {{.size = sizeof row, .name = "{name}", .cardinality = 2, .dimension = 1}};
static const pli_constraint_type *const rows[] = {{&row}};
static const pli_plugin_table plugin = {{.size = sizeof plugin, .version = {version}, .name = "bad", .types = rows, .type_count = 1}};
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
            self.build("none", ENTRY.format(name="bad", version="PLI_PLUGIN_VERSION", result="plugin.size ? NULL : &plugin")):
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
