"""The checks of the house find what they are for: each is run on a small tree of its own that breaks one rule."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.git("init", "-q")
        shutil.copytree(SCRIPTS, self.root / "scripts")

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.root, check=True,
                       capture_output=True)

    def write(self, **files):
        for name, text in files.items():
            path = self.root / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run_script(self, name, *words):
        result = subprocess.run([self.root / "scripts" / name, *map(str, words)], cwd=self.root, capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def expect(self, *wanted, script, words=(), fails=True):
        code, out = self.run_script(script, *words)
        self.assertEqual(code, 1 if fails else 0, out)
        for text in wanted:
            self.assertIn(text, out)
        return out


class Names(Tree):
    def test_clean_files_pass(self):
        self.write(src__a__box_dot_c="// Boxes, in the same way as elsewhere.\nint box_always(int rigid_body);\n",
                   src__a__box_dot_h="int box_always(int rigid_body);\n", docs__a_dot_md="A cloth tears in one way.\n")
        self.expect("no retired word", script="check-names", fails=False)

    def test_a_retired_identifier_is_refused_where_it_stands(self):
        self.write(src__collision__a_dot_c="int good;\nint pli_stray_count;\n", src__solver__b_dot_c="struct pli_tie *tie;\n")
        self.expect("src/collision/a.c:2: pli_stray_count: deviation", "src/solver/b.c:1: pli_tie: attachment",
                    script="check-names")

    def test_words_of_comments_and_messages(self):
        self.write(src__collision__a_dot_c='// Particles that leave their ways.\nconst char *text = "tracts";\n')
        out = self.expect("src/collision/a.c:1: leave their ways", "src/collision/a.c:2: tracts", script="check-names")
        self.assertNotIn("comments without", out)

    def test_a_comment_has_a_subject(self):
        self.write(io__a_dot_c="// What is read.\nint a; ///< Of the mean edge.\n// A sentence.\n// What goes on in it.\n"
                   'const char *b = "// What";\n')
        out = self.expect("io/a.c:1: What ...", "io/a.c:2: Of ...", script="check-names")
        self.assertIn("2 comments without a subject", out)

    def test_file_names_stand_once(self):
        self.write(src__a__box_dot_c="", src__a__box_dot_h="", io__box_dot_c="", include__pliant__box_dot_h="")
        self.expect("box: a name that does not stand in io as well", "1 file names", script="check-names")
        self.expect("1 file names", script="check-names", words=["--report"], fails=False)


class Dependencies(Tree):
    TABLE = "src/low:\nsrc/high: src/low\n"

    def setUp(self):
        super().setUp()
        self.write(scripts__layers=self.TABLE, src__low__a_dot_h="int a(void);\n", src__high__b_dot_h="int b(void);\n")

    PAGE = "## What Pliant is made of\n\n| `docs/` | a |\n| `scripts/` | b |\n| `src/` | c |\n\n## The layers of src/\n\n| `high/` | d |\n| `low/` | e |\n"

    def test_the_page_of_folders_is_complete(self):
        self.write(docs__architecture_dot_md=self.PAGE)
        self.git("add", ".")
        self.expect("includes follow the law", script="check-dependencies", fails=False)
        self.write(docs__architecture_dot_md=self.PAGE.replace("| `low/` | e |\n", "| `old/` | e |\n").replace("| `scripts/` | b |\n", ""))
        self.expect("no row for `low/`", "there is no folder `old/`", "no row for `scripts/`", script="check-dependencies")
        self.write(docs__architecture_dot_md=self.PAGE.replace("high", "low").replace("`low/` | e", "`high/` | e"))
        self.expect("not in the order of scripts/layers", script="check-dependencies")

    def build(self):
        for source in [*self.root.glob("src/low/*.c"), *self.root.glob("src/high/*.c")]:
            name = source.relative_to(self.root)
            obj = self.root / "build/CMakeFiles/all.dir" / f"{name}.o"
            obj.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cc", "-fPIC", "-O1", f"-I{self.root}/src", "-c", source, "-o", obj], check=True)

    def check(self, *wanted, **more):
        self.build()
        return self.expect(*wanted, script="check-dependencies", words=["--calls", "build"], **more)

    def test_a_tree_that_holds_passes(self):
        self.write(src__low__a_dot_c='#include "low/a.h"\nint a(void) { return 1; }\n',
                   src__high__b_dot_c='#include "high/b.h"\n#include "low/a.h"\nint b(void) { return a(); }\n')
        self.check("1 arrows of calls", "0 law, 0 circles, 0 headers, 0 folders", fails=False)

    def test_an_include_that_goes_up(self):
        self.write(src__low__a_dot_c='#include "high/b.h"\n')
        self.expect("src/low/a.c:1: src/low may not use src/high", script="check-dependencies")

    def test_a_call_that_goes_up_without_an_include(self):
        self.write(src__low__a_dot_c="int b(void);\nint a(void) { return b() + 1; }\n",
                   src__high__b_dot_c="int b(void) { return 1; }\n")
        self.check("src/low/a.c: src/low may not use src/high: b of src/high/b.c", "1 law, 0 circles")

    def test_a_circle_between_folders_is_drawn(self):
        self.write(src__low__a_dot_c="int b(void);\nint a(void) { return b() + 1; }\n",
                   src__high__b_dot_c="int a(void);\nint b(void) { return a() - 1; }\n")
        self.check("2 files of 2 folders call each other", "src/low/a.c -> b of src/high/b.c", "src/high/b.c -> a of src/low/a.c")

    def test_a_row_of_a_table_is_no_call(self):
        self.write(src__low__a_dot_c="int b(void);\nint (*const rows[])(void) = {b};\nint a(void) { return 2; }\n",
                   src__high__b_dot_c="int a(void);\nint b(void) { return a() - 1; }\n")
        self.check("0 law, 0 circles", fails=False)

    def test_four_files_of_a_folder_in_a_circle(self):
        for i in range(4):
            self.write(**{f"src__low__f{i}_dot_c": f"int f{(i + 1) % 4}(int);\nint f{i}(int x) {{ return f{(i + 1) % 4}(x) + 1; }}\n"})
        self.check("src/low: 4 files call each other, at most 3 may", "src/low/f0.c -> f1 of src/low/f1.c", "src/low/f3.c -> f0 of src/low/f0.c")
        (self.root / "src/low/f3.c").write_text("int f3(int x) { return x; }\n")
        self.check("0 circles", fails=False)

    def test_a_header_declares_what_its_source_defines(self):
        self.write(src__low__a_dot_c="int other;\n", src__low__c_dot_c="int a(void) { return 1; }\n",
                   src__low__a_more_dot_c="int more(void) { return 1; }\n", src__low__a_dot_h="int a(void);\nint more(void);\n")
        self.check("src/low/a.h declares what src/low/c.c defines: a\n", "1 headers")

    def test_a_row_without_files(self):
        self.write(scripts__layers=self.TABLE + "src/top: src/high\n", src__low__a_dot_c="int a(void) { return 1; }\n")
        self.check("scripts/layers: no file lies in src/top", "1 folders")

    def test_kinds_that_are_only_reported(self):
        self.write(src__low__a_dot_c="int b(void);\nint a(void) { return b() + 1; }\n",
                   src__high__b_dot_c="int b(void) { return 1; }\n")
        self.build()
        self.expect("1 law", script="check-dependencies", words=["--calls", "build", "--report", "law"], fails=False)
        self.expect("1 law", script="check-dependencies", words=["--calls", "build", "--report", "circles"])

    def test_a_row_may_name_a_file(self):
        self.write(scripts__layers="src/high/b:\nsrc/low: src/high/b\nsrc/high: src/low\n",
                   src__low__a_dot_c='#include "high/b.h"\nint a(void) { return b() + 1; }\n',
                   src__high__b_dot_c="int b(void) { return 1; }\n", src__high__c_dot_c="int c(void) { return 1; }\n")
        self.check("0 law, 0 circles", fails=False)
        self.write(src__low__a_dot_c="int c(void);\nint a(void) { return c() + 1; }\n")
        self.check("src/low/a.c: src/low may not use src/high: c of src/high/c.c", "1 law")

    def test_an_include_from_the_root(self):
        self.write(src__high__b_dot_c='#include "src/low/a.h"\n', src__low__a_dot_c='#include "src/high/b.h"\n')
        self.expect("src/low/a.c:1: src/low may not use src/high: src/high/b.h", script="check-dependencies")

    def test_a_table_that_names_a_folder_above(self):
        self.write(scripts__layers="src/low: src/high\nsrc/high:\n")
        result = subprocess.run([self.root / "scripts/check-dependencies"], cwd=self.root, capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("'src/high' has no row above this one", result.stderr)


class History(Tree):
    def commit(self, *messages):
        self.git("commit", "-q", "--allow-empty", "-m", "start")
        for message in messages:
            self.git("commit", "-q", "--allow-empty", "-m", message)
        return len(messages)

    def check(self, count, *wanted, **more):
        return self.expect(*wanted, script="check-history", words=[f"HEAD~{count}"], **more)

    def test_good_messages_pass(self):
        count = self.commit("mesh: Faces are counted in tests/unit/", "io, cli: Readers\n\nsrc/io and /dev/null stay.")
        self.git("checkout", "-q", "-b", "side", "HEAD~1")
        self.git("commit", "-q", "--allow-empty", "-m", "docs: Words")
        self.git("checkout", "-q", "-")
        self.git("merge", "-q", "--no-ff", "-m", "Merge: The words of the field in docs", "side")
        self.check(count, "3 messages of commits are in order", fails=False)

    def test_bad_messages_are_named(self):
        count = self.commit("Things", "mesh: WIP faces", "io: Like it is in\n\n/home/someone/tree/file", "fixup! mesh: Faces",
                            "Merge branch 'main' of /work/h/surf")
        out = self.check(count, "Things\n  is not 'area: Sentence'", "mesh: WIP faces\n  is not finished",
                         "io: Like it is in\n  names a folder of one machine", "fixup! mesh: Faces\n  is not finished")
        self.assertIn("says where a merge came from", out)


unittest.main()
