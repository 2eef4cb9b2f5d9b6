"""`pliant models --json`: valid by its schema, consistent in itself, and the same as scenes, their schema and the headers."""
import copy
import json
import math
import os
import pathlib
import re
import subprocess
import unittest

import jsonschema

BINARY = os.environ.get("PLIANT_BIN", "pliant")
SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCHEMA = json.loads((SOURCE / "docs/descriptors.schema.json").read_text())
SCENE_SCHEMA = json.loads(subprocess.run([BINARY, "schema"], capture_output=True, text=True, check=True).stdout)
DESCRIPTORS = json.loads(subprocess.run([BINARY, "models", "--json"], capture_output=True, text=True, check=True).stdout)
NUMBERS = ("number", "integer", "vector")

# Fields of definitions that no property describes, and why.
EXCLUDED = {
    "pli_world_def": {"settings": "a definition of its own",
                      "simd": "changes no result; an option of a run", "hooks": "functions of the host",
                      "tasks": "functions of the host"},
    "pli_deformable_def": {"name": "a text, for messages",
                           "mesh": "an object", "pose": "a pose, which scenes give by axis and angle",
                           "positions": "an array of the host", "user_data": "a value of the host",
                           "tearing": "a definition of its own",
                           "plate": "a definition of its own",
                           "keep_previous": "for what a host draws between steps"},
    "pli_settings": {}, "pli_tearing": {}, "pli_plate": {}, "pli_material_def": {},
    "pli_attachment_def": {"deformable": "an object",
                           "particles": "an array of the host", "particle_count": "the length of an array",
                           "pose": "a pose, which scenes give by axis and angle", "body": "an object"},
    "pli_collider_def": {"mesh": "an object",
                         "pose": "a pose, which scenes give by axis and angle", "body": "an object",
                         "user_data": "a value of the host", "positions": "an array of the host"},
}
# Fields whose property has the name that scenes have.
RENAMED = {"layers": "layer", "mask": "collides_with", "thread_count": "threads", "max_tears": "most"}


def fields(definition):
    """Names of the fields of a public struct, as the headers have them."""
    text = "".join(path.read_text() for path in sorted((SOURCE / "include/pliant").glob("*.h")))
    body = re.search(r"typedef struct %s \{(.*?)\n\} %s;" % (definition, definition), text, re.S).group(1)
    body = re.sub(r"//.*", "", body)
    for declaration in filter(str.strip, body.split(";")):
        yield from re.findall(r"(\w+)\s*(?=,|$|\[)", declaration.strip())


def rows():
    """(owner, property, siblings) of every property and parameter."""
    for group in DESCRIPTORS["groups"]:
        for row in group["properties"]:
            yield group["id"], row, group["properties"]
    for kind in DESCRIPTORS["types"]:
        for row in kind["parameters"]:
            yield kind["name"], row, kind["parameters"]


def scene_keys(target):
    """The keys that the scene schema has at a target such as "deformables[].tearing"."""
    schema = SCENE_SCHEMA
    for word in filter(None, target.split(".")):
        schema = schema["properties"][word.removesuffix("[]")]
        schema = schema["items"] if word.endswith("[]") else schema
        schema = next((one for one in schema.get("anyOf", []) if "properties" in one), schema)  # Or a name.
    return schema


class Text(unittest.TestCase):
    def test_the_schema_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_valid(self):
        errors = jsonschema.Draft202012Validator(SCHEMA).iter_errors(DESCRIPTORS)
        self.assertEqual([f"{list(error.path)}: {error.message[:200]}" for error in errors], [])

    def test_the_schema_refuses_what_is_wrong(self):
        wind = [row["name"] for row in DESCRIPTORS["groups"][1]["properties"]].index("wind")
        for path, wrong in [(["descriptors"], 2), (["groups", 0, "target"], "a b"), (["types", 0, "unit"], None),
                            (["groups", 1, "properties", 1, "summary"], "substeps a frame"),
                            (["groups", 1, "properties", 1, "soft", "times"], "feet"),
                            (["groups", 1, "properties", 0, "choices"], []),
                            (["groups", 1, "properties", wind, "when", 0, "is"], [0])]:
            broken = copy.deepcopy(DESCRIPTORS)
            place = broken
            for word in path[:-1]:
                place = place[word]
            place[path[-1]] = wrong
            with self.subTest(path=path), self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(broken, SCHEMA, jsonschema.Draft202012Validator)

    def test_names_are_unique(self):
        for listed, key in (("groups", "id"), ("types", "name"), ("generators", "name"), ("measures", "name"),
                            ("stages", "name"), ("sections", "id"), ("panel", "id")):
            names = [row[key] for row in DESCRIPTORS[listed]]
            self.assertEqual(len(names), len(set(names)), names)
        for owner, row, siblings in rows():
            self.assertEqual([other["name"] for other in siblings].count(row["name"]), 1, f"{owner}.{row['name']}")


class Panel(unittest.TestCase):
    groups = {group["id"]: {row["name"]: row for row in group["properties"]} for group in DESCRIPTORS["groups"]}
    parts = [(part["id"], rows) for part in DESCRIPTORS["panel"] for rows in part["rows"]]

    def test_each_live_property_is_in_one_part(self):
        bending = [kind["parameters"] for kind in DESCRIPTORS["types"] if kind["bending"]] + [self.groups["plate"].values()]
        owners = {("settings", "settings"): self.groups["settings"].values(),
                  ("cloth", "deformable"): self.groups["deformable"].values(),
                  ("bend", None): [row for parameters in bending for row in parameters]}
        for owner, properties in owners.items():
            shown = [name for _, rows in self.parts if (rows["prefix"], rows["group"]) == owner for name in rows["sections"]]
            self.assertEqual(sorted(shown), sorted({row["section"] for row in properties if row["change"] == "live"}), owner)

    def test_material_comes_first_and_the_internals_of_the_solver_last(self):
        order = [part for part, _ in self.parts]
        self.assertEqual((order[0], order[-1]), ("bending", "more"))
        self.assertEqual([part["id"] for part in DESCRIPTORS["panel"] if part["open"]], ["bending"])

    def test_values_of_materials_are_in_range(self):
        owners = {"cloth": self.groups["deformable"], "bend": self.groups["plate"],
                  "stretch": {row["name"]: row for kind in DESCRIPTORS["types"] if kind["name"] == "membrane"
                              for row in kind["parameters"]}}
        for material in DESCRIPTORS["materials"]:
            for path, value in material["panel"].items():
                prefix, name = path.split(".")
                row = owners[prefix][name]
                self.assertTrue(row["minimum"] <= value <= row["maximum"], f"{material['name']}: {path} is {value}")
            self.assertAlmostEqual(material["panel"]["cloth.density"], material["values"]["density"], 6)


class Rows(unittest.TestCase):
    def test_ranges(self):
        for owner, row, _ in rows():
            with self.subTest(owner=owner, name=row["name"]):
                if row["kind"] not in NUMBERS:
                    continue
                low, high = row["minimum"], math.inf if row["maximum"] is None else row["maximum"]
                for value in row["default"] if row["kind"] == "vector" else [row["default"]]:
                    self.assertTrue(low <= (math.inf if value is None else value) <= high)
                soft = row["soft"]
                self.assertLess(soft["minimum"], soft["maximum"])
                if soft["times"] == "one":
                    self.assertTrue(low <= soft["minimum"] and soft["maximum"] <= high)
                if row["scale"] == "log":
                    self.assertGreater(soft["minimum"], 0, "a logarithmic slider cannot start at 0")
                # A default that no slider shows is 0, with a name, or no limit; else it is on the slider.
                shown = isinstance(row["default"], (int, float)) and soft["times"] == "one"
                if shown and not soft["minimum"] <= row["default"] <= soft["maximum"]:
                    self.assertTrue(row["default"] == 0 and row["zero"])

    def test_defaults_of_choices(self):
        for owner, row, _ in rows():
            if row["kind"] == "choice":
                self.assertIn(row["default"], [choice["name"] for choice in row["choices"]], f"{owner}.{row['name']}")

    def test_sections_exist(self):
        self.assertLessEqual({row["section"] for _, row, _ in rows()}, {s["id"] for s in DESCRIPTORS["sections"]})

    def test_conditions_name_properties_and_their_values(self):
        everywhere = {f"{group['target']}.{row['name']}": row for group in DESCRIPTORS["groups"]
                      for row in group["properties"] if "[]" not in group["target"]}
        seen = 0
        for owner, row, siblings in rows():
            for condition in row.get("when", []):
                with self.subTest(owner=owner, name=row["name"], path=condition["path"]):
                    near = {other["name"]: other for other in siblings}
                    other = near.get(condition["path"]) or everywhere[condition["path"]]
                    for value in condition.get("is", condition.get("is_not")):
                        if other["kind"] == "choice":
                            self.assertIn(value, [choice["name"] for choice in other["choices"]])
                        else:
                            self.assertIsInstance(value, bool if other["kind"] == "boolean" else (int, float))
                    seen += 1
        self.assertGreater(seen, 30)

    def test_instead_of_names_a_sibling(self):
        for owner, row, siblings in rows():
            if "instead_of" in row:
                self.assertIn(row["instead_of"], [other["name"] for other in siblings], owner)

    def test_generators_fit(self):
        particles = {row["name"]: row["particles"] for row in DESCRIPTORS["generators"]}
        for row in DESCRIPTORS["types"]:
            self.assertEqual(row["generator"] is not None, row["generator"] in row["generators"], row["name"])
            self.assertEqual({particles[name] for name in row["generators"]} - {row["particles"]}, set(), row["name"])
        for generator in DESCRIPTORS["generators"]:
            users = [row["name"] for row in DESCRIPTORS["types"] if row["generator"] == generator["name"]]
            self.assertEqual(generator["default_of"], users)


class Coverage(unittest.TestCase):
    def test_every_field_has_a_property_or_a_reason(self):
        described = {}
        for group in DESCRIPTORS["groups"]:
            described.setdefault(group["definition"], set()).update(row["name"] for row in group["properties"])
        self.assertEqual(set(described), set(EXCLUDED))
        for definition, names in described.items():
            found = {RENAMED.get(name, name) for name in fields(definition)}
            with self.subTest(definition=definition):
                self.assertEqual(names - found, set(), "described, but no field")
                self.assertEqual(found - names - set(EXCLUDED[definition]), set(), "neither described nor excluded")
                self.assertEqual(names & set(EXCLUDED[definition]), set(), "both described and excluded")


class SceneSchema(unittest.TestCase):
    def same(self, key, row):
        if row["kind"] == "choice":
            self.assertEqual(key["enum"], [choice["name"] for choice in row["choices"]])
        if row["kind"] in NUMBERS:
            number = key["items"] if row["kind"] == "vector" else key
            self.assertEqual(number["type"], "integer" if row["kind"] == "integer" else "number")
            self.assertEqual(number["minimum"], row["minimum"])
            self.assertEqual(number.get("maximum"), row["maximum"])
        if "default" in key:
            self.assertEqual(key["default"], row["default"])
        self.assertIn(row["summary"][:-1], key["description"])
        if row["unit"]:
            self.assertIn(f"[{row['unit']}]", key["description"])

    def test_the_scene_schema_says_the_same(self):
        for group in DESCRIPTORS["groups"]:
            keys = scene_keys(group["target"])["properties"]
            for row in group["properties"]:
                with self.subTest(group=group["id"], name=row["name"]):
                    self.same(keys[row["name"]], row)
        alternatives = {a["properties"]["type"]["const"]: a["properties"]
                        for a in scene_keys("deformables[].constraints[]")["oneOf"]}
        for kind in DESCRIPTORS["types"]:
            if kind["target"] is None:
                continue
            for row in kind["parameters"]:
                with self.subTest(type=kind["name"], name=row["name"]):
                    self.same(alternatives[kind["name"]][row["name"]], row)


if __name__ == "__main__":
    unittest.main()
