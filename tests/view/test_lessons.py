"""The tutorial of the window: each lesson opens, what it measures meets its claim, and its value acts."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import jsonschema

from window import BINARY, Window

SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
TABLE = (SOURCE / "view/lessons/lesson_table.c").read_text()
ROWS = {re.match(r'"([\w-]+)"', row)[1]: row for row in TABLE.split("{.id = ")[1:]}
QUICK = ("edges", "neighbors", "bug", "pairs", "gradient", "height", "creation", "algorithm", "momentum")


def frames(lesson):
    """Lines of a script that run a lesson for as long as its claim needs."""
    found = re.search(r"\.frames = (\d+)", ROWS[lesson])
    return "" if not found else f"lesson next {found[1]}" if lesson == "algorithm" else f"to {found[1]}"


class LessonScenes(unittest.TestCase):
    def test_each_passes_the_schema_and_runs(self):
        schema = json.loads(subprocess.run([BINARY, "schema"], capture_output=True, text=True, check=True).stdout)
        paths = sorted((SOURCE / "scenes/lessons").glob("*.json"))
        self.assertEqual({f"lessons/{path.name}" for path in paths}, set(re.findall(r'"(lessons/[\w-]+\.json)"', TABLE)))
        for path in paths:
            jsonschema.validate(json.loads(path.read_text()), schema, jsonschema.Draft202012Validator)
            with tempfile.TemporaryDirectory() as folder, self.subTest(path.name):
                done = subprocess.run([BINARY, "run", path, "-n", "2", "-o", folder, "--quiet", "--allow-outside"], capture_output=True, text=True, timeout=100)
                self.assertEqual(done.returncode, 0, done.stderr)


class Lessons(Window):
    def view(self, script, **more):
        return super().view(script, scene=SOURCE / "scenes/first.json", **more)

    def test_lessons_are_the_sections_of_the_page(self):
        page = re.findall(r'<section id="([\w-]+)"', (SOURCE / "web/page/html/learn.html").read_text())
        self.assertEqual(list(ROWS), page)

    def test_each_holds_and_its_value_acts(self):
        lessons = [each for each in ROWS if not os.environ.get("PLIANT_QUICK") or each in QUICK]
        self.assertGreater(len(lessons), 8)
        self.view("\n".join(f"""
            lesson {each}
            expect lesson id {each}
            {frames(each)}
            expect lesson holds
            lesson note
            lesson {each}
            lesson turn
            {frames(each)}
            expect lesson acts""" for each in lessons))

    def test_a_value_that_is_not_turned_does_not_act(self):
        for each in ("momentum", "algorithm", "creation"):
            script = f"lesson {each}\n{frames(each)}\nlesson note\nlesson {each}\n{frames(each)}\n"
            self.assertIn("the lesson: ", self.view(script + "expect lesson acts\n", code=1))

    def test_claims_can_fail(self):
        self.view(f"lesson momentum\nset settings.keep_momentum 1\n{frames('momentum')}\nexpect lesson fails\n")
        self.view("lesson creation\nlesson set 3\nexpect lesson fails\nlesson edges\nexpect lesson fails\n")

    def test_algorithm_1_is_the_librarys_step(self):
        self.view("lesson algorithm\nlesson next 200\nexpect lesson holds\n")
        # In the middle of a step nothing is compared; a frame of the library alone, damping and another direction of the sweeps differ.
        for change in ("run 1", "set settings.damping 1\nlesson next 140", "set settings.sweeps 0\nlesson next 140"):
            self.view(f"lesson algorithm\nlesson next 18\n{change}\nexpect lesson fails\n")

    def test_points_are_moved_and_projected(self):
        # h is two thirds of the height over the chord, and h0 is 0.4.
        self.view("""
            lesson height
            expect lesson reads 0.3
            lesson point 2 0,1.2
            expect lesson reads 0.4
            expect lesson holds
            lesson set 0.1
            expect lesson reads 0.3
            lesson point 0 -1,0.6
            expect lesson reads 0.1
            expect lesson reads 0 4
            expect lesson holds
            lesson gradient
            lesson set 0.25
            expect lesson reads 4
            expect lesson reads 0 2
            expect lesson reads 0 3
        """)
        self.assertIn("C, by the library is 0.3", self.view("lesson height\nexpect lesson reads 0.31\n", code=1))
        for point in ("3 0,0", "2 x,y"):
            self.assertIn("'lesson' needs point I X,Y", self.view(f"lesson height\nlesson point {point}\n", code=1))

    def test_other_starts_are_kept(self):
        """Crumpled and inside out, at the start and after the run, and not as the scenes' files have them."""
        for lesson in ("figure-3", "mirror"):
            scene = SOURCE / "scenes" / re.search(r'\.scene = "([^"]+)"', ROWS[lesson])[1]
            self.view(f"lesson {lesson}\nmark\nto 20\nto 0\nsame\n")
            self.assertIn("not the marked one", self.view(f"lesson {lesson}\nmark\nopen {scene}\nsame\n", code=1))

    def test_the_menu_and_the_buttons(self):
        self.view("""
            menu Learn
            click x=40 y=60
            expect lesson id fold
            click x=72 y=58
            expect lesson id algorithm
            click x=28 y=58
            expect lesson id fold
            menu Learn
        """, size="800x500")
        self.assertIn("the lesson: fold", self.view("lesson fold\nmenu Learn\nexpect lesson id fold\n", code=1))

    def test_counts_follow_a_mesh_of_the_user(self):
        bunny = SOURCE / "scenes/meshes/bunny.obj"
        self.view(f"lesson pairs\nopen {bunny}\nexpect lesson fails\nlesson creation\nopen {bunny}\nexpect lesson fails\n")

    def test_what_is_wrong_is_said(self):
        self.assertIn("'lesson' needs the name of a lesson", self.view("lesson nothing\n", code=1))
        self.assertIn("no lesson is open", self.view("expect lesson holds\n", code=1))
        self.assertIn("'lesson' needs the name of a lesson", self.view("lesson fold\nlesson next x\n", code=1))
        with tempfile.TemporaryDirectory() as empty:
            said = self.view("lesson bug\n", code=1, environment={"PLIANT_SCENES": empty}.items())
            self.assertIn("a lesson that opens", said)


if __name__ == "__main__":
    unittest.main()
