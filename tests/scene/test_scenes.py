"""Every shipped scene, and the example of the docs, passes the check and the JSON Schema, and runs."""
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import zlib

import jsonschema

BINARY = os.environ.get("PLIANT_BIN", "pliant")
SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCENES = sorted((SOURCE / "scenes").glob("*.json"))
SCHEMA = json.loads(subprocess.run([BINARY, "schema"], capture_output=True, text=True, check=True).stdout)
DESCRIPTORS = json.loads(subprocess.run([BINARY, "models", "--json"], capture_output=True, text=True, check=True).stdout)


def pliant(*words):
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=300)


def example():
    """The commented example of docs/scene-format.md without its comments."""
    block = re.search(r"```jsonc\n(.*?)```", (SOURCE / "docs/scene-format.md").read_text(), re.S).group(1)
    return re.sub(r"\s//[^\n\"]*(\"[^\n\"]*\"[^\n\"]*)*$", "", block, flags=re.M)


def image():
    """A PNG file of one red pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0"))
            + chunk(b"IEND", b""))


def keys(schema, before=""):
    """The paths of all keys that a schema knows."""
    for alternative in schema.get("oneOf", []):
        yield from keys(alternative, before)
    for name, inner in schema.get("properties", {}).items():
        yield f"{before}.{name}"
        yield from keys(inner, f"{before}.{name}")
    if "items" in schema:
        yield from keys(schema["items"], before)


def used(value, before=""):
    """The paths of all keys that a scene uses."""
    for inner in value if isinstance(value, list) else []:
        yield from used(inner, before)
    for name, inner in value.items() if isinstance(value, dict) else []:
        yield f"{before}.{name}"
        yield from used(inner, f"{before}.{name}")


class Scenes(unittest.TestCase):
    def test_the_schema_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_there_are_scenes(self):
        self.assertGreaterEqual(len(SCENES), 8)

    def test_each_passes_schema_and_check(self):
        for path in SCENES:
            scene = json.loads(path.read_text())
            jsonschema.validate(scene, SCHEMA, jsonschema.Draft202012Validator)
            self.assertTrue(scene["title"])
            result = pliant("check", path)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_each_runs(self):
        for path in SCENES:
            with tempfile.TemporaryDirectory() as folder:
                result = pliant("run", path, "-o", folder, "--frames", 2, "--json", "--quiet")
                self.assertEqual(result.returncode, 0, f"{path.name}: {result.stderr}")
                self.assertEqual(json.loads(result.stdout)["frames"], 2)

    def test_schema_and_check_refuse_the_same(self):
        scene = json.loads((SOURCE / "scenes/first.json").read_text())
        for path, wrong in [("frames", 0), ("frames", 1.5), ("up", "x"), ("order", 3), ("colour", 1), ("title", []),
                            ("settings", {"substeps": "many"}), ("settings", {"gravity": [1, 2]}),
                            ("deformables", [{}]), ("colliders", [{"shape": "no_such_shape"}]),
                            ("keyframes", [{"path": "settings.damping", "keys": []}])]:
            with tempfile.TemporaryDirectory() as folder, self.subTest(path=path, wrong=wrong):
                file = pathlib.Path(folder) / "scene.json"
                file.write_text(json.dumps({**scene, path: wrong}))
                self.assertEqual(pliant("check", file).returncode, 1)
                with self.assertRaises(jsonschema.ValidationError):
                    jsonschema.validate({**scene, path: wrong}, SCHEMA, jsonschema.Draft202012Validator)


class Example(unittest.TestCase):
    maxDiff = None

    def test_passes_and_runs(self):
        scene = json.loads(example())
        jsonschema.validate(scene, SCHEMA, jsonschema.Draft202012Validator)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "scene.json"
            file.write_text(json.dumps(scene))
            for name in ("print.png", "lining.png"):
                (pathlib.Path(folder) / name).write_bytes(image())
            result = pliant("run", file, "-o", f"{folder}/out", "--frames", 3, "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_shows_every_key(self):
        """But for properties, which the reference lists, and for what the text around it shows: sources of meshes, and the parameters of single types."""
        def shared(path):  # Poses and motions are the same everywhere.
            return re.sub(r".*\.(pose|motion)(?=\.)", r"\1", path)

        shown = {shared(path) for path in used(json.loads(example()))}
        elsewhere = re.compile(r".*\.(mesh\.|animation|material\.|painted|deformables\.constraints\.|\$schema)")
        listed = {re.sub(r"\.+", ".", f".{group['target'].replace('[]', '')}.{row['name']}")
                  for group in DESCRIPTORS["groups"] for row in group["properties"]}
        missing = [key for key in dict.fromkeys(keys(SCHEMA))
                   if shared(key) not in shown and key not in listed and not elsewhere.match(key)]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
