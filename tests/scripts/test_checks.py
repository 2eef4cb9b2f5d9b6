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
    def test_unique_names_pass(self):
        self.write(src__a__box_dot_h="typedef struct box box;\nstruct box {\n    int size, area;\n};\nint box_size(void);\n",
                   src__a__box_dot_c='#include "box.h"\n#define ROW(x) x\nstatic int size(int area) { return area; }\nint box_size(void) { return size(2); }\n#undef ROW\n',
                   src__b__ball_dot_c='#define ROW(x) 2 * x\ntypedef struct box box;\nstatic int area(int size) { return ROW(size); }\n#undef ROW\n')
        self.expect("0 repeated file names, 0 repeated identifiers", script="check-names", fails=False)

    def test_repeated_identifiers_are_found(self):
        self.write(src__a__one_dot_c="#define GRAIN 2\nenum { LEFT, RIGHT = 3 };\nstruct work {\n    int a;\n};\nstatic const float limits[2] = {1, 2};\n"
                   "static inline int size(int x) { return x; }\nint area(void) { return 1; }\n",
                   src__b__two_dot_c="enum {\n    GRAIN = 2,\n    RIGHT\n};\ntypedef struct {\n    int b;\n} work;\nstatic float limits;\n"
                   "static void *size(\n    int x)\n{\n    return 0;\n}\nstatic int area(void) { return 1; }\n")
        out = self.expect("src/b/two.c:2: the constant GRAIN is also defined in src/a/one.c", "src/b/two.c:3: the constant RIGHT",
                          "src/b/two.c:5: the type work", "src/b/two.c:8: the variable limits", "src/b/two.c:9: the function size",
                          "src/b/two.c:14: the function area", "6 repeated identifiers", script="check-names")
        self.assertNotIn("the type a", out)

    def test_macros_that_define_static_functions(self):
        self.write(src__a__kernel_dot_h="#define KERNEL static inline\n", src__a__one_dot_c="KERNEL int size(void) { return 1; }\n",
                   src__b__two_dot_c="KERNEL int size(void) { return 2; }\n")
        self.expect("src/b/two.c:1: the function size", script="check-names")

    def test_a_temporary_macro_may_repeat_only_others(self):
        self.write(src__a__one_dot_c="#define ROW(x) x\n#undef ROW\n", src__b__two_dot_c="#define ROW(x) x\n#undef ROW\n#define FIELD 1\n",
                   src__c__three_dot_c="#define FIELD 2\n#undef FIELD\n")
        self.expect("src/c/three.c:1: the temporary macro FIELD", "1 repeated identifiers", script="check-names")

    def test_a_header_undefines_the_macros_of_its_users(self):
        self.write(src__a__rows_dot_h="#ifndef ROW\n#define ROW(x)\n#endif\nROW(1)\n#undef ROW\n",
                   src__a__one_dot_c='#define ROW(x) x,\n#include "rows.h"\n', src__b__two_dot_c='#define ROW(x) -x,\n#include "rows.h"\n')
        self.expect("0 repeated identifiers", script="check-names", fails=False)

    def test_assertions_define_nothing(self):
        self.write(src__a__one_dot_c="enum { MOST = 2 };\n", src__b__two_dot_c='_Static_assert((int)MOST >= (int)1, "room");\nstruct box {\n    int a;\n};\n')
        self.expect("0 repeated identifiers", script="check-names", fails=False)

    def test_a_report_succeeds(self):
        self.write(src__a__one_dot_c="static int size;\n", src__b__two_dot_c="static int size;\n")
        self.expect("src/b/two.c:1: the variable size", script="check-names", words=["--report"], fails=False)

    def test_file_names_are_unique(self):
        self.write(src__a__box_dot_c="", src__a__box_dot_h="", io__box_dot_c="", include__pliant__box_dot_h="")
        self.expect("src/a/box.c:1: box is also a file of io", "1 repeated file names", script="check-names")
        self.expect("1 repeated file names", script="check-names", words=["--report"], fails=False)


class Budgets(Tree):
    def test_structs_have_at_most_thirty_fields(self):
        fields = "    int " + ", ".join(f"a{i}[2]" for i in range(28)) + ";\n    void (*call)(int x, int y);\n"
        self.write(src__a__one_dot_c="typedef struct {\n" + fields + "    struct { int u, v, w; } inner;\n} full;\nstruct large {\n" + fields
                   + "    char c; // A character.\n    char d;\n};\n", lab__two_dot_c="struct large {\n" + fields + "    char c, d;\n};\n")
        self.git("add", "-A")
        out = self.expect("src/a/one.c:6: large has 31 fields; at most 30", script="check-budgets")
        self.assertNotIn("full has", out)
        self.assertNotIn("lab/", out)


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

    def check(self, *wanted, **more):
        return self.expect(*wanted, script="check-dependencies", **more)

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
        self.expect("1 law", script="check-dependencies", words=["--report", "law"], fails=False)
        self.expect("1 law", script="check-dependencies", words=["--report", "circles"])

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
        count = self.commit("mesh: Faces are counted in tests/unit/", "io, cli: Readers\n\nsrc/io and /dev/null remain.")
        self.git("checkout", "-q", "-b", "side", "HEAD~1")
        self.git("commit", "-q", "--allow-empty", "-m", "docs: Words")
        self.git("checkout", "-q", "-")
        self.git("merge", "-q", "--no-ff", "-m", "Merge: The words of the field in docs", "side")
        self.check(count, "the messages of 3 commits are in order", fails=False)

    def test_bad_messages_are_named(self):
        count = self.commit("Things", "mesh: WIP faces", "io: Like it is in\n\n/home/someone/tree/file", "fixup! mesh: Faces",
                            "Merge branch 'main' of /work/h/surf", "Merge branch 'main'")
        self.check(count, "Things\n  is not 'area: Sentence'", "mesh: WIP faces\n  is not finished", "io: Like it is in\n  names a folder of one machine",
                   "fixup! mesh: Faces\n  is not finished", "surf\n  names a folder of one machine", "Merge branch 'main'\n  is not 'area: Sentence'")


unittest.main()
