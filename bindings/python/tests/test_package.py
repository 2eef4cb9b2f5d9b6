"""The package itself: what is in the wheel, layouts, docstrings, types and the examples of its README."""
import inspect
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from support import COMMAND, ROOT

import pliant
from pliant import _documentation
from pliant._library import ffi

PACKAGE = pathlib.Path(pliant.__file__).parent


class Wheel(unittest.TestCase):
    def test_libraries_come_from_the_package(self):
        maps = pathlib.Path("/proc/self/maps").read_text()
        found = {pathlib.Path(path) for path in re.findall(r"\S*/lib(?:pliant|jansson)\S*", maps)}
        self.assertEqual({path.parent for path in found}, {PACKAGE / "lib"})
        self.assertEqual({path.name for path in found} - {"libpliant_ode.so.0"},  # It is loaded by the first Ode.
                         {"libpliant.so.0", "libpliant_scene.so.0", "libpliant_python.so", "libjansson.so.4"})

    def test_no_paths_of_the_build(self):
        for path in [*PACKAGE.glob("*.py"), *(PACKAGE / "lib").glob("libpliant*")]:
            self.assertNotIn(str(ROOT).encode(), path.read_bytes(), path.name)

    def test_nothing_is_parsed_when_it_is_imported(self):
        code = "import sys, pliant; sys.exit('pycparser' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)

    def test_layouts_are_those_of_the_compiler(self):
        layouts, checked = json.loads(subprocess.run([ROOT / "tools/layout"], capture_output=True, check=True).stdout), 0
        for name, layout in layouts.items():
            try:
                kind = ffi.typeof(name)
            except ffi.error:
                continue  # Of a library that the package does not have.
            self.assertEqual((ffi.sizeof(kind), {field: each.offset for field, each in kind.fields}),
                             (layout["size"], layout["fields"]), name)
            checked += 1
        self.assertGreater(checked, 40)


class Words(unittest.TestCase):
    def test_everything_public_is_documented(self):
        for name in pliant.__all__:
            thing = getattr(pliant, name)
            self.assertTrue(thing.__doc__, name)
            for key, member in vars(thing).items() if inspect.isclass(thing) else ():
                if key[0] != "_" and (callable(member) or isinstance(member, (property, classmethod))):
                    self.assertTrue(inspect.getdoc(getattr(thing, key)), f"{name}.{key}")

    def test_docstrings_have_one_margin(self):
        for line in inspect.getdoc(pliant.World.add_deformable).splitlines():
            self.assertFalse(line.startswith(" "), line)

    def test_help_of_parameters_is_a_sentence(self):
        for row in pliant.constraint_types().values():
            for said in row["parameters"].values():
                self.assertNotRegex(said, r"\.[,\]]|\. \[")

    def test_what_there_is_by_name(self):
        """The same types and materials as the command lists, and add_constraints knows them all."""
        listed = json.loads(subprocess.run([COMMAND, "models", "--json"], capture_output=True, text=True, check=True).stdout)
        types = pliant.constraint_types()
        self.assertEqual({row["name"] for row in listed["types"]}, set(types))
        self.assertEqual({row["name"] for row in listed["materials"]}, set(pliant.materials()))
        for row in listed["types"]:
            self.assertEqual((row["formula"], row["source"]), (types[row["name"]]["formula"], types[row["name"]]["source"]))

    def test_docstrings_are_those_of_the_headers(self):
        said = (ROOT / "include/pliant/world.h").read_text()
        self.assertIn("Advances by dt [s] > 0. Attachments and colliders that were given a new pose move to it at constant velocity.", said)
        self.assertIn(_documentation.TEXT["pli_world_step"], pliant.World.step.__doc__)
        self.assertIn("Attachments and colliders that were given a new pose move to it at constant velocity.", pliant.World.step.__doc__)

    def test_types(self):
        self.assertTrue((PACKAGE / "py.typed").exists())
        for name in pliant.__all__:
            thing = getattr(pliant, name)
            for key, member in vars(thing).items() if inspect.isclass(thing) and not issubclass(thing, Exception) else ():
                function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                if inspect.isfunction(function) and key[0] != "_":
                    self.assertIn("return", function.__annotations__, f"{name}.{key}")

    def test_types_are_checked(self):
        """By mypy, as a user has it: the package, what the documents show, and mistakes that types are there to find."""
        wrong = {"World(substeps=20).step('soon')": "arg-type", "World().add_deformable('grid')": "arg-type",
                 "Scene.load(3)": "arg-type", "name: str = Mesh.grid(4, 4, 1, 1).positions": "assignment"}
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            shown = [folder / f"shown_{i}.py" for i in range(len(self.examples("README.md", "bindings/python/README.md")))]
            for path, block in zip(shown, self.examples("README.md", "bindings/python/README.md")):
                path.write_text(block)
            (folder / "wrong.py").write_text("from pliant import Mesh, Scene, World\n" + "\n".join(wrong) + "\n")
            # What cffi returns has no types, so that it is Any.
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-warn-return-any", "--no-error-summary", "--cache-dir",
                                   folder / "cache", PACKAGE, *shown, "wrong.py"], cwd=folder, capture_output=True, text=True)
        found = [(place, kind) for place, kind in re.findall(r"^(\S+): error: .*\[([\w-]+)\]$", done.stdout, re.M)]
        self.assertEqual(found, [(f"wrong.py:{line}", kind) for line, kind in enumerate(wrong.values(), 2)], done.stdout + done.stderr)

    @staticmethod
    def examples(*pages):
        return [block for page in pages for block in re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)]

    def test_examples_of_the_readme(self):
        blocks = self.examples("bindings/python/README.md")
        self.assertEqual(len(blocks), 4)
        for block in blocks:
            done = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(done.stdout.strip())


if __name__ == "__main__":
    unittest.main()
